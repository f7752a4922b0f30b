//! Ratings by threads: the logarithmic trend that Säfström and Yllmark (KTH 2024) fit.

use crate::fits::line;

/// `rating = slope ln(threads) + intercept`, by least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trend {
    /// Elo for each factor of e in threads.
    pub slope: f64,
    /// The rating at one thread.
    pub intercept: f64,
    /// Share of the variance explained; none where the ratings do not vary.
    pub r_squared: Option<f64>,
}

impl Trend {
    /// The trend of ratings by threads. None with fewer than three thread counts, or with a rating
    /// that is not finite.
    pub fn of(ratings: &[(usize, f64)]) -> Option<Trend> {
        let mut counts: Vec<usize> = ratings.iter().map(|(threads, _)| *threads).collect();
        counts.sort_unstable();
        counts.dedup();
        let good = ratings.iter().all(|(threads, rating)| *threads > 0 && rating.is_finite());
        if !good || counts.len() < 3 {
            return None;
        }
        let points = ratings.iter().map(|&(threads, rating)| ((threads as f64).ln(), rating));
        let [slope, intercept] = line(points.clone());
        let mean = points.clone().map(|(_, y)| y).sum::<f64>() / ratings.len() as f64;
        let total: f64 = points.clone().map(|(_, y)| (y - mean).powi(2)).sum();
        let residual: f64 = points.map(|(x, y)| (y - slope * x - intercept).powi(2)).sum();
        let r_squared = (total > 0.0).then(|| 1.0 - residual / total);
        Some(Trend { slope, intercept, r_squared })
    }

    /// The rating that the trend gives for this number of threads.
    pub fn rating(&self, threads: f64) -> f64 {
        self.slope * threads.ln() + self.intercept
    }

    /// The Elo that the trend gains with each doubling of the threads.
    pub fn gained_per_doubling(&self) -> f64 {
        self.slope * std::f64::consts::LN_2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ratings at 1, 2 and 4 cores, and the printed figures of their trend in the thesis:
    /// slope, intercept, R2.
    const PUBLISHED: [([f64; 3], [f64; 3]); 6] = [
        ([3029.0, 3053.0, 3080.0], [36.789, 3028.5, 0.9988]), // Lazy SMP, K = 10
        ([3063.0, 3100.0, 3129.0], [47.609, 3064.3, 0.9951]), // K = 20
        ([3088.0, 3131.0, 3155.0], [48.330, 3091.2, 0.9739]), // K = 30
        ([3055.0, 3062.0, 3105.0], [36.067, 3049.0, 0.8527]), // YBWC, K = 10
        ([3097.0, 3095.0, 3150.0], [38.231, 3087.5, 0.7217]), // K = 20
        ([3120.0, 3115.0, 3175.0], [39.674, 3109.2, 0.6823]), // K = 30
    ];

    fn of(ratings: [f64; 3]) -> Trend {
        Trend::of(&[(1, ratings[0]), (2, ratings[1]), (4, ratings[2])]).expect("three counts")
    }

    #[test]
    fn golden_figures_of_the_thesis() {
        for (ratings, [slope, intercept, r_squared]) in PUBLISHED {
            let trend = of(ratings);
            assert!((trend.slope - slope).abs() < 0.000_51, "{slope}: {trend:?}");
            assert!((trend.intercept - intercept).abs() < 0.051, "{intercept}: {trend:?}");
            let own = trend.r_squared.expect("the ratings vary");
            assert!((own - r_squared).abs() < 0.000_051, "{r_squared}: {trend:?}");
        }
    }

    #[test]
    fn doublings() {
        let trend = of([3000.0, 3050.0, 3100.0]);
        assert!((trend.gained_per_doubling() - 50.0).abs() < 1e-9);
        assert!((trend.rating(8.0) - 3150.0).abs() < 1e-9);
    }

    #[test]
    fn too_little_is_refused() {
        assert_eq!(Trend::of(&[(1, 3000.0), (2, 3050.0)]), None);
        assert_eq!(Trend::of(&[(1, 3000.0), (2, 3050.0), (2, 3060.0)]), None);
        assert_eq!(Trend::of(&[(1, 3000.0), (2, 3050.0), (4, f64::INFINITY)]), None);
        assert_eq!(of([3000.0; 3]).r_squared, None);
    }
}
