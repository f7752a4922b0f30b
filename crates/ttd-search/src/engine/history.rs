//! Moves that did well elsewhere in the tree: history, continuations and countermoves.
//!
//! The entries are relaxed atomics, which cost as much as plain integers. So the same tables can
//! belong to one worker or be shared by all. An update lost to another worker does no harm.

use super::context::{Context, Moved, PAWN_BITS};
use super::generation::quiet_moves;
use super::rounding::{LIMIT, Rounding};
use cozy_chess::{BitBoard, Board, Color, Move, Piece, PieceMoves, Square};
use std::iter;
use std::sync::Arc;
use std::sync::atomic::{AtomicI16, AtomicU16, Ordering::Relaxed};

const PIECES: usize = 12;
/// The greatest sum of records. A rank of a move has no room for one more.
const MOST_SCORE: i32 = (1 << 16) - 1;

/// The records of one piece on one square, by the target of its move.
type Row = [AtomicI16; 64];

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
    /// The pawn records; none where the engine has none.
    pawns: Option<PawnRecords>,
}

/// Pawn records: records of quiet moves, kept apart for each placement of all pawns, then by colour
/// and piece. Several histories may have the same ones.
///
/// Source: the pawn history of Stockfish (Chess Programming Wiki, "History Heuristic").
#[derive(Clone)]
pub struct PawnRecords(Arc<[[Row; 6]]>);

impl Default for PawnRecords {
    fn default() -> PawnRecords {
        let rows = 0..2 << PAWN_BITS;
        PawnRecords(rows.map(|_| [const { no_record() }; 6]).collect())
    }
}

impl PawnRecords {
    /// Their memory, bytes.
    pub const BYTES: usize = (2 * 6 * size_of::<Row>()) << PAWN_BITS;
}

/// The number of a cache line that holds records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecordLine {
    /// A line of the history itself.
    Own(u64),
    /// A line of the pawn records.
    Pawns(u64),
}

/// The records of one piece's quiet moves at one node.
pub struct Records<'h> {
    butterfly: &'h Row,
    others: [&'h Row; 3],
}

/// The records of all quiet moves of a colour at one node.
pub struct Answers<'h> {
    butterfly: &'h [Row; 64],
    /// The records as answers to the moves one and two plies before, and by pawns.
    others: [&'h [Row; 6]; 3],
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
            others: self.others.map(|rows| &rows[piece as usize]),
        }
    }
}

impl Records<'_> {
    /// The record of the move to a square, from -65,536 to 65,535.
    ///
    /// The record is a sum of four. They are by origin, as an answer to the moves one and two plies
    /// before, and by the pawns of the position.
    pub fn score(&self, to: Square) -> i32 {
        let at = |row: &Row| i32::from(row[to as usize].load(Relaxed));
        let sum = at(self.butterfly) + self.others.iter().map(|row| at(row)).sum::<i32>();
        sum.min(MOST_SCORE)
    }
}

impl Default for History {
    fn default() -> History {
        History {
            butterfly: (0..2).map(|_| [const { no_record() }; 64]).collect(),
            continuations: (0..PIECES * 64 * 2).map(|_| [const { no_record() }; 6]).collect(),
            countermoves: (0..PIECES * 64).map(|_| AtomicU16::new(0)).collect(),
            pawns: None,
        }
    }
}

impl History {
    /// The greatest size of an entry.
    pub const LIMIT: i32 = LIMIT;

    /// An empty history, with these pawn records, if any.
    pub fn with(pawns: Option<PawnRecords>) -> History {
        History { pawns, ..History::default() }
    }

    /// Puts these pawn records, if any, in place of its own.
    pub fn set_pawns(&mut self, pawns: Option<PawnRecords>) {
        self.pawns = pawns;
    }

    /// The memory of one history, bytes, without pawn records.
    pub const BYTES: usize =
        (2 * 64 + PIECES * 64 * 2 * 6) * size_of::<Row>() + PIECES * 64 * size_of::<AtomicU16>();

