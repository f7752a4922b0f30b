//! The rungs of the ladder, and the machines that are run for them.

use super::what_if::WhatIf;
use crate::experiment::{EXPLAINED, Experiment, SampleStatus};
use crate::records::{Column, Field, Row, column, quoted};
use std::collections::{BTreeSet, HashSet};
use std::fmt;
use ttd_search::cores::{CostModel, Time};
use ttd_search::search::{Ideal, Planted};
use ttd_search::searchers::Costs;
use ttd_search::value::ValueError;
use ttd_stats::Timing;

/// A rung of the ladder: one cause of loss that its machine, and all above, do not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rung {
    /// The machine as it is.
    AsItIs,
    /// Sections take no time, and keep nobody out.
    Sections,
    /// Wakes, splits, joins, and copies of histories take no time.
    Prices,
    /// Work is found at once.
    Work,
    /// No work is aborted.
    Aborts,
    /// The last alpha of shared nodes is known from the start.
    Alpha,
}

impl Rung {
    /// All rungs, from the lowest to the highest.
    pub const ALL: [Rung; 6] =
        [Rung::AsItIs, Rung::Sections, Rung::Prices, Rung::Work, Rung::Aborts, Rung::Alpha];

    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Rung::AsItIs => "as-it-is",
            Rung::Sections => "sections",
            Rung::Prices => "prices",
            Rung::Work => "work",
            Rung::Aborts => "aborts",
            Rung::Alpha => "alpha",
        }
    }

    /// The machine in words.
    pub const fn words(self) -> &'static str {
        match self {
            Rung::AsItIs => "as it is",
            Rung::Sections => "free sections",
            Rung::Prices => "free wakes, splits, joins and copies",
            Rung::Work => "work found at once",
            Rung::Aborts => "no aborted work",
            Rung::Alpha => "final alpha known",
        }
    }

    /// The cause of loss in words, after "the time that ... take".
    pub const fn cause(self) -> &'static str {
        match self {
            Rung::AsItIs => "nothing",
            Rung::Sections => "sections",
            Rung::Prices => "wakes, splits, joins and copies",
            Rung::Work => "finding work",
            Rung::Aborts => "aborted work",
            Rung::Alpha => "an alpha that comes late",
        }
    }

    /// Whether the rung asks for workers that share nodes by a rule.
    pub const fn needs_split_points(self) -> bool {
        matches!(self, Rung::Work | Rung::Aborts | Rung::Alpha)
    }

    /// The costs of a machine with this rung.
    fn costs(self, model: CostModel) -> CostModel {
        match self {
            Rung::Sections => CostModel { section_ps: 0, ..model },
            Rung::Prices => {
                let (wake_ps, park_ps, unpark_ps, start_ps) = (0, 0, 0, 0);
                let (split_ps, join_ps, copy_ps, reduce_ps) = (0, 0, 0, 0);
                CostModel {
                    wake_ps,
                    park_ps,
                    unpark_ps,
                    start_ps,
                    split_ps,
                    join_ps,
                    copy_ps,
                    reduce_ps,
                    ..model
                }
            }
            Rung::AsItIs | Rung::Work | Rung::Aborts | Rung::Alpha => model,
        }
    }
}

/// A machine on which a search is run.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Machines {
    /// One worker, on the machine as it is.
    #[default]
    OneWorker,
    /// With this rung and all below.
    To(Rung),
    /// The machine as it is, but for this rung.
    Only(Rung),
    /// The machine as it is, with the costs changed so.
    If(String),
}

impl Machines {
    /// The machines of the ladder of a searcher, in the order in which they are run.
    pub fn of_ladder(has_split_points: bool) -> Vec<Machines> {
        let applies = |rung: &Rung| has_split_points || !rung.needs_split_points();
        let rungs = || Rung::ALL.into_iter().filter(applies);
        // On the second rung nothing lies below: alone it is the same machine.
        let alone = rungs().filter(|rung| *rung > Rung::Sections).map(Machines::Only);
        [Machines::OneWorker].into_iter().chain(rungs().map(Machines::To)).chain(alone).collect()
    }

    /// The rungs of the machine.
    fn rungs(&self) -> Vec<Rung> {
        match self {
            Machines::OneWorker | Machines::If(_) => Vec::new(),
            Machines::To(top) => Rung::ALL.into_iter().filter(|rung| rung <= top).collect(),
            Machines::Only(rung) => vec![*rung],
        }
    }

    /// The number of times that the machine is run. A replay shares other nodes than the run before
    /// it, so that the next one knows more fates; the last one counts. Of a last alpha it must be
    /// known that it was that of another run too.
    pub(super) const fn times(&self) -> usize {
        match self {
            Machines::To(Rung::Aborts) | Machines::Only(Rung::Aborts) => 4,
            Machines::Only(Rung::Alpha) => 2,
            _ => 1,
        }
    }

