#!/usr/bin/env python3
"""Prints the values that tests of crates/ttd-stats/src compare with: spreads, models, selection, drift, steps, normality, trends, agreement, bootstraps, assays.

Every one is found by SciPy or numpy from the definition, by another way than ttd's own.
Needs numpy and scipy (pip install scipy).
"""

from decimal import Decimal, getcontext
from itertools import combinations

import numpy as np
from scipy import special, stats
from scipy.optimize import brentq, least_squares, minimize_scalar, root

THREADS = np.array([2, 4, 8, 16, 32, 64], float)
SPEEDUPS = np.array([1.93, 3.52, 6.1, 9.2, 12.1, 12.9])

MODELS = {
    "amdahl": (lambda n, p: 1 / ((1 - p[0]) + p[0] / n), [0.9], ([-np.inf], [np.inf])),
    "usl": (lambda n, p: n / (1 + p[0] * (n - 1) + p[1] * n * (n - 1)), [0.05, 0.001], ([0, 0], [np.inf, np.inf])),
    "power": (lambda n, p: n ** p[0], [0.7], ([-np.inf], [np.inf])),
    "logarithmic": (lambda n, p: 1 + p[0] * np.log(n), [1.0], ([-np.inf], [np.inf])),
}


def models():
    criteria = {}
    for name, (model, start, bounds) in MODELS.items():
        fit = least_squares(
            lambda p: np.log(model(THREADS, p)) - np.log(SPEEDUPS),
            start, bounds=bounds, x_scale="jac", jac="3-point",
            ftol=1e-15, xtol=1e-15, gtol=1e-15, max_nfev=10000)
        # A sum of squares tells half of the digits; where its slope is 0 tells the others.
        def slope(p):
            step = 1e-30
            columns = [np.log(model(THREADS, p + 1j * step * e)).imag / step for e in np.eye(len(p))]
            return np.array(columns) @ (np.log(model(THREADS, p)) - np.log(SPEEDUPS))
        fit.x = root(slope, fit.x, tol=1e-15).x
        fit.fun = np.log(model(THREADS, fit.x)) - np.log(SPEEDUPS)
        n, k = len(THREADS), len(start) + 1
        # From the likelihood of normal residuals, without its constants that all models share.
        sigma = np.sqrt(np.mean(fit.fun**2))
        likelihood = stats.norm.logpdf(fit.fun, scale=sigma).sum()
        constant = n * (np.log(2 * np.pi) + 1)
        criteria[name] = -2 * likelihood - constant + 2 * k + 2 * k * (k + 1) / (n - k - 1)
        r_squared = 1 - np.sum(fit.fun**2) / np.sum((np.log(SPEEDUPS) - np.mean(np.log(SPEEDUPS)))**2)
        print(name, *(f"{p:.15g}" for p in fit.x), f"aicc {criteria[name]:.12g} R2 {r_squared:.12g}")
        if name == "usl":
            peak = minimize_scalar(lambda n: -model(n, fit.x), bounds=(1, 1000), method="bounded", options={"xatol": 1e-10})
            print(f"  peak at {peak.x:.9g}: {-peak.fun:.12g}")
        for share in (0.5, 0.25, 0.1):
            counts = np.arange(1, 100001, dtype=float)
            gains = model(counts + 1, fit.x) - model(counts, fit.x)
            print(f"  enough at {share}:", int(counts[np.argmax(gains < share)]))
    least = min(criteria.values())
    likelihoods = {name: np.exp((least - c) / 2) for name, c in criteria.items()}
    for name, likelihood in likelihoods.items():
        print(f"weight {name} {likelihood / sum(likelihoods.values()):.12g}")


def edges_of_usl():
    """Speedups whose best contention or coherency is 0: where the slope by the other is 0, with 40 digits."""
    getcontext().prec = 40
    counts = [2, 4, 8, 16, 32]
    for name, weight, speedups in (
            ("contention", lambda n: n - 1, ["1.95", "3.4", "6.6", "10.5", "18"]),
            ("coherency", lambda n: n * (n - 1), ["2.1", "4.3", "8.2", "12.5", "15.9"])):
        def slope(x):
            error = lambda n, s: (Decimal(s) / n).ln() + (1 + x * weight(n)).ln()
            return sum(error(n, s) * weight(n) / (1 + x * weight(n)) for n, s in zip(counts, speedups))
        below, above = Decimal("1e-6"), Decimal("0.5")
        while above - below > Decimal("1e-30"):
            middle = (below + above) / 2
            below, above = (middle, above) if slope(middle) < 0 else (below, middle)
        print(f"usl with {name} only {below:.17}")