    /// The records of the quiet moves of `color`, as answers to the features of a node.
    pub fn answers(&self, color: Color, context: Context) -> Answers<'_> {
        let continuation = |before: Option<Moved>| {
            before.map_or(&NO_RECORDS, |before| &self.continuations[before.row(color)])
        };
        let [one, two] = context.before.map(continuation);
        let pawns = self.by_pawns(color, context).map_or(&NO_RECORDS, |(_, rows)| rows);
        Answers { butterfly: &self.butterfly[color as usize], others: [one, two, pawns] }
    }

    /// The pawn records of `color`, and the number of their row.
    fn by_pawns(&self, color: Color, context: Context) -> Option<(usize, &[Row; 6])> {
        let (pawns, row) = self.pawns.as_ref().zip(context.pawn_row(color))?;
        Some((row, &pawns.0[row]))
    }

    /// Raises the record of a move, or lowers it with a negative `bonus`. `looked` is told the
    /// cache line of each entry, and whether the entry changes.
    ///
    /// Entries are pulled towards zero in proportion to their size. So they stay within bounds, and
    /// old updates fade.
    #[inline]
    pub fn update(
        &self,
        (color, piece, mv): (Color, Piece, Move),
        context: Context,
        bonus: i32,
        rounding: &mut Rounding,
        mut looked: impl FnMut(RecordLine, bool),
    ) {
        let (from, to) = (mv.from as usize, mv.to as usize);
        let mut change = |row: &Row, line: RecordLine| {
            looked(line, rounding.nudge(&row[to], bonus));
        };
        change(&self.butterfly[color as usize][from], own_line(by_origin(color, from), to));
        for row in context.rows(color) {
            let line = own_line(by_continuation(row, piece), to);
            change(&self.continuations[row][piece as usize], line);
        }
        if let Some((row, rows)) = self.by_pawns(color, context) {
            change(&rows[piece as usize], pawn_line(row, piece, to));
        }
    }

    /// The cache lines of the records of all quiet moves of the side to move. They are answers to
    /// the features of the node. A line may come more than once.
    pub fn lines_of_answers(board: &Board, context: Context, mut line: impl FnMut(RecordLine)) {
        let color = board.side_to_move();
        quiet_moves(board, |PieceMoves { piece, from, to }| {
            let rows = context.rows(color).map(|row| by_continuation(row, piece));
            let halves = [(HALF, 0), (!HALF, 63)].into_iter();
            let halves = halves.filter(|(half, _)| !(to & *half).is_empty());
            for row in iter::once(by_origin(color, from as usize)).chain(rows) {
                halves.clone().for_each(|(_, square)| line(own_line(row, square)));
            }
            if let Some(row) = context.pawn_row(color) {
                halves.for_each(|(_, square)| line(pawn_line(row, piece, square)));
            }
        });
    }

    /// The cache line of the move that refuted `before` last.
    pub fn line_of_countermove(before: Moved) -> RecordLine {
        let rows = 2 * 64 + PIECES * 64 * 2 * 6;
        RecordLine::Own((rows * 2 + before.index() / 32) as u64)
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
        if let Some((own, other)) = self.pawns.as_ref().zip(other.pawns.as_ref()) {
            rows(own.0.as_flattened(), other.0.as_flattened());
        }
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
        if let Some(pawns) = &self.pawns {
            fade(pawns.0.as_flattened());
        }
    }

    /// The quiet move that last refuted `before` (the countermove heuristic of Uiterwijk).
    #[inline]
    pub fn countermove(&self, before: Moved) -> Option<Move> {
        let bits = self.countermoves[before.index()].load(Relaxed);
        (bits != 0).then(|| Move {
            from: Square::index(usize::from(bits & 63)),
            to: Square::index(usize::from(bits >> 6 & 63)),
            promotion: None,
        })
    }

    /// Notes the quiet move that refuted `before`. Returns whether it is another one than before.
    pub fn set_countermove(&self, before: Moved, mv: Move) -> bool {
        let bits = mv.from as u16 | (mv.to as u16) << 6;
        let countermove = &self.countermoves[before.index()];
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
const fn own_line(row: usize, to: usize) -> RecordLine {
    RecordLine::Own((row * 2 + to / 32) as u64)
}

/// The line of the pawn records that has a piece's move to a square.
const fn pawn_line(row: usize, piece: Piece, to: usize) -> RecordLine {
    RecordLine::Pawns(((row * 6 + piece as usize) * 2 + to / 32) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::ranked::Ranked;
    use std::collections::BTreeSet;

    fn with_pawns() -> History {
        History::with(Some(PawnRecords::default()))
    }

    /// Raises the record of a white move, and tells the lines.
    fn raise(history: &History, (piece, mv): (Piece, Move), context: Context) -> Vec<RecordLine> {
        let mut lines = Vec::new();
        let of = (Color::White, piece, mv);
        history.update(of, context, 300, &mut Rounding::default(), |line, _| lines.push(line));
        lines
    }

    /// The record of White's e2e4.
    fn record(history: &History, context: Context) -> i32 {
        history.answers(Color::White, context).of(Piece::Pawn, Square::E2).score(Square::E4)
    }

    fn e2e4() -> (Piece, Move) {
        (Piece::Pawn, "e2e4".parse().expect("a move"))
    }

    #[test]
    fn a_copy_knows_the_same() {
        let (one, other) = (with_pawns(), with_pawns());
        let before = Moved::new(Color::Black, Piece::Rook, Square::A8);
        let context = Context::new([Some(before), None], Some(&Board::default()));
        raise(&one, e2e4(), context);
        one.set_countermove(before, e2e4().1);
        other.copy_from(&one);
        assert_eq!(record(&other, context), 900);
        assert_eq!(other.countermove(before), Some(e2e4().1));
    }

    #[test]
    fn records_by_pawns_are_of_all_positions_with_these_pawns() {
        let history = with_pawns();
        let board = |fen: &str| fen.parse::<Board>().expect("a position");
        let start = Board::default();
        let knight = board("rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR w KQkq - 0 1");
        let pawn = board("rnbqkbnr/ppppp1pp/5p2/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let of = |board: &Board| record(&history, Context::new([None; 2], Some(board)));
        raise(&history, e2e4(), Context::new([None; 2], Some(&start)));
        // By origin, and by pawns.
        assert_eq!([of(&start), of(&knight), of(&pawn)], [600, 600, 300]);
        // A history without pawn records changes none.
        assert_eq!(
            raise(&History::default(), e2e4(), Context::new([None; 2], Some(&start))).len(),
            1
        );
    }

    #[test]
    fn the_greatest_records_have_room_in_a_rank() {
        let history = with_pawns();
        let moved = |color| Moved::new(color, Piece::Rook, Square::A8);
        let before = [Color::Black, Color::White].map(|color| Some(moved(color)));
        let context = Context::new(before, Some(&Board::default()));
        (0..1000).for_each(|_| drop(raise(&history, e2e4(), context)));
        let (most, mut ranked) = (record(&history, context), Ranked::new());
        assert_eq!(most, MOST_SCORE);
        let other = "d2d4".parse().expect("a move");
        for (mv, score) in [(other, 0), (e2e4().1, most)] {
            ranked.push(mv, score);
        }
        ranked.seal();
        assert_eq!(ranked.pop_best(), Some(e2e4().1));
    }

    #[test]
    fn the_lines_of_all_answers_are_those_of_each_move() {
        let board = Board::default();
        let before = Moved::new(Color::Black, Piece::Pawn, Square::E5);
        // Eight pawns and two knights by origin; pawns and knights as answers, and by pawns.
        for (by_pawns, lines) in [(None, 8 + 2 + 2), (Some(&board), 8 + 2 + 2 + 2)] {
            let context = Context::new([Some(before), None], by_pawns);
            let mut of_all = BTreeSet::new();
            History::lines_of_answers(&board, context, |line| {
                of_all.insert(line);
            });
            let (history, mut of_each) = (with_pawns(), BTreeSet::new());
            board.generate_moves(|moves| {
                for mv in moves {
                    of_each.extend(raise(&history, (moves.piece, mv), context));
                }
                false
            });
            assert_eq!(of_all, of_each);
            assert_eq!(of_all.len(), lines);
        }
    }

    #[test]
    fn lines_are_those_of_the_memory() {
        let king = Moved::new(Color::Black, Piece::King, Square::H8);
        let last = (History::BYTES / 64 - 1) as u64;
        assert_eq!(History::line_of_countermove(king), RecordLine::Own(last));
        let last = (PawnRecords::BYTES / 64 - 1) as u64;
        let row = 2 * ((1 << PAWN_BITS) - 1) + Color::Black as usize;
        assert_eq!(pawn_line(row, Piece::King, 63), RecordLine::Pawns(last));
    }

    #[test]
    fn records_fade() {
        let history = with_pawns();
        let before = Moved::new(Color::Black, Piece::Rook, Square::A8);
        let context = Context::new([Some(before), None], Some(&Board::default()));
        raise(&history, e2e4(), context);
        history.age(25);
        assert_eq!(record(&history, context), 675);
        history.age(100);
        assert_eq!(record(&history, context), 0);
    }
}
