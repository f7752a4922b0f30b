//! A match file. It is resolved, written and read again. No file is opened.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::path::Path;
use ttd::matches::{PartialMatch, resolve_match};
use ttd::records::TomlFile;
use ttd_search::positions::is_built_in;

fuzz_target!(|text: &str| {
    let path = Path::new("/fuzz/fuzz.toml");
    let read = |text: String| -> Result<TomlFile<PartialMatch>, String> {
        let mut file = TomlFile::<PartialMatch>::parse(path, text).map_err(|why| why.to_string())?;
        // A path could lead anywhere, even to a file without an end.
        file.partial.openings = file.partial.openings.filter(|set| is_built_in(set));
        file.partial.openings.get_or_insert_with(|| "recursive-splitting".to_owned());
        Ok(file)
    };
    let resolved = |file: &TomlFile<PartialMatch>| {
        resolve_match(Some(file), &PartialMatch::default(), 8).map_err(|why| why.to_string())
    };
    match read(text.to_owned()).and_then(|file| resolved(&file)) {
        Err(why) => assert!(why.starts_with("/fuzz/fuzz.toml"), "{why}"),
        Ok(first) => {
            let written = first.spec.to_toml();
            let again = read(written).and_then(|file| resolved(&file));
            assert_eq!(again.map(|again| again.spec), Ok(first.spec));
        }
    }
});
