//! Commands with a few tests each.

/// `ttd doctor`.
mod doctor {
    use crate::common::Place;

    const CHECKS: [&str; 16] = [
        "build",
        "cores",
        "quota",
        "governor",
        "boost",
        "shared cores",
        "kinds of cores",
        "heat",
        "other load",
        "stolen time",
        "memory",
        "huge pages",
        "swapping",
        "clock",
        "steady work",
        "work side by side",
    ];

    #[test]
    fn every_check_says_what_it_read() {
        let place = Place::new();
        let called = place.call("doctor --hash 999999999").exits(0);
        for (line, check) in called.out.lines().zip(CHECKS) {
            assert!(line.starts_with(check), "{check}: {line}");
        }
        assert!(called.out.contains(" MiB available, 999999999 MiB wanted"), "{}", called.out);
        assert!(
            called.out.contains("\nmemory (bad): docs/measuring.md#memory\n"),
            "{}",
            called.out
        );
        let last = called.out.lines().last().expect("a last line");
        assert!(last.contains(" good, ") && last.ends_with(" unknown"), "{last}");
        assert_eq!(
            std::fs::read_dir(place.path(".")).expect("listed").count(),
            0,
            "nothing is made"
        );
    }

    #[test]
    fn programs_get_every_field() {
        let place = Place::new();
        let called = place.call("doctor --format csv").exits(0);
        let mut reader = csv::Reader::from_reader(called.out.as_bytes());
        let header: Vec<&str> = reader.headers().expect("a header").iter().collect();
        assert_eq!(header, ["check", "verdict", "read", "effect", "remedy", "page"]);
        let rows: Vec<csv::StringRecord> =
            reader.records().map(|row| row.expect("a row")).collect();
        assert_eq!(rows.iter().map(|row| &row[0]).collect::<Vec<_>>(), CHECKS);
        let verdicts = ["good", "look", "bad", "unknown"];
        assert!(
            rows.iter().all(|row| verdicts.contains(&&row[1]) && row.iter().all(|f| !f.is_empty()))
        );
        let called = place.call("doctor --format json").exits(0);
        let found: serde_json::Value = serde_json::from_str(&called.out).expect("JSON");
        let found = found.as_array().expect("an array");
        assert_eq!(found.len(), CHECKS.len());
        assert_eq!(found[0]["check"], "build");
        place.call("doctor --format xml").exits(2).says("[possible values: text, csv, json]");
    }
}

/// `ttd perft`: one position, and whole sets that state the expected counts.
mod perft {
    use crate::common::{Called, Place};

    #[test]
    fn one_position_is_counted() {
        let place = Place::new();
        let called = place.call("perft --depth 3").exits(0);
        assert!(called.out.starts_with("nodes 8902\ntime_s "), "{}", called.out);
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let called = place.call_with(&["perft", fen, "--depth=2", "--divide"]).exits(0);
        assert!(called.out.contains("\nnodes 2039\n"), "{}", called.out);
        assert!(called.out.lines().any(|line| line == "e1g1: 43"), "{}", called.out);
    }

    #[test]
    fn bad_lines_of_a_set_are_left_out_on_request() {
        let place = Place::new();
        place.write(
            "mine.epd",
            "4k3/8/8/8/8/8/8/4K2R w K -\nno position\n4k3/8/8/8/8/8/8/4K3 w - -\n",
        );
        for (call, positions) in [
            ("perft --depth 1", 2),
            ("bench --depth 1", 2),
            ("calibrate --depth 1 --runs 1 --hash 1", 0),
        ] {
            let call = format!("{call} --positions mine.epd --json");
            let refused = place.call(&call).exits(2).says("mine.epd:2: ");
            refused.says("`--skip-bad` leaves such lines out");
            if positions > 0 {
                let called = place.call(&format!("{call} --skip-bad")).exits(0);
                let called = called.says("ttd: mine.epd: 1 line is left out. Line 2: ");
                let found: serde_json::Value = serde_json::from_str(&called.out).expect("JSON");
                assert_eq!(found["positions"].as_array().map(Vec::len), Some(positions));
            }
        }
    }

    /// The lines without the time.
    fn counted(called: &Called) -> Vec<&str> {
        called.out.lines().filter(|line| !line.contains("_s ")).collect()
    }

