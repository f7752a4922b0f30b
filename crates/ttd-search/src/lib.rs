//! Parallel game-tree search: a chess engine, an alpha-beta search, and the searchers that run it
//! on several workers, on real or on virtual cores.
//!
//! A search of a position by four workers, each on a thread of its own:
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use ttd_search::engine::{Techniques, Position};
//! use ttd_search::positions::parse_fen;
//! use ttd_search::searchers::{Lab, Searcher, Settings, Task};
//!
//! let root = Position::new(parse_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")?);
//! let task = Task { searcher: Searcher::usual(), threads: 4, ..Task::to_depth(root, 5) };
//! let mut lab = Lab::new(1, Techniques::default(), Settings::default())?;
//! let found = lab.search(&task, &AtomicBool::new(false));
//! assert_eq!(found.best_move.map(|mv| mv.to_string()).as_deref(), Some("d1d8"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! From here: [`searchers::Lab`] searches, [`searchers::Searcher`] chooses the algorithm, and
//! [`engine::Techniques`] chooses the techniques. [`searchers::Rule`] shows how to write a searcher
//! of your own.
//!
//! The modules; the lowest one comes first. Each uses only modules in earlier lines. (The private
//! `words`, for enumerations with words and for words that were meant, is below all.)
//!
//! | module | contents |
//! |---|---|
//! | [`wire`] | values as bytes, for messages between workers that share no memory |
//! | [`value`] | values by name, as any file format can give them: the input of all parameters |
//! | [`engine`] | the chess engine: position, evaluation, exchange evaluation, tables. It knows no threads and no search |
//! | [`positions`] | position sets: reads and checks EPD |
//! | [`cores`] | the cores that workers run on: threads and the wall clock, or coroutines on a virtual clock. Only this module touches clocks and threads (but for the clearing of a table) |
//! | [`search`] | the alpha-beta: node, quiescence, move loop, deepening, and the state and counters of a worker |
//! | [`searchers`] | the parallel algorithms, one file each, and the split point that several of them share |

pub mod cores;
pub mod engine;
pub mod positions;
pub mod search;
pub mod searchers;
pub mod value;
pub mod wire;
mod words;
