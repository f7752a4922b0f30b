//! The commands of the protocol.

use std::time::Duration;

/// A command, as far as it could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Uci,
    Debug(bool),
    IsReady,
    SetOption {
        name: String,
        value: String,
    },
    NewGame,
    /// The start position if there is no FEN.
    Position {
        fen: Option<String>,
        moves: Vec<String>,
    },
    Go(Box<Go>),
    /// Count the leaves of the game tree to this depth.
    Perft(u8),
    Typed(Typed),
    Stop,
    PonderHit,
    Quit,
    /// A line that says nothing that can be done, and the reason for people.
    Unknown(String),
}

/// A command that people type. The protocol has none of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// Show the position.
    Show,
    /// Evaluate it, without a search.
    Evaluate,
    /// Search a fixed set to this depth.
    Bench(u8),
    /// List the commands.
    Help,
}

/// The depth of `go perft` where none is given.
const PERFT_DEPTH: u8 = 5;
/// The depth of `bench` where none is given: that of `ttd bench`.
const BENCH_DEPTH: u8 = 12;

/// The conditions of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    pub(super) search_moves: Vec<String>,
    pub(super) ponder: bool,
    pub(super) infinite: bool,
    /// White's and Black's time.
    pub(super) left: [Option<Duration>; 2],
    /// The time that each side gets for each move.
    pub(super) increment: [Duration; 2],
    pub(super) moves_to_control: Option<u32>,
    pub(super) depth: Option<u8>,
    pub(super) nodes: Option<u64>,
    /// In moves, not plies.
    pub(super) mate: Option<u32>,
    pub(super) time_a_move: Option<Duration>,
}

impl Go {
    /// Whether nothing but `stop` may bring the best move.
    pub(super) fn is_endless(&self) -> bool {
        let limited = self.left.iter().any(Option::is_some)
            || self.depth.is_some()
            || self.nodes.is_some()
            || self.mate.is_some()
            || self.time_a_move.is_some();
        self.infinite || !limited
    }
}

impl Command {
    /// Reads a line; none if there is nothing to do. Words before a known command are skipped, as
    /// the protocol asks.
    pub(super) fn parse(line: &str) -> Option<Command> {
        // Programs in .NET begin with a byte order mark.
        let line = line.trim_start_matches('\u{feff}');
        if let Some(typed) = typed(line) {
            return Some(typed);
        }
        let mut words = line.split_whitespace();
        while let Some(word) = words.next() {
            return Some(match word {
                "uci" => Command::Uci,
                "debug" => Command::Debug(words.next() != Some("off")),
                "isready" => Command::IsReady,
                "setoption" => set_option(words),
                "ucinewgame" => Command::NewGame,
                "position" => position(words),
                "go" => perft(words.clone()).unwrap_or_else(|| Command::Go(Box::new(go(words)))),
                "stop" => Command::Stop,
                "ponderhit" => Command::PonderHit,
                "quit" => Command::Quit,
                // There is nothing to register.
                "register" => return None,
                _ => continue,
            });
        }
        let first = short(line.split_whitespace().next()?);
        Some(Command::Unknown(format!("unknown command `{first}`: `help` lists the commands")))
    }
}

/// The beginning of a word, for a message.
fn short(word: &str) -> String {
    word.chars().take(40).collect()
}

/// A command that people type: only as the first word of its line.
fn typed(line: &str) -> Option<Command> {
    let mut words = line.split_whitespace();
    let first = words.next()?.to_ascii_lowercase();
    Some(match first.as_str() {
        "d" | "display" | "print" => Command::Typed(Typed::Show),
        "eval" => Command::Typed(Typed::Evaluate),
        "bench" => {
            // Some programs take a size and a number of threads before the depth.
            let words: Vec<&str> = words.collect();
            let word = words.get(2).or(words.first()).copied();
            with_depth("bench", word, BENCH_DEPTH, |depth| Command::Typed(Typed::Bench(depth)))
        }
        "help" | "--help" | "license" | "?" => Command::Typed(Typed::Help),
        "perft" => with_depth("perft", words.next(), PERFT_DEPTH, Command::Perft),
        _ => return None,
    })
}

/// The command with the depth that a word gives, or the usual depth without a word.
fn with_depth(
    name: &str,
    word: Option<&str>,
    usual: u8,
    command: impl FnOnce(u8) -> Command,
) -> Command {
    match word.map(str::parse) {
        None => command(usual),
        Some(Ok(depth)) => command(depth),
        Some(Err(_)) => {
            let found = short(word.unwrap_or_default());
            Command::Unknown(format!("{name}: `{found}` found, a depth expected, such as {usual}"))
        }
    }
}

