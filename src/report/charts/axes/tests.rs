//! The marks that axes have.
#![allow(clippy::float_cmp)] // Exact figures are meant.

use super::ticks::power_of;
use super::*;

fn labels(axis: &Axis) -> Vec<&str> {
    axis.ticks.iter().map(|(_, label)| label.as_str()).collect()
}

#[test]
fn thread_counts_are_marked_base_two() {
    let axis = Axis::threads(&[1, 2, 4, 8]);
    assert_eq!(labels(&axis), ["1", "2", "4", "8"]);
    let step = axis.share(2.0) - axis.share(1.0);
    assert!((axis.share(8.0) - axis.share(4.0) - step).abs() < 1e-12);
    assert!(Axis::threads(&[4]).share(4.0) > 0.4);
    assert!(Axis::threads(&[]).share(1.0).is_finite());
}

#[test]
fn ratios_have_enough_marks_whatever_the_range() {
    for (low, high) in
        [(0.5, 9.0), (1.2, 2.1), (0.9, 1.05), (1.0, 1.0), (0.01, 1024.0), (1e-9, 1.0)]
    {
        let axis = Axis::ratios([low, high].into_iter());
        assert!((2..=20).contains(&axis.ticks.len()), "{low} {high}: {axis:?}");
        assert!(axis.share(low) >= 0.0 && axis.share(high) <= 1.0);
    }
    assert_eq!(
        labels(&Axis::ratios([0.18, 2.1].into_iter())),
        ["0.25", "0.50", "0.75", "1.00", "1.50", "2.00"]
    );
    assert_eq!(
        labels(&Axis::ratios([0.7, 1.76].into_iter())),
        ["0.75", "1.00", "1.25", "1.50", "1.75"]
    );
    assert_eq!(
        labels(&Axis::ratios([0.48, 9.1].into_iter())),
        ["0.50", "0.75", "1.00", "1.50", "2.00", "3.00", "4.00", "6.00", "8.00"]
    );
}

#[test]
fn marks_have_room_for_their_numbers_whatever_the_range() {
    let lows = || (0..60).map(|i| 0.05 * 1.08_f64.powi(i));
    let ranges = || lows().flat_map(|low| (1..120).map(move |i| [low, low * 1.05_f64.powi(i)]));
    for both in ranges() {
        for axis in [Axis::ratios(both.into_iter()), Axis::times(&both), Axis::bars(&both)] {
            let at: Vec<f64> = axis.ticks.iter().map(|(value, _)| axis.share(*value)).collect();
            let least = at.windows(2).map(|pair| pair[1] - pair[0]).fold(1.0, f64::min);
            assert!(least >= 1.0 / 15.5, "{both:?}: {:?}", labels(&axis));
        }
    }
}

#[test]
fn small_ratios_are_fractions() {
    let axis = Axis::ratios([0.0009, 0.6].into_iter());
    let marks = labels(&axis);
    assert_eq!((marks[0], marks[7], marks[10]), ("1/1024", "1/8", "1"));
    assert!(marks.iter().all(|mark| mark.len() <= 6), "{marks:?}");
    let axis = Axis::ratios([3e-6, 1.0].into_iter());
    assert_eq!(labels(&axis)[..2], ["2⁻¹⁸", "2⁻¹⁶"]);
}

#[test]
fn what_stands_side_by_side_stays_within_the_frame() {
    for threads in [&[1][..], &[1, 2], &[1, 8], &[1, 2, 4, 8], &[4, 64, 65]] {
        let (x, y) = (Axis::threads(threads), Axis::depths(&[]));
        let frame = Frame { left: 100.0, top: 0.0, right: 1000.0, bottom: 100.0, x, y };
        for things in [1, 9, 16] {
            let half = frame.slot(things) * things as f64 / 2.0;
            for n in threads.iter().map(|n| frame.x_at(*n as f64)) {
                assert!(n - half >= 100.0 && n + half <= 1000.0, "{threads:?} {things}");
            }
            assert!(2.0 * half < frame.spacing());
        }
    }
}

#[test]
fn seconds_survive_zero() {
    let axis = Axis::times(&[0.0, 0.01, 20.0]);
    assert_eq!(labels(&axis)[0], "0");
    assert!(axis.share(0.0) > 0.0 && axis.share(0.0) < axis.share(0.01));
    for all in [vec![0.0], vec![], vec![1.0], vec![f64::INFINITY]] {
        let axis = Axis::times(&all);
        assert!(axis.share(1.0).is_finite() && !axis.ticks.is_empty());
    }
}

