//! Why the games ended.

use crate::matches::Reason;
use crate::report::columns::columns;
use crate::report::matches::endings::{Ended, is_forfeit};
use crate::report::numbers::BLANK;
use crate::report::{File, MatchInput, Report, Topic};
use ttd_stats::elo::Record;

/// The topic.
pub(crate) const TOPIC: Topic<MatchInput> = Topic {
    files: &[File::new(
        "endings.csv",
        |of| Some(columns().file(of.figures.endings.iter().map(|ended| (of, ended)))),
        || columns().page(),
    )],
    charts: &[],
    section,
};

fn section(report: &mut Report<'_>, input: &MatchInput) {
    report.heading(2, "How games ended");
    report
        .table("Why the games ended, and who lost otherwise than on the board.", &by_reason(input));
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
    let header = ["reason", "games", "of these draws", "forfeited by"];
    let mut table = vec![header.map(str::to_owned).to_vec()];
    for reason in Reason::ALL {
        let of: Vec<_> = input.figures.endings.iter().filter(|e| e.reason == reason).collect();
        // Each game has two players.
        let half = |count: fn(&Record) -> u64| of.iter().map(|e| count(&e.record)).sum::<u64>() / 2;
        let games = half(|record| record.games());
        let losers = of.iter().filter(|e| e.record.losses > 0 && is_forfeit(reason));
        let losers: Vec<String> =
            losers.map(|e| format!("{} {}", input.name(e.entry), e.record.losses)).collect();
        if games > 0 {
            let losers = if losers.is_empty() { BLANK.to_owned() } else { losers.join(", ") };
            let draws = half(|record| record.draws).to_string();
            table.push(vec![reason.name().to_owned(), games.to_string(), draws, losers]);
        }
    }
    table
}
