//! The search for an effective speedup: the time factor at which one thread is as strong as many.
//!
//! The first entry plays the second with its time multiplied by a factor. Each pair of games gets a
//! new factor, chosen from the pairs before it.

use super::plan::{PlannedGame, Seat, openings, pair};
use super::rows::GameRow;
use super::spec::{Match, ResolvedMatch};
use super::tally::results_against;
use ttd_stats::elo::effective_speedup::{Estimate, Next, Played, Search};

/// The interval is narrow enough when its ends are less than `WIDTH` doublings apart. (Simulated in
/// [`ttd_stats::elo::effective_speedup`]; half the width takes four times the games.)
const WIDTH: f64 = 1.0;

/// The next step of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// The next two games.
    Play([PlannedGame; 2]),
    /// The end: the estimate, and whether its interval is as narrow as was asked for.
    Known(Estimate, bool),
}

/// The search for an effective speedup.
#[derive(Clone, Debug)]
pub struct SpeedupSearch<'a> {
    of: &'a ResolvedMatch,
    search: Search,
    entries: [usize; 2],
}

impl SpeedupSearch<'_> {
    /// The search of a match; none if the match is not such a search. The first entry (a gauntlet's
    /// challenger) gets more time. Its first factor is half the ratio of the threads. The search
    /// gives up after the games of the match.
    pub fn of(of: &ResolvedMatch) -> Option<SpeedupSearch<'_>> {
        let spec: &Match = &of.spec;
        if !spec.effective_speedup {
            return None;
        }
        // A match with more than one pairing was refused when it was resolved.
        let &(first, second) = spec.pairings().first()?;
        let threads = |entry: usize| spec.entries[entry].threads as f64;
        let search = Search {
            guess: threads(second) / threads(first),
            width: WIDTH,
            most_pairs: u64::from(spec.games / 2),
        };
        Some(SpeedupSearch { of, search, entries: [first, second] })
    }

    /// The step after these games, which are whole pairs. Equal games give an equal step.
    ///
    /// # Panics
    /// Never: every match has an opening, and the sequence of openings has no end.
    pub fn step(&self, games: &[GameRow]) -> Step {
        let factor = match self.search.next(&self.played(games)) {
            Next::Play { factor } => factor,
            Next::Decided(estimate) => return Step::Known(estimate, true),
            Next::GaveUp(estimate) => return Step::Known(estimate, false),
        };
        Step::Play(self.pair(games.len() / 2, factor))
    }

    /// The two games of a round, from 0.
    fn pair(&self, round: usize, factor: f64) -> [PlannedGame; 2] {
        let mut all = openings(self.of.openings.len(), self.of.spec.seed);
        let opening = all.nth(round).expect("openings come again and again");
        let [first, second] = self.entries;
        let seats =
            [Seat { entry: first, time_factor: factor }, Seat { entry: second, time_factor: 1.0 }];
        pair(2 * round, round as u32 + 1, opening, None, seats)
    }

    /// The game in the place of a row, by whatever factor it was played.
    pub fn planned(&self, row: &GameRow) -> PlannedGame {
        let name = &self.of.spec.entries[self.entries[0]].name;
        let factor = row.sides.iter().find(|side| side.name == *name);
        let factor = factor.map_or(1.0, |side| side.time_factor);
        self.pair(row.game / 2, factor)[row.game % 2]
    }

    /// The plan that led to these games: each pair follows from the pairs before it. It has all of
    /// the last pair.
    pub fn plan_of(&self, games: &[GameRow]) -> Vec<PlannedGame> {
        let mut plan = Vec::new();
        while plan.len() < games.len() {
            match self.step(&games[..plan.len()]) {
                Step::Play(pair) => plan.extend(pair),
                Step::Known(..) => break,
            }
        }
        plan
    }

    fn played(&self, games: &[GameRow]) -> Vec<Played> {
        let [first, second] = self.entries.map(|entry| self.of.spec.entries[entry].name.as_str());
        let played = |pair: &[GameRow]| {
            let side = pair[0].sides.iter().find(|side| side.name == first);
            let pairs = results_against(pair, first, second).pairs;
            Played { factor: side.map_or(1.0, |side| side.time_factor), pairs }
        };
        games.chunks_exact(2).map(played).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::ending::{GameResult, Reason};
    use crate::matches::resolve::tests::resolved;
    use crate::matches::standings::tests::row;

    fn of() -> ResolvedMatch {
        resolved(
            "games = 400\neffective_speedup = true\n[[entries]]\nname = \"one\"\nsearcher = \"ybwc\"\n\
             [[entries]]\nname = \"four\"\nsearcher = \"ybwc\"\nthreads = 4",
        )
    }

    /// Plays a search. One entry wins both games with a factor above 3, and loses both below it.
    fn play(search: &SpeedupSearch<'_>) -> (Vec<GameRow>, Estimate, bool) {
        let mut games = Vec::new();
        loop {
            match search.step(&games) {
                Step::Known(estimate, decided) => return (games, estimate, decided),
                Step::Play(pair) => {
                    let strong = pair[0].seats[0].time_factor > 3.0;
                    for planned in pair {
                        let white = planned.seats[0].entry == 0;
                        let result =
                            if white == strong { GameResult::White } else { GameResult::Black };
                        let names = if white { ("one", "four") } else { ("four", "one") };
                        let mut game = row(names.0, names.1, result, Reason::Mate);
                        game.game = planned.number;
                        for (side, seat) in game.sides.iter_mut().zip(planned.seats) {
                            side.time_factor = seat.time_factor;
                        }
                        games.push(game);
                    }
                }
            }
        }
    }

    #[test]
    fn it_finds_the_factor() {
        let of = of();
        let search = SpeedupSearch::of(&of).expect("a search");
        let (games, estimate, decided) = play(&search);
        assert!(decided && (2.5..3.5).contains(&estimate.factor), "{estimate:?}");
        let first = games[0].sides[0].time_factor;
        assert!((1.9..8.1).contains(&first), "it begins near the threads: {first}");
    }

    #[test]
    fn the_plan_follows_from_the_games() {
        let of = of();
        let search = SpeedupSearch::of(&of).expect("a search");
        let (games, ..) = play(&search);
        let plan = search.plan_of(&games);
        assert_eq!(plan.len(), games.len());
        let factor = |at: usize, side: usize| plan[at].seats[side].time_factor.to_bits();
        for (at, game) in games.iter().enumerate() {
            assert_eq!(factor(at, 0), game.sides[0].time_factor.to_bits());
            assert_eq!(factor(at, 1), game.sides[1].time_factor.to_bits());
        }
        // In the middle of a pair the plan has the whole pair.
        assert_eq!(search.plan_of(&games[..5]), plan[..6]);
    }
}
