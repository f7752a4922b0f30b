//! The checks of competitors, and of the base that they are compared with.

use crate::experiment::competitor::Competitor;
use crate::experiment::keys::{Base, Experiment, PartialExperiment};
use crate::experiment::published::PublishedRow;
use crate::experiment::variant::{PartialVariant, Variant};
use crate::records::{CoresKind, Refusal, Refusals, Sources};
use crate::uci::check_name;
use std::collections::HashMap;
use ttd_search::searchers::{Searcher, Settings};
use ttd_search::value::Table;

impl Sources<'_, PartialExperiment> {
    /// The searchers; if `others` are compared too, there may be none.
    pub(super) fn searchers(
        &self,
        names: Option<&Vec<String>>,
        others: bool,
    ) -> Result<Vec<Searcher>, Refusal> {
        let Some(names) = names else {
            // A user who names other competitors wants only these.
            return Ok(if others { Vec::new() } else { Experiment::default().searchers });
        };
        let (mut searchers, mut wrong) = (Vec::new(), Refusals::default());
        for name in names {
            let searcher = name.parse().map_err(|e: String| self.error(&["searchers"], e));
            searchers.extend(wrong.take(searcher).filter(|searcher| !searchers.contains(searcher)));
        }
        wrong.check()?;
        if searchers.is_empty() && !others {
            let all = Searcher::names().join(", ");
            return Err(
                self.error(&["searchers"], format!("empty: expected at least one of {all}"))
            );
        }
        Ok(searchers)
    }

    /// The variants: their keys override the given keys of the experiment.
    pub(super) fn variants(
        &self,
        said: &PartialExperiment,
        experiment: &Experiment,
        experiment_says: &Table,
    ) -> Result<Vec<Variant>, Refusal> {
        let (mut variants, mut wrong) = (Vec::new(), Refusals::default());
        for (at, partial) in said.variants.iter().flatten().enumerate() {
            let variant = self.variant(at, partial, experiment, experiment_says);
            variants.extend(wrong.take(variant));
        }
        wrong.check_made(Some(variants))
    }

    fn variant(
        &self,
        at: usize,
        said: &PartialVariant,
        experiment: &Experiment,
        experiment_says: &Table,
    ) -> Result<Variant, Refusal> {
        let at = at.to_string();
        let error = |key: &str, what: String| self.error(&["variants", &at, key], what);
        let mut wrong = Refusals::default();
        let name = match &said.name {
            None => Err("missing: expected a name that no other competitor has".to_owned()),
            Some(name) => check_name(name).map(|()| name.clone()),
        };
        let name = wrong.take(name.map_err(|what| error("name", what)));
        let searcher = match &said.searcher {
            None => Err(format!("missing: expected one, such as {}", Searcher::usual())),
            Some(searcher) => searcher.parse::<Searcher>(),
        };
        let searcher = wrong.take(searcher.map_err(|what| error("searcher", what)));
        let engine = self.table(&["variants", &at, "engine"], said.engine.as_ref(), |table| {
            Variant::techniques(experiment_says, table)
        });
        let engine = wrong.take(engine);
        let parameters = ["variants", &at, "parameters"];
        let settings = searcher.and_then(|searcher| {
            let settings = self.table(&parameters, said.parameters.as_ref(), |table| {
                Variant::parameters(searcher, &experiment.searcher, table)
            });
            wrong.take(settings)
        });
        if let Some(settings) = &settings {
            wrong.take(check_waits(settings, experiment.cores, |_, key| {
                self.place(&[&parameters[..], &[key]].concat())
            }));
        }
        let made = name.zip(searcher).zip(engine.zip(settings));
        let ((name, searcher), (engine, settings)) = wrong.check_made(made)?;
        Ok(Variant { name, searcher, engine, settings })
    }

    /// Checks that no two competitors have one name.
    pub(super) fn check_names(&self, experiment: &Experiment) -> Result<(), Refusal> {
        let mut times: HashMap<&str, usize> = HashMap::new();
        for name in experiment.names() {
            *times.entry(name).or_default() += 1;
        }
        for competitor in experiment.competitors() {
            let name = experiment.name_of(competitor);
            if times[name] == 1 && name.parse::<Searcher>().is_err() {
                continue;
            }
            let place = match competitor {
                Competitor::Searcher(_) => continue,
                Competitor::Variant(at) => self.place(&["variants", &at.to_string(), "name"]),
                Competitor::Engine(at) => self.place_of_engine(at, "name"),
            };
            let what = format!("`{name}` found: expected a name that no other competitor has");
            return Err(Refusal::new(place, what));
        }
        Ok(())
    }

    /// Checks that each published figure belongs to a competitor. It may also belong to a searcher
    /// that the options left out.
    pub(super) fn check_published(&self, experiment: &Experiment) -> Result<(), Refusal> {
        let rows = experiment.published.as_ref().map_or(&[][..], |published| &published.rows);
        let names = experiment.names();
        let mut wrong = Refusals::default();
        for (index, row) in rows.iter().enumerate() {
            let at = index.to_string();
            let error = |key, what| self.error(&["published", "rows", &at, key], what);
            if !names.contains(&row.searcher.as_str()) && row.searcher.parse::<Searcher>().is_err()
            {
                let what =
                    format!("`{}` found, one of {} expected", row.searcher, names.join(", "));
                wrong.keep(error("searcher", what));
            }
            let same = |other: &PublishedRow| {
                (&other.searcher, other.threads) == (&row.searcher, row.threads)
            };
            if rows[index + 1..].iter().any(same) {
                let what = format!("{} of {} found twice", row.threads, row.searcher);
                wrong.keep(error("threads", what));
            }
        }
        wrong.check()
    }

    /// Checks that each searcher fits the engine and the settings, so that it has something to do.
    pub(super) fn check_fits(&self, experiment: &Experiment) -> Result<(), Refusal> {
        let mut wrong = Refusals::default();
        for (competitor, own) in experiment.all_ours() {
            let fits = own.searcher.fits(own.engine, own.settings);
            wrong.take(fits.map_err(|what| match competitor {
                Competitor::Variant(at) => {
                    self.error(&["variants", &at.to_string(), "searcher"], what)
                }
                _ => self.error(&["searchers"], what),
            }));
        }
        wrong.check()
    }

    /// The competitor that variants are compared with: one of ours, by default the first.
    pub(super) fn reference(
        &self,
        said: Option<&String>,
        experiment: &Experiment,
    ) -> Result<Option<String>, Refusal> {
        let ours: Vec<&str> =
            experiment.all_ours().map(|(competitor, _)| experiment.name_of(competitor)).collect();
        match said {
            None if experiment.variants.is_empty() => Ok(None),
            None => Ok(ours.first().map(|first| (*first).to_owned())),
            Some(name) if experiment.variants.is_empty() => {
                let what = "none expected: there are no [[variants]] to be compared with it";
                Err(self.error(&["reference"], format!("`{name}` found, {what}")))
            }
            Some(name) if ours.contains(&name.as_str()) => Ok(Some(name.clone())),
            Some(name) => {
                let what = format!("`{name}` found, one of {} expected", ours.join(", "));
                Err(self.error(&["reference"], what))
            }
        }
    }

    /// Checks that the base of every speedup is measured too.
    pub(super) fn check_base(&self, experiment: &Experiment) -> Result<(), Refusal> {
        let alone = |whose: &str| {
            let what = format!(
                "sequential found, same-searcher expected: {whose} is compared with itself"
            );
            Err(self.error(&["base"], what))
        };
        match experiment.base {
            Base::SameSearcher if experiment.is_parallel() && !experiment.threads.contains(&1) => {
                Err(self.error(
                    &["threads"],
                    "1 is missing: a speedup is relative to the same searcher at one thread \
                     (or to the searcher sequential, with base sequential)",
                ))
            }
            Base::Sequential if !experiment.searchers.contains(&Searcher::baseline()) => Err(self
                .error(
                    &["searchers"],
                    "sequential is missing: with base sequential, a speedup is relative to it",
                )),
            Base::Sequential if !experiment.engines.is_empty() => alone("an outside engine"),
            Base::Sequential if !experiment.variants.is_empty() => alone("a variant"),
            _ => Ok(()),
        }
    }
}

/// Refuses to let one worker run at a time on virtual cores: there everything is repeatable anyway.
/// `place` is the place of a searcher's key.
pub(super) fn check_waits(
    settings: &Settings,
    cores: CoresKind,
    place: impl Fn(&str, &str) -> String,
) -> Result<(), Refusal> {
    let one_at_a_time = settings.one_at_a_time().next();
    one_at_a_time.filter(|_| cores == CoresKind::Virtual).map_or(Ok(()), |searcher| {
        let what = "true found, false expected: it is for real cores (virtual cores are repeatable \
                    without it)";
        Err(Refusal::new(place(searcher, "sequential"), what.to_owned()))
    })
}
