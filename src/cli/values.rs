//! Values on the command line that several commands take, and whether there is memory for them.

use super::{Usage, say};
use crate::experiment::MAX_THREADS;
use crate::records::{ResolveError, Shard, memory_available_mib, whole};
use clap::Args;
use clap::builder::TypedValueParser;
use std::path::{Path, PathBuf};
use std::time::Duration;
use ttd_search::engine::Board;
use ttd_search::positions::{BadLines, PositionsError, ReadFen, TestPosition, load_set};
use ttd_search::search::MAX_DEPTH;

fn from_one_to<T: TryFrom<i64> + Clone + Send + Sync + 'static>(
    most: i64,
) -> impl TypedValueParser<Value = T> {
    move |text: &str| {
        let number = whole(text).ok().filter(|n| (1..=most).contains(n));
        let number = number.and_then(|n| T::try_from(n).ok());
        number.ok_or_else(|| format!("1 to {most} expected"))
    }
}

/// Depths that can be searched.
pub(super) fn depth_parser() -> impl TypedValueParser<Value = u8> {
    from_one_to(MAX_DEPTH.into())
}

/// Numbers of workers.
pub(super) fn threads_parser() -> impl TypedValueParser<Value = u16> {
    from_one_to(MAX_THREADS as i64)
}

/// Numbers of samples taken at once.
pub(super) fn jobs_parser() -> impl TypedValueParser<Value = u16> {
    from_one_to(1024)
}

/// Numbers of parts.
pub(super) fn shards_parser() -> impl TypedValueParser<Value = usize> {
    from_one_to(Shard::MOST as i64)
}

/// Numbers of sittings.
pub(super) fn sittings_parser() -> impl TypedValueParser<Value = u32> {
    from_one_to(1000)
}

/// The results directory of an experiment or a match of this name; each part has its own.
pub(super) fn usual_dir(name: &str, shard: Option<Shard>) -> PathBuf {
    let part = shard.map_or_else(String::new, |part| format!("-{}-of-{}", part.number, part.of));
    Path::new("results").join(format!("{name}{part}"))
}

/// A size of the table that there is memory for.
pub(super) fn check_hash(mib: u64) -> Result<usize, Usage> {
    let most = memory_available_mib().unwrap_or(u64::MAX >> 20);
    if (1..=most).contains(&mib) {
        return Ok(mib as usize);
    }
    Err(Usage(format!(
        "--hash: {mib} found, 1 to {most} expected (the memory that is available, in MiB)"
    )))
}

/// Refuses a task that needs more memory than is available, MiB; `words` says so.
pub(super) fn check_memory(needed: u64, words: impl FnOnce(u64) -> String) -> Result<(), Usage> {
    match memory_available_mib() {
        Some(available) if needed > available => Err(Usage(words(available))),
        _ => Ok(()),
    }
}

/// The time of the host that a search of an outside engine may take.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct HostLimit {
    /// With `--engine`: time of the host's clock that a search may take
    #[arg(long, value_name = "SECONDS", default_value_t = 600, requires = "engine",
        value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    host_limit: u64,
}

impl HostLimit {
    pub(super) fn time(self) -> Duration {
        Duration::from_secs(self.host_limit)
    }
}

/// Whether lines of a position file that are no positions are left out.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct SkipBad {
    /// Leave out the lines of the position file that are no positions, and say how many
    #[arg(long)]
    skip_bad: bool,
}

impl SkipBad {
    /// The positions of a set of the program or of a file, whose FENs `read` reads.
    pub(super) fn load(self, read: ReadFen, set: &str) -> Result<Vec<TestPosition>, ResolveError> {
        let bad_lines = if self.skip_bad { BadLines::LeaveOut } else { BadLines::Refuse };
        let found = load_set(read, set, bad_lines).map_err(|error| match error {
            error @ PositionsError::Lines { .. } => ResolveError::BadLines(error),
            error => ResolveError::from(error),
        })?;
        for remark in &found.remarks {
            say(format_args!("ttd: {remark}"));
        }
        Ok(found.positions)
    }
}

/// The position of a FEN as `parse` reads it; the start of the game if there is none.
pub(super) fn position(
    fen: Option<&str>,
    parse: impl FnOnce(&str) -> Result<Board, String>,
) -> Result<Board, Usage> {
    fen.map_or_else(|| Ok(Board::default()), parse).map_err(|why| Usage(format!("FEN: {why}")))
}
