//! Sittings: whether the next one would find the same.

pub(crate) mod rows;

use crate::report::columns::{Value, columns};
use crate::report::numbers::{count, interval, known, list, percent, percents, ratio};
use crate::report::topics::summary::{beside_base, starred};
use crate::report::{Input, Report, Source, Table, Topic, file};
use rows::SittingsRow;

/// With fewer sittings the interval is wide, and may miss the truth too often
/// (docs/measuring.md).
const FEW: usize = 6;
/// The precisions for which the report gives the number of sittings.
const WANTED: [f64; 3] = [0.01, 0.03, 0.05];

/// The topic.
pub(crate) const TOPIC: Topic<Source> = Topic {
    files: &[file!("sittings.csv", columns, Table::filled, |of| &of.input.over_sittings)],
    charts: &[],
    section: |report, of| section(report, &of.input),
};

columns! {
    /// The columns of `sittings.csv`.
    fn columns<'a>(of: &'a SittingsRow);

    /// the row: a searcher at a number of threads
    Words "searcher" = of.searcher.as_str(), as "searcher";
    Whole "threads" = of.threads, as "threads", shown starred(of.threads, of.oversubscribed);
    /// the figure: `net` speedup, or speedup `to depth` where nodes are not known
    Words "figure" = if of.is_net { "net" } else { "to depth" }, as "figure";
    /// sittings with whole rounds of it
    Whole "sittings" = of.figures.len(), as "sittings";
    /// the geometric mean of the sittings' figures. Its interval is Student's, of their logarithms
    Three "mean" + Ci = Value::runs(of.over.mean, Some(of.over.ci)), as "mean";
    /// the interval that the figure of the next sitting falls into
    Three "next" only Bare = Value::runs(of.over.mean, Some(of.over.next));
    /// the least and the greatest figure of a sitting
    Three "least" = of.figures.iter().copied().reduce(f64::min);
    Three "greatest" = of.figures.iter().copied().reduce(f64::max);
    /// the standard deviation of the logarithms
    Four "deviation" = of.over.deviation;
    /// the harmonic mean of the rounds of a sitting
    One "rounds" = of.levels.map(|levels| levels.rounds_each);
    /// the variance of the logarithm of a round's speedup to depth within a sitting, and what
    /// sittings add to it. Below 0: they add nothing that is seen
    Significant "variance_rounds" = of.levels.map(|levels| levels.rounds);
    Significant "variance_sittings" = of.levels.map(|levels| levels.sittings);
    /// the share of the variance of a sitting's mean that lies between sittings
    Percent "share_sittings" = of.levels.and_then(|levels| levels.share_of_sittings());
    /// rounds of a sitting that narrow the interval most for their time. A sitting is taken to cost
    /// as much as one round beside its own. Blank if one sitting is enough
    Whole "best_rounds" = of.levels.and_then(|levels| levels.best_rounds(1.0));
}

fn section(report: &mut Report<'_>, input: &Input) {
    let is_merged = input.sittings.iter().any(|sitting| sitting.place.shard.is_some());
    let has_speedups = beside_base(&input.figures).next().is_some();
    if input.cores.is_virtual() || is_merged || !has_speedups || input.sittings.is_empty() {
        return;
    }
    report.heading(2, "Sittings");
    let rows = &input.over_sittings;
    let Some(first) = rows.first() else {
        report.paragraph(
            "No two sittings of this experiment have whole rounds. So every ci_runs is of this \
             sitting only: another sitting on this machine may differ from it by more. `ttd run \
             DIR/experiment.toml --out DIR --sitting` measures one more, and `--sittings 6` \
             measures six from the beginning.",
        );
        return;
    };
    report.paragraph(&format!(
        "{} have whole rounds. Each gives one speedup. These vary from sitting to sitting as well \
         as from run to run. ci_runs takes all runs for runs of one sitting; ci_sittings does \
         not.{}",
        count(first.figures.len(), "sitting"),
        if first.figures.len() < FEW {
            " With fewer than six it is wide, and too sure on a machine with two kinds of sittings."
        } else {
            ""
        }
    ));
    report.list(rows.iter().map(advice));
    report.table(
        "Speedups over sittings. ci_sittings: the 95% interval of the mean, by Student's t of the \
         logarithms of the sittings' speedups. Next sitting: the 95% interval that the speedup of \
         one more sitting falls into. Deviation: from sitting to sitting. Between sittings: their \
         share of the variance of a sitting's mean (Kalibera and Jones, 2013); the rest is of its \
         rounds. * oversubscribed.",
        &shown().whole_table(rows),
    );
}

