//! Tests of the judgement of an outside engine's searches.

use super::*;
use crate::uci::Bound;
use ttd_search::engine::is_mate;

const MS: fn(u64) -> Duration = Duration::from_millis;

#[test]
fn scores_are_ours() {
    assert_eq!(score(Said::Centipawns(-31)), -31);
    assert_eq!(score(Said::Mate(1)), MATE - 1);
    assert_eq!(score(Said::Mate(5)), MATE - 9);
    assert_eq!(score(Said::Mate(-1)), -(MATE - 2));
    assert!(is_mate(score(Said::Mate(-40))) && is_mate(score(Said::Mate(1000))));
    assert!(is_mate(score(Said::Mate(-1000))) && !is_mate(score(Said::Centipawns(31_990))));
    assert!(!is_mate(score(Said::Centipawns(i32::MIN))));
}

#[test]
fn depths_that_were_left_out_are_done_with_the_next() {
    let report = |depth, ms| Report { depth, at: MS(ms), ..Report::default() };
    let told = [report(2, 1), report(3, 5), report(u32::MAX, 7)];
    let rows = iterations(&told, 4, &Board::default());
    let rows: Vec<_> = rows.iter().map(|row| (row.depth, row.time.to_string())).collect();
    let expected = [(1, "0.001"), (2, "0.001"), (3, "0.005"), (4, "0.007")];
    assert_eq!(rows, expected.map(|(depth, time)| (depth, format!("{time}000000"))));
}

#[test]
fn the_first_move_of_a_line_is_legal() {
    let first = |line: &str| first_move(line, &Board::default());
    for line in ["e2e4 e7e5", "E2E4", "e4 e5", "1. e4 e5", "e4! e5", "e2e4?"] {
        assert_eq!(first(line).as_deref(), Some("e2e4"), "{line}");
    }
    for line in ["", "e2e5", "=cmd()", "1.", "e7e5"] {
        assert_eq!(first(line), None, "{line}");
    }
}

#[test]
fn more_threads_at_work_than_were_asked_for_are_told() {
    let of = |busy: &[u64], threads, time| {
        let busy_ps = busy.iter().map(|ns| ns * 1_000).collect();
        let thread_times = Some(ThreadTimes { busy_ps, ..ThreadTimes::default() });
        let reply = Reply { elapsed: Duration::from_micros(1), thread_times, ..Reply::default() };
        states(&reply, threads, Time::from_ps(time))
    };
    let all = |busy: &[u64], threads| {
        let states = of(busy, threads, 1_000_000).expect("sound").expect("an account");
        [State::Search, State::WaitWork].map(|state| states[state as usize].ps() / 1_000)
    };
    assert_eq!(all(&[300, 1_000, 900], 2), [2_000, 0], "the first one clears a table");
    assert_eq!(all(&[0, 900, 900], 2), [1_800, 200]);
    let wrong = |busy: &[u64], threads| of(busy, threads, 1_000_000).expect_err("too many");
    assert!(wrong(&[1_000, 1_000, 900], 2).contains("3 of its threads"));
    assert!(wrong(&[0, 1_000, 900], 1).contains("one was asked for"));
    // The sum is less than that of two threads.
    assert!(wrong(&[600, 600, 600], 2).contains("2 were asked for"));
    // A search that told of a mate, and went on until the stop: the account is of the whole.
    assert_eq!(of(&[0, 900, 900], 2, 500_000), Ok(None));
    assert!(of(&[900, 900, 900], 2, 500_000).is_err());
}

#[test]
fn a_position_with_one_move() {
    let one = |fen: &str| has_one_move(&fen.parse().expect("a position"));
    assert!(one("7k/8/8/8/8/8/8/K1q5 w - - 0 1"));
    assert!(one("k7/8/8/8/8/8/6r1/7K w - - 0 1"));
    assert!(!one("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
    assert!(!one("7k/8/8/8/8/8/8/K7 w - - 0 1"));
}

/// The answers to these reports: depth, score and time.
fn watched(seen: &mut Reached, reports: &[(u32, Said, Bound, u64)]) -> Vec<Watch> {
    let watch = |&(depth, said, bound, ms): &(u32, Said, Bound, u64)| {
        let report =
            Report { depth, multipv: 1, score: Some(said), bound, at: MS(ms), ..Report::default() };
        seen.watch(&report)
    };
    reports.iter().map(watch).collect()
}

#[test]
fn a_mate_ends_a_search_without_a_limit_if_nothing_deeper_comes() {
    let new = || Reached { depth: 9, mate_score: 9_000, ..Reached::default() };
    let (cp, mate) = (Said::Centipawns(3), Said::Mate(3));
    let seen = &mut new();
    let of = [(4, cp, Bound::Exact, 1), (5, mate, Bound::Exact, 7), (5, mate, Bound::Exact, 90)];
    assert_eq!(watched(seen, &of), [Watch::On, Watch::StopAt(MS(507)), Watch::StopAt(MS(507))]);
    assert_eq!(seen.mate, Some((5, MS(7))));
    // A deeper line gives more time; one without a mate takes the mate back.
    let of = [(6, mate, Bound::Exact, 2_000), (7, cp, Bound::Exact, 2_100)];
    assert_eq!(watched(seen, &of), [Watch::StopAt(MS(4_000)), Watch::On]);
    let of = [(8, Said::Centipawns(-29_990), Bound::Exact, 3), (9, cp, Bound::Exact, 4)];
    assert_eq!(watched(&mut new(), &of), [Watch::StopAt(MS(503)), Watch::Stop]);
}

#[test]
fn bounds_end_a_search_where_they_complete_a_depth() {
    let cp = Said::Centipawns(3);
    let of = [(9, cp, Bound::Lower, 1), (9, cp, Bound::Upper, 2), (10, cp, Bound::Lower, 3)];
    let new = |bounds| Reached { depth: 9, mate_score: 9_000, bounds, ..Reached::default() };
    assert_eq!(watched(&mut new(true), &of), [Watch::On, Watch::On, Watch::Stop]);
    assert_eq!(watched(&mut new(false), &of), [Watch::On; 3]);
}
