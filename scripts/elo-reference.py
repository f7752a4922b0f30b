#!/usr/bin/env python3
"""Prints the values that tests of crates/ttd-stats/src/elo compare with where no example is published.

Every one is found by SciPy's general optimisers from the definition, by another way than ttd's own.
Needs numpy and scipy (pip install scipy).
"""

import numpy as np
from scipy.optimize import brentq, minimize, minimize_scalar
from scipy.stats import norm

ELO_PER_NAT = 400 / np.log(10)
Z = 1.959963984540054


def log_likelihood_ratio(counts, elos, normalised):
    """The generalised ratio: two constrained maximisations."""
    counts = np.array([count or 1e-3 for count in counts])
    shares = counts / counts.sum()
    scores = np.linspace(0, 1, len(counts))
    games = (len(counts) - 1) / 2

    def best(elo):
        def given(p):
            mean = p @ scores
            if not normalised:
                return mean - 1 / (1 + 10 ** (-elo / 400))
            t = elo / (2 * ELO_PER_NAT) * games**0.5
            return mean - 0.5 - t * np.sqrt(max(p @ (scores - mean) ** 2, 1e-18))

        found = []
        for ends in (0.2, 0.4, 0.475):
            inner = (1 - 2 * ends) / (len(counts) - 2)
            start = np.array([ends] + [inner] * (len(counts) - 2) + [ends])
            result = minimize(
                lambda p: -(shares @ np.log(np.maximum(p, 1e-15))),
                start,
                jac=lambda p: -shares / np.maximum(p, 1e-15),
                constraints=[
                    {"type": "eq", "fun": given},
                    {"type": "eq", "fun": lambda p: p.sum() - 1},
                ],
                bounds=[(1e-12, 1)] * len(counts),
                method="SLSQP",
                options={"maxiter": 2000, "ftol": 1e-16},
            )
            if abs(given(result.x)) < 1e-8:
                found.append(-result.fun)
        return max(found)

    return counts.sum() * (best(elos[1]) - best(elos[0]))


def profile_intervals(counts):
    """The least and greatest Elo and normalised Elo of all distributions whose log-likelihood is within half of the 95%
    quantile of chi-squared: a constrained search from many starts."""
    counts = np.array(counts, float)
    units, scores = counts.sum(), np.linspace(0, 1, len(counts))
    seen = counts > 0
    most = units * np.log(1 / units) + counts[seen] @ np.log(counts[seen])

    def within(p):
        return Z**2 / 2 - most + counts[seen] @ np.log(np.maximum(p[seen], 1e-300))

    def score(p):
        return p @ scores

    def steepness(p):
        """The distance in deviations is r / sqrt(1 - r^2) of this."""
        return p @ (scores - 0.5) / np.sqrt(p @ (scores - 0.5) ** 2 + 1e-300)

    def end(figure, sign):
        found = []
        rng = np.random.default_rng(1)
        for _ in range(60):
            start = 0.97 * counts / units + 0.03 * rng.dirichlet(np.ones(len(counts)))
            result = minimize(
                lambda p: -sign * figure(p),
                start,
                constraints=[{"type": "ineq", "fun": within}, {"type": "eq", "fun": lambda p: p.sum() - 1}],
                bounds=[(0, 1)] * len(counts),
                method="SLSQP",
                options={"maxiter": 2000, "ftol": 1e-15},
            )
            if within(result.x) > -1e-7 and abs(result.x.sum() - 1) < 1e-9:
                found.append(figure(result.x))
        return max(found, key=lambda value: sign * value)

    with np.errstate(divide="ignore"):
        elo = [-ELO_PER_NAT * np.log(1 / end(score, sign) - 1) for sign in (-1, 1)]
        scale = 2 * ELO_PER_NAT / np.sqrt((len(counts) - 1) / 2)
        normalised = [scale * r / np.sqrt(1 - r**2) for r in (end(steepness, -1), end(steepness, 1))]
    los = norm.cdf(signed_root(counts, scores, seen))
    print(f"profile {counts.astype(int).tolist()}: Elo {elo[0]:.4f} to {elo[1]:.4f}, "
          f"normalised {normalised[0]:.4f} to {normalised[1]:.4f}, los {los:.8f}")


def signed_root(counts, scores, seen):
    """Of twice what is lost by a mean score of a half: the maximum over the multiplier."""
    v = (scores - 0.5)[seen]
    gain = lambda x: -counts[seen] @ np.log(np.maximum(1 + x * v, 1e-300))
    best = minimize_scalar(gain, bounds=(-2, 2), method="bounded", options={"xatol": 1e-13})
    return np.sign(counts @ (scores - 0.5)) * np.sqrt(max(-2 * best.fun, 0))


