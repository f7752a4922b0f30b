//! A game in Portable Game Notation, with comments as graphical programs read them.
//!
//! The comment of a move has up to three parts. `[%eval]` is the score for White and the depth;
//! `[%clk]` is the time left on the clock; `[%emt]` is the time of the move.

use super::game::{Played, PlayedMove};
use super::plan::PlannedGame;
use super::spec::ResolvedMatch;
use super::time_control::Pace;
use crate::uci::Said;
use cozy_chess::Color;
use cozy_chess::util::display_san_move;
use std::fmt::Write as _;
use std::time::Duration;
use ttd_search::engine::Board;
use ttd_search::positions::{fen_text, is_chess960};

/// The file with all games.
pub const PGN: &str = "games.pgn";

/// The facts for a game's tags that the match does not know.
#[derive(Clone, Copy, Debug)]
pub(super) struct About<'a> {
    /// The time of writing, such as `2026-11-21T10:00:00Z`.
    pub(super) time: &'a str,
    /// The names that the engines of white and black give themselves; empty for one that gives
    /// none.
    pub(super) engines: [&'a str; 2],
}

/// The text of a game, with an empty line at its end.
pub(super) fn text(
    planned: &PlannedGame,
    of: &ResolvedMatch,
    played: &Played,
    about: &About<'_>,
) -> String {
    let start = &of.openings[planned.opening].board;
    let mut text = String::new();
    for (name, value) in tags(planned, of, played, about) {
        let value = value.replace(['\n', '\r'], " ").replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    }
    text.push('\n');
    moves(&mut text, start, &played.moves);
    let words = played.ending.words().replace(['{', '}'], "").replace(['\n', '\r'], " ");
    let _ = writeln!(text, "{{{words}}} {}\n", played.ending.result.name());
    text
}

fn tags(
    planned: &PlannedGame,
    of: &ResolvedMatch,
    played: &Played,
    about: &About<'_>,
) -> Vec<(&'static str, String)> {
    let opening = &of.openings[planned.opening];
    let [white, black] = planned.seats.map(|seat| &of.spec.entries[seat.entry]);
    let date = about.time.get(..10).unwrap_or("????-??-??").replace('-', ".");
    let mut tags = vec![
        ("Event", of.spec.name.clone()),
        ("Site", "?".to_owned()),
        ("Date", date),
        ("Round", format!("{}.{}", planned.round, planned.number + 1)),
        ("White", white.name.clone()),
        ("Black", black.name.clone()),
        ("Result", played.ending.result.name().to_owned()),
    ];
    let rating = |rating: Option<f64>| rating.map(|rating| format!("{rating:.0}"));
    tags.extend(rating(white.rating).map(|rating| ("WhiteElo", rating)));
    tags.extend(rating(black.rating).map(|rating| ("BlackElo", rating)));
    tags.push(("Opening", opening.id.clone()));
    if opening.board != Board::default() {
        tags.extend([("SetUp", "1".to_owned()), ("FEN", fen_text(&opening.board))]);
    }
    if is_chess960(&opening.board) {
        tags.push(("Variant", "Chess960".to_owned()));
    }
    tags.extend([
        ("PlyCount", played.moves.len().to_string()),
        ("Termination", played.ending.reason.termination().to_owned()),
    ]);
    let pace = |side| planned.pace(&of.spec, side);
    tags.extend(pace_tags([pace(Color::White), pace(Color::Black)]));
    for (name, engine) in ["WhiteEngine", "BlackEngine"].into_iter().zip(about.engines) {
        if !engine.is_empty() {
            tags.push((name, engine.to_owned()));
        }
    }
    tags
}

/// The tags of the pace: `TimeControl` if both sides have the same clock, else one tag for each. A
/// side without a clock has `-`.
fn pace_tags([white, black]: [Option<Pace>; 2]) -> Vec<(&'static str, String)> {
    let control = |pace| match pace {
        // PGN writes an increment only if it is not 0.
        Some(Pace::Clock(control)) => control.to_string().trim_end_matches("+0").to_owned(),
        _ => "-".to_owned(),
    };
    let limit = |pace: Option<Pace>| {
        pace.filter(|pace| !matches!(pace, Pace::Clock(_))).map(|pace| pace.to_string())
    };
    let mut tags = if white == black {
        vec![("TimeControl", control(white))]
    } else {
        vec![("WhiteTimeControl", control(white)), ("BlackTimeControl", control(black))]
    };
    tags.extend(limit(white).map(|limit| ("WhiteLimit", limit)));
    tags.extend(limit(black).map(|limit| ("BlackLimit", limit)));
    tags
}

/// Writes each move on a line of its own: so lines stay short, and no comment is broken.
fn moves(text: &mut String, start: &Board, moves: &[PlayedMove]) {
    let mut board = start.clone();
    for played in moves {
        let number = board.fullmove_number();
        // After a comment PGN repeats the number of the move.
        let dots = if board.side_to_move() == Color::White { "." } else { "..." };
        let (comment, san) =
            (comment(played, board.side_to_move()), display_san_move(&board, played.mv));
        let _ = writeln!(text, "{number}{dots} {san} {{{comment}}}");
        board.play(played.mv);
    }
}

fn comment(played: &PlayedMove, side: Color) -> String {
    let mut words = Vec::new();
    if let Some(score) = played.thought.score {
        let depth = played.thought.depth.map(|depth| format!(",{depth}")).unwrap_or_default();
        words.push(format!("[%eval {}{depth}]", evaluation(score, side)));
    }
    if let Some(clock) = played.clock {
        words.push(format!("[%clk {}]", hours(clock)));
    }
    words.push(format!("[%emt {}]", hours(played.elapsed)));
    words.join(" ")
}

