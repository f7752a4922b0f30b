//! A partial match, from a TOML file or from options: any part of it, unchecked.

use super::adjudication::{Adjudication, Draw, Resign};
use super::option_terms;
use super::spec::{RunningRating, SprtTerms};
use crate::records::{NumberList, partial, seconds, whole};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use ttd_search::value::{Table, Value};

partial! {
    /// A partial match. Numbers are as wide as TOML's. So an impossible one is refused with a
    /// reason, and not with the name of a type. A key is the field of the same name of `Match` or
    /// `Entry`. Keys that no file has are other words for such keys.
    PartialMatch;
    /// An outside engine that plays, instead of the file's entries: a command such as "gnuchess
    /// -u", or keys such as "name=old command=./engine-old tc=5+0.05 option.OwnBook=false". The
    /// option is repeated for each engine
    #[serde(skip_deserializing)]
    #[arg(long = "engine", value_name = "SPEC", value_parser = PartialEntry::spoken, help_heading = "Who plays", display_order = 1)]
    engines: Vec<PartialEntry>,
    /// Searchers with which our own engine plays, comma separated, instead of the file's entries
    #[arg(long = "searchers", value_name = "LIST", value_delimiter = ',', value_parser = PartialEntry::ours, help_heading = "Who plays", display_order = 2)]
    entries: Vec<PartialEntry>,
    /// Keys of every engine that does not say its own, such as "threads=2 option.OwnBook=false"
    #[serde(skip_deserializing)]
    #[arg(long, value_name = "KEYS", value_parser = PartialEntry::of_each, help_heading = "Who plays", display_order = 3)]
    each: PartialEntry,
    /// Threads of every entry that does not say how many; different ones stand in a file [default:
    /// 1]
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true, help_heading = "Who plays", display_order = 4)]
    threads: i64,
    /// Size of the table of every entry that does not say how large [default: 64]
    #[arg(long = "hash", value_name = "MIB", value_parser = whole, allow_negative_numbers = true, help_heading = "Who plays", display_order = 5)]
    hash_mib: i64,
    /// A clock for every engine without a pace of its own: [MOVES/]SECONDS[+INCREMENT], such as
    /// 10+0.1 or 40/90 [default: 10+0.1]
    #[arg(long = "tc", value_name = "TC", help_heading = "How they play", display_order = 10)]
    time_control: String,
    /// Instead of a clock: nodes of each move
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true, help_heading = "How they play", display_order = 11)]
    nodes: i64,
    /// Instead of a clock: depth of each move
    #[arg(long, value_name = "PLIES", value_parser = whole, allow_negative_numbers = true, help_heading = "How they play", display_order = 12)]
    depth: i64,
    /// Instead of a clock: time of each move
    #[arg(long = "st", value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true, help_heading = "How they play", display_order = 13)]
    move_time_s: f64,
    /// Play at fixed depths, such as 1..8 or 2,4,6, to measure the cost of a move there
    #[arg(long, value_name = "DEPTHS", help_heading = "How they play", display_order = 14)]
    by_depth: NumberList,
    /// How much longer than its time an engine may take [default: 0; with --st 50]
    #[arg(long = "timemargin", value_name = "MS", value_parser = whole, allow_negative_numbers = true, help_heading = "How they play", display_order = 15)]
    time_margin_ms: i64,
    #[arg(skip)]
    move_limit_s: i64,
    /// Kind of cores of our own entries: real (threads), or virtual (a simulated clock). Virtual
    /// ones play the same games on every machine [default: real]
    #[arg(long, value_name = "KIND", help_heading = "How they play", display_order = 19)]
    cores: String,
    #[arg(skip)]
    host_limit_s: f64,
    /// The costs of virtual cores.
    #[serde(rename = "virtual")]
    #[arg(skip)]
    costs: Table,
    /// The virtual cores of outside engines.
    #[arg(skip)]
    virtual_engines: Table,
    /// An opening set of the program, or a file in EPD or PGN [default: openings-8moves]
    #[arg(long, value_name = "NAME|FILE", help_heading = "How they play", display_order = 16)]
    openings: String,
    /// Moves, of both sides, that are taken from each game of an opening file in PGN [default: all]
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true, help_heading = "How they play", display_order = 16)]
    plies: i64,
    /// Leave out the lines of the opening file that are no positions, and say how many
    #[arg(long, num_args = 0, default_missing_value = "true", help_heading = "How they play", display_order = 17)]
    skip_bad: bool,
    /// Seed of the order of the openings [default: 1]
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true, help_heading = "How they play", display_order = 18)]
    seed: i64,
    /// Games of each pairing, an even number [default: 100; with --sprt at most 20000]
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true, help_heading = "How many games", display_order = 20)]
    games: i64,
    /// Rounds, each with two games of each pairing, colours reversed: half of --games
    #[serde(skip_deserializing)]
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true, help_heading = "How many games", display_order = 21)]
    rounds: i64,
    /// Who meets whom: gauntlet (the first against all others), round-robin, or named (by the key
    /// `against`) [default: of a file gauntlet, of options round-robin]
    #[arg(long = "tournament", value_name = "KIND", value_parser = option_terms::tournament, help_heading = "How many games", display_order = 22)]
    format: String,
    /// End the match when this test of the first engine against the second is decided, such as
    /// "elo0=0 elo1=5 alpha=0.05 beta=0.05" (logistic Elo)
    #[arg(long, value_name = "TERMS", value_parser = option_terms::sprt, help_heading = "How many games", display_order = 23)]
    sprt: SprtTerms,
    /// Games played at once [default: as many as there are cores for]
    #[arg(long, alias = "jobs", value_name = "N", value_parser = whole, allow_negative_numbers = true, help_heading = "How many games", display_order = 24)]
    concurrency: i64,
    /// Find the factor of time with which the first of two entries is as strong as the second
    #[arg(long, num_args = 0, default_missing_value = "true", conflicts_with = "by_depth", help_heading = "How many games", display_order = 25)]
    effective_speedup: bool,
    /// Play only part K of N, such as 3/16: `ttd merge` puts the parts together
    #[arg(long, value_name = "K/N", help_heading = "How many games", display_order = 26)]
    shard: String,
    #[arg(skip)]
    running_rating: RunningRating,
    /// When a side has lost by its scores, such as "movecount=4 score=900 twosided=true". Without
    /// twosided=true the winner's scores do not count
    #[serde(skip_deserializing)]
    #[arg(long, value_name = "TERMS", value_parser = option_terms::resign, help_heading = "When a game ends", display_order = 30)]
    resign: Resign,
    /// When a game is drawn by its scores, such as "movenumber=40 movecount=8 score=8"
    #[serde(skip_deserializing)]
    #[arg(long, value_name = "TERMS", value_parser = option_terms::draw, help_heading = "When a game ends", display_order = 31)]
    draw: Draw,
    /// Moves of each side after which a game is drawn
    #[serde(skip_deserializing)]
    #[arg(long = "maxmoves", value_name = "N", value_parser = whole, allow_negative_numbers = true, help_heading = "When a game ends", display_order = 32)]
    max_moves: i64,
    #[arg(skip)]
    adjudication: Adjudication,
    /// Name of the match [default: the file's name; without a file `match-` and a hash]
    #[arg(long, help_heading = "Results", display_order = 40)]
    name: String,
}

