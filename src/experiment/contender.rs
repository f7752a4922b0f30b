//! Who is measured: searchers of ours, variants of our engine, and outside engines.

use super::base::Base;
use super::keys::Experiment;
use super::variant::Variant;
use crate::uci::EngineSpec;
use ttd_search::engine::Features;
use ttd_search::searchers::{Searcher, Settings};
use ttd_search::value::Value;

/// One of those that an experiment compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Contender {
    /// A searcher of the embedded engine, with the experiment's settings.
    Searcher(Searcher),
    /// The embedded engine with settings of its own, by its place among the experiment's variants.
    Variant(usize),
    /// An outside engine, by its place among those of the experiment.
    Engine(usize),
}

/// How a contender that is ours searches.
#[derive(Clone, Copy, Debug)]
pub struct Own<'a> {
    /// By which algorithm.
    pub searcher: Searcher,
    /// With which techniques.
    pub engine: &'a Features,
    /// The searcher's parameters; those of others do not matter.
    pub settings: &'a Settings,
}

impl Experiment {
    /// All of them: the searchers, then the variants, then the outside engines, in the order of the experiment.
    pub fn contenders(&self) -> Vec<Contender> {
        let searchers = self.searchers.iter().copied().map(Contender::Searcher);
        let variants = (0..self.variants.len()).map(Contender::Variant);
        let engines = (0..self.engines.len()).map(Contender::Engine);
        searchers.chain(variants).chain(engines).collect()
    }

    /// How one of them searches, if it is ours.
    pub fn own(&self, contender: Contender) -> Option<Own<'_>> {
        match contender {
            Contender::Searcher(searcher) => {
                Some(Own { searcher, engine: &self.engine, settings: &self.searcher })
            }
            Contender::Variant(index) => {
                let variant = &self.variants[index];
                let (engine, settings) = (&variant.engine, &variant.settings);
                Some(Own { searcher: variant.searcher, engine, settings })
            }
            Contender::Engine(_) => None,
        }
    }

    /// Those that are ours, and how they search.
    pub fn all_own(&self) -> impl Iterator<Item = (Contender, Own<'_>)> {
        self.contenders().into_iter().filter_map(|one| Some((one, self.own(one)?)))
    }

    /// What one of them is called in files and output. No two have the same name.
    pub fn name_of(&self, contender: Contender) -> &str {
        match contender {
            Contender::Searcher(searcher) => searcher.name(),
            Contender::Variant(index) => &self.variants[index].name,
            Contender::Engine(index) => &self.engines[index].name,
        }
    }

    /// What all of them are called, in order.
    pub fn names(&self) -> Vec<&str> {
        self.contenders().into_iter().map(|contender| self.name_of(contender)).collect()
    }

    /// With how many threads one of them is measured: who has only one, with one.
    pub fn threads_of(&self, contender: Contender) -> &[usize] {
        if self.has_one_thread(contender) { &[1] } else { &self.threads }
    }

    /// Whether the times of one of them with so many threads are those that its speedups are relative to.
    pub fn is_base(&self, contender: Contender, threads: usize) -> bool {
        let sequential = Contender::Searcher(Searcher::baseline());
        threads == 1 && (self.base == Base::SameSearcher || contender == sequential)
    }

    /// To which depth one of them searches.
    pub fn depth_of(&self, contender: Contender) -> u8 {
        match contender {
            Contender::Searcher(_) | Contender::Variant(_) => self.depth,
            Contender::Engine(index) => self.engines[index].depth.unwrap_or(self.depth),
        }
    }

    /// The depths in words: that of the experiment, and who has another one.
    pub fn depths(&self) -> String {
        let own = |engine: &EngineSpec| Some(format!("{}: {}", engine.name, engine.depth?));
        let others: Vec<String> = self.engines.iter().filter_map(own).collect();
        if others.is_empty() {
            return self.depth.to_string();
        }
        format!("{} ({})", self.depth, others.join(", "))
    }

    /// The depths of all of them, the least and the greatest, in words.
    pub fn depth_range(&self) -> String {
        let depths = || self.contenders().into_iter().map(|contender| self.depth_of(contender));
        match (depths().min(), depths().max()) {
            (Some(least), Some(most)) if least < most => format!("{least} to {most}"),
            (Some(depth), _) => depth.to_string(),
            (None, _) => self.depth.to_string(),
        }
    }

    /// Whether one of them has one thread whatever it is told.
    pub fn has_one_thread(&self, contender: Contender) -> bool {
        match contender {
            Contender::Engine(index) => self.engines[index].one_thread,
            Contender::Searcher(_) | Contender::Variant(_) => {
                self.own(contender).is_some_and(|own| own.searcher.takes_one_thread())
            }
        }
    }

    /// Whether any of them can use several threads.
    pub fn is_parallel(&self) -> bool {
        self.contenders().into_iter().any(|contender| !self.has_one_thread(contender))
    }
}

impl Experiment {
    /// The preset of the engine, and what differs from it, each told in this way.
    pub fn preset_in_words(&self, told: impl Fn(&String) -> String) -> String {
        let preset = Value::of(&self.engine.preset).ok();
        let preset = preset.as_ref().and_then(Value::as_str).unwrap_or_default();
        let changes: Vec<String> = self.engine.changes().iter().map(told).collect();
        let with = if changes.is_empty() { "" } else { ", with " };
        format!("{preset}{with}{}", changes.join(", "))
    }
}

impl Variant {
    /// The searcher, the preset unless it is the default one, and what differs from it and from the parameters of
    /// the experiment, each as `key = value`.
    pub fn words(&self, experiment: &Experiment) -> Vec<String> {
        let mut words = vec![self.searcher.name().to_owned()];
        let preset = self.engine.preset;
        if preset != experiment.engine.preset {
            let word = Value::of(&preset).map(|preset| format!("preset = {preset}"));
            words.extend(word.ok());
        }
        words.extend(self.engine.changes());
        let usual = experiment.searcher.of(self.searcher);
        let own = self.settings.of(self.searcher);
        let changed = own.iter().filter(|(key, value)| usual.get(*key) != Some(value));
        words.extend(changed.map(|(key, value)| format!("{key} = {value}")));
        words
    }
}
