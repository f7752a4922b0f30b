//! The differences between the two protocols.

use super::about::{About, Kind, Offered};
use super::fault::What;
use super::go::Go;
use super::link::Link;
use super::report::Report;
use super::spec::EngineSpec;
use super::value::Value;
use std::time::{Duration, Instant};
use ttd_search::value::nearest;

/// The time that an answer is waited for, and the key that sets it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    pub(super) within: Duration,
    pub(super) key: &'static str,
}

/// The way to speak to an engine. Each method writes to the link. A method that waits for an answer
/// has its time limit as an argument.
pub(super) trait Dialect: Send {
    /// Greets the engine, and reads its description of itself.
    fn greet(&mut self, link: &mut Link, patience: Patience) -> Result<About, What>;

    /// Whether there is a way to set its number of threads.
    fn has_threads(&self, spec: &EngineSpec, about: &About) -> bool;

    /// Whether there is a way to set the size of its table.
    fn has_table(&self, spec: &EngineSpec, about: &About) -> bool;

    /// Whether it can be told that a game is one of Chess960.
    fn has_chess960(&self) -> bool {
        false
    }

    /// Whether its process may be used for more than one game.
    fn is_reusable(&self) -> bool {
        true
    }

    /// Sets threads, table (MiB), and the options and lines of the specification.
    fn configure(
        &mut self,
        link: &mut Link,
        asked: &Asked<'_>,
        patience: Patience,
    ) -> Result<(), What>;

    /// Makes the engine tell this number of lines of each search, the best ones, each of another
    /// first move.
    fn tell_lines(&mut self, _: &mut Link, _: usize, _: Patience) -> Result<(), What> {
        Err(What::Lacks(format!("the option {LINES}")))
    }

    /// Makes the engine forget the last game.
    fn new_game(&mut self, link: &mut Link, patience: Patience) -> Result<(), What>;

    /// Sends the position, waits for the engine to be ready if it can say so, and starts the
    /// search. Returns the time at which the search command was written.
    fn go(&mut self, link: &mut Link, go: &Go<'_>, patience: Patience) -> Result<Instant, What>;

    /// Makes the engine give its best move.
    fn stop(&mut self, link: &mut Link) -> Result<(), What>;

    /// The meaning of a line during a search. `at` is the time since `go`.
    fn hear(&mut self, line: &str, at: Duration) -> Heard;
}

/// The settings that an engine is asked for.
pub(super) struct Asked<'a> {
    pub(super) spec: &'a EngineSpec,
    pub(super) about: &'a About,
    pub(super) threads: usize,
    pub(super) hash_mib: usize,
}

/// The meaning of a line.
pub(super) enum Heard {
    /// A line of thinking.
    Report(Report),
    /// A best move, and perhaps the answer that the engine expects.
    Best { best: String, ponder: Option<String> },
    /// No move: the engine resigns, or claims a result.
    Claim(String),
    /// The engine does not know a command that it must know.
    Refuses(What),
    /// A line without importance.
    Nothing,
}

/// The option that sets the number of lines of a search.
pub(super) const LINES: &str = "MultiPV";
/// The option that says that castling is written as the king takes its rook.
pub(super) const CHESS960: &str = "UCI_Chess960";
/// The options that set the number of threads, by the names that engines have for them. Small and
/// large letters, and signs between the words, make no difference.
const THREADS: [&str; 11] = [
    "threads",
    "numberofthreads",
    "numthreads",
    "maxthreads",
    "smpthreads",
    "threadcount",
    "threadsnumber",
    "cores",
    "cpucores",
    "maxcpus",
    "cpus",
];
/// The options that set the size of the table, likewise.
const HASH: [&str; 2] = ["hash", "hashsize"];