WORK_SPAN_CASES = {
    # Runs for the model T = a W/N + b C. By whom their times were made: a, b, the spread of the noise.
    "BOTH": (1.05, 1.5, 0.15),
    "NO_PATH": (1.0, -0.4, 0.05),
    "NO_WORK": (-0.4, 1.0, 0.05),
}


def work_span_rows(a, b, spread, seed):
    rng = np.random.default_rng(seed)
    work = np.exp(rng.normal(0.0, 1.0, 12))
    threads = np.array([2, 4, 8, 16] * 3)
    path = work / np.exp(rng.uniform(1.2, 3.0, 12))
    time = np.maximum(a * work / threads + b * path, 0.05 * work / threads)
    time *= np.exp(rng.normal(0.0, spread, 12))
    return np.round(np.stack([time, work / threads, path], axis=1), 6)


def work_span_fitted(table):
    """What least squares on log T finds with neither coefficient negative.

    Where a coefficient is 0 the other one has a closed form: the mean of log T - log W/N, or of log T - log C.
    """
    time, share, path = table.T
    residuals = lambda c: np.log(time) - np.log(c[0] * share + c[1] * path)
    best = None
    for start in ([1.0, 1.0], [0.2, 3.0], [3.0, 0.2]):
        found = least_squares(residuals, start, bounds=(0.0, np.inf), xtol=1e-15, ftol=1e-15, gtol=1e-15, max_nfev=20000)
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


def work_span():
    """The model of work and critical path: for each case its rows (T, W/N, C) and the fit."""
    for number, (name, made) in enumerate(WORK_SPAN_CASES.items()):
        table = work_span_rows(*made, seed=number + 1)
        print(f"const {name}: [[f64; 3]; {len(table)}] = [")
        for row in table:
            print("    [" + ", ".join(repr(float(x)) for x in row) + "],")
        print("];")
        print("// a, b, R squared, error:", [repr(float(x)) for x in work_span_fitted(table)])


def trends():
    """Straight lines over all N, one thread among them."""
    threads, speedups = np.append(1, THREADS), np.append(1, SPEEDUPS)
    for name, x in (("linear", threads), ("logarithmic", np.log(threads))):
        line = stats.linregress(x, speedups)
        print(f"{name} trend slope {line.slope:.15g} intercept {line.intercept:.15g} R2 {line.rvalue**2:.12g}")


def alike():
    """A correlation; how many pairs of moves are equal."""
    i = np.arange(12)
    one, other = np.sin(3 * i) + 0.1 * i, np.sin(3 * i + 0.4) + 0.12 * i
    r = stats.pearsonr(one, other).statistic
    print(f"correlation {r:.15g}")
    these, those = i**2 % 5, 3 * i % 4
    between = np.mean([a == b for a in these for b in those])
    within = np.mean([a == b for a, b in combinations(these, 2)])
    print(f"agreement between {between:.15g} within {within:.15g}")


def shrunk(variances, degrees):
    """Smyth's moderated variances: s0 and d0 by the moments of the logarithms."""
    variances = np.maximum(variances, 1e-6 * np.mean(variances))
    e = np.log(variances) - special.digamma(degrees / 2) + np.log(degrees / 2)
    excess = np.var(e, ddof=1) - special.polygamma(1, degrees / 2)
    if excess <= 0:
        return np.full(len(variances), np.exp(np.mean(e)))
    half = brentq(lambda x: special.polygamma(1, x) - excess, 1e-5, 1e6, xtol=1e-16, rtol=1e-15)
    prior = np.exp(np.mean(e) + special.digamma(half) - np.log(half))
    return (2 * half * prior + degrees * variances) / (2 * half + degrees)


