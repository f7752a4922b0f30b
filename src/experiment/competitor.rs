//! The competitors of an experiment: our searchers, variants of our engine, and outside engines.

use super::keys::{Base, Experiment};
use super::variant::Variant;
use crate::uci::EngineSpec;
use ttd_search::engine::Techniques;
use ttd_search::searchers::{Searcher, Settings};
use ttd_search::value::Value;

/// One of the competitors of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Competitor {
    /// A searcher of our engine, with the experiment's settings.
    Searcher(Searcher),
    /// Our engine with other settings, by its index among the experiment's variants.
    Variant(usize),
    /// An outside engine, by its index among those of the experiment.
    Engine(usize),
}

/// The settings with which a competitor of ours searches.
#[derive(Clone, Copy, Debug)]
pub struct OurSettings<'a> {
    /// The searcher.
    pub searcher: Searcher,
    /// The techniques.
    pub engine: &'a Techniques,
    /// The parameters of the searcher; those of other searchers are not used.
    pub settings: &'a Settings,
}

impl Experiment {
    /// All competitors in the order of the experiment: the searchers, then the variants, then the
    /// outside engines.
    pub fn competitors(&self) -> Vec<Competitor> {
        let searchers = self.searchers.iter().copied().map(Competitor::Searcher);
        let variants = (0..self.variants.len()).map(Competitor::Variant);
        let engines = (0..self.engines.len()).map(Competitor::Engine);
        searchers.chain(variants).chain(engines).collect()
    }

    /// The settings of a competitor; none if it is not ours.
    pub fn settings_of(&self, competitor: Competitor) -> Option<OurSettings<'_>> {
        match competitor {
            Competitor::Searcher(searcher) => {
                Some(OurSettings { searcher, engine: &self.engine, settings: &self.searcher })
            }
            Competitor::Variant(index) => {
                let Variant { searcher, ref engine, ref settings, .. } = self.variants[index];
                Some(OurSettings { searcher, engine, settings })
            }
            Competitor::Engine(_) => None,
        }
    }

    /// Our competitors, with their settings.
    pub fn all_ours(&self) -> impl Iterator<Item = (Competitor, OurSettings<'_>)> {
        self.competitors().into_iter().filter_map(|one| Some((one, self.settings_of(one)?)))
    }

    /// The name of a competitor in files and output. No two have one name.
    pub fn name_of(&self, competitor: Competitor) -> &str {
        match competitor {
            Competitor::Searcher(searcher) => searcher.name(),
            Competitor::Variant(index) => &self.variants[index].name,
            Competitor::Engine(index) => &self.engines[index].name,
        }
    }

    /// The names of all competitors, in order.
    pub fn names(&self) -> Vec<&str> {
        self.competitors().into_iter().map(|competitor| self.name_of(competitor)).collect()
    }

    /// The thread counts with which a competitor is measured: `[1]` if it has one thread only, else
    /// those of the experiment.
    pub fn threads_of(&self, competitor: Competitor) -> &[usize] {
        if self.has_one_thread(competitor) { &[1] } else { &self.threads }
    }

    /// Whether speedups are relative to this competitor's times with this number of threads.
    pub fn is_base(&self, competitor: Competitor, threads: usize) -> bool {
        let sequential = Competitor::Searcher(Searcher::baseline());
        threads == 1 && (self.base == Base::SameSearcher || competitor == sequential)
    }

    /// The depth to which a competitor searches.
    pub fn depth_of(&self, competitor: Competitor) -> u8 {
        match competitor {
            Competitor::Searcher(_) | Competitor::Variant(_) => self.depth,
            Competitor::Engine(index) => self.engines[index].depth.unwrap_or(self.depth),
        }
    }

    /// The depths in words: that of the experiment, and the outside engines that have another one.
    pub fn depths(&self) -> String {
        let own = |engine: &EngineSpec| Some(format!("{}: {}", engine.name, engine.depth?));
        let others: Vec<String> = self.engines.iter().filter_map(own).collect();
        if others.is_empty() {
            return self.depth.to_string();
        }
        format!("{} ({})", self.depth, others.join(", "))
    }

    /// The smallest and the largest depth of all competitors, in words.
    pub fn depth_range(&self) -> String {
        let depths = || self.competitors().into_iter().map(|competitor| self.depth_of(competitor));
        match (depths().min(), depths().max()) {
            (Some(least), Some(most)) if least < most => format!("{least} to {most}"),
            (Some(depth), _) => depth.to_string(),
            (None, _) => self.depth.to_string(),
        }
    }

    /// Whether a competitor has one thread, whatever the experiment's thread counts.
    pub fn has_one_thread(&self, competitor: Competitor) -> bool {
        match competitor {
            Competitor::Engine(index) => self.engines[index].one_thread,
            Competitor::Searcher(_) | Competitor::Variant(_) => {
                self.settings_of(competitor).is_some_and(|own| own.searcher.takes_one_thread())
            }
        }
    }

    /// Whether the counters of a competitor tell all nodes that were of no use. It is never
    /// taken of outside engines.
    pub fn tells_useless_nodes(&self, competitor: Competitor) -> bool {
        let own = self.settings_of(competitor);
        own.is_some_and(|own| own.settings.algorithm(own.searcher).tells_useless_nodes())
    }

    /// Whether the workers of a competitor may be at different iterations. It is taken of outside
    /// engines, which do not tell.
    pub fn searches_apart(&self, competitor: Competitor) -> bool {
        let own = self.settings_of(competitor);
        own.is_none_or(|own| own.settings.algorithm(own.searcher).searches_apart())
    }

    /// Whether any competitor can use several threads.
    pub fn is_parallel(&self) -> bool {
        self.competitors().into_iter().any(|competitor| !self.has_one_thread(competitor))
    }

    /// The preset of the engine and the settings that differ from it; `told` words each of these.
    pub fn preset_in_words(&self, told: impl Fn(&String) -> String) -> String {
        let preset = Value::of(&self.engine.preset).ok();
        let preset = preset.as_ref().and_then(Value::as_str).unwrap_or_default();
        let changes: Vec<String> = self.engine.changes().iter().map(told).collect();
        let with = if changes.is_empty() { "" } else { ", with " };
        format!("{preset}{with}{}", changes.join(", "))
    }
}

impl Variant {
    /// The searcher, the preset unless it is the default one, and the other settings that differ. A
    /// technique may differ from the preset, and a parameter from the experiment. Each is in the
    /// form `key = value`.
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
