//! The contents of a results directory.

/// The contents of a results directory, with the words that messages need.
#[derive(Debug)]
pub struct Contents {
    /// The thing whose results these are, for people: experiment or match.
    pub what: &'static str,
    /// The file that describes it.
    pub file: &'static str,
    /// The command that goes on from that file.
    pub command: &'static str,
    /// That command, and its effect.
    pub again: &'static str,
    /// The file to which rows are appended.
    pub table: &'static str,
    /// The word for one of its rows, for people: sample or game.
    pub row: &'static str,
    /// The copy of the user's own position file.
    pub copy: &'static str,
    /// The options that name another directory.
    pub elsewhere: &'static str,
    /// The files that runs make. No other file is discarded here: the command line removes the
    /// files of reports.
    pub made: &'static [&'static str],
}
