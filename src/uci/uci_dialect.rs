//! The Universal Chess Interface. (Meyer-Kahlen and Huber's description, April 2006.)

use super::about::{About, Kind, Offered};
use super::dialect::{
    Asked, CHESS960, Dialect, Heard, LINES, Patience, hash_option, threads_option, wait_for,
};
use super::fault::What;
use super::go::{Go, Limit, Place};
use super::link::Link;
use super::report::Report;
use super::spec::EngineSpec;
use cozy_chess::Board;
use cozy_chess::util::display_uci_move;
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use ttd_search::positions::{fen_text, is_chess960};

/// An engine that speaks it.
#[derive(Default)]
pub(super) struct Uci {
    /// Whether it offers the option of Chess960.
    offers_chess960: bool,
    /// Whether that is to be on for every position.
    always_chess960: bool,
    /// Whether it is on.
    chess960: bool,
    /// The depth that the search told last; 0 before it told one.
    depth: u32,
}

/// Words by which engines refuse an option; they are not part of the protocol.
const REFUSALS: [&str; 4] =
    ["no such option", "unknown option", "invalid option", "option refused"];

impl Uci {
    /// Asks whether the engine is ready, behind `go`. On virtual cores input is read when all
    /// threads wait. So an engine that reads this before it gave a move gives none.
    pub(super) fn probe(link: &mut Link) -> Result<(), What> {
        link.send("isready")
    }

    /// Waits for the answer to [`probe`](Uci::probe), behind a best move.
    pub(super) fn settle(link: &mut Link, patience: Patience) -> Result<(), What> {
        let ready = |line: &str| (line.trim() == "readyok").then_some(Ok(()));
        wait_for(link, "`readyok`", patience, ready)
    }

    /// Waits until the engine is ready.
    fn ready(link: &mut Link, option: &str, patience: Patience) -> Result<(), What> {
        link.send("isready")?;
        wait_for(link, "`readyok`", patience, |line| {
            let small = line.to_ascii_lowercase();
            if REFUSALS.iter().any(|words| small.contains(words)) {
                let why = line.to_owned();
                return Some(Err(What::Refuses { option: option.to_owned(), why }));
            }
            (line.trim() == "readyok").then_some(Ok(()))
        })
    }
}

impl Dialect for Uci {
    fn greet(&mut self, link: &mut Link, patience: Patience) -> Result<About, What> {
        link.send("uci")?;
        let mut about = About::default();
        wait_for(link, "`uciok`", patience, |line| {
            let line = line.trim();
            let id = behind(line, "id");
            if let Some(name) = id.and_then(|id| behind(id, "name")) {
                name.clone_into(&mut about.name);
            } else if let Some(author) = id.and_then(|id| behind(id, "author")) {
                author.clone_into(&mut about.author);
            } else if let Some(option) = behind(line, "option") {
                about.options.extend(Offered::parse(option));
            }
            (line == "uciok").then_some(Ok(()))
        })?;
        self.offers_chess960 = about.option(CHESS960).is_some();
        Ok(about)
    }

    fn has_threads(&self, spec: &EngineSpec, about: &About) -> bool {
        threads_option(spec, about).is_some() || spec.fills("{threads}")
    }

    fn has_table(&self, spec: &EngineSpec, about: &About) -> bool {
        hash_option(spec, about).is_some() || spec.fills("{hash}")
    }

    fn has_chess960(&self) -> bool {
        self.offers_chess960
    }

    fn configure(
        &mut self,
        link: &mut Link,
        asked: &Asked<'_>,
        patience: Patience,
    ) -> Result<(), What> {
        self.always_chess960 = asked.spec.chess960;
        if asked.spec.chess960 && !self.offers_chess960 {
            return Err(What::Lacks(format!("the option {CHESS960}, which chess960 = true needs")));
        }
        for (name, value) in asked.options()? {
            let button = asked.about.option(&name).is_some_and(|o| o.kind == Kind::Button);
            let value = if button { String::new() } else { format!(" value {value}") };
            link.send(&format!("setoption name {name}{value}"))?;
            Uci::ready(link, &name, patience)?;
        }
        asked.send_raw(link)?;
        Uci::ready(link, "raw", patience)
    }

    fn tell_lines(
        &mut self,
        link: &mut Link,
        lines: usize,
        patience: Patience,
    ) -> Result<(), What> {
        link.send(&format!("setoption name {LINES} value {lines}"))?;
        Uci::ready(link, LINES, patience)
    }

    fn new_game(&mut self, link: &mut Link, patience: Patience) -> Result<(), What> {
        link.send("ucinewgame")?;
        Uci::ready(link, "ucinewgame", patience)
    }

    fn go(&mut self, link: &mut Link, go: &Go<'_>, patience: Patience) -> Result<Instant, What> {
        let chess960 = self.always_chess960 || is_chess960(go.place.start);
        if chess960 != self.chess960 {
            if !self.offers_chess960 {
                return Err(What::Lacks(format!(
                    "the option {CHESS960}, which this position needs"
                )));
            }
            link.send(&format!("setoption name {CHESS960} value {chess960}"))?;
            Uci::ready(link, CHESS960, patience)?;
            self.chess960 = chess960;
        }
        link.send(&position(&go.place, chess960))?;
        let line = line(&go.limit) + &among(go, chess960);
        // Lines read from now on are of this search.
        self.depth = 0;
        let begun = Instant::now();
        link.send(&line)?;
        Ok(begun)
    }

