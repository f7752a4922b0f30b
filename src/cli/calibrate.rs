//! `ttd calibrate`: the costs of virtual cores, as measured here, in the form of an experiment
//! file.

use super::values::{check_hash, depth_parser};
use super::{Exit, interrupt, plain, say, tell};
use crate::calibration::{Calibration, CalibrationError, Workload, calibrate};
use crate::records::cores_usable;
use clap::Args;
use std::fmt::Write as _;
use std::io::Write;
use ttd_search::positions;
use ttd_search::searchers::Searcher;

#[derive(Debug, Args)]
pub(super) struct CalibrateArgs {
    /// Depth of every search
    #[arg(long, short, default_value_t = 14, value_parser = depth_parser())]
    depth: u8,
    /// A position set of the program, or an EPD file
    #[arg(long, value_name = "NAME|FILE.epd", default_value = "bratko-kopec")]
    positions: String,
    #[arg(long, help = format!("Searchers whose slowdown is measured, comma separated. Split points \
        are measured with {} only", Searcher::usual()), value_name = "NAMES", value_delimiter = ',', value_parser = parallel,
        default_values_t = Searcher::parallel())]
    searchers: Vec<Searcher>,
    /// Size of the transposition table
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    hash: u64,
    /// Number of times that everything is measured
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
}

pub(super) fn run(args: &CalibrateArgs) -> anyhow::Result<Exit> {
    let hash_mib = check_hash(args.hash)?;
    let cores = cores_usable();
    let positions = positions::load(&args.positions)?;
    let (positions, searchers) = (&positions, &args.searchers);
    let CalibrateArgs { depth, runs, .. } = *args;
    let workload = Workload { positions, searchers, depth, hash_mib, runs, cores };
    let said = |what: &str| tell(format_args!("ttd: {what}"));
    match calibrate(&workload, interrupt::flag()?, said) {
        Ok(calibration) => {
            write!(plain::stdout(), "{}", text(&calibration, args))?;
            for doubt in calibration.doubts() {
                say(format_args!("ttd: in doubt: {doubt}. Calibrate again"));
            }
            Ok(Exit::Done)
        }
        Err(CalibrationError::Interrupted) => Ok(Exit::Interrupted),
        Err(error) => Err(error.into()),
    }
}

fn parallel(name: &str) -> Result<Searcher, String> {
    let searcher: Searcher = name.parse()?;
    if searcher.takes_one_thread() {
        return Err("it has one worker, and no other worker slows it down".to_owned());
    }
    Ok(searcher)
}

/// The costs as sections of an experiment file. Each number has its source as a comment before it.
fn text(calibration: &Calibration, args: &CalibrateArgs) -> String {
    let CalibrateArgs { positions, depth, hash, runs, .. } = args;
    let searchers = args.searchers.iter().map(|s| s.name()).collect::<Vec<_>>().join(",");
    let mut text = format!(
        "# Measured by `ttd calibrate --searchers {searchers} --positions {positions} --depth {depth} \
         --hash {hash} --runs {runs}`.\n"
    );
    for doubt in calibration.doubts() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "# In doubt: {doubt}.");
    }
    let costs = toml::Table::try_from(&calibration.costs).unwrap_or_default();
    section(&mut text, "virtual", &costs, calibration);
    text
}

/// The costs of a table, and then those of the tables in it.
fn section(text: &mut String, name: &str, costs: &toml::Table, calibration: &Calibration) {
    let (tables, numbers): (Vec<_>, Vec<_>) = costs.iter().partition(|(_, value)| value.is_table());
    // Writing to a string cannot fail.
    let _ = writeln!(text, "[{name}]");
    for (key, value) in numbers {
        let path = format!("{name}.{key}");
        let of = |known: &str| path.strip_prefix("virtual.") == Some(known);
        let how = calibration.evidence.iter().find(|(known, _)| of(known));
        let how = how.map_or("the default: not measured", |(_, how)| how);
        let _ = writeln!(text, "# {how}\n{key} = {value}");
    }
    for (own, costs) in tables {
        let costs = costs.as_table().cloned().unwrap_or_default();
        section(text, &format!("{name}.{own}"), &costs, calibration);
    }
}
