#!/usr/bin/env python3
"""The model T = a W/N + b C fitted by SciPy: the values in crates/ttd-stats/src/work_span.rs.

    scripts/work-span-reference.py

prints, for each case, its rows (T, W/N, C) and what least squares on log T finds with neither coefficient negative. Where
a coefficient is 0 the other one has a closed form: the mean of log T - log W/N, or of log T - log C.
"""

import numpy as np
from scipy.optimize import least_squares, root

CASES = {
    # By whom the times were made: a, b, the spread of the noise.
    "BOTH": (1.05, 1.5, 0.15),
    "NO_PATH": (1.0, -0.4, 0.05),
    "NO_WORK": (-0.4, 1.0, 0.05),
}


def rows(a, b, spread, seed):
    rng = np.random.default_rng(seed)
    work = np.exp(rng.normal(0.0, 1.0, 12))
    threads = np.array([2, 4, 8, 16] * 3)
    path = work / np.exp(rng.uniform(1.2, 3.0, 12))
    time = np.maximum(a * work / threads + b * path, 0.05 * work / threads)
    time *= np.exp(rng.normal(0.0, spread, 12))
    return np.round(np.stack([time, work / threads, path], axis=1), 6)


def fitted(table):
    time, share, path = table.T
    residuals = lambda c: np.log(time) - np.log(c[0] * share + c[1] * path)
    best = None
    for start in ([1.0, 1.0], [0.2, 3.0], [3.0, 0.2]):
        found = least_squares(
            residuals, start, bounds=(0.0, np.inf), xtol=1e-15, ftol=1e-15, gtol=1e-15, max_nfev=20000
        )
        if best is None or found.cost < best.cost:
            best = found
    # It stops where the squares are flat; where their gradient vanishes is sharper.
    def gradient(c):
        model = c[0] * share + c[1] * path
        errors = np.log(time) - np.log(model)
        return np.array([np.sum(errors * share / model), np.sum(errors * path / model)])

    inner = root(gradient, best.x, tol=1e-15).x
    # An interior method stops a little before an edge.
    edges = [
        (np.exp(np.mean(np.log(time) - np.log(share))), 0.0),
        (0.0, np.exp(np.mean(np.log(time) - np.log(path)))),
    ]
    candidates = [tuple(inner if min(inner) >= 0.0 else best.x)] + edges
    a, b = min(candidates, key=lambda c: np.sum(residuals(c) ** 2))
    squares = np.sum(residuals((a, b)) ** 2)
    logs = np.log(time)
    r_squared = 1.0 - squares / np.sum((logs - logs.mean()) ** 2)
    return a, b, r_squared, np.sqrt(squares / len(time))


for number, (name, made) in enumerate(CASES.items()):
    table = rows(*made, seed=number + 1)
    print(f"const {name}: [[f64; 3]; {len(table)}] = [")
    for row in table:
        print("    [" + ", ".join(repr(float(x)) for x in row) + "],")
    print("];")
    print("// a, b, R squared, error:", [repr(float(x)) for x in fitted(table)])