def drift():
    """Twelve cells of five rounds, from a formula that the test has too."""
    cells = np.array([[(1 + i) * np.exp(0.02 * j + 0.1 * np.sin(7 * i + 3 * j)) for j in range(5)] for i in range(12)])
    ranks = stats.rankdata(cells, axis=1)
    result = stats.page_trend_test(ranks, ranked=True, method="asymptotic")
    p = 2 * min(result.pvalue, 1 - result.pvalue)
    z = stats.norm.isf(result.pvalue)
    slopes, residuals = zip(*((fit[0][0], fit[1][0] / 3) for fit in
                              (np.polyfit(np.arange(5), np.log(times), 1, full=True)[:2] for times in cells)))
    slope = np.average(slopes, weights=1 / shrunk(np.array(residuals), 3))
    print(f"drift L {result.statistic:.12g} z {z:.12g} p {p:.12g} change {np.expm1(4 * slope):.12g}")
    print("trigamma of 20", f"{special.polygamma(1, 20):.15g}")
    found = shrunk(np.exp(3 * np.sin(5 * np.arange(12)) - 4), 3)
    print("shrunk variances", *(f"{i} {found[i]:.12g}" for i in (0, 1, 11)))


def steps():
    """Five cells in six rounds, with a step behind the twelfth run, from a formula that the test has too."""
    runs = []
    for i in range(5):
        for j in range(6):
            place = 5 * j + (3 * i + j) % 5
            runs.append((place, i, np.log(1 + i) + 0.02 * np.sin(7 * i + 3 * j) + (0.015 if place >= 12 else 0)))
    _, cells, logarithms = (np.array(column) for column in zip(*sorted(runs)))
    residuals = logarithms.copy()
    for i in range(5):
        residuals[cells == i] -= np.mean(logarithms[cells == i])
    sums = np.abs(np.cumsum(residuals)[:-1])
    at = np.argmax(sums)
    late = np.arange(len(residuals)) > at
    # A mean for every cell, and one rise behind the step.
    columns = np.column_stack([late] + [cells == i for i in range(5)]).astype(float)
    rise = np.linalg.lstsq(columns, logarithms, rcond=None)[0][0]
    generator, count = np.random.default_rng(7), 100_000
    permuted = np.empty((count, len(residuals)))
    for i in range(5):
        permuted[:, cells == i] = generator.permuted(np.tile(residuals[cells == i], (count, 1)), axis=1)
    p = np.mean(np.abs(np.cumsum(permuted, axis=1)[:, :-1]).max(axis=1) >= sums[at] * (1 - 1e-9))
    print(f"step behind {at}: {-rise * late.mean():.12g} {rise * (1 - late.mean()):.12g} sum {sums[at]:.12g} p {p:.4f}")


def false_discovery():
    for p in ([0.01, 0.04, 0.03, 0.005], [0.5, 0.02, 0.02, 0.9, 1e-9, 0.04], [0.6, 0.7, 0.8], [0.3]):
        print("Benjamini and Hochberg", *(f"{q:.12g}" for q in stats.false_discovery_control(p)))


def normality():
    """Values without an order, and the same with a long tail above."""
    for n in (3, 4, 5, 8, 11, 12, 15, 50, 500, 5000):
        i = np.arange(n)
        plain = np.sin(7 * i + 0.5 * i * i)
        for name, values in (("plain", plain), ("tailed", np.exp(plain))):
            w, p = stats.shapiro(values)
            print(f"Shapiro and Wilk, {n} {name}: W {w:.11g} p {p:.11g} skewness {stats.skew(values):.11g}")


def depth_trend():
    """Eight positions at depths 9 to 16."""
    depths = np.arange(9, 17)
    slopes = []
    for i in range(8):
        speedups = 1.5 * np.exp(0.01 * depths + 0.05 * np.sin(5 * i + 2 * depths) + 0.002 * i * depths)
        slopes.append(stats.linregress(depths, np.log(speedups)).slope)
    mean = np.mean(slopes)
    low, high = stats.t.interval(0.95, len(slopes) - 1, mean, stats.sem(slopes))
    p = stats.ttest_1samp(slopes, 0).pvalue
    print(f"depth trend {mean:.12g} in {low:.12g} .. {high:.12g} p {p:.12g}")


