//! The match whose ratings stand beside the speedups.

use crate::report::matches::text::{opening, warnings};
use crate::report::matches::topics::{ratings, results, sketches};
use crate::report::{Name, Picture, Source, Topic};

/// The topic. It is empty without a match.
pub(crate) const TOPIC: Topic<Source> = Topic {
    files: &[],
    charts: &[Picture {
        name: Name::Others,
        shows: "",
        draw: |of, _| of.games.as_ref().map(sketches).unwrap_or_default(),
    }],
    section: |report, of| {
        let Some(games) = &of.games else { return };
        report.heading(2, "Playing strength");
        report.paragraph(&format!("From the match {}: {}", games.spec().name, opening(games)));
        warnings(report, games);
        if !games.games.is_empty() {
            results::section(report, games, 3);
            ratings::section(report, games, 3);
        }
    },
};
