//! The arguments of `ttd run`, and the checks that other commands share.

use crate::cli::Usage;
use crate::cli::tabular::Format;
use crate::experiment::{MAX_THREADS, Opening, Options};
use crate::records::{memory_available_mib, whole};
use clap::Args;
use clap::builder::TypedValueParser;
use std::path::PathBuf;
use ttd_search::search::MAX_DEPTH;

/// Options override the file, and the file the defaults.
#[derive(Debug, Args)]
pub(in crate::cli) struct RunArgs {
    /// The experiment (TOML); without one, the defaults are a complete experiment
    pub(super) experiment: Option<PathBuf>,
    #[command(flatten)]
    pub(super) said: Options,
    /// Samples taken at once, on virtual cores: the same results, sooner
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = jobs_parser(), display_order = 12)]
    pub(super) jobs: u16,
    /// On virtual cores: afterwards the same again with each cost halved and doubled
    #[arg(long, display_order = 13)]
    pub(super) sensitivity: bool,
    /// Results directory [default: results/NAME]
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Discard what the results directory holds
    #[arg(long)]
    pub(super) fresh: bool,
    /// Go on although the samples there were taken by another build or on another machine
    #[arg(long)]
    pub(super) mixed: bool,
    /// Print the summary for other programs, as `ttd report --format` does
    #[arg(long, value_name = "FORMAT")]
    pub(super) format: Option<Format>,
    /// Print the plan as CSV, and measure nothing
    #[arg(long)]
    pub(super) dry_run: bool,
}

impl RunArgs {
    pub(super) fn opening(&self) -> Opening {
        Opening { fresh: self.fresh, mixed: self.mixed }
    }
}

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
pub(in crate::cli) fn depth_parser() -> impl TypedValueParser<Value = u8> {
    from_one_to(MAX_DEPTH.into())
}

/// Numbers of workers.
pub(in crate::cli) fn threads_parser() -> impl TypedValueParser<Value = u16> {
    from_one_to(MAX_THREADS as i64)
}

/// Numbers of samples taken at once.
pub(in crate::cli) fn jobs_parser() -> impl TypedValueParser<Value = u16> {
    from_one_to(1024)
}

/// A size of the table that there is memory for.
pub(in crate::cli) fn check_hash(mib: u64) -> Result<usize, Usage> {
    let most = memory_available_mib().unwrap_or(u64::MAX >> 20);
    if (1..=most).contains(&mib) {
        return Ok(mib as usize);
    }
    Err(Usage(format!(
        "--hash: {mib} found, 1 to {most} expected (the memory that is available, in MiB)"
    )))
}