    #[test]
    fn rights_may_be_those_of_chess960() {
        let place = Place::new();
        let called = |fen: &str| place.call_with(&["perft", fen, "--depth=4"]).exits(0);
        // The position is the first of the table in the Chess programming wiki ("Chess960 Perft
        // Results"). It is given as Shredder-FEN and as X-FEN.
        for rights in ["HFhf", "KQkq"] {
            let fen =
                format!("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w {rights} - 2 9");
            assert_eq!(counted(&called(&fen)), ["nodes 326672"]);
        }
        let fen = "5k2/8/8/8/8/8/8/R4K2 w A - 0 1";
        let divided = place.call_with(&["perft", fen, "--depth=1", "--divide"]).exits(0);
        let castling = divided.out.lines().filter(|line| line.starts_with("f1a1: ")).count();
        assert_eq!(castling, 1, "{}", divided.out);
    }

    #[test]
    fn threads_find_the_same() {
        let place = Place::new();
        let alone = place.call("perft --depth 4 --divide").exits(0);
        let together = place.call("perft --depth 4 --divide --threads 3").exits(0);
        assert_eq!(counted(&alone), counted(&together));
        assert_eq!(counted(&alone).len(), 21);
        assert_eq!(counted(&place.call("perft --depth 0 --divide").exits(0)), ["nodes 1"]);
    }

    #[test]
    fn a_set_is_compared_with_what_it_says() {
        let place = Place::new();
        let set = "8/8/8/8/8/8/6k1/4K2R w K - id \"a\"; D1 12; D2 38;\n\
               7k/6Q1/6K1/8/8/8/8/8 b - - id \"mated\"; D1 0;\n\
               4k3/8/8/8/8/8/8/1R3KR1 w GB - id \"nobody counted\";\n";
        place.write("set.epd", set);
        let called = place.call("perft --positions set.epd --depth 1 --threads 2").exits(0);
        let lines = counted(&called);
        assert_eq!(lines[0], "position        leaves  expected");
        assert_eq!(lines[1], "a                   12        12");
        assert_eq!(lines[2], "mated                0         0");
        assert!(lines[3].starts_with("nobody counted") && lines[3].ends_with('-'), "{}", lines[3]);
        assert_eq!(lines[4], "agree 2 of 2");
        let called = place.call("perft --positions set.epd --depth 3").exits(0);
        assert!(!called.out.contains("agree"), "{}", called.out);

        place.write("wrong.epd", &set.replace("D2 38", "D2 39"));
        let called = place.call("perft --positions wrong.epd --depth 2").exits(1);
        let called = called.says("a: 38 leaves found, 39 expected");
        assert!(called.out.contains("\nagree 0 of 1\n"), "{}", called.out);
        place.call("perft --positions set.epd --divide").exits(2).says("--divide");
        place.call("perft --positions nowhere").exits(2).says("there is no position set `nowhere`");
    }
}

/// `ttd trace` as a user calls it.
mod trace {
    use crate::common::Place;

    const FEN: &str = "r2q2k1/pp1n1pp1/1bp1r1np/1P1pP2B/P2P4/2PQB3/3N2PP/R4RK1 w - - 3 19";

    fn call(place: &Place, arguments: &str) -> crate::common::Called {
        let mut words = vec!["trace", FEN, "--hash", "1"];
        words.extend(arguments.split_whitespace());
        place.call_with(&words)
    }

    #[test]
    fn a_trace_on_virtual_cores_is_the_same_every_time() {
        let place = Place::new();
        call(&place, "--threads 3 --depth 8 --out one.json --svg one.svg").exits(0);
        call(&place, "--threads 3 --depth 8 --out other.json --svg other.svg").exits(0);
        assert_eq!(place.read("one.json"), place.read("other.json"));
        assert_eq!(place.read("one.svg"), place.read("other.svg"));
        call(&place, "--threads 3 --depth 8 --out other.json --seed 2").exits(0);
        assert_ne!(place.read("one.json"), place.read("other.json"));
        let picture = place.read("one.svg");
        assert!(picture.contains("ybwc, 3 workers on virtual cores, depth 8"));
    }

    #[test]
    fn a_trace_on_real_cores_and_of_every_searcher() {
        let place = Place::new();
        call(&place, "--cores real --threads 2 --depth 7 --out real.json").exits(0);
        assert!(place.read("real.json").contains("\"worker 1\""));
        for searcher in ["dts", "abdada", "recursive-splitting"] {
            call(&place, &format!("--searcher {searcher} --depth 6 --svg a.svg")).exits(0);
            assert!(place.read("a.svg").contains(searcher));
        }
    }

