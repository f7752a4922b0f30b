//! `ttd calibrate`: the costs of virtual cores, as measured here, in the form of an experiment
//! file.

mod price;

use super::output::{Output, Results};
use super::values::{HostLimit, SkipBad, check_hash, depth_parser};
use super::{Exit, interrupt, say, tell};
use crate::calibration::{Calibration, CalibrationError, Workload, calibrate};
use crate::records::cores_usable;
use crate::report::columns::columns;
use clap::Args;
use price::{Hooked, Searches};
use std::fmt::Write as _;
use ttd_search::positions::parse_fen;
use ttd_search::searchers::Searcher;

#[derive(Debug, Args)]
pub(super) struct CalibrateArgs {
    /// The price of an outside engine's instructions on virtual cores, and nothing else. `plain=`
    /// names its build without a hook: "name=mine command=./hooked plain=./plain"
    #[arg(long, value_name = "SPEC", conflicts_with_all = ["searchers", "caches"])]
    engine: Option<Hooked>,
    /// Depth of every search [default: 14; of an outside engine the first that takes 0.2 s]
    #[arg(long, short, value_parser = depth_parser())]
    depth: Option<u8>,
    /// A position set of the program, or an EPD file
    #[arg(long, value_name = "NAME|FILE.epd", default_value = "bratko-kopec")]
    positions: String,
    #[command(flatten)]
    skip_bad: SkipBad,
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
    /// Also measure a cache line between two cores: `[virtual.cache]`. Slowdowns are then what such
    /// lines do not explain
    #[arg(long)]
    caches: bool,
    #[command(flatten)]
    host_limit: HostLimit,
    #[command(flatten)]
    output: Output,
}

/// A cost: the section of the experiment file, the key, the number, and how it was found.
struct Cost<'a> {
    section: String,
    key: String,
    number: i64,
    how: Option<&'a str>,
}

columns! {
    /// The columns of the costs.
    fn columns<'a>(of: &'a Cost<'a>);

    Words "section" = of.section.as_str();
    Words "key" = of.key.as_str();
    Whole "value" = of.number as f64;
    Words "measured" = of.how.unwrap_or_default();
}

/// The default depth of our own searches.
const DEPTH: u8 = 14;

pub(super) fn run(args: &CalibrateArgs) -> anyhow::Result<Exit> {
    let hash_mib = check_hash(args.hash)?;
    let cores = cores_usable();
    let positions = args.skip_bad.load(parse_fen, &args.positions)?;
    if let Some(engine) = &args.engine {
        let CalibrateArgs { depth, runs, output, .. } = *args;
        let host_limit = args.host_limit.time();
        let searches = Searches { positions: &positions, depth, hash_mib, runs, host_limit };
        return price::run(engine, &searches, output);
    }
    let (positions, searchers) = (&positions, &args.searchers);
    let CalibrateArgs { runs, caches, .. } = *args;
    let depth = args.depth.unwrap_or(DEPTH);
    let workload = Workload { positions, searchers, depth, hash_mib, runs, cores, caches };
    let said = |what: &str| tell(format_args!("ttd: {what}"));
    match calibrate(&workload, interrupt::flag()?, said) {
        Ok(calibration) => {
            let costs = costs(&calibration);
            let results = Results::new("costs", columns().file(&costs))
                .with("in_doubt", calibration.doubts());
            args.output.print(|| text(&calibration, &costs, args), &results)?;
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

/// The costs, section by section.
fn costs(calibration: &Calibration) -> Vec<Cost<'_>> {
    let costs = toml::Table::try_from(&calibration.costs).unwrap_or_default();
    let mut all = Vec::new();
    section(&mut all, "virtual", &costs, calibration);
    all
}

/// The costs of a table, and then those of the tables in it.
fn section<'a>(
    all: &mut Vec<Cost<'a>>,
    name: &str,
    costs: &toml::Table,
    calibration: &'a Calibration,
) {
    for (key, value) in costs {
        let Some(number) = value.as_integer() else { continue };
        let path = format!("{name}.{key}");
        let of = |known: &str| path.strip_prefix("virtual.") == Some(known);
        let how = calibration.evidence.iter().find(|(known, _)| of(known));
        let how = how.map(|(_, how)| how.as_str());
        all.push(Cost { section: name.to_owned(), key: key.clone(), number, how });
    }
    for (own, costs) in costs {
        if let Some(costs) = costs.as_table() {
            section(all, &format!("{name}.{own}"), costs, calibration);
        }
    }
}

/// The costs as sections of an experiment file. Each number has its source as a comment before it.
fn text(calibration: &Calibration, costs: &[Cost<'_>], args: &CalibrateArgs) -> String {
    let CalibrateArgs { positions, hash, runs, .. } = args;
    let depth = args.depth.unwrap_or(DEPTH);
    let searchers = args.searchers.iter().map(|s| s.name()).collect::<Vec<_>>().join(",");
    let mut text = format!(
        "# Measured by `ttd calibrate --searchers {searchers} --positions {positions} --depth {depth} \
         --hash {hash} --runs {runs}{}`.\n",
        if args.caches { " --caches" } else { "" }
    );
    for doubt in calibration.doubts() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "# In doubt: {doubt}.");
    }
    let mut before = "";
    for Cost { section, key, number, how } in costs {
        if section != before {
            let _ = writeln!(text, "[{section}]");
            before = section;
        }
        let how = how.unwrap_or("the default: not measured");
        let _ = writeln!(text, "# {how}\n{key} = {number}");
    }
    text
}
