"""Replicates, and the intervals over runs and over positions that come from them."""

import math

import numpy as np
from scipy import stats

from arrays import geometric_mean
from values import IntervalEnd

REPLICATES = 20000
# statistics.md, "Two intervals": the upper end over runs of a single position.
PLAIN_LEVEL = 0.975
RANDOM = np.random.default_rng(20240607)


def expanded_level(positions):
    """statistics.md, "Two intervals": c, the level of the upper end over positions."""
    student = stats.t.ppf(0.975, positions - 1)
    return stats.norm.cdf(math.sqrt(positions / (positions - 1)) * student)


def runs_level(cells):
    return runs_level_of(min(cell.n for cell in cells))


def runs_level_of(least):
    """statistics.md, "Two intervals": c, the level of the upper end over runs, from the least number of samples."""
    return stats.norm.cdf(math.sqrt(least / (least - 1)) * stats.norm.ppf(0.975)) if least > 1 else None


def drawn_rounds(count):
    return RANDOM.integers(0, count, (REPLICATES, count))


def interval(column, kind, replicates, level):
    """The two cells of an interval. Replicates have ends on their first axis, or are None where there is no interval."""
    names = f"{column}_ci_{kind}_lower", f"{column}_ci_{kind}_upper"
    if replicates is None:
        return dict.fromkeys(names)
    lower, upper = replicates if np.ndim(replicates) == 2 else (replicates, replicates)
    return {names[0]: IntervalEnd(lower, 1 - level), names[1]: IntervalEnd(upper, level)}


def drawn_positions(count):
    return RANDOM.integers(0, count, (REPLICATES, count))


def over_positions(column, figures):
    """The interval over positions of a geometric mean; figures have ends and positions as their axes."""
    count = figures.shape[-1]
    if count < 2:
        return interval(column, "positions", None, None)
    return interval(column, "positions", geometric_mean(figures[:, drawn_positions(count)]), expanded_level(count))
