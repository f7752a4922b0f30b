//! The support of the data for each of several models.
//!
//! It is told by differences of Akaike's criterion and by Akaike weights. The source is Burnham and
//! Anderson, "Model Selection and Multimodel Inference" (second edition, Springer 2002).

/// The least difference to the best model's criterion at which a model has "considerably less"
/// support (Burnham and Anderson, page 70: 4 to 7). Below, the data cannot say which of the two
/// fits better.
pub const TOLD_APART: f64 = 4.0;

/// The support of the data for a model beside others that were fitted to these points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Support {
    /// The criterion less the least one: 0 for the best model.
    pub difference: f64,
    /// The Akaike weight, 0 to 1: exp(-difference / 2), scaled so that those of all models add up
    /// to 1.
    pub weight: f64,
}

impl Support {
    /// Whether the data tell the model apart from the best one.
    pub fn is_told_apart(self) -> bool {
        self.difference >= TOLD_APART
    }
}

/// The support of each model that has a criterion; none for any if fewer than two have one.
pub fn support(criteria: &[Option<f64>]) -> Vec<Option<Support>> {
    let compared: Vec<f64> = criteria.iter().copied().flatten().collect();
    if compared.len() < 2 {
        return vec![None; criteria.len()];
    }
    let least = compared.iter().copied().fold(f64::INFINITY, f64::min);
    let likelihood = |criterion: f64| ((least - criterion) / 2.0).exp();
    let all: f64 = compared.iter().map(|criterion| likelihood(*criterion)).sum();
    let of = |criterion: f64| Support {
        difference: criterion - least,
        weight: likelihood(criterion) / all,
    };
    criteria.iter().map(|criterion| criterion.map(of)).collect()
}

/// The place of the least criterion, the first of equals; none if fewer than two models have one.
pub fn best(criteria: &[Option<f64>]) -> Option<usize> {
    let supported = support(criteria);
    supported.iter().position(|support| support.is_some_and(|s| s.difference <= 0.0))
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Exact figures are meant.
mod tests {
    use super::*;

    #[test]
    fn weights_add_up_to_one() {
        let all = support(&[Some(-10.0), None, Some(-14.0), Some(-13.0)]);
        let weights: Vec<f64> = all.iter().flatten().map(|s| s.weight).collect();
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(all[2].map(|s| s.difference), Some(0.0));
        assert!(all[0].is_some_and(Support::is_told_apart));
        assert!(!all[3].is_some_and(Support::is_told_apart) && all[1].is_none());
        assert_eq!(best(&[Some(-10.0), None, Some(-14.0), Some(-14.0)]), Some(2));
    }

    #[test]
    fn one_model_competes_with_nobody() {
        assert_eq!(support(&[None, Some(3.0)]), [None, None]);
        assert_eq!((best(&[None, Some(3.0)]), best(&[])), (None, None));
    }
}
