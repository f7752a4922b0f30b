//! Games: each good one has legal moves only, and the same text is read in small pieces too.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::io::BufReader;
use ttd::pgn::Games;

fuzz_target!(|text: &[u8]| {
    let whole: Vec<_> = Games::new(text).map(|game| game.expect("it is in memory")).collect();
    let pieces = Games::new(BufReader::with_capacity(3, text));
    let pieces: Vec<_> = pieces.map(|game| game.expect("it is in memory")).collect();
    assert_eq!(whole, pieces);
    for game in whole.iter().flatten() {
        let mut board = game.start.clone();
        for &mv in &game.moves {
            assert!(board.try_play(mv).is_ok(), "{mv} in {board}");
        }
        assert_eq!(game.board_after(usize::MAX), board);
    }
});
