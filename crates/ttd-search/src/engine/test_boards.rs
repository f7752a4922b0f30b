//! Boards for tests: the position sets, and positions that random play makes of them.

use cozy_chess::{Board, Move};

const SETS: [&str; 5] = [
    include_str!("../../../../positions/bratko-kopec.epd"),
    include_str!("../../../../positions/hyatt-dts.epd"),
    include_str!("../../../../positions/middlegames.epd"),
    include_str!("../../../../positions/win-at-chess.epd"),
    include_str!("../../../../positions/perft.epd"),
];

/// Every position of five of the sets.
pub(crate) fn from_sets() -> Vec<Board> {
    SETS.iter().flat_map(|set| set.lines()).map(|line| board(&fen(line))).collect()
}

/// Positions of random games from every tenth position of the sets, equal in every run. They hold
/// unlikely material, promotions and bare endings, as no set does.
pub(crate) fn from_random_play() -> Vec<Board> {
    let mut state = 0x9e37_79b9_7f4a_7c15;
    let mut boards = Vec::new();
    for mut board in from_sets().into_iter().step_by(10) {
        for _ in 0..150 {
            let moves = legal_moves(&board);
            if moves.is_empty() {
                break;
            }
            board.play_unchecked(moves[random(&mut state) as usize % moves.len()]);
            boards.push(board.clone());
        }
    }
    boards
}

/// The position of a FEN that is known to be valid.
pub(crate) fn board(fen: &str) -> Board {
    fen.parse().expect("the test's own FEN")
}

/// Every legal move.
pub(crate) fn legal_moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|of_piece| {
        moves.extend(of_piece);
        false
    });
    moves
}

/// The first four fields of an EPD line as a FEN.
fn fen(line: &str) -> String {
    let fields: Vec<_> = line.split_whitespace().take(4).collect();
    fields.join(" ") + " 0 1"
}

/// Marsaglia's xorshift.
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state >> 16
}
