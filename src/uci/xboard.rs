//! The protocol of the program `XBoard`. (Mann and Muller's description, "Chess Engine
//! Communication Protocol", version 2.)

mod features;

use super::about::{About, Kind};
use super::dialect::{Asked, Dialect, Heard, Patience, wait_for};
use super::fault::What;
use super::go::{Go, Limit, Place};
use super::link::Link;
use super::report::Report;
use super::spec::EngineSpec;
use cozy_chess::util::{display_uci_move, parse_san_move, parse_uci_move};
use cozy_chess::{Board, Color, Move};
use features::{option, pairs};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use ttd_search::positions::is_chess960;

/// The time after a feature for which the next one is waited for, if the engine does not say when
/// it is done.
const NO_MORE_FEATURES: Duration = Duration::from_secs(2);
/// The time for one move, in seconds, that stands for no limit: no search takes so long.
const LONG_S: u64 = 100_000;

/// An engine that speaks this protocol, its features, and the game that it knows.
#[derive(Default)]
pub(super) struct XBoard {
    /// Whether it has each of the features that it named.
    features: BTreeMap<String, bool>,
    /// The engine's word for `sd`.
    depth_command: String,
    /// The number of the last `ping`.
    pings: u32,
    /// The position that the engine was set up with, and the moves since.
    board: Option<(Board, Vec<Move>)>,
    /// Whether the engine was told the kind of clock.
    level_told: bool,
    /// Whether the engine has made the last move, and will answer the next by itself.
    playing: bool,
}

impl XBoard {
    pub(super) fn new(depth_command: Option<&str>) -> XBoard {
        let depth_command = depth_command.unwrap_or("sd").to_owned();
        XBoard { depth_command, ..XBoard::default() }
    }

    fn has(&self, feature: &str) -> bool {
        self.features.get(feature) == Some(&true)
    }

    /// Notes a feature, and returns whether it can be accepted.
    fn feature(&mut self, about: &mut About, name: &str, value: &str) -> bool {
        let on = value == "1";
        match name {
            "myname" => value.clone_into(&mut about.name),
            "option" => about.options.extend(option(value)),
            // Moves come as in `e2e4`; the engine is never told its colour.
            "san" | "colors" => return !on,
            _ => drop(self.features.insert(name.to_owned(), on)),
        }
        true
    }

    /// Waits until the engine is ready, if it can say so.
    fn ready(&mut self, link: &mut Link, patience: Patience) -> Result<(), What> {
        if !self.has("ping") {
            return Ok(());
        }
        self.pings += 1;
        let (ping, pong) = (format!("ping {}", self.pings), format!("pong {}", self.pings));
        link.send(&ping)?;
        let depth_command = &self.depth_command;
        wait_for(link, "`pong`", patience, |line| {
            let refused = refusal(line, depth_command).map(Err);
            refused.or_else(|| (line.trim() == pong).then_some(Ok(())))
        })
    }

    /// Brings the engine to a place, by the moves that it does not know yet if possible.
    fn set_up(&mut self, link: &mut Link, place: &Place<'_>) -> Result<(), What> {
        let known = self.board.as_ref().filter(|(start, _)| start == place.start);
        let known = known.filter(|(_, moves)| place.moves.starts_with(moves));
        let known = known.map(|(_, moves)| moves.len());
        self.playing = false;
        link.send("force")?;
        if is_chess960(place.start) {
            return Err(What::Lacks("a way to be told of Chess960 (protocol XBoard)".to_owned()));
        }
        if known.is_none() {
            link.send(&format!("setboard {}", place.start))?;
        }
        let mut board = place.start.clone();
        for (number, &mv) in place.moves.iter().enumerate() {
            if number >= known.unwrap_or(0) {
                link.send(&self.others_move(&board, mv))?;
            }
            board.play(mv);
        }
        self.board = Some((place.start.clone(), place.moves.to_vec()));
        Ok(())
    }

    fn others_move(&self, board: &Board, mv: Move) -> String {
        let usermove = if self.has("usermove") { "usermove " } else { "" };
        format!("{usermove}{}", display_uci_move(board, mv))
    }

    /// The move that the engine will answer by itself, if it is playing and lacks only this move.
    fn answers(&self, place: &Place<'_>) -> Option<String> {
        let (start, moves) = self.board.as_ref().filter(|_| self.playing)?;
        let (&last, before) = place.moves.split_last()?;
        let knows = start == place.start && moves == before;
        knows.then(|| self.others_move(&Place { moves: before, ..*place }.board(), last))
    }

