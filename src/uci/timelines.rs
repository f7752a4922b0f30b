//! The occupations of an engine's threads on virtual cores over time: the file that
//! `ttd-cores run --timeline` writes.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::Read;
use ttd_search::cores::Time;

/// The occupation of an engine's thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// At work, or in a call of the system.
    Busy,
    /// In the line for a processor.
    Queue,
    /// Waiting for a lock.
    Lock,
    /// Waiting for a condition variable or a futex.
    Condition,
    /// Waiting for a barrier or a semaphore.
    Barrier,
    /// Waiting for the end of another thread.
    Join,
    /// Waiting for a time.
    Sleep,
    /// Waiting for input.
    Input,
}

impl Doing {
    /// All occupations, each with its word in the file.
    const WORDS: [(&str, Doing); 8] = [
        ("busy", Doing::Busy),
        ("queue", Doing::Queue),
        ("lock", Doing::Lock),
        ("condition", Doing::Condition),
        ("barrier", Doing::Barrier),
        ("join", Doing::Join),
        ("sleep", Doing::Sleep),
        ("input", Doing::Input),
    ];
}

/// A stretch of a thread's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The occupation.
    pub doing: Doing,
    /// Its beginning since `go`.
    pub from: Time,
    /// Its end since `go`.
    pub to: Time,
}

/// The timelines of an engine's threads in one search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadTimelines {
    /// The stretches of each thread, in the order in which threads were made. The first thread is
    /// that of the process.
    pub threads: Vec<Vec<Stretch>>,
    /// From the reading of `go` to the best move; if the timelines were cut short, to the cut.
    pub end: Time,
    /// Whether the search had more stretches than the file holds.
    pub is_cut_short: bool,
}

/// A row of the file.
#[derive(Deserialize)]
struct Row {
    search: u32,
    /// None in a row that ends a search.
    thread: Option<u64>,
    doing: String,
    from_ps: u64,
    to_ps: u64,
}

impl ThreadTimelines {
    /// Reads the timelines of the first search of a file. A clock may be a little ahead of the end,
    /// or behind the beginning: what lies beyond is left out.
    ///
    /// # Errors
    /// If a row cannot be read, or the search has no end.
    pub fn read(file: impl Read) -> Result<ThreadTimelines, String> {
        let mut threads: BTreeMap<u64, Vec<(Doing, u64, u64)>> = BTreeMap::new();
        for (line, row) in (2..).zip(csv::Reader::from_reader(file).deserialize::<Row>()) {
            let wrong = |why: String| format!("line {line} of the timelines: {why}");
            let Row { search, thread, doing, from_ps, to_ps } =
                row.map_err(|error| wrong(error.to_string()))?;
            if from_ps > to_ps {
                return Err(wrong(format!("it ends at {to_ps}, before it begins at {from_ps}")));
            }
            let is_cut_short = match (search, doing.as_str(), thread) {
                (1, "search", None) => false,
                (_, "cut", None) => true,
                (1, word, Some(thread)) => {
                    let found = Doing::WORDS.into_iter().find(|(other, _)| *other == word);
                    let (_, doing) = found.ok_or_else(|| {
                        wrong(format!("`{word}` found, the occupation of a thread expected"))
                    })?;
                    threads.entry(thread).or_default().push((doing, from_ps, to_ps));
                    continue;
                }
                _ => return Err(wrong(format!("`{doing}` found, the first search expected"))),
            };
            let since = |ps: u64| Time::from_ps(ps.clamp(from_ps, to_ps) - from_ps);
            let stretch = |(doing, from, to)| Stretch { doing, from: since(from), to: since(to) };
            let of = |rows: Vec<_>| -> Vec<Stretch> { rows.into_iter().map(stretch).collect() };
            let threads = threads.into_values().map(of).collect();
            return Ok(ThreadTimelines { threads, end: since(to_ps), is_cut_short });
        }
        Err("the search has no end in the timelines".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(rows: &str) -> Result<ThreadTimelines, String> {
        let header = "search,thread,doing,from_ps,to_ps\n";
        ThreadTimelines::read(format!("{header}{rows}").as_bytes())
    }

    #[test]
    fn times_are_those_since_the_search_began() {
        let rows = "1,4,lock,90,150\n1,0,input,100,210\n1,4,busy,150,230\n1,,search,100,200\n\
                    2,0,input,900,950\n";
        let read = read(rows).expect("timelines");
        let stretch = |doing, from, to| {
            let [from, to] = [from, to].map(Time::from_ps);
            Stretch { doing, from, to }
        };
        let first = vec![stretch(Doing::Input, 0, 100)];
        let second = vec![stretch(Doing::Lock, 0, 50), stretch(Doing::Busy, 50, 100)];
        assert_eq!((read.threads, read.end.ps()), (vec![first, second], 100));
        assert!(!read.is_cut_short);
    }

    #[test]
    fn a_cut_and_what_is_wrong_are_told() {
        let cut = read("1,0,busy,1,5\n1,,cut,1,5\n").expect("timelines");
        assert!(cut.is_cut_short && cut.threads.len() == 1);
        for (rows, why) in [
            ("1,0,busy,1,5\n", "has no end"),
            ("1,0,dreams,1,5\n", "line 2 of the timelines: `dreams` found"),
            ("1,0,busy,1,x\n", "line 2 of the timelines: CSV"),
            ("2,0,busy,1,5\n", "the first search expected"),
            ("1,0,busy,1,5\n1,,search,5,4\n", "line 3 of the timelines: it ends at 4, before"),
        ] {
            assert!(read(rows).is_err_and(|found| found.contains(why)), "{rows}");
        }
    }

    /// `ttd-cores` writes the words, and nothing of it is built with this program.
    #[test]
    fn the_words_are_those_of_the_runner() {
        let source = include_str!("../../crates/ttd-cores/src/threads.rs");
        let word = |line: &'static str| line.trim().strip_prefix("Doing::")?.split('"').nth(1);
        let written: Vec<&str> = source.lines().filter_map(word).collect();
        assert_eq!(written, Doing::WORDS.map(|(word, _)| word));
    }

    #[test]
    fn every_occupation_has_a_word_at_its_place() {
        for (place, (_, doing)) in Doing::WORDS.into_iter().enumerate() {
            assert_eq!(doing as usize, place);
        }
    }
}
