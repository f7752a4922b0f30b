//! Parts of an experiment or of a match that are to be put together: what they must be.

use super::environment::CoresKind;
use super::environment::{Sitting, read_sittings};
use super::error::{Contents, ReadError, ResultsError};
use super::journal::JournalError;
use super::shard::Shard;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A part, as it was read.
pub(crate) struct MergePart<W> {
    /// Its directory.
    pub(crate) dir: PathBuf,
    /// The part that it is.
    pub(crate) shard: Shard,
    /// Its sittings.
    pub(crate) sittings: Vec<Sitting>,
    /// The number of its whole rows, and how many its plan has.
    pub(crate) rows: (usize, usize),
    /// Its experiment or match, with its rows.
    pub(crate) of: W,
}

/// The terms of a merge.
#[derive(Clone, Copy, Debug, Default)]
pub struct MergeTerms {
    /// Parts may be missing or unfinished.
    pub partial: bool,
    /// Programs and machines may differ.
    pub mixed: bool,
}

/// The reasons why parts cannot be put together.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A directory is no part.
    #[error("{dir}: it is the whole, and no part: `shard` in {file} expected")]
    NoPart {
        /// The directory.
        dir: PathBuf,
        /// The file that describes it.
        file: &'static str,
    },
    /// A part is of something else.
    #[error("{dir}: a part of something else than {first} ({differences})")]
    Other {
        /// The directory.
        dir: PathBuf,
        /// The directory of the first part.
        first: PathBuf,
        /// The differences, in words.
        differences: String,
    },
    /// A part is there twice.
    #[error("{dir}: part {shard} is {first} already: name each part once")]
    Twice {
        /// The directory.
        dir: PathBuf,
        /// The other directory.
        first: PathBuf,
        /// The part.
        shard: Shard,
    },
    /// Parts are missing.
    #[error("parts are missing: {}. --partial merges the others", in_words(.0))]
    Missing(Vec<Shard>),
    /// A part is unfinished.
    #[error("{dir}: {done} of {planned} are there: go on with it, or merge with --partial")]
    Unfinished {
        /// The directory.
        dir: PathBuf,
        /// The number of its rows.
        done: usize,
        /// The number of planned rows.
        planned: usize,
    },
    /// Another program or machine took the rows.
    #[error(
        "{dir}: taken otherwise than {first} ({differences}). --mixed merges them; the report then \
         says so"
    )]
    Elsewhere {
        /// The directory.
        dir: PathBuf,
        /// The directory of the first part.
        first: PathBuf,
        /// The differences, in words.
        differences: String,
    },
    /// The target is one of the parts.
    #[error("{dir}: it is one of the parts: --out must be another directory")]
    Into {
        /// The directory.
        dir: PathBuf,
    },
    /// The target has other results.
    #[error("{dir}: it has other results: --out must be an empty directory, or an earlier merge")]
    Taken {
        /// The directory.
        dir: PathBuf,
    },
    /// A row of a part is not the one that the plan has in its place.
    #[error(
        "{dir}/{table}:{line}: it is not the {row} that the plan has there ({why}): the files were \
         changed. Leave the part out with --partial, or take it again",
        table = contents.table,
        row = contents.row
    )]
    Plan {
        /// The directory.
        dir: PathBuf,
        /// The number of its line, from 1.
        line: u64,
        /// The column in which it differs, in words.
        why: String,
        /// The contents of the directory.
        contents: &'static Contents,
    },
    /// The files of a part cannot be used.
    #[error("{error}. A damaged part can be left out with --partial")]
    Damaged {
        /// The error of its files.
        error: ResultsError,
    },
    /// A part has rows, and nothing tells where they were taken.
    #[error(
        "{dir}: nothing tells which program and machine took its rows: environment.toml was lost. \
         Leave the part out with --partial, or take it again"
    )]
    NoSitting {
        /// The directory.
        dir: PathBuf,
    },
    /// The files of the target cannot be used.
    #[error(transparent)]
    Results(ResultsError),
}

impl From<ResultsError> for MergeError {
    fn from(error: ResultsError) -> MergeError {
        match error {
            ResultsError::Plan { dir, line, why, contents } => {
                MergeError::Plan { dir, line, why, contents }
            }
            error => MergeError::Results(error),
        }
    }
}

impl From<ReadError> for MergeError {
    fn from(error: ReadError) -> MergeError {
        ResultsError::from(error).into()
    }
}

impl From<JournalError> for MergeError {
    fn from(error: JournalError) -> MergeError {
        ResultsError::from(error).into()
    }
}