    /// Sends the limit of the search.
    fn limit(&mut self, link: &mut Link, limit: &Limit, mover: Color) -> Result<(), What> {
        let clock = matches!(limit, Limit::Clock { .. });
        self.level_told &= clock;
        match *limit {
            Limit::Depth(depth) => {
                link.send(&format!("st {LONG_S}"))?;
                link.send(&format!("{} {depth}", self.depth_command))
            }
            Limit::Infinite => link.send(&format!("st {LONG_S}")),
            Limit::MoveTime(time) => link.send(&format!("st {}", seconds(time))),
            Limit::Nodes(_) => Err(What::Lacks("a limit of nodes (XBoard has none)".to_owned())),
            Limit::Clock { left, increment, moves_to_go } => {
                let (own, increment) = (left[mover as usize], increment[mover as usize]);
                if !self.level_told {
                    self.level_told = true;
                    // Some engines take a base time of 0 for an error.
                    let (whole, moves) = (own.as_secs().max(1), moves_to_go.unwrap_or(0));
                    let base = format!("{}:{:02}", whole / 60, whole % 60);
                    link.send(&format!("level {moves} {base} {}", seconds(increment)))?;
                }
                link.send(&format!("time {}", hundredths(own)))?;
                link.send(&format!("otim {}", hundredths(left[!mover as usize])))
            }
        }
    }
}

impl Dialect for XBoard {
    fn greet(&mut self, link: &mut Link, patience: Patience) -> Result<About, What> {
        let Patience { within, key } = patience;
        link.send("xboard")?;
        link.send("protover 2")?;
        let begun = Instant::now();
        // Whether any feature came, and whether it asked for time.
        let (mut heard, mut slow) = (false, false);
        let (mut about, mut until, mut done) = (About::default(), begun + within, false);
        while !done {
            let Some((at, line)) = link.line(until)? else { break };
            if at > until {
                break;
            }
            let Some(features) = line.trim().strip_prefix("feature ") else { continue };
            for (name, value) in pairs(features) {
                if name == "done" {
                    done = value == "1";
                    slow |= !done;
                    continue;
                }
                let answer =
                    if self.feature(&mut about, &name, &value) { "accepted" } else { "rejected" };
                link.send(&format!("{answer} {name}"))?;
            }
            // An engine that needs more time says so.
            let soon = if slow { within } else { begun.elapsed() + NO_MORE_FEATURES };
            until = begun + soon.min(within);
            heard = true;
        }
        if !heard || slow && !done {
            return Err(What::Silent { expected: "`feature done=1`", within, key });
        }
        if !self.has("setboard") {
            return Err(What::Lacks("the feature setboard".to_owned()));
        }
        Ok(about)
    }

    fn has_threads(&self, spec: &EngineSpec, _about: &About) -> bool {
        self.has("smp") || spec.fills("{threads}")
    }

    fn has_table(&self, spec: &EngineSpec, _about: &About) -> bool {
        self.has("memory") || spec.fills("{hash}")
    }

    fn is_reusable(&self) -> bool {
        self.features.get("reuse") != Some(&false)
    }

    fn configure(
        &mut self,
        link: &mut Link,
        asked: &Asked<'_>,
        patience: Patience,
    ) -> Result<(), What> {
        let Asked { spec, threads, hash_mib, .. } = *asked;
        if self.has("smp") {
            link.send(&format!("cores {threads}"))?;
        } else if threads > 1 && !spec.fills("{threads}") {
            return Err(What::Lacks("the feature smp (its number of threads)".to_owned()));
        }
        if self.has("memory") {
            link.send(&format!("memory {hash_mib}"))?;
        }
        let offered = spec.options.iter().map(|(name, value)| asked.offered(name, value));
        let (known, wrong): (Vec<_>, Vec<_>) = offered.partition(Result::is_ok);
        if !wrong.is_empty() {
            return Err(What::Unsettable(wrong.into_iter().filter_map(Result::err).collect()));
        }
        for (offered, value) in known.into_iter().flatten() {
            let value = match offered.kind {
                Kind::Button => String::new(),
                Kind::Check => format!("={}", i32::from(value.to_string() == "true")),
                _ => format!("={value}"),
            };
            link.send(&format!("option {}{value}", offered.name))?;
        }
        asked.send_raw(link)?;
        self.ready(link, patience)
    }

    fn new_game(&mut self, link: &mut Link, patience: Patience) -> Result<(), What> {
        for line in ["new", "force", "easy", "post"] {
            link.send(line)?;
        }
        (self.board, self.level_told, self.playing) = (None, false, false);
        self.ready(link, patience)
    }

    fn go(&mut self, link: &mut Link, go: &Go<'_>, patience: Patience) -> Result<Instant, What> {
        let Go { place, limit, .. } = go;
        let mover = place.board().side_to_move();
        // In the middle of a game the clocks come before the opponent's move, which starts the
        // search.
        let answers = self.answers(place);
        if answers.is_none() {
            self.set_up(link, place)?;
        }
        self.limit(link, limit, mover)?;
        self.ready(link, patience)?;
        self.board = Some((place.start.clone(), place.moves.to_vec()));
        let begun = Instant::now();
        link.send(answers.as_deref().unwrap_or("go"))?;
        Ok(begun)
    }

