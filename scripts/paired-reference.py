#!/usr/bin/env python3
"""Prints the tests of crates/ttd-stats/src/wilcoxon.rs, crates/ttd-stats/src/holm.rs and crates/ttd-stats/src/ratios.rs that compare with other programs.

The signed-rank test is SciPy's (1.17): its exact distribution where there are no ties, all changes of sign where there are and the
differences are few, and its normal approximation for many. Holm's correction is written down here from its definition in
another form: the greatest of the products so far, looked up for every value anew. The intervals of ratios are numpy's, by 200,000
replicates, whose own error is a tenth of that of the 2,000 of the reports.

Needs numpy and scipy (pip install scipy).
"""

import numpy as np
from scipy.stats import PermutationMethod, norm, wilcoxon


def numbers(values):
    return ", ".join(repr(float(value)) for value in values)


def case(name, what, differences, method):
    differences = np.array(differences, float)
    arguments = {"zero_method": "pratt", "correction": False, "method": method}
    rank_sum = wilcoxon(differences, alternative="greater", **arguments).statistic
    p = wilcoxon(differences, alternative="two-sided", **arguments).pvalue
    print(f"    #[test]\n    fn {name}() {{\n        // {what}")
    print(f"        agrees(&[{numbers(differences)}], {float(rank_sum)!r}, {float(p)!r});\n    }}\n")


def drawn(seed, size, shift, digits):
    return np.round(np.random.default_rng(seed).normal(shift, 1, size), digits)


def holm(p):
    """Every product at or below the value, the greatest of them."""
    ranks = [sorted(range(len(p)), key=lambda i: (p[i], i)).index(i) for i in range(len(p))]
    product = [min(1.0, (len(p) - ranks[i]) * p[i]) for i in range(len(p))]
    return [max(product[j] for j in range(len(p)) if ranks[j] <= ranks[i]) for i in range(len(p))]


every_sign = PermutationMethod(n_resamples=np.inf)
case("agrees_without_ties", "SciPy: exact.", drawn(1, 10, 0.6, 4), "exact")
case("agrees_with_thirty", "SciPy: exact.", drawn(2, 30, 0.5, 5), "exact")
case("agrees_with_fifty", "SciPy: exact.", drawn(3, 50, -0.2, 6), "exact")
ties = [1, -1, 2, 2, 3, 3, 3, -4, 5, 6, 6, 8]
case("agrees_with_ties", "SciPy: all changes of sign.", ties, every_sign)
case("agrees_with_zeros", "SciPy: all changes of sign; Pratt's zeros.", [0, 0, 0, 1, 1, -2, 3, 3, 4, 5, 0, 7], every_sign)
case("agrees_in_the_middle", "SciPy: all changes of sign.", [-1, 1, -2, 2, 3, -3, 4], every_sign)
case("agrees_with_many", "SciPy: normal; no ties.", drawn(4, 60, 0.3, 6), "asymptotic")
case("agrees_with_many_ties", "SciPy: normal; ties, Pratt's zeros.", drawn(5, 80, 0.2, 1), "asymptotic")

for p in [[0.01, 0.04, 0.03, 0.005], [0.5, 0.02, 0.02, 0.9, 1e-9, 0.04], [0.6, 0.7, 0.8]]:
    print(f"        close(&[{numbers(p)}], &[{numbers(holm(p))}]);")


def bootstrap(name, *quotients):
    """The interval over runs of the geometric mean over positions of products of quotients of medians.

    The rows of a quotient are of one experiment: one draw of rounds serves them all."""
    generator = np.random.default_rng(11)
    replicates = 200_000
    logarithm = np.zeros(replicates)
    for above, below in quotients:
        rounds = len(above[0][0])
        picked = generator.integers(0, rounds, (replicates, rounds))
        for sign, rows in ((1, above), (-1, below)):
            for row in rows:
                for cell in row:
                    logarithm += sign * np.log(np.median(np.array(cell)[picked], axis=1))
    beyond = norm.sf(norm.ppf(0.975) * np.sqrt(rounds / (rounds - 1)))
    ends = np.quantile(np.exp(logarithm / len(quotients[0][0][0])), [beyond, 1 - beyond])
    print(f"        // {name}: {ends[0]:.5f} to {ends[1]:.5f}")


def cells(seed, scale):
    generator = np.random.default_rng(seed)
    return [np.round(scale * (p + 1) * generator.lognormal(0, 0.2, 9), 3).tolist() for p in range(4)]


one, many, other_one, other_many = cells(1, 8.0), cells(2, 4.0), cells(3, 8.0), cells(4, 3.2)
for name, row in [("one", one), ("many", many), ("other_one", other_one), ("other_many", other_many)]:
    print(f"        let {name} = row(&[{', '.join('&' + repr(cell) for cell in row)}]);")
bootstrap("one / many", ([one], [many]))
bootstrap("the ratio of speedups", ([other_one], [other_many]), ([many], [one]))
