//! The text that is printed about a search.

use crate::uci::Said;
use parking_lot::Mutex;
use std::fmt::Write as _;
use std::io::Write;
use std::time::Duration;
use ttd_search::engine::{Bound, MATE, Score, is_mate};

/// The output of several threads; each line is printed whole.
pub(super) struct Output<W>(Mutex<W>);

impl<W: Write> Output<W> {
    /// An output that writes to `to`.
    pub(super) const fn new(to: W) -> Output<W> {
        Output(Mutex::new(to))
    }

    /// Prints a line. An error is ignored: when the reader has gone, the input ends too, and that
    /// ends the program.
    pub(super) fn line(&self, text: &str) {
        let mut to = self.0.lock();
        let _ = writeln!(to, "{text}").and_then(|()| to.flush());
    }

    /// Prints something for people.
    pub(super) fn string(&self, text: &str) {
        self.line(&format!("info string {}", text.replace('\n', " ")));
    }
}

/// The progress of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    pub(super) time: Duration,
    /// The nodes of all workers.
    pub(super) nodes: u64,
    /// How full the table is, 0 to 1.
    pub(super) fill: f64,
}

impl Effort {
    /// The text of the progress: `nodes 1 nps 1 hashfull 0 time 1`.
    pub(super) fn text(&self) -> String {
        let Effort { time, nodes, fill } = *self;
        let rate = (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64;
        let permille = (fill * 1000.0) as u32;
        format!("nodes {nodes} nps {rate} hashfull {permille} time {}", time.as_millis())
    }
}

/// The result for one of the best moves.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) depth: i32,
    /// The selective depth; none where no window was open.
    pub(super) seldepth: Option<usize>,
    pub(super) score: Score,
    pub(super) bound: Bound,
    /// Whether the chances of a win, a draw and a loss are printed.
    pub(super) wdl: bool,
    /// The line in words.
    pub(super) line: String,
}

impl Found {
    /// The whole line for the best move with this `number`.
    pub(super) fn text(&self, number: usize, effort: &Effort) -> String {
        let Found { depth, seldepth, score, bound, wdl, line } = self;
        let mut text = format!("info depth {depth}");
        if let Some(seldepth) = seldepth {
            let _ = write!(text, " seldepth {seldepth}");
        }
        let _ = write!(text, " multipv {number} score ");
        text.push_str(&score_words(*score));
        text.push_str(match bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        });
        if *wdl {
            let [win, draw, loss] = chances(*score);
            let _ = write!(text, " wdl {win} {draw} {loss}");
        }
        let _ = write!(text, " {}", effort.text());
        if !line.is_empty() {
            let _ = write!(text, " pv {line}");
        }
        text
    }
}

/// The score, in centipawns, at which half of the games are won; and the score over which the odds
/// of a win grow e-fold. Both follow from a guess, that half of the games between equals are drawn,
/// and from the expected result of a score (`ttd tune`: K = 1.26).
const HALF_WON: f64 = 114.0;
const WIN_SCALE: f64 = 103.0;

/// The chances of a win, a draw and a loss, in thousandths, from the side to move.
fn chances(score: Score) -> [u32; 3] {
    if is_mate(score) {
        return if score > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let won = |score: f64| 1000.0 / (1.0 + ((HALF_WON - score) / WIN_SCALE).exp());
    let [win, loss] = [f64::from(score), -f64::from(score)].map(|s| won(s).round() as u32);
    [win, 1000 - win - loss, loss]
}

/// The score as engines say it, from the side to move; mates in moves.
pub(crate) fn said(score: Score) -> Said {
    if is_mate(score) {
        Said::Mate(moves_to_mate(score) as i32 * score.signum())
    } else {
        Said::Centipawns(score)
    }
}

/// The score in words: `cp 35`, `mate 3`, `mate -2`.
pub(super) fn score_words(score: Score) -> String {
    match said(score) {
        Said::Mate(moves) => format!("mate {moves}"),
        Said::Centipawns(score) => format!("cp {score}"),
    }
}

/// The number of moves that the mating side takes.
pub(super) const fn moves_to_mate(score: Score) -> u32 {
    ((MATE - score.abs() + 1) / 2).unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores() {
        for (score, words) in [
            (-35, "cp -35"),
            (MATE - 1, "mate 1"),
            (MATE - 3, "mate 2"),
            (2 - MATE, "mate -1"),
            (4 - MATE, "mate -2"),
        ] {
            assert_eq!(score_words(score), words);
        }
    }

    #[test]
    fn chances_are_of_the_side_to_move_and_sum_to_a_thousand() {
        assert_eq!(chances(0), [248, 504, 248]);
        assert_eq!(chances(114)[0], 500);
        assert_eq!((chances(MATE - 3), chances(4 - MATE)), ([1000, 0, 0], [0, 0, 1000]));
        for score in -3_000..3_000 {
            let [win, draw, loss] = chances(score);
            assert_eq!([loss, draw, win], chances(-score));
            assert_eq!(win + draw + loss, 1000);
        }
    }

    #[test]
    fn a_whole_line() {
        let effort = Effort { time: Duration::from_millis(1_500), nodes: 3_000, fill: 0.0125 };
        let found = Found {
            depth: 7,
            seldepth: Some(12),
            score: 20,
            bound: Bound::Lower,
            wdl: false,
            line: "e2e4 e7e5".to_owned(),
        };
        assert_eq!(
            found.text(2, &effort),
            "info depth 7 seldepth 12 multipv 2 score cp 20 lowerbound nodes 3000 nps 2000 \
             hashfull 12 time 1500 pv e2e4 e7e5"
        );
        let found = Found { bound: Bound::Upper, line: String::new(), seldepth: None, ..found };
        assert_eq!(
            found.text(1, &effort),
            "info depth 7 multipv 1 score cp 20 upperbound nodes 3000 nps 2000 hashfull 12 time 1500"
        );
    }
}
