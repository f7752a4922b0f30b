//! The example of `docs/adding-a-searcher.md`: what it shows compiles, and searches.

// The guide begins here.
use super::rule::Rule;
use super::settings::{Holding, MOST_DEPTH, Sharing, settings};
use crate::search::{Node, NodeKind};

settings! { "all-splitting";
    /// Least depth of a split point, plies.
    min_depth: i32 = 4, from 1, to MOST_DEPTH;
    /// Whose the entries of the table are.
    table: Holding = Holding::Shared;
    /// Whose the killers are: the quiet moves that cut off lately.
    killers: Sharing = Sharing::CopiedAtSplit;
    /// Whose the quiet moves' history is.
    history: Sharing = Sharing::Shared;
}

impl Rule for Settings {
    fn may_share(&self, node: &Node, _handed: usize) -> bool {
        node.kind == NodeKind::All && node.depth >= self.min_depth
    }

    fn shares_alpha(&self) -> bool {
        true
    }
}
// The guide ends here.

use super::settings::Parameters;
use super::sharers;
use super::team::Search;
use crate::cores::{Cores, CostModel, Schedule, Simulation};
use crate::engine::{Features, Position, Preset, Table};
use crate::search::{Counters, Limits, Reductions, Session};
use std::cell::Cell;
use std::sync::atomic::AtomicBool;

#[test]
fn the_guide_shows_this_example() {
    let text = include_str!("example.rs");
    let begin = text.find("// The guide begins here.\n").map(|at| at + 26);
    let end = text.find("// The guide ends here.\n");
    let example = begin.zip(end).map(|(begin, end)| &text[begin..end]);
    let guide = include_str!("../../../../docs/adding-a-searcher.md");
    assert!(example.is_some_and(|example| guide.contains(example)));
}

#[test]
fn the_example_searches_with_others_and_finds_the_same() {
    let root = Position::new(cozy_chess::Board::default());
    let features = Features::preset(Preset::Exact);
    let reductions = Reductions::of(&features);
    let interrupt = AtomicBool::new(false);
    let settings = Settings { min_depth: 1, ..Settings::default() };
    let search = |workers: usize| {
        let table = Table::new(1).expect("one MiB");
        let limits =
            Limits { depth: 4, time_limit: None, interrupt: &interrupt, seed: 1, order_seed: 1 };
        let engine = (&features, &reductions, &table);
        let session = Session::new(&root, &[], engine, limits, workers);
        let (model, schedule) = (CostModel::default(), Schedule::Earliest);
        let cores =
            Cores::Virtual(Simulation { model, noise: 1, ties: 1, schedule, host_limit: None });
        let conditions = settings.conditions();
        let histories = Cell::default();
        let search =
            Search { session: &session, cores, workers, conditions, histories: &histories };
        let ran = sharers::search(&search, &settings).expect("no panic");
        let mut sum = Counters::default();
        for (counters, _) in &ran.workers {
            sum += counters;
        }
        let (iterations, _) = session.into_record();
        (iterations.last().map(|last| last.score), sum)
    };
    let ((alone, _), (together, counters)) = (search(1), search(6));
    assert_eq!(together, alone);
    let [pv, cut, all] = counters.joins.0;
    assert!(all > 0 && pv + cut == 0, "only the nodes of the rule are shared");
}
