//! Lines that are written to `ttd uci`, without the searches themselves. They are also read as
//! lines of an outside engine.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::time::Duration;
use ttd::uci::program::rehearse;
use ttd::uci::{Offered, Report};

fuzz_target!(|input: &[u8]| {
    let mut output = Vec::new();
    rehearse(input, &mut output, || Some(1024));
    let output = String::from_utf8(output).expect("what we say is text");
    for line in output.lines() {
        let known = ["id ", "option ", "uciok", "readyok", "info "];
        assert!(known.iter().any(|word| line.starts_with(word)), "{line}");
    }
    let mut depth = 0;
    for line in String::from_utf8_lossy(input).lines() {
        let reports = [
            Report::parse_info(line, Duration::ZERO, &mut depth),
            Report::parse_thinking(line, Duration::ZERO),
        ];
        for report in reports.iter().flatten() {
            let _ = (report.is_whole(), report.is_decided(1));
        }
        let _ = Offered::parse(line);
    }
});
