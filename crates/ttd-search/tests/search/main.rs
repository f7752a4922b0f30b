//! The engine and the searchers, through the library.

mod any_position;
mod common;
mod exact;
mod game;
mod lines;
mod orders;
mod perft;
mod races;
mod review;
mod searchers;
