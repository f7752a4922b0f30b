//! MTD(f): null windows test the root, each at the score of the test before, until the bounds meet.
//!
//! No test has an open window, so none finds a principal variation. The line begins with the move
//! that proved the greatest lower bound. The rest of the line comes from the table. At nodes where
//! that test proved that no move is better, it is the move with which an earlier test cut off.
//!
//! Source: Plaat, Schaeffer, Pijls and de Bruin, "Best-first fixed-depth minimax algorithms",
//! Artificial Intelligence 87, 1996.

use super::{Aborted, Line, News, NodeKind, Policy, Window, Worker};
use crate::cores::Core;
use crate::engine::{Bound, INFINITY, Score};

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
