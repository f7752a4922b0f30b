//! Moves that did well elsewhere in the tree: history, continuations and countermoves.
//!
//! The entries are relaxed atomics, which cost as much as plain integers. So the same tables can
//! belong to one worker or be shared by all. An update lost to another worker does no harm.

use super::generation::quiet_moves;
use super::zobrist::random;
use crate::wire::Portable;
use cozy_chess::{BitBoard, Board, Color, Move, Piece, PieceMoves, Square};
use std::iter;
use std::sync::atomic::{AtomicI16, AtomicU16, Ordering::Relaxed};

/// The bound of every entry: it lies from -`LIMIT` to `LIMIT`.
const LIMIT: i32 = 16_384;
const PIECES: usize = 12;

/// The records of one piece on one square, by the target of its move.
type Row = [AtomicI16; 64];

/// A piece of a colour that arrived on a square: continuations and countermoves answer it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved(u16);

impl Portable for Moved {
    fn put(&self, bytes: &mut Vec<u8>) {
        u64::from(self.0).put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Moved> {
        let index = u64::take(bytes)?;
        (index < 2 * 6 * 64).then_some(Moved(index as u16))
    }
}

impl Moved {
    /// `piece` of `color`, arrived on `to`.
    pub const fn new(color: Color, piece: Piece, to: Square) -> Moved {
        Moved((color as u16 * 6 + piece as u16) * 64 + to as u16)
    }
}

/// The records of quiet moves.
///
/// Written during a search by the workers that it belongs to; read by move ordering and reductions.
/// Lives for one sample, and in a game from move to move.
pub struct History {
    /// Records by colour and origin.
    butterfly: Box<[[Row; 64]]>,
    /// Records by the move that is answered, then by colour and piece. That move was one or two
    /// plies before: its colour tells which.
    continuations: Box<[[Row; 6]]>,
    /// Quiet moves, by the move that they answer.
    countermoves: Box<[AtomicU16]>,
}

/// The records of one piece's quiet moves at one node.
pub struct Records<'h> {
    butterfly: &'h Row,
    continuations: [&'h Row; 2],
}

/// The records of all quiet moves of a colour at one node.
pub struct Answers<'h> {
    butterfly: &'h [Row; 64],
    continuations: [&'h [Row; 6]; 2],
}

const fn no_record() -> Row {
    [const { AtomicI16::new(0) }; 64]
}

/// The records of moves that answer nothing.
static NO_RECORDS: [Row; 6] = [const { no_record() }; 6];

impl<'h> Answers<'h> {
    /// The records of the piece on a square.
    pub fn of(&self, piece: Piece, from: Square) -> Records<'h> {
        Records {
            butterfly: &self.butterfly[from as usize],
            continuations: self.continuations.map(|rows| &rows[piece as usize]),
        }
    }
}

impl Records<'_> {
    /// The record of the move to a square, from -49,152 to 49,152.
    ///
    /// It is a sum of three: the move's own record, and its records as an answer to the moves one
    /// ply and two plies before.
    pub fn score(&self, to: Square) -> i32 {
        let at = |row: &Row| i32::from(row[to as usize].load(Relaxed));
        at(self.butterfly) + at(self.continuations[0]) + at(self.continuations[1])
    }
}

impl Default for History {
    fn default() -> History {
        History {
            butterfly: (0..2).map(|_| [const { no_record() }; 64]).collect(),
            continuations: (0..PIECES * 64 * 2).map(|_| [const { no_record() }; 6]).collect(),
            countermoves: (0..PIECES * 64).map(|_| AtomicU16::new(0)).collect(),
        }
    }
}

/// The moves one and two plies before; none for a null move.
pub type Before = [Option<Moved>; 2];

impl History {
    /// The greatest size of an entry.
    pub const LIMIT: i32 = LIMIT;

    /// The memory of one history, bytes.
    pub const BYTES: usize =
        (2 * 64 + PIECES * 64 * 2 * 6) * size_of::<Row>() + PIECES * 64 * size_of::<AtomicU16>();

