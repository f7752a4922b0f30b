//! The positions on the way to a node, for the rule of repetition.

/// The keys from the start of the game to the node being searched.
///
/// A position that occurred once within the search is a draw at its first return: a side that can
/// return once can return twice. A position of the game before the root must come for the third
/// time.
#[derive(Clone, Debug, Default)]
pub struct Path {
    keys: Vec<u64>,
    root: usize,
}

/// The number of keys, after those of the game, that there is memory for from the start.
const ROOM: usize = 160;

impl Path {
    /// The memory of the path of a search that begins a game, bytes.
    pub const BYTES: usize = ROOM * size_of::<u64>();

    /// The path of a search after a game that passed `past` (oldest first, without the root).
    pub fn new(past: &[u64]) -> Path {
        let mut keys = Vec::with_capacity(past.len() + ROOM);
        keys.extend_from_slice(past);
        Path { keys, root: past.len() }
    }

    /// Enters a position.
    pub fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    /// Leaves the last position.
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether it holds no position.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The positions after the first `len`.
    pub fn since(&self, len: usize) -> &[u64] {
        &self.keys[len..]
    }

    /// Removes all positions after the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.keys.truncate(len);
    }

    /// Becomes a copy of another path, reusing its own memory.
    pub fn copy_from(&mut self, other: &Path) {
        self.keys.clear();
        self.keys.extend_from_slice(&other.keys);
        self.root = other.root;
    }

    /// Whether the last position, with its halfmove clock, is a draw by repetition.
    pub fn is_repetition(&self, halfmove_clock: u8) -> bool {
        if halfmove_clock < 4 {
            return false;
        }
        let Some((&key, before)) = self.keys.split_last() else { return false };
        let oldest = before.len().saturating_sub(usize::from(halfmove_clock));
        let mut returns = 0;
        // A position returns after an even number of plies, and not before the fourth.
        for index in (oldest..before.len()).rev().skip(3).step_by(2) {
            if before[index] == key {
                returns += 1;
                if index >= self.root || returns == 2 {
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_return_within_the_search() {
        let mut path = Path::new(&[]);
        for key in [1, 2, 3, 4, 1] {
            path.push(key);
        }
        assert!(path.is_repetition(4));
        assert!(!path.is_repetition(3), "an irreversible move lies between");
    }

    #[test]
    fn two_returns_to_the_game_before() {
        let mut path = Path::new(&[1, 2, 3, 4, 1, 2, 3]);
        path.push(4);
        assert!(!path.is_repetition(20), "only the second time");
        let mut path = Path::new(&[1, 2, 3, 4, 1, 2, 3, 4]);
        path.push(1);
        assert!(path.is_repetition(20));
    }
}
