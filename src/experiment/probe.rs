//! A search that tells how fast a thread of this machine is.

use std::sync::atomic::AtomicBool;
use ttd_search::engine::Techniques;
use ttd_search::positions;
use ttd_search::searchers::{Lab, LabError, Searcher, Settings, Status, Task};

/// The set and the place of the position in it: a middlegame.
const POSITION: (&str, usize) = ("bratko-kopec", 1);
/// The depth: some tenths of a second.
const DEPTH: u8 = 14;
/// The size of the table, in MiB: it is small enough for the caches of most machines.
const HASH_MIB: usize = 1;

/// The time that one thread needs for a search that is the same everywhere, in seconds; none if it
/// was interrupted.
///
/// # Errors
/// If there is no memory for a small table.
///
/// # Panics
/// If the program has lost its position set.
pub fn probe(interrupt: &AtomicBool) -> Result<Option<f64>, LabError> {
    let (set, place) = POSITION;
    let position = &positions::load(set).expect("a set of the program")[place];
    let mut lab = Lab::new(HASH_MIB, Techniques::default(), Settings::default())?;
    let task = Task {
        searcher: Searcher::baseline(),
        threads: 1,
        root: position.position(),
        depth: DEPTH,
        time_limit: None,
        seed: 0,
        noise: 0,
        table_keys: 0,
    };
    lab.clear();
    let outcome = lab.search(&task, interrupt);
    Ok((outcome.status == Status::Ok).then(|| outcome.time.as_secs_f64()))
}