    /// The records of the quiet moves of `color`, as answers to the moves before.
    pub fn answers(&self, color: Color, before: Before) -> Answers<'_> {
        let continuation = |before: Option<Moved>| {
            before.map_or(&NO_RECORDS, |before| &self.continuations[row(before, color)])
        };
        Answers {
            butterfly: &self.butterfly[color as usize],
            continuations: before.map(continuation),
        }
    }

    /// Raises the record of a move, or lowers it with a negative `bonus`. `looked` is told the
    /// cache line, by number, of each entry, and whether the entry changes.
    ///
    /// Entries are pulled towards zero in proportion to their size. So they stay within bounds, and
    /// old updates fade.
    #[inline]
    pub fn update(
        &self,
        (color, piece, mv): (Color, Piece, Move),
        before: Before,
        bonus: i32,
        rounding: &mut Rounding,
        mut looked: impl FnMut(u64, bool),
    ) {
        let (from, to) = (mv.from as usize, mv.to as usize);
        let mut change = |entry: &AtomicI16, row: usize| {
            looked(line_of(row, to), rounding.nudge(entry, bonus));
        };
        change(&self.butterfly[color as usize][from][to], by_origin(color, from));
        for before in before.into_iter().flatten() {
            let row = row(before, color);
            let entry = &self.continuations[row][piece as usize][to];
            change(entry, by_continuation(row, piece));
        }
    }

    /// The cache lines, by number, of the records of all quiet moves of the side to move. They are
    /// answers to the moves before. A line may come more than once.
    pub fn lines_of_answers(board: &Board, before: Before, mut line: impl FnMut(u64)) {
        let color = board.side_to_move();
        quiet_moves(board, |PieceMoves { piece, from, to }| {
            let continuation = |before: Moved| by_continuation(row(before, color), piece);
            let rows = before.into_iter().flatten().map(continuation);
            for row in iter::once(by_origin(color, from as usize)).chain(rows) {
                let halves = [(HALF, 0), (!HALF, 63)].into_iter();
                let halves = halves.filter(|(half, _)| !(to & *half).is_empty());
                halves.for_each(|(_, square)| line(line_of(row, square)));
            }
        });
    }

    /// The cache line, by number, of the move that refuted `before` last.
    pub fn line_of_countermove(before: Moved) -> u64 {
        let rows = 2 * 64 + PIECES * 64 * 2 * 6;
        (rows * 2 + usize::from(before.0) / 32) as u64
    }

    /// Copies all entries of another history, as far as they can be seen.
    pub fn copy_from(&self, other: &History) {
        let rows = |to: &[Row], from: &[Row]| {
            for (to, from) in to.as_flattened().iter().zip(from.as_flattened()) {
                to.store(from.load(Relaxed), Relaxed);
            }
        };
        rows(self.butterfly.as_flattened(), other.butterfly.as_flattened());
        rows(self.continuations.as_flattened(), other.continuations.as_flattened());
        for (to, from) in self.countermoves.iter().zip(&other.countermoves) {
            to.store(from.load(Relaxed), Relaxed);
        }
    }

    /// Lowers all records by so many hundredths (0 to 100). Countermoves stay.
    pub fn age(&self, hundredths: i32) {
        let fade = |rows: &[Row]| {
            for entry in rows.as_flattened() {
                let old = i32::from(entry.load(Relaxed));
                entry.store((old - old * hundredths / 100) as i16, Relaxed);
            }
        };
        fade(self.butterfly.as_flattened());
        fade(self.continuations.as_flattened());
    }

    /// The quiet move that last refuted `before` (the countermove heuristic of Uiterwijk).
    #[inline]
    pub fn countermove(&self, before: Moved) -> Option<Move> {
        let bits = self.countermoves[usize::from(before.0)].load(Relaxed);
        (bits != 0).then(|| Move {
            from: Square::index(usize::from(bits & 63)),
            to: Square::index(usize::from(bits >> 6 & 63)),
            promotion: None,
        })
    }

    /// Notes the quiet move that refuted `before`. Returns whether it is another one than before.
    pub fn set_countermove(&self, before: Moved, mv: Move) -> bool {
        let bits = mv.from as u16 | (mv.to as u16) << 6;
        let countermove = &self.countermoves[usize::from(before.0)];
        let is_new = countermove.load(Relaxed) != bits;
        if is_new {
            countermove.store(bits, Relaxed);
        }
        is_new
    }
}

