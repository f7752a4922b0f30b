//! The checks of outside engines and of processors.

use crate::experiment::keys::{Experiment, PartialExperiment};
use crate::records::{CoresKind, Pin, Refusal, Refusals, Sources, processors_by_core};
use crate::uci::{EngineCores, EngineSpec, Protocol, checked_runner};
use std::path::Path;
use ttd_search::cores::affinity;
use ttd_search::value::Table;

impl Sources<'_, PartialExperiment> {
    /// The outside engines. Paths of their programs are relative to the file that names them.
    pub(super) fn engines(
        &self,
        engines: Option<&Vec<EngineSpec>>,
        cores: CoresKind,
    ) -> Result<Vec<EngineSpec>, Refusal> {
        let mut engines = engines.cloned().unwrap_or_default();
        let mut wrong = Refusals::default();
        for (index, engine) in engines.iter_mut().enumerate() {
            let refused = |(key, what)| Refusal::new(self.place_of_engine(index, key), what);
            engine.wrong_keys().into_iter().for_each(|of| wrong.keep(refused(of)));
            engine
                .misplaced_keys(cores == CoresKind::Virtual)
                .for_each(|of| wrong.keep(refused(of)));
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

    /// The virtual cores of outside engines; none on real cores.
    pub(super) fn virtual_engines(
        &self,
        table: Option<&Table>,
        cores: CoresKind,
    ) -> Result<Option<EngineCores>, Refusal> {
        let numbers = self.table(&["virtual_engines"], table, EngineCores::resolve)?;
        if cores == CoresKind::Virtual {
            return Ok(Some(numbers));
        }
        let what = "found with real cores, none expected: engines there have the time of the host";
        table.map_or(Ok(None), |_| Err(self.error(&["virtual_engines"], what)))
    }

    /// Checks that outside engines can run on virtual cores, if they are to. Each search needs a
    /// process with its own seed.
    pub(super) fn check_engines(&self, experiment: &Experiment) -> Result<(), Refusal> {
        if experiment.cores == CoresKind::Real || experiment.engines.is_empty() {
            return Ok(());
        }
        self.check_machine(experiment)?;
        checked_runner()
            .map_err(|what| self.error(&["cores"], format!("virtual found: {what}")))?;
        let mut wrong = Refusals::default();
        for (index, engine) in experiment.engines.iter().enumerate() {
            for (key, is_wrong, what) in [
                ("protocol", engine.protocol != Protocol::Uci, "uci"),
                ("fresh_process", !engine.fresh_process, "true"),
            ] {
                if is_wrong {
                    let what = format!("expected on virtual cores: {what}");
                    wrong.keep(Refusal::new(self.place_of_engine(index, key), what));
                }
            }
        }
        wrong.check()
    }

    /// Refuses a machine of virtual cores that no competitor would see.
    fn check_machine(&self, experiment: &Experiment) -> Result<(), Refusal> {
        let Some(costs) = &experiment.costs else { return Ok(()) };
        if experiment.all_ours().next().is_some() {
            return Ok(());
        }
        for (key, is_there) in [
            ("processors", costs.processors().is_some()),
            ("cache", costs.machine.caches.is_some()),
            ("turbo", costs.machine.turbo.is_some()),
            ("network", costs.cluster.is_some()),
        ] {
            if is_there {
                let what =
                    "found with outside engines only, none expected: it is for our searchers";
                return Err(self.error(&["virtual", key], what));
            }
        }
        Ok(())
    }

    /// Checks that the process may use these processors.
    pub(super) fn pin(
        &self,
        pin: Option<&Pin>,
        cores: CoresKind,
        is_part: bool,
    ) -> Result<Vec<usize>, Refusal> {
        let Some(pin) = pin else { return Ok(Vec::new()) };
        if cores == CoresKind::Virtual && *pin != Pin::Processors(Vec::new()) {
            let what = "processors found, none expected: virtual cores are on no processor";
            return Err(self.error(&["pin"], what));
        }
        let list = match pin {
            Pin::Processors(list) => list.clone(),
            Pin::ByCore if is_part => {
                let what = "`cores` found, a list expected: all parts have one";
                return Err(self.error(&["pin"], what));
            }
            Pin::ByCore => processors_by_core().map_err(|why| {
                let what = format!(
                    "`cores` found, but the system does not tell which processors share a core: {why}"
                );
                self.error(&["pin"], what)
            })?,
        };
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