    /// The machine whose recorded fates this one replays; none if it replays nothing.
    pub(super) fn replays(&self) -> Option<Machines> {
        match self {
            Machines::To(Rung::Alpha) => Some(Machines::To(Rung::Aborts)),
            Machines::To(Rung::Aborts) => Some(Machines::To(Rung::Work)),
            Machines::Only(Rung::Aborts | Rung::Alpha) => Some(Machines::To(Rung::AsItIs)),
            _ => None,
        }
    }

    /// The costs of the machine.
    ///
    /// # Errors
    /// A changed cost that is not possible.
    pub(super) fn costs(&self, costs: &Costs) -> Result<Costs, ValueError> {
        if let Machines::If(changes) = self {
            let what_if = WhatIf::parse(changes).map_err(|what| ValueError::at(&[], what))?;
            return what_if.costs(costs);
        }
        let rungs = self.rungs();
        costs.changed(|model| Ok(rungs.iter().fold(*model, |model, rung| rung.costs(model))))
    }

    /// The parts of a search that the machine has for nothing, beside its costs.
    pub(super) fn ideal(&self, planted: Option<Planted>) -> Ideal {
        let rungs = self.rungs();
        Ideal {
            found_at_once: rungs.contains(&Rung::Work),
            no_aborts: rungs.contains(&Rung::Aborts),
            final_alpha: rungs.contains(&Rung::Alpha),
            planted,
        }
    }
}

impl fmt::Display for Machines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Machines::OneWorker => f.write_str("one-worker"),
            Machines::To(Rung::AsItIs) => f.write_str(Rung::AsItIs.name()),
            Machines::To(rung) => write!(f, "to-{}", rung.name()),
            Machines::Only(rung) => write!(f, "only-{}", rung.name()),
            Machines::If(changes) => write!(f, "if {changes}"),
        }
    }
}

impl Field for Machines {
    const EXPECTED: &'static str = "a machine expected, such as `one-worker`, `to-prices`, \
                                    `only-work` or `if wake_ps=0`";

    fn text(&self) -> String {
        self.to_string()
    }

    fn read(text: &str) -> Option<Machines> {
        let rung = |name: &str| Rung::ALL.into_iter().find(|rung| rung.name() == name);
        let known = [Machines::OneWorker, Machines::To(Rung::AsItIs)];
        if let Some(machine) = known.into_iter().find(|machine| machine.text() == text) {
            return Some(machine);
        }
        if let Some(changes) = text.strip_prefix("if ") {
            return WhatIf::parse(changes).ok().map(|_| Machines::If(changes.to_owned()));
        }
        let above = |name: &str| rung(name).filter(|rung| *rung > Rung::AsItIs);
        text.strip_prefix("to-")
            .and_then(above)
            .map(Machines::To)
            .or_else(|| text.strip_prefix("only-").and_then(above).map(Machines::Only))
    }
}

/// One search on one machine: a row of `explain.csv`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExplainedRow {
    /// The round, from 1.
    pub round: u32,
    /// The name of the searcher or variant.
    pub searcher: String,
    /// The number of workers of the ladder.
    pub threads: usize,
    /// The id of the position.
    pub position: String,
    /// The machine.
    pub machine: Machines,
    /// The way in which the search ended.
    pub status: SampleStatus,
    /// Time to depth; of a censored search the time spent, of a failed one 0.
    pub time: Time,
    /// The nodes of all workers.
    pub nodes: u64,
    /// The nodes of aborted subtrees.
    pub aborted_nodes: u64,
    /// The number of joins.
    pub joins: u64,
    /// The number of nodes whose fate was known.
    pub known: u64,
    /// The time of all workers in the state `search`.
    pub search: Time,
    /// The work of all workers, where it is known.
    pub work: Option<Time>,
    /// The critical path, where it is known.
    pub critical_path: Option<Time>,
}

impl ExplainedRow {
    /// The time as the statistics take it; none if the search failed.
    pub fn timing(&self) -> Option<Timing> {
        match self.status {
            SampleStatus::Ok => Some(Timing::Exact(self.time.as_secs_f64())),
            SampleStatus::Censored => Some(Timing::AtLeast(self.time.as_secs_f64())),
            SampleStatus::Failed => None,
        }
    }
}

impl Row for ExplainedRow {
    const FILE: &'static str = EXPLAINED;