/// The squares whose records are in the first of the two lines of a row.
const HALF: BitBoard = BitBoard(u32::MAX as u64);

/// The number of the row of records by origin. Each row has two lines. Rows by origin come first,
/// and then the rows of continuations.
const fn by_origin(color: Color, from: usize) -> usize {
    color as usize * 64 + from
}

/// The number of a row of continuations.
const fn by_continuation(row: usize, piece: Piece) -> usize {
    2 * 64 + row * 6 + piece as usize
}

/// The line of a row that has the record of a move to a square.
const fn line_of(row: usize, to: usize) -> u64 {
    (row * 2 + to / 32) as u64
}

fn row(before: Moved, color: Color) -> usize {
    usize::from(before.0) * 2 + color as usize
}

/// The rounding of changes to records that several workers share.
///
/// A worker that changes an entry takes its cache line from all others. Most changes are small. A
/// change that is smaller than the step becomes the step, with a probability of change over step,
/// or nothing. So entries are written less often, and their means stay as they are. With a step of
/// a quarter of the limit, small changes leave an entry at one of nine values.
///
/// Source: stochastic rounding, as in sums of small numbers (Croci et al., "Stochastic rounding:
/// implementation, error analysis and applications", 2022).
#[derive(Clone, Copy, Debug, Default)]
pub struct Rounding {
    step: i32,
    coin: u64,
}

impl Rounding {
    /// The rounding to this step, 0 or more: with 0 each change is as it is. Different seeds, less
    /// than 2^24, have different coins.
    pub const fn new(step: i32, seed: u64) -> Rounding {
        Rounding { step, coin: seed << 40 }
    }

    /// Moves an entry by `bonus`, rounded, and towards zero in proportion to its size. Returns
    /// whether it has changed.
    #[inline]
    fn nudge(&mut self, entry: &AtomicI16, bonus: i32) -> bool {
        let old = i32::from(entry.load(Relaxed));
        let new = old + self.round(old, change(old, bonus));
        if new != old {
            entry.store(new as i16, Relaxed);
        }
        new != old
    }

    #[inline]
    fn round(&mut self, old: i32, change: i32) -> i32 {
        // No change is greater than the room that an entry has.
        let (size, step) = (change.abs(), self.step.min(LIMIT - old * change.signum()));
        if size >= step {
            return change;
        }
        self.coin += 1;
        let drawn = ((random(self.coin) >> 32) * step as u64) >> 32;
        if drawn < size as u64 { change.signum() * step } else { 0 }
    }
}

/// Moves an entry by `bonus`, and towards zero in proportion to its size.
pub(super) fn nudge(entry: &AtomicI16, bonus: i32) {
    let old = i32::from(entry.load(Relaxed));
    entry.store((old + change(old, bonus)) as i16, Relaxed);
}

