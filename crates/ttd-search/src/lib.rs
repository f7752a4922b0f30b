//! Parallel game-tree search: one chess engine, one alpha-beta node routine, and the searchers that run it on several
//! workers, on real or on virtual cores.
//!
//! The modules, from the bottom up. Each may use only the modules above it in this list:
//!
//! | module | contents |
//! |---|---|
//! | [`value`] | what is said of parameters: values by name, as any file format can say them |
//! | [`engine`] | the chess engine: position, evaluation, exchange evaluation, tables. It knows no threads and no search |
//! | [`positions`] | position sets: reading and checking of EPD |
//! | [`cores`] | the cores that workers run on: threads and the wall clock, or coroutines on a virtual clock. Clocks and threads are touched here only (clearing a table aside) |
//! | [`search`] | the alpha-beta: node, quiescence, move loop, deepening, and what a worker owns and counts |
//! | [`searchers`] | the parallel algorithms, one file each, and the split point that several share |

pub mod cores;
pub mod engine;
pub mod positions;
pub mod search;
pub mod searchers;
pub mod value;
