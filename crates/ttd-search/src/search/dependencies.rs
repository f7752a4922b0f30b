//! The dependencies at a node that may be shared: which work needs which result.
//!
//! They make the graph of a search. Its longest chain is the critical path
//! ([`crate::cores::WorkSpan`]). The graph is that of the algorithm: it is the same whether or not
//! a worker was free to share the node.
//!
//! - A move depends on alpha at the time when the move was handed out, and on the arrival of its
//!   worker. It does not depend on that worker's earlier work: another worker could have done that.
//! - A worker that looks at alpha again depends on the worker that has raised it meanwhile.
//! - A node depends on all its moves. If one cuts the node off, the node depends on that one alone,
//!   however far the others are.
//! - A move that is valued in its turn depends on its own test and on the value before.
//!
//! Results that pass through the table, the history and the killers are not counted here. Nor are
//! results that only prune. For example, a brother may show that the side to move is not being
//! mated. That decides which moves are searched at all, and a move that is not searched takes no
//! time.

use crate::cores::{Chain, Core, Time};

/// The effect of a result on its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Alpha stays as it is.
    None,
    /// Alpha rises, and stays below beta.
    Raised,
    /// The node is cut off.
    Cut,
    /// None: the node was cut off before.
    TooLate,
}

impl Effect {
    /// The effect of a result that does not cut off.
    pub const fn on_alpha(raised: bool) -> Effect {
        if raised { Effect::Raised } else { Effect::None }
    }
}

/// The chains of work that lead to the state of a node that may be shared. Written beside that
/// state, by the worker that changes it.
#[derive(Debug)]
pub struct Dependencies {
    /// To the point from which the node may be, or was, shared. A worker that joins begins there.
    made: Time,
    /// To the present alpha: to the point from which the node may be shared, or to the worker that
    /// raised alpha.
    alpha: Chain,
    /// To the end of the last move that was valued in its turn.
    valued: Chain,
    /// To all results so far, or only to the result that cut off.
    result: Chain,
}

impl Dependencies {
    /// The dependencies of a node that may be shared from now on.
    pub fn begun<C: Core>(core: &C) -> Dependencies {
        let (alpha, valued, result) = (Chain::to(core), Chain::default(), Chain::to(core));
        Dependencies { made: core.span(), alpha, valued, result }
    }

    /// These dependencies, now that a worker has made a split point of the node.
    #[must_use]
    pub fn shared<C: Core>(self, core: &C) -> Dependencies {
        Dependencies { made: core.span(), ..self }
    }

    /// The chain with which a worker that joins begins.
    pub const fn made(&self) -> Time {
        self.made
    }

    /// The chain on which a move depends that is handed out now, beside the arrival of its worker.
    pub fn alpha(&self) -> Time {
        self.alpha.span()
    }

    /// Notes that a move is handed out to be valued in its turn. Its test failed at the end of the
    /// chain `test`.
    pub fn value<C: Core>(&self, core: &mut C, test: Time) {
        core.depend_on(test.max(self.valued.span()));
    }

    /// Notes that a move was valued in its turn.
    pub fn valued<C: Core>(&self, core: &C) {
        self.valued.extend(core);
    }

    /// Notes that a worker has brought a result.
    pub fn come_back<C: Core>(&self, core: &C, effect: Effect) {
        match effect {
            Effect::None => self.result.extend(core),
            Effect::Raised => {
                self.alpha.extend(core);
                self.result.extend(core);
            }
            Effect::Cut => self.result.replace(core),
            Effect::TooLate => {}
        }
    }

    /// Notes that a worker goes on with the node's result, and with nothing else.
    pub fn conclude<C: Core>(&self, core: &mut C) {
        core.continue_from(self.result.span());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cores::virtual_clock::{self, VirtualCore};
    use crate::cores::{Cost, CostModel, Schedule, Simulation, State};

    /// Lets one worker play the parts of all, on a clock on which a node takes 1 ps.
    fn play(parts: impl Fn(&mut VirtualCore<'_>)) {
        let model = CostModel { node_ps: 1, jitter_permille: 0, ..CostModel::default() };
        let simulation = Simulation { model, ..Simulation::plain(Schedule::Earliest) };
        let part = |(), mut core: VirtualCore<'_>| {
            core.enter(State::Search);
            parts(&mut core);
            core.end();
        };
        virtual_clock::run(1, simulation, |_| (), part).expect("it ends");
    }

    fn ps(ps: u64) -> Time {
        Time::from_ps(ps)
    }

    /// Plays a worker that arrived at the end of a chain and searches a move of `nodes` nodes.
    /// Returns the chain to the end of that move.
    fn search(core: &mut VirtualCore<'_>, of: &Dependencies, arrived: Time, nodes: u64) -> u64 {
        core.continue_from(arrived);
        core.depend_on(of.alpha());
        for _ in 0..nodes {
            core.charge(Cost::Node);
        }
        core.span().ps()
    }

    /// The dependencies of a node made at the end of a chain of 10 ps.
    fn made(core: &mut VirtualCore<'_>) -> Dependencies {
        core.continue_from(ps(10));
        Dependencies::begun(core)
    }

    fn concluded(core: &mut VirtualCore<'_>, of: &Dependencies) -> u64 {
        of.conclude(core);
        core.span().ps()
    }

    #[test]
    fn moves_depend_on_alpha_and_on_their_workers_coming() {
        play(|core| {
            let of = made(core);
            assert_eq!(search(core, &of, ps(12), 5), 17);
            of.come_back(core, Effect::None);
            assert_eq!(search(core, &of, ps(12), 30), 42, "not on the move before");
            of.come_back(core, Effect::None);
            assert_eq!(search(core, &of, ps(10), 4), 14);
            of.come_back(core, Effect::None);
            assert_eq!(concluded(core, &of), 42, "the node depends on all of them");
        });
    }

    #[test]
    fn moves_depend_on_who_raised_alpha() {
        play(|core| {
            let of = made(core);
            search(core, &of, ps(10), 30);
            of.come_back(core, Effect::Raised);
            assert_eq!(search(core, &of, ps(10), 2), 42);
            of.come_back(core, Effect::None);
            assert_eq!(concluded(core, &of), 42);
        });
    }

    #[test]
    fn a_cutoff_depends_on_nothing_else() {
        play(|core| {
            let of = made(core);
            for (nodes, effect) in
                [(30, Effect::None), (7, Effect::Cut), (90, Effect::TooLate), (3, Effect::TooLate)]
            {
                search(core, &of, ps(10), nodes);
                of.come_back(core, effect);
            }
            assert_eq!(concluded(core, &of), 17);
        });
    }

    #[test]
    fn a_value_depends_on_its_test_and_on_the_value_before() {
        play(|core| {
            let of = made(core);
            let tests = [20, 50].map(|nodes| search(core, &of, ps(10), nodes));
            let mut value = |test: u64, nodes: u64| {
                core.continue_from(of.alpha());
                of.value(core, ps(test));
                let from = core.span();
                let end = search(core, &of, from, nodes);
                of.valued(core);
                of.come_back(core, Effect::None);
                end
            };
            assert_eq!(tests, [30, 60]);
            assert_eq!(value(tests[0], 5), 35);
            assert_eq!(value(tests[1], 40), 100, "its test is later than the value before");
            assert_eq!(value(tests[0], 1), 101, "the value before is later than its test");
        });
    }
}