fn change(old: i32, bonus: i32) -> i32 {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    bonus - old * bonus.abs() / LIMIT
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Raises the record of a white move, and tells the lines.
    fn raise(history: &History, (piece, mv): (Piece, Move), before: Before) -> Vec<u64> {
        let mut lines = Vec::new();
        let of = (Color::White, piece, mv);
        history.update(of, before, 300, &mut Rounding::default(), |line, _| lines.push(line));
        lines
    }

    #[test]
    fn rounded_changes_are_seldom_and_add_up_to_the_same() {
        let (step, times, bonus) = (4096, 200, 40);
        let (mut sum, mut written) = (0, 0);
        for seed in 0..500 {
            let (entry, mut rounding) = (AtomicI16::new(0), Rounding::new(step, seed));
            for _ in 0..times {
                written += usize::from(rounding.nudge(&entry, bonus));
            }
            sum += i32::from(entry.load(Relaxed));
        }
        let exact = AtomicI16::new(0);
        (0..times).for_each(|_| nudge(&exact, bonus));
        let exact = f64::from(exact.load(Relaxed));
        let mean = f64::from(sum) / 500.0;
        // A hundredth of the changes. The standard error of the mean is 1.6% of it.
        assert!((written as f64 / (500.0 * 200.0 * 40.0 / 4096.0) - 1.0).abs() < 0.5, "{written}");
        assert!((mean / exact - 1.0).abs() < 0.1, "{mean} and {exact}");
        // Near the limit the step is the room that is left.
        let near = |seed| {
            let entry = AtomicI16::new(15_000);
            Rounding::new(step, seed).nudge(&entry, 2000);
            i32::from(entry.load(Relaxed))
        };
        let ends: Vec<i32> = (0..10_000).map(near).collect();
        assert!(ends.iter().all(|end| [15_000, LIMIT].contains(end)));
        let mean = f64::from(ends.iter().map(|end| end - 15_000).sum::<i32>()) / 10_000.0;
        assert!((mean / f64::from(change(15_000, 2000)) - 1.0).abs() < 0.15, "{mean}");
        let entry = AtomicI16::new(0);
        assert!(Rounding::new(step, 0).nudge(&entry, 5000), "a great change is as it is");
        assert_eq!(entry.load(Relaxed), 5000);
    }

    #[test]
    fn a_copy_knows_the_same() {
        let (one, other) = (History::default(), History::default());
        let mv: Move = "e2e4".parse().expect("a move");
        let before = Moved::new(Color::Black, Piece::Rook, Square::A8);
        raise(&one, (Piece::Pawn, mv), [Some(before), None]);
        one.set_countermove(before, mv);
        other.copy_from(&one);
        let record = other.answers(Color::White, [Some(before), None]);
        assert_eq!(record.of(Piece::Pawn, Square::E2).score(Square::E4), 600);
        assert_eq!(other.countermove(before), Some(mv));
    }

    #[test]
    fn the_lines_of_all_answers_are_those_of_each_move() {
        let board = Board::default();
        let before = [Some(Moved::new(Color::Black, Piece::Pawn, Square::E5)), None];
        let mut of_all = std::collections::BTreeSet::new();
        History::lines_of_answers(&board, before, |line| {
            of_all.insert(line);
        });
        let (history, mut of_each) = (History::default(), std::collections::BTreeSet::new());
        board.generate_moves(|moves| {
            for mv in moves {
                of_each.extend(raise(&history, (moves.piece, mv), before));
            }
            false
        });
        assert_eq!(of_all, of_each);
        // Eight pawns and two knights by origin; pawns and knights as answers.
        assert_eq!(of_all.len(), 8 + 2 + 2);
        let last = History::line_of_countermove(Moved::new(Color::Black, Piece::King, Square::H8));
        assert_eq!(last as usize + 1, History::BYTES / 64);
    }

    #[test]
    fn records_fade() {
        let history = History::default();
        let mv: Move = "e2e4".parse().expect("a move");
        let before = [Some(Moved::new(Color::Black, Piece::Rook, Square::A8)), None];
        let record = || history.answers(Color::White, before).of(Piece::Pawn, Square::E2);
        raise(&history, (Piece::Pawn, mv), before);
        history.age(25);
        assert_eq!(record().score(Square::E4), 450);
        history.age(100);
        assert_eq!(record().score(Square::E4), 0);
    }

    #[test]
    fn entries_stay_within_bounds() {
        let entry = AtomicI16::new(0);
        for _ in 0..1000 {
            nudge(&entry, 2_000);
        }
        assert!(i32::from(entry.load(Relaxed)) <= LIMIT);
        for _ in 0..1000 {
            nudge(&entry, -2_000);
        }
        assert!(i32::from(entry.load(Relaxed)) >= -LIMIT);
    }
}
