//! Iterative deepening with aspiration windows.

use super::counters::NodeKind;
use super::node::Visit;
use super::policy::{Aborted, Policy};
use super::worker::Worker;
use crate::cores::Core;
use crate::engine::{DEEPEST_MATE, INFINITY, Score};

/// The window of a search of the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The lower end.
    pub alpha: Score,
    /// The upper end.
    pub beta: Score,
}

impl Window {
    /// Everything.
    pub const FULL: Window = Window { alpha: -INFINITY, beta: INFINITY };
}

impl<C: Core, P: Policy<C>> Worker<'_, C, P> {
    /// Searches the root deeper and deeper, to the depth that the session asks for, and enters each
    /// iteration in its record.
    ///
    /// # Errors
    /// [`Aborted`] when the search has ended before.
    pub fn deepen(&mut self) -> Result<(), Aborted> {
        let mut score = 0;
        for depth in 1..=i32::from(self.session.depth) {
            score = self.aspirate(depth, score, Self::search_root)?;
            self.report(depth, score);
        }
        Ok(())
    }

    /// Enters an iteration in the session's record.
    pub fn report(&mut self, depth: i32, score: Score) {
        let (id, line) = (self.core.id(), self.frame(0).line.clone());
        self.session.completed(&mut self.core, id, depth, (score, &line));
    }

    /// Searches the root to a depth.
    ///
    /// # Errors
    /// [`Aborted`] when the search has ended.
    pub fn search_root(&mut self, depth: i32, window: Window) -> Result<Score, Aborted> {
        self.path.truncate(self.session.past.len());
        let root = self.session.root;
        self.path.push(root.key());
        let visit = Visit {
            alpha: window.alpha,
            beta: window.beta,
            depth,
            ply: 0,
            kind: NodeKind::Pv,
            excluded: None,
            may_pass: false,
        };
        self.node(root, visit)
    }

    /// One iteration: searches with `search` in a window about `guess`, and again in wider ones
    /// until the score lies within.
    ///
    /// # Errors
    /// [`Aborted`] when the search has ended.
    pub fn aspirate(
        &mut self,
        depth: i32,
        guess: Score,
        mut search: impl FnMut(&mut Self, i32, Window) -> Result<Score, Aborted>,
    ) -> Result<Score, Aborted> {
        let aspiration = &self.session.features.aspiration;
        let narrow =
            aspiration.enabled && depth >= aspiration.min_depth && guess.abs() < DEEPEST_MATE;
        if !narrow {
            return search(self, depth, Window::FULL);
        }
        let mut width = aspiration.window;
        let mut window = Window { alpha: guess - width, beta: guess + width };
        loop {
            let score = search(self, depth, window)?;
            if score > window.alpha && score < window.beta {
                return Ok(score);
            }
            width += width;
            if width > 1_000 || score.abs() >= DEEPEST_MATE {
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
