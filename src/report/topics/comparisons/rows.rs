//! Comparisons of competitors at equal numbers of threads. They answer who is faster, by how much,
//! and whether it could be chance.

use crate::experiment::{Competitor, Experiment};
use crate::report::figures::{Estimate, Measurements, timings};
use crate::report::lists::ascending;
use std::collections::BTreeMap;
use ttd_search::searchers::Searcher;
use ttd_stats::paired::{self, Compared, Verdict};
use ttd_stats::ratios::{self, Contestant};
use ttd_stats::{Bounds, Runs};

/// The greatest number of competitors that are compared each with each: all searchers that there
/// are. If there are more, each is compared with one of them.
fn most_each_with_each() -> usize {
    Searcher::all().len()
}

/// Every comparison of an experiment: one family of tests.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparisons {
    /// The comparisons by thread count, then in the order of the experiment. Both competitors have
    /// a position in common.
    pub rows: Vec<Comparison>,
    /// The number of these comparisons that are tested: their p-values are corrected for that
    /// number.
    pub family: usize,
}

/// Two competitors at one number of threads: a row of `comparisons.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The name of the first competitor.
    pub searcher: String,
    /// The name of the second competitor.
    pub other: String,
    /// Number of workers of each.
    pub threads: usize,
    /// Whether there are more workers than cores that the process could use.
    pub oversubscribed: bool,
    /// The speed of the first competitor over that of the second. It is the second's median time
    /// over the first's, position by position, and then the geometric mean.
    pub times_as_fast: Estimate,
    /// The positions that were compared, and the result of the test.
    pub compared: Compared,
    /// The p-value with the family's correction; none without a test.
    pub p_holm: Option<Bounds>,
    /// The verdict that follows.
    pub verdict: Verdict,
}

impl Comparisons {
    /// Makes all comparisons. Searchers and outside engines are compared each with each, if there
    /// are at most ten of them. If there are more, each is compared with the first that has
    /// several threads. A reference, if the experiment has one, takes its place. Every variant is
    /// compared with the reference.
    pub(crate) fn of(all: Measurements<'_>) -> Comparisons {
        let pairs = pairs(all.experiment);
        let threads = all.figures.threads().into_iter();
        let mut rows: Vec<Comparison> =
            threads.flat_map(|threads| measured(threads, &pairs, all)).collect();
        let tests: Vec<Compared> = rows.iter().map(|row| row.compared).collect();
        for (row, judged) in rows.iter_mut().zip(paired::judge(&tests)) {
            (row.p_holm, row.verdict) = (judged.p, judged.verdict);
        }
        Comparisons { rows, family: paired::family_size(&tests) }
    }

    /// The number of tested comparisons in which no difference could have been seen beside so many
    /// others. Their p-value would be too great even if all positions that differ pointed one way.
    /// (Holm's correction multiplies it by the number of tests that are left after the differences
    /// that were seen.)
    pub fn hopeless(&self) -> usize {
        let seen = |row: &&Comparison| matches!(row.verdict, Verdict::Ahead | Verdict::Behind);
        let left = self.family - self.rows.iter().filter(seen).count();
        let differ = |row: &&Comparison| row.compared.equal < row.compared.positions;
        let unseen = self.rows.iter().filter(|row| row.verdict == Verdict::NoDifference);
        unseen.filter(differ).filter(|row| row.compared.is_hopeless(left)).count()
    }
}

/// The pairs that are compared, by their places among the competitors.
fn pairs(experiment: &Experiment) -> Vec<(usize, usize)> {
    let competitors = experiment.competitors();
    let is_variant = |place: &usize| matches!(competitors[*place], Competitor::Variant(_));
    let (variants, others): (Vec<usize>, Vec<usize>) =
        (0..competitors.len()).partition(|place| is_variant(place));
    let reference = experiment.reference.as_deref();
    let named = |place: &usize| reference == Some(experiment.name_of(competitors[*place]));
    let reference = (0..competitors.len()).find(named);
    let parallel = |place: &&usize| !experiment.has_one_thread(competitors[**place]);
    let mut pairs = Vec::new();
    if others.len() <= most_each_with_each() {
        for (index, &one) in others.iter().enumerate() {
            pairs.extend(others[index + 1..].iter().map(|&other| (one, other)));
        }
    } else if let Some(first) = reference.or(others.iter().find(parallel).copied()) {
        pairs.extend(others.iter().map(|&one| (one, first)));
    }
    if let Some(reference) = reference {
        pairs.extend(variants.iter().map(|&variant| (variant, reference)));
        if is_variant(&reference) {
            pairs.extend(others.iter().map(|&one| (one, reference)));
        }
    }
    ascending(pairs.into_iter().filter(|(one, other)| one != other))
}

