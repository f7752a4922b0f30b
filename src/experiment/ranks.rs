//! An experiment whose workers are ranks: processes that share no memory, of which each has a table
//! of its own. Rank 0 plans and writes. It tells the others by notes which sample is next.

use super::competitor::Competitor;
use super::executor::SearchExecutor;
use super::keys::Experiment;
use super::plan::{Cell, Planned};
use super::resolve::Resolved;
use crate::records::{CoresKind, executable, hash, this_host};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;
use ttd_search::cores::Transport;
use ttd_search::cores::ranks::{send_note, wait_for_note};
use ttd_search::searchers::{LabError, Searcher};
use ttd_search::wire::Portable;

/// A source of a rank's ends of its transport: all are the same one.
pub type Ends<'a> = &'a dyn Fn() -> Box<dyn Transport + Send>;

/// The reason why ranks cannot take an experiment.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NotForRanks(String);

/// A note from rank to rank.
enum Note {
    /// To rank 0: the rank's program, its host, and its experiment or the reason why it has none.
    Hello { program: String, host: String, experiment: Result<u64, String> },
    /// Of rank 0: the next sample.
    Sample(Planned),
    /// Of rank 0: there is no more to do. To rank 0: the rank has heard that.
    Done,
}

/// Refuses an experiment that `ranks` ranks cannot take, for all reasons at once.
///
/// # Errors
/// The reasons, by key and by searcher.
pub fn check_ranks(experiment: &Experiment, ranks: usize) -> Result<(), NotForRanks> {
    let mut wrong = Vec::new();
    if experiment.cores == CoresKind::Virtual {
        wrong.push("`cores` is `virtual`: `real` expected, because ranks are processes".to_owned());
    }
    let most = experiment.threads.iter().copied().max().unwrap_or(1);
    if most > ranks {
        wrong.push(format!("`threads` has {most}: at most {ranks} expected, the number of ranks"));
    }
    if experiment.hash_mib < most {
        let mib = experiment.hash_mib;
        wrong.push(format!("`hash_mib` is {mib}: {most} expected, 1 MiB for each rank's table"));
    }
    if !experiment.pin.is_empty() {
        wrong.push("`pin`: none expected, because mpirun binds ranks (--bind-to)".to_owned());
    }
    for (competitor, own) in experiment.all_ours() {
        if let Err(why) = own.settings.algorithm(own.searcher).fits_messages() {
            wrong.push(format!("`{}`: {why}", experiment.name_of(competitor)));
        }
    }
    for engine in &experiment.engines {
        wrong.push(format!("`{}`: an outside engine is one process", engine.name));
    }
    if wrong.is_empty() { Ok(()) } else { Err(NotForRanks(wrong.join("; "))) }
}

/// Waits until every other rank has said which program and which experiment it has. Returns the
/// names of the hosts, each once, in the order of their first ranks.
///
/// # Errors
/// The ranks that have others than rank 0, or none.
pub fn agree(transport: &dyn Transport, resolved: &Resolved) -> Result<Vec<String>, NotForRanks> {
    let (ours, expected) = (executable(), Ok(fingerprint(resolved)));
    let mut others = Vec::new();
    let mut hosts = vec![String::new(); transport.size()];
    hosts[0] = this_host();
    for _ in 1..transport.size() {
        let (from, note) = wait_for_note(transport);
        let Some(Note::Hello { program, host, experiment }) = Note::read(&note) else {
            others.push((from, "its program".to_owned()));
            continue;
        };
        hosts[from] = host;
        if program != ours {
            others.push((from, "its program".to_owned()));
        } else if let Err(why) = experiment {
            others.push((from, why));
        } else if experiment != expected {
            others.push((from, "its experiment".to_owned()));
        }
    }
    others.sort();
    let mut what = String::new();
    for (rank, why) in &others {
        let _ = write!(what, "{}rank {rank}: {why}", if what.is_empty() { "" } else { "; " });
    }
    if others.is_empty() {
        let mut seen = BTreeSet::new();
        hosts.retain(|host| seen.insert(host.clone()));
        return Ok(hosts);
    }
    Err(NotForRanks(format!("all ranks must have what rank 0 has. Others have not: {what}")))
}

/// The experiment of a rank in a number. The beginning of an experiment that grew does not count:
/// only rank 0 plans.
fn fingerprint(resolved: &Resolved) -> u64 {
    let experiment = Experiment { earlier: Vec::new(), ..resolved.experiment.clone() };
    let ids: Vec<&str> = resolved.positions.iter().map(|position| position.id.as_str()).collect();
    hash(&format!("{}\n{}\n{}", experiment.to_toml(), resolved.set, ids.join(" ")))
}