impl MergeError {
    /// This error, of the files of a part.
    pub(crate) fn of_part(self) -> MergeError {
        match self {
            MergeError::Results(error) => MergeError::Damaged { error },
            other => other,
        }
    }

    /// Whether the command is wrong, and not the machine.
    pub const fn is_usage(&self) -> bool {
        match self {
            MergeError::Results(error) => error.is_usage(),
            _ => true,
        }
    }
}

fn in_words(shards: &[Shard]) -> String {
    const MOST: usize = 10;
    let first: Vec<String> = shards.iter().take(MOST).map(ToString::to_string).collect();
    let more = shards.len().saturating_sub(MOST);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    first.join(", ") + &more
}

/// Refuses a target that is one of the parts, or has results that no merge made. Such results have
/// rows without a sitting, or a sitting of the whole. `table` is the file of the rows.
pub(crate) fn check_target(dirs: &[PathBuf], out: &Path, table: &str) -> Result<(), MergeError> {
    let target = out.canonicalize().ok();
    let is_target = |dir: &&PathBuf| target.is_some() && dir.canonicalize().ok() == target;
    match dirs.iter().find(is_target) {
        Some(_) => return Err(MergeError::Into { dir: out.to_owned() }),
        None if target.is_none() => return Ok(()),
        None => {}
    }
    let sittings = read_sittings(out)?;
    let any_rows = fs::metadata(out.join(table)).is_ok_and(|file| file.len() > 0);
    let is_merge = sittings.iter().all(|sitting| sitting.place.shard.is_some());
    if is_merge && (!any_rows || !sittings.is_empty()) {
        return Ok(());
    }
    Err(MergeError::Taken { dir: out.to_owned() })
}

/// Puts parts in their order, and checks that they are of one whole. `differ` says how two of them
/// differ.
pub(crate) fn in_order<W>(
    parts: &mut [MergePart<W>],
    (terms, cores): (MergeTerms, CoresKind),
    differ: impl Fn(&W, &W) -> Option<String>,
) -> Result<(), MergeError> {
    parts.sort_by_key(|part| part.shard);
    let Some((first, others)) = parts.split_first() else { return Ok(()) };
    for other in others {
        let of = (first.shard.of != other.shard.of)
            .then(|| format!("{} parts there, {} here", first.shard.of, other.shard.of));
        if let Some(differences) = of.or_else(|| differ(&first.of, &other.of)) {
            let (dir, first) = (other.dir.clone(), first.dir.clone());
            return Err(MergeError::Other { dir, first, differences });
        }
    }
    for pair in parts.windows(2) {
        if pair[0].shard == pair[1].shard {
            let (first, dir) = (pair[0].dir.clone(), pair[1].dir.clone());
            return Err(MergeError::Twice { dir, first, shard: pair[1].shard });
        }
    }
    let there: BTreeSet<Shard> = parts.iter().map(|part| part.shard).collect();
    let missing: Vec<Shard> =
        Shard::all(first.shard.of).filter(|shard| !there.contains(shard)).collect();
    if !missing.is_empty() && !terms.partial {
        return Err(MergeError::Missing(missing));
    }
    for MergePart { dir, rows: (done, planned), sittings, .. } in parts.iter() {
        if *done > 0 && sittings.is_empty() {
            return Err(MergeError::NoSitting { dir: dir.clone() });
        }
        if done < planned && !terms.partial {
            let (dir, done, planned) = (dir.clone(), *done, *planned);
            return Err(MergeError::Unfinished { dir, done, planned });
        }
    }
    if terms.mixed {
        return Ok(());
    }
    let mut reference: Option<(&PathBuf, &Sitting)> = None;
    for (dir, sitting) in parts.iter().flat_map(|p| p.sittings.iter().map(move |s| (&p.dir, s))) {
        let (first, there) = *reference.get_or_insert((dir, sitting));
        let differences = there.differences(sitting, cores).join("; ");
        if !differences.is_empty() {
            let (dir, first) = (dir.clone(), first.clone());
            return Err(MergeError::Elsewhere { dir, first, differences });
        }
    }
    Ok(())
}

/// The parts that sittings tell of, and those of them that are missing; none if no sitting is of a
/// part.
pub fn parts_of(sittings: &[Sitting]) -> Option<(usize, Vec<Shard>)> {
    let there: BTreeSet<Shard> = sittings.iter().filter_map(|of| of.place.shard).collect();
    let of = there.first()?.of;
    Some((of, Shard::all(of).filter(|shard| !there.contains(shard)).collect()))
}
