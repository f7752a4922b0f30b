//! A partial match, from a TOML file or from options: any part of it, unchecked.

use super::adjudication::Adjudication;
use super::spec::{RunningRating, SprtTerms};
use crate::records::{NumberList, Said};
use serde::Deserialize;
use ttd_search::value::Table;

/// A partial match. Numbers are as wide as TOML's. So an impossible one is refused with a reason,
/// and not with the name of a type.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "each is the field of the same name of `Match` or `Entry`")]
pub struct PartialMatch {
    pub name: Option<String>,
    pub format: Option<String>,
    pub games: Option<i64>,
    pub openings: Option<String>,
    pub time_control: Option<String>,
    pub nodes: Option<i64>,
    pub depth: Option<i64>,
    pub move_time_s: Option<f64>,
    pub by_depth: Option<NumberList>,
    pub time_margin_ms: Option<i64>,
    pub move_limit_s: Option<i64>,
    pub threads: Option<i64>,
    pub hash_mib: Option<i64>,
    pub concurrency: Option<i64>,
    pub seed: Option<i64>,
    pub adjudication: Option<Adjudication>,
    pub running_rating: Option<RunningRating>,
    pub sprt: Option<SprtTerms>,
    pub effective_speedup: Option<bool>,
    pub entries: Option<Vec<PartialEntry>>,
}

/// A partial entry. It has a `searcher`, or a `command` and the other keys of an outside engine.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
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
    pub protocol: Option<toml::Value>,
    pub threads_option: Option<toml::Value>,
    pub hash_option: Option<toml::Value>,
    pub depth_command: Option<toml::Value>,
    pub raw: Option<toml::Value>,
    pub options: Option<toml::Value>,
}

impl Said for PartialMatch {
    fn over(self, other: PartialMatch) -> PartialMatch {
        PartialMatch {
            name: self.name.or(other.name),
            format: self.format.or(other.format),
            games: self.games.or(other.games),
            openings: self.openings.or(other.openings),
            time_control: self.time_control.or(other.time_control),
            nodes: self.nodes.or(other.nodes),
            depth: self.depth.or(other.depth),
            move_time_s: self.move_time_s.or(other.move_time_s),
            by_depth: self.by_depth.or(other.by_depth),
            time_margin_ms: self.time_margin_ms.or(other.time_margin_ms),
            move_limit_s: self.move_limit_s.or(other.move_limit_s),
            threads: self.threads.or(other.threads),
            hash_mib: self.hash_mib.or(other.hash_mib),
            concurrency: self.concurrency.or(other.concurrency),
            seed: self.seed.or(other.seed),
            adjudication: self.adjudication.or(other.adjudication),
            running_rating: self.running_rating.or(other.running_rating),
            sprt: self.sprt.or(other.sprt),
            effective_speedup: self.effective_speedup.or(other.effective_speedup),
            entries: self.entries.or(other.entries),
        }
    }

    fn option(&self, keys: &[&str]) -> Option<String> {
        let option = match keys {
            ["games"] => self.games.map(|_| "--games"),
            ["concurrency"] => self.concurrency.map(|_| "--concurrency"),
            ["seed"] => self.seed.map(|_| "--seed"),
            ["by_depth"] => self.by_depth.as_ref().map(|_| "--by-depth"),
            ["threads"] => self.threads.map(|_| "--threads"),
            ["hash_mib"] => self.hash_mib.map(|_| "--hash"),
            ["effective_speedup"] => self.effective_speedup.map(|_| "--effective-speedup"),
            ["entries", ..] => self.entries.as_ref().map(|_| "--searchers"),
            _ => None,
        };
        option.map(str::to_owned)
    }
}

impl PartialEntry {
    /// The part for an outside engine: the keys that [`crate::uci::EngineSpec`] has too.
    pub(super) fn outside(&self) -> toml::Table {
        let keys = [
            ("command", &self.command),
            ("protocol", &self.protocol),
            ("threads_option", &self.threads_option),
            ("hash_option", &self.hash_option),
            ("depth_command", &self.depth_command),
            ("raw", &self.raw),
            ("options", &self.options),
        ];
        let said =
            |(key, value): (&str, &Option<toml::Value>)| Some((key.to_owned(), value.clone()?));
        keys.into_iter().filter_map(said).collect()
    }
}
