//! The engine as a UCI program.
//!
//! It has two threads. This one reads commands and answers at once if it can. The *thinker* owns
//! the lab and does, one after another, the jobs that take time. Both share the `control` of the
//! running search.
//!
//! | module | what it holds |
//! |---|---|
//! | `book` | an opening book |
//! | `clock` | the time that a move may take: pure |
//! | `command` | the commands of the protocol: pure |
//! | `control` | a search that is asked for; stops it while it runs, or tells it that its pondered move was made |
//! | `follower` | follows a search: prints its iterations, and says when it has found enough |
//! | `info` | the text that is printed about a search |
//! | `options` | the options: what they are, and setting them |
//! | `parameters` | the keys of an experiment file as options |
//! | `place` | a position and the game before it, and moves in words |
//! | `typed` | the answers to commands that people type |
//! | `thinker` | the searches, and all other jobs that need the lab |

mod book;
mod clock;
mod command;
mod control;
mod follower;
mod info;
mod options;
mod parameters;
mod place;
mod thinker;
mod typed;

pub(crate) use clock::{Completed, TimeLeft, TimeLimit};
use command::{Command, Go, Typed};
use control::{Control, Request};
pub(crate) use follower::Raised;
use info::Output;
pub(crate) use info::said;
use options::{Change, Options};
use parameters::Set;
use place::Place;
use std::io::{BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};
use thinker::{Job, Thinker};
use ttd_search::engine::Position;
use ttd_search::searchers::LabError;

pub use parameters::option_name;

/// The longest time that a count or a bench goes on after `quit`.
const TYPED_ENDS: Duration = Duration::from_mins(1);

/// Reads commands until `quit` or the end of the input, and answers them. `memory_mib` returns the
/// available memory in MiB, where that is known.
///
/// # Errors
/// If there is no memory for the first table.
pub fn run(
    input: impl BufRead,
    output: impl Write + Send,
    memory_mib: fn() -> Option<u64>,
) -> Result<(), LabError> {
    let output = Output::new(output);
    let options = Options::new(memory_mib);
    let thinker = Thinker::new(&options, &output)?;
    let (jobs, to_do) = channel();
    thread::scope(|scope| {
        scope.spawn(move || thinker.work(&to_do));
        Reader::new(options, jobs, &output).read(input);
    });
    Ok(())
}

/// The reading half of [`run`]. It reads every line, and answers as far as no lab is needed. A
/// search is prepared and dropped. It starts no thread and takes no table. It serves tests that
/// send any text to the program.
pub fn rehearse(input: impl BufRead, output: impl Write + Send, memory_mib: fn() -> Option<u64>) {
    // The jobs have no receiver.
    let (jobs, _) = channel();
    let options = Options::new(memory_mib);
    let output = Output::new(output);
    Reader::new(options, jobs, &output).read(input);
}

/// The thread that reads.
struct Reader<'o, W> {
    options: Options,
    /// The position, or why the last one that was sent is none. The one before it is gone then: a
    /// move of it could be taken for a move of the new one.
    place: Result<Place, String>,
    /// The last search, which may have ended.
    current: Option<Arc<Control>>,
    /// The counts and benches that were asked for, which may have ended. They are done one after
    /// another.
    typed: Vec<Arc<Control>>,
    jobs: Sender<Job>,
    output: &'o Output<W>,
}