/// A score for White: in pawns, or `#` and the moves to mate.
fn evaluation(score: Said, side: Color) -> String {
    let white = if side == Color::White { 1 } else { -1 };
    match score {
        Said::Centipawns(score) => format!("{:.2}", f64::from(white * score) / 100.0),
        Said::Mate(moves) => format!("#{}", white * moves),
    }
}

/// A time in the form `0:01:02.345`.
fn hours(time: Duration) -> String {
    let (seconds, ms) = (time.as_secs(), time.subsec_millis());
    format!("{}:{:02}:{:02}.{ms:03}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::ending::{Ending, GameResult, Reason};
    use crate::matches::plan::{Seat, plan};
    use crate::matches::player::Thought;
    use crate::matches::resolve::tests::resolved;
    use cozy_chess::util::parse_uci_move;

    fn played(start: &Board, line: &str) -> Vec<PlayedMove> {
        let mut board = start.clone();
        let mut moves = Vec::new();
        for (ply, uci) in line.split_whitespace().enumerate() {
            let mv = parse_uci_move(&board, uci).expect("a move");
            board.play(mv);
            let score = Some(Said::Centipawns(31 - 10 * ply as i32));
            moves.push(PlayedMove {
                mv,
                elapsed: Duration::from_millis(50),
                clock: Some(Duration::from_millis(3_725_950)),
                thought: Thought { score, depth: Some(12), nodes: None },
            });
        }
        moves
    }

    fn of(rest: &str) -> ResolvedMatch {
        resolved(&format!(
            "name = \"the \\\"match\\\"\"\ngames = 2\n{rest}\n
             [[entries]]\nname = \"a\"\nsearcher = \"ybwc\"\nrating = 2900\n
             [[entries]]\nname = \"b\"\nsearcher = \"ybwc\""
        ))
    }

    const ABOUT: About<'static> = About { time: "2026-11-21T10:00:00Z", engines: ["ttd 0.1", ""] };

    #[test]
    fn a_game_from_the_start() {
        let mut of = of("time_control = \"1+0.01\"");
        of.openings[0].board = Board::default();
        "start".clone_into(&mut of.openings[0].id);
        let planned = PlannedGame { opening: 0, ..plan(&of.spec, 1)[0] };
        let moves = played(&Board::default(), "f2f3 e7e5 g2g4 d8h4");
        let ending = Ending::new(GameResult::Black, Reason::Mate);
        let expected = r#"[Event "the \"match\""]
[Site "?"]
[Date "2026.11.21"]
[Round "1.1"]
[White "a"]
[Black "b"]
[Result "0-1"]
[WhiteElo "2900"]
[Opening "start"]
[PlyCount "4"]
[Termination "normal"]
[TimeControl "1+0.01"]
[WhiteEngine "ttd 0.1"]

1. f3 {[%eval 0.31,12] [%clk 1:02:05.950] [%emt 0:00:00.050]}
1... e5 {[%eval -0.21,12] [%clk 1:02:05.950] [%emt 0:00:00.050]}
2. g4 {[%eval 0.11,12] [%clk 1:02:05.950] [%emt 0:00:00.050]}
2... Qh4# {[%eval -0.01,12] [%clk 1:02:05.950] [%emt 0:00:00.050]}
{black mates} 0-1

"#;
        assert_eq!(text(&planned, &of, &Played { moves, ending }, &ABOUT), expected);
    }

    #[test]
    fn a_game_from_a_position_with_black_to_move() {
        let mut of = of("nodes = 500");
        let fen = "4k3/P7/8/8/8/8/8/R3K2R b KQ - 0 30";
        of.openings[0].board = fen.parse().expect("a position");
        let seats = [1, 0].map(|entry| Seat { entry, time_factor: 1.0 });
        let planned = PlannedGame { number: 4, round: 3, opening: 0, depth: None, seats };
        let mut moves = played(&of.openings[0].board, "e8f7 e1g1 f7e6 a7a8q");
        for played in &mut moves {
            (played.clock, played.thought) = (None, Thought::default());
        }
        let mut ending = Ending::new(GameResult::Black, Reason::IllegalMove);
        "illegal move {x}".clone_into(&mut ending.detail);
        let text = text(&planned, &of, &Played { moves, ending }, &ABOUT);
        let (tags, body) = text.split_once("\n\n").expect("an empty line");
        for tag in [
            "[Round \"3.5\"]",
            "[White \"b\"]",
            "[BlackElo \"2900\"]",
            "[SetUp \"1\"]",
            "[FEN \"4k3/P7/8/8/8/8/8/R3K2R b KQ - 0 30\"]",
            "[TimeControl \"-\"]",
            "[WhiteLimit \"500 nodes a move\"]",
            "[Termination \"rules infraction\"]",
        ] {
            assert!(tags.lines().any(|line| line == tag), "{tag} in {tags}");
        }
        let expected = "30... Kf7 {[%emt 0:00:00.050]}\n31. O-O+ {[%emt 0:00:00.050]}\n\
                        31... Ke6 {[%emt 0:00:00.050]}\n32. a8=Q {[%emt 0:00:00.050]}\n\
                        {white forfeits: illegal move x} 0-1\n\n";
        assert_eq!(body, expected);
    }

    #[test]
    fn scores_are_whites() {
        for (score, side, text) in [
            (Said::Centipawns(0), Color::Black, "0.00"),
            (Said::Centipawns(250), Color::Black, "-2.50"),
            (Said::Centipawns(-5), Color::White, "-0.05"),
            (Said::Mate(3), Color::White, "#3"),
            (Said::Mate(3), Color::Black, "#-3"),
        ] {
            assert_eq!(evaluation(score, side), text);
        }
    }
}