    fn list() -> Vec<Column<ExplainedRow>> {
        const PATH: &str = "work of all workers, and its critical path, as in `samples.csv`; blank \
                            where they are not known";
        vec![
            column!("round", "from 1. The noise of a round is equal on all machines", round),
            column!("searcher", "the searcher or variant", searcher),
            column!("threads", "workers of the ladder, also in the row with one worker", threads),
            column!("position", "id of the position", position),
            column!(
                "machine",
                "`one-worker`; `as-it-is`; `to-RUNG`, with this rung and all below; `only-RUNG`, with this rung \
                 alone; `if CHANGES`, with these costs changed. Rungs are `sections`, `prices`, `work`, `aborts`, \
                 `alpha` ([explain.md](explain.md#the-rungs))",
                machine
            ),
            column!("status", "`ok`, `censored` or `failed`, as in `samples.csv`", status),
            column!(
                "time_s",
                "time to depth on the virtual clock; of a censored search the time spent, of a failed one 0",
                time
            ),
            column!("nodes", "nodes of all workers", nodes),
            column!("aborted_nodes", "nodes of subtrees that a cutoff aborted", aborted_nodes),
            column!("joins", "times that a worker joined the split point of another", joins),
            column!("known", "nodes whose fate a run before had recorded", known),
            column!("search_s", "time of all workers in the state `search`", search),
            column!("work_s", PATH, work),
            column!("critical_path_s", PATH, critical_path),
        ]
    }

    fn impossible(&self) -> Option<String> {
        let ExplainedRow { round, threads, status, time, .. } = self;
        if *round == 0 || *threads < 2 {
            return Some("no round, or fewer than two workers".to_owned());
        }
        (*status == SampleStatus::Ok && *time == Time::ZERO)
            .then(|| format!("column `time_s` holds `{time}`: no search takes no time"))
    }
}

/// Round, searcher, threads, position and machine: the key of a row.
pub(super) type Key = (u32, String, usize, String, Machines);

/// Checks the rows of `explain.csv`, one after another.
pub struct RowsCheck<'a> {
    names: Vec<&'a str>,
    /// The ids of the positions; none if they are not known.
    ids: HashSet<&'a str>,
    seen: BTreeSet<Key>,
}

impl<'a> RowsCheck<'a> {
    /// Begins with the first row. Without ids any position is taken.
    pub fn new(
        experiment: &'a Experiment,
        ids: impl IntoIterator<Item = &'a str>,
    ) -> RowsCheck<'a> {
        let (names, ids) = (experiment.names(), ids.into_iter().collect());
        RowsCheck { names, ids, seen: BTreeSet::new() }
    }

    /// Checks the next row.
    ///
    /// # Errors
    /// The reason, if the experiment has no such row, or has had it already.
    pub fn check(&mut self, row: &ExplainedRow) -> Result<(), String> {
        let ExplainedRow { round, searcher, threads, position, machine, .. } = row;
        if !self.names.contains(&searcher.as_str()) {
            let (found, names) = (quoted(searcher), self.names.join(", "));
            return Err(format!("column `searcher` holds {found}, one of {names} expected"));
        }
        if !self.ids.is_empty() && !self.ids.contains(position.as_str()) {
            let found = quoted(position);
            return Err(format!("column `position` holds {found}, no position of the experiment"));
        }
        let key = (*round, searcher.clone(), *threads, position.clone(), machine.clone());
        if self.seen.insert(key) {
            return Ok(());
        }
        Err("a second row of the same round, searcher, threads, position and machine".to_owned())
    }

    /// The keys of the rows so far.
    pub(super) const fn seen(&self) -> &BTreeSet<Key> {
        &self.seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::pages::hold;

    /// The columns are listed in `docs/formats.md`.
    #[test]
    fn columns_are_documented() {
        hold("formats.md", &[(EXPLAINED, ExplainedRow::page())]);
    }

    #[test]
    fn machines_are_read_back() {
        let what_if = Machines::If("wake_ps=0,split_ps/2".to_owned());
        for machine in Machines::of_ladder(true).into_iter().chain([what_if]) {
            assert_eq!(Machines::read(&machine.text()), Some(machine));
        }
        for odd in ["", "to-", "to-as-it-is", "only-speed", "if x=1", "sections"] {
            assert_eq!(Machines::read(odd), None, "{odd}");
        }
        assert_eq!(Machines::of_ladder(true).len(), 11);
        assert_eq!(Machines::of_ladder(false).len(), 5, "nothing to replay");
    }

    #[test]
    fn a_rung_has_all_below() {
        let costs = Machines::To(Rung::Work).costs(&Costs::default()).expect("possible");
        assert_eq!((costs.common.section_ps, costs.common.split_ps), (0, 0));
        let alone = Machines::Only(Rung::Work).costs(&Costs::default()).expect("possible");
        assert_eq!(alone, Costs::default());
        let ideal = Machines::To(Rung::Aborts).ideal(None);
        assert!(ideal.found_at_once && ideal.no_aborts && !ideal.final_alpha);
        let alone = Machines::Only(Rung::Alpha).ideal(None);
        assert!(!alone.found_at_once && !alone.no_aborts && alone.final_alpha);
    }
}