def spreads():
    """Twelve speedups: how they spread, Tukey's fences, and the ranks between which the median of so many lies."""
    values = np.array([1.62, 1.71, 1.55, 1.8, 1.66, 1.74, 4.9, 1.69, 1.58, 0.41, 1.77, 1.7])
    print(f"sd {np.std(values, ddof=1):.15g} about the median {np.sqrt(np.mean((values - np.median(values))**2)):.15g}"
          f" mad {stats.median_abs_deviation(values):.15g} geometric mean {stats.gmean(values):.15g} skewness {stats.skew(values):.15g}")
    print("quantiles", *(f"{np.percentile(values, q):.15g}" for q in (0, 25, 50, 75, 100)))
    low, high = stats.t.interval(0.95, len(values) - 1, np.mean(values), stats.sem(values))
    print(f"mean {np.mean(values):.15g} in {low:.15g} .. {high:.15g}")
    for n in (6, 7, 10, 20, 50, 101):
        # The greatest rank that leaves no more than 2.5% below, by the binomial distribution.
        rank = max(k for k in range(n // 2) if stats.binom.cdf(k, n, 0.5) <= 0.025)
        print(f"the median of {n} lies between ranks {rank} and {n - 1 - rank}")
    logarithms = np.log(values)
    q1, q3 = np.percentile(logarithms, [25, 75])
    reach = 1.5 * (q3 - q1)
    beyond = values[(logarithms < q1 - reach) | (logarithms > q3 + reach)]
    print("beyond the fences", beyond, f"variation {stats.variation(values, ddof=1):.12g}")


def bootstraps():
    """Both intervals of a small sweep, by 200,000 replicates; eight positions, seven runs, one thread and four."""
    i, j = np.meshgrid(np.arange(8), np.arange(7), indexing="ij")
    base = (1 + i) * np.exp(0.15 * np.sin(7 * i + 3 * j))
    cells = (1 + i) / (1.5 + 0.2 * i) * np.exp(0.15 * np.sin(5 * i + 2 * j + 1))
    generator = np.random.default_rng(5)
    figures = {
        "median": lambda base, cells: np.median(base / cells, axis=1),
        "geometric mean": lambda base, cells: stats.gmean(base / cells, axis=1),
        "total": lambda base, cells: base.sum(axis=1) / cells.sum(axis=1),
        "p": lambda base, cells: (1 - 1 / np.median(base / cells, axis=1)) / (1 - 1 / 4),
    }

    def runs(times, rounds):
        """The medians of all positions, with one draw of rounds for all of them."""
        return np.median(times[:, rounds], axis=2).T

    by_runs, by_positions = {name: [] for name in figures}, {name: [] for name in figures}
    medians = [np.median(times, axis=1) for times in (base, cells)]
    for _ in range(20):
        rounds = generator.integers(0, 7, (10_000, 7))
        drawn = [runs(times, rounds) for times in (base, cells)]
        picked = generator.integers(0, 8, (10_000, 8))
        for name, figure in figures.items():
            by_runs[name].append(figure(*drawn))
            by_positions[name].append(figure(*(times[picked] for times in medians)))
    few_rounds = stats.norm.sf(stats.norm.ppf(0.975) * np.sqrt(7 / 6))
    few_positions = stats.norm.sf(stats.t.ppf(0.975, 7) * np.sqrt(8 / 7))
    for name in figures:
        both = ((by_runs, few_rounds), (by_positions, few_positions))
        ends = [np.quantile(np.concatenate(of[name]), [tail, 1 - tail]) for of, tail in both]
        print(f"bootstrap {name}", *(f"{end:.5f}" for pair in ends for end in pair))


def expanded():
    """What to ask of a percentile interval for one at 95%, by the number of values."""
    for n in (2, 3, 6, 10, 24, 200):
        deviations = stats.t.ppf(0.975, n - 1) * np.sqrt(n / (n - 1))
        print(f"expanded {n} beyond {2 * stats.norm.sf(deviations):.12g}")


def fieller():
    """The ends of Fieller's set, as zeros of the test itself."""
    variances = (0.09, -0.02, 0.16)

    def test(numerator, denominator, deviations=1.96):
        above, both, below = variances
        return lambda m: (numerator - m * denominator) ** 2 - deviations**2 * (above - 2 * m * both + m * m * below)

    grid = np.linspace(-30, 30, 6001)
    for numerator, denominator in [(1.2, -4.5), (1.2, -0.5), (0.1, -0.5)]:
        of = test(numerator, denominator)
        changes = np.nonzero(np.diff(np.sign(of(grid))))[0]
        ends = [brentq(of, grid[at], grid[at + 1], xtol=1e-15) for at in changes]
        print("fieller", numerator, denominator, *(f"{end:.12f}" for end in ends), "0 is out" if of(0.0) > 0 else "0 is in")
    m = -1.2 / 4.5
    print(f"  error {np.sqrt(variances[0] - 2 * m * variances[1] + m * m * variances[2]) / 4.5:.12f}")


def assay():
    """A parallel-line assay by a linear model with a dummy variable; variances by the infinitesimal jackknife."""
    position, depth = np.arange(40.0)[:, None], np.arange(5.0)[None, :]
    base = (0.3 * np.sin(position) + 0.65 * depth - 6, 20 - 3 * depth + 8 * np.sin(1.7 * position + 0.9 * depth))
    times = base[0] - 0.8 + 0.1 * np.cos(2 * position + depth)
    cell = (times, 21 - 3.1 * depth + 8 * np.sin(1.7 * position + 1.3 * depth))

    def lines(weights):
        mean = lambda of: weights @ of / weights.sum()
        (xb, yb), (xc, yc) = map(mean, base), map(mean, cell)
        ones = np.ones(5)
        design = np.vstack([np.r_[ones, 0 * ones], np.r_[0 * ones, ones], np.r_[xb, xc]]).T
        first, second, slope = np.linalg.lstsq(design, np.r_[yb, yc], rcond=None)[0]
        own = [np.polyfit(x, y, 1)[0] for x, y in [(xb, yb), (xc, yc)]]
        apart = np.mean(xb - xc)
        return np.array([second - first, slope, apart, second - first - apart * slope, *own])

    n = len(position)
    found = lines(np.ones(n))
    step = 1e-5
    influence = np.array([(lines(np.ones(n) + step * e) - lines(np.ones(n) - step * e)) / (2 * step) for e in np.eye(n)])
    variances = n / (n - 1) * influence.T @ influence
    t = stats.t.ppf(0.975, n - 1)
    for name, above, below in [("equal", 0, 1), ("quality", 3, 1), ("slopes", 5, 4)]:
        a = found[below] ** 2 - t**2 * variances[below, below]
        b = found[above] * found[below] - t**2 * variances[above, below]
        c = found[above] ** 2 - t**2 * variances[above, above]
        reach = np.sqrt(b * b - a * c)
        of = [found[above] / found[below], (b - reach) / a, (b + reach) / a]
        print("assay", name, *(f"{x:.12g}" for x in (of if name == "slopes" else np.exp(of))))
    ends = found[2] + np.array([0, -1, 1]) * t * np.sqrt(variances[2, 2])
    print("assay to depth", *(f"{x:.12g}" for x in np.exp(ends)), f"slope {found[1]:.12g}")

    x, y = [np.r_[base[of].mean(0), cell[of].mean(0)] for of in (0, 1)]
    second = np.r_[np.zeros(5), np.ones(5)]
    bent = least_squares(lambda p: p[0] + p[1] * (x + p[3] * second) + p[2] * (x + p[3] * second) ** 2 - y,
                         [0, found[1], 0, found[0] / found[1]], xtol=1e-15, ftol=1e-15, gtol=1e-15).x
    ends = x + bent[3] * second
    slopes = bent[1] + 2 * bent[2] * np.array([ends.max(), ends.min()])
    print(f"assay bent {np.exp(bent[3]):.9g} curvature {slopes[0] / slopes[1]:.9g}")


models()
edges_of_usl()
work_span()
trends()
alike()
expanded()
drift()
steps()
false_discovery()
normality()
depth_trend()
spreads()
bootstraps()
fieller()
assay()
