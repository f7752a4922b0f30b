"""The table work-span.csv: work and critical path."""

import math
from collections import defaultdict

import numpy as np

from values import RANDOM, REPLICATES, expanded_level, geometric_mean, interval, least_squares


def fit_work_and_path(share, path, time, weights):
    """virtual-cores.md, "Work and critical path": T = a W/N + b C by least squares on log T, neither negative."""
    root = np.sqrt(weights)

    def residuals(parameters):
        inside = np.outer(parameters[:, 0], share) + np.outer(parameters[:, 1], path)
        slopes = np.stack([share / inside, path / inside], -1)
        return root * (np.log(inside) - np.log(time)), root[..., None] * slopes

    free, _ = least_squares(residuals, np.ones((len(weights), 2)))
    total = weights.sum(axis=1)
    only_work, only_path = (np.exp(weights @ np.log(time / x) / total) for x in (share, path))
    edges = [np.stack([only_work, 0 * only_work], 1), np.stack([0 * only_path, only_path], 1)]
    errors = [(residuals(edge)[0] ** 2).sum(axis=1) for edge in edges]
    edge = np.where((errors[0] <= errors[1])[:, None], *edges)
    return np.where((free >= 0).all(axis=1)[:, None], free, edge)


def one_step_of_newton(fitted, share, path, time, weights):
    """statistics.md, "Refits of work and path": coefficients by one step from those of the measured runs, and which steps are long."""
    scale = geometric_mean(share / path)
    p = fitted[0] / (fitted[0] + fitted[1] / scale)
    model = p * share + (1 - p) * scale * path
    error, slope = np.log(time / model), (share - scale * path) / model
    mean = lambda figures: weights @ figures / weights.sum(axis=1)
    spread = mean(slope**2) - mean(slope) ** 2
    curvature = spread + mean(error * slope**2) - mean(error) * mean(slope**2)
    with np.errstate(all="ignore"):
        step = (mean(error * slope) - mean(error) * mean(slope)) / np.where(curvature > 0, curvature, spread)
    step = np.clip(p + step, 0, 1) - p
    factor = np.exp(mean(error) - mean(slope) * step + mean(slope**2) * step**2 / 2)
    long = ~(abs(step) * abs(slope).max() <= 0.1)
    return np.stack([factor * (p + step), factor * (1 - p - step) * scale], 1), long


def work_span_interval(kind, level, positions, fitted, share, path, time, weights):
    """Intervals of a and b: whole fits with fewer than 20 positions, and where a step is long."""
    found = fit_work_and_path(share, path, time, weights)
    if positions >= 20:
        step, long = one_step_of_newton(fitted, share, path, time, weights)
        found = np.where(long[:, None], found, step)
    return interval("a", kind, found[:, 0], level) | interval("b", kind, found[:, 1], level)


def drawn_counts(groups, size):
    """How often each run stands in each replicate. Of each cell: the places of its runs, and which of them were drawn."""
    counts = np.zeros((REPLICATES, size))
    for group, drawn in groups:
        for place, index in enumerate(group):
            counts[:, index] = (drawn == place).sum(axis=1)
        counts[np.ix_((drawn < 0).all(axis=1), group)] = 1
    return counts


def with_path(cell):
    return [row for row in cell.ok if row.get("critical_path_s")]


def work_span(sweep):
    samples = defaultdict(lambda: defaultdict(list))
    for (searcher, threads, position), cell in sweep.cells.items():
        known = with_path(cell)
        if threads > 1 and known:
            figures = [[float(row[name]) for name in ("work_s", "critical_path_s", "time_s")] for row in known]
            samples[searcher][threads, position] = np.array(figures)
    for searcher in samples:
        yield from work_span_of(sweep, searcher, samples[searcher])


def work_span_of(sweep, searcher, cells):
    keys = [key for key, figures in cells.items() for _ in figures]
    work, path, time = np.concatenate(list(cells.values())).T
    share = work / np.array([threads for threads, _ in keys])
    shared = {}
    fitted = None
    places = lambda key: sweep.cells[searcher, *key].places(with_path(sweep.cells[searcher, *key]))
    if len(keys) >= 4 and not np.allclose(share / path, (share / path)[0], rtol=1e-12):
        a, b = fitted = fit_work_and_path(share, path, time, np.ones((1, len(keys))))[0]
        error = np.log(a * share + b * path) - np.log(time)
        shared = {"a": a, "b": b, "fitted_runs": len(keys), "error": math.sqrt(np.mean(error**2))}
        shared["r_squared"] = 1 - (error**2).sum() / ((np.log(time) - np.log(time).mean()) ** 2).sum()
        shared |= work_span_intervals(keys, cells, fitted, share, path, time, places)
    for threads in sorted({threads for threads, _ in cells}):
        yield {"searcher": searcher, "threads": threads} | work_span_row(sweep, searcher, threads, cells, fitted) | shared


def work_span_intervals(keys, cells, fitted, share, path, time, places):
    row = {}
    positions = sorted({position for _, position in keys})
    runs = len(positions), fitted, share, path, time
    least = min(len(figures) for figures in cells.values())
    if least > 1:
        # statistics.md, "Two intervals": expanded as over positions, n being the least number of runs a cell.
        groups = [[place for place, key in enumerate(keys) if key == cell] for cell in cells]
        groups = [(group, places(cell)) for group, cell in zip(groups, cells)]
        row |= work_span_interval("runs", expanded_level(least), *runs, drawn_counts(groups, len(keys)))
    if len(positions) > 1:
        counts = RANDOM.multinomial(len(positions), np.ones(len(positions)) / len(positions), REPLICATES)
        weights = counts[:, [positions.index(position) for _, position in keys]].astype(float)
        row |= work_span_interval("positions", expanded_level(len(positions)), *runs, weights)
    return row


def work_span_row(sweep, searcher, threads, cells, fitted):
    here = {position: figures for (count, position), figures in cells.items() if count == threads}
    row = {"positions": len(here), "runs": sum(len(figures) for figures in here.values())}
    work, path, time = np.array([geometric_mean(figures, axis=0) for figures in here.values()]).T
    row |= {"parallelism": geometric_mean(work / path), "utilisation": geometric_mean(work / (threads * time))}
    row["path_over_time"] = geometric_mean(path / time)
    if fitted is None:
        return row
    a, b = fitted
    model = a * work / threads + b * path
    row |= {"modelled_over_time": geometric_mean(model / time), "path_share": np.mean(b * path / model)}
    bases = [sweep.base(searcher, position) for position in here]
    if all(base and not base.censored and not base.failed for base in bases):
        base_times = np.array([geometric_mean(base.times[0]) for base in bases])
        row["limit"] = geometric_mean(base_times / path) / max(b, 1)
    return row
