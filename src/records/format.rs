//! The format of a results directory: one number, which each sitting writes down.

use super::error::ReadError;
use super::opened::read_toml;
use super::refusal::Refusal;
use super::toml_place::place_of;
use std::path::Path;
use toml::{Table, Value};

/// The file of a results directory with one block for each sitting.
pub const ENVIRONMENT: &str = "environment.toml";
/// The format that this program writes. Files of the first format do not contain its number.
pub(crate) const FORMAT: u32 = 3;

/// The format of a file without a number.
pub(super) const fn first() -> u32 {
    1
}

/// Refuses a results directory in which a newer program has written a sitting.
///
/// # Errors
/// If one has. A directory without a readable environment counts as the first format.
pub(crate) fn check_format(dir: &Path) -> Result<(), ReadError> {
    let path = dir.join(ENVIRONMENT);
    let text = read_toml(&path).unwrap_or_default();
    let table: Table = text.parse().unwrap_or_default();
    let sittings = table.get("sitting").and_then(Value::as_array);
    for (at, sitting) in sittings.into_iter().flatten().enumerate() {
        let format = sitting.get("format").and_then(Value::as_integer);
        if let Some(found) = format.filter(|format| *format > FORMAT.into()) {
            let place = place_of(&path, &text, &["sitting", &at.to_string(), "format"]);
            let what = format!(
                "{found} found, {} to {FORMAT} expected: a newer ttd wrote this directory",
                first()
            );
            return Err(ReadError::Newer(Refusal::new(place, what)));
        }
    }
    Ok(())
}
