//! Speedups by the kind of position: tactical, quiet, endgame.

pub(crate) mod rows;

use crate::report::columns::columns;
use crate::report::lists::each_once;
use crate::report::numbers::{count, list};
use crate::report::topics::strata::rows::{FEWEST, Stratum};
use crate::report::topics::summary::starred;
use crate::report::{Report, Source, Table, Topic, file};
use ttd_stats::Bounds;

/// The topic.
pub(crate) const TOPIC: Topic<Source> = Topic {
    files: &[file!("strata.csv", columns, Table::filled, |of| &of.input.strata)],
    charts: &[],
    section,
};

fn section(report: &mut Report<'_>, of: &Source) {
    let strata = &of.input.strata;
    if strata.is_empty() {
        return;
    }
    report.heading(2, "Speedup by kind of position");
    report.paragraph(
        "The set's operation `tag` says the kind of a position, or else a rule does. An endgame has \
         at most four pieces beside kings and pawns. In a tactical position the side to move is in \
         check, or wins a pawn or more by a capture or a promotion (static exchange). It is tactical \
         too if a best move of the set takes, promotes or gives check. All others are quiet.",
    );
    report.list(few(strata).into_iter().chain(apart(strata)));
    report.table(
        "Geometric-mean speedups to depth by kind of position, each over its own positions. * \
         oversubscribed.",
        &columns().table(
            strata,
            "searcher, threads, tag, positions, geometric_mean, ci_runs, ci_positions",
        ),
    );
}

/// A sentence on the tags with too few positions.
fn few(strata: &[Stratum]) -> Option<String> {
    let few = |of: &&Stratum| of.positions < FEWEST;
    let of_tag = |tag: &str| strata.iter().filter(|of| of.tag == tag).map(|of| of.positions).max();
    let tags = each_once(strata.iter().filter(few).map(|of| of.tag.as_str()));
    let words = tags.iter().map(|tag| format!("{tag}: {}", of_tag(tag).unwrap_or(0)));
    (!tags.is_empty()).then(|| {
        format!(
            "**Too few positions** for an interval over positions, which takes {FEWEST} ({}).",
            words.collect::<Vec<_>>().join("; ")
        )
    })
}

/// A sentence for each searcher at its most threads: which kinds have intervals over positions that
/// lie apart.
fn apart(strata: &[Stratum]) -> Vec<String> {
    let searchers = each_once(strata.iter().map(|of| of.searcher.as_str()));
    let one = |name: &str| {
        let own = || strata.iter().filter(|of| of.searcher == name);
        let most = own().map(|of| of.threads).max()?;
        let known: Vec<(&str, Bounds)> = own()
            .filter(|of| of.threads == most)
            .filter_map(|of| Some((of.tag.as_str(), of.geometric_mean?.ci_positions?)))
            .collect();
        let above = |(one, low): &(&str, Bounds)| {
            let below: Vec<&str> =
                known.iter().filter(|(_, of)| of.upper < low.lower).map(|(tag, _)| *tag).collect();
            (!below.is_empty()).then(|| format!("{one} above {}", list(below)))
        };
        let found: Vec<String> = known.iter().filter_map(above).collect();
        let threads = count(most, "thread");
        (known.len() > 1).then(|| {
            if found.is_empty() {
                format!("**{name}**, {threads}: the intervals of all kinds overlap.")
            } else {
                format!("**{name}**, {threads}: {}, beyond the intervals.", found.join("; "))
            }
        })
    };
    searchers.into_iter().filter_map(one).collect()
}

columns! {
    /// The columns of `strata.csv`.
    fn columns<'a>(of: &'a Stratum);

    /// the searcher or variant, and its number of workers; without its base
    Words "searcher" = of.searcher.as_str(), as "searcher";
    Whole "threads" = of.threads, as "threads", shown starred(of.threads, of.oversubscribed);
    /// the kind of position, by the set's operation `tag` or by the rule
    Words "tag" = of.tag.as_str(), as "kind";
    /// positions of this kind that have a speedup
    Whole "positions" = of.positions, as "positions";
    /// geometric mean over them of the speedups to depth. With fewer than 6 of them there is no
    /// interval over positions
    Ratio "geometric_mean" + Both = of.geometric_mean, as "GM";
}

#[cfg(test)]
mod tests {
    use super::Stratum;
    use crate::experiment::{Sample, SampleStatus};
    use crate::report::synthetic::Made;
    use crate::report::{Beside, Input, write};
    use std::fs;
    use ttd_search::positions::{self, tag};

    /// Whether a position of `bratko-kopec` is tactical.
    fn is_tactical(id: &str) -> bool {
        let set = positions::load("bratko-kopec").expect("a built-in set");
        set.iter().any(|position| position.id == id && tag(position) == "tactical")
    }

    /// The first positions of a set, in which several workers take twice the time of others in
    /// tactical positions.
    fn made(positions: usize) -> Made {
        let set = positions::load("bratko-kopec").expect("a built-in set");
        let mut made = Made {
            alter: |sample: &mut Sample| {
                if sample.threads > 1 && is_tactical(&sample.position) {
                    sample.time = sample.time + sample.time;
                }
            },
            ..Made::default()
        };
        made.experiment.positions = "bratko-kopec".to_owned();
        made.experiment.only = set.into_iter().take(positions).map(|of| of.id).collect();
        made.experiment.runs = 2;
        made
    }

    #[test]
    fn each_kind_has_its_own_speedup() {
        let dir = made(24).dir();
        let input = Input::read(dir.path()).expect("read");
        let of = |tag: &str, threads: usize| {
            let is_this = |of: &&Stratum| of.tag == tag && of.threads == threads;
            let all: Vec<_> = input.strata.iter().filter(|of| of.searcher == "ybwc").collect();
            let found = all.into_iter().find(is_this).expect("a row");
            let mean = found.geometric_mean.expect("a speedup");
            (found.positions, mean.value.value().expect("exact"), mean.ci_positions.is_some())
        };
        let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-6;
        let (positions, speedup, interval) = of("quiet", 4);
        assert!(positions == 18 && close(speedup, 3.6) && interval, "{speedup}");
        let (positions, speedup, interval) = of("tactical", 4);
        assert!(positions == 4 && close(speedup, 1.8) && !interval, "{speedup}");
        assert_eq!(of("endgame", 2).0, 2);
        write(dir.path(), Beside::default()).expect("written");
        let text = fs::read_to_string(dir.path().join("report.md")).expect("a report");
        let few = "**Too few positions** for an interval over positions, which takes 6 (endgame: 2; \
                   tactical: 4).";
        assert!(text.contains("## Speedup by kind of position") && text.contains(few), "{text}");
        let csv = fs::read_to_string(dir.path().join("strata.csv")).expect("the rows");
        assert_eq!(csv.lines().count(), 1 + 2 * 2 * 3, "{csv}");
    }

    #[test]
    fn one_kind_alone_has_no_part_of_the_report() {
        let made = Made {
            fate: |sample| (!is_tactical(&sample.position)).then_some(SampleStatus::Ok),
            ..made(3)
        };
        let kinds = Input::read(made.dir().path()).expect("read").strata;
        assert!(kinds.is_empty(), "{kinds:?}");
    }
}