    #[test]
    fn a_picture_without_a_name_has_a_usual_one() {
        let place = Place::new();
        let name = "trace-ybwc-2-4.svg";
        let said = format!("ttd: {name} is written");
        call(&place, "--threads 2 --depth 4 --svg").exits(0).says(&said);
        let first = place.read(name);
        // Before the position too.
        let words = ["trace", "--svg", FEN, "--hash", "1", "--threads", "2", "--depth", "4"];
        place.call_with(&words).exits(0).says(&said);
        assert_eq!(place.read(name), first);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let place = Place::new();
        for (arguments, message) in [
            (
                "--depth 12 --out a.json --most-mib 1",
                "ttd: --most-mib: 1 found, but the trace would be larger than 1 MiB",
            ),
            ("--depth 2 --searcher sequential --out a.json", "ttd: --threads: 4 found, 1 expected"),
            ("--depth 2 --threads 0 --out a.json", "0"),
            ("--depth 2", "--out"),
        ] {
            let called = call(&place, arguments).exits(2);
            assert!(called.err.contains(message), "{}", called.err);
            assert!(!place.path("a.json").exists());
        }
        let called = call(&place, "--depth 2 --out nowhere/a.json").exits(1);
        assert!(called.err.contains("nowhere/a.json cannot be written"), "{}", called.err);
    }
}

/// `ttd explain`: idealised machines.
mod explain {
    use crate::common::Place;

    /// Two owners that waited, one inside the visit of the other, joined a split point and left it
    /// again and again. On machines where that takes no time the search never ended.
    #[test]
    fn searches_end_where_joins_take_no_time() {
        let place = Place::new();
        let experiment = "cores = \"virtual\"\nsearchers = [\"dts\"]\nthreads = [1, 32]\ndepth = 9\n\
                          positions = \"bratko-kopec\"\nonly = [\"3\"]\nhash_mib = 64\n\
                          host_limit_s = 20.0\n";
        place.write("joins.toml", experiment);
        place.call("explain joins.toml --runs 1 --out joins").exits(0);
        let rows = place.read("joins/explain.csv");
        assert_eq!(rows.matches(",ok,").count(), 11, "{rows}");
    }
}

/// From a match of our own engine to a table of weights.
mod tune {
    use crate::common::Place;

    #[test]
    fn games_of_a_match_become_a_table_of_weights() {
        let place = Place::new();
        place.write(
        "games.toml",
        "games = 40\ndepth = 2\nhash_mib = 1\nadjudication = { max_moves = 30 }\n\
         [[entries]]\nname = \"a\"\nsearcher = \"sequential\"\n\
         [[entries]]\nname = \"b\"\nsearcher = \"sequential\"\nengine = { evaluation = \"material\" }\n",
    );
        place.call("match games.toml --out games").exits(0);
        let tune = "tune games/games.pgn --positions 3 --spreads 0.1,10 --out table.rs";
        let called = place.call(tune).exits(0).says("ttd: 40 games of games/games.pgn\n");
        let rows: Vec<&str> = called.out.lines().collect();
        assert!(rows[0].starts_with("weights ") && rows[1].starts_with("before"), "{}", called.out);
        assert!(
            rows[2].starts_with("spread 0.1") && rows[3].starts_with("spread 10"),
            "{}",
            called.out
        );
        assert_eq!(rows.iter().filter(|row| row.contains(", taken ")).count(), 1, "{}", called.out);
        assert!(called.out.contains(" games; held out "), "{}", called.out);
        // That report stands in the table, too.
        let table = place.read("table.rs");
        assert!(rows.iter().all(|row| table.contains(&format!("//! {row}\n"))), "{table}");
        assert!(table.contains("WEIGHTS: Weights = Weights {\n    material: [\n"), "{table}");
        let again = place.call(&format!("{tune} --jobs 1")).exits(0);
        assert_eq!((again.out, place.read("table.rs")), (called.out, table), "by the seed");
    }

    #[test]
    fn too_few_games_are_refused() {
        let place = Place::new();
        place.write("one.pgn", "1. e4 e5 2. Nf3 Nc6 1-0\n");
        place.call("tune one.pgn").exits(2).says("too few games: 1, with ");
    }
}