/// The command `go perft N`, if the words behind `go` are that.
fn perft<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<Command> {
    let is_perft = words.any(|word| word.eq_ignore_ascii_case("perft"));
    is_perft.then(|| with_depth("perft", words.next(), PERFT_DEPTH, Command::Perft))
}

fn set_option<'a>(words: impl Iterator<Item = &'a str>) -> Command {
    let mut words = words.skip_while(|word| !word.eq_ignore_ascii_case("name")).skip(1);
    let is_name = |word: &&str| !word.eq_ignore_ascii_case("value");
    let name = join(words.by_ref().take_while(is_name));
    let value = join(words);
    if name.is_empty() {
        let what = "option refused: setoption: `setoption name NAME value VALUE` expected";
        return Command::Unknown(what.to_owned());
    }
    Command::SetOption { name, value }
}

fn position<'a>(mut words: impl Iterator<Item = &'a str>) -> Command {
    let before: Vec<&str> = words.by_ref().take_while(|word| *word != "moves").collect();
    let from = before.iter().position(|word| matches!(*word, "startpos" | "fen"));
    // The FEN reaches to the moves; moves may also follow the start position. People forget `fen`.
    let fen = match from {
        Some(at) if before[at] == "startpos" => None,
        Some(at) => Some(before[at + 1..].join(" ")),
        None => Some(before.join(" ")),
    };
    Command::Position { fen, moves: words.map(str::to_owned).collect() }
}

fn go<'a>(words: impl Iterator<Item = &'a str>) -> Go {
    let mut go = Go::default();
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        match word {
            "searchmoves" => {
                while let Some(mv) = words.next_if(|word| is_move(word)) {
                    go.search_moves.push(mv.to_owned());
                }
            }
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            _ => {
                // Scripts write `movetime 100.0`. Part of a millisecond counts as a whole one.
                let number = words.peek().and_then(|word| word.parse::<f64>().ok());
                if let Some(number) = number.filter(|number| number.is_finite()) {
                    limit(&mut go, word, number.ceil() as i64);
                }
            }
        }
    }
    go
}

/// Reads a number of `go`. Some programs send a negative time for a clock that has run out; it
/// counts as 0. For limits where 0 makes no sense, 0 says that there is no such limit.
fn limit(go: &mut Go, word: &str, number: i64) {
    let number = number.max(0).unsigned_abs();
    let time = Duration::from_millis(number);
    let some = (number > 0).then_some(number);
    let count = some.map(|count| u32::try_from(count).unwrap_or(u32::MAX));
    match word {
        "wtime" => go.left[0] = Some(time),
        "btime" => go.left[1] = Some(time),
        "winc" => go.increment[0] = time,
        "binc" => go.increment[1] = time,
        "movestogo" => go.moves_to_control = count,
        "depth" => go.depth = count.map(|count| u8::try_from(count).unwrap_or(u8::MAX)),
        "nodes" => go.nodes = some,
        "mate" => go.mate = count,
        "movetime" => go.time_a_move = some.map(Duration::from_millis),
        _ => {}
    }
}

/// Whether a word has the form of a move.
fn is_move(word: &str) -> bool {
    let square = |at: usize| {
        let bytes = word.as_bytes().get(at..at + 2);
        bytes.is_some_and(|b| (b'a'..=b'h').contains(&b[0]) && (b'1'..=b'8').contains(&b[1]))
    };
    matches!(word.len(), 4 | 5) && square(0) && square(2)
}

