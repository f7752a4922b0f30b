//! Games in Portable Game Notation, as databases and other programs write them.
//!
//! The reader takes what it finds: comments of each kind, variations, glyphs, castling with zeros,
//! names in Latin-1. A game that it cannot follow is given back as a bad one with the reason, and
//! the next game is read. It reads a stream of any length in little memory.
//!
//! | file | what it holds |
//! |---|---|
//! | `lexer` | from bytes to tags and words of the game; comments and variations are left out |
//! | `reader` | from tags and words to games |
//! | `game` | a game, and the reason why one is left out |
//! | `left_out` | the count of games that were left out, in words |

mod game;
mod left_out;
mod lexer;
mod reader;

pub use game::{BadGame, Game, GameEnd, Tags};
pub use left_out::LeftOut;
pub use reader::{Games, is_pgn, open};

#[cfg(test)]
mod tests {
    use super::*;
    use ttd_search::positions::uci_text;

    type Read = Vec<Result<Game, BadGame>>;

    fn read(text: impl AsRef<[u8]>) -> Read {
        Games::new(text.as_ref()).map(|game| game.expect("a text can be read")).collect()
    }

    fn moves(game: &Result<Game, BadGame>) -> String {
        let game = game.as_ref().unwrap_or_else(|bad| panic!("{bad:?}"));
        let mut board = game.start.clone();
        let play = |&mv| {
            let text = uci_text(&board, mv);
            board.play(mv);
            text
        };
        game.moves.iter().map(play).collect::<Vec<_>>().join(" ")
    }

    fn only(text: impl AsRef<[u8]>) -> Game {
        let mut games = read(text);
        assert_eq!(games.len(), 1, "{games:?}");
        games.remove(0).unwrap_or_else(|bad| panic!("{bad:?}"))
    }

    fn what(text: &str) -> String {
        let mut games = read(text);
        assert_eq!(games.len(), 1, "{games:?}");
        games.remove(0).expect_err("a bad game").what
    }

    const RUY: &str = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6";

    #[test]
    fn reads_what_stands_beside_moves() {
        for text in [
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2",
            "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 1/2-1/2",
            "1 e4 e5 2 Nf3 Nc6 3 Bb5 a6 1/2-1/2",
            "1. e4 {a} 1... e5 2. Nf3 $1 Nc6 3.Bb5 a6 1/2-1/2",
            "1. e4$1$14 e5$2 2. Nf3 Nc6 3. Bb5$140 a6 1/2-1/2",
            "1. e4! e5?! 2. Nf3!! Nc6?? 3. Bb5!? a6 1/2-1/2",
            "1. e4 e5 ; 2. f4 {\n2. Nf3 Nc6 ;\n3. Bb5 a6 1/2-1/2",
            "% for my own program\n1. e4 e5\n% 2. f4\n2. Nf3 Nc6 3. Bb5 a6 1/2-1/2",
            "1. e4 e5 2. Nf3 (2. f4 exf4 (2... d5 {)} 3. Nf3) ) 2... Nc6 3. Bb5 a6 1/2-1/2",
            "1. e4 (1. d4 1-0) e5 2. Nf3 Nc6 ({odd} 2... -- 3. Z0 *) 3. Bb5 a6 1/2-1/2",
            "1. e4 e5(1... c5)2. Nf3{!}Nc6 3. Bb5 (;)\n)a6 1/2-1/2",
            "1. e4 { [%clk 0:03:00] [%eval 0.2] } 1... e5 {} 2. Nf3 Nc6 { ( } 3. Bb5 a6 1/2-1/2",
            "1. e4 e5 2. Nf3 Nc6 N 3. Bb5 += a6 +- 1/2-1/2",
            "{before} 1. e2e4 e7-e5 2. Ng1-f3 nc6 3. Bf1b5 P a6 1/2-1/2"
                .replace(" P ", " ")
                .as_str(),
            "\u{feff}1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2",
            "1. e4 e5\r\n2. Nf3 Nc6\r\n3. Bb5 a6 1/2-1/2\r\n",
            "1. e4 e5\r2. Nf3 Nc6\r3. Bb5 a6 1/2-1/2\r",
            "1. ♙e4 e5 2. ♘f3 ♞c6 3. ♗b5 a6 ½-½",
        ] {
            let games = read(text);
            assert_eq!(games.len(), 1, "{text}: {games:?}");
            assert_eq!(moves(&games[0]), RUY, "{text}");
            let game = games[0].as_ref().expect("read");
            assert_eq!((game.result, game.end), (Some(0.5), GameEnd::Told), "{text}");
        }
    }

