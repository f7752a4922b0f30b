//! `ttd uci`.

use super::Exit;
use crate::records::memory_available_mib;
use crate::uci::program;
use std::io;

pub(super) fn run() -> anyhow::Result<Exit> {
    program::run(io::stdin().lock(), io::stdout(), memory_available_mib)?;
    Ok(Exit::Done)
}
