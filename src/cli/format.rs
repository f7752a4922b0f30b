//! Figures as people read them.

pub(super) use crate::report::count;
use ttd_search::cores::Time;
use ttd_search::engine::{Board, MATE, Move, Score, is_mate};
use ttd_search::positions::uci_text;

/// A span of time to about two digits: `0.4 s`, `12 s`, `3 min 10 s`, `2 h 05 min`.
pub(super) fn duration(time: Time) -> String {
    let seconds = time.as_secs_f64();
    let whole = seconds.round() as u64;
    match whole {
        0..10 => format!("{seconds:.1} s"),
        10..60 => format!("{whole} s"),
        60..3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole / 60 % 60),
    }
}

/// A score from the side to move: pawns, `+0.35`, or moves to mate, `#5` and `#-5`.
pub(super) fn score(score: Score) -> String {
    match mate_in(score) {
        Some(moves) => format!("#{moves}"),
        None => format!("{:+.2}", f64::from(score) / 100.0),
    }
}

/// A score in pawns; none if it is a mate.
pub(super) fn pawns(score: Score) -> Option<f64> {
    (!is_mate(score)).then(|| f64::from(score) / 100.0)
}

/// The number of moves to mate, below 0 if the side to move is mated; none if it is no mate.
pub(super) fn mate_in(score: Score) -> Option<f64> {
    let moves = (MATE - score.abs() + 1) / 2;
    is_mate(score).then(|| f64::from(if score < 0 { -moves } else { moves }))
}

/// Moves from a position on, in UCI notation.
pub(super) fn line(board: &Board, moves: &[Move]) -> String {
    let mut board = board.clone();
    let mut words = Vec::new();
    for &mv in moves {
        words.push(uci_text(&board, mv));
        if board.try_play(mv).is_err() {
            break;
        }
    }
    words.join(" ")
}

/// Nodes per second, in whole ones; 0 if no time passed.
pub(super) fn per_second(nodes: u64, time: Time) -> u64 {
    if time == Time::ZERO { 0 } else { (nodes as f64 / time.as_secs_f64()) as u64 }
}

/// A share as a percentage, with as many decimals as it needs, at most three: `3%`, `0.125%`.
pub(super) fn percent(share: f64) -> String {
    let text = format!("{:.3}", 100.0 * share);
    format!("{}%", text.trim_end_matches('0').trim_end_matches('.'))
}

/// A word quoted so that a shell takes it as one.
pub(super) fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,=:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Columns, each as wide as its widest field; the first `left` ones to the left, numbers to the
/// right.
pub(super) fn table(rows: &[Vec<String>], left: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| rows.iter().filter_map(|r| r.get(c)).map(|f| f.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|c| width(c).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let fields = row.iter().zip(&widths).enumerate().map(|(c, (field, &width))| {
            if c < left { format!("{field:<width$}") } else { format!("{field:>width$}") }
        });
        text.push_str(fields.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// Breaks a text into lines of at most `width` characters, if its words are shorter.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let line = lines.last_mut().expect("there is always a line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for (seconds, text) in [
            (0.04, "0.0 s"),
            (9.4, "9.4 s"),
            (59.0, "59 s"),
            (190.0, "3 min 10 s"),
            (7500.0, "2 h 05 min"),
        ] {
            assert_eq!(duration(Time::from_secs_f64(seconds)), text);
        }
    }

    #[test]
    fn scores() {
        assert_eq!(score(35), "+0.35");
        assert_eq!(score(-1234), "-12.34");
        assert_eq!(score(MATE - 1), "#1");
        assert_eq!(score(MATE - 9), "#5");
        assert_eq!(score(-(MATE - 2)), "#-1");
    }

    #[test]
    fn words_for_a_shell() {
        assert_eq!(shell_word("results/a-1,2"), "results/a-1,2");
        assert_eq!(shell_word("my results"), "'my results'");
        assert_eq!(shell_word("it's"), r"'it'\''s'");
    }

    #[test]
    fn percentages() {
        assert_eq!([0.03, 0.07, 0.00125, 1.0].map(percent), ["3%", "7%", "0.125%", "100%"]);
    }

    #[test]
    fn wraps_at_words() {
        assert_eq!(wrap("a bb ccc dddd", 4), ["a bb", "ccc", "dddd"]);
    }

    #[test]
    fn tables_line_up() {
        let row = |a: &str, b: &str| vec![a.to_owned(), b.to_owned()];
        assert_eq!(table(&[row("ab", "1"), row("c", "22")], 1), "ab   1\nc   22\n");
    }
}
