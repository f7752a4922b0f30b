//! A resolved match, with every choice written out.

use super::adjudication::Adjudication;
use super::time_control::Pace;
use crate::experiment::simulation_mib;
use crate::records::{CoresKind, Shard};
use crate::uci::{EngineCores, EngineSpec};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use ttd_search::engine::Techniques;
use ttd_search::positions::TestPosition;
use ttd_search::searchers::{Costs, Searcher};
use ttd_search::value::Table;

/// The file of a results directory that holds the resolved match.
pub const MATCH: &str = "match.toml";

/// A resolved match: no key is left to a default. It is written as `match.toml`; when that file is
/// read, the result is an equal match.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Match {
    /// The name; the results go to `results/NAME` unless an option says otherwise.
    pub name: String,
    /// The pairings: a gauntlet, a round robin, or those that the entries name.
    pub format: Format,
    /// The games of each pairing, an even number: each opening is played twice, colours reversed.
    /// At fixed depths, it is the number of games at each depth.
    pub games: u32,
    /// An opening set of the program, by name, or the path of a file in EPD or PGN.
    pub openings: String,
    /// The depths of a match at fixed depths, ascending; empty: each entry has its own pace.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by_depth: Vec<u8>,
    /// The milliseconds by which a player may overstep its time before it loses.
    pub time_margin_ms: u64,
    /// The longest move of a player without a clock, in seconds. It loses by a longer one.
    pub move_limit_s: u64,
    /// The kind of cores on which entries play. On virtual ones their clocks count virtual time. So
    /// do those of outside engines with a price. Others play on real cores, without a clock.
    #[serde(skip_serializing_if = "is_real")]
    pub cores: CoresKind,
    /// The processor time of the host that a move on virtual cores may take, in seconds. Beyond it
    /// the game is void.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_limit_s: Option<f64>,
    /// The costs of virtual cores.
    #[serde(rename = "virtual", skip_serializing_if = "Option::is_none")]
    pub costs: Option<Costs>,
    /// The virtual cores of outside engines; none if none of them plays on such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virtual_engines: Option<EngineCores>,
    /// The number of games played at once (at least 1).
    pub concurrency: usize,
    /// The seed of the order of the openings.
    pub seed: u64,
    /// The terms on which scores end a game.
    pub adjudication: Adjudication,
    /// The terms of ratings that move after each game; none: no such ratings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub running_rating: Option<RunningRating>,
    /// The terms on which the match is decided before its end; none: it is played to the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtTerms>,
    /// Whether it is a search for an effective speedup. That is the factor of the first entry's
    /// time at which it is as strong as the second.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub effective_speedup: bool,
    /// The part of the match that this directory has: some openings with all their games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The entries: at least two.
    pub entries: Vec<Entry>,
}

/// The pairings of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Every challenger against every opponent.
    Gauntlet,
    /// Every entry against every other.
    RoundRobin,
    /// Every entry against those that it names.
    Named,
}

impl Format {
    /// Whether some entries are challengers, and the others opponents.
    pub const fn has_roles(self) -> bool {
        matches!(self, Format::Gauntlet)
    }
}

/// The role of an entry in a gauntlet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Plays every opponent.
    Challenger,
    /// Plays every challenger.
    Opponent,
}

/// A rating that moves after each game by K (score - expected score).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunningRating {
    /// The rating of every challenger at the start, Elo.
    pub start: f64,
    /// The values of K, each above 0.
    #[serde(default = "published_k")]
    pub k: Vec<f64>,
}

/// The values of K that the thesis published.
fn published_k() -> Vec<f64> {
    vec![10.0, 20.0, 30.0]
}

/// The bounds of a sequential probability ratio test (Wald), of the first entry against the second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtTerms {
    /// The difference to refute, Elo.
    pub elo0: f64,
    /// The difference to confirm, Elo; more than `elo0`.
    pub elo1: f64,
    /// The chance of confirming a false difference, above 0 and below 0.5.
    #[serde(default = "one_in_twenty")]
    pub alpha: f64,
    /// The chance of refuting a true difference, above 0 and below 0.5.
    #[serde(default = "one_in_twenty")]
    pub beta: f64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields so")]
fn is_real(cores: &CoresKind) -> bool {
    *cores == CoresKind::Real
}

pub(super) const fn one_in_twenty() -> f64 {
    0.05
}

/// One player of a match.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(into = "toml::Table")]
pub struct Entry {
    /// The name in files and output; unique in the match.
    pub name: String,
    /// The role in a gauntlet; none in other formats.
    pub role: Option<Role>,
    /// The names of the entries that it plays against, in the format `named`.
    pub against: Vec<String>,
    /// The rating in Elo, if it is known.
    pub rating: Option<f64>,
    /// The pace; none in a match at fixed depths.
    pub pace: Option<Pace>,
    /// The factor by which the time (or nodes) of its pace is multiplied.
    pub time_factor: f64,
    /// The threads of its search (at least 1).
    pub threads: usize,
    /// The size of its table in MiB (at least 1).
    pub hash_mib: usize,
    /// The engine: ours or an outside one.
    pub engine: EntryEngine,
}

