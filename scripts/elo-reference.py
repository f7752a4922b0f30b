#!/usr/bin/env python3
"""Prints the values that tests of crates/ttd-stats/src/elo compare with where no example is published.

Every one is found by SciPy's general optimisers from the definition, by another way than ttd's own.
Needs numpy and scipy (pip install scipy).
"""

import numpy as np
from scipy.optimize import brentq, minimize

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


def regression(rows, virtual, coefficients):
    """Rows are (terms, offset, counts); virtual ones (terms, points of two)."""
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
    pearson, units = 1.0, 1.0 - coefficients
    for terms, offset, counts in rows:
        games, points, n = parts(counts)
        e = expected(terms, offset, b)
        information += n.sum() * games * e * (1 - e) * np.outer(terms, terms)
        pearson += n @ (points - games * e) ** 2 / (games * e * (1 - e))
        units += n.sum()
    for terms, _ in virtual:
        e = expected(terms, 0.0, b)
        information += 2 * e * (1 - e) * np.outer(terms, terms)
    return b, pearson / max(units, 1.0) * np.linalg.inv(information)


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
ratings()
effective_speedup()