    #[test]
    fn reads_castling_and_promotion_of_every_kind() {
        let fen = "[FEN \"r3k3/P6P/8/8/8/8/8/R3K2R w KQ - 0 30\"]\n\n";
        for text in ["30. O-O Kd7", "30. 0-0 Kd7", "30. o-o! Kd7", "30. O-O+ Kd7"] {
            assert_eq!(moves(&read(format!("{fen}{text} *"))[0]), "e1g1 e8d7", "{text}");
        }
        for text in ["h8=Q+", "h8Q", "h8(Q)+", "h8(Q) (h8(R) Kd7)", "h8/Q!", "h8=q", "h8(\nQ)"] {
            let text = format!("{fen}30. {text} Kd7 *");
            let games = read(&text);
            if text.contains('\n') && text.contains("(\nQ") {
                assert!(games[0].is_err(), "{text}");
            } else {
                assert_eq!(moves(&games[0]), "h7h8q e8d7", "{text}");
            }
        }
        // A bracket behind a square of the last rank may also begin a variation.
        let text = format!("{fen}30. Ra1-d1 Rb8 31. Rd8(31. Rd1-d8 (Rd2)) Kxd8 *");
        assert!(moves(&read(text.replace("Rd8(", "Rd8+ ("))[0]).ends_with("d1d8 e8d8"));
        assert!(moves(&read(text)[0]).ends_with("d1d8 e8d8"));
    }

    #[test]
    fn one_game_follows_another() {
        let game = "[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n";
        assert_eq!(read(game.repeat(5)).len(), 5);
        assert_eq!(read("1. e4 1-0 1. d4 0-1 1. c4 *").len(), 3, "without tags");
        assert_eq!(read("").len() + read("\n\n% x\n{a comment}").len(), 0);
        assert_eq!(read(format!("{game}1-0\n\n{game}")).len(), 2, "a result twice");
        let heads = "[Event \"x\"]\n[White \"a\"]\n[Result \"1-0\"]\n\n";
        let games = read(heads.repeat(3));
        assert_eq!(games.len(), 3, "games without moves");
        assert!(games.iter().all(|game| game.as_ref().is_ok_and(|g| g.result == Some(1.0))));
        let line = "[Event \"x\"] [Result \"0-1\"] 1. e4 e5 0-1\n";
        assert_eq!(read(line.repeat(3)).len(), 3, "all in one line");
    }

    #[test]
    fn a_game_may_be_cut_off() {
        let whole = "[Event \"y\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 1/2-1/2\n\n";
        let games = read(format!("[Result \"*\"]\n\n1. e4 e5 2. Nf3\n\n{whole}"));
        let [Ok(first), Ok(second)] = games.as_slice() else { panic!("{games:?}") };
        assert_eq!((first.moves.len(), first.result, first.end), (3, None, GameEnd::CutOff));
        assert_eq!((second.moves.len(), second.result), (2, Some(0.5)));
        assert_eq!(only("[Result \"1-0\"]\n\n1. e4 e5").result, Some(1.0), "the tag has it");
        for open in ["1. e4 {never closed\n\n", "1. e4 (1. d4 {x} d5\n\n", "{\n\n"] {
            let games = read(format!("[Event \"x\"]\n\n{open}{whole}{whole}"));
            assert_eq!(games.len(), 3, "{open}: {games:?}");
            let bad = games[0].as_ref().expect_err("it is not closed");
            assert!(bad.what.contains("is not closed"), "{bad:?}");
            assert!(games[1].is_ok() && games[2].is_ok(), "{open}: {games:?}");
        }
        assert!(what("1. e4 {x").contains("a comment is not closed"));
    }

    #[test]
    fn tags_are_read_in_any_alphabet() {
        let game = only(
            b"\xef\xbb\xbf[White \"J\xf6rg\"]\n[Black \"a \"b\"\"]\n[Result \"1-0\"]\n\n1. e4 1-0",
        );
        assert_eq!(
            (game.tags.get("White"), game.tags.get("black")),
            (Some("Jörg"), Some("a \"b\""))
        );
        assert_eq!(only("[White \"Jörg\"]\n[Round \"?\"]\n\n1. e4 *").tags.get("Round"), None);
        assert_eq!(only("[Event x]\n[Site \"y\n\n1. e4 *").moves.len(), 1, "tags with slips");
    }

