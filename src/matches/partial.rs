//! A partial match, from a TOML file or from options: any part of it, unchecked.

use super::adjudication::Adjudication;
use super::spec::{RunningRating, SprtTerms};
use crate::records::{NumberList, partial, whole};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use ttd_search::value::Table;

partial! {
    /// A partial match. Numbers are as wide as TOML's. So an impossible one is refused with a
    /// reason, and not with the name of a type. A key is the field of the same name of `Match` or
    /// `Entry`.
    PartialMatch;
    #[arg(skip)]
    name: String,
    #[arg(skip)]
    format: String,
    /// Games of each pairing (an even number) [default: 100]
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true, display_order = 4)]
    games: i64,
    #[arg(skip)]
    openings: String,
    /// Leave out the lines of the opening file that are no positions, and say how many
    #[arg(long, num_args = 0, default_missing_value = "true", display_order = 6)]
    skip_bad: bool,
    #[arg(skip)]
    time_control: String,
    #[arg(skip)]
    nodes: i64,
    #[arg(skip)]
    depth: i64,
    #[arg(skip)]
    move_time_s: f64,
    /// Play at fixed depths, such as 1..8 or 2,4,6, to measure the cost of a move there
    #[arg(long, value_name = "DEPTHS", display_order = 0)]
    by_depth: NumberList,
    #[arg(skip)]
    time_margin_ms: i64,
    #[arg(skip)]
    move_limit_s: i64,
    /// Threads of every entry that does not say how many [default: 1]
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true, display_order = 2)]
    threads: i64,
    /// Size of the table of every entry that does not say how large [default: 64]
    #[arg(long = "hash", value_name = "MIB", value_parser = whole, allow_negative_numbers = true, display_order = 3)]
    hash_mib: i64,
    /// Games played at once [default: as many as there are cores for]
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true, display_order = 5)]
    concurrency: i64,
    /// Seed of the order of the openings [default: 1]
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true, display_order = 6)]
    seed: i64,
    #[arg(skip)]
    adjudication: Adjudication,
    #[arg(skip)]
    running_rating: RunningRating,
    #[arg(skip)]
    sprt: SprtTerms,
    /// Find the factor of time with which the first of two entries is as strong as the second
    #[arg(long, num_args = 0, default_missing_value = "true", conflicts_with = "by_depth", display_order = 9)]
    effective_speedup: bool,
    /// Searchers with which our own engine plays, comma separated, instead of the file's entries
    #[arg(long = "searchers", value_name = "LIST", value_delimiter = ',', value_parser = PartialEntry::ours, display_order = 1)]
    entries: Vec<PartialEntry>,
}

/// A partial entry. It has a `searcher`, or a `command` and the other keys of an outside engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "each is the field of the same name of `Entry` or `EngineSpec`")]
pub struct PartialEntry {
    pub name: Option<String>,
    pub role: Option<String>,
    pub rating: Option<f64>,
    pub time_control: Option<String>,
    pub nodes: Option<i64>,
    pub depth: Option<i64>,
    pub move_time_s: Option<f64>,
    pub time_factor: Option<f64>,
    pub threads: Option<i64>,
    pub hash_mib: Option<i64>,
    pub searcher: Option<String>,
    pub engine: Option<Table>,
    pub parameters: Option<Table>,
    pub command: Option<toml::Value>,
    pub dir: Option<toml::Value>,
    pub environment: Option<toml::Value>,
    pub start_limit_s: Option<toml::Value>,
    pub ready_limit_s: Option<toml::Value>,
    pub stop_limit_s: Option<toml::Value>,
    pub protocol: Option<toml::Value>,
    pub threads_option: Option<toml::Value>,
    pub hash_option: Option<toml::Value>,
    pub depth_command: Option<toml::Value>,
    pub raw: Option<toml::Value>,
    pub options: Option<toml::Value>,
}

/// The keys that an entry shares with [`crate::uci::EngineSpec`].
const OUTSIDE: [&str; 12] = [
    "command",
    "dir",
    "environment",
    "start_limit_s",
    "ready_limit_s",
    "stop_limit_s",
    "protocol",
    "threads_option",
    "hash_option",
    "depth_command",
    "raw",
    "options",
];

impl PartialEntry {
    /// Our engine with a searcher, and its name.
    #[allow(clippy::unnecessary_wraps, reason = "as all that read an option")]
    fn ours(searcher: &str) -> Result<PartialEntry, Infallible> {
        let name = Some(searcher.to_owned());
        Ok(PartialEntry { searcher: name.clone(), name, ..PartialEntry::default() })
    }

    /// The part for an outside engine.
    pub(super) fn outside(&self) -> toml::Table {
        let mut table = toml::Table::try_from(self).expect("every key has a TOML form");
        table.retain(|key, _| OUTSIDE.contains(&key));
        table
    }
}