fn join<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed_go(line: &str) -> Go {
        match Command::parse(line) {
            Some(Command::Go(go)) => *go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn unknown_words_are_skipped() {
        assert_eq!(Command::parse("joho debug on\n"), Some(Command::Debug(true)));
        assert_eq!(Command::parse("  isready  \r\n"), Some(Command::IsReady));
        assert_eq!(Command::parse("register name uci code 1"), None);
        assert_eq!(Command::parse(""), None);
        assert_eq!(Command::parse("\u{feff}uci"), Some(Command::Uci));
        for (line, why) in [
            ("joho", "unknown command `joho`: `help` lists the commands"),
            (
                "setoption value 3",
                "option refused: setoption: `setoption name NAME value VALUE` ex",
            ),
            ("setoption UCI_Elo 1500", "option refused: setoption: `setoption name NAME value VAL"),
            ("perft x", "perft: `x` found, a depth expected, such as 5"),
            ("go perft -1", "perft: `-1` found, a depth expected, such as 5"),
            ("bench 16 1 all", "bench: `all` found, a depth expected, such as 12"),
        ] {
            let Some(Command::Unknown(told)) = Command::parse(line) else { panic!("{line}") };
            assert!(told.starts_with(why), "{told}");
        }
    }

    #[test]
    fn people_type_commands_of_their_own() {
        for (line, command) in [
            ("go perft 3", Command::Perft(3)),
            ("go perft", Command::Perft(5)),
            ("go PERFT 4 depth 3", Command::Perft(4)),
            ("perft 2", Command::Perft(2)),
            ("d", Command::Typed(Typed::Show)),
            ("  D ", Command::Typed(Typed::Show)),
            ("eval", Command::Typed(Typed::Evaluate)),
            ("bench", Command::Typed(Typed::Bench(12))),
            ("bench 4", Command::Typed(Typed::Bench(4))),
            ("bench 16 1 5", Command::Typed(Typed::Bench(5))),
            ("help", Command::Typed(Typed::Help)),
        ] {
            assert_eq!(Command::parse(line), Some(command), "{line}");
        }
        // They are no words of the protocol, which are found behind unknown ones.
        assert!(matches!(Command::parse("joho d"), Some(Command::Unknown(_))));
        assert_eq!(Command::parse("joho help isready"), Some(Command::IsReady));
    }

    #[test]
    fn names_and_values_of_options_have_spaces() {
        let set = |name: &str, value: &str| {
            Some(Command::SetOption { name: name.to_owned(), value: value.to_owned() })
        };
        assert_eq!(
            Command::parse("setoption name Move Overhead value 20"),
            set("Move Overhead", "20")
        );
        assert_eq!(Command::parse("setoption name Clear Hash"), set("Clear Hash", ""));
        assert_eq!(Command::parse("setoption NAME a VALUE b value c"), set("a", "b value c"));
    }

    #[test]
    fn positions() {
        let words = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(
            Command::parse("position startpos moves e2e4 e7e5"),
            Some(Command::Position { fen: None, moves: words("e2e4 e7e5") })
        );
        assert_eq!(
            Command::parse("position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 moves a1a2"),
            Some(Command::Position {
                fen: Some("8/8/8/8/8/8/8/K1k5 w - - 0 1".to_owned()),
                moves: words("a1a2")
            })
        );
        assert_eq!(
            Command::parse("position startpos"),
            Some(Command::Position { fen: None, moves: Vec::new() })
        );
        let fen = "8/8/8/8/8/8/8/K1k5 w - - 0 1".to_owned();
        assert_eq!(
            Command::parse(&format!("position {fen}")),
            Some(Command::Position { fen: Some(fen), moves: Vec::new() })
        );
    }

    #[test]
    fn every_limit_in_any_order() {
        let go = parsed_go(
            "go movestogo 3 wtime 1000 winc 10 btime -5 binc 20 searchmoves e2e4 e7e8q depth 4 \
             nodes 5000 mate 2 movetime 100 ponder infinite",
        );
        let ms = Duration::from_millis;
        assert_eq!(
            go,
            Go {
                search_moves: vec!["e2e4".to_owned(), "e7e8q".to_owned()],
                ponder: true,
                infinite: true,
                left: [Some(ms(1000)), Some(ms(0))],
                increment: [ms(10), ms(20)],
                moves_to_control: Some(3),
                depth: Some(4),
                nodes: Some(5000),
                mate: Some(2),
                time_a_move: Some(ms(100)),
            }
        );
    }

    #[test]
    fn nonsense_in_go_is_skipped() {
        let go = parsed_go("go fast depth x depth 7 nodes");
        assert_eq!(go, Go { depth: Some(7), ..Go::default() });
        assert_eq!(parsed_go("go depth 1000").depth, Some(255));
        for none in ["movestogo 0", "movestogo -1", "nodes 0", "depth 0", "mate 0", "movetime 0"] {
            assert_eq!(parsed_go(&format!("go {none}")), Go::default(), "{none}");
        }
        let ms = Duration::from_millis;
        assert_eq!(parsed_go("go movetime 100.0").time_a_move, Some(ms(100)));
        assert_eq!(parsed_go("go movetime 0.2").time_a_move, Some(ms(1)));
        assert_eq!(parsed_go("go wtime 1e3 btime nan").left, [Some(ms(1000)), None]);
        assert!(parsed_go("go").is_endless());
        assert!(!parsed_go("go depth 3").is_endless());
        assert!(parsed_go("go depth 3 infinite").is_endless());
    }
}
