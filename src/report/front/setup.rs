//! The tables of the setup.

use crate::experiment::Experiment;
use crate::records::{Reading, Seen, Sitting};
use crate::report::lists::{each_once, without_neighbours};
use crate::report::numbers::{list, seconds};
use crate::report::{Input, Place};
use crate::uci::EngineSpec;
use std::fmt::Display;
use ttd_search::positions::fen_text;
use ttd_search::searchers::Costs;

/// A row of a table of settings.
pub(crate) fn row(name: &str, value: impl Into<String>) -> Vec<String> {
    vec![name.to_owned(), value.into()]
}

/// Settings in words: `node_ps = 229000, ...`.
pub(crate) fn settings(of: impl Iterator<Item = (impl Display, impl Display)>) -> String {
    of.map(|(key, value)| format!("{key} = {value}")).collect::<Vec<_>>().join(", ")
}

/// The program of a sitting.
fn program(sitting: &Sitting) -> String {
    format!("ttd {}, commit {}", sitting.version, sitting.commit)
}

/// The programs of all sittings, in turn.
pub(crate) fn programs(sittings: &[Sitting]) -> Vec<String> {
    let programs = without_neighbours(sittings.iter().map(program));
    if programs.is_empty() { vec!["an unknown program".to_owned()] } else { programs }
}

/// The periods of the sittings; of many, the first and the last.
fn sittings_in_words(sittings: &[Sitting], period: impl Fn(&Sitting) -> String) -> String {
    const MOST: usize = 8;
    match sittings {
        [_, middle @ .., last] if middle.len() + 2 > MOST => {
            let by_time = |sitting: &&Sitting| sitting.before.time.clone();
            let first = sittings.iter().min_by_key(by_time).unwrap_or(last);
            let last = sittings.iter().max_by_key(by_time).unwrap_or(last);
            format!("{}, the first {}, the last {}", sittings.len(), period(first), period(last))
        }
        _ => without_neighbours(sittings.iter().map(period)).join("; "),
    }
}

/// The table of the experiment.
pub(crate) fn experiment(input: &Input) -> Vec<Vec<String>> {
    let experiment = &input.experiment;
    let positions = if experiment.only.is_empty() {
        format!("`{}` ({})", experiment.positions, input.figures.positions.len())
    } else {
        format!("{} of `{}`", experiment.only.len(), experiment.positions)
    };
    let mut rows = vec![
        row("experiment", "value"),
        row("searchers", list(experiment.names())),
        row("threads", list(&experiment.threads)),
        row("positions", positions),
        row("depth", experiment.depths()),
        row("runs", crate::report::topics::precision::runs(input)),
        row("base", experiment.base.words()),
        row(
            "transposition table",
            format!("{} MiB, cleared before each sample", experiment.hash_mib),
        ),
        row("time limit", format!("{} s", seconds(experiment.time_limit_s))),
        row("cores", input.cores.words()),
        row("seed", experiment.seed.to_string()),
        row("order", "each round visits every cell once, shuffled"),
    ];
    if let Some(costs) = &experiment.costs {
        rows.push(row("cost model", format!("`{}`", cost_model(costs))));
    }
    if let Some(cores) = &experiment.virtual_engines {
        let price = |engine: &EngineSpec| Some(format!("{}: {} ps", engine.name, engine.price_ps?));
        let prices = list(experiment.engines.iter().filter_map(price));
        rows.push(row("virtual cores of outside engines", format!("`{}`", cores.words())));
        rows.push(row("price of an instruction or a block", prices));
    }
    rows.extend(parameters(input));
    rows
}

/// The positions that were measured.
pub(crate) fn positions(input: &Input) -> Vec<Place> {
    let place = |name: &String| {
        let of = input.set.iter().find(|position| position.id == *name);
        Place { name: name.clone(), fen: of.map(|position| fen_text(&position.board)) }
    };
    input.figures.positions.iter().map(place).collect()
}

/// The costs of virtual cores in words: `node_ps = 229000, ...`.
pub(crate) fn cost_model(costs: &Costs) -> String {
    let costs = toml::Table::try_from(costs).unwrap_or_default();
    let (own, common): (Vec<_>, Vec<_>) = costs.iter().partition(|(_, cost)| cost.is_table());
    settings(common.into_iter().chain(own))
}

/// The techniques of our engine: `preset default, with ...`.
pub(crate) fn preset_in_words(experiment: &Experiment) -> String {
    format!("preset {}", experiment.preset_in_words(|change| format!("`{change}`")))
}

/// Every searcher's own parameters, and the engine's preset with what differs from it.
fn parameters(input: &Input) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    // Outside engines have no such settings.
    if input.experiment.all_ours().next().is_some() {
        rows.push(row("engine", preset_in_words(&input.experiment)));
    }
    for searcher in each_once(input.experiment.all_ours().map(|(_, own)| own.searcher)) {
        let own = input.experiment.searcher.of(searcher);
        if !own.is_empty() {
            rows.push(row(searcher.name(), format!("`{}`", settings(own.iter()))));
        }
    }
    for variant in &input.experiment.variants {
        let words = variant.words(&input.experiment).join("`, `");
        rows.push(row(&variant.name, format!("`{words}`")));
    }
    rows
}

/// The table of the environment. Values that differ between sittings are listed in turn.
pub(crate) fn environment(sittings: &[Sitting]) -> Vec<Vec<String>> {
    if sittings.is_empty() {
        return Vec::new();
    }
    let each = |name: &str, field: &dyn Fn(&Sitting) -> String| {
        row(name, without_neighbours(sittings.iter().map(field)).join("; "))
    };
    let period = |sitting: &Sitting| {
        let end = sitting.after.as_ref().map_or("(no end was written)", |m| m.time.as_str());
        format!("{} to {end}", sitting.before.time)
    };
    let mut rows = vec![
        row("environment", "value"),
        each("program", &program),
        each("compiler", &|s| format!("{}, flags `{}`", s.rustc, s.rustflags)),
        each("target", &|s| format!("{}, optimisation {}", s.target, s.opt_level)),
        each("outside engines", &|s| {
            let words = |seen: &Seen| format!("{}: {} ({})", seen.name, seen.says, seen.program);
            list(s.engines.iter().map(words))
        }),
        each("CPU", &|s| s.cpu.clone()),
        each("cores", &|s| format!("{} usable of {}", s.cores_usable, s.logical_cores)),
        each("memory", &|s| match &s.memory_mib {
            Reading::Value(mib) => format!("{mib} MiB"),
            Reading::Unavailable(why) => why.clone(),
        }),
        each("governor", &|s| s.governor.clone()),
        each("boost", &|s| s.boost.clone()),
        each("SMT", &|s| s.smt.clone()),
        each("kinds of cores", &|s| s.core_kinds.clone()),
        each("huge pages", &|s| s.huge_pages.clone()),
        each("kernel", &|s| s.kernel.clone()),
        each("load before", &|s| s.before.load_average.clone()),
        row("sittings", sittings_in_words(sittings, period)),
    ];
    // A run without outside engines has no such row.
    rows.retain(|row| row[0] != "outside engines" || !row[1].is_empty());
    rows
}
