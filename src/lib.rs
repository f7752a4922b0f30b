//! **ttd** ("time to depth"): a laboratory for parallel game-tree search.
//!
//! The map of the modules, from the bottom up. Each may use only what stands above it
//! in this list:
//!
//! | module | what it holds |
//! |---|---|
//! | [`engine`] | the chess engine: position, evaluation, exchange evaluation, tables. Knows no threads and no search |
//! | [`cores`] | what workers run on: threads and the wall clock, or coroutines on a virtual one. The only place where a search touches clocks and, but for clearing a table, `std::thread` |
//! | [`search`] | the one alpha-beta: node, quiescence, move loop, deepening, and what a worker owns and counts |
//! | [`searchers`] | the parallel algorithms, one file each, and the split point they share |
//! | [`positions`] | position sets: EPD reading and checking |
//! | [`uci`] | engines that speak a protocol: the driver of outside ones, and ours as a UCI program |
//! | [`experiment`] | an experiment: its TOML, its plan, its runner, its journal, its environment |
//! | [`matches`] | games between engines: clocks, rules, notation, the results directory |
//! | [`stats`] | summaries, bootstrap, fits, the account and playing strength; uses nothing of the others |
//! | [`calibration`] | what the costs of virtual cores are on this machine, measured |
//! | [`doctor`] | whether this machine is fit to be measured on: read, measured shortly, and said |
//! | [`quality`] | what the moves of a sweep are worth, judged by deeper searches |
//! | [`tuning`] | the weights of the evaluation, from games |
//! | [`report`] | from a results directory to derived CSV files, charts and a report |
//! | [`cli`] | the command line: turns arguments into the types above |

pub mod calibration;
pub mod cli;
pub mod cores;
pub mod doctor;
pub mod engine;
pub mod experiment;
pub mod matches;
pub mod positions;
pub mod quality;
pub mod report;
pub mod search;
pub mod searchers;
pub mod stats;
pub mod tuning;
pub mod uci;
