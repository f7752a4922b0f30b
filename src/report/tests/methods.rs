//! The paragraph on how an experiment was measured.

use crate::experiment::SampleStatus;
use crate::records::CoresKind;
use crate::report::front::methods::methods;
use crate::report::synthetic::Made;
use crate::report::tests::drawn;
use crate::report::{Input, Source};
use std::path::Path;
use ttd_search::cores::Time;
use ttd_search::searchers::{Costs, Searcher};

fn text(made: &Made) -> String {
    methods(&Input::read(made.dir().path()).expect("read"))
}

#[test]
fn it_says_what_was_done() {
    let text = text(&Made::default());
    for sentence in [
        "We measured the time that ybwc and lazy-smp took to reach depth 12 on 3 positions of the set `middlegames`, with \
         1, 2 and 4 threads.",
        "was measured 6 times, 108 samples in all. Each round visits every cell once, in an order shuffled anew (seed 1).",
        "A search was to be stopped after 120 s; none was.",
        "share one chess engine (preset default) and one alpha-beta node routine. Before each sample the transposition \
         table of 256 MiB was cleared",
        "The base is the same searcher at one thread.",
        "Intervals are percentile bootstrap intervals at 95% from 2000 replicates. The interval ci_runs keeps the \
         positions and draws the rounds anew, with one draw for all cells. The interval ci_positions draws",
        "The workers were threads of the operating system and were not bound to cores.",
        "The process could use 2 cores, so 4 threads shared cores (oversubscription)",
        "The machine: ",
        "The program was ttd ",
    ] {
        assert!(text.contains(sentence), "{sentence}: {text}");
    }
}

#[test]
fn it_says_nothing_that_is_not_so() {
    let mut made = Made { cores: None, ..Made::default() };
    made.experiment.only.truncate(1);
    made.experiment.threads = vec![2];
    made.experiment.searchers = vec![Searcher::named("ybwc")];
    made.experiment.runs = 1;
    made.experiment.pin = vec![0, 1];
    let text = text(&made);
    for word in [
        "bootstrap",
        "speedup",
        "oversubscription",
        "The machine",
        "The program",
        "Wilcoxon",
        "AICc",
    ] {
        assert!(!text.contains(word), "{word}: {text}");
    }
    for sentence in [
        "time that ybwc took to reach depth 12 on 1 position of the set `middlegames`, with 2 threads.",
        "was measured once, 1 sample in all",
        "were bound to the processors 0 and 1.",
    ] {
        assert!(text.contains(sentence), "{sentence}: {text}");
    }
    let nothing = self::text(&Made { fate: |_| None, ..Made::default() });
    assert!(nothing.starts_with("Nothing has been measured yet."), "{nothing}");
}

#[test]
fn it_names_the_tests_and_criteria_that_were_used() {
    let mut made = Made::default();
    let set = ttd_search::positions::load("middlegames").expect("a set of the program");
    made.experiment.only = set.into_iter().take(8).map(|position| position.id).collect();
    made.experiment.threads = vec![1, 2, 4, 8, 16];
    made.cores = Some(16);
    let text = text(&made);
    for words in [
        "by Wilcoxon's signed-rank test on the logarithms",
        "with Holm's correction for 5 comparisons.",
        "(AICc; Hurvich and Tsai, 1989).",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn it_says_how_often_where_the_samples_decided_that() {
    let with = |until: f64, fate: fn(&crate::experiment::Sample) -> Option<SampleStatus>| {
        // Noise that base and cell do not have in common.
        let alter = |sample: &mut crate::experiment::Sample| {
            let noise = 1.0 + 0.01 * (f64::from(sample.order) * 12.9898).sin();
            sample.time = Time::from_secs_f64(noise * sample.time.as_secs_f64());
        };
        let mut made = Made { fate, alter, ..Made::default() };
        (made.experiment.until, made.experiment.runs) = (Some(until), 12);
        let dir = made.dir();
        let input = Input::read(dir.path()).expect("read");
        (methods(&input), caption(dir.path()))
    };
    let six = |sample: &crate::experiment::Sample| (sample.round <= 6).then_some(SampleStatus::Ok);
    let (text, caption) = with(1.0, six);
    let looks = "planned after 6 and 12 rounds; the last one ends";
    for words in [
        "was measured 6 times, 108 samples in all. Each round",
        looks,
        ". That look was after 6 rounds.",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(caption.contains("3 positions, 6 runs, 2 cores"), "{caption}");
    let (text, _) = with(0.001, six);
    assert!(text.contains("108 samples in all. Each round"), "{text}");
    assert!(text.contains(". That look is still to come."), "{text}");
    let begun = |sample: &crate::experiment::Sample| {
        (sample.round <= 6 || sample.searcher == "ybwc").then_some(SampleStatus::Ok)
    };
    let (text, caption) = with(0.001, begun);
    assert!(text.contains(". That look is still to come."), "{text}");
    assert!(caption.contains("3 positions, 6 to 12 runs, 2 cores"), "{caption}");
    let (text, _) = with(0.001, |_| Some(SampleStatus::Ok));
    assert!(text.contains("below 0.1% of the speedup. No look found that."), "{text}");
}

/// The caption of a chart.
fn caption(dir: &Path) -> String {
    let charts = drawn(&Source::of(Input::read(dir).expect("read")));
    let speedup = charts.iter().find(|chart| chart.name == "speedup").expect("a chart");
    speedup.caption.clone()
}

#[test]
fn it_tells_of_what_went_otherwise() {
    let fate = |sample: &crate::experiment::Sample| match (sample.order % 7, sample.threads) {
        (0, 4) => Some(SampleStatus::Failed),
        (1, 4) => Some(SampleStatus::Censored),
        (2, 4) => None,
        _ => Some(SampleStatus::Ok),
    };
    let mut made = Made { fate, ..Made::default() };
    made.experiment.searchers.push(Searcher::baseline());
    let text = text(&made);
    let planned = text.split(" planned in all").next().and_then(|before| before.rsplit(' ').next());
    assert!(planned.is_some_and(|planned| planned.parse::<u32>().is_ok()), "{text}");
    assert!(
        text.contains("A search was stopped after 120 s, as ")
            && text.contains(" samples failed and are in no figure."),
        "{text}"
    );
    assert!(text.contains("was measured ") && text.contains(" to 6 times"), "{text}");
}

#[test]
fn a_simulation_has_costs_and_no_machine() {
    let mut made = Made::default();
    made.experiment.cores = CoresKind::Virtual;
    made.experiment.costs = Some(Costs::default());
    let text = text(&made);
    assert!(text.contains("ran on virtual cores") && text.contains("node_ps = "), "{text}");
    assert!(text.contains("stopped after 120 s of virtual time"), "{text}");
    for word in ["The machine: ", "rustc", "operating system", "oversubscription"] {
        assert!(!text.contains(word), "{word}: {text}");
    }
}
