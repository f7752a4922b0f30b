//! The nodes of a move at a rating: a weaker player is one that searches less.
//!
//! The step is of our own games (docs/uci.md): twice the nodes are about `ELO_PER_DOUBLING` more.
//! The zero is a guess, so that every rating here may be wrong by a few hundred points.

/// The least rating, and the greatest, which has the most nodes.
pub(super) const LEAST_ELO: u32 = 800;
pub(super) const MOST_ELO: u32 = 2600;

/// The nodes of a move at the least rating.
const LEAST_NODES: f64 = 30.0;
/// The gain in Elo of twice the nodes.
const ELO_PER_DOUBLING: f64 = 200.0;

/// The nodes of a move at a rating.
pub(super) fn nodes(elo: u32) -> u64 {
    let above = f64::from(elo.clamp(LEAST_ELO, MOST_ELO) - LEAST_ELO);
    (LEAST_NODES * 2f64.powf(above / ELO_PER_DOUBLING)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_elo_is_more_nodes() {
        assert_eq!(nodes(0), nodes(LEAST_ELO));
        assert_eq!(nodes(LEAST_ELO), 30);
        assert_eq!(nodes(LEAST_ELO + 200), 60);
        assert_eq!(nodes(MOST_ELO), 15_360);
        assert!((LEAST_ELO..MOST_ELO).all(|elo| nodes(elo) <= nodes(elo + 1)));
    }
}