/// The level that is to be repeated, in words.
fn advice(row: &SittingsRow) -> String {
    let reach = |wanted: f64| {
        let takes = row.over.sittings_for(wanted);
        takes.map(|sittings| format!("{} for ±{}", sittings, percent(wanted)))
    };
    let takes: Vec<String> = WANTED.into_iter().filter_map(reach).collect();
    let takes = if takes.is_empty() {
        String::new()
    } else {
        format!(" Sittings that it takes, if they differ so: {}.", list(takes))
    };
    let share = row.levels.and_then(|levels| levels.share_of_sittings());
    let level = match share {
        Some(share) if share >= 0.5 => {
            " More sittings narrow the interval, and more rounds in each hardly do."
        }
        Some(_) => " More rounds in each sitting narrow the interval, as more sittings do.",
        None => "",
    };
    format!(
        "**{} at {}**: {} (ci_sittings {}).{level}{takes}",
        row.searcher,
        count(row.threads, "thread"),
        ratio(row.over.mean),
        interval(Some(row.over.ci), ratio)
    )
}

columns! {
    /// The table of the report.
    fn shown<'a>(of: &'a SittingsRow);

    Words "" = of.searcher.as_str(), as "searcher";
    Whole "" = of.threads, as "threads", shown starred(of.threads, of.oversubscribed);
    Words "" = if of.is_net { "net" } else { "to depth" }, as "speedup";
    Words "" = list(of.figures.iter().copied().map(ratio)), as "sittings";
    Ratio "" = of.over.mean, as "mean";
    Words "" = interval(Some(of.over.ci), ratio), as "ci_sittings";
    Words "" = interval(Some(of.over.next), ratio), as "next sitting";
    Words "" = percents(of.over.deviation), as "deviation";
    Words "" = known(of.levels.and_then(|levels| levels.share_of_sittings()), percent), as "between sittings";
}

#[cfg(test)]
mod tests {
    use super::rows::rounds;
    use super::*;
    use crate::experiment::Sample;
    use crate::records::{Sitting, write_sittings};
    use crate::report::synthetic::Made;
    use crate::report::{Beside, write};
    use std::collections::BTreeSet;
    use std::fs;
    use tempfile::TempDir;
    use ttd_search::cores::Time;

    /// A directory of which a sitting begins with each of these rounds. From round 4 on the times
    /// of more than one thread are 4% longer.
    fn dir(begins: &[u32], shift: u32) -> TempDir {
        let alter = |sample: &mut Sample| {
            if sample.round > 3 && sample.threads > 1 {
                sample.time = Time::from_ps(sample.time.ps() / 100 * 104);
            }
        };
        let made = Made { alter, ..Made::default() };
        let in_round = made.samples().len() as u32 / made.experiment.runs;
        let dir = made.dir();
        let sitting = |(place, begin): (usize, &u32)| {
            let first = (begin - 1) * in_round + shift * u32::from(place > 0);
            Sitting { cores_usable: 4, ..Sitting::begin(first as usize, &[]) }
        };
        let sittings: Vec<Sitting> = begins.iter().enumerate().map(sitting).collect();
        write_sittings(dir.path(), &sittings).expect("written");
        dir
    }

    #[test]
    fn each_sitting_gives_a_figure() {
        let dir = dir(&[1, 4], 0);
        let rows = Input::read(dir.path()).expect("read").over_sittings;
        let of = |searcher: &str, threads: usize| {
            let is = |row: &&SittingsRow| row.searcher == searcher && row.threads == threads;
            rows.iter().find(is).expect("a row")
        };
        let four = of("ybwc", 4);
        assert!(four.is_net);
        assert!((four.figures[0] - 3.6).abs() < 1e-6, "{:?}", four.figures);
        assert!((four.figures[1] - 3.6 / 1.04).abs() < 1e-6, "{:?}", four.figures);
        assert!((four.over.mean - 3.6 / 1.04_f64.sqrt()).abs() < 1e-6);
        // Rounds of one sitting do not differ in their speedups.
        let share = four.levels.and_then(|levels| levels.share_of_sittings());
        assert!(share.is_some_and(|share| share > 0.999), "{share:?}");
        write(dir.path(), Beside::default()).expect("written");
        let read = |file: &str| fs::read_to_string(dir.path().join(file)).expect("a file");
        assert!(read("report.md").contains("| ybwc | 4 | net | 3.60 and 3.46 | 3.53 |"));
        assert!(
            read("sittings.csv")
                .starts_with("searcher,threads,figure,sittings,mean,mean_ci_lower,")
        );
    }

    #[test]
    fn a_round_of_two_sittings_is_of_none() {
        let dir = dir(&[1, 3, 4], 5);
        let input = Input::read(dir.path()).expect("read");
        let whole = rounds(&input.sittings, &input.samples);
        assert_eq!(whole, [BTreeSet::from([1, 2]), BTreeSet::from([5, 6])]);
    }

    #[test]
    fn one_sitting_says_that_it_is_one() {
        let dir = dir(&[1], 0);
        assert!(Input::read(dir.path()).expect("read").over_sittings.is_empty());
        write(dir.path(), Beside::default()).expect("written");
        let report = fs::read_to_string(dir.path().join("report.md")).expect("a file");
        assert!(report.contains("So every ci_runs is of this sitting only"), "{report}");
    }
}