/// Takes part in the samples of rank 0, as another rank, until rank 0 has no more. `resolved` is
/// the experiment, or the reason why this rank has none.
///
/// # Errors
/// If there is no memory for the table.
pub fn serve(
    ends: Ends<'_>,
    resolved: Result<&Resolved, &str>,
    interrupt: &AtomicBool,
) -> Result<(), LabError> {
    let transport = ends();
    let experiment = resolved.map(fingerprint).map_err(str::to_owned);
    let hello = Note::Hello { program: executable(), host: this_host(), experiment };
    send_note(&*transport, 0, hello.packed());
    let mut executor = None;
    loop {
        let (_, note) = wait_for_note(&*transport);
        match (Note::read(&note), resolved) {
            (Some(Note::Sample(planned)), Ok(resolved)) => {
                let executor = match &mut executor {
                    Some(executor) => executor,
                    none => {
                        none.insert(SearchExecutor::on_ranks(&resolved.experiment, ends(), None)?)
                    }
                };
                // Rank 0 has the outcome.
                let _ = executor.search(resolved, &planned, interrupt);
            }
            (Some(Note::Done), _) => {
                send_note(&*transport, 0, Note::Done.packed());
                return Ok(());
            }
            _ => {}
        }
    }
}

/// The executor of rank 0. It calls all other ranks to each sample.
///
/// # Errors
/// If there is no memory for the table.
pub fn first_of_ranks(experiment: &Experiment, ends: Ends<'_>) -> Result<SearchExecutor, LabError> {
    let transport = ends();
    let call = move |planned: &Planned| tell_all(&*transport, &Note::Sample(*planned));
    SearchExecutor::on_ranks(experiment, ends(), Some(Box::new(call)))
}

/// Tells all other ranks that there is no more to do, and waits until all have heard it. Rank 0
/// calls this at its end, whatever that is.
pub fn dismiss(transport: &dyn Transport) {
    tell_all(transport, &Note::Done);
    let mut left = transport.size() - 1;
    while left > 0 {
        let (_, note) = wait_for_note(transport);
        left -= usize::from(matches!(Note::read(&note), Some(Note::Done)));
    }
}

fn tell_all(transport: &dyn Transport, note: &Note) {
    (1..transport.size()).for_each(|rank| send_note(transport, rank, note.packed()));
}

impl Note {
    fn packed(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self {
            Note::Hello { program, host, experiment } => {
                (0_usize, program.clone()).put(&mut bytes);
                host.put(&mut bytes);
                let (hash, why) = match experiment {
                    Ok(hash) => (Some(*hash), None),
                    Err(why) => (None, Some(why.clone())),
                };
                (hash, why).put(&mut bytes);
            }
            Note::Sample(Planned { round, order, cell, seed, noise, table_keys }) => {
                1_usize.put(&mut bytes);
                let (searcher, variant) = match cell.competitor {
                    Competitor::Searcher(searcher) => (Some(searcher.name().to_owned()), 0),
                    Competitor::Variant(index) | Competitor::Engine(index) => (None, index),
                };
                (searcher, variant).put(&mut bytes);
                [cell.threads, cell.position].put(&mut bytes);
                [u64::from(*round), u64::from(*order), *seed, *noise, *table_keys].put(&mut bytes);
            }
            Note::Done => 2_usize.put(&mut bytes),
        }
        bytes
    }

