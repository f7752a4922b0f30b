"""Statistics of arrays that may hold infinite values, and pairs of ends; least squares for many replicates at once."""

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
