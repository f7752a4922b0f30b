"""The table fits.csv."""

import math
import warnings

import numpy as np

from arrays import is_open, median
from intervals import drawn_positions, expanded_level, interval
from laws import MODELS, law_value
from values import ShareOfReplicates


def enough_threads(name, p, share):
    """statistics.md, "Enough threads": the least N below a million with S(N + 1) - S(N) < share, found by halving."""
    few = lambda n: law_value(name, p, n + 1) - law_value(name, p, n) < share
    lower, upper = np.zeros(len(p)), np.full(len(p), 1e6)
    for _ in range(21):
        middle = np.floor((lower + upper) / 2)
        found = few(middle) & (middle > 0)
        lower, upper = np.where(found, lower, middle), np.where(found, middle, upper)
    return np.where(upper >= 1e6, np.inf, upper)


def akaike(name, p, threads, speedups):
    """statistics.md, "The best model": AICc, the variance counted as a parameter."""
    n, k = len(threads), p.shape[1] + 1
    if n < p.shape[1] + 3:
        return None
    fitted = np.stack([law_value(name, p, np.full(len(p), count)) for count in threads], axis=1)
    squares = ((np.log(fitted) - np.log(speedups)) ** 2).sum(axis=1)
    return n * np.log(np.maximum(squares / n, 1e-12)) + 2 * k + 2 * k * (k + 1) / (n - k - 1)


def r_squared(fitted, measured):
    return 1 - ((fitted - measured) ** 2).sum() / ((measured - measured.mean()) ** 2).sum()


def fit_everything(name, p):
    """Every figure of a fit that has an interval, by column."""
    names, _, limit = MODELS[name]
    figures = {f"parameter_{place + 1}": p[:, place] for place in range(len(names))}
    if limit:
        figures["limit"], figures["limit_threads"] = limit(p)
        figures |= {f"enough_{share}": enough_threads(name, p, share / 100) for share in (50, 25, 10)}
    return figures


def median_speedup(sweep, searcher, threads):
    return median(np.stack([sweep.speedup(searcher, threads, p) for p in sweep.with_speedup(searcher, threads)], -1))


def medians_of_runs(sweep, searcher, counts, positions):
    """Replicates over runs of the median speedups, as (ends, replicates, thread counts); None where there is no interval."""
    cells = [sweep.cell(searcher, n, p) for n in counts for p in positions] + [sweep.base(searcher, p) for p in positions]
    if not sweep.has_runs_interval([cell for cell in cells if cell]):
        return None
    found = []
    for n in counts:
        here = [sweep.speedup_replicates(searcher, n, p) for p in sweep.with_speedup(searcher, n)]
        found.append(median(np.stack(here, axis=-1)))
    return np.stack(found, axis=-1)


def medians_of_positions(sweep, searcher, counts, positions):
    """Replicates over positions, likewise. A position that lacks a thread count is drawn too, and is not counted there."""
    if len(positions) < 2:
        return None
    drawn = drawn_positions(len(positions))
    found = []
    for n in counts:
        known = set(sweep.with_speedup(searcher, n))
        unknown = np.full(2, np.nan)
        here = np.stack([sweep.speedup(searcher, n, p) if p in known else unknown for p in positions], -1)[:, drawn]
        with warnings.catch_warnings(action="ignore"):
            found.append(median(here) if len(known) == len(positions) else np.nanmedian(here, axis=-1))
    return np.stack(found, axis=-1)


def fits(sweep):
    for searcher in dict.fromkeys(searcher for searcher, _ in sweep.rows):
        yield from fits_of(sweep, searcher)