    fn read(mut bytes: &[u8]) -> Option<Note> {
        let bytes = &mut bytes;
        Some(match usize::take(bytes)? {
            0 => {
                let (program, host) = (Portable::take(bytes)?, Portable::take(bytes)?);
                let (hash, why): (Option<u64>, Option<String>) = Portable::take(bytes)?;
                let experiment = hash.ok_or(why.unwrap_or_default());
                Note::Hello { program, host, experiment }
            }
            1 => {
                let (searcher, variant): (Option<String>, usize) = Portable::take(bytes)?;
                let competitor = match searcher {
                    Some(name) => Competitor::Searcher(name.parse::<Searcher>().ok()?),
                    None => Competitor::Variant(variant),
                };
                let [threads, position] = Portable::take(bytes)?;
                let [round, order, seed, noise, table_keys] = <[u64; 5]>::take(bytes)?;
                let cell = Cell { competitor, threads, position };
                let (round, order) = (round as u32, order as u32);
                Note::Sample(Planned { round, order, cell, seed, noise, table_keys })
            }
            2 => Note::Done,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Executor, SampleStatus, plan, resolve};
    use std::sync::{Arc, Mutex};
    use std::thread;
    use ttd_search::cores::{Channels, Time};

    /// An end that may be had twice, by one thread.
    #[derive(Clone, Debug)]
    struct Shared(Arc<Mutex<Channels>>);

    impl Transport for Shared {
        fn rank(&self) -> usize {
            self.0.lock().expect("no panic").rank()
        }
        fn size(&self) -> usize {
            self.0.lock().expect("no panic").size()
        }
        fn send(&self, to: usize, message: Vec<u8>) {
            self.0.lock().expect("no panic").send(to, message);
        }
        fn try_receive(&self) -> Option<(usize, Vec<u8>)> {
            self.0.lock().expect("no panic").try_receive()
        }
        fn abort(&self, why: &str) {
            self.0.lock().expect("no panic").abort(why);
        }
        fn is_crowded(&self) -> bool {
            true
        }
    }

    fn resolved(more: &str) -> Resolved {
        let text = format!(
            "searchers = [\"recursive-splitting\"]\nthreads = [1, 2, 4]\ndepth = 4\nruns = 2\n\
             hash_mib = 8\nonly = [\"1\", \"2\"]\npositions = \"middlegames\"\n{more}"
        );
        let partial = toml::from_str(&text).expect("TOML");
        resolve(None, &partial, None).expect("an experiment")
    }

    fn ends(ranks: usize) -> Vec<Shared> {
        let shared = |end| Shared(Arc::new(Mutex::new(end)));
        Channels::between(ranks).into_iter().map(shared).collect()
    }

    #[test]
    fn ranks_take_the_samples_of_a_plan() {
        let (resolved, interrupt) = (resolved(""), AtomicBool::new(false));
        check_ranks(&resolved.experiment, 4).expect("recursive splitting may");
        let ids: Vec<&str> = resolved.positions.iter().map(|p| p.id.as_str()).collect();
        let plan = plan(&resolved.experiment, &ids);
        let mut ends = ends(4).into_iter();
        let first = ends.next().expect("four");
        thread::scope(|scope| {
            for end in ends {
                let (resolved, interrupt) = (&resolved, &interrupt);
                scope.spawn(move || {
                    serve(&|| Box::new(end.clone()), Ok(resolved), interrupt).expect("memory");
                });
            }
            let hosts = agree(&first, &resolved).expect("all have it");
            assert_eq!(hosts, [this_host()], "all ranks are here, and a host is named once");
            let mut executor =
                first_of_ranks(&resolved.experiment, &|| Box::new(first.clone())).expect("memory");
            for planned in &plan {
                let taken = executor.take(&resolved, planned, &interrupt);
                assert_eq!(taken.sample.status, SampleStatus::Ok, "{:?}", taken.failure);
                let threads = planned.cell.threads;
                assert_eq!(taken.parts.workers.len(), threads);
                let counters = taken.sample.counters.expect("our engine has them");
                let states: Time = counters.states.iter().copied().sum();
                assert_eq!(states.ps(), taken.sample.time.ps() * threads as u64);
                assert_eq!(counters.messages > 0, threads > 1, "{planned:?}");
            }
            dismiss(&first);
        });
    }

    #[test]
    fn ranks_that_differ_are_refused_by_name() {
        let (ours, other) = (resolved(""), resolved("seed = 7"));
        let interrupt = AtomicBool::new(false);
        let mut ends = ends(4).into_iter();
        let first = ends.next().expect("four");
        let refused = thread::scope(|scope| {
            let found = [Ok(&ours), Ok(&other), Err("no such file")];
            for (end, found) in ends.zip(found) {
                let interrupt = &interrupt;
                scope.spawn(move || serve(&|| Box::new(end.clone()), found, interrupt));
            }
            let refused = agree(&first, &ours).expect_err("two differ");
            dismiss(&first);
            refused
        });
        assert_eq!(
            refused.to_string(),
            "all ranks must have what rank 0 has. Others have not: rank 2: its experiment; rank 3: \
             no such file"
        );
    }

    #[test]
    fn hosts_are_named_in_the_order_of_ranks() {
        let ours = resolved("");
        let mut ends = ends(5).into_iter();
        let first = ends.next().expect("five");
        for (end, host) in ends.zip(["y", "x", "y", "x"]) {
            let (program, host) = (executable(), host.to_owned());
            let hello = Note::Hello { program, host, experiment: Ok(fingerprint(&ours)) };
            send_note(&end, 0, hello.packed());
        }
        let expected = [this_host(), "y".to_owned(), "x".to_owned()];
        assert_eq!(agree(&first, &ours).expect("all have it"), expected);
    }

    #[test]
    fn what_ranks_cannot_take_is_refused_in_one_message() {
        let mut experiment = resolved("").experiment;
        experiment.searchers.extend(["ybwc", "root-splitting"].map(Searcher::named));
        experiment.hash_mib = 3;
        let refused = check_ranks(&experiment, 2).expect_err("much is wrong").to_string();
        assert_eq!(
            refused,
            "`threads` has 4: at most 2 expected, the number of ranks; `hash_mib` is 3: 4 expected, \
             1 MiB for each rank's table; `ybwc`: its workers share memory, and cannot be \
             processes; `root-splitting`: `private` expected for its `table`, `killers` and \
             `history`: processes share no memory"
        );
    }

    #[test]
    fn notes_come_as_they_went() {
        let resolved = resolved("");
        let ids: Vec<&str> = resolved.positions.iter().map(|p| p.id.as_str()).collect();
        for planned in plan(&resolved.experiment, &ids) {
            let Some(Note::Sample(there)) = Note::read(&Note::Sample(planned).packed()) else {
                panic!("a sample");
            };
            assert_eq!(there, planned);
        }
        assert!(matches!(Note::read(&Note::Done.packed()), Some(Note::Done)));
        assert!(Note::read(&[9]).is_none());
    }
}