impl Asked<'_> {
    /// Every option that is set by name, with its value: from the specification, the threads, the
    /// table. All that cannot be set are named at once.
    pub(super) fn options(&self) -> Result<Vec<(String, Value)>, What> {
        let Asked { spec, about, threads, hash_mib } = *self;
        let mut all = Vec::new();
        if let Some(name) = threads_option(spec, about) {
            all.push((name, Value::Number(threads as i64), "--threads within that (threads)"));
        } else if threads > 1 && !spec.fills("{threads}") {
            return Err(What::Lacks(match about.like_threads() {
                Some(name) => {
                    format!("a known option for its number of threads: {}", threads_hint(name))
                }
                None => "an option for its number of threads".to_owned(),
            }));
        }
        if let Some(name) = hash_option(spec, about) {
            all.push((name, Value::Number(hash_mib as i64), "--hash within that (hash_mib)"));
        }
        let mut wrong = Vec::new();
        for (name, value) in &spec.options {
            if name.eq_ignore_ascii_case(CHESS960) {
                wrong.push(format!("it refuses `{name}`: the key chess960 sets it"));
            } else if all.iter().any(|(set, ..)| set.eq_ignore_ascii_case(name)) {
                wrong.push(format!(
                    "it refuses `{name}`: a sweep or a match sets it itself (threads, hash_mib)"
                ));
            } else {
                all.push((name.clone(), value.clone(), ""));
            }
        }
        let mut settings = Vec::new();
        for (name, value, remedy) in all {
            match self.offered(&name, &value) {
                Ok((offered, value)) => settings.push((offered.name.clone(), value)),
                Err(why) if remedy.is_empty() => wrong.push(why),
                Err(why) => wrong.push(format!("{why}: {remedy} fits")),
            }
        }
        if wrong.is_empty() { Ok(settings) } else { Err(What::Unsettable(wrong)) }
    }

    /// The option of this name, and the value in the engine's spelling, if it can be set to it.
    pub(super) fn offered(&self, name: &str, value: &Value) -> Result<(&Offered, Value), String> {
        let refuses = |why: String| format!("it refuses `{name}`: {why}");
        let offered = self.about.option(name);
        let offered = offered.ok_or_else(|| {
            let near = nearest(name, self.about.options.iter().map(|other| other.name.as_str()));
            let near = near.map(|near| format!(": did you mean `{near}`?")).unwrap_or_default();
            refuses(format!("it does not offer it{near}"))
        })?;
        Ok((offered, offered.spelled(value).map_err(refuses)?))
    }

    /// Sends the lines that are sent unchanged, with their placeholders filled in.
    pub(super) fn send_raw(&self, link: &mut Link) -> Result<(), What> {
        let (threads, hash) = (self.threads.to_string(), self.hash_mib.to_string());
        let filled = |line: &String| line.replace("{threads}", &threads).replace("{hash}", &hash);
        self.spec.raw.iter().try_for_each(|line| link.send(&filled(line)))
    }
}

/// The option that sets the number of threads.
pub(super) fn threads_option(spec: &EngineSpec, about: &About) -> Option<String> {
    named(spec.threads_option.as_ref(), &THREADS, about)
}

/// The option that sets the size of its table.
pub(super) fn hash_option(spec: &EngineSpec, about: &About) -> Option<String> {
    named(spec.hash_option.as_ref(), &HASH, about)
}

/// The option that the user named; or else the first known one, if it has more than one value. Many
/// engines offer `Threads` from 1 to 1.
fn named(said: Option<&String>, known: &[&str], about: &About) -> Option<String> {
    let offered = || {
        let has_name = |offered: &&Offered, name: &str| letters(&offered.name) == name;
        let of = |name: &&str| about.options.iter().find(|offered| has_name(offered, name));
        let option = known.iter().find_map(of)?;
        option.kind.has_choice().then(|| option.name.clone())
    };
    said.cloned().or_else(offered)
}

/// A name without all that is no letter or digit, in small letters.
fn letters(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// Words about an option that may set the number of threads.
pub fn threads_hint(option: &str) -> String {
    let quote = if option.contains(' ') { "'" } else { "" };
    format!("`{option}` may be it ({quote}threads_option={option}{quote})")
}

impl About {
    /// An option that may set the number of threads, by its name: a number of threads or
    /// processors.
    pub fn like_threads(&self) -> Option<&str> {
        let is_like = |offered: &&Offered| {
            let name = offered.name.to_ascii_lowercase();
            let of_threads = ["thread", "cpu"].iter().any(|word| name.contains(word));
            of_threads && matches!(offered.kind, Kind::Spin(..)) && offered.kind.has_choice()
        };
        self.options.iter().find(is_like).map(|offered| offered.name.as_str())
    }
}

/// Waits for a line from which `wanted` returns a value.
pub(super) fn wait_for<T>(
    link: &mut Link,
    expected: &'static str,
    patience: Patience,
    mut wanted: impl FnMut(&str) -> Option<Result<T, What>>,
) -> Result<T, What> {
    let Patience { within, key } = patience;
    let until = Instant::now() + within;
    loop {
        match link.line(until)? {
            None => return Err(What::Silent { expected, within, key }),
            // The limit holds even if the engine writes other lines all the time.
            Some((at, _)) if link.is_late(at, until) => {
                return Err(What::Silent { expected, within, key });
            }
            Some((_, line)) => {
                if let Some(result) = wanted(&line) {
                    return result;
                }
            }
        }
    }
}
