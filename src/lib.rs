//! **ttd** ("time to depth"): a laboratory for parallel game-tree search.
//!
//! Two libraries below it: `ttd_search` (the engine, cores and searchers) and `ttd_stats` (figures from numbers).
//! The map of the modules above them, from the bottom up. Each may use only what stands above it in this list:
//!
//! | module | what it holds |
//! |---|---|
//! | [`uci`] | engines that speak a protocol: the driver of outside ones, and ours as a UCI program |
//! | [`experiment`] | an experiment: its TOML, its plan, its runner, its journal, its environment |
//! | [`matches`] | games between engines: clocks, rules, notation, the results directory |
//! | [`calibration`] | what the costs of virtual cores are on this machine, measured |
//! | [`doctor`] | whether this machine is fit to be measured on: read, measured shortly, and said |
//! | [`quality`] | what the moves of a sweep are worth, judged by deeper searches |
//! | [`tuning`] | the weights of the evaluation, from games |
//! | [`report`] | from a results directory to derived CSV files, charts and a report |
//! | [`cli`] | the command line: turns arguments into the types above |

pub mod calibration;
pub mod cli;
pub mod doctor;
pub mod experiment;
pub mod matches;
pub mod quality;
pub mod report;
pub mod tuning;
pub mod uci;
