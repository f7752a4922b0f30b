//! The rules of chess: perft of every position of the perft set to its full depth, and a second
//! generator of moves beside it.
//!
//! That one is by mailbox. It is a second opinion on the rules, and the measure beside the
//! bitboards of the program. Source of its board: Chess Programming Wiki, "10x12 Board". Castling
//! is that of usual chess.

use arrayvec::ArrayVec;
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use ttd_search::engine::{Board, MAX_MOVES, Piece, Rank, Square, perft, successors};
use ttd_search::positions::load;

const OFF: u8 = 255;
const BLACK: u8 = 8;
/// Pieces, from pawn on, with a bit of their own for Black.
const PAWN: u8 = 1;
const KNIGHT: u8 = 2;
const BISHOP: u8 = 3;
const ROOK: u8 = 4;
const QUEEN: u8 = 5;
const KING: u8 = 6;

const LINES: [isize; 4] = [-10, -1, 1, 10];
const DIAGONALS: [isize; 4] = [-11, -9, 9, 11];
const JUMPS: [isize; 8] = [-21, -19, -12, -8, 8, 12, 19, 21];

/// A generator of moves by mailbox: a board of 10 x 12 squares, of which each holds a piece or
/// none.
#[derive(Clone, Copy)]
struct Mailbox {
    at: [u8; 120],
    kings: [usize; 2],
    /// Whether a side may castle, to the king's wing and to the queen's.
    rights: [[bool; 2]; 2],
    /// The square on which a pawn takes in passing, or 0.
    passing: usize,
    /// The side to move: 0 is White.
    side: usize,
}

/// A move: from, to, and the piece that a pawn becomes, or 0.
type Step = (usize, usize, u8);
type Steps = ArrayVec<Step, { 2 * MAX_MOVES }>;

fn place(square: Square) -> usize {
    21 + 10 * (square.rank() as usize) + square.file() as usize
}

impl Mailbox {
    fn of(board: &Board) -> Mailbox {
        let mut at = [OFF; 120];
        let mut kings = [0; 2];
        for square in Square::ALL {
            let piece = board.piece_on(square).zip(board.color_on(square));
            at[place(square)] = piece.map_or(0, |(piece, color)| {
                if piece == Piece::King {
                    kings[color as usize] = place(square);
                }
                1 + piece as u8 + BLACK * color as u8
            });
        }
        let side = board.side_to_move();
        let sixth = Rank::Sixth.relative_to(side);
        let passing = board.en_passant().map_or(0, |file| place(Square::new(file, sixth)));
        let rights = [!side, side].map(|color| {
            let rights = board.castle_rights(color);
            (color as usize, [rights.short.is_some(), rights.long.is_some()])
        });
        let mut of_sides = [[false; 2]; 2];
        for (color, own) in rights {
            of_sides[color] = own;
        }
        Mailbox { at, kings, rights: of_sides, passing, side: side as usize }
    }

    /// Whether a piece of `side` attacks a square.
    fn attacks(&self, side: usize, square: usize) -> bool {
        let own = |kind: u8| kind + BLACK * side as u8;
        let at = |step: isize| self.at[square.wrapping_add_signed(step)];
        let back = if side == 0 { -10 } else { 10 };
        let near = |steps: &[isize], kind| steps.iter().any(|&step| at(step) == own(kind));
        let far = |steps: &[isize], kind| {
            steps.iter().any(|&step| {
                let mut on = square.wrapping_add_signed(step);
                while self.at[on] == 0 {
                    on = on.wrapping_add_signed(step);
                }
                self.at[on] == own(kind) || self.at[on] == own(QUEEN)
            })
        };
        near(&[back - 1, back + 1], PAWN)
            || near(&JUMPS, KNIGHT)
            || near(&LINES, KING)
            || near(&DIAGONALS, KING)
            || far(&LINES, ROOK)
            || far(&DIAGONALS, BISHOP)
    }

    /// The moves by the rules of the pieces. A king may be left in check.
    fn steps(&self) -> Steps {
        let mut steps = Steps::new();
        for from in 21..99 {
            let piece = self.at[from];
            if piece == OFF || piece == 0 || usize::from(piece / BLACK) != self.side {
                continue;
            }
            match piece % BLACK {
                PAWN => self.pawn(from, &mut steps),
                KNIGHT => self.slide(from, &JUMPS, false, &mut steps),
                BISHOP => self.slide(from, &DIAGONALS, true, &mut steps),
                ROOK => self.slide(from, &LINES, true, &mut steps),
                kind => {
                    self.slide(from, &LINES, kind == QUEEN, &mut steps);
                    self.slide(from, &DIAGONALS, kind == QUEEN, &mut steps);
                    if kind == KING {
                        self.castle(from, &mut steps);
                    }
                }
            }
        }
        steps
    }

    fn is_enemy(&self, square: usize) -> bool {
        let piece = self.at[square];
        piece != OFF && piece != 0 && usize::from(piece / BLACK) != self.side
    }

    fn slide(&self, from: usize, directions: &[isize], far: bool, steps: &mut Steps) {
        for &direction in directions {
            let mut to = from.wrapping_add_signed(direction);
            while self.at[to] == 0 {
                steps.push((from, to, 0));
                if !far {
                    break;
                }
                to = to.wrapping_add_signed(direction);
            }
            if self.is_enemy(to) {
                steps.push((from, to, 0));
            }
        }
    }

