//! What an experiment is called when nobody names it.

use super::draft::Draft;
use super::spec::Experiment;
use crate::records::{DraftFile, NumberList};
use crate::uci::EngineSpec;
use std::path::Path;

/// Names become directories: longer ones are cut.
const LONGEST: usize = 120;

/// The file's own name (or that of the file, or `default`), with what the options change of it: so
/// that two experiments do not meet in one results directory.
pub(super) fn suggest(file: Option<&DraftFile<Draft>>, options: &Draft) -> String {
    let nothing = Draft::default();
    let said = file.map_or(&nothing, |file| &file.draft);
    let stem = || Some(file?.path.file_stem()?.to_string_lossy().into_owned());
    let mut name = said.name.clone().or_else(stem).unwrap_or_else(|| Experiment::default().name);
    let before = words(said).into_iter().zip(words(&defaults()));
    for ((word, option), (said, default)) in words(options).into_iter().zip(before) {
        if let Some(option) = option
            && Some(&option) != said.1.as_ref().or(default.1.as_ref())
        {
            name = format!("{name}-{word}-{option}");
        }
    }
    name.chars().take(LONGEST).collect()
}

/// The defaults, as if a user had said them.
fn defaults() -> Draft {
    let experiment = Experiment::default();
    Draft {
        positions: Some(experiment.positions),
        only: Some(experiment.only),
        searchers: Some(experiment.searchers.iter().map(ToString::to_string).collect()),
        threads: Some(NumberList(experiment.threads.iter().map(|&n| n as i64).collect())),
        depth: Some(experiment.depth.into()),
        runs: Some(experiment.runs.into()),
        hash_mib: Some(experiment.hash_mib as i64),
        time_limit_s: Some(experiment.time_limit_s),
        cores: Some("real".to_owned()),
        seed: Some(experiment.seed as i64),
        base: Some("same-searcher".to_owned()),
        detail: Some(experiment.detail),
        ..Draft::default()
    }
}

/// Each part of a draft as it appears in a name.
fn words(draft: &Draft) -> [(&'static str, Option<String>); 15] {
    let list = |list: &Vec<String>| slug(&list.join(","));
    let engines = |engines: &Vec<EngineSpec>| {
        list(&engines.iter().map(|engine| engine.name.clone()).collect())
    };
    let set = |set: &String| {
        let stem = Path::new(set).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        slug(&stem.unwrap_or_else(|| set.clone()))
    };
    [
        ("searchers", draft.searchers.as_ref().map(list)),
        ("threads", draft.threads.as_ref().map(ToString::to_string)),
        ("positions", draft.positions.as_ref().map(set)),
        ("only", draft.only.as_ref().map(list)),
        ("depth", draft.depth.map(|n| n.to_string())),
        ("runs", draft.runs.map(|n| n.to_string())),
        ("until", draft.until.map(|width| width.to_string())),
        ("hash", draft.hash_mib.map(|n| n.to_string())),
        ("limit", draft.time_limit_s.map(|n| n.to_string())),
        ("cores", draft.cores.clone()),
        ("seed", draft.seed.map(|n| n.to_string())),
        ("base", draft.base.clone()),
        ("pin", draft.pin.as_ref().map(ToString::to_string)),
        ("engines", draft.engines.as_ref().map(engines)),
        ("detail", draft.detail.map(|wanted| wanted.to_string())),
    ]
}

/// Fit for a directory's name on any system.
fn slug(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || ".,-".contains(c);
    text.chars().map(|c| if plain(c) { c } else { '_' }).collect()
}
