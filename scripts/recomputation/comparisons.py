"""The table comparisons.csv."""

import itertools
import math

import numpy as np
from scipy import stats

from arrays import geometric_mean, median, ratio
from intervals import interval, over_positions, runs_level
from values import yes


def compared_pairs(sweep):
    """formats-derived.md, "comparisons.csv", its head."""
    several = sweep.experiment["searchers"] + sweep.engines
    reference = sweep.experiment.get("reference", sweep.competitors[0]) if sweep.variants else None
    if len(several) <= 9:
        found = list(itertools.combinations(several, 2))
    else:
        first = reference or next(name for name in several if any(n > 1 for other, n in sweep.rows if other == name))
        found = [(name, first) for name in several if name != first]
    return found + [(name, reference) for name in sweep.variants if name != reference]


def signed_rank_test(differences):
    """Wilcoxon's two-sided p, Pratt's treatment of zeros: (p, whether the positive ranks are the greater sum).

    Infinite differences, of censored samples, are the greatest of all but no ties (found from the figures).
    """
    infinite = np.isinf(differences)
    differences = np.where(infinite, np.sign(differences) * (1e6 + np.cumsum(infinite)), differences)
    ranks = stats.rankdata(np.abs(differences))
    used = differences != 0
    weights, total = ranks[used], ranks[used & (differences > 0)].sum()
    if not used.any():
        return 1.0, False
    mean = weights.sum() / 2
    if used.sum() > 50:
        p = 2 * stats.norm.sf(abs(total - mean) / math.sqrt((weights**2).sum() / 4))
    else:
        # Doubled ranks are whole numbers; `ways` has the number of choices of signs for each sum of them.
        ways = np.array([1.0])
        for rank in np.round(2 * weights).astype(int):
            ways = np.append(ways, np.zeros(rank)) + np.append(np.zeros(rank), ways)
        place = int(round(2 * total))
        p = 2 * min(ways[: place + 1].sum(), ways[place:].sum()) / ways.sum()
    return min(1.0, p), total > mean


def test_of_ratios(ratios):
    """The ends of p over all that the censored samples may have been, and whether `searcher` is faster at each end."""
    with np.errstate(divide="ignore"):
        tests = [signed_rank_test(np.log(end)) for end in ratios]
    p = sorted(p for p, _ in tests)
    if tests[0][1] != tests[1][1] and not np.array_equal(*ratios):
        p[1] = 1.0
    return np.array(p), [faster for _, faster in tests]


def holm(values):
    adjusted, greatest = [0.0] * len(values), 0.0
    for place, index in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        greatest = max(greatest, min(1.0, (len(values) - place) * values[index]))
        adjusted[index] = greatest
    return adjusted


def comparisons(sweep):
    rows = []
    for (searcher, other), threads in itertools.product(compared_pairs(sweep), sorted({n for _, n in sweep.rows})):
        positions = [p for p in sweep.positions if sweep.cell(searcher, threads, p) and sweep.cell(other, threads, p)]
        if positions:
            rows.append(comparison(sweep, searcher, other, threads, positions))
    tested = [row for row in rows if row["p"] is not None]
    adjusted = [holm([row["p"][end] for row in tested]) for end in (0, 1)]
    for index, row in enumerate(tested):
        row["p_holm"] = adjusted[0][index], adjusted[1][index]
    for row in rows:
        row["family"] = len(tested) if row["p"] is not None else None
        row["verdict"] = verdict(row)
    return rows


def verdict(row):
    if row["positions"] < 6:
        return "too few positions"
    if row["p_holm"][1] <= 0.05:
        return "faster" if row["_faster"][0] else "slower"
    return "no difference seen" if row["p_holm"][0] > 0.05 else "open"


def comparison(sweep, searcher, other, threads, positions):
    ones = [sweep.cell(searcher, threads, position) for position in positions]
    others = [sweep.cell(other, threads, position) for position in positions]
    ratios = np.stack([ratio(b.median, a.median) for a, b in zip(ones, others)], -1)
    row = {"searcher": searcher, "other": other, "threads": threads, "oversubscribed": yes(sweep.is_oversubscribed(threads))}
    row |= {"positions": len(positions), "ahead": int((ratios[0] > 1).sum()), "behind": int((ratios[1] < 1).sum())}
    row["equal"] = int((ratios == 1).all(axis=0).sum())
    row["times_as_fast"] = geometric_mean(ratios)
    with np.errstate(divide="ignore"):
        row["median_times_as_fast"] = np.exp(median(np.log(ratios)))
    runs = None
    if sweep.has_runs_interval(ones + others):
        runs = geometric_mean(np.stack([ratio(b.replicates(), a.replicates()) for a, b in zip(ones, others)], -1))
    row |= interval("times_as_fast", "runs", runs, runs_level(ones + others))
    row |= over_positions("times_as_fast", ratios)
    row["p"], row["_faster"] = test_of_ratios(ratios) if len(positions) >= 6 else (None, None)
    return row
