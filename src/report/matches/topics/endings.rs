//! Why the games ended.

use crate::matches::Reason;
use crate::report::columns::columns;
use crate::report::lists::{filled, row};
use crate::report::matches::outcomes::{Ended, is_forfeit};
use crate::report::numbers::known;
use crate::report::{MatchInput, Report, Topic, file};
use ttd_stats::elo::Record;

/// The topic.
pub(crate) const TOPIC: Topic<MatchInput> = Topic {
    files: &[file!("endings.csv", columns, Some, |of| of
        .figures
        .endings
        .iter()
        .map(|ended| (of, ended)))],
    charts: &[],
    section,
};

fn section(report: &mut Report<'_>, input: &MatchInput) {
    report.heading(2, "How games ended");
    let caption = "Why the games ended, and who lost otherwise than on the board.";
    report.table(caption, &by_reason(input));
}

columns! {
    /// The columns of `endings.csv`.
    fn columns<'a>(of: (&'a MatchInput, &'a Ended));

    /// the entry
    Words "entry" = of.0.name(of.1.entry);
    /// a reason that came up
    Words "reason" = of.1.reason.name();
    /// how many of its games ended so
    Whole "won" = of.1.record.wins;
    Whole "drawn" = of.1.record.draws;
    Whole "lost" = of.1.record.losses;
}

/// The reasons that came up: how many games, and who lost so if that is a forfeit.
fn by_reason(input: &MatchInput) -> Vec<Vec<String>> {
    let mut table = vec![row(["reason", "games", "of these draws", "forfeited by"], [])];
    for reason in Reason::ALL {
        let of: Vec<_> = input.figures.endings.iter().filter(|e| e.reason == reason).collect();
        // Each game has two players.
        let half = |count: fn(&Record) -> u64| of.iter().map(|e| count(&e.record)).sum::<u64>() / 2;
        let games = half(|record| record.games());
        let losers = of.iter().filter(|e| e.record.losses > 0 && is_forfeit(reason));
        let losers = losers.map(|e| format!("{} {}", input.name(e.entry), e.record.losses));
        if games > 0 {
            let losers = known(filled(losers.collect()), |losers| losers.join(", "));
            let draws = half(|record| record.draws).to_string();
            table.push(row([reason.name()], [games.to_string(), draws, losers]));
        }
    }
    table
}