    fn pawn(&self, from: usize, steps: &mut Steps) {
        let ahead: isize = if self.side == 0 { 10 } else { -10 };
        let (last, first) = if self.side == 0 { (9, 3) } else { (2, 8) };
        let mut push = |to: usize| {
            if to / 10 == last {
                steps.extend([KNIGHT, BISHOP, ROOK, QUEEN].map(|kind| (from, to, kind)));
            } else {
                steps.push((from, to, 0));
            }
        };
        let to = from.wrapping_add_signed(ahead);
        if self.at[to] == 0 {
            push(to);
            let further = to.wrapping_add_signed(ahead);
            if from / 10 == first && self.at[further] == 0 {
                push(further);
            }
        }
        for to in [-1, 1].map(|aside| to.wrapping_add_signed(aside)) {
            if self.is_enemy(to) || to == self.passing {
                push(to);
            }
        }
    }

    fn castle(&self, from: usize, steps: &mut Steps) {
        let safe = |square: usize| !self.attacks(1 - self.side, square);
        let empty = |squares: &[usize]| squares.iter().all(|&square| self.at[square] == 0);
        let [short, long] = self.rights[self.side];
        if short && empty(&[from + 1, from + 2]) && safe(from) && safe(from + 1) {
            steps.push((from, from + 2, 0));
        }
        if long && empty(&[from - 1, from - 2, from - 3]) && safe(from) && safe(from - 1) {
            steps.push((from, from - 2, 0));
        }
    }

    /// The position after a move; none if it leaves the own king in check.
    fn after(&self, (from, to, becomes): Step) -> Option<Mailbox> {
        let mut next = *self;
        let piece = self.at[from];
        let kind = piece % BLACK;
        next.at[from] = 0;
        next.at[to] = if becomes == 0 { piece } else { becomes + BLACK * self.side as u8 };
        next.passing = 0;
        if kind == PAWN && to == self.passing {
            next.at[if self.side == 0 { to - 10 } else { to + 10 }] = 0;
        } else if kind == PAWN && from.abs_diff(to) == 20 {
            next.passing = usize::midpoint(from, to);
        } else if kind == KING {
            next.kings[self.side] = to;
            next.rights[self.side] = [false; 2];
            if from.abs_diff(to) == 2 {
                let (rook, beside) = if to > from { (to + 1, to - 1) } else { (to - 2, to + 1) };
                next.at[beside] = next.at[rook];
                next.at[rook] = 0;
            }
        }
        for (side, home) in [21, 91].into_iter().enumerate() {
            for (wing, corner) in [home + 7, home].into_iter().enumerate() {
                next.rights[side][wing] &= from != corner && to != corner;
            }
        }
        next.side = 1 - self.side;
        (!next.attacks(next.side, next.kings[self.side])).then_some(next)
    }

    fn perft(&self, depth: u8) -> u64 {
        let steps = self.steps();
        let after = steps.iter().filter_map(|&step| self.after(step));
        if depth <= 1 {
            after.count() as u64
        } else {
            after.map(|next| next.perft(depth - 1)).sum()
        }
    }
}

#[test]
fn a_mailbox_counts_the_known_leaves() {
    let deepest = if cfg!(debug_assertions) { 3 } else { 4 };
    for position in load("perft").expect("a set of the program") {
        for &(depth, leaves) in position.perft.iter().filter(|(depth, _)| *depth <= deepest) {
            assert_eq!(Mailbox::of(&position.board).perft(depth), leaves, "{}", position.board);
        }
    }
}

/// Prints the speed of both, in million leaves a second: docs/testing.md.
#[test]
#[ignore = "it measures"]
fn speed_of_mailbox_and_bitboards() {
    type Count = fn(&Board) -> u64;
    let mailbox: Count = |board| Mailbox::of(board).perft(5);
    let bitboards: Count = |board| perft(board, 5);
    let boards = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ]
    .map(|fen| fen.parse::<Board>().expect("a valid FEN"));
    for board in &boards {
        for (name, count) in [("mailbox", mailbox), ("bitboards", bitboards)] {
            let speeds = (0..5).map(|_| {
                let begun = Instant::now();
                let leaves = count(black_box(board));
                leaves as f64 / begun.elapsed().max(Duration::from_nanos(1)).as_secs_f64() / 1e6
            });
            let mut speeds: Vec<f64> = speeds.collect();
            speeds.sort_by(f64::total_cmp);
            println!("{name}: {:.1} million leaves a second, {board}", speeds[2]);
        }
    }
}

/// The whole depth of the set, or one less without optimisation, so that the tests stay quick.
const DEPTH: u8 = if cfg!(debug_assertions) { 4 } else { 5 };

#[test]
fn the_whole_set_is_right() {
    let positions = load("perft").expect("a set of the program");
    assert_eq!(positions.len(), 126);
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(position) = positions.get(next.fetch_add(1, Ordering::Relaxed)) {
                    for &(depth, leaves) in position.perft.iter().filter(|(d, _)| *d <= DEPTH) {
                        let found = perft(&position.board, depth);
                        assert_eq!(found, leaves, "{} at depth {depth}", position.board);
                    }
                    let depths = position.perft.iter().filter(|(d, _)| *d <= DEPTH).count();
                    assert_eq!(depths, usize::from(DEPTH), "{}", position.board);
                }
            });
        }
    });
}

#[test]
fn first_moves_add_up() {
    for position in load("perft").expect("a set of the program") {
        let behind: Vec<u64> =
            successors(&position.board).iter().map(|(_, board)| perft(board, 1)).collect();
        let expected = position.perft.iter().find(|(depth, _)| *depth == 2);
        assert_eq!(Some(behind.iter().sum()), expected.map(|e| e.1));
        assert_eq!(behind.len() as u64, perft(&position.board, 1));
    }
}
