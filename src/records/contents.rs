//! What a results directory holds.

/// What a results directory holds.
#[derive(Debug)]
pub struct Contents {
    /// What it is the results of, for people.
    pub what: &'static str,
    /// The file that says of what exactly.
    pub file: &'static str,
    /// The command that goes on with that file, and what it does with it.
    pub again: &'static str,
    /// The file that is appended to.
    pub table: &'static str,
    /// What one of its rows is, for people.
    pub row: &'static str,
    /// The copy of the user's own position file.
    pub copy: &'static str,
    /// The options that name another directory.
    pub elsewhere: &'static str,
    /// What runs make in it. Nothing else is discarded here; what reports made, the command line removes.
    pub made: &'static [&'static str],
}
