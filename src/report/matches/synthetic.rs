//! Invented matches for tests: no engine plays.

use crate::matches::{
    Ending, GAMES, GameResult, GameRow, MATCH, PlannedGame, Reason, ResolvedMatch, SideRow,
    SpeedupSearch, plan_of_at_least, read_match,
};
use crate::records::{Row as _, Sitting, write_sittings};
use std::fs;
use tempfile::TempDir;
use ttd_search::cores::Time;

/// A game with this number; a move takes half a second, 1,000 nodes and 9 plies.
pub(crate) fn game(number: usize, players: [&str; 2], result: GameResult) -> GameRow {
    let reason = if result == GameResult::Draw { Reason::Repetition } else { Reason::Mate };
    let side = |name: &str| SideRow {
        name: name.to_owned(),
        time_factor: 1.0,
        moves: 30,
        time: Time::from_secs_f64(15.0),
        nodes: 30_000,
        depths: 270,
    };
    GameRow {
        game: number,
        round: 1 + number as u32 / 2,
        opening: "x".to_owned(),
        depth: None,
        sides: players.map(side),
        ending: Ending { result, reason, detail: String::new() },
        plies: 60,
        pgn_end: 0,
    }
}

/// The games of a match over these pairings in turn. Each pairing plays a pair of games per round;
/// the first player's results are `points` in half points, used again and again.
pub(crate) fn games(pairings: &[[&str; 2]], rounds: usize, points: &[u8]) -> Vec<GameRow> {
    let mut points = points.iter().cycle();
    let mut games = Vec::new();
    for _ in 0..rounds {
        for &[a, b] in pairings {
            for white in [true, false] {
                let result = match (points.next().expect("there are points"), white) {
                    (1, _) => GameResult::Draw,
                    (2, true) | (0, false) => GameResult::White,
                    _ => GameResult::Black,
                };
                let players = if white { [a, b] } else { [b, a] };
                games.push(game(games.len(), players, result));
            }
        }
    }
    games
}

/// These games in the places that the plan of the match has for them. A game that it does not have
/// stays as it is.
fn planned(of: &ResolvedMatch, games: &[GameRow]) -> Vec<GameRow> {
    let (spec, openings) = (&of.spec, of.openings.len());
    let of_round = 2 * spec.pairings().len() * spec.by_depth.len().max(1);
    let search = SpeedupSearch::of(of);
    let mut free = plan_of_at_least(spec, openings, of_round * games.len());
    let mut place = |row: &GameRow| {
        let name = |side: usize, of_game: &PlannedGame| {
            spec.entries[of_game.seats[side].entry].name == row.sides[side].name
        };
        let is_it = |one: &PlannedGame| one.depth == row.depth && name(0, one) && name(1, one);
        let one = match &search {
            Some(search) => search.planned(row),
            None => match free.iter().position(is_it) {
                Some(at) => free.remove(at),
                None => return row.clone(),
            },
        };
        let opening = of.openings[one.opening].id.clone();
        GameRow { game: one.number, round: one.round, opening, ..row.clone() }
    };
    games.iter().map(&mut place).collect()
}

/// The results directory of a match that was played on `cores` cores.
pub(crate) fn dir(spec: &str, games: &[GameRow], cores: usize) -> TempDir {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path();
    fs::write(path.join(MATCH), spec).expect("written");
    let mut writer = csv::Writer::from_path(path.join(GAMES)).expect("a new file");
    writer.write_record(GameRow::columns()).expect("written");
    let of = read_match(path).expect("a match");
    for game in planned(&of, games) {
        writer.write_record(game.values()).expect("written");
    }
    writer.flush().expect("written");
    let sitting = Sitting { cores_usable: cores, ..Sitting::begin(0, &[]) };
    write_sittings(path, &[sitting]).expect("written");
    dir
}

/// A gauntlet of two searchers at 1, 2 and 4 threads against two rated opponents.
pub(crate) fn gauntlet() -> String {
    let challengers = ["ybwc", "lazy-smp"].into_iter().flat_map(|searcher| {
        [1, 2, 4].map(|threads| {
            format!(
                "[[entries]]\nname = \"{searcher}-{threads}\"\nrole = \"challenger\"\n\
                 searcher = \"{searcher}\"\nthreads = {threads}\n"
            )
        })
    });
    let opponents = [("toga2", 2800), ("phalanx", 2400)].map(|(name, rating)| {
        format!("[[entries]]\nname = \"{name}\"\ncommand = \"{name}\"\nrating = {rating}\n")
    });
    let settings = "name = \"made-up\"\ngames = 4\ntime_control = \"1+0.01\"\nconcurrency = 1\n\
                    running_rating = { start = 2953 }\n";
    std::iter::once(settings.to_owned()).chain(challengers).chain(opponents).collect()
}

/// The pairings of [`gauntlet`].
pub(crate) const PAIRINGS: [[&str; 2]; 12] = [
    ["ybwc-1", "toga2"],
    ["ybwc-2", "toga2"],
    ["ybwc-4", "toga2"],
    ["lazy-smp-1", "toga2"],
    ["lazy-smp-2", "toga2"],
    ["lazy-smp-4", "toga2"],
    ["ybwc-1", "phalanx"],
    ["ybwc-2", "phalanx"],
    ["ybwc-4", "phalanx"],
    ["lazy-smp-1", "phalanx"],
    ["lazy-smp-2", "phalanx"],
    ["lazy-smp-4", "phalanx"],
];
