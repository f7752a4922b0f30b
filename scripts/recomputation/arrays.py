"""Statistics of arrays that may hold infinite values, and pairs of ends."""

import math

import numpy as np


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
