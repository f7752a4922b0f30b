//! The checks of outside engines and of processors.

use crate::experiment::keys::{Experiment, PartialExperiment};
use crate::records::{CoresKind, NumberList, Refusal, Refusals, Sources};
use crate::uci::EngineSpec;
use std::path::Path;
use ttd_search::cores::affinity;

impl Sources<'_, PartialExperiment> {
    /// The outside engines. Paths of their programs are relative to the file that names them.
    pub(super) fn engines(
        &self,
        engines: Option<&Vec<EngineSpec>>,
    ) -> Result<Vec<EngineSpec>, Refusal> {
        let mut engines = engines.cloned().unwrap_or_default();
        let mut wrong = Refusals::default();
        for (index, engine) in engines.iter_mut().enumerate() {
            let refused = |(key, what)| Refusal::new(self.place_of_engine(index, key), what);
            engine.wrong_keys().into_iter().for_each(|of| wrong.keep(refused(of)));
            let said_in = match (&self.options.engines, self.file) {
                (None, Some(file)) => file.path.parent().unwrap_or(Path::new("")),
                _ => Path::new(""),
            };
            let found = engine.find_from(said_in);
            wrong.take(found.map_err(|e| refused(("command", e.to_string()))));
        }
        wrong.check_made(Some(engines))
    }

    pub(super) fn place_of_engine(&self, index: usize, key: &str) -> String {
        match (&self.options.engines, self.file) {
            (None, Some(file)) => file.place(&["engines", &index.to_string(), key]),
            _ => format!("--engine: {key}"),
        }
    }

    /// Checks that outside engines run on real cores: they need time that passes.
    pub(super) fn check_engines(&self, experiment: &Experiment) -> Result<(), Refusal> {
        if experiment.cores == CoresKind::Virtual && !experiment.engines.is_empty() {
            let what = "virtual found, real expected: outside engines run on real cores only";
            return Err(self.error(&["cores"], what));
        }
        Ok(())
    }

    /// Checks that the process may use these processors.
    pub(super) fn pin(
        &self,
        list: Option<&NumberList>,
        cores: CoresKind,
    ) -> Result<Vec<usize>, Refusal> {
        let Some(NumberList(list)) = list else { return Ok(Vec::new()) };
        if cores == CoresKind::Virtual && !list.is_empty() {
            let what = "processors found, none expected: virtual cores are on no processor";
            return Err(self.error(&["pin"], what));
        }
        let cpus: Vec<usize> = list.iter().filter_map(|&cpu| usize::try_from(cpu).ok()).collect();
        if cpus.len() < list.len() {
            return Err(self.error(&["pin"], "processors such as 0,1 or 0-3 expected"));
        }
        for &cpu in &cpus {
            affinity::on(&[cpu], || ()).map_err(|e| {
                self.error(
                    &["pin"],
                    format!("{cpu} found, a processor that can be used expected: {e}"),
                )
            })?;
        }
        Ok(cpus)
    }
}
