use crate::report::synthetic::Made;
use crate::report::tests::drawn;
use crate::report::topics::TOPICS;
use crate::report::{Input, Source, front, latex};
use std::collections::BTreeMap;

fn tex(made: &Made) -> String {
    let of = Source::of(Input::read(made.dir().path()).expect("read"));
    let charts = drawn(&of);
    let report = front::report(&of, &TOPICS, &charts);
    latex::figures(&of, &report, &charts)
}

/// The commands that are defined, by name.
fn commands(tex: &str) -> BTreeMap<&str, &str> {
    let mut commands = BTreeMap::new();
    let lines = tex.lines().filter_map(|line| line.strip_prefix("\\def\\"));
    for (name, value) in lines.filter_map(|line| line.strip_suffix('}')?.split_once('{')) {
        let before = commands.insert(name, value);
        assert!(before.is_none(), "{name} is defined twice");
    }
    commands
}

#[test]
fn every_figure_has_a_command() {
    let tex = tex(&Made::default());
    let commands = commands(&tex);
    for (name, value) in [
        ("ttdName", "made-up"),
        ("ttdDepth", "12"),
        ("ttdYbwcAtFourSpeedup", "3.60"),
        ("ttdYbwcAtFourSearchOverhead", "0.000"),
        ("ttdYbwcAtFourBusyFraction", "0.900"),
        ("ttdLazySmpAtTwoSpeedup", "1.33"),
        ("ttdLazySmpAtTwoSpeedupPositionsLower", "1.33"),
        ("ttdYbwcAtOneAmdahlLimit", "--"),
        ("ttdYbwcUslContention", "--"),
        ("ttdYbwcAmdahlEnoughTenth", "--"),
        ("ttdYbwcOverLazySmpAtTwoPHolm", "--"),
        ("ttdYbwcAtTwoScoreDistance", "0"),
    ] {
        assert_eq!(commands.get(name), Some(&value), "{name}");
    }
    for name in commands.keys().filter(|name| !name.contains('#')) {
        assert!(name.chars().all(|c| c.is_ascii_alphabetic()), "{name}");
    }
    let methods = commands["ttdMethods"];
    assert!(methods.starts_with("We measured the time that ybwc and lazy-smp"), "{methods}");
}

#[test]
fn tables_and_charts_are_there_by_name() {
    let tex = tex(&Made::default());
    for part in [
        "\\ttddefine{table/speedup-2}{\\begin{tabular}{@{}lrrr",
        "\\ttddefine{table-caption/models-2}{Models fitted",
        "\\ttddefine{plot/net-speedup}{\\begin{tikzpicture}",
        "\\ttddefine{plot/speedup}{\\begin{tikzpicture}",
        "\\ttddefine{plot/efficiency}",
        "\\ttddefine{plot/speedup-boxes-lazy-smp}",
        "\\addlegendentry{lazy-smp}",
        "(4,3.6",
    ] {
        assert!(tex.contains(part), "{part}: {tex}");
    }
    for environment in ["tabular", "tikzpicture", "axis"] {
        let count = |word: &str| tex.matches(&format!("\\{word}{{{environment}}}")).count();
        assert!(count("begin") > 0 && count("begin") == count("end"), "{environment}");
    }
}

#[test]
fn what_only_has_bounds_is_named_and_not_drawn() {
    use crate::experiment::{Sample, SampleStatus};
    let fate = |sample: &Sample| {
        let stopped = sample.threads == 4 && sample.searcher == "ybwc";
        Some(if stopped { SampleStatus::Censored } else { SampleStatus::Ok })
    };
    let tex = tex(&Made { fate, ..Made::default() });
    assert!(tex.contains(" Not drawn, for it only has bounds: ybwc at 4."), "{tex}");
    assert!(tex.contains(" Not drawn, for it only has bounds: 4 threads."), "{tex}");
    assert!(!tex.contains("inf)") && !tex.contains("(marked)"), "{tex}");
    assert!(commands(&tex)["ttdYbwcAtFourSpeedup"].starts_with("{[}0.00, 3.6"));
}