/// The comparisons at one number of threads, before there is a verdict.
fn measured(threads: usize, pairs: &[(usize, usize)], all: Measurements<'_>) -> Vec<Comparison> {
    let (searchers, seed) = (&all.figures.searchers, all.experiment.seed);
    let row = |place: usize| searchers[place].row(threads);
    let times = |place: usize| -> Vec<Runs> {
        all.cells(&searchers[place].searcher, threads).map(timings).collect()
    };
    let every: Vec<Vec<Runs>> = (0..searchers.len()).map(times).collect();
    let rounds = ratios::draw_rounds(every.iter().flatten(), seed);
    let contestant = |place: usize| Contestant::new(&every[place], &rounds);
    let mut drawn: BTreeMap<usize, Contestant> = BTreeMap::new();
    let mut rows = Vec::new();
    for &pair in pairs {
        let (Some(own), Some(_)) = (row(pair.0), row(pair.1)) else { continue };
        for place in [pair.0, pair.1] {
            drawn.entry(place).or_insert_with(|| contestant(place));
        }
        let (one, other) = (&drawn[&pair.0], &drawn[&pair.1]);
        let ratios: Vec<Bounds> = one.against(other).into_iter().flatten().collect();
        rows.extend(one.mean_against(other, seed).map(|ratio| Comparison {
            searcher: searchers[pair.0].searcher.clone(),
            other: searchers[pair.1].searcher.clone(),
            threads,
            oversubscribed: own.oversubscribed,
            times_as_fast: ratio.into(),
            compared: Compared::of(&ratios),
            p_holm: None,
            verdict: Verdict::TooFew,
        }));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Variant;
    use ttd_search::engine::Techniques;
    use ttd_search::searchers::Settings;

    fn variant(name: &str) -> Variant {
        let (engine, settings) = (Techniques::default(), Settings::default());
        Variant { name: name.to_owned(), searcher: Searcher::named("ybwc"), engine, settings }
    }

    /// The pairs that are compared, as `one-other`.
    fn named(experiment: &Experiment) -> Vec<String> {
        let names = experiment.names();
        pairs(experiment).iter().map(|(a, b)| format!("{}-{}", names[*a], names[*b])).collect()
    }

    #[test]
    fn few_are_compared_each_with_each() {
        assert_eq!(named(&Experiment::default()), ["ybwc-lazy-smp"]);
        let searchers = Searcher::all().to_vec();
        let all = Experiment { searchers, ..Experiment::default() };
        let n = Searcher::all().len();
        assert_eq!(named(&all).len(), n * (n - 1) / 2);
    }

    #[test]
    fn variants_are_compared_with_their_reference() {
        let mut experiment = Experiment {
            searchers: vec![Searcher::named("ybwc"), Searcher::named("dts")],
            variants: vec![variant("a"), variant("b")],
            reference: Some("ybwc".to_owned()),
            ..Experiment::default()
        };
        assert_eq!(named(&experiment), ["ybwc-dts", "a-ybwc", "b-ybwc"]);
        experiment.reference = Some("b".to_owned());
        assert_eq!(named(&experiment), ["ybwc-dts", "ybwc-b", "dts-b", "a-b"]);
        experiment.searchers.clear();
        assert_eq!(named(&experiment), ["a-b"]);
    }

    #[test]
    fn many_are_compared_with_one() {
        let engines = ["a", "b"].map(|name| format!("name={name} command={name}"));
        let engines = engines.map(|spec| spec.parse().expect("an engine"));
        let searchers = Searcher::all().to_vec();
        let mut many = Experiment { searchers, engines: engines.to_vec(), ..Experiment::default() };
        let first = many.searchers[1].name();
        let found = named(&many);
        assert_eq!(found.len(), many.searchers.len() + 1);
        assert!(many.searchers[0] == Searcher::baseline(), "it has one thread only");
        assert!(found.iter().all(|pair| pair.ends_with(&format!("-{first}"))), "{found:?}");
        many.variants = vec![variant("v")];
        many.reference = Some("v".to_owned());
        assert_eq!(named(&many).len(), many.searchers.len() + 2);
    }
}
