//! The name of a match that the user did not name.

use crate::matches::partial::PartialMatch;
use crate::matches::spec::Match;
use crate::records::{Sources, hash};
use std::path::Path;

/// The name that was given, else the name of the file. Without a file it is `match-` and a hash of
/// the match. So two matches do not meet in one results directory. The numbers of games and of
/// games at once make no other match.
pub(super) fn name(says: &Sources<'_, PartialMatch>, spec: &Match) -> String {
    let stem = |path: &Path| Some(path.file_stem()?.to_string_lossy().into_owned());
    let in_file = || says.file.and_then(|f| f.partial.name.clone().or_else(|| stem(&f.path)));
    says.options.name.clone().or_else(in_file).unwrap_or_else(|| {
        let same = Match { name: String::new(), games: 0, concurrency: 1, ..spec.clone() };
        format!("match-{:06x}", hash(&same.to_toml()) & 0xff_ffff)
    })
}