    #[test]
    fn a_text_may_end_with_its_sign() {
        let game = "[Event \"x\"]\n\n1. e4 e5 1-0";
        for end in ["\x1a", "\n\x1a", "\r\n\x1a\r\n"] {
            assert_eq!(only(format!("{game}{end}")).result, Some(1.0), "{end:?}");
            assert_eq!(read(format!("{game}{end}").repeat(2)).len(), 2, "{end:?}");
        }
    }

    #[test]
    fn a_null_move_ends_the_moves() {
        for null in ["--", "Z0", "0000", "@@@@"] {
            let game = only(format!("1. e4 {null} 2. d4 {null} 1-0"));
            let found = (game.moves.len(), game.result, game.end);
            assert_eq!(found, (1, Some(1.0), GameEnd::NullMove), "{null}");
        }
    }

    #[test]
    fn a_bad_game_says_why() {
        assert!(
            what("1. e4 e5 2. Ke3 1-0").starts_with("`Ke3`: expected a legal move in rnbqkbnr")
        );
        let games =
            "[Event \"Rated Antichess game\"]\n\n1. e3 b5 2. Bxb5 Nf6 3. Bxd7 Kxd7 4. Ke3 *";
        assert!(what(games).contains("(its event is of antichess)"));
        let variant = what("[Variant \"Antichess\"]\n\n1. e3 1-0");
        assert_eq!(variant, "a game of Antichess found, one of chess or Chess960 expected");
        for ours in ["Standard", "chess 960", "From Position"] {
            assert_eq!(only(format!("[Variant \"{ours}\"]\n\n1. e4 1-0")).moves.len(), 1, "{ours}");
        }
        assert!(what("[FEN \"8/8\"]\n\n1. e4 *").starts_with("FEN: "));
        assert!(what("[Result \"1-0\"]\n\n1. e4 0-1").contains("another result"));
        assert!(what(&format!("1. {} 1-0", "x".repeat(1 << 20))).starts_with("`xxx"));
    }

    #[test]
    fn a_game_of_chess960_has_its_own_castling() {
        let text = "[FEN \"bqnrkbrn/pppppppp/8/8/8/8/PPPPPPPP/BQNRKBRN w KQkq - 0 1\"]\n\
                [Variant \"Fischerandom\"]\n\n1. Ng3 Ng6 2. e4 e5 3. Bc4 Bc5 4. O-O O-O *";
        assert!(moves(&read(text)[0]).ends_with("e1g1 e8g8"), "{}", moves(&read(text)[0]));
    }

    #[test]
    fn a_file_of_games_is_known_by_its_first_line() {
        let path = std::path::Path::new;
        for text in
            ["[Event \"x\"]", "\u{feff}\r\n[Event \"x\"]", "% x\n\n[Event \"x\"]", "1. e4 *"]
        {
            assert!(is_pgn(path("book"), text.as_bytes()), "{text}");
        }
        assert!(is_pgn(path("book.PGN"), b""));
        assert!(!is_pgn(path("book"), b"1k6/8/8/8/8/8/8/K7 w - -") && !is_pgn(path("x.epd"), b""));
    }

    /// Texts that are cut, joined and strewn with signs: the same games in whatever pieces they
    /// come, and every move legal.
    #[test]
    fn any_text_is_read_in_any_pieces() {
        let seed =
            "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 {x} e5 (1... c5 ; y\n) 2. Nf3 $1 Nc6 1-0\n\n";
        let signs = b"[]{}();%\n\r\"\\ $(Q)1.*-eO\xef\xbb\xbf\xff\0";
        let mut state = 1u64;
        let mut below = |bound: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % bound
        };
        for _ in 0..3_000 {
            let mut text = seed.repeat(1 + below(3)).into_bytes();
            for _ in 0..below(12) {
                let at = below(text.len());
                match below(3) {
                    0 => drop(text.remove(at)),
                    1 => text.insert(at, signs[below(signs.len())]),
                    _ => text[at] = signs[below(signs.len())],
                }
            }
            let whole = read(&text);
            let pieces = std::io::BufReader::with_capacity(1 + below(5), text.as_slice());
            let pieces: Read = Games::new(pieces).map(|game| game.expect("read")).collect();
            assert_eq!(whole, pieces, "{}", String::from_utf8_lossy(&text));
            for game in whole.iter().flatten() {
                let mut board = game.start.clone();
                assert!(game.moves.iter().all(|&mv| board.try_play(mv).is_ok()));
            }
        }
    }
}
