//! The differences between two sittings.

use super::CoresKind;
use super::seen::Seen;
use super::sitting::Sitting;
use crate::records::difference::Difference;

/// The kind of a difference between two sittings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Aspect {
    /// The sources of the program, or its file.
    Program,
    /// The way the program was built from its sources.
    Build,
    /// The machine that it ran on.
    Machine,
    /// An outside engine.
    Engine,
}

type Field = fn(&Sitting) -> String;

const SOURCES: [(&str, Field); 2] =
    [("version", |s| s.version.clone()), ("commit", |s| s.commit.clone())];
/// Target features are many, so each side lists only the ones that the other side lacks.
const FEATURES: &str = "target's features";
const BUILD: [(&str, Field); 5] = [
    ("compiler", |s| s.rustc.clone()),
    ("compiler's flags", |s| s.rustflags.clone()),
    ("target", |s| s.target.clone()),
    (FEATURES, |s| s.target_features.clone()),
    ("optimisation", |s| s.opt_level.clone()),
];
const FILE: [(&str, Field); 1] = [("program's file", |s| match s.executable.as_str() {
    "" => "unknown".to_owned(),
    known => known.to_owned(),
})];
const MACHINE: [(&str, Field); 2] =
    [("CPU", |s| s.cpu.clone()), ("cores", |s| s.cores_usable.to_string())];

impl Sitting {
    /// The differences that are too large to mix the samples of both sittings. Each is in the form
    /// "what: there, here".
    pub fn differences(&self, here: &Sitting, cores: CoresKind) -> Vec<String> {
        let differences = self.differences_by_aspect(here, cores).into_iter();
        differences.map(|(_, difference)| difference.to_string()).collect()
    }

    /// The differences of [`Sitting::differences`], each with its kind.
    ///
    /// Times on real cores depend on everything that made the program, and on the machine. Samples
    /// on virtual cores are equal from every compiler and on every machine, so there only the
    /// sources count. Outside engines are compared by name; an engine of only one sitting does not
    /// count.
    pub fn differences_by_aspect(
        &self,
        here: &Sitting,
        cores: CoresKind,
    ) -> Vec<(Aspect, Difference)> {
        let compare = |aspect: Aspect, fields: &[(&str, Field)]| -> Vec<(Aspect, Difference)> {
            let differ = fields.iter().filter(|(_, field)| field(self) != field(here));
            let say = |(what, field): &(&str, Field)| {
                let (mut one, mut other) = (field(self), field(here));
                if *what == FEATURES {
                    (one, other) = (beyond(&one, &other), beyond(&other, &one));
                }
                (aspect, Difference::new(*what, one, other))
            };
            differ.map(say).collect()
        };
        let real = cores == CoresKind::Real;
        let mut differences = compare(Aspect::Program, &SOURCES);
        if real {
            differences.extend(compare(Aspect::Build, &BUILD));
        }
        // Two builds may have one commit, but different sources: then the program's file is
        // compared.
        if differences.is_empty() && (real || self.is_changed()) {
            differences = compare(Aspect::Program, &FILE);
        }
        if real {
            differences.extend(compare(Aspect::Machine, &MACHINE));
        }
        let words = |seen: &Seen| format!("{} (its file: {})", seen.says, seen.program);
        for there in &self.engines {
            let same = here.engines.iter().find(|here| here.name == there.name);
            if let Some(here) = same.filter(|here| *here != there) {
                let what = format!("engine {}", there.name);
                let difference = Difference::new(what, words(there), words(here));
                differences.push((Aspect::Engine, difference));
            }
        }
        differences
    }
}

/// The items of a list, separated by commas, that the other list lacks.
fn beyond(list: &str, other: &str) -> String {
    let own: Vec<&str> =
        list.split(',').filter(|item| other.split(',').all(|same| same != *item)).collect();
    if own.is_empty() { "no others".to_owned() } else { own.join(",") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_differs() {
        let there = Sitting { commit: "abc".to_owned(), ..Sitting::begin(0, &[]) };
        let differences = |here: &Sitting| there.differences(here, CoresKind::Real);
        assert!(differences(&there).is_empty());
        let mut here = there.clone();
        here.cores_usable = 99;
        here.commit = "def".to_owned();
        here.executable = "0123456789abcdef".to_owned();
        let found = differences(&here);
        assert_eq!(found.len(), 2, "what the commit tells needs no fingerprint");
        assert!(found[1].ends_with("99 here"));
        for change in [
            |s: &mut Sitting| s.opt_level = "9".to_owned(),
            |s: &mut Sitting| s.rustflags = "-C target-cpu=other".to_owned(),
            |s: &mut Sitting| s.executable = "0123456789abcdef".to_owned(),
        ] {
            let mut here = there.clone();
            change(&mut here);
            assert_eq!(differences(&here).len(), 1);
        }
    }

    #[test]
    fn of_features_only_those_are_told_that_one_side_has() {
        let with = |features: &str| Sitting {
            target_features: features.to_owned(),
            ..Sitting::begin(0, &[])
        };
        let found = with("avx,sse,sse4a").differences(&with("amx,avx,sse,vaes"), CoresKind::Real);
        assert_eq!(found, ["target's features: sse4a there, amx,vaes here"]);
        let found = with("avx,sse").differences(&with("sse"), CoresKind::Real);
        assert_eq!(found, ["target's features: avx there, no others here"]);
    }

    #[test]
    fn virtual_cores_are_the_same_on_every_machine() {
        let mut there = Sitting { commit: "abc".to_owned(), ..Sitting::begin(0, &[]) };
        let mut here = Sitting { cpu: "another".to_owned(), cores_usable: 99, ..there.clone() };
        here.rustc = "another".to_owned();
        here.executable = "0123456789abcdef".to_owned();
        assert!(there.differences(&here, CoresKind::Virtual).is_empty());
        // Changed sources have no commit of their own: the program's file tells them apart.
        for sitting in [&mut there, &mut here] {
            sitting.commit = "abc-dirty".to_owned();
        }
        assert_eq!(there.differences(&here, CoresKind::Virtual).len(), 1);
        here.commit = "def".to_owned();
        let found = there.differences(&here, CoresKind::Virtual);
        assert_eq!(found, ["commit: abc-dirty there, def here"]);
    }

    #[test]
    fn every_difference_is_one_of_something() {
        let seen = |name: &str, says: &str| Seen {
            name: name.to_owned(),
            says: says.to_owned(),
            program: "0123".to_owned(),
            own_table: false,
        };
        let there = Sitting::begin(0, &[seen("gone", "Gone 1"), seen("sf", "Stockfish 15")]);
        let mut here =
            Sitting { commit: "def".to_owned(), cpu: "another".to_owned(), ..there.clone() };
        here.rustc = "another".to_owned();
        here.engines = vec![seen("sf", "Stockfish 16"), seen("came", "Came 1")];
        let found = there.differences_by_aspect(&here, CoresKind::Real);
        let aspects: Vec<Aspect> = found.iter().map(|(aspect, _)| *aspect).collect();
        let expected = [Aspect::Program, Aspect::Build, Aspect::Machine, Aspect::Engine];
        assert_eq!(aspects, expected);
        let words =
            "engine sf: Stockfish 15 (its file: 0123) there, Stockfish 16 (its file: 0123) here";
        assert_eq!(found[3].1.to_string(), words);
    }
}