/// The engine of an entry.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum EntryEngine {
    /// Our engine: this program itself, as `ttd uci`.
    Own {
        /// The searcher.
        searcher: Searcher,
        /// The techniques.
        #[serde(rename = "engine")]
        techniques: Box<Techniques>,
        /// The parameters of the searcher, as in the table `[searcher.NAME]` of an experiment.
        parameters: Table,
    },
    /// An outside engine.
    Outside(Box<EngineSpec>),
}

impl From<Entry> for toml::Table {
    /// The table `[[entries]]`.
    fn from(entry: Entry) -> toml::Table {
        let mut table = toml::Table::try_from(&entry.engine).unwrap_or_default();
        // These keys are for sweeps only.
        for key in ["end", "fresh_process", "one_thread"] {
            table.remove(key);
        }
        let mut set = |key: &str, value: toml::Value| table.insert(key.to_owned(), value);
        set("name", entry.name.into());
        if !entry.against.is_empty() {
            set("against", entry.against.into());
        }
        entry.role.and_then(|role| set("role", toml::Value::try_from(role).ok()?));
        entry.rating.map(|rating| set("rating", rating.into()));
        match entry.pace {
            Some(Pace::Clock(control)) => set("time_control", control.to_string().into()),
            Some(Pace::Nodes(nodes)) => set("nodes", (nodes as i64).into()),
            Some(Pace::Depth(depth)) => set("depth", i64::from(depth).into()),
            Some(Pace::MoveTime(time)) => set("move_time_s", time.as_secs_f64().into()),
            None => None,
        };
        set("time_factor", entry.time_factor.into());
        set("threads", (entry.threads as i64).into());
        set("hash_mib", (entry.hash_mib as i64).into());
        table
    }
}

impl Entry {
    /// Whether its engine is ours.
    pub fn is_ours(&self) -> bool {
        matches!(self.engine, EntryEngine::Own { .. })
    }

    /// Whether it is an outside engine that plays on virtual cores, in a match on such: one with a
    /// price.
    pub fn is_hooked(&self) -> bool {
        match &self.engine {
            EntryEngine::Own { .. } => false,
            EntryEngine::Outside(spec) => spec.price_ps.is_some(),
        }
    }
}

impl Match {
    /// The pairings, as indices of entries. In a gauntlet the challenger is the first of a pairing.
    /// Every opponent meets all challengers before the next opponent does.
    pub fn pairings(&self) -> Vec<(usize, usize)> {
        let all = 0..self.entries.len();
        match self.format {
            Format::Named => {
                let place = |name: &String| all.clone().find(|&e| self.entries[e].name == *name);
                let of = |a: usize| {
                    self.entries[a].against.iter().filter_map(place).map(move |b| (a, b))
                };
                all.clone().flat_map(of).collect()
            }
            Format::RoundRobin => {
                all.clone().flat_map(|a| (a + 1..all.end).map(move |b| (a, b))).collect()
            }
            Format::Gauntlet => {
                let who = |role| all.clone().filter(move |&e| self.entries[e].role == Some(role));
                let challengers: Vec<usize> = who(Role::Challenger).collect();
                let of = |b| challengers.iter().map(move |&a| (a, b));
                who(Role::Opponent).flat_map(of).collect()
            }
        }
    }

    /// The most threads of a game. It is not a sum, because only one side thinks at a time.
    pub fn threads(&self) -> usize {
        self.entries.iter().map(|entry| entry.threads).max().unwrap_or(1)
    }

    /// Whether our own entries play on virtual cores.
    pub fn is_virtual(&self) -> bool {
        self.cores == CoresKind::Virtual
    }

    /// The memory of all players' tables, and of virtual workers. Each of the games at once has its
    /// own players, of which one thinks.
    pub fn tables_mib(&self) -> u64 {
        let tables: u64 = self.entries.iter().map(|entry| entry.hash_mib as u64).sum();
        let workers = if self.is_virtual() { simulation_mib(0, self.threads()) } else { 0 };
        (tables + workers) * self.concurrency as u64
    }

    /// The time by which a player may overstep its own.
    pub fn time_margin(&self) -> Duration {
        Duration::from_millis(self.time_margin_ms)
    }

    /// The text of `match.toml`.
    ///
    /// # Panics
    /// If the seed is above `i64::MAX`, the largest number of TOML. No resolved match has such a
    /// seed.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("every field has a TOML form")
    }
}

/// A match and the openings that are played in it.
#[derive(Clone, Debug)]
pub struct ResolvedMatch {
    /// The match.
    pub spec: Match,
    /// The openings, in the order of their set.
    pub openings: Vec<TestPosition>,
    /// The openings as lines of EPD, if they come from a file.
    pub own_set: Option<String>,
    /// Remarks for the user on openings that were mended or left out.
    pub remarks: Vec<String>,
}
