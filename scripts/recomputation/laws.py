"""The models over threads that fits.csv holds: their fits and their limits."""

import numpy as np

from least_squares import least_squares


def reciprocal_law(shape):
    """Laws whose N / S is a sum of constants times parameters: log S = log(start) - log(constant + columns . parameters)."""

    def log_law(parameters, threads):
        start, constant, columns = shape(threads)
        inside = constant + parameters @ columns
        slopes = -columns.T[None] / inside[..., None]
        return np.log(start) - np.log(inside), slopes

    return log_law


AMDAHL = reciprocal_law(lambda n: (np.ones_like(n), np.ones_like(n), np.array([1 / n - 1])))
USL = reciprocal_law(lambda n: (n, np.ones_like(n), np.array([n - 1, n * (n - 1)])))
USL_CONTENTION = reciprocal_law(lambda n: (n, np.ones_like(n), np.array([n - 1])))
USL_COHERENCY = reciprocal_law(lambda n: (n, np.ones_like(n), np.array([n * (n - 1)])))


def logarithmic_law(parameters, threads):
    inside = 1 + parameters @ np.log(threads)[None]
    return np.log(inside), (np.log(threads) / inside)[..., None]


def fit_law(law, start, threads, log_speedups):
    def residuals(parameters):
        fitted, slopes = law(parameters, threads)
        return fitted - log_speedups, slopes

    return least_squares(residuals, np.tile(start, (len(log_speedups), 1)))


def fit_amdahl(threads, speedups):
    return fit_law(AMDAHL, [0.5], threads, np.log(speedups))[0]


def fit_usl(threads, speedups):
    """Least squares with neither parameter negative: where the free fit is outside, the better of the two edges."""
    logs = np.log(speedups)
    free, _ = fit_law(USL, [0.05, 0.001], threads, logs)
    edges = []
    for place, law in ((0, USL_CONTENTION), (1, USL_COHERENCY)):
        edge = np.zeros_like(free)
        edge[:, place] = np.maximum(0, fit_law(law, [0.01], threads, logs)[0][:, 0])
        edges.append(edge)
    errors = [((USL(edge, threads)[0] - logs) ** 2).sum(axis=1) for edge in edges]
    edge = np.where((errors[0] <= errors[1])[:, None], *edges)
    return np.where((free >= 0).all(axis=1)[:, None], free, edge)


def fit_power(threads, speedups):
    logs = np.log(threads)
    return (np.log(speedups) @ logs / (logs @ logs))[:, None]


def fit_logarithmic(threads, speedups):
    return fit_law(logarithmic_law, [0.5], threads, np.log(speedups))[0]


def fit_line(x, y):
    slope = (y - y.mean(axis=1, keepdims=True)) @ (x - x.mean()) / ((x - x.mean()) ** 2).sum()
    return np.stack([slope, y.mean(axis=1) - slope * x.mean()], axis=1)


def amdahl_limit(p):
    with np.errstate(divide="ignore"):
        return np.where(p[:, 0] >= 1, np.inf, 1 / (1 - p[:, 0])), np.full(len(p), np.nan)


def usl_limit(p):
    """statistics.md, "Models over threads": the peak, or 1 / contention without coherency."""
    contention, coherency = p.T
    with np.errstate(all="ignore"):
        peak = np.sqrt(np.maximum(0, 1 - contention) / coherency)
        peak = np.maximum(peak, 1)
        top = peak / (1 + contention * (peak - 1) + coherency * peak * (peak - 1))
        return np.where(coherency > 0, top, 1 / contention), np.where(coherency > 0, peak, np.nan)


def unbounded_limit(p):
    """formats-derived.md, "fits.csv", `limit`: a power or logarithm that falls peaks at one thread."""
    return np.where(p[:, 0] > 0, np.inf, 1.0), np.where(p[:, 0] > 0, np.nan, 1.0)


def law_value(name, p, n):
    """Speedup at n threads, for arrays of parameters (replicates, k) and of threads (replicates,)."""
    with np.errstate(all="ignore"):
        if name == "amdahl":
            return 1 / ((1 - p[:, 0]) + p[:, 0] / n)
        if name == "usl":
            return n / (1 + p[:, 0] * (n - 1) + p[:, 1] * n * (n - 1))
        return n ** p[:, 0] if name == "power" else 1 + p[:, 0] * np.log(n)


MODELS = {
    "amdahl": (["p"], fit_amdahl, amdahl_limit),
    "usl": (["contention", "coherency"], fit_usl, usl_limit),
    "power": (["exponent"], fit_power, unbounded_limit),
    "logarithmic": (["gain"], fit_logarithmic, unbounded_limit),
    "linear-trend": (["slope", "intercept"], lambda n, s: fit_line(n, s), None),
    "logarithmic-trend": (["slope", "intercept"], lambda n, s: fit_line(np.log(n), s), None),
}
