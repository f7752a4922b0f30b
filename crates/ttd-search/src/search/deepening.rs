//! Iterative deepening, and the search of the root to one depth with aspiration windows or by
//! MTD(f).

use super::{Aborted, Line, News, NodeKind, Policy, Visit, Worker};
use crate::cores::{Core, Cost, State};
use crate::engine::{Bound, DEEPEST_MATE, INFINITY, RootSearch, Score};

/// The window of a search of the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The lower end.
    pub alpha: Score,
    /// The upper end.
    pub beta: Score,
    /// The kind that is expected of the root in this window.
    pub kind: NodeKind,
}

impl Window {
    /// The window that holds every score.
    pub const FULL: Window = Window { alpha: -INFINITY, beta: INFINITY, kind: NodeKind::Pv };
}

impl<C: Core, P: Policy<C>> Worker<'_, C, P> {
    /// Searches the root deeper and deeper, or at once, to the depth of the search. Enters each
    /// iteration in the record.
    ///
    /// # Errors
    /// [`Aborted`] when the search has ended before.
    pub fn deepen(&mut self) -> Result<(), Aborted> {
        let mut score = 0;
        for depth in self.shared.iterations() {
            score = self.iterate(depth, score, Self::search_root)?;
            self.report(depth, score);
        }
        Ok(())
    }

    /// Searches deeper and deeper until the search ends. The record has the completed iterations.
    pub fn lead(&mut self) {
        self.core.enter(State::Search);
        let _: Result<(), Aborted> = self.deepen();
    }

    /// Enters an iteration in the record of the search.
    pub fn report(&mut self, depth: i32, score: Score) {
        let (id, line) = (self.core.id(), self.line(0).clone());
        self.shared.completed(&mut self.core, id, depth, (score, &line));
        if self.core.ended() {
            self.look_soon();
        }
    }

    /// Searches the root to a depth.
    ///
    /// # Errors
    /// [`Aborted`] when the search has ended.
    pub fn search_root(&mut self, depth: i32, window: Window) -> Result<Score, Aborted> {
        self.path.truncate(self.shared.past.len());
        if self.shared.techniques.values_by_depth.enabled {
            self.iteration = depth;
        }
        let root = self.shared.root;
        self.path.push(self.shared.root_key);
        let visit = Visit {
            alpha: window.alpha,
            beta: window.beta,
            depth,
            ply: 0,
            kind: window.kind,
            excluded: None,
            may_pass: false,
            evaluation: None,
        };
        self.node(root, visit)
    }

    /// One iteration: searches about `guess`, by calls of `search`, until the score is known.
    /// Without a guess the window holds every score.
    ///
    /// # Errors
    /// [`Aborted`] when the search has ended.
    pub fn iterate(
        &mut self,
        depth: i32,
        guess: impl Into<Option<Score>>,
        search: impl FnMut(&mut Self, i32, Window) -> Result<Score, Aborted>,
    ) -> Result<Score, Aborted> {
        let guess = guess.into();
        let shared = self.shared;
        let records = &shared.techniques.history;
        if records.enabled && records.ageing > 0 && depth > 1 && self.core.id() == 0 {
            self.core.charge(Cost::Copy);
            self.history.age(records.ageing);
        }
        match self.shared.techniques.root_search {
            RootSearch::Windows => self.aspirate(depth, guess, search),
            // A test needs a bound: the first one without a guess is at 0.
            RootSearch::MtdF => self.mtd(depth, guess.unwrap_or(0), search),
        }
    }

    /// One iteration in a window about `guess`, then in wider ones until the score lies within.
    fn aspirate(
        &mut self,
        depth: i32,
        guess: Option<Score>,
        mut search: impl FnMut(&mut Self, i32, Window) -> Result<Score, Aborted>,
    ) -> Result<Score, Aborted> {
        let aspiration = &self.shared.techniques.aspiration;
        let may_narrow = aspiration.enabled && depth >= aspiration.min_depth;
        let about = guess.filter(|guess| may_narrow && guess.abs() < DEEPEST_MATE);
        let Some(guess) = about else {
            return search(self, depth, Window::FULL);
        };
        let mut width = aspiration.window;
        let mut window = Window { alpha: guess - width, beta: guess + width, ..Window::FULL };
        loop {
            let score = search(self, depth, window)?;
            if score > window.alpha && score < window.beta {
                return Ok(score);
            }
            let bound = if score >= window.beta { Bound::Lower } else { Bound::Upper };
            let line = &self.line(0).clone();
            self.shared.tell(&self.core, News::Outside { depth, score, bound, line });
            width += width;
            if width > aspiration.max || score.abs() >= DEEPEST_MATE {
                window = Window::FULL;
            } else if score <= window.alpha {
                window.beta = i32::midpoint(window.alpha, window.beta);
                window.alpha = score - width;
            } else {
                window.beta = score + width;
            }
        }
    }
}

