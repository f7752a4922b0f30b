"""Values that a cell may have, and their comparison; the intervals over runs and over positions among them."""

import functools
import math

import numpy as np
from scipy import stats

from arrays import geometric_mean, quantile

THEIR_REPLICATES = 2000
STANDARD_ERRORS = 4
TOLERANCE = 1e-9
REPLICATES = 20000
# statistics.md, "Two intervals": the upper end over runs of a single position.
PLAIN_LEVEL = 0.975
RANDOM = np.random.default_rng(20240607)


@functools.cache
def expected_below(level, count):
    """The least and the greatest likely number, of so many replicates, below the program's quantile at this level."""
    rank = level * (THEIR_REPLICATES - 1) + 1
    tail = stats.norm.sf(STANDARD_ERRORS)
    chances = np.cumsum(stats.betabinom.pmf(np.arange(count + 1), count, rank, THEIR_REPLICATES + 1 - rank))
    return np.searchsorted(chances, tail), np.searchsorted(chances, 1 - tail)


class IntervalEnd:
    """An end of a bootstrap interval: the quantile of these replicates at this level."""

    def __init__(self, replicates, level):
        self.replicates, self.level = replicates, level
        self.value = quantile(replicates, level)

    def agrees(self, text):
        try:
            theirs = float(text)
        except ValueError:
            return False
        margin = 0 if math.isinf(theirs) else TOLERANCE * abs(theirs)
        below = (self.replicates < theirs - margin).sum()
        not_above = (self.replicates <= theirs + margin).sum()
        least, greatest = expected_below(self.level, len(self.replicates))
        return below <= greatest and not_above >= least

    def __str__(self):
        return f"about {float(self.value)!r}"


class ShareOfReplicates:
    """A share of replicates, such as the wins of a model."""

    def __init__(self, share, count):
        self.share, self.count = share, count

    def agrees(self, text):
        # Agresti and Coull's addition of two successes and two failures keeps the error above 0 at shares of 0 and 1.
        smooth = (self.share * self.count + 2) / (self.count + 4)
        error = math.sqrt(smooth * (1 - smooth) * (1 / THEIR_REPLICATES + 1 / self.count))
        return text != "" and abs(float(text) - self.share) <= STANDARD_ERRORS * error

    def __str__(self):
        return f"about {self.share!r}"


def near(theirs, ours):
    if math.isinf(theirs) or math.isinf(ours):
        return theirs == ours
    return math.isclose(theirs, ours, rel_tol=TOLERANCE, abs_tol=1e-15)


def agrees(text, ours):
    """Whether a cell of the program holds this value; `ours` is None for blank, and a pair for a figure left open."""
    if isinstance(ours, (IntervalEnd, ShareOfReplicates)):
        return ours.agrees(text)
    if ours is None or isinstance(ours, str):
        return text == (ours or "")
    lower, upper = ours if np.ndim(ours) else (ours, ours)
    ends = text.strip("[]").split(", ") if text.startswith("[") else [text, text]
    try:
        return near(float(ends[0]), float(lower)) and near(float(ends[1]), float(upper))
    except ValueError:
        return False


def shown(value):
    if np.ndim(value):
        lower, upper = map(float, value)
        return repr(lower) if lower == upper else f"[{lower!r}, {upper!r}]"
    return "blank" if value is None else str(value)


def yes(condition):
    return "yes" if condition else "no"


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
