"""Values that a cell may have, and their comparison; the intervals over runs and over positions among them.

Before them comes what the tables share: statistics of arrays that may hold infinite values, and pairs of ends; least squares for
many replicates at once.
"""

import functools
import math

import numpy as np
from scipy import stats

THEIR_REPLICATES = 2000
STANDARD_ERRORS = 4
TOLERANCE = 1e-9
REPLICATES = 20000
# statistics.md, "Two intervals": the upper end over runs of a single position.
PLAIN_LEVEL = 0.975
RANDOM = np.random.default_rng(20240607)


def quantile(values, level, axis=-1):
    """Hyndman and Fan's type 7 (statistics.md, "Speedups"), with infinite values allowed."""
    values = np.sort(values, axis=axis)
    place = level * (values.shape[axis] - 1)
    below = np.take(values, math.floor(place), axis=axis)
    above = np.take(values, math.ceil(place), axis=axis)
    with np.errstate(invalid="ignore"):
        between = below + (above - below) * (place - math.floor(place))
    return np.where((below == above) | np.isneginf(below), below, between)[()]


def median(values, axis=-1):
    return quantile(values, 0.5, axis)


def geometric_mean(values, axis=-1):
    with np.errstate(divide="ignore"):
        return np.exp(np.mean(np.log(values), axis=axis))


def swapped(ends):
    return np.asarray(ends)[::-1]


def ratio(numerator, denominator):
    """The ends of a ratio: the least over the greatest, and the greatest over the least."""
    with np.errstate(divide="ignore"):
        return np.asarray(numerator) / swapped(denominator)


def is_open(ends):
    return ends[0] != ends[1]


def least_squares(residuals, start, steps=200):
    """Levenberg and Marquardt's method. `residuals(parameters)` has shape (replicates, points), and its slopes one axis more."""
    parameters = np.array(start, float)
    error, slopes = residuals(parameters)
    damping = np.full(len(parameters), 1e-3)
    total = (error**2).sum(axis=1)
    for _ in range(steps):
        gradient = np.einsum("bik,bi->bk", slopes, error)
        curvature = np.einsum("bik,bil->bkl", slopes, slopes)
        diagonal = np.einsum("bkk->bk", curvature)
        eye = np.eye(parameters.shape[1])
        damped = curvature + eye * (damping[:, None] * diagonal + 1e-300)[:, None, :]
        step = -np.linalg.solve(damped, gradient[..., None])[..., 0]
        tried = parameters + step
        with np.errstate(all="ignore"):
            new_error, new_slopes = residuals(tried)
            new_total = (new_error**2).sum(axis=1)
        # A sum of squares tells half of the digits. So short steps are taken without asking it.
        short = (abs(step) <= 1e-6 * abs(parameters)).all(axis=1) & np.isfinite(new_total)
        better = (new_total <= total) | short
        parameters[better], error[better], slopes[better] = tried[better], new_error[better], new_slopes[better]
        damping = np.clip(np.where(better, damping / 10, damping * 4), 1e-12, 1e15)
        total = np.where(better, new_total, total)
        if (abs(step) <= 1e-14 * (1e-3 + abs(parameters))).all():
            break
    return parameters, total


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


class Deviation:
    """A figure that tells the standard deviation of the program's replicates of a quantity, and the value found here.

    `told(figure)` gives that deviation, and this package's replicates of the quantity.
    """

    def __init__(self, value, told):
        self.value, self.told = value, told

    def agrees(self, text):
        try:
            deviation, replicates = self.told(float(text))
        except ValueError:
            return False
        ours = replicates.std()
        return abs(deviation - ours) <= deviation_error(replicates) * ours + TOLERANCE

    def __str__(self):
        return f"about {self.value!r}"


def deviation_error(replicates):
    """How far the program's deviation may lie from that of these replicates, relative to it. Far tails widen it by their kurtosis."""
    kurtosis = np.nan_to_num(stats.kurtosis(replicates, fisher=False), nan=3)
    return STANDARD_ERRORS * math.sqrt((kurtosis - 1) / 4 * (1 / THEIR_REPLICATES + 1 / len(replicates)))


class Minimised:
    """A figure at the place of a least sum of squares. A sum of squares tells half of the digits of that place."""

    def __init__(self, figure, place):
        self.value = figure(place)
        self.values = [float(figure(place + error)) for error in (-1e-7, 0, 1e-7)]

    def agrees(self, text):
        least, greatest = min(self.values), max(self.values)
        return text != "" and least - TOLERANCE * abs(least) <= float(text) <= greatest + TOLERANCE * abs(greatest)

    def __str__(self):
        return f"about {float(self.value)!r}"


STATISTICAL = IntervalEnd, ShareOfReplicates, Deviation


def near(theirs, ours):
    if math.isinf(theirs) or math.isinf(ours):
        return theirs == ours
    return math.isclose(theirs, ours, rel_tol=TOLERANCE, abs_tol=1e-15)


def agrees(text, ours):
    """Whether a cell of the program holds this value; `ours` is None for blank, and a pair for a figure left open."""
    if isinstance(ours, (*STATISTICAL, Minimised)):
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


def shared_draws(has):
    """By row the positions drawn anew: of one sequence of draws the first ones that the row has, as many as it has.

    `has` tells by row and position whether it does.
    """
    count = has.shape[1]
    draws = drawn_positions(count)
    while any((row[draws].sum(axis=1) < row.sum()).any() for row in has):
        draws = np.concatenate([draws, drawn_positions(count)], axis=1)
    firsts = [np.argsort(~row[draws], axis=1, kind="stable")[:, : row.sum()] for row in has]
    return [np.take_along_axis(draws, first, axis=1) for first in firsts]


def over_positions(column, figures):
    """The interval over positions of a geometric mean; figures have ends and positions as their axes."""
    count = figures.shape[-1]
    if count < 2:
        return interval(column, "positions", None, None)
    return interval(column, "positions", geometric_mean(figures[:, drawn_positions(count)]), expanded_level(count))