def fits_of(sweep, searcher):
    counts = [n for name, n in sweep.rows if name == searcher and sweep.with_speedup(searcher, n)]
    positions = [p for p in sweep.positions if any(p in sweep.with_speedup(searcher, n) for n in counts)]
    medians = np.array([median_speedup(sweep, searcher, n) for n in counts]).reshape(-1, 2)
    replicates = {
        "runs": (medians_of_runs(sweep, searcher, counts, positions), 0.975),
        "positions": (medians_of_positions(sweep, searcher, counts, positions), expanded_level(max(2, len(positions)))),
    }
    rows, criteria, drawn_criteria = [], {}, {"runs": {}, "positions": {}}
    for name, (parameters, fit, limit) in MODELS.items():
        row = {"searcher": searcher, "model": name}
        row |= {f"parameter_{place + 1}": word for place, word in enumerate(parameters)}
        rows.append(row)
        used = [place for place, n in enumerate(counts) if n > 1 or not limit]
        row["status"] = status_of_fit(counts, medians[used], len(parameters), limit)
        if row["status"] != "ok":
            continue
        threads, measured = np.array([counts[place] for place in used], float), medians[used, 0][None]
        p = fit(threads, measured)
        row |= {"points": len(used), "measured_to": int(threads[-1])}
        for column, value in fit_everything(name, p).items():
            cell = f"{column}_value" if column.startswith("parameter") else column
            blank = np.isnan(value[0]) or (column == "limit" and np.isinf(value[0]))
            row[cell] = None if blank else float(value[0])
        row["r_squared"] = r_squared_of_fit(name, p, threads, measured)
        if limit and akaike(name, p, threads, measured) is not None:
            criteria[name] = row["aicc"] = float(akaike(name, p, threads, measured)[0])
        for kind, (drawn, level) in replicates.items():
            if drawn is not None:
                cells, drawn_criteria[kind][name] = refit(name, kind, level, threads, drawn[:, :, used])
                row |= cells
    if len(criteria) > 1:
        choose_best(rows, criteria, drawn_criteria)
    return rows


def status_of_fit(counts, medians, parameters, limit):
    """formats-derived.md, "fits.csv", `status`. Open medians are looked at first."""
    if any(is_open(ends) for ends in medians):
        return "censored"
    above_one = sum(n > 1 for n in counts)
    if len(medians) < parameters + 2 or (not limit and above_one < parameters):
        return "not enough thread counts"
    return "ok"


def refit(name, kind, level, threads, drawn):
    """Intervals of a model's figures, and its AICc in every replicate."""
    # A replicate with an open median may have any figure that there is (formats-derived.md, "fits.csv"). Nobody wins there.
    unknown = (drawn[0] != drawn[1]).any(axis=1)
    points = drawn[0][~unknown]
    p = MODELS[name][1](threads, points)
    upper = np.full(unknown.sum(), np.inf)
    row = {}
    for column, figures in fit_everything(name, p).items():
        if column != "limit_threads":
            least = 1 if column.startswith("enough") else 0 if column == "limit" or name == "usl" else -np.inf
            ends = np.array([np.append(figures, np.full(unknown.sum(), least)), np.append(figures, upper)])
            row |= interval(column, kind, ends, level)
    criterion = akaike(name, p, threads, points) if MODELS[name][2] else None
    return row, None if criterion is None else np.append(criterion, np.full(unknown.sum(), np.nan))


def r_squared_of_fit(name, p, threads, measured):
    if MODELS[name][2]:
        fitted = np.array([law_value(name, p, n)[0] for n in threads])
        return r_squared(np.log(fitted), np.log(measured[0]))
    x = threads if name == "linear-trend" else np.log(threads)
    return r_squared(p[0, 0] * x + p[0, 1], measured[0])


def choose_best(rows, criteria, drawn):
    """formats-derived.md, "fits.csv", from `aicc_difference` to `wins_positions`."""
    least = min(criteria.values())
    weights = {name: math.exp(-(value - least) / 2) for name, value in criteria.items()}
    for row in rows:
        name = row["model"]
        if name not in criteria:
            continue
        row["aicc_difference"] = criteria[name] - least
        row["akaike_weight"] = weights[name] / sum(weights.values())
        row["best"] = "yes" if criteria[name] == least else None
        for kind in ("runs", "positions"):
            if drawn[kind]:
                table = np.stack([drawn[kind][other] for other in criteria])
                won = (table.argmin(axis=0) == list(criteria).index(name)) & ~np.isnan(table).any(axis=0)
                share = np.mean(won)
                row[f"wins_{kind}"] = ShareOfReplicates(float(share), table.shape[1])