def regression(rows, virtual, coefficients):
    """Rows are (terms, offset, counts); virtual ones (terms, points of two). The covariance is the sandwich over single
    units, with the correction of Morel, Bokossa and Neerchal (2003)."""
    def parts(counts):
        games = (len(counts) - 1) / 2
        points = np.arange(len(counts)) / 2
        return games, points, np.array(counts, float)

    def expected(terms, offset, b):
        return 1 / (1 + np.exp(-(np.dot(terms, b) + offset)))

    def loss(b):
        total = 0.0
        for terms, offset, counts in rows:
            games, points, n = parts(counts)
            e = expected(terms, offset, b)
            total -= n @ points * np.log(e) + n @ (games - points) * np.log(1 - e)
        for terms, points in virtual:
            e = expected(terms, 0.0, b)
            total -= points * np.log(e) + (2 - points) * np.log(1 - e)
        return total

    b = minimize(loss, np.zeros(coefficients), method="Nelder-Mead",
                 options={"xatol": 1e-11, "fatol": 1e-13, "maxiter": 100000}).x
    information = np.zeros((coefficients, coefficients))
    scores = []
    for terms, offset, counts in rows:
        games, points, n = parts(counts)
        e = expected(terms, offset, b)
        information += n.sum() * games * e * (1 - e) * np.outer(terms, terms)
        for of_unit, count in zip(points, counts):
            scores += [(of_unit - games * e) * np.array(terms, float)] * count
    for terms, points in virtual:
        e = expected(terms, 0.0, b)
        information += 2 * e * (1 - e) * np.outer(terms, terms)
        scores.append((points - 2 * e) * np.array(terms, float))
    bread = np.linalg.inv(information)
    meat = sum(np.outer(score, score) for score in scores)
    m, k = len(scores), coefficients
    d = k / (m - k) if m > 3 * k else 0.5
    f = max(1.0, np.trace(bread @ meat) / k)
    return b, (1 + d) * bread @ meat @ bread + d * f * bread


def ratings():
    """Anchors 2700 and 2500; entries 2 and 3 are rated."""
    known = np.array([100.0, -100.0]) / ELO_PER_NAT
    rows = [
        ([-1, 0], known[0], [9, 3, 5]),
        ([1, 0], -known[1], [1, 2, 6, 3, 2]),
        ([-1, 1], 0.0, [1, 1, 9]),
    ]
    b, covariance = regression(rows, [], 2)
    half = Z * ELO_PER_NAT * np.sqrt(np.diag(covariance))
    for rating, width in zip(2600 + ELO_PER_NAT * b, half):
        print(f"rating {rating:.4f} +/- {width:.4f}")


def unequal_ratings():
    """One anchor, and two entries whose pairs against it are spread little and much."""
    rows = [([1, 0], 0.0, [0, 3, 24, 3, 0]), ([0, 1], 0.0, [12, 2, 2, 2, 12])]
    b, covariance = regression(rows, [], 2)
    half = Z * ELO_PER_NAT * np.sqrt(np.diag(covariance))
    for rating, width in zip(ELO_PER_NAT * b, half):
        print(f"unequal {rating:.4f} +/- {width:.4f}")


def effective_speedup():
    """Guess 4; pairs at factors 2, 8 and 4."""
    played = [(-1.0, [3, 5, 8, 2, 0]), (1.0, [0, 3, 7, 6, 2]), (0.0, [1, 4, 9, 4, 1])]
    rows = [([1, x], 0.0, counts) for x, counts in played]
    b, v = regression(rows, [([1, 3.0], 1.5), ([1, -3.0], 0.5)], 2)

    def outside(x):
        return (b[0] + b[1] * x) ** 2 - Z**2 * (v[0, 0] + 2 * x * v[0, 1] + x * x * v[1, 1])

    centre = -b[0] / b[1]
    ends = [brentq(outside, centre, centre + 50), brentq(outside, centre - 50, centre)]
    print(f"factor {4 * 2**centre:.6f} in {4 * 2**ends[1]:.6f} .. {4 * 2**ends[0]:.6f},"
          f" {b[1] * ELO_PER_NAT:.4f} Elo a doubling")


print(f"llr {log_likelihood_ratio([0, 0, 0, 0, 104], [0, 5], True):.6f}")
print(f"llr {log_likelihood_ratio([0, 0, 20, 0, 0], [0, 5], False):.6f}")
print(f"llr {log_likelihood_ratio([3, 9, 30, 14, 0], [-10, 30], True):.6f}")
print(f"llr {log_likelihood_ratio([3, 9, 30, 14, 0], [-10, 30], False):.6f}")
for pairs in ([0, 0, 0, 0, 15], [0, 0, 0, 4, 11], [0, 0, 12, 0, 0], [0, 0, 0, 15, 0], [13, 37, 50, 25, 3], [1, 0, 0, 5, 4],
              [0, 1, 9, 30, 0], [34, 0, 356]):
    profile_intervals(pairs)
ratings()
unequal_ratings()
effective_speedup()
