//! From samples to figures: pure functions on plain numbers. Nothing here knows of searchers, files
//! or charts.
//!
//! | module | what it holds |
//! |---|---|
//! | [`summary`] | medians, quartiles, deviations, the numbers of a box plot |
//! | [`censoring`] | times of which only a lower bound is known, and figures that follow from them |
//! | `draw` | seeded draws |
//! | [`rounds`] | the samples of a cell by round, and rounds drawn anew |
//! | [`speedups`] | speedups by position and over positions |
//! | [`bootstrap`] | intervals by resampling, seeded |
//! | [`net`] | net speedup: without credit for a smaller tree |
//! | [`precision`] | the width of these intervals, and the number of rounds for a narrower one |
//! | [`ratios`] | ratios between competitors, paired over positions |
//! | [`wilcoxon`] | the signed-rank test |
//! | [`many_tests`] | many tests at once |
//! | [`paired`] | whether one competitor differs from another: verdicts |
//! | [`fits`] | models of speedup by threads: laws that compete, and trends |
//! | [`depth_trend`] | whether speedup grows with depth |
//! | [`drift`] | whether times rise or fall from round to round |
//! | [`steps`] | whether times rise or fall at once |
//! | [`normality`] | whether times are normally distributed |
//! | [`sittings`] | figures of several sittings: their interval, and that of the next |
//! | [`agreement`] | the share of runs that agree on a move or a score |
//! | [`account`] | the reasons why the speedup is not N |
//! | [`reliability`] | the precision of single positions |
//! | [`deming`] | a line through points both of whose coordinates have errors |
//! | [`least_squares`] | the cost of each term, from sums of many |
//! | [`work_span`] | time from work and critical path |
//! | [`fieller`] | the confidence set of a ratio of two estimates |
//! | [`assay`] | times at equal quality of moves |
//! | [`elo`] | playing strength from the results of games |

pub mod account;
pub mod agreement;
pub mod assay;
pub mod bootstrap;
mod bounds;
pub mod censoring;
pub mod deming;
pub mod depth_trend;
mod draw;
pub mod drift;
pub mod elo;
pub mod fieller;
pub mod fits;
pub mod least_squares;
pub mod many_tests;
mod minimise;
pub mod net;
pub mod normality;
pub mod paired;
pub mod precision;
pub mod ratios;
pub mod reliability;
pub mod rounds;
mod shrinkage;
pub mod sittings;
pub mod speedups;
pub mod steps;
pub mod summary;
pub mod wilcoxon;
pub mod work_span;

pub use account::{Account, Totals};
pub use bounds::Bounds;
pub use censoring::Timing;
pub use fits::Fit;
pub use minimise::minimise;
pub use net::{Net, NetSpeedups};
pub use rounds::Runs;
pub use speedups::{Base, Headline, Speedups, Sweep};
pub use work_span::WorkSpanFit;
