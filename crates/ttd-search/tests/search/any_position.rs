//! Any legal position can be searched, by each searcher in turn.
//!
//! The positions are random ones from games of chess and of Chess960, strange material, and those
//! with which fuzzing began or which it found. Each is searched with either side to move.

use crate::lab;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use ttd_search::engine::{Board, Position, Preset, Techniques, successors};
use ttd_search::positions::{load, parse_game_fen, set_names};
use ttd_search::search::MAX_DEPTH;
use ttd_search::searchers::{GameContext, Lab, Searcher, Status, Task};

const NODES: u64 = 1_000;

fn has_moves(board: &Board) -> bool {
    board.generate_moves(|_| true)
}

/// Draws legal positions that have moves, each with the keys of the game before it.
struct Draw {
    random: ChaCha8Rng,
    /// All positions of the program's sets.
    sets: Vec<Board>,
    /// The positions with which fuzzing begins.
    seeds: Vec<Board>,
}

impl Draw {
    fn new() -> Draw {
        let positions = set_names().into_iter().flat_map(|set| load(set).expect("a set"));
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/fen.txt");
        let text = fs::read_to_string(path).expect("the seeds of the fuzzer");
        let boards = text.lines().filter_map(|fen| parse_game_fen(fen).ok());
        let seeds: Vec<Board> = boards.filter(has_moves).collect();
        assert!(seeds.len() >= 10, "{} seeds", seeds.len());
        Draw {
            random: ChaCha8Rng::seed_from_u64(1),
            sets: positions.map(|position| position.board).collect(),
            seeds,
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random.next_u32() as usize % bound
    }

    fn position(&mut self, number: usize) -> (Board, Vec<u64>) {
        let from_sets = self.below(self.sets.len());
        let chess960 = Board::chess960_startpos(self.below(960) as u32);
        match number % 5 {
            0 => self.play(self.sets[from_sets].clone(), 60),
            1 => self.play(chess960, 120),
            2 => (self.strange(), Vec::new()),
            3 => {
                let seed = self.below(self.seeds.len());
                self.play(self.seeds[seed].clone(), 3)
            }
            _ => {
                let start =
                    if number.is_multiple_of(2) { chess960 } else { self.sets[from_sets].clone() };
                (with_clock(&self.play(start, 60).0, 100), Vec::new())
            }
        }
    }

    /// A position some random moves later.
    fn play(&mut self, start: Board, most: usize) -> (Board, Vec<u64>) {
        let (mut board, mut past) = (start, Vec::new());
        for _ in 0..self.below(most + 1) {
            let mut all = successors(&board);
            let (_, next) = all.swap_remove(self.below(all.len()));
            if !has_moves(&next) {
                break;
            }
            past.push(Position::new(board).key());
            board = next;
        }
        (board, past)
    }

    /// A position of any pieces anywhere, as far as that is legal. Each missing pawn may have been
    /// promoted.
    fn strange(&mut self) -> Board {
        loop {
            let mut squares = [None; 64];
            for white in [true, false] {
                let mut men = vec!['k'];
                let pawns = self.below(9);
                men.extend(std::iter::repeat_n('p', pawns));
                let favourite = self.below(4);
                for _ in 0..self.below(9 - pawns) {
                    let kind = if self.below(4) == 0 { self.below(4) } else { favourite };
                    men.push(['q', 'r', 'b', 'n'][kind]);
                }
                for (piece, most) in [('q', 1), ('r', 2), ('b', 2), ('n', 2)] {
                    men.extend(std::iter::repeat_n(piece, self.below(most + 1)));
                }
                for man in men {
                    let fits = |at: usize| man != 'p' || (8..56).contains(&at);
                    let at = loop {
                        let at = self.below(64);
                        if squares[at].is_none() && fits(at) {
                            break at;
                        }
                    };
                    squares[at] = Some(if white { man.to_ascii_uppercase() } else { man });
                }
            }
            let rank = |rank: &[Option<char>]| rank.iter().map(|man| man.unwrap_or('1')).collect();
            let ranks: Vec<String> = squares.chunks(8).map(rank).collect();
            let side = ["w", "b"][self.below(2)];
            let clock = [0, 0, 50, 99, 100][self.below(5)];
            let fen = format!("{} {side} - - {clock} 90", ranks.join("/"));
            if let Some(board) = parse_game_fen(&fen).ok().filter(has_moves) {
                return board;
            }
        }
    }
}

/// The position after `clock` moves without a capture or a pawn's move.
fn with_clock(board: &Board, clock: u8) -> Board {
    let fen = format!("{board:#}");
    let mut fields: Vec<&str> = fen.split(' ').collect();
    let clock = clock.to_string();
    fields[4] = &clock;
    parse_game_fen(&fields.join(" ")).expect("legal as before")
}

fn search(lab: &mut Lab, number: usize, board: &Board, past: &[u64]) {
    let searcher = Searcher::all()[number % Searcher::all().len()];
    let threads = if searcher == Searcher::baseline() { 1 } else { 2 + number / 9 % 2 };
    let (root, depth) = (Position::new(board.clone()), MAX_DEPTH);
    let task =
        Task { searcher, threads, root, depth, time_limit: None, seed: 1, noise: 1, table_keys: 0 };
    let game = GameContext { past, node_limit: Some(NODES), ..GameContext::default() };
    lab.clear();
    let outcome = lab.search_in(&task, game, &AtomicBool::new(false));
    let place = format!("{searcher} on {threads}: {board:#}");
    assert!(!matches!(outcome.status, Status::Failed(_)), "{place}: {:?}", outcome.status);
    assert!(outcome.best_move.is_none_or(|best| board.is_legal(best)), "{place}");
    let nodes = outcome.counters().nodes;
    assert!((1..=2 * NODES).contains(&nodes), "{place}: {nodes} nodes");
}

/// Draws `count` positions, and searches each with either side to move.
fn search_any(count: usize) {
    let mut draw = Draw::new();
    // The preset of games, `default`, comes twice.
    let presets = [Preset::Default, Preset::Default, Preset::Plain, Preset::Exact];
    let mut labs = presets.map(|preset| lab(Techniques::preset(preset), ""));
    let mut searched = 0;
    for number in 0..count {
        let (board, past) = draw.position(number);
        let other = board.null_move().filter(has_moves);
        let both = [(Some(board), past), (other, Vec::new())];
        for (board, past) in both.into_iter().filter_map(|(board, past)| Some((board?, past))) {
            let preset = draw.below(presets.len());
            search(&mut labs[preset], searched, &board, &past);
            searched += 1;
        }
    }
    assert!(searched > count * 3 / 2, "{searched} searches");
}

#[test]
fn any_position_can_be_searched() {
    search_any(180);
}

#[test]
#[ignore = "minutes; after a change to the rules, the evaluation or the search"]
fn twenty_thousand_positions_can_be_searched() {
    search_any(11_000);
}
