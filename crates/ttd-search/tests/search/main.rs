//! The engine and the searchers, through the library.

mod any_position;
mod common;
mod game;
mod mailbox;
mod orders;
mod outcomes;
mod perft;
mod races;
mod ranks;
mod review;
mod searchers;
#[path = "../../examples/speculation.rs"]
#[allow(dead_code)] // its `main`
mod speculation;
mod switches;
mod virtual_cores;
