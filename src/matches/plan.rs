//! The plan of the games: a pure function of the match.

use super::spec::Match;
use super::time_control::Pace;
use crate::records::shuffle;
use cozy_chess::Color;
use std::time::Duration;

/// One game of the plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlannedGame {
    /// The place in the whole plan, from 0.
    pub number: usize,
    /// The round, from 1. In every round each pairing plays one opening twice, colours reversed.
    pub round: u32,
    /// The index of the opening among those of the match.
    pub opening: usize,
    /// The depth of both sides' moves, in a match at fixed depths.
    pub depth: Option<u8>,
    /// The seats of white and black.
    pub seats: [Seat; 2],
}

/// The player on one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seat {
    /// The index of the entry.
    pub entry: usize,
    /// The factor on the entry's time in this game only; 1 changes nothing.
    pub time_factor: f64,
}

impl PlannedGame {
    /// The pace of a side.
    pub fn pace(&self, spec: &Match, side: Color) -> Option<Pace> {
        let seat = self.seats[side as usize];
        let entry = &spec.entries[seat.entry];
        let own = entry.pace.map(|pace| pace.scaled(entry.time_factor * seat.time_factor));
        self.depth.map(Pace::Depth).or(own)
    }
}

/// The opening of every round, as an index below `openings`. All openings come in an order shuffled
/// by the seed, then all again in another order.
pub(super) fn openings(openings: usize, seed: u64) -> impl Iterator<Item = usize> {
    (0..).flat_map(move |pass| {
        let mut order: Vec<usize> = (0..openings).collect();
        shuffle(&mut order, seed, pass);
        order
    })
}

/// Two games of one opening with colours reversed: the first entry is white, then black.
pub fn pair(
    number: usize,
    round: u32,
    opening: usize,
    depth: Option<u8>,
    seats: [Seat; 2],
) -> [PlannedGame; 2] {
    let game = |number, seats| PlannedGame { number, round, opening, depth, seats };
    [game(number, seats), game(number + 1, [seats[1], seats[0]])]
}

/// Every game of a match, in the order of playing; `count` is the number of openings. Each round
/// has all pairings (and all depths). So an unfinished match is balanced too, and a longer one
/// begins with the games of a shorter one. A shard has some rounds, each game with its place in the
/// whole.
pub fn plan(spec: &Match, count: usize) -> Vec<PlannedGame> {
    let pairings = spec.pairings();
    let depths: Vec<Option<u8>> = match spec.by_depth.as_slice() {
        [] => vec![None],
        depths => depths.iter().copied().map(Some).collect(),
    };
    let mut games = Vec::new();
    for (round, opening) in (1..=spec.games / 2).zip(openings(count, spec.seed)) {
        for &depth in &depths {
            for &(a, b) in &pairings {
                let seats = [a, b].map(|entry| Seat { entry, time_factor: 1.0 });
                games.extend(pair(games.len(), round, opening, depth, seats));
            }
        }
    }
    if let Some(shard) = spec.shard {
        games.retain(|game| shard.has(game.round as usize - 1));
    }
    games
}

/// The moves of each side in a long game.
const LONG_GAME: u32 = 100;

/// The plan of a match that was longer once, so that its directory has `done` games. A longer
/// match begins with the games of a shorter one. A search for an effective speedup has no plan.
pub fn plan_of_at_least(spec: &Match, count: usize, done: usize) -> Vec<PlannedGame> {
    let own = plan(spec, count);
    if own.len() >= done || spec.effective_speedup {
        return own;
    }
    let of_round = 2 * spec.pairings().len().max(1) * spec.by_depth.len().max(1);
    let rounds = done.div_ceil(of_round) * spec.shard.map_or(1, |shard| shard.of);
    let games = u32::try_from(2 * rounds).unwrap_or(u32::MAX);
    plan(&Match { games, ..spec.clone() }, count)
}

