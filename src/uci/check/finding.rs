//! A result of a check.

/// A result of the check, and whether a sweep can be made with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The subject.
    pub what: &'static str,
    /// The behaviour that was found.
    pub found: String,
    /// Whether that behaviour is good.
    pub verdict: Verdict,
}

/// The meaning of a finding for a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The behaviour that a sweep needs.
    Well,
    /// The engine can be measured, but the user should know this.
    Note,
    /// The engine cannot be measured in this state.
    Bad,
}

/// A finding.
pub(super) fn finding(what: &'static str, found: impl Into<String>, verdict: Verdict) -> Finding {
    Finding { what, found: found.into(), verdict }
}

/// A good finding in the words `well`, or a note in the words `note`.
pub(super) fn noted<T: Into<String>>(
    what: &'static str,
    is_well: bool,
    [well, note]: [T; 2],
) -> Finding {
    if is_well { finding(what, well, Verdict::Well) } else { finding(what, note, Verdict::Note) }
}