    fn stop(&mut self, link: &mut Link) -> Result<(), What> {
        link.send("stop")
    }

    fn hear(&mut self, line: &str, at: Duration) -> Heard {
        let line = line.trim();
        if let Some(words) = behind(line, "info") {
            let report = Report::parse_info(words, at, &mut self.depth);
            return report.map_or(Heard::Nothing, Heard::Report);
        }
        let mut words = line.split_ascii_whitespace();
        if words.next() != Some("bestmove") {
            return Heard::Nothing;
        }
        let best = words.next().unwrap_or_default().to_owned();
        let ponder = words.next().filter(|word| *word == "ponder").and(words.next());
        Heard::Best { best, ponder: ponder.map(str::to_owned) }
    }
}

/// The text behind the first word of a line, if it is this word.
fn behind<'l>(line: &'l str, word: &str) -> Option<&'l str> {
    let rest = line.strip_prefix(word)?;
    rest.starts_with(|c: char| c.is_ascii_whitespace()).then(|| rest.trim_start())
}

fn position(place: &Place<'_>, chess960: bool) -> String {
    let mut text = if *place.start == Board::default() {
        "position startpos".to_owned()
    } else {
        format!("position fen {}", fen_text(place.start))
    };
    if !place.moves.is_empty() {
        text.push_str(" moves");
    }
    let mut board = place.start.clone();
    for &mv in place.moves {
        // Writing to a string cannot fail.
        let _ = if chess960 {
            write!(text, " {mv}")
        } else {
            write!(text, " {}", display_uci_move(&board, mv))
        };
        board.play(mv);
    }
    text
}

fn line(limit: &Limit) -> String {
    match *limit {
        Limit::Depth(depth) => format!("go depth {depth}"),
        Limit::Nodes(nodes) => format!("go nodes {nodes}"),
        Limit::MoveTime(time) => format!("go movetime {}", time.as_millis().max(1)),
        Limit::Infinite => "go infinite".to_owned(),
        Limit::Clock { left, increment, moves_to_go } => {
            let [white, black] = left.map(|left| left.as_millis().max(1));
            let [more_white, more_black] = increment.map(|increment| increment.as_millis());
            let to_go = moves_to_go.map(|n| format!(" movestogo {n}")).unwrap_or_default();
            format!("go wtime {white} btime {black} winc {more_white} binc {more_black}{to_go}")
        }
    }
}

/// The words that name the moves to search; none if all are.
fn among(go: &Go<'_>, chess960: bool) -> String {
    if go.among.is_empty() {
        return String::new();
    }
    let board = go.place.board();
    go.among.iter().fold(" searchmoves".to_owned(), |mut text, mv| {
        // Writing to a string cannot fail.
        let _ = if chess960 {
            write!(text, " {mv}")
        } else {
            write!(text, " {}", display_uci_move(&board, *mv))
        };
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_where_and_how_long() {
        let start = Board::default();
        let moves = ["e2e4", "e7e5"].map(|mv| mv.parse().expect("a move"));
        let place = Place { start: &start, moves: &moves };
        assert_eq!(position(&place, false), "position startpos moves e2e4 e7e5");
        // Castling is the king's two steps.
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let castle = ["e1h1".parse().expect("a move")];
        let place = Place { start: &fen.parse().expect("a position"), moves: &castle };
        assert_eq!(position(&place, false), format!("position fen {fen} moves e1g1"));
        assert_eq!(position(&place, true), format!("position fen {fen} moves e1h1"));
        // In Chess960 the king takes its rook.
        let fen = "4k3/8/8/8/8/8/8/5KR1 w G - 0 1";
        let castle = ["f1g1".parse().expect("a move")];
        let place = Place { start: &fen.parse().expect("a position"), moves: &castle };
        assert_eq!(position(&place, true), format!("position fen {fen} moves f1g1"));
        let ms = Duration::from_millis;
        let limit = Limit::Clock {
            left: [ms(1000), Duration::ZERO],
            increment: [ms(10), ms(20)],
            moves_to_go: Some(3),
        };
        assert_eq!(line(&limit), "go wtime 1000 btime 1 winc 10 binc 20 movestogo 3");
    }

    #[test]
    fn says_which_moves_to_search() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let start: Board = fen.parse().expect("a position");
        let moves = ["e1h1", "a1b1"].map(|mv| mv.parse().expect("a move"));
        let place = Place { start: &start, moves: &[] };
        let go = Go { place, limit: Limit::Nodes(9), deadline: None, among: &moves };
        assert_eq!(among(&go, false), " searchmoves e1g1 a1b1");
        assert_eq!(among(&go, true), " searchmoves e1h1 a1b1");
        assert_eq!(among(&Go { among: &[], ..go }, false), "");
    }

    #[test]
    fn hears_the_best_move() {
        let heard = Uci::default().hear("bestmove e2e4 ponder e7e5", Duration::ZERO);
        assert!(
            matches!(heard, Heard::Best { best, ponder: Some(p) } if best == "e2e4" && p == "e7e5")
        );
        let heard = Uci::default().hear("bestmove (none)", Duration::ZERO);
        assert!(matches!(heard, Heard::Best { best, ponder: None } if best == "(none)"));
        assert!(matches!(Uci::default().hear("bestmovee2e4", Duration::ZERO), Heard::Nothing));
    }
}
