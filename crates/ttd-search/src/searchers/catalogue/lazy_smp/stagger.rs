//! The lead of helpers over the main worker, in plies.

use serde::{Deserialize, Serialize};

/// The lead of helpers over the main worker, in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stagger {
    /// No helper has a lead.
    None,
    /// Every second worker is a ply ahead.
    Alternate,
    /// Half of the workers have no lead, a quarter is one ply ahead, an eighth two plies, and so
    /// on.
    Halving,
    /// Halves as before, counted among helpers only: the first has no lead.
    HalvingHelpers,
    /// Helpers leave out iterations in blocks. Size and phase of the blocks depend on the worker.
    SkipBlocks,
}

impl Stagger {
    /// The depth that worker `id` searches in the main worker's iteration `depth`; none if it
    /// leaves that one out.
    pub(super) fn depth(self, id: usize, depth: i32) -> Option<i32> {
        match self {
            _ if id == 0 => Some(depth),
            Stagger::None => Some(depth),
            Stagger::Alternate => Some(depth + (id % 2) as i32),
            Stagger::Halving => Some(depth + id.trailing_ones() as i32),
            Stagger::HalvingHelpers => Some(depth + (id - 1).trailing_ones() as i32),
            Stagger::SkipBlocks => {
                let (size, phase) = block(id);
                ((depth + phase) / size % 2 == 0).then_some(depth)
            }
        }
    }
}

/// The size and the phase of a helper's blocks. There are two phases of size 1, four of size 2, six
/// of size 3, ...
fn block(id: usize) -> (i32, i32) {
    let (mut size, mut index) = (1, id as i32 - 1);
    while index >= 2 * size {
        index -= 2 * size;
        size += 1;
    }
    (size, index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_workers_are_not_ahead() {
        let offsets = |stagger: Stagger| {
            let ahead = |id| stagger.depth(id, 10).map(|depth| depth - 10);
            (0..8).filter_map(ahead).collect::<Vec<_>>()
        };
        assert_eq!(offsets(Stagger::Halving), [0, 1, 0, 2, 0, 1, 0, 3]);
        assert_eq!(offsets(Stagger::HalvingHelpers), [0, 0, 1, 0, 2, 0, 1, 0]);
    }

    #[test]
    fn blocks_leave_out_half() {
        for id in 1..20 {
            let (size, phase) = block(id);
            assert!((0..2 * size).contains(&phase));
            let kept = (0..2 * size).filter(|&d| Stagger::SkipBlocks.depth(id, d).is_some());
            assert_eq!(kept.count(), size as usize, "worker {id}");
        }
    }
}