/// Declares a partial entry: its own keys, and those that it shares with
/// [`crate::uci::EngineSpec`].
macro_rules! entry {
    ($(#[$doc:meta])* $Entry:ident { $($own:ident: $said:ty,)* } outside { $($key:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(missing_docs, reason = "each is the field of the same name of `Entry` or `EngineSpec`")]
        pub struct $Entry {
            $(pub $own: Option<$said>,)*
            $(pub $key: Option<Value>,)*
        }

        impl $Entry {
            /// The keys that an entry shares with an outside engine.
            pub(super) const OUTSIDE: &[&str] = &[$(stringify!($key)),*];

            /// The part for an outside engine.
            pub(super) fn outside(&self) -> Table {
                let values = [$((stringify!($key), &self.$key)),*].into_iter();
                values.filter_map(|(key, value)| Some((key.to_owned(), value.clone()?))).collect()
            }

            /// This entry, an outside engine, with the keys of every engine. A key of its own
            /// stays; so does each entry of its own tables.
            pub(super) fn with_outside_of(self, each: &$Entry) -> $Entry {
                $Entry { $($key: joined(self.$key, each.$key.clone()),)* ..self }
            }
        }
    };
}

entry! {
    /// A partial entry. It has a `searcher`, or a `command` and the other keys of an outside
    /// engine.
    PartialEntry {
        name: String,
        role: String,
        against: Vec<String>,
        rating: f64,
        time_control: String,
        nodes: i64,
        depth: i64,
        move_time_s: f64,
        time_factor: f64,
        threads: i64,
        hash_mib: i64,
        searcher: String,
        engine: Table,
        parameters: Table,
    } outside {
        command,
        dir,
        environment,
        start_limit_s,
        ready_limit_s,
        stop_limit_s,
        chess960,
        protocol,
        threads_option,
        hash_option,
        depth_command,
        price_ps,
        raw,
        options,
    }
}

fn joined(own: Option<Value>, each: Option<Value>) -> Option<Value> {
    match (own, each) {
        (Some(Value::Table(own)), Some(Value::Table(mut each))) => {
            each.extend(own);
            Some(Value::Table(each))
        }
        (own, each) => own.or(each),
    }
}

impl PartialMatch {
    /// The pace, threads and table of `--each` become those of the match. So they have one meaning
    /// and one check. Keys of outside engines stay with `each`.
    #[must_use]
    pub fn with_each_spread(mut self) -> PartialMatch {
        let Some(each) = self.each.take() else { return self };
        let PartialEntry { time_control, nodes, depth, move_time_s, threads, hash_mib, .. } = each;
        self.each = Some(PartialEntry {
            time_control: None,
            nodes: None,
            depth: None,
            move_time_s: None,
            threads: None,
            hash_mib: None,
            ..each
        });
        PartialMatch {
            time_control: self.time_control.or(time_control),
            nodes: self.nodes.or(nodes),
            depth: self.depth.or(depth),
            move_time_s: self.move_time_s.or(move_time_s),
            threads: self.threads.or(threads),
            hash_mib: self.hash_mib.or(hash_mib),
            ..self
        }
    }

    /// Whether a pace is given.
    fn has_pace(&self) -> bool {
        self.time_control.is_some()
            || self.nodes.is_some()
            || self.depth.is_some()
            || self.move_time_s.is_some()
    }

    /// These values without a pace that one of `options` replaces.
    #[must_use]
    pub(super) fn paced_by(self, options: &PartialMatch) -> PartialMatch {
        if !options.has_pace() {
            return self;
        }
        let PartialMatch { time_control, nodes, depth, move_time_s, by_depth, .. } =
            options.clone();
        PartialMatch { time_control, nodes, depth, move_time_s, by_depth, ..self }
    }
}

impl PartialEntry {
    /// Our engine with a searcher, and its name.
    #[allow(clippy::unnecessary_wraps, reason = "as all that read an option")]
    fn ours(searcher: &str) -> Result<PartialEntry, Infallible> {
        let name = Some(searcher.to_owned());
        Ok(PartialEntry { searcher: name.clone(), name, ..PartialEntry::default() })
    }
}