/// The time of long games, one after another; none if a player's time has no bound.
pub fn longest_of(spec: &Match, games: &[PlannedGame]) -> Option<Duration> {
    if spec.is_virtual() {
        return None; // the clocks count virtual time
    }
    let moves = spec.adjudication.max_moves.map_or(LONG_GAME, |most| most.min(LONG_GAME));
    let of_side = |game: &PlannedGame, side| game.pace(spec, side)?.longest(moves);
    games.iter().flat_map(|game| Color::ALL.map(|side| of_side(game, side))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::resolve::tests::resolved;
    use std::collections::{HashMap, HashSet};

    fn spec(rest: &str) -> Match {
        resolved(&format!(
            "{rest}
            [[entries]]
            name = \"a\"
            searcher = \"ybwc\"
            [[entries]]
            name = \"b\"
            searcher = \"lazy-smp\"
            [[entries]]
            name = \"c\"
            searcher = \"sequential\"
            "
        ))
        .spec
    }

    #[test]
    fn every_round_has_every_pairing_with_both_colours() {
        let spec = spec("format = \"round-robin\"\ngames = 6");
        let plan = plan(&spec, 10);
        assert_eq!(plan.len(), 3 * 6);
        assert!(plan.iter().enumerate().all(|(at, game)| game.number == at));
        for (round, games) in (1..).zip(plan.chunks(6)) {
            let sides = |game: &PlannedGame| game.seats.map(|seat| seat.entry);
            assert!(games.iter().all(|g| (g.round, g.opening) == (round, games[0].opening)));
            let seen: HashSet<[usize; 2]> = games.iter().map(sides).collect();
            let all = [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]];
            assert_eq!(seen, HashSet::from(all));
            assert!(
                games
                    .chunks(2)
                    .all(|pair| { sides(&pair[0]) == [sides(&pair[1])[1], sides(&pair[1])[0]] })
            );
        }
    }

    #[test]
    fn challengers_meet_opponents_only() {
        let spec = spec("games = 2");
        assert_eq!(spec.pairings(), [(0, 1), (0, 2)], "the first is the challenger");
    }

    #[test]
    fn openings_come_once_before_any_comes_twice() {
        let order = |seed| openings(50, seed).take(100).collect::<Vec<_>>();
        let list = order(1);
        for pass in list.chunks(50) {
            assert_eq!(pass.iter().collect::<HashSet<_>>().len(), 50);
        }
        assert_ne!(list[..50], list[50..]);
        assert_ne!(list, order(2));
        assert_eq!(list, order(1));
    }

    #[test]
    fn the_order_never_changes() {
        // A resumed match relies on a plan that is equal to the one made earlier.
        assert_eq!(openings(8, 1).take(8).collect::<Vec<_>>(), [7, 6, 2, 1, 3, 0, 4, 5]);
    }

    #[test]
    fn a_longer_match_begins_with_the_same_games() {
        let (short, long) = (plan(&spec("games = 4"), 7), plan(&spec("games = 40"), 7));
        assert_eq!(short, long[..short.len()]);
    }

    #[test]
    fn fixed_depths_are_all_in_every_round() {
        let spec = spec("format = \"round-robin\"\ngames = 4\nby_depth = [1, 3]");
        let plan = plan(&spec, 10);
        assert_eq!(plan.len(), 3 * 4 * 2);
        let mut counts = HashMap::new();
        for game in &plan[..12] {
            *counts.entry(game.depth).or_insert(0) += 1;
            assert_eq!(game.pace(&spec, Color::White), game.depth.map(Pace::Depth));
        }
        assert_eq!(counts, HashMap::from([(Some(1), 6), (Some(3), 6)]));
    }

    #[test]
    fn time_factors_multiply() {
        let mut spec = spec("games = 2\ntime_control = \"10+0.1\"");
        spec.entries[0].time_factor = 2.0;
        let seats = [Seat { entry: 0, time_factor: 1.5 }, Seat { entry: 1, time_factor: 1.0 }];
        let [first, second] = pair(0, 1, 0, None, seats);
        let text = |game: PlannedGame, side| game.pace(&spec, side).map(|pace| pace.to_string());
        assert_eq!(text(first, Color::White).as_deref(), Some("30+0.3"));
        assert_eq!(text(second, Color::Black).as_deref(), Some("30+0.3"));
        assert_eq!(text(second, Color::White).as_deref(), Some("10+0.1"));
    }

    #[test]
    fn long_games_take_the_time_of_their_clocks() {
        let of = |rest: &str| {
            let spec = spec(&format!("games = 2\n{rest}"));
            longest_of(&spec, &plan(&spec, 10)).map(|time| time.as_secs())
        };
        // Two pairings, two games of each, two sides.
        assert_eq!(of("time_control = \"10+0.1\""), Some(8 * (10 + 10)));
        assert_eq!(of("time_control = \"40/10\""), Some(8 * 30));
        assert_eq!(of("time_control = \"40/10\"\nadjudication.max_moves = 40"), Some(8 * 10));
        assert_eq!(of("move_time_s = 0.5"), Some(8 * 50));
        assert_eq!(of("nodes = 100"), None);
    }
}