impl<C: Core, P: Policy<C>> Worker<'_, C, P> {
    /// One iteration: tests with `search`, beginning at `guess`.
    ///
    /// # Errors
    /// [`Aborted`] when the search has ended.
    pub(super) fn mtd(
        &mut self,
        depth: i32,
        guess: Score,
        mut search: impl FnMut(&mut Self, i32, Window) -> Result<Score, Aborted>,
    ) -> Result<Score, Aborted> {
        let (mut lower, mut upper) = (-INFINITY, INFINITY);
        let (mut score, mut kind) = (guess, NodeKind::Cut);
        let mut line = Line::new();
        loop {
            let beta = score.max(lower + 1);
            score = search(self, depth, Window { alpha: beta - 1, beta, kind })?;
            let bound = if score >= beta {
                // The next test is a little above: no move is expected to reach it.
                (lower, kind) = (score, NodeKind::All);
                line.clone_from(self.line(0));
                Bound::Lower
            } else {
                (upper, kind) = (score, NodeKind::Cut);
                Bound::Upper
            };
            // Bounds that depend on the window may miss each other.
            if lower >= upper {
                *self.line_mut(0) = self.lengthened(line, depth);
                return Ok(score);
            }
            let line = self.line(0).clone();
            self.shared.tell(&self.core, News::Outside { depth, score, bound, line: &line });
        }
    }

    /// A line of the root, lengthened by the table's moves, to `depth`.
    fn lengthened(&mut self, mut line: Line, depth: i32) -> Line {
        let mut position = line.iter().fold(self.shared.root.clone(), |at, &mv| at.after(mv));
        while line.len() < depth as usize
            && let Some(entry) = self.read_table(position.key(), line.len())
            && let Some(best) = entry.best.filter(|&best| position.board().is_legal(best))
        {
            line.push(best);
            position = position.after(best);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cores::WorkerThreads;
    use crate::cores::real::{self, Waiting};
    use crate::engine::{History, Killers, Position, Preset, Table, Techniques};
    use crate::search::{Alone, Limits, MAX_PLY, Memory, Reductions, SharedState};
    use std::sync::atomic::AtomicBool;

    /// The score of a search that begins the root moves in another order if `reversed`.
    fn score(fen: &str, reversed: bool) -> Score {
        let root = Position::new(fen.parse().expect("a valid FEN"));
        let techniques = Techniques::preset(Preset::Exact);
        let reductions = Reductions::of(&techniques);
        let table = Table::new(1).expect("one MiB");
        let interrupt = AtomicBool::new(false);
        let limits =
            Limits { depth: 4, time_limit: None, interrupt: &interrupt, seed: 1, order_seed: 1 };
        let shared = SharedState::new(&root, &[], (&techniques, &reductions, &table), limits, 1);
        let prepare =
            |_| (Memory::default(), History::default(), Killers::new(MAX_PLY + 4, 2, false));
        let ran = real::run(
            &WorkerThreads::default(),
            1,
            Waiting::PARKED,
            prepare,
            |(memory, history, killers), core| {
                let mut worker = Worker::new(core, Alone, &shared, (&history, &killers), memory);
                if reversed {
                    worker.root_moves.reverse();
                }
                worker.search_root(4, Window::FULL).expect("nobody aborts it")
            },
        );
        ran.expect("no panic").0[0]
    }

    /// The value of a root move must not depend on its place. Once a losing capture that gives
    /// check was extended unless it came first.
    #[test]
    fn the_order_of_the_root_moves_does_not_matter() {
        for fen in [
            "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
            "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
            "r2q2k1/pp1n1pp1/1bp1r1np/1P1pP2B/P2P4/2PQB3/3N2PP/R4RK1 w - - 3 19",
        ] {
            assert_eq!(score(fen, false), score(fen, true), "{fen}");
        }
    }
}