#[test]
fn small_powers_of_ten_are_written_as_such() {
    let marks = ["10⁻⁵", "10⁻⁴", "10⁻³", "10⁻²", "10⁻¹", "10⁰", "10¹"];
    assert_eq!(labels(&Axis::times(&[5e-6, 20.0])), marks);
    assert_eq!(labels(&Axis::times(&[0.04, 20.0]))[..4], ["0.05", "0.10", "0.20", "0.50"]);
    assert_eq!(labels(&Axis::times(&[13.0, 60.0])), ["20", "30", "40", "50", "60", "70"]);
    assert_eq!(power_of("10", -12), "10⁻¹²");
}

/// The kind of a mark: its decimals, its unit, and whether it is a power. Fractions of one are of a
/// kind with whole numbers, and zero with all.
fn kind(mark: &str) -> (usize, Option<char>, bool) {
    let decimals = mark.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let unit = mark.chars().find(|c| "kMG".contains(*c));
    (
        decimals - usize::from(decimals > 0 && unit.is_some()),
        unit,
        mark.contains(['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹']),
    )
}

#[test]
fn the_marks_of_an_axis_are_of_one_kind() {
    let ends = [
        1e-7, 3e-5, 0.0009, 0.02, 0.13, 0.48, 0.9, 1.0, 1.2, 2.1, 9.0, 40.0, 999.0, 12_345.0, 7e6,
        3e9,
    ];
    for low in ends {
        for high in ends.into_iter().filter(|high| *high >= low) {
            let both = [low, high];
            for axis in [
                Axis::ratios(both.into_iter()),
                Axis::from_zero(both.into_iter(), low),
                Axis::times(&both),
                Axis::bars(&both),
                Axis::around(&both),
            ] {
                let marks = labels(&axis).into_iter().filter(|mark| *mark != "0");
                let kinds: std::collections::BTreeSet<_> = marks.map(kind).collect();
                assert!(kinds.len() <= 1, "{:?}", labels(&axis));
            }
        }
    }
}

#[test]
fn ratings_have_marks_around_them() {
    let axis = Axis::around(&[3029.0, 3080.0]);
    assert_eq!(labels(&axis), ["3030", "3040", "3050", "3060", "3070", "3080"]);
    assert!(axis.share(3029.0) > 0.0 && axis.share(3080.0) < 1.0);
    assert_eq!(labels(&Axis::around(&[-120.0, 80.0])), ["−100", "−50", "0", "50", "100"]);
    for all in [vec![], vec![2953.0], vec![f64::INFINITY]] {
        assert!(Axis::around(&all).share(2953.0).is_finite());
    }
}

#[test]
fn bars_start_at_zero_where_they_can() {
    let far = Axis::bars(&[50.0, 5e6]);
    assert_eq!(labels(&far), ["10²", "10³", "10⁴", "10⁵", "10⁶"]);
    let near = Axis::bars(&[5_000.0, 42_000.0]);
    assert_eq!(labels(&near), ["0", "10k", "20k", "30k", "40k"]);
    assert!(far.is_logarithmic() && !near.is_logarithmic());
    assert!(Axis::bars(&[]).share(1.0).is_finite());
}

#[test]
fn efficiencies_start_at_zero() {
    assert_eq!(
        labels(&Axis::from_zero([0.7].into_iter(), 1.0)),
        ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
    );
}

#[test]
fn powers_of_two_without_room_for_all_are_named_at_equal_distances() {
    let axis = || Axis::ratios([0.05, 64.0].into_iter());
    let named = |right: f64| -> Vec<String> {
        let frame =
            Frame { left: 0.0, top: 0.0, right, bottom: 100.0, x: axis(), y: Axis::depths(&[]) };
        frame.labels_with_room().into_iter().map(|(_, label)| label.to_owned()).collect()
    };
    assert_eq!(named(2000.0).len(), axis().ticks.len());
    assert_eq!(named(700.0), ["1/16", "1/4", "1", "4", "16", "64"]);
    assert_eq!(named(300.0), ["1/8", "1", "8", "64"]);
    assert_eq!(named(20.0), ["1"]);
}
