//! The answers to commands that people type: `go perft 5`, `d`, `eval`, `bench`, `help`.

use super::control::Control;
use super::info::Output;
use super::place::{Notation, write_move};
use cozy_chess::{Color, File, Rank, Square};
use std::fmt::Write as _;
use std::io::Write;
use std::sync::atomic::Ordering::Relaxed;
use ttd_search::engine::{
    Board, Evaluation, PawnCache, Position, Techniques, evaluate as evaluate_position,
    perft as count, successors,
};
use ttd_search::positions::{fen_text, is_chess960, load};
use ttd_search::search::MAX_DEPTH;
use ttd_search::searchers::{Lab, Searcher, Settings, Status, Task};

/// The depth of trees that are counted without a look at the control.
const SMALL_TREE: u8 = 4;
/// The set of `ttd bench`, and the size of its table.
const BENCH: (&str, usize) = ("bratko-kopec", 16);

const HELP: [&str; 10] = [
    "This program speaks UCI, the protocol of chess programs with engines.",
    "  uci, isready, setoption name N value V, ucinewgame, quit",
    "  position startpos | fen FEN [moves M...]",
    "  go [depth D] [nodes N] [movetime MS] [wtime MS btime MS] [infinite] ...; stop",
    "Beside the protocol:",
    "  go perft D   counts the leaves of the game tree",
    "  d            shows the position",
    "  eval         evaluates it, without a search",
    "  bench [D]    searches the set of `ttd bench` to depth D (12)",
    "`ttd --help` lists the commands of the program itself.",
];

/// A line between two ranks of the board.
const EDGE: &str = " +---+---+---+---+---+---+---+---+";

/// Counts the leaves of the game tree to a depth, by first move.
pub(super) fn perft<W: Write>(board: &Board, depth: u8, control: &Control, output: &Output<W>) {
    let notation = if is_chess960(board) { Notation::Chess960 } else { Notation::Standard };
    let mut sum = u64::from(depth == 0);
    let all = if depth == 0 { Vec::new() } else { successors(board) };
    for (mv, after) in all {
        let Some(leaves) = leaves(&after, depth - 1, control) else {
            output.string("perft: stopped");
            control.finish();
            return;
        };
        output.line(&format!("{}: {leaves}", write_move(board, mv, notation)));
        sum += leaves;
    }
    control.finish();
    output.line(&format!("\nNodes searched: {sum}"));
}

/// The number of leaves; none if it was stopped.
fn leaves(board: &Board, depth: u8, control: &Control) -> Option<u64> {
    if control.stop.load(Relaxed) {
        return None;
    }
    if depth <= SMALL_TREE {
        return Some(count(board, depth));
    }
    successors(board).iter().map(|(_, after)| leaves(after, depth - 1, control)).sum()
}

/// Shows the board and its FEN.
pub(super) fn show<W: Write>(board: &Board, output: &Output<W>) {
    let mut text = format!("\n{EDGE}\n");
    for rank in Rank::ALL.into_iter().rev() {
        for file in File::ALL {
            let square = Square::new(file, rank);
            let man = board.piece_on(square).map_or(' ', |piece| match board.color_on(square) {
                Some(Color::White) => char::from(piece).to_ascii_uppercase(),
                _ => char::from(piece),
            });
            text.extend([" | ", man.encode_utf8(&mut [0; 4])]);
        }
        // Writing to a string cannot fail.
        let _ = writeln!(text, " | {}\n{EDGE}", rank as usize + 1);
    }
    text.push_str("   a   b   c   d   e   f   g   h\n");
    let checkers: Vec<String> = board.checkers().into_iter().map(|s| s.to_string()).collect();
    output.line(&format!("{text}\nFen: {}\nCheckers: {}", fen_text(board), checkers.join(" ")));
}

/// Evaluates the position, without a search.
pub(super) fn evaluate<W: Write>(board: &Board, choice: Evaluation, output: &Output<W>) {
    if !board.checkers().is_empty() {
        output.line("Evaluation: none, the side to move is in check");
        return;
    }
    let position = Position::new(board.clone());
    let score = evaluate_position(&position, &mut PawnCache::new(), choice);
    let white = if board.side_to_move() == Color::White { score } else { -score };
    output.line(&format!(
        "Evaluation: {:+.2} pawns for White, without a search",
        f64::from(white) / 100.0
    ));
}

/// Searches the set of `ttd bench`, which prints a sum of nodes that is the same everywhere.
pub(super) fn bench<W: Write>(depth: u8, control: &Control, output: &Output<W>) {
    let depth = depth.clamp(1, MAX_DEPTH);
    let (set, hash_mib) = BENCH;
    let lab = Lab::new(hash_mib, Techniques::default(), Settings::default());
    let (Ok(mut lab), Ok(positions)) = (lab, load(set)) else {
        output.string("bench: there is no memory for its table");
        return control.finish();
    };
    let mut nodes = 0;
    for position in &positions {
        let task = Task::to_depth(position.position(), depth);
        let task = Task { searcher: Searcher::baseline(), ..task };
        lab.clear();
        let outcome = lab.search(&task, &control.stop);
        if control.is_stopped() || outcome.status != Status::Ok {
            output.string("bench: stopped");
            return control.finish();
        }
        let counted = outcome.counters().nodes;
        output.line(&format!("{}: {counted}", position.id));
        nodes += counted;
    }
    let time = control.elapsed();
    let rate = (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64;
    control.finish();
    output.line(&format!(
        "\nTotal time (ms) : {}\nNodes searched  : {nodes}\nNodes/second    : {rate}",
        time.as_millis()
    ));
}

/// Lists the commands.
pub(super) fn help<W: Write>(output: &Output<W>) {
    output.line(&HELP.join("\n"));
}
