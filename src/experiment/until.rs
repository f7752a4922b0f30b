//! Runs that go on until enough is measured: when they look, and how far they go. The statistics
//! say whether it is enough.

use super::keys::Experiment;
use ttd_stats::precision::LEAST_ROUNDS;

/// The default of the most rounds of such a run: `LEAST_ROUNDS` doubled four times.
pub const MOST_ROUNDS: u32 = 96;

impl Experiment {
    /// The numbers of rounds after which the run looks whether they are enough, ascending. They are
    /// [`LEAST_ROUNDS`], each doubling of it, and at last all rounds. Empty if the number of rounds
    /// is fixed.
    pub fn looks(&self) -> Vec<u32> {
        if self.until.is_none() {
            return Vec::new();
        }
        let doubling = std::iter::successors(Some(LEAST_ROUNDS), |rounds| rounds.checked_mul(2));
        let before = doubling.take_while(|rounds| *rounds < self.runs);
        before.chain([self.runs]).collect()
    }

    /// The number of samples at which the run looks again, or ends. `planned` is the number of
    /// samples of the whole plan. It returns `done` if the run is over. `narrow` looks whether the
    /// samples are enough.
    ///
    /// # Errors
    /// The errors of `narrow`.
    pub fn goal<E>(
        &self,
        planned: usize,
        done: usize,
        narrow: impl FnOnce() -> Result<bool, E>,
    ) -> Result<usize, E> {
        let in_round = planned / self.runs as usize;
        let looks = self.looks().into_iter().map(|rounds| rounds as usize * in_round);
        let looks: Vec<usize> = looks.filter(|samples| *samples < planned).collect();
        if looks.contains(&done) && narrow()? {
            return Ok(done);
        }
        Ok(looks.into_iter().find(|samples| *samples > done).unwrap_or(planned))
    }

    /// The experiment as it came to this many rounds: their number is fixed now.
    #[must_use]
    pub fn with_rounds(&self, rounds: u32) -> Experiment {
        if self.until.is_none() {
            return self.clone();
        }
        Experiment { runs: rounds, until: None, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn until(runs: u32) -> Experiment {
        Experiment { runs, until: Some(0.03), ..Experiment::default() }
    }

    #[test]
    fn looks_are_taken_when_the_rounds_have_doubled() {
        assert_eq!(until(96).looks(), [6, 12, 24, 48, 96]);
        assert_eq!(until(30).looks(), [6, 12, 24, 30]);
        assert_eq!(until(6).looks(), [6]);
        assert_eq!(until(u32::MAX).looks().len(), 31);
        assert!(Experiment::default().looks().is_empty());
    }

    #[test]
    fn a_run_goes_from_look_to_look() {
        // In this test a round has ten samples.
        let goal = |done, narrow| {
            let look = || Ok::<bool, Infallible>(narrow);
            until(30).goal(300, done, look).unwrap_or_else(|never| match never {})
        };
        assert_eq!([0, 35, 59].map(|done| goal(done, true)), [60; 3], "before the first look");
        assert_eq!([60, 120].map(|done| goal(done, true)), [60, 120], "enough");
        assert_eq!([60, 120].map(|done| goal(done, false)), [120, 240], "not enough");
        assert_eq!(goal(61, true), 120, "looked already");
        assert_eq!([240, 250].map(|done| goal(done, false)), [300; 2]);
        assert_eq!((goal(300, false), goal(300, true)), (300, 300), "the cap");
        let fixed = Experiment { runs: 30, ..Experiment::default() };
        let failed = fixed.goal(300, 60, || Err("nobody looks"));
        assert_eq!(failed, Ok(300));
        assert_eq!(until(30).goal(300, 60, || Err("unreadable")), Err("unreadable"));
    }

    #[test]
    fn what_it_came_to_is_a_fixed_number() {
        let fixed = until(96).with_rounds(12);
        assert_eq!((fixed.runs, fixed.until), (12, None));
        assert_eq!(Experiment::default().with_rounds(12), Experiment::default());
    }
}
