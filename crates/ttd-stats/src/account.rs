//! The account: the reasons why the speedup is not N.
//!
//! T is the time, n the nodes (quiescence and aborted ones included), B the worker time in state
//! `search`. Each is the geometric mean over a cell's samples; index 1 is the base:
//!
//! ```text
//! search overhead = n_N / n_1 - 1      busy fraction = B_N / (N T_N)
//! node rate = (n_N / B_N) / (n_1 / T_1)
//! N x 1/(1 + search overhead) x busy fraction x node rate = T_1 / T_N
//! ```
//!
//! The right side is the geometric-mean speedup, exactly. Over positions each factor combines by
//! its geometric mean, which keeps the identity.

use super::summary::geometric_mean;

/// The figures that one sample contributes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Totals {
    /// Time to depth in seconds.
    pub time_s: f64,
    /// Nodes of all workers.
    pub nodes: f64,
    /// Time of all workers in state `search`, in seconds; none if it was not recorded.
    pub search_s: Option<f64>,
}

impl Totals {
    /// Geometric means; none without samples or with a total that is not positive.
    fn mean(samples: &[Totals]) -> Option<Totals> {
        let mean = |field: fn(&Totals) -> f64| {
            let values: Vec<f64> = samples.iter().map(field).collect();
            geometric_mean(&values).filter(|mean| *mean > 0.0)
        };
        Some(Totals {
            time_s: mean(|t| t.time_s)?,
            nodes: mean(|t| t.nodes)?,
            search_s: match samples.iter().map(|t| t.search_s).collect::<Option<Vec<f64>>>() {
                Some(known) => Some(geometric_mean(&known).filter(|mean| *mean > 0.0)?),
                None => None,
            },
        })
    }
}

/// The factors between N and the geometric-mean speedup.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Account {
    /// N, the number of workers.
    pub threads: f64,
    /// Nodes beyond those of the base, as a share of the base's (0 = none, 1 = twice as many).
    pub search_overhead: f64,
    /// The share of the workers' time that was spent searching; none if it was not recorded.
    pub busy_fraction: Option<f64>,
    /// Nodes per second of a searching worker, relative to the base. If the time in state `search`
    /// was not recorded, it is nodes per second of any worker.
    pub node_rate: f64,
    /// The geometric-mean speedup: the product.
    pub speedup: f64,
}

impl Account {
    /// The account of a cell with `threads` workers against its base. None without samples on
    /// either side. A cell with a censored sample has no account: callers leave it out.
    pub fn of(threads: usize, base: &[Totals], cell: &[Totals]) -> Option<Account> {
        let (base, cell) = (Totals::mean(base)?, Totals::mean(cell)?);
        let threads = threads as f64;
        let whole_s = threads * cell.time_s;
        Some(Account {
            threads,
            search_overhead: cell.nodes / base.nodes - 1.0,
            busy_fraction: cell.search_s.map(|search_s| search_s / whole_s),
            node_rate: (cell.nodes / cell.search_s.unwrap_or(whole_s)) / (base.nodes / base.time_s),
            speedup: base.time_s / cell.time_s,
        })
    }

    /// The account over positions that all have one number of threads; none without any.
    pub fn combine(accounts: &[Account]) -> Option<Account> {
        let mean = |field: fn(&Account) -> f64| {
            geometric_mean(&accounts.iter().map(field).collect::<Vec<_>>())
        };
        Some(Account {
            threads: accounts.first()?.threads,
            search_overhead: mean(|a| 1.0 + a.search_overhead)? - 1.0,
            busy_fraction: match accounts
                .iter()
                .map(|a| a.busy_fraction)
                .collect::<Option<Vec<f64>>>()
            {
                Some(known) => Some(geometric_mean(&known)?),
                None => None,
            },
            node_rate: mean(|a| a.node_rate)?,
            speedup: mean(|a| a.speedup)?,
        })
    }

    /// The factor by which the extra nodes slow the search: `1 / (1 + search overhead)`.
    pub fn overhead_factor(&self) -> f64 {
        1.0 / (1.0 + self.search_overhead)
    }

    /// N times the factors: equal to the speedup but for rounding.
    pub fn product(&self) -> f64 {
        let busy = self.busy_fraction.unwrap_or(1.0);
        self.threads * self.overhead_factor() * busy * self.node_rate
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Exact figures are meant.
mod tests {
    use super::*;

    /// The published figures of Østensen's Lazy SMP: nodes and nodes per second relative to one
    /// thread.
    fn ostensen(threads: usize, nodes: f64, speed: f64) -> Account {
        let base = Totals { time_s: 1.0, nodes: 1.0, search_s: None };
        let time_s = nodes / speed;
        let cell = Totals { time_s, nodes, search_s: None };
        Account::of(threads, &[base], &[cell]).expect("enough data")
    }

    #[test]
    fn golden_account_of_ostensen() {
        let two = ostensen(2, 1.78, 2.02);
        assert!((two.speedup - 1.135).abs() < 5e-4, "{two:?}");
        assert!((two.search_overhead - 0.78).abs() < 1e-12);
        assert!((two.node_rate - 1.01).abs() < 1e-12);
        assert_eq!(two.busy_fraction, None, "he does not tell");
        let four = ostensen(4, 2.01, 4.05);
        assert!((four.speedup - 2.01).abs() < 6e-3, "{four:?}");
        assert!((four.product() - four.speedup).abs() < 1e-12);
    }

    /// Arbitrary but repeatable totals.
    fn totals(seed: u64) -> Vec<Totals> {
        let number = |i: u64| 1.5 + (seed * 7919 + i * 104_729).wrapping_mul(48271) as f64 % 977.0;
        (0..5)
            .map(|i| Totals {
                time_s: number(3 * i),
                nodes: number(3 * i + 1) * 1e6,
                search_s: Some(number(3 * i + 2)),
            })
            .collect()
    }

    #[test]
    fn the_product_is_the_geometric_mean_speedup() {
        let times = |samples: &[Totals]| {
            geometric_mean(&samples.iter().map(|s| s.time_s).collect::<Vec<_>>())
                .expect("enough data")
        };
        let mut accounts = Vec::new();
        for seed in 1..20 {
            let (base, cell) = (totals(seed), totals(seed + 100));
            let account = Account::of(8, &base, &cell).expect("enough data");
            let speedup = times(&base) / times(&cell);
            assert!((account.product() / speedup - 1.0).abs() < 1e-12);
            assert!((account.speedup / speedup - 1.0).abs() < 1e-12);
            accounts.push(account);
        }
        let combined = Account::combine(&accounts).expect("enough data");
        assert!((combined.product() / combined.speedup - 1.0).abs() < 1e-12);
        let speedups: Vec<f64> = accounts.iter().map(|a| a.speedup).collect();
        assert!(
            (combined.speedup / geometric_mean(&speedups).expect("enough data") - 1.0).abs()
                < 1e-12
        );
    }

    #[test]
    fn nothing_to_account_for() {
        assert_eq!(Account::of(2, &[], &totals(1)), None);
        let idle = Totals { time_s: 1.0, nodes: 5.0, search_s: Some(0.0) };
        assert_eq!(Account::of(2, &totals(1), &[idle]), None);
        assert_eq!(Account::combine(&[]), None);
    }
}