impl<'o, W: Write + Send> Reader<'o, W> {
    /// A reader that stands at the initial position.
    fn new(options: Options, jobs: Sender<Job>, output: &'o Output<W>) -> Reader<'o, W> {
        Reader {
            options,
            place: Ok(Place::start()),
            current: None,
            typed: Vec::new(),
            jobs,
            output,
        }
    }

    fn read(&mut self, mut input: impl BufRead) {
        let mut line = Vec::new();
        loop {
            line.clear();
            // An unreadable line is the end of the input.
            let length = input.read_until(b'\n', &mut line).unwrap_or(0);
            let command = Command::parse(&String::from_utf8_lossy(&line));
            if length == 0 || command == Some(Command::Quit) {
                // People write `go perft 5` and `quit` to a pipe, and expect the count.
                self.typed.iter().for_each(|typed| typed.wait(TYPED_ENDS));
                self.stop();
                return;
            }
            if let Some(command) = command {
                self.obey(command);
            }
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Uci => self.introduce(),
            Command::Debug(on) => self.options.debug = on,
            Command::IsReady if self.is_searching() => self.output.line("readyok"),
            Command::IsReady => self.queue(Job::Ready),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::NewGame => {
                self.stop();
                self.queue(Job::Clear);
            }
            Command::Position { fen, moves } => self.set_position(fen.as_deref(), &moves),
            Command::Go(go) => self.go(*go),
            Command::Perft(depth) => {
                self.with_place(|place, control| Job::Perft { place, depth, control });
            }
            Command::Typed(typed) => self.typed(typed),
            Command::Stop => self.stop(),
            Command::PonderHit => {
                if let Some(control) = &self.current {
                    control.ponder_hit();
                }
            }
            Command::Unknown(why) => self.output.string(&why),
            Command::Quit => unreachable!("it ends the reading"),
        }
    }

    fn introduce(&self) {
        self.output.line(&format!("id name ttd {}", env!("CARGO_PKG_VERSION")));
        self.output.line("id author the authors of ttd");
        for option in self.options.list() {
            self.output.line(&format!("option {option}"));
        }
        self.output.line("uciok");
    }

    fn set_option(&mut self, name: &str, value: &str) {
        match self.options.set(name, value) {
            Ok(Change::None) => {}
            Ok(Change::Told(told)) => self.output.string(&told),
            Ok(Change::Table) => self.queue(Job::Resize(self.options.hash_mib)),
            Ok(Change::Clear) => self.queue(Job::Clear),
            Ok(Change::Parameter(Set::Fits(parameters))) => self.queue(Job::SetUp(parameters)),
            Ok(Change::Parameter(Set::Waits(why))) => self.output.string(&why),
            // Programs that drive engines know a refusal by these words.
            Err(why) => self.output.string(&format!("option refused: {why}")),
        }
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) {
        self.place = Place::read(fen, moves);
        if let Err(why) = &self.place {
            self.output.string(why);
        }
    }

    /// Queues a job about the position, if there is one. `stop` ends it.
    fn with_place(&mut self, job: impl FnOnce(Box<Place>, Arc<Control>) -> Job) {
        match &self.place {
            Ok(place) => {
                let place = Box::new(place.clone());
                let control = self.begin_typed();
                self.queue(job(place, control));
            }
            Err(why) => self.output.string(why),
        }
    }

    /// The control of another count or bench. A search ends for it, and others of its kind do not.
    fn begin_typed(&mut self) -> Arc<Control> {
        if let Some(search) = self.current.take() {
            search.stop();
        }
        let control = Arc::new(Control::begun());
        self.typed.retain(|typed| !typed.is_done());
        self.typed.push(Arc::clone(&control));
        control
    }

    fn typed(&mut self, typed: Typed) {
        match typed {
            Typed::Show | Typed::Evaluate => match &self.place {
                Ok(place) if typed == Typed::Show => self.queue(Job::Show(Box::new(place.clone()))),
                Ok(place) => {
                    let evaluation = self.options.evaluation();
                    self.queue(Job::Evaluate(Box::new(place.clone()), evaluation));
                }
                Err(why) => self.output.string(why),
            },
            Typed::Help => self.queue(Job::Help),
            Typed::Bench(depth) => {
                let control = self.begin_typed();
                self.queue(Job::Bench { depth, control });
            }
        }
    }

    fn go(&mut self, go: Go) {
        let begun = Instant::now();
        // The protocol does not allow two searches at once: the first one ends.
        self.stop();
        let place = match &self.place {
            Ok(place) => place,
            Err(why) => {
                self.output.string(&format!("there is no position to search. {why}"));
                let control = Arc::new(Control::new(begun, go.ponder));
                self.current = Some(Arc::clone(&control));
                self.queue(Job::NoMove { control, endless: go.is_endless() });
                return;
            }
        };
        let (board, options) = (place.board(), &self.options);
        let (searcher, mut threads) = (options.searcher, options.threads);
        if searcher.takes_one_thread() && threads > 1 {
            self.output.string(&format!("Threads: the searcher {searcher} takes one"));
            threads = 1;
        }
        let mut moves = place::legal_moves(board);
        let asked: Vec<_> =
            go.search_moves.iter().filter_map(|word| place::read_move(board, word)).collect();
        let restricted = moves.iter().any(|mv| asked.contains(mv));
        if restricted {
            moves.retain(|mv| asked.contains(mv));
        }
        let book = self.options.book_move(board, &go, &moves);
        if let Some((_, told)) = &book {
            self.output.string(told);
        }
        let options = &self.options;
        let side = board.side_to_move() as usize;
        // A side whose time is not given has as much as the other side.
        let clock = go.left[side].or(go.left[1 - side]).map(|left| TimeLeft {
            left,
            increment: go.increment[side],
            moves_to_control: go.moves_to_control,
        });
        let limit = if go.infinite {
            TimeLimit::NONE
        } else {
            TimeLimit::new(clock, go.time_a_move, options.overhead)
        };
        if let Some(why) = options.waits() {
            self.output.string(&format!("the engine is unchanged. Options do not fit: {why}"));
        }
        for warning in options.warnings(go.depth) {
            self.output.string(&warning);
        }
        if options.debug {
            self.output.string(&limit.to_string());
        }
        let control = Arc::new(Control::new(begun, go.ponder));
        let nodes = [go.nodes, options.nodes()].into_iter().flatten().min();
        let request = Request {
            root: Position::new(board.clone()),
            book: book.and_then(|(chosen, _)| chosen),
            past: place.past().to_vec(),
            moves,
            restricted,
            go,
            limit,
            threads,
            searcher: options.searcher,
            lines: options.multi_pv,
            evaluation: options.evaluation(),
            show_wdl: options.show_wdl,
            nodes,
            notation: options.notation,
            control: Arc::clone(&control),
        };
        self.current = Some(control);
        self.queue(Job::Search(Box::new(request)));
    }

    fn stop(&self) {
        self.current.iter().chain(&self.typed).for_each(|control| control.stop());
    }

    /// Whether a search runs that was not stopped: the best move of a stopped one comes soon.
    fn is_searching(&self) -> bool {
        let mut all = self.current.iter().chain(&self.typed);
        all.any(|control| !control.is_done() && !control.is_stopped())
    }

    fn queue(&self, job: Job) {
        // An error is ignored: only a defect ends the thinker before the reader.
        if self.jobs.send(job).is_err() {
            // Nobody will end them.
            self.typed.iter().for_each(|typed| typed.finish());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::rehearse;

    #[test]
    fn a_rehearsal_answers_what_takes_no_search() {
        let input = "isready\nsetoption name Hash value 0\nposition startpos moves e2e5\nposition startpos\n\
                     setoption name debug\ndebug on\ngo depth 60 wtime 1000\nisready\n\
                     position startpos moves e7e5\ngo movetime 5\nquit\nuci\n";
        let mut output = Vec::new();
        rehearse(input.as_bytes(), &mut output, || Some(100));
        let output = String::from_utf8(output).expect("text");
        let lines: Vec<&str> = output.lines().collect();
        for (line, begins) in lines.iter().zip([
            "info string option refused: Hash: 0 found",
            "info string position: e2e5 found, a legal move expected",
            "info string option refused: setoption: there is no option `debug`",
            "info string time limits: soft ",
            "readyok",
            "info string position: e7e5 found, a legal move expected",
            "info string there is no position to search. position: e7e5 found",
        ]) {
            assert!(line.starts_with(begins), "{line}");
        }
        assert_eq!(lines.len(), 7, "{output}");
    }
}
