//! Jamboree: when the eldest brother of a node has been searched, all others are tested at once whether they are
//! better; those that are get their value one after another.
//!
//! A test is a search with a null window; only on the principal variation can it fail without a cutoff. There
//! the move is put off until no other of its brothers is being valued, while the tests go on. (With a null
//! window the rest of a node is shared as in Young Brothers Wait.) Nobody waits for a value: whoever puts a move
//! off takes another test, and whoever is done with a value takes the next. The workers share
//! the split points (see [`super::splitting`] for locks and deadlock) and, as set,
//! the table, the killers and the history.
//!
//! Source: Kuszmaul, "Synchronized MIMD computing", thesis, MIT 1994; *Socrates.

use super::rule::Rule;
use super::settings::{Holding, MOST_DEPTH, MOST_MOVES, Sharing, settings};
use crate::search::Node;

settings! { "jamboree";
    /// Eldest brothers that are valued before the others are tested (1 or more).
    eldest: usize = 1, from 1, to MOST_MOVES;
    /// Least depth of a split point, plies.
    min_depth: i32 = 4, from 1, to MOST_DEPTH;
    /// Whether a raised alpha reaches workers that are at work.
    shared_alpha: bool = true;
    /// Whose the entries of the table are.
    table: Holding = Holding::Shared;
    /// Whose the killers are: the quiet moves that cut off lately.
    killers: Sharing = Sharing::CopiedAtSplit;
    /// Whose the quiet moves' history is.
    history: Sharing = Sharing::Shared;
}

impl Rule for Settings {
    fn may_share(&self, node: &Node, handed: usize) -> bool {
        node.depth >= self.min_depth && handed >= self.eldest
    }

    fn shares_alpha(&self) -> bool {
        self.shared_alpha
    }

    fn values_in_turn(&self) -> bool {
        true
    }
}
