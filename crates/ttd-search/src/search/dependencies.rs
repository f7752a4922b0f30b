//! What depends on what at a node that may be shared: the graph of a search, of which the critical path is the
//! longest chain ([`crate::cores::WorkSpan`]).
//!
//! Whether anybody was free to share the node makes no difference: the graph is that of the algorithm, not of who did
//! what.
//!
//! A move depends on alpha as it was when the move was handed out, and on its worker's having come: not on what that
//! worker did before, which another could have done. Who looks at alpha again depends on who raised it meanwhile. The
//! node depends on all its moves; if one cuts it off, on that one alone, whatever the others are at. A move that is
//! valued in its turn depends on its own test and on the value before.
//!
//! What goes through the table, the history and the killers is no dependency here. Nor is what only prunes: whether a
//! brother has shown that the side to move is not being mated decides which moves are searched at all, and a move that
//! is not searched takes no time.

use crate::cores::{Chain, Core, Time};

/// What a result did to the node that it came back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It leaves alpha as it is.
    None,
    /// It raised alpha, below beta.
    Raised,
    /// It cut the node off.
    Cut,
    /// The node was cut off before.
    TooLate,
}

impl Effect {
    /// Of a result that cuts nothing off.
    pub const fn on_alpha(raised: bool) -> Effect {
        if raised { Effect::Raised } else { Effect::None }
    }
}

/// The chains that lead to the state of a node that may be shared. Written beside that state, by who changes it.
#[derive(Debug)]
pub struct Dependencies {
    /// To where it may be shared, or was: a worker that comes begins there.
    made: Time,
    /// To alpha as it is: to where the node may be shared, or to who raised it.
    alpha: Chain,
    /// To the end of the last move that was valued in its turn.
    valued: Chain,
    /// To all results so far, or to the one that cut off.
    result: Chain,
}

impl Dependencies {
    /// Of a node that may be shared from now on.
    pub fn begun<C: Core>(core: &C) -> Dependencies {
        let (alpha, valued, result) = (Chain::to(core), Chain::default(), Chain::to(core));
        Dependencies { made: core.span(), alpha, valued, result }
    }

    /// The same, now that a worker has made a shared node of it.
    #[must_use]
    pub fn shared<C: Core>(self, core: &C) -> Dependencies {
        Dependencies { made: core.span(), ..self }
    }

    /// Where a worker that comes begins.
    pub const fn made(&self) -> Time {
        self.made
    }

    /// What a move depends on that is handed out, beside its worker's having come.
    pub fn alpha(&self) -> Time {
        self.alpha.span()
    }

    /// A move is handed out that failed its test at the end of that chain, to be valued in its turn.
    pub fn value<C: Core>(&self, core: &mut C, test: Time) {
        core.depend_on(test.max(self.valued.span()));
    }

    /// A move was valued in its turn.
    pub fn valued<C: Core>(&self, core: &C) {
        self.valued.extend(core);
    }

    /// A worker has brought a result.
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

    /// A worker goes on with the node's result, and with nothing else.
    pub fn conclude<C: Core>(&self, core: &mut C) {
        core.continue_from(self.result.span());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cores::virtual_clock::{self, VirtualCore};
    use crate::cores::{Cost, CostModel, Schedule, Simulation, State};

    /// Lets one worker play the parts of all, on a clock where a node takes 1 ps.
    fn play(parts: impl Fn(&mut VirtualCore<'_>)) {
        let model = CostModel { node_ps: 1, jitter_permille: 0, ..CostModel::default() };
        let (schedule, host_limit) = (Schedule::Earliest, None);
        let simulation = Simulation { model, noise: 1, ties: 1, schedule, host_limit };
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

    /// Whoever arrived at the end of that chain searches a move of so many nodes; the chain to its end.
    fn search(core: &mut VirtualCore<'_>, of: &Dependencies, arrived: Time, nodes: u64) -> u64 {
        core.continue_from(arrived);
        core.depend_on(of.alpha());
        for _ in 0..nodes {
            core.charge(Cost::Node);
        }
        core.span().ps()
    }

    /// A node made at the end of a chain of 10.
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
