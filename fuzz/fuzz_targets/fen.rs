//! A FEN. Both readers agree on it, and the position is written and read again. The sums of a
//! position follow its moves.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ttd_search::engine::{Position, successors};
use ttd_search::positions::{parse_fen, parse_game_fen};

fuzz_target!(|text: &str| {
    let searchable = parse_fen(text);
    let board = match parse_game_fen(text) {
        Ok(board) => board,
        Err(why) => {
            assert!(!why.is_empty() && searchable.is_err(), "only the narrow reader reads it");
            return;
        }
    };
    if let Ok(searchable) = searchable {
        assert_eq!(searchable, board);
    }
    assert_eq!(parse_game_fen(&format!("{board:#}")), Ok(board.clone()));
    let position = Position::new(board);
    for (mv, after) in successors(position.board()) {
        let (kept, fresh) = (position.after(mv), Position::new(after));
        assert_eq!(kept.board(), fresh.board(), "{mv}");
        assert_eq!(kept.key(), fresh.key(), "{mv}");
        assert_eq!((kept.squares(), kept.phase()), (fresh.squares(), fresh.phase()), "{mv}");
    }
});
