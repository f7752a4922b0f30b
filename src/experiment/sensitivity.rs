//! The effect of the costs on a simulation's results. The experiment is run again with each cost
//! halved and doubled, one at a time.

use super::keys::Experiment;
use std::path::{Path, PathBuf};
use ttd_search::searchers::Costs;

/// The directory for the variations, below that of the experiment.
pub const SENSITIVITY: &str = "sensitivity";

/// An experiment with one cost changed.
#[derive(Clone, Debug)]
pub struct Variation {
    /// The key of the cost in `[virtual]`.
    pub cost: &'static str,
    /// Whether the cost is doubled; else it is halved.
    pub doubled: bool,
    /// The experiment with that cost.
    pub experiment: Experiment,
}

impl Variation {
    /// Every variation of an experiment; empty on real cores.
    pub fn all(experiment: &Experiment) -> Vec<Variation> {
        let all = experiment.costs.as_ref().map(Costs::halved_and_doubled);
        let varied = |(cost, doubled, costs)| {
            let name = format!("{}-{cost}-{}", experiment.name, how(doubled));
            let experiment = Experiment { name, costs: Some(costs), ..experiment.clone() };
            Variation { cost, doubled, experiment }
        };
        all.unwrap_or_default().into_iter().map(varied).collect()
    }

    /// The results directory of the variation, below that of the experiment.
    pub fn dir(&self, experiment: &Path) -> PathBuf {
        experiment.join(SENSITIVITY).join(format!("{}-{}", self.cost, how(self.doubled)))
    }

    /// The variation in words, such as `wake_ps halved`.
    pub fn words(&self) -> String {
        format!("{} {}", self.cost, how(self.doubled))
    }
}

fn how(doubled: bool) -> &'static str {
    if doubled { "doubled" } else { "halved" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ttd_search::cores::CostModel;

    #[test]
    fn only_a_simulation_can_be_varied() {
        assert!(Variation::all(&Experiment::default()).is_empty());
        let simulated = Experiment { costs: Some(Costs::default()), ..Experiment::default() };
        let all = Variation::all(&simulated);
        let of = |words: &str| all.iter().find(|v| v.words() == words).expect("it costs something");
        let halved = of("split_ps halved");
        let cost = |v: &Variation| v.experiment.costs.as_ref().expect("virtual").common.split_ps;
        assert_eq!(2 * cost(halved), CostModel::default().split_ps);
        assert_eq!(cost(of("split_ps doubled")), 2 * CostModel::default().split_ps);
        assert!(halved.dir(Path::new("x")).ends_with("sensitivity/split_ps-halved"));
    }
}
