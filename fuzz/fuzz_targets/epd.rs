//! A position set: every position that is read can be found, and the wider reader reads it too.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ttd_search::engine::Position;
use ttd_search::positions::{find_id, parse, parse_by, parse_game_fen};

fuzz_target!(|text: &str| {
    let games = parse_by(parse_game_fen, text, "fuzz.epd");
    match parse(text, "fuzz.epd") {
        Err(why) => assert!(why.to_string().starts_with("fuzz.epd:")),
        Ok(positions) => {
            assert_eq!(games.map(|games| games.len()).ok(), Some(positions.len()));
            for position in &positions {
                assert_eq!(find_id(&positions, &position.id).as_ref(), Ok(&position.id));
                let root = Position::new(position.board.clone());
                for &mv in position.best.iter().chain(&position.avoid) {
                    let _ = root.after(mv);
                }
            }
        }
    }
});
