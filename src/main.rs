//! `ttd`: time to depth.

use std::process::ExitCode;

fn main() -> ExitCode {
    ttd::main_with(&[])
}