    fn stop(&mut self, link: &mut Link) -> Result<(), What> {
        link.send("?")
    }

    fn hear(&mut self, line: &str, at: Duration) -> Heard {
        let line = line.trim();
        if let Some(best) = line.strip_prefix("move ") {
            let mut best = best.trim().to_owned();
            // The engine has made the move.
            if let Some((start, moves)) = &mut self.board {
                let board = Place { start, moves }.board();
                if let Some(mv) = its_move(&board, &best) {
                    best = display_uci_move(&board, mv).to_string();
                    moves.push(mv);
                    self.playing = true;
                }
            }
            return Heard::Best { best, ponder: None };
        }
        let claims = ["1-0", "0-1", "1/2-1/2", "resign"];
        if claims.iter().any(|claim| line.starts_with(claim)) {
            return Heard::Claim(line.to_owned());
        }
        match refusal(line, &self.depth_command) {
            Some(what) => Heard::Refuses(what),
            None => Report::parse_thinking(line, at).map_or(Heard::Nothing, Heard::Report),
        }
    }
}

/// The refusal of a command that the engine must know, if the line is one.
fn refusal(line: &str, depth_command: &str) -> Option<What> {
    const NEEDED: [&str; 8] =
        ["sd", "st", "setboard", "usermove", "level", "cores", "memory", "option"];
    let said = ["Error", "Illegal move", "Invalid move", "Unknown command"];
    let command = line.split_once(": ").filter(|_| said.iter().any(|word| line.starts_with(word)));
    let command = command?.1.split_ascii_whitespace().next()?;
    let is_needed = NEEDED.contains(&command) || command == depth_command;
    let hint = if command == depth_command {
        " (the key depth_command names another one, as in depth_command=depth)"
    } else {
        ""
    };
    is_needed.then(|| What::Refuses { option: command.to_owned(), why: format!("{line}{hint}") })
}

/// Seconds without decimals if they are whole, with three decimals otherwise.
fn seconds(time: Duration) -> String {
    let mut text = time.as_secs().to_string();
    if time.subsec_millis() > 0 {
        // Writing to a string cannot fail.
        let _ = write!(text, ".{:03}", time.subsec_millis());
    }
    text
}

fn hundredths(time: Duration) -> u128 {
    (time.as_millis() / 10).max(1)
}

/// Reads a legal move, as `e2e4` or as in a game score. The protocol allows that too: `Nf3`
/// (Crafty), `o-o` (Phalanx).
fn its_move(board: &Board, written: &str) -> Option<Move> {
    let san = written.trim_end_matches(['+', '#', '!', '?']);
    let castling = san.replace(['o', '0'], "O");
    let san = if castling.starts_with("O-O") { &castling } else { san };
    let mv = parse_uci_move(board, &written.to_ascii_lowercase())
        .or_else(|_| parse_san_move(board, san))
        .ok()?;
    board.is_legal(mv).then_some(mv)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_in_either_way() {
        let board: Board = "r3k2r/8/8/8/8/8/6p1/R3K2R b kq - 0 1".parse().expect("a position");
        for (written, uci) in [
            ("o-o", Some("e8h8")),
            ("O-O-O", Some("e8a8")),
            ("0-0", Some("e8h8")),
            ("e8g8", Some("e8h8")),
            ("Ke7", Some("e8e7")),
            ("Rxh1+", Some("h8h1")),
            ("g2g1Q", Some("g2g1q")),
            ("gxh1=Q+", Some("g2h1q")),
            ("g1=N", Some("g2g1n")),
            ("Ke6", None),
            ("e2e4", None),
            ("o-o-o-o", None),
        ] {
            let mv = uci.map(|uci| uci.parse().expect("a move"));
            assert_eq!(its_move(&board, written), mv, "{written}");
        }
        let mut without = board;
        without.play("e8e7".parse().expect("a move"));
        assert_eq!(its_move(&without, "o-o"), None, "white has no right to it");
    }

    #[test]
    fn only_what_it_needs_is_a_refusal() {
        let refused = |line| refusal(line, "depth").is_some();
        assert!(refused("Illegal move: sd 7"));
        assert!(refused("Error (unknown command): setboard"));
        assert!(!refused("Error (unknown command): easy"));
        assert!(!refused("Illegal move: computer"));
        assert!(!refused("Randomizer: sd 3"));
        assert!(refused("Error (unknown command): sd"));
        assert!(refused("Error (unknown command): depth"));
        assert!(refused("Error (unknown command): cores 2"));
        assert!(!refused("Error (unknown command): stx"));
    }

    #[test]
    fn times() {
        assert_eq!(seconds(Duration::from_secs(30)), "30");
        assert_eq!(seconds(Duration::from_millis(1050)), "1.050");
        assert_eq!(hundredths(Duration::from_millis(1059)), 105);
        assert_eq!(hundredths(Duration::ZERO), 1);
    }
}
