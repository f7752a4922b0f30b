//! An experiment file. It is resolved, written and read again. No file is opened.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::path::Path;
use ttd::experiment::{PartialExperiment, resolve};
use ttd::records::TomlFile;
use ttd_search::positions::is_built_in;

fuzz_target!(|text: &str| {
    let path = Path::new("/fuzz/fuzz.toml");
    let read = |text: String| -> Result<TomlFile<PartialExperiment>, String> {
        let mut file = TomlFile::<PartialExperiment>::parse(path, text).map_err(|why| why.to_string())?;
        // A path could lead anywhere, even to a file without an end.
        file.partial.positions = file.partial.positions.filter(|set| is_built_in(set));
        file.partial.positions.get_or_insert_with(|| "recursive-splitting".to_owned());
        file.partial.pin = None;
        Ok(file)
    };
    let resolved = |file: &TomlFile<PartialExperiment>| {
        resolve(Some(file), &PartialExperiment::default(), Some(4096)).map_err(|why| why.to_string())
    };
    match read(text.to_owned()).and_then(|file| resolved(&file)) {
        Err(why) => assert!(why.starts_with("/fuzz/fuzz.toml"), "{why}"),
        Ok(first) => {
            let written = first.experiment.to_toml();
            let again = read(written).and_then(|file| resolved(&file));
            assert_eq!(again.map(|again| again.experiment), Ok(first.experiment));
        }
    }
});
