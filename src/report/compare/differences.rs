//! The differences between the two directories, and whether each is allowed.

use crate::records::{Aspect, CoresKind, Difference, ENVIRONMENT, differing};
use crate::report::compare::side::{CompareError, Side};
use crate::report::lists::ascending;
use std::fmt;
use std::str::FromStr;

/// The kind of a difference. Only the program may differ, unless the user names other kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The sources, or the program's file.
    Program,
    /// The compiler and its flags.
    Build,
    /// The processor and how many of its cores could be used.
    Machine,
    /// The engine's techniques, parameters of searchers, and variants that both have.
    Settings,
    /// Outside engines that both have.
    Engines,
    /// The rest of the experiment: depth, table, base, kind and costs of the cores, pinning,
    /// detail.
    Experiment,
}

impl Kind {
    /// The kinds that a user may allow; the program may differ anyway.
    const ALLOWED: [Kind; 5] =
        [Kind::Build, Kind::Machine, Kind::Settings, Kind::Engines, Kind::Experiment];

    /// The kind in one word.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Program => "program",
            Kind::Build => "build",
            Kind::Machine => "machine",
            Kind::Settings => "settings",
            Kind::Engines => "engines",
            Kind::Experiment => "experiment",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Kind, String> {
        Kind::ALLOWED.into_iter().find(|kind| kind.name() == text).ok_or_else(|| {
            let names = Kind::ALLOWED.map(Kind::name).join(", ");
            format!("`{text}` found, some of {names} expected")
        })
    }
}

/// The differences, by kind. A difference is left out if it cannot change figures of cells that
/// both sides have.
pub(super) fn between(base: &Side, new: &Side) -> Vec<(Kind, Difference)> {
    let mut found: Vec<(Kind, Difference)> = Vec::new();
    for there in &base.sittings {
        for here in &new.sittings {
            let differences = there.differences_by_aspect(here, base.experiment.cores);
            found.extend(differences.into_iter().map(|(aspect, of)| (kind_of(aspect), of)));
        }
    }
    // An unknown value may differ, so it counts as a difference.
    let is_known =
        |side: &Side| if side.sittings.is_empty() { "unknown" } else { "known" }.to_owned();
    let is_real = [base, new].iter().any(|side| side.experiment.cores == CoresKind::Real);
    if is_real && (base.sittings.is_empty() || new.sittings.is_empty()) {
        for kind in [Kind::Build, Kind::Machine] {
            let (what, there, here) = (ENVIRONMENT.to_owned(), is_known(base), is_known(new));
            found.push((kind, Difference { what, there, here }));
        }
    }
    let table = |side: &Side| toml::Table::try_from(&side.experiment).unwrap_or_default();
    let common = Common {
        names: shared(&base.experiment.names(), &new.experiment.names()),
        searchers: shared(&base.searchers(), &new.searchers()),
    };
    for difference in differing(&table(base), &table(new)) {
        found.extend(common.kind(&difference.what).map(|kind| (kind, difference)));
    }
    ascending(found)
}

fn kind_of(aspect: Aspect) -> Kind {
    match aspect {
        Aspect::Program => Kind::Program,
        Aspect::Build => Kind::Build,
        Aspect::Machine => Kind::Machine,
        Aspect::Engine => Kind::Engines,
    }
}

fn shared<'a>(one: &[&'a str], other: &[&str]) -> Vec<&'a str> {
    one.iter().filter(|name| other.contains(name)).copied().collect()
}

/// The parts that both experiments have.
struct Common<'a> {
    /// The competitors.
    names: Vec<&'a str>,
    /// The searchers among them that have the experiment's settings.
    searchers: Vec<&'a str>,
}

impl Common<'_> {
    /// The kind of a key of the experiment; none if the key has no effect on the cells that both
    /// have.
    fn kind(&self, key: &str) -> Option<Kind> {
        let (table, rest) = key.split_once('.').unwrap_or((key, ""));
        let is = |name: &&str| {
            let left = rest.strip_prefix(name);
            left.is_some_and(|left| left.is_empty() || left.starts_with('.'))
        };
        let of_one = |names: &[&str]| names.iter().any(is);
        match table {
            // These keys say which cells there are, in which order, how often, and when they are
            // given up.
            "name" | "positions" | "only" | "searchers" | "threads" | "runs" | "seed"
            | "earlier" | "reference" | "time_limit_s" | "host_limit_s" => None,
            "engine" => (!self.searchers.is_empty()).then_some(Kind::Settings),
            "searcher" => of_one(&self.searchers).then_some(Kind::Settings),
            "variants" => of_one(&self.names).then_some(Kind::Settings),
            "engines" => of_one(&self.names).then_some(Kind::Engines),
            _ => Some(Kind::Experiment),
        }
    }
}

/// Refuses differences that are neither of the program nor of an allowed kind.
pub(super) fn check(
    differences: &[(Kind, Difference)],
    allowed: &[Kind],
) -> Result<(), CompareError> {
    let is_refused = |kind: Kind| kind != Kind::Program && !allowed.contains(&kind);
    let refused: Vec<_> = differences.iter().filter(|(kind, _)| is_refused(*kind)).collect();
    if refused.is_empty() {
        return Ok(());
    }
    let words: Vec<String> = refused.iter().map(|(kind, of)| in_words(*kind, of)).collect();
    let kinds = ascending(refused.iter().map(|(kind, _)| *kind).chain(allowed.iter().copied()));
    let allow: Vec<&str> = kinds.into_iter().map(Kind::name).collect();
    Err(CompareError::Unlike(format!(
        "BASE and NEW differ in more than the program ({}): a change could have another cause. \
         Compare them nevertheless with --allow {}",
        words.join("; "),
        allow.join(",")
    )))
}

/// A difference in words: `machine, CPU: a in BASE, b in NEW`.
pub(super) fn in_words(kind: Kind, difference: &Difference) -> String {
    let Difference { what, there, here } = difference;
    format!("{kind}, {what}: {there} in BASE, {here} in NEW")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_touches_both_counts() {
        let common = Common { names: vec!["ybwc", "sf-15.1", "v"], searchers: vec!["ybwc"] };
        for (key, kind) in [
            ("runs", None),
            ("depth", Some(Kind::Experiment)),
            ("virtual.node_ps", Some(Kind::Experiment)),
            ("searcher.ybwc.min_depth", Some(Kind::Settings)),
            ("searcher.lazy-smp.stagger", None),
            ("engine.killers", Some(Kind::Settings)),
            ("variants.v.engine.killers", Some(Kind::Settings)),
            ("variants.v2", None),
            ("engines.sf-15.1.command", Some(Kind::Engines)),
            ("engines.sf-15", None),
        ] {
            assert_eq!(common.kind(key), kind, "{key}");
        }
        let none = Common { names: vec!["v"], searchers: vec![] };
        assert_eq!(none.kind("engine.killers"), None, "a variant has its own");
    }

    #[test]
    fn kinds_have_names() {
        for kind in Kind::ALLOWED {
            assert_eq!(kind.name().parse(), Ok(kind));
        }
        assert!("weather".parse::<Kind>().is_err_and(|what| what.contains("machine, settings")));
    }
}
