//! Ratings by threads, and their trends.

use crate::matches::Match;
use crate::report::matches::likelihood::Likeliest;
use crate::report::matches::running::Run;
use crate::report::matches::series::Series;
use crate::report::numbers::fixed;
use ttd_stats::Bounds;
use ttd_stats::elo::trend::Trend;

/// The kind of a rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scale {
    /// The likeliest rating.
    Likelihood,
    /// The running rating with this K.
    Running(f64),
}

impl Scale {
    /// The kind in words.
    pub(crate) fn words(self) -> String {
        match self {
            Scale::Likelihood => "likeliest rating".to_owned(),
            Scale::Running(k) => format!("running rating, K = {k}"),
        }
    }
}

/// A rating of an entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rated {
    /// The entry's threads.
    pub(crate) threads: usize,
    /// In Elo.
    pub(crate) elo: f64,
    /// Its 95% interval, if it has one.
    pub(crate) interval: Option<Bounds>,
}

/// The ratings of a series.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RatingLine {
    /// The series' name.
    pub(crate) series: String,
    /// The number of its look in charts.
    pub(crate) look: usize,
    /// The kind of the ratings.
    pub(crate) scale: Scale,
    /// The ratings, by threads ascending.
    pub(crate) points: Vec<Rated>,
    /// The logarithmic trend; none with fewer than three thread counts.
    pub(crate) trend: Option<Trend>,
}

impl RatingLine {
    pub(crate) fn new(series: &Series, scale: Scale, points: Vec<Rated>) -> RatingLine {
        let ratings: Vec<(usize, f64)> = points.iter().map(|p| (p.threads, p.elo)).collect();
        let trend = Trend::of(&ratings);
        let Series { name, look, .. } = series;
        RatingLine { series: name.clone(), look: *look, scale, points, trend }
    }

    /// The trend as a formula: `36.789 ln N + 3028.5 (R² 0.9988)`.
    pub(crate) fn formula(&self) -> Option<String> {
        let trend = self.trend?;
        let sign = if trend.intercept < 0.0 { "−" } else { "+" };
        let r_squared =
            trend.r_squared.map_or_else(String::new, |r| format!(" (R² {})", fixed(r, 4)));
        let (slope, intercept) = (fixed(trend.slope, 3), fixed(trend.intercept.abs(), 1));
        Some(format!("{slope} ln N {sign} {intercept}{r_squared}"))
    }
}

/// The ratings of every series, on every scale that the match has.
pub(crate) fn lines(
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
