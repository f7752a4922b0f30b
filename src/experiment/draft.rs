//! What a user says of an experiment, in a TOML file or in options: any part of it, unchecked.

use super::published::Published;
use super::variant::VariantDraft;
use crate::records::{NumberList, Said};
use crate::uci::EngineSpec;
use serde::Deserialize;
use ttd_search::searchers::Settings;
use ttd_search::value::Table;

/// The parts of an experiment that a user names. Numbers are as wide as TOML's, so that an
/// impossible one is refused with a reason and not with the name of a type.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "each is the field of the same name of `Experiment`")]
pub struct Draft {
    pub name: Option<String>,
    pub positions: Option<String>,
    pub only: Option<Vec<String>>,
    pub searchers: Option<Vec<String>>,
    pub threads: Option<NumberList>,
    pub depth: Option<i64>,
    pub runs: Option<i64>,
    pub until: Option<f64>,
    pub hash_mib: Option<i64>,
    pub time_limit_s: Option<f64>,
    pub host_limit_s: Option<f64>,
    pub cores: Option<String>,
    pub seed: Option<i64>,
    pub base: Option<String>,
    pub reference: Option<String>,
    pub pin: Option<NumberList>,
    pub detail: Option<bool>,
    pub engine: Option<Table>,
    pub searcher: Option<Settings>,
    #[serde(rename = "virtual")]
    pub costs: Option<Table>,
    pub published: Option<Published>,
    pub variants: Option<Vec<VariantDraft>>,
    pub engines: Option<Vec<EngineSpec>>,
}

impl Said for Draft {
    fn over(self, other: Draft) -> Draft {
        Draft {
            name: self.name.or(other.name),
            positions: self.positions.or(other.positions),
            only: self.only.or(other.only),
            searchers: self.searchers.or(other.searchers),
            threads: self.threads.or(other.threads),
            depth: self.depth.or(other.depth),
            runs: self.runs.or(other.runs),
            until: self.until.or(other.until),
            hash_mib: self.hash_mib.or(other.hash_mib),
            time_limit_s: self.time_limit_s.or(other.time_limit_s),
            host_limit_s: self.host_limit_s.or(other.host_limit_s),
            cores: self.cores.or(other.cores),
            seed: self.seed.or(other.seed),
            base: self.base.or(other.base),
            reference: self.reference.or(other.reference),
            pin: self.pin.or(other.pin),
            detail: self.detail.or(other.detail),
            engine: self.engine.or(other.engine),
            searcher: self.searcher.or(other.searcher),
            costs: self.costs.or(other.costs),
            published: self.published.or(other.published),
            variants: self.variants.or(other.variants),
            engines: self.engines.or(other.engines),
        }
    }
    fn option(&self, keys: &[&str]) -> Option<&'static str> {
        let &[key] = keys else { return None };
        match key {
            "name" => self.name.as_ref().map(|_| "--name"),
            "positions" => self.positions.as_ref().map(|_| "--positions"),
            "only" => self.only.as_ref().map(|_| "--only"),
            "searchers" => self.searchers.as_ref().map(|_| "--searchers"),
            "threads" => self.threads.as_ref().map(|_| "--threads"),
            "depth" => self.depth.map(|_| "--depth"),
            "runs" => self.runs.map(|_| "--runs"),
            "until" => self.until.map(|_| "--until"),
            "hash_mib" => self.hash_mib.map(|_| "--hash"),
            "time_limit_s" => self.time_limit_s.map(|_| "--time-limit"),
            "cores" => self.cores.as_ref().map(|_| "--cores"),
            "seed" => self.seed.map(|_| "--seed"),
            "base" => self.base.as_ref().map(|_| "--base"),
            "pin" => self.pin.as_ref().map(|_| "--pin"),
            "engines" => self.engines.as_ref().map(|_| "--engine"),
            _ => None,
        }
    }
}
