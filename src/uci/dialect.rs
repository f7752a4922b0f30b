//! What the two protocols differ in.

use super::about::{About, Offered};
use super::fault::What;
use super::go::{Limit, Place};
use super::link::Link;
use super::report::Report;
use super::spec::{EngineSpec, Value};
use std::time::{Duration, Instant};

/// How an engine is spoken to. Each of these writes to the link; those that wait for an answer say how long.
pub(super) trait Dialect: Send {
    /// Says hello, and hears who it is.
    fn greet(&mut self, link: &mut Link, within: Duration) -> Result<About, What>;

    /// Whether there is a way to set its number of threads.
    fn has_threads(&self, spec: &EngineSpec, about: &About) -> bool;

    /// Whether there is a way to set the size of its table.
    fn has_table(&self, spec: &EngineSpec, about: &About) -> bool;

    /// Whether its process may be used for more than one game.
    fn is_reusable(&self) -> bool {
        true
    }

    /// Sets threads, table (MiB), and what else the specification says.
    fn configure(
        &mut self,
        link: &mut Link,
        asked: &Asked<'_>,
        within: Duration,
    ) -> Result<(), What>;

    /// Has it forget the game before.
    fn new_game(&mut self, link: &mut Link, within: Duration) -> Result<(), What>;

    /// Says where it is, waits until it is there if it can say so, and has it search; when that was written.
    fn go(
        &mut self,
        link: &mut Link,
        place: &Place<'_>,
        limit: &Limit,
        within: Duration,
    ) -> Result<Instant, What>;

    /// Has it give its best move.
    fn stop(&mut self, link: &mut Link) -> Result<(), What>;

    /// What a line means while it searches. `at` is since `go`.
    fn hear(&mut self, line: &str, at: Duration) -> Heard;
}

/// What an engine is set to.
pub(super) struct Asked<'a> {
    pub(super) spec: &'a EngineSpec,
    pub(super) about: &'a About,
    pub(super) threads: usize,
    pub(super) hash_mib: usize,
}

/// The meaning of a line.
pub(super) enum Heard {
    /// It thinks.
    Report(Report),
    /// It has a best move, and perhaps the answer that it expects.
    Best { best: String, ponder: Option<String> },
    /// It has none: it resigns, or claims a result.
    Claim(String),
    /// It does not know a command that it has to.
    Refuses { command: String, why: String },
    /// Nothing that matters.
    Nothing,
}

/// The options that set the number of threads, by the names that engines have for them.
const THREADS: [&str; 6] =
    ["Threads", "Number of Threads", "Max Threads", "Cores", "Max CPUs", "CPUs"];
/// The same for the size of the table.
const HASH: [&str; 3] = ["Hash", "Hash Size", "HashSize"];

impl Asked<'_> {
    /// Every option to be set by name, with its value: those of the specification, the threads, the table.
    pub(super) fn options(&self) -> Result<Vec<(String, Value)>, What> {
        let Asked { spec, about, threads, hash_mib } = *self;
        let mut all = Vec::new();
        if let Some(name) = threads_option(spec, about) {
            all.push((name, Value::Number(threads as i64)));
        } else if threads > 1 && !raw_threads(spec) {
            return Err(What::Lacks("an option for its number of threads".to_owned()));
        }
        if let Some(name) = hash_option(spec, about) {
            all.push((name, Value::Number(hash_mib as i64)));
        }
        for name in spec.options.keys() {
            if all.iter().any(|(set, _)| set.eq_ignore_ascii_case(name)) {
                let why = "a sweep or a match sets it itself (threads, hash_mib)".to_owned();
                return Err(What::Refuses { option: name.clone(), why });
            }
        }
        all.extend(spec.options.iter().map(|(name, value)| (name.clone(), value.clone())));
        for (name, value) in &mut all {
            let offered = self.offered(name, value)?;
            name.clone_from(&offered.name);
        }
        Ok(all)
    }

    /// The option of that name, which can be set to that.
    pub(super) fn offered(&self, name: &str, value: &Value) -> Result<&Offered, What> {
        let refuses = |why: String| What::Refuses { option: name.to_owned(), why };
        let offered = self.about.option(name);
        let offered = offered.ok_or_else(|| refuses("it does not offer it".to_owned()))?;
        offered.check(value).map_err(refuses)?;
        Ok(offered)
    }

    /// The lines to be sent as they are, filled in.
    pub(super) fn raw(&self) -> impl Iterator<Item = String> + use<'_> {
        let (threads, hash) = (self.threads.to_string(), self.hash_mib.to_string());
        self.spec
            .raw
            .iter()
            .map(move |line| line.replace("{threads}", &threads).replace("{hash}", &hash))
    }
}

/// Which of its options sets the number of threads.
pub(super) fn threads_option(spec: &EngineSpec, about: &About) -> Option<String> {
    named(spec.threads_option.as_ref(), &THREADS, about)
}

/// Which of its options sets the size of its table.
pub(super) fn hash_option(spec: &EngineSpec, about: &About) -> Option<String> {
    named(spec.hash_option.as_ref(), &HASH, about)
}

/// Whether one of the lines that are sent as they are sets its threads.
pub(super) fn raw_threads(spec: &EngineSpec) -> bool {
    spec.raw.iter().any(|line| line.contains("{threads}"))
}

/// Whether one of them sets the size of its table.
pub(super) fn raw_table(spec: &EngineSpec) -> bool {
    spec.raw.iter().any(|line| line.contains("{hash}"))
}

fn named(said: Option<&String>, known: &[&str], about: &About) -> Option<String> {
    let offered = || known.iter().find_map(|name| Some(about.option(name)?.name.clone()));
    said.cloned().or_else(offered)
}

/// Waits for a line that `wanted` makes something of.
pub(super) fn wait_for<T>(
    link: &mut Link,
    expected: &'static str,
    within: Duration,
    mut wanted: impl FnMut(&str) -> Option<Result<T, What>>,
) -> Result<T, What> {
    let until = Instant::now() + within;
    loop {
        match link.line(until)? {
            None => return Err(What::Silent { expected, within }),
            // However much it writes meanwhile.
            Some((at, _)) if at > until => return Err(What::Silent { expected, within }),
            Some((_, line)) => {
                if let Some(result) = wanted(&line) {
                    return result;
                }
            }
        }
    }
}
