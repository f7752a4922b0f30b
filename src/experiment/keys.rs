//! The keys of an experiment, each declared once: a new one touches this file and where it is used.

use super::earlier::Earlier;
use super::published::Published;
use super::variant::{PartialVariant, Variant};
use crate::records::{
    CoresKind, NumberList, Pin, Shard, as_said, keys, percent, seconds, seconds_in, whole, whole_in,
};
use crate::uci::{EngineCores, EngineSpec};
use serde::{Deserialize, Serialize};
use std::ops::{Not, RangeInclusive};
use ttd_search::engine::Techniques;
use ttd_search::search::MAX_DEPTH;
use ttd_search::searchers::{Costs, Searcher, Settings};
use ttd_search::value::Table;

/// The measurement that a speedup is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Base {
    /// Each competitor itself at one thread.
    SameSearcher,
    /// The searcher `sequential`.
    Sequential,
}

impl Base {
    /// The base in words.
    pub const fn words(self) -> &'static str {
        match self {
            Base::SameSearcher => "the same searcher at one thread",
            Base::Sequential => "the sequential searcher",
        }
    }
}

/// Time limits, seconds.
pub(super) const TIME_LIMITS_S: RangeInclusive<f64> = 0.001..=1_000_000.0;

keys! {
    /// A resolved experiment: nothing of it is left to a default. Written as `experiment.toml`, and
    /// the same experiment again when read back.
    Experiment;
    /// The parts of an experiment that a user names. Numbers are as wide as TOML's, so that an
    /// impossible one is refused with a reason and not with the name of a type. Options give such
    /// parts too.
    PartialExperiment;

    /// names the results directory `results/NAME`. Experiments that differ in it alone are the same
    name: String = "default".to_owned();
        said String;
        page "text", default "the file's name without `.toml`; `default` without a file. Options that make another experiment add `-` and a hash of six digits, and without a file it is `run-` and the hash";
        option {
            /// Name of the experiment [default: the file's name, and a hash of what options change]
            #[arg(long, help_heading = "Results", display_order = 17)]
        }
    /// the name of a position set of the program, or the path of an EPD file, relative to this file
    positions: String = "middlegames".to_owned();
        said String;
        page "text";
        option named {
            /// A position set of the program, or an EPD file [default: middlegames]
            #[arg(long, value_name = "NAME|FILE.epd", help_heading = "What is measured", display_order = 4)]
        }
    /// the positions to take: ids, beginnings that only one id has, or numbers in the set from 1. A
    /// range such as `3-7` has these numbers. Written as ids in the order of the set. Empty: all
    only: Vec<String> = Vec::new();
        said Vec<String>;
        page "array of text";
        option named {
            /// Only these positions: ids, beginnings of ids, or numbers in the set such as 1-5,8
            #[arg(long, value_name = "LIST", help_heading = "What is measured", display_order = 5)]
        }
    /// whether lines of the position file that are no positions are left out, and counted. Else
    /// they are refused. Experiments that differ in it alone are the same. Written only if it is
    /// `true`
    skip_bad: bool = false;
        said bool;
        page "boolean", default "`false`";
        file serde(default, skip_serializing_if = "Not::not");
        taken as_said;
        option {
            /// Leave out the lines of the position file that are no positions, and say how many
            #[arg(long, num_args = 0, default_missing_value = "true", help_heading = "What is measured", display_order = 5)]
        }
    /// our searchers that are compared; each once
    searchers: Vec<Searcher> = Searcher::compared().to_vec();
        said Vec<String>;
        page "array of text", default "`[\"ybwc\", \"lazy-smp\"]`; with `[[engines]]` or `[[variants]]` none";
        option named {
            #[arg(
                long,
                value_name = "LIST",
                value_delimiter = ',',
                help = format!(
                    "Searchers, comma separated; `ttd searchers` lists them [default: {}]",
                    Searcher::compared().map(Searcher::name).join(",")
                ),
                help_heading = "What is measured", display_order = 2
            )]
        }
    /// numbers of workers, 1 to 1024; each once, ascending. `sequential` always runs at one thread
    threads: Vec<usize> = vec![1, 2, 4, 8];
        said NumberList;
        page "array of integers, or text such as `\"1-16\"` or `\"1,2,4\"`";
        option named {
            /// Numbers of threads, such as 1,2,4,8 or 1-16 [default: 1,2,4,8]
            #[arg(long, value_name = "LIST", allow_hyphen_values = true, help_heading = "What is measured", display_order = 0)]
        }
    /// the iteration whose end is timed, 1 to 100
    depth: u8 = 20;
        said i64;
        page "integer";
        taken whole_in(1..=MAX_DEPTH.into());
        option named {
            /// Depth to which positions are searched [default: 20]
            #[arg(long, short, value_name = "PLIES", value_parser = whole, allow_negative_numbers = true, help_heading = "What is measured", display_order = 1)]
        }
    /// number of rounds, each with one sample of each cell, at least 1. With `until` it is the
    /// greatest number, at least 6
    runs: u32 = 6;
        said i64;
        page "integer", default "`6`; with `until` `96`";
        option {
            /// Number of rounds, each with one sample of each cell [default: 6; with --until the
            /// greatest number, 96]. More than before go on with the results there are
            #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true, help_heading = "What is measured", display_order = 6)]
        }
    /// the width that every 95% `ci_runs` of a geometric-mean speedup must be below: its whole
    /// width over the speedup, 0.001 to 1. Rounds go on until every searcher and number of threads
    /// is below it. It is looked at after 6, 12, 24, ... rounds and after `runs`
    /// ([measuring.md](measuring.md#enough-rounds)). Written only if it was given
    until: Option<f64> = None;
        said f64;
        page "number", default "none: `runs` rounds";
        file serde(default, skip_serializing_if = "Option::is_none");
        option named {
            /// Go on until the 95% `ci_runs` of every geometric-mean speedup is narrower than this:
            /// its whole width over the speedup. It is looked at after 6, 12, 24, ... rounds,
            /// --runs at most
            #[arg(long, value_name = "PERCENT", value_parser = percent, allow_hyphen_values = true, help_heading = "What is measured", display_order = 7)]
        }
    /// size of the transposition table, MiB; at most the memory that is available
    hash_mib: usize = 256;
        said i64;
        page "integer";
        option named {
            /// Size of the transposition table [default: 256]
            #[arg(long = "hash", value_name = "MIB", value_parser = whole, allow_negative_numbers = true, help_heading = "How it is measured", display_order = 8)]
        }
    /// the time after which a sample is stopped and counts as censored, seconds, 0.001 to 1000000
    time_limit_s: f64 = 120.0;
        said f64;
        page "number";
        taken seconds_in(TIME_LIMITS_S);
        option named {
            /// Time after which a sample is stopped and counts as censored [default: 120]
            #[arg(long = "time-limit", value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true, help_heading = "How it is measured", display_order = 9)]
        }
    /// the time of the host's processors after which a sample on virtual cores is `failed`,
    /// seconds, 0.001 to 1000000. For an outside engine it is the time of the host's clock. It is
    /// not kept with real cores
    host_limit_s: Option<f64> = None;
        said f64;
        page "number", default "`3600.0`";
        file serde(default, skip_serializing_if = "Option::is_none");
        option { #[arg(skip)] }
    /// `"real"`: threads and the wall clock; `"virtual"`: coroutines and a simulated clock
    cores: CoresKind = CoresKind::Real;
        said String;
        page "text";
        option named {
            /// Kind of cores: real (threads) or virtual (a simulated clock) [default: real]
            #[arg(long, value_name = "KIND", help_heading = "How it is measured", display_order = 10)]
        }
    /// the factor by which the time of real workers is dilated, 1 to 10000
    /// ([measuring.md](measuring.md#dilated-time)). Each rests so long that many of them can share
    /// few cores, and all times are divided by it. At least 4 x `threads` / cores of the machine.
    /// Written only if it was given
    dilate: Option<u64> = None;
        said i64;
        page "integer", default "none: workers do not rest";
        file serde(default, skip_serializing_if = "Option::is_none");
        option named {
            /// Dilate time on real cores by this factor: workers rest, so that many of them can
            /// share few cores. Times are divided by it. At least 4 x threads / cores
            #[arg(long, value_name = "FACTOR", value_parser = whole, allow_negative_numbers = true, help_heading = "How it is measured", display_order = 12)]
        }
    /// with `dilate`: the number of nodes between two rests of a worker, 1 to 1000000. Written only
    /// with `dilate`
    dilate_nodes: Option<u64> = None;
        said i64;
        page "integer", default "`256`; none without `dilate`";
        file serde(default, skip_serializing_if = "Option::is_none");
        option named {
            /// With --dilate: nodes between two rests of a worker [default: 256]
            #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true, help_heading = "How it is measured", display_order = 13)]
        }
    /// seed of the order of samples and of every random choice, at least 0
    seed: u64 = 1;
        said i64;
        page "integer";
        taken whole_in(0..=i64::MAX);
        option named {
            /// Seed of the order of samples and of every random choice [default: 1]
            #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true, help_heading = "How it is measured", display_order = 14)]
        }
    /// the base of a speedup: `"same-searcher"` (at one thread, which must be in `threads`) or
    /// `"sequential"` (which must be in `searchers`). `"sequential"` is refused with `[[engines]]`
    /// or `[[variants]]`, which are compared with themselves
    base: Base = Base::SameSearcher;
        said String;
        page "text";
        option named {
            /// Base of a speedup: same-searcher (at one thread) or sequential
            #[arg(long, value_name = "BASE", help_heading = "What is measured", display_order = 15)]
        }
    /// with variants: the searcher or variant that all of ours are compared with, by name
    /// ([`variants.csv`](formats-derived.md#variantscsv))
    reference: Option<String> = None;
        said String;
        page "text", default "the first";
        file serde(default, skip_serializing_if = "Option::is_none");
        option { #[arg(skip)] }
    /// the part that this directory has, such as `"3/16"`: the third of 16
    /// ([cluster.md](cluster.md)). On real cores each part has some positions with all their
    /// samples, on virtual cores every 16th sample. Written only if there is one
    shard: Option<Shard> = None;
        said String;
        page "text", default "none: the whole";
        file serde(default, skip_serializing_if = "Option::is_none");
        option {
            /// Measure only part K of N, such as 3/16: `ttd merge` puts the parts together
            #[arg(long, value_name = "K/N", help_heading = "What is measured", display_order = 16)]
        }
    /// processors: one for each of our workers, in turn, and all of them for an outside engine.
    /// `"cores"` takes one of each core first ([which order](measuring.md#shared-cores)). Written
    /// as an array, only if there are any
    pin: Vec<usize> = Vec::new();
        said Pin;
        page "array of integers, or text", default "any";
        file serde(default, skip_serializing_if = "Vec::is_empty");
        option named {
            /// Processors to run on, such as 0,1 or 0-3: one for each worker, in turn, and all of
            /// them for an outside engine. The word cores: all, one of each core first
            #[arg(long, value_name = "CPUS", help_heading = "How it is measured", display_order = 11)]
        }
    /// whether [`workers.csv`](#workerscsv) and [`depths.csv`](#depthscsv) are written too, and the
    /// report has tables of them. Written only if it is `true`
    detail: bool = false;
        said bool;
        page "boolean", default "`false`";
        file serde(default, skip_serializing_if = "Not::not");
        taken as_said;
        option named {
            /// Also keep the figures of each worker, and the table's hits by depth
            #[arg(long, num_args = 0, default_missing_value = "true", help_heading = "How it is measured", display_order = 16)]
        }
    /// the engine's techniques: `preset` (`"default"`, `"exact"`, `"plain"`) and what differs from
    /// it: [parameters.md](parameters.md)
    engine: Techniques = Techniques::default();
        said Table;
        page "table", default "the preset `default`", key "`[engine]`";
        option { #[arg(skip)] }
    /// the searchers' own [parameters](parameters-searchers.md)
    searcher: Settings = Settings::default();
        said Settings;
        page "tables", default "each searcher's", key "`[searcher.NAME]`";
        option { #[arg(skip)] }
    /// the cost model of [virtual cores](#virtual), for all searchers or for one. It is checked,
    /// but not kept, with real cores
    costs: Option<Costs> = None;
        said Table;
        page "tables", default "see there", key "`[virtual]`, `[virtual.NAME]`";
        called "virtual";
        file serde(default, skip_serializing_if = "Option::is_none");
        option { #[arg(skip)] }
    /// the virtual cores of outside engines. Written only with virtual cores and outside engines.
    /// Refused with real cores
    virtual_engines: Option<EngineCores> = None;
        said Table;
        page "table", default "see there", key "[`[virtual_engines]`](#virtual_engines)";
        file serde(default, skip_serializing_if = "Option::is_none");
        option { #[arg(skip)] }
    /// figures of another author, which the report shows beside its own. Experiments that differ in
    /// them alone are the same
    published: Option<Published> = None;
        said Published;
        page "table", default "none", key "[`[published]`](#published)";
        file serde(default, skip_serializing_if = "Option::is_none");
        option { #[arg(skip)] }
    /// cells and rounds that it had before positions or threads were added; they come first in the
    /// plan. A run that goes on with a results directory writes it
    earlier: Vec<Earlier> = Vec::new();
        said Vec<Earlier>;
        page "tables", default "none", key "`[[earlier]]`";
        file serde(default, skip_serializing_if = "Vec::is_empty");
        taken as_said;
        option { #[arg(skip)] }
    /// our own engine with other settings, compared in the same sweep
    variants: Vec<Variant> = Vec::new();
        said Vec<PartialVariant>;
        page "tables", default "none", key "[`[[variants]]`](#variants)";
        file serde(default, skip_serializing_if = "Vec::is_empty");
        option { #[arg(skip)] }
    /// outside engines that are compared: [engines.md](engines.md). Programs are written as
    /// absolute paths, or as names on `PATH`
    engines: Vec<EngineSpec> = Vec::new();
        said Vec<EngineSpec>;
        page "tables", default "none", key "`[[engines]]`";
        file serde(default, skip_serializing_if = "Vec::is_empty");
        option named {
            /// An outside engine: a command such as "gnuchess -u", or keys such as "name=old
            /// command=./engine-old option.OwnBook=false". The option may be repeated. Without
            /// --searchers, only outside engines are measured
            #[arg(long = "engine", value_name = "SPEC", help_heading = "What is measured", display_order = 3)]
        }
}
