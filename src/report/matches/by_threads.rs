//! Ratings by threads, and their trends.

use super::likelihood::Likeliest;
use super::running::Run;
use super::series::Series;
use crate::matches::Match;
use crate::report::numbers::fixed;
use ttd_stats::Bounds;
use ttd_stats::elo::trend::Trend;

/// Which rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::report) enum Scale {
    /// The likeliest one.
    Likelihood,
    /// The running one with this K.
    Running(f64),
}

impl Scale {
    /// In words.
    pub(in crate::report) fn words(self) -> String {
        match self {
            Scale::Likelihood => "likeliest rating".to_owned(),
            Scale::Running(k) => format!("running rating, K = {k}"),
        }
    }
}

/// A rating of an entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::report) struct Rated {
    /// The entry's threads.
    pub(in crate::report) threads: usize,
    /// In Elo.
    pub(in crate::report) elo: f64,
    /// Its 95% interval, if it has one.
    pub(in crate::report) interval: Option<Bounds>,
}

/// The ratings of a series.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::report) struct RatingLine {
    /// The series' name.
    pub(in crate::report) series: String,
    /// Which of the looks it has in charts.
    pub(in crate::report) look: usize,
    /// Which rating.
    pub(in crate::report) scale: Scale,
    /// Threads ascending.
    pub(in crate::report) points: Vec<Rated>,
    /// The logarithmic trend; none with fewer than three thread counts.
    pub(in crate::report) trend: Option<Trend>,
}

impl RatingLine {
    pub(super) fn new(series: &Series, scale: Scale, points: Vec<Rated>) -> RatingLine {
        let ratings: Vec<(usize, f64)> = points.iter().map(|p| (p.threads, p.elo)).collect();
        let trend = Trend::of(&ratings);
        let Series { name, look, .. } = series;
        RatingLine { series: name.clone(), look: *look, scale, points, trend }
    }

    /// The trend as a formula: `36.789 ln N + 3028.5 (R² 0.9988)`.
    pub(in crate::report) fn formula(&self) -> Option<String> {
        let trend = self.trend?;
        let sign = if trend.intercept < 0.0 { "−" } else { "+" };
        let r_squared =
            trend.r_squared.map_or_else(String::new, |r| format!(" (R² {})", fixed(r, 4)));
        let (slope, intercept) = (fixed(trend.slope, 3), fixed(trend.intercept.abs(), 1));
        Some(format!("{slope} ln N {sign} {intercept}{r_squared}"))
    }
}

/// The ratings of every series, on every scale that the match has.
pub(super) fn lines(
    spec: &Match,
    series: &[Series],
    runs: &[Run],
    likeliest: Option<&Likeliest>,
) -> Vec<RatingLine> {
    let ks = spec.running_rating.as_ref().map_or(&[][..], |terms| &terms.k);
    let scales = likeliest.map(|_| Scale::Likelihood).into_iter();
    let scales = scales.chain(ks.iter().copied().map(Scale::Running));
    let rating = |scale: Scale, entry: usize| {
        let (elo, interval) = match scale {
            Scale::Likelihood => {
                let rating = likeliest?.entries[entry]?;
                (rating.elo, Some(rating.interval))
            }
            Scale::Running(k) => {
                let run = runs.iter().find(|r| r.entry == entry && r.k.total_cmp(&k).is_eq())?;
                (run.last()?, None)
            }
        };
        Some(Rated { threads: spec.entries[entry].threads, elo, interval })
    };
    let mut lines = Vec::new();
    for scale in scales {
        for of in series {
            let points = of.entries.iter().filter_map(|e| rating(scale, *e)).collect();
            lines.push(RatingLine::new(of, scale, points));
        }
    }
    lines
}
