//! Lists of moves, handed out in their order, and the quiet moves that are left out.

use crate::engine::{Checks, Move, Picked, Position, Stage};

/// Quiet moves that are not worth looking at, among those not handed out yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unwanted {
    /// None of them.
    None,
    /// The moves that give no check.
    WithoutCheck,
    /// All of them.
    All,
}

impl Unwanted {
    /// Whether a quiet move is among them.
    pub fn holds(self, position: &Position, checks: &Checks, quiet: Move) -> bool {
        match self {
            Unwanted::None => false,
            Unwanted::WithoutCheck => !checks.given_by(position.moved(quiet), quiet),
            Unwanted::All => true,
        }
    }
}

/// Moves in an order that is known beforehand: of the root, or the rest of a node that was to be
/// shared.
#[derive(Clone, Debug, Default)]
pub struct Listed {
    moves: Vec<Picked>,
    next: usize,
    quiets_wanted: bool,
    checks_only: bool,
}

impl Listed {
    /// A list of these moves, in this order.
    pub const fn new(moves: Vec<Picked>) -> Listed {
        Listed { moves, next: 0, quiets_wanted: true, checks_only: false }
    }

    /// Leaves out quiet moves that were not handed out yet.
    pub fn leave_out(&mut self, quiets: Unwanted, position: &Position, checks: &Checks) {
        match quiets {
            Unwanted::None => {}
            Unwanted::WithoutCheck => self.checks_wanted_only(position, checks),
            Unwanted::All => self.quiets_wanted = false,
        }
    }

    fn checks_wanted_only(&mut self, position: &Position, checks: &Checks) {
        if !std::mem::replace(&mut self.checks_only, true) {
            let mut rest = self.moves.split_off(self.next);
            rest.retain(|picked| {
                !picked.quiet || checks.given_by(position.moved(picked.mv), picked.mv)
            });
            self.moves.append(&mut rest);
        }
    }

    /// Whether a move is among those that are left.
    pub(super) fn holds(&self, mv: Move) -> bool {
        self.place(mv).is_some()
    }

    /// The place of a move among those that are left, if it will be handed out.
    fn place(&self, mv: Move) -> Option<usize> {
        let wanted = |picked: &Picked| picked.mv == mv && (self.quiets_wanted || !picked.quiet);
        self.moves[self.next..].iter().position(wanted)
    }

    /// Puts a move in front of the others that are left. Returns whether it was among them.
    pub(super) fn put_first(&mut self, mv: Move) -> bool {
        let Some(place) = self.place(mv) else { return false };
        self.moves[self.next..][..=place].rotate_right(1);
        true
    }

    /// The number of moves that are left, at most.
    pub fn left(&self) -> usize {
        self.moves.len() - self.next
    }

    /// Begins with the move that comes after `by` others (counted round), but not before the
    /// table's.
    pub(super) fn begin_with(&mut self, by: usize) {
        let left = &mut self.moves[self.next..];
        let table = usize::from(left.first().is_some_and(|first| first.stage == Stage::Table));
        let rest = &mut left[table..];
        if !rest.is_empty() {
            let first = by % rest.len();
            rest[..=first].rotate_right(1);
        }
    }
}

impl Iterator for Listed {
    type Item = Picked;

    fn next(&mut self) -> Option<Picked> {
        while let Some(&picked) = self.moves.get(self.next) {
            self.next += 1;
            if self.quiets_wanted || !picked.quiet {
                return Some(picked);
            }
        }
        None
    }
}
