//! The engine and the searchers, through the library.

mod common;
mod exact;
mod orders;
mod perft;
mod races;
mod searchers;
mod virtual_cores;
