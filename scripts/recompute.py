#!/usr/bin/env python3
"""Recomputes the derived CSV files of results directories of sweeps, from the measured files and the pages alone.

    scripts/recompute.py DIR...

Directories are those in which `ttd report` has been run. Formulas are those of the pages below docs/; this file was written
without a look at the program's source. Every cell of a derived file is compared with a value that is found here. A cell that
differs is printed, and the exit status is then 1. Needs numpy and scipy (pip install numpy scipy).

Kinds of cells:

exact        A number agrees within 1e-9 of itself, or within 1e-15. Blanks and words agree with themselves.
statistical  An end of a bootstrap interval, or a share of replicates. The program drew 2,000 replicates with its own random
             numbers, and this file draws REPLICATES with others. The program's end is an order statistic of its replicates. If
             both draw from one distribution, the number of this file's replicates below that end has a beta-binomial
             distribution. The number found must lie within its middle 99.994%, which are 4 standard errors to each side of a
             normal distribution. Replicates equal to the end may count as below it or above it. A share of replicates may
             differ by 4 of its standard errors.

Times that censored samples leave open are pairs of ends (lower, upper); arrays of them have the two ends on their first axis.
"""

import csv
import functools
import itertools
import math
import pathlib
import sys
import tomllib
import warnings
from collections import defaultdict

import numpy as np
from scipy import stats

THEIR_REPLICATES = 2000
REPLICATES = 4000
STANDARD_ERRORS = 4
TOLERANCE = 1e-9
RANDOM = np.random.default_rng(20240607)
STATES = ["search", "split", "lock", "wait_helpers", "wait_work", "reduce", "finished"]


# --- Values that a cell may have, and their comparison -------------------------------------------------------------------------


@functools.cache
def expected_below(level, count):
    """The least and the greatest likely number, of so many replicates, below the program's quantile at this level."""
    rank = level * (THEIR_REPLICATES - 1) + 1
    tail = stats.norm.sf(STANDARD_ERRORS)
    chances = np.cumsum(stats.betabinom.pmf(np.arange(count + 1), count, rank, THEIR_REPLICATES + 1 - rank))
    return np.searchsorted(chances, tail), np.searchsorted(chances, 1 - tail)


class IntervalEnd:
    """An end of a bootstrap interval: the quantile of these replicates at this level.

    `others` are replicates by another method. An end between the two methods agrees too.
    """

    def __init__(self, replicates, level, others=None):
        self.methods, self.level = [replicates] if others is None else [replicates, others], level
        self.value = quantile(replicates, level)

    def agrees(self, text):
        try:
            theirs = float(text)
        except ValueError:
            return False
        margin = 0 if math.isinf(theirs) else TOLERANCE * abs(theirs)
        below = min((method < theirs - margin).sum() for method in self.methods)
        not_above = max((method <= theirs + margin).sum() for method in self.methods)
        least, greatest = expected_below(self.level, len(self.methods[0]))
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


# --- Statistics of arrays that may hold infinite values ------------------------------------------------------------------------


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


def expanded_level(positions):
    """statistics.md, "Two intervals": c, the level of the upper end over positions."""
    student = stats.t.ppf(0.975, positions - 1)
    return stats.norm.cdf(math.sqrt(positions / (positions - 1)) * student)


def interval(column, kind, replicates, level, others=(None, None)):
    """The two cells of an interval. Replicates have ends on their first axis, or are None where there is no interval."""
    names = f"{column}_ci_{kind}_lower", f"{column}_ci_{kind}_upper"
    if replicates is None:
        return dict.fromkeys(names)
    lower, upper = replicates if np.ndim(replicates) == 2 else (replicates, replicates)
    return {names[0]: IntervalEnd(lower, 1 - level, others[0]), names[1]: IntervalEnd(upper, level, others[1])}


def drawn_positions(count):
    return RANDOM.integers(0, count, (REPLICATES, count))


# --- The measured files --------------------------------------------------------------------------------------------------------


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


class Cell:
    """The samples of one competitor, number of threads and position; only those with a time."""

    def __init__(self, rows):
        self.failed = sum(row["status"] == "failed" for row in rows)
        self.rows = [row for row in rows if row["status"] != "failed"]
        self.ok = [row for row in self.rows if row["status"] == "ok"]
        self.n, self.censored = len(self.rows), len(self.rows) - len(self.ok)
        self.times = np.array([self.ends(row, row["time_s"]) for row in self.rows]).reshape(-1, 2).T
        self.nodes = np.array([self.ends(row, row["nodes"]) for row in self.rows]).reshape(-1, 2).T
        self.median = median(self.times) if self.n else None
        self.draws = None

    @staticmethod
    def ends(row, figure):
        """formats.md, "samples.csv": the true figure of a censored sample is greater."""
        return float(figure), math.inf if row["status"] == "censored" else float(figure)

    def column(self, name):
        return np.array([float(row[name]) for row in self.rows])

    def replicates(self, figures="times"):
        """Medians of the samples drawn anew: one set of draws for each cell, so that all cells share their base's."""
        if self.draws is None:
            drawn = RANDOM.integers(0, self.n, (REPLICATES, self.n))
            self.draws = {name: median(getattr(self, name)[:, drawn]) for name in ("times", "nodes")}
        return self.draws[figures]

    def account(self):
        """formats-derived.md, "speedups.csv": geometric means of nodes, time in `search` and time to depth.

        Workers of outside engines, whose states are not known, count as busy (engines.md). Their time in `search` is None.
        """
        if self.censored or not self.n or not self.column("nodes").all():
            return None
        busy = geometric_mean(self.column("search_s")) if all(row["search_s"] for row in self.rows) else None
        return geometric_mean(self.column("nodes")), busy, geometric_mean(self.column("time_s"))


class Sweep:
    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        with open(self.directory / "experiment.toml", "rb") as file:
            self.experiment = tomllib.load(file)
        with open(self.directory / "environment.toml", "rb") as file:
            self.sittings = tomllib.load(file)["sitting"]
        self.is_virtual = self.experiment["cores"] == "virtual"
        self.variants = {variant["name"]: variant for variant in self.experiment.get("variants", [])}
        self.engines = [engine["name"] for engine in self.experiment.get("engines", [])]
        self.competitors = self.experiment["searchers"] + list(self.variants) + self.engines
        self.cells, samples = {}, defaultdict(list)
        for row in self.without_damage(rows_of(self.directory / "samples.csv")):
            samples[row["searcher"], int(row["threads"]), row["position"]].append(row)
        for key, rows in samples.items():
            self.cells[key] = Cell(rows)
        self.positions = list(dict.fromkeys(position for _, _, position in self.cells))
        self.rows = sorted({key[:2] for key in self.cells}, key=lambda row: (self.competitors.index(row[0]), row[1]))
        self.read_iterations()

    def without_damage(self, rows):
        """formats.md, "samples.csv", "Damage": rows that a report leaves out. Unknown positions are not looked for."""
        seen = set()
        for row in rows:
            if None in row or None in row.values() or row["searcher"] not in self.competitors:
                continue
            sample = row["searcher"], row["threads"], row["position"], row["round"]
            known = int(row["threads"]) in [1, *self.experiment["threads"]] and int(row["depth"]) == self.experiment["depth"]
            known = known and 1 <= int(row["round"]) <= self.experiment["runs"]
            time = float(row["time_s"])
            if known and sample not in seen and time >= 0 and (time > 0 or row["status"] != "ok"):
                seen.add(sample)
                yield row

    def read_iterations(self):
        """Times and nodes of each cell to each depth. Open where a censored sample did not reach the depth."""
        self.depths = defaultdict(dict)
        path = self.directory / "iterations.csv"
        reached = defaultdict(dict)
        for row in rows_of(path) if path.exists() else []:
            sample = row["searcher"], int(row["threads"]), row["position"], row["round"]
            reached[sample][int(row["depth"])] = float(row["time_s"]), float(row["nodes"])
        self.reached = reached
        for key, cell in self.cells.items():
            for depth in range(1, self.experiment["depth"] + 1) if reached else []:
                figures = []
                for row in cell.rows:
                    known = reached[*key, row["round"]].get(depth)
                    if known:
                        # Nodes are of samples that are ok, also where a stopped one reached this depth (found from the files).
                        figures.append((known[0], known[0], known[1] if row["status"] == "ok" else math.nan))
                    elif row["status"] == "censored":
                        figures.append((float(row["time_s"]), math.inf, math.nan))
                if figures:
                    lower, upper, nodes = np.array(figures).T
                    known = nodes[~np.isnan(nodes)]
                    times = np.array([median(lower), median(upper)])
                    self.depths[key][depth] = times, np.median(known) if len(known) else math.nan

    def base_key(self, searcher, position):
        """formats.md, "experiment.toml", the key `base`."""
        return ("sequential" if self.experiment["base"] == "sequential" else searcher), 1, position

    def base(self, searcher, position):
        cell = self.cells.get(self.base_key(searcher, position))
        return cell if cell and cell.n else None

    def cell(self, searcher, threads, position):
        cell = self.cells.get((searcher, threads, position))
        return cell if cell and cell.n else None

    def with_speedup(self, searcher, threads):
        return [p for p in self.positions if self.cell(searcher, threads, p) and self.base(searcher, p)]

    def speedup(self, searcher, threads, position):
        if (searcher, threads, position) == self.base_key(searcher, position):
            return np.array([1.0, 1.0])
        return ratio(self.base(searcher, position).median, self.cell(searcher, threads, position).median)

    def speedup_replicates(self, searcher, threads, position):
        if (searcher, threads, position) == self.base_key(searcher, position):
            return np.ones((2, REPLICATES))
        return ratio(self.base(searcher, position).replicates(), self.cell(searcher, threads, position).replicates())

    def has_runs_interval(self, cells):
        """formats-derived.md, the list at its head: `ci_runs` is blank if a base or cell has a single sample."""
        return all(cell.n > 1 for cell in cells)

    def is_oversubscribed(self, threads):
        """formats-derived.md, "summary.csv". No simulation is oversubscribed (found from the files; the page does not say so)."""
        return not self.is_virtual and threads > min(int(sitting["cores_usable"]) for sitting in self.sittings)

    def is_prefix(self, searcher):
        """formats-derived.md, "speedup-by-depth.csv", the column `prefixes`."""
        if searcher in self.engines:
            return True
        variant = self.variants.get(searcher)
        algorithm = variant["searcher"] if variant else searcher
        if algorithm != "lazy-smp":
            return algorithm == "abdada"
        settings = variant["parameters"] if variant else self.experiment["searcher"]["lazy-smp"]
        return not (settings["helpers"] == "per-iteration" and settings["stagger"] == "none")


# --- speedups.csv and summary.csv ----------------------------------------------------------------------------------------------


def order_statistics(times):
    """statistics.md, "Two intervals": the ranks that Binomial(n, 1/2) leaves at most 2.5% beyond at each side."""
    n = times.shape[1]
    rank = max((k for k in range(1, n // 2 + 1) if stats.binom.cdf(k - 1, n, 0.5) <= 0.025), default=None)
    if rank is None:
        return None, None
    return np.sort(times[0])[rank - 1], np.sort(times[1])[n - rank]


def spread(cell):
    """formats-derived.md, "speedups.csv": `sd_s`, `deviation_from_median_s`, `mad_s`."""
    if cell.censored or cell.n < 2:
        return None, None, None
    times = cell.times[0]
    distance = times - cell.median[0]
    return np.std(times, ddof=1), math.sqrt(np.mean(distance**2)), median(abs(distance))


def account_factors(sweep, searcher, threads, position):
    """formats-derived.md, "speedups.csv", from `search_overhead` to `account_speedup`."""
    cell, base = sweep.cell(searcher, threads, position), sweep.base(searcher, position)
    if not cell or not base or not cell.account() or not base.account():
        return None
    (nodes, busy, time), (base_nodes, _, base_time) = cell.account(), base.account()
    rate = (nodes / (busy or threads * time)) / (base_nodes / base_time)
    return nodes / base_nodes - 1, busy and busy / (threads * time), rate, base_time / time


ACCOUNT = ["search_overhead", "busy_fraction", "node_rate", "account_speedup"]


def speedups(sweep):
    for (searcher, threads, position), cell in sweep.cells.items():
        row = {"searcher": searcher, "threads": threads, "position": position}
        row |= {"n": cell.n, "censored": cell.censored, "failed": cell.failed, "median_s": cell.median}
        ends = order_statistics(cell.times)
        row |= {"median_ci_lower_s": ends[0], "median_ci_upper_s": ends[1]}
        row |= dict(zip(["sd_s", "deviation_from_median_s", "mad_s"], spread(cell)))
        base = sweep.base(searcher, position)
        speedup = sweep.speedup(searcher, threads, position) if base and cell.n else None
        row["speedup"] = speedup
        known = speedup is not None and sweep.has_runs_interval([base, cell])
        row |= interval("speedup", "runs", sweep.speedup_replicates(searcher, threads, position) if known else None, 0.975)
        factors = account_factors(sweep, searcher, threads, position)
        row |= dict(zip(ACCOUNT, factors or [None] * 4))
        row["account_to_median"] = factors[3] / speedup[0] if factors else None
        yield row


def amdahl_p(speedup, threads):
    """formats-derived.md, "summary.csv": N (S-1) / ((N-1) S), in the form that allows S = 0 and S = inf."""
    with np.errstate(divide="ignore"):
        return threads / (threads - 1) * (1 - 1 / np.asarray(speedup, float))


def total_ratio(base, cells):
    """Sums of medians. Arrays: ends, (replicates,) positions."""
    return ratio(base.sum(axis=-1), cells.sum(axis=-1))


def summary(sweep):
    for searcher, threads in sweep.rows:
        all_cells = [cell for key, cell in sweep.cells.items() if key[:2] == (searcher, threads)]
        row = {"searcher": searcher, "threads": threads, "oversubscribed": yes(sweep.is_oversubscribed(threads))}
        positions = sweep.with_speedup(searcher, threads)
        row["positions"] = len(positions)
        row |= {name: sum(getattr(cell, name) for cell in all_cells) for name in ("n", "censored", "failed")}
        if positions:
            row |= summary_of_speedups(sweep, searcher, threads, positions)
        row |= summary_of_spread(all_cells)
        row |= summary_of_account(sweep, searcher, threads, positions, row.get("speedup_median"))
        row["table_fill_max"] = max((cell.column("table_fill").max() for cell in all_cells if cell.n), default=None)
        yield row


def summary_of_speedups(sweep, searcher, threads, positions):
    cells = [sweep.cell(searcher, threads, position) for position in positions]
    bases = [sweep.base(searcher, position) for position in positions]
    is_base = sweep.base_key(searcher, None)[:2] == (searcher, threads)
    figures = {
        "speedup_median": lambda speedup, base, time: median(speedup),
        "geometric_mean": lambda speedup, base, time: geometric_mean(speedup),
        "total_time_ratio": lambda speedup, base, time: speedup[..., 0] if is_base else total_ratio(base, time),
        "efficiency": lambda speedup, base, time: median(speedup) / threads,
        "amdahl_p": lambda speedup, base, time: amdahl_p(median(speedup), threads),
    }
    if threads == 1:
        figures.pop("amdahl_p")
    measured = (
        np.stack([sweep.speedup(searcher, threads, position) for position in positions], axis=-1),
        np.stack([base.median for base in bases], axis=-1),
        np.stack([cell.median for cell in cells], axis=-1),
    )
    runs = anew = None
    if sweep.has_runs_interval(cells + bases):
        runs = (
            np.stack([sweep.speedup_replicates(searcher, threads, position) for position in positions], axis=-1),
            np.stack([base.replicates() for base in bases], axis=-1),
            np.stack([cell.replicates() for cell in cells], axis=-1),
        )
    if len(positions) > 1:
        drawn = drawn_positions(len(positions))
        anew = tuple(array[:, drawn] for array in measured)
    row = {"base_median_s": median(measured[1]), "median_s": median(measured[2])}
    for name, level in {"min": 0, "q1": 0.25, "q3": 0.75, "max": 1}.items():
        row[f"speedup_{name}"] = quantile(measured[0], level)
    for name, figure in figures.items():
        row[name] = figure(*measured)
        row |= interval(name, "runs", figure(*runs) if runs else None, 0.975)
        row |= interval(name, "positions", figure(*anew) if anew else None, expanded_level(len(positions)) if anew else None)
    if threads > 1:
        p, speedup = row["amdahl_p"], row["speedup_median"]
        with np.errstate(divide="ignore"):
            row["amdahl_limit"] = None if p[1] >= 1 or is_open(p) else 1 / (1 - p)
            row["karp_flatt"] = None if is_open(p) else (1 / speedup - 1 / threads) / (1 - 1 / threads)
    return row


def summary_of_spread(cells):
    spreads = np.array([spread(cell) for cell in cells if spread(cell)[0] is not None]).reshape(-1, 3).T
    if not spreads.size:
        return {}
    row = {"sd_s": median(spreads[0]), "mad_s": median(spreads[2])}
    for name, level in {"min": 0, "q1": 0.25, "median": 0.5, "q3": 0.75, "max": 1}.items():
        row[f"deviation_{name}_s"] = quantile(spreads[1], level)
    return row


def summary_of_account(sweep, searcher, threads, positions, speedup_median):
    factors = {position: account_factors(sweep, searcher, threads, position) for position in positions}
    known = [position for position in positions if factors[position]]
    row = {"account_positions": len(known)}
    if not known:
        return row
    overheads, *others = zip(*(factors[position] for position in known))
    means = [geometric_mean(np.array(overheads) + 1) - 1]
    means += [None if None in column else geometric_mean(np.array(column)) for column in others]
    row |= dict(zip(ACCOUNT, means))
    # The page does not say that it is blank where the account has fewer positions than the median.
    row["account_to_median"] = means[3] / speedup_median[0] if len(known) == len(positions) else None
    for state in STATES if means[1] is not None else []:
        shares = []
        for position in known:
            cell = sweep.cell(searcher, threads, position)
            all_states = sum(cell.column(f"{name}_s") for name in STATES)
            shares.append(np.mean(cell.column(f"{state}_s") / all_states))
        row[f"{state}_share"] = np.mean(shares)
    return row


# --- Least squares for many replicates at once ---------------------------------------------------------------------------------


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


# --- fits.csv ------------------------------------------------------------------------------------------------------------------


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
    """formats-derived.md, "fits.csv", `status`. Open medians are looked at first (found from the files)."""
    if any(is_open(ends) for ends in medians):
        return "censored"
    above_one = sum(n > 1 for n in counts)
    if len(medians) < parameters + 2 or (not limit and above_one < parameters):
        return "not enough thread counts"
    return "ok"


def refit(name, kind, level, threads, drawn):
    """Intervals of a model's figures, and its AICc in every replicate."""
    # A replicate with an open median may have any figure: its ends are -inf and inf (found from the files). Nobody wins there.
    unknown = (drawn[0] != drawn[1]).any(axis=1)
    points = drawn[0][~unknown]
    p = MODELS[name][1](threads, points)
    anything = np.full(unknown.sum(), np.inf)
    row = {}
    for column, figures in fit_everything(name, p).items():
        if column != "limit_threads":
            ends = np.array([np.append(figures, -anything), np.append(figures, anything)])
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


# --- speedup-by-depth.csv, depth-trends.csv ------------------------------------------------------------------------------------


def depth_speedups(sweep, searcher, threads, depth):
    """By position: the base's median time to this depth, and the speedup."""
    found = {}
    for position in sweep.positions:
        base = sweep.depths[sweep.base_key(searcher, position)].get(depth)
        cell = sweep.depths[searcher, threads, position].get(depth)
        if base and cell:
            found[position] = base[0], ratio(base[0], cell[0])
    return found


def speedup_by_depth(sweep):
    for searcher, threads in sweep.rows:
        for depth in range(1, sweep.experiment["depth"] + 1) if threads > 1 else []:
            found = list(depth_speedups(sweep, searcher, threads, depth).values())
            if not found:
                continue
            base = median(np.stack([times for times, _ in found], -1))
            ratios = np.stack([speedup for _, speedup in found], -1)
            row = {"searcher": searcher, "threads": threads, "depth": depth, "prefixes": yes(sweep.is_prefix(searcher))}
            row |= {"short": yes(base[0] < 0.001), "positions": len(found), "base_median_s": base}
            row["geometric_mean"] = geometric_mean(ratios)
            several = len(found) > 1
            anew = geometric_mean(ratios[:, drawn_positions(len(found))]) if several else None
            row |= interval("geometric_mean", "positions", anew, expanded_level(len(found)) if several else None)
            yield row


def depth_trends(sweep):
    """statistics.md, "Speedup by depth", "The trend"."""
    deepest = sweep.experiment["depth"]
    for searcher, threads in sweep.rows:
        if threads == 1:
            continue
        points = defaultdict(list)
        for depth in range(deepest // 2 + 1, deepest + 1):
            for position, (base, speedup) in depth_speedups(sweep, searcher, threads, depth).items():
                if base[0] >= 0.001:
                    points[position].append((depth, speedup))
        exact = [known for known in points.values() if len(known) >= 3 and not any(is_open(s) for _, s in known)]
        if not exact:
            continue
        slopes = np.array([np.polyfit([d for d, _ in known], [math.log(s[0]) for _, s in known], 1)[0] for known in exact])
        row = {"searcher": searcher, "threads": threads, "prefixes": yes(sweep.is_prefix(searcher)), "positions": len(exact)}
        row["depth_from"] = min(known[0][0] for known in exact)
        row["depth_to"] = max(known[-1][0] for known in exact)
        row["growth_a_ply"] = math.exp(slopes.mean()) - 1
        row["seen"] = "no"
        if len(slopes) > 1:
            half = stats.t.ppf(0.975, len(slopes) - 1) * slopes.std(ddof=1) / math.sqrt(len(slopes))
            ends = [math.exp(slopes.mean() + sign * half) - 1 for sign in (-1, 1)]
            row |= {"growth_a_ply_ci_positions_lower": ends[0], "growth_a_ply_ci_positions_upper": ends[1]}
            row["seen"] = yes(not ends[0] <= 0 <= ends[1])
        yield row


# --- stability.csv, outliers.csv -----------------------------------------------------------------------------------------------


def pairs(sweep, searcher, threads, position):
    """formats-derived.md, "stability.csv", the column `move_agreement`."""
    samples = sweep.cells[searcher, threads, position].ok if (searcher, threads, position) in sweep.cells else []
    if threads == 1:
        return list(itertools.combinations(samples, 2))
    own = sweep.cells.get((searcher, 1, position)) or sweep.base(searcher, position)
    return list(itertools.product(samples, own.ok if own else []))


def stability(sweep):
    for searcher, threads in sweep.rows:
        row = {"searcher": searcher, "threads": threads}
        by_position = [pairs(sweep, searcher, threads, position) for position in sweep.positions]
        for figure, column in (("move", "best_move"), ("score", "score")):
            comparable = [[pair for pair in known if pair[0][column] and pair[1][column]] for known in by_position]
            shares = np.array([np.mean([a[column] == b[column] for a, b in known]) for known in comparable if known])
            if not len(shares):
                continue
            row |= {f"{figure}_agreement_positions": len(shares), f"{figure}_agreement": shares.mean()}
            several = len(shares) > 1
            anew = shares[drawn_positions(len(shares))].mean(axis=-1) if several else None
            row |= interval(f"{figure}_agreement", "positions", anew, expanded_level(len(shares)) if several else None)
        distances = [np.median([abs(int(a["score"]) - int(b["score"])) for a, b in known]) for known in by_position if known]
        row["score_distance_cp"] = median(np.array(distances)) if distances else None
        cells = [cell for key, cell in sweep.cells.items() if key[:2] == (searcher, threads) and spread(cell)[0] is not None]
        variation = np.array([spread(cell)[0] / cell.times[0].mean() for cell in cells])
        for name, level in {"min": 0, "q1": 0.25, "median": 0.5, "q3": 0.75, "max": 1}.items():
            row[f"variation_{name}"] = quantile(variation, level) if len(variation) else None
        yield row


def outliers(sweep):
    """statistics.md, "Stability": Tukey's fences of ln(speedup), and a factor of 1.25 from the median."""
    for searcher, threads in sweep.rows:
        known = {p: sweep.speedup(searcher, threads, p) for p in sweep.with_speedup(searcher, threads)}
        exact = {position: speedup[0] for position, speedup in known.items() if not is_open(speedup)}
        if threads == 1 or len(exact) < 8:
            continue
        logs = np.log(list(exact.values()))
        low, high = quantile(logs, 0.25), quantile(logs, 0.75)
        typical = float(median(np.array(list(exact.values()))))
        for position, speedup in exact.items():
            beyond = not low - 1.5 * (high - low) <= math.log(speedup) <= high + 1.5 * (high - low)
            if beyond and abs(math.log(speedup / typical)) >= math.log(1.25):
                yield outlier(sweep, searcher, threads, position, speedup, typical)


def outlier(sweep, searcher, threads, position, speedup, typical):
    cell, base = sweep.cell(searcher, threads, position), sweep.base(searcher, position)
    row = {"searcher": searcher, "threads": threads, "position": position, "speedup": speedup}
    known = sweep.has_runs_interval([cell, base])
    row |= interval("speedup", "runs", sweep.speedup_replicates(searcher, threads, position) if known else None, 0.975)
    row |= {"typical_speedup": typical, "super_linear": yes(speedup > threads)}
    depths = range(1, sweep.experiment["depth"] + 1)
    both = sweep.base_key(searcher, position), (searcher, threads, position)
    known = [sweep.depths[key].get(depth) for key in both for depth in depths]
    if not all(known) or any(is_open(times) for times, _ in known):
        return row
    figures = []
    for key in both:
        times = [0] + [sweep.depths[key][depth][0][0] for depth in depths]
        nodes = [0] + [sweep.depths[key][depth][1] for depth in depths]
        figures += [np.diff(times), np.diff(nodes)]
    base_times, base_nodes, times, nodes = figures
    lost = times - base_times / typical
    worst = int((lost / lost.sum()).argmax())
    row |= {"iteration": depths[worst], "iteration_base_s": base_times[worst], "iteration_s": times[worst]}
    row |= {"iteration_nodes_ratio": nodes[worst] / base_nodes[worst], "iteration_share": lost[worst] / lost.sum()}
    return row


# --- comparisons.csv -----------------------------------------------------------------------------------------------------------


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
    row |= interval("times_as_fast", "runs", runs, 0.975)
    row |= over_positions("times_as_fast", ratios)
    row["p"], row["_faster"] = test_of_ratios(ratios) if len(positions) >= 6 else (None, None)
    return row


def over_positions(column, figures):
    """The interval over positions of a geometric mean; figures have ends and positions as their axes."""
    count = figures.shape[-1]
    if count < 2:
        return interval(column, "positions", None, None)
    return interval(column, "positions", geometric_mean(figures[:, drawn_positions(count)]), expanded_level(count))


# --- work-span.csv -------------------------------------------------------------------------------------------------------------


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
    """statistics.md, "Two intervals": a replicate refitted by one step from the fit to the measured runs."""
    model = share * fitted[0] + path * fitted[1]
    error, slopes = np.log(model / time), np.stack([share, path], 1) / model[:, None]
    gradient = weights @ (error[:, None] * slopes)
    curvature = np.einsum("bi,ik,il->bkl", weights * (1 - error), slopes, slopes)
    return np.maximum(0, fitted - np.linalg.solve(curvature, gradient[..., None])[..., 0])


def work_span_interval(kind, level, fitted, share, path, time, weights):
    """Intervals of a and b. The page does not say which steps are long, so an end may lie between one step and a whole fit."""
    whole = fit_work_and_path(share, path, time, weights)
    step = one_step_of_newton(fitted, share, path, time, weights)
    row = {}
    for place, name in enumerate("ab"):
        row |= interval(name, kind, whole[:, place], level, (step[:, place], step[:, place]))
    return row


def drawn_counts(groups, size):
    """How often each run stands in each replicate: for each group, as many draws as it has runs."""
    counts = np.zeros((REPLICATES, size))
    for group in groups:
        counts[:, group] = RANDOM.multinomial(len(group), np.ones(len(group)) / len(group), REPLICATES)
    return counts


def work_span(sweep):
    samples = defaultdict(lambda: defaultdict(list))
    for (searcher, threads, position), cell in sweep.cells.items():
        known = [row for row in cell.ok if row.get("critical_path_s")]
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
    if len(keys) >= 4 and not np.allclose(share / path, (share / path)[0], rtol=1e-12):
        a, b = fitted = fit_work_and_path(share, path, time, np.ones((1, len(keys))))[0]
        error = np.log(a * share + b * path) - np.log(time)
        shared = {"a": a, "b": b, "fitted_runs": len(keys), "error": math.sqrt(np.mean(error**2))}
        shared["r_squared"] = 1 - (error**2).sum() / ((np.log(time) - np.log(time).mean()) ** 2).sum()
        shared |= work_span_intervals(keys, cells, fitted, share, path, time)
    for threads in sorted({threads for threads, _ in cells}):
        yield {"searcher": searcher, "threads": threads} | work_span_row(sweep, searcher, threads, cells, fitted) | shared


def work_span_intervals(keys, cells, fitted, share, path, time):
    row = {}
    least = min(len(figures) for figures in cells.values())
    if least > 1:
        # statistics.md, "Two intervals": expanded by the root of n / (n - 1), n being the least number of runs a cell.
        level = stats.norm.cdf(math.sqrt(least / (least - 1)) * stats.norm.ppf(0.975))
        groups = [np.array([place for place, key in enumerate(keys) if key == cell]) for cell in cells]
        row |= work_span_interval("runs", level, fitted, share, path, time, drawn_counts(groups, len(keys)))
    positions = sorted({position for _, position in keys})
    if len(positions) > 1:
        counts = RANDOM.multinomial(len(positions), np.ones(len(positions)) / len(positions), REPLICATES)
        weights = counts[:, [positions.index(position) for _, position in keys]].astype(float)
        row |= work_span_interval("positions", expanded_level(len(positions)), fitted, share, path, time, weights)
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
    if all(base and not base.censored for base in bases):
        base_times = np.array([geometric_mean(base.times[0]) for base in bases])
        row["limit"] = geometric_mean(base_times / path) / max(b, 1)
    return row


# --- variants.csv --------------------------------------------------------------------------------------------------------------


def solutions(sweep):
    """The moves that the position set names: by id, the board, the moves `bm` and the moves `am`."""
    path = sweep.directory / "positions.epd"
    if not path.exists():
        path = pathlib.Path(__file__).parent.parent / "positions" / (sweep.experiment["positions"] + ".epd")
    found = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        board, _, rest = line.partition(" ")
        operations = dict(part.strip().partition(" ")[::2] for part in " ".join(rest.split()[3:]).split(";") if part.strip())
        if "id" in operations:
            found[operations["id"].strip('"')] = board, operations.get("bm", "").split(), operations.get("am", "").split()
    return found


def is_move(board, uci, san):
    """Whether a legal move in UCI notation is the one in algebraic notation."""
    ranks = ["".join("." * int(c) if c.isdigit() else c for c in rank) for rank in board.split("/")]
    piece = ranks[8 - int(uci[1])][ord(uci[0]) - ord("a")].upper()
    san = san.rstrip("+#!?").replace("x", "").replace("=", "")
    if san.replace("0", "O") in ("O-O", "O-O-O"):
        return piece == "K" and uci[0] == "e" and uci[2] == ("g" if len(san) == 3 else "c")
    wanted, promotion = (san[0], "") if san[0] in "KQRBN" else ("P", san[-1].lower() if san[-1].isalpha() else "")
    squares = san[1:] if wanted != "P" else san.rstrip("KQRBN")
    origin = squares[:-2]
    return piece == wanted and uci[2:4] == squares[-2:] and uci[4:] == promotion and all(c in uci[:2] for c in origin)


def found_moves(sweep, searcher, threads, known):
    """By position that asks for a move: which samples that reached the depth have it."""
    found = {}
    for position, (board, best, avoid) in known.items():
        cell = sweep.cells.get((searcher, threads, position))
        if (best or avoid) and cell and cell.ok:
            moves = [row["best_move"] for row in cell.ok]
            is_one_of = lambda move, wanted: any(is_move(board, move, san) for san in wanted)
            found[position] = [
                bool(move) and (not best or is_one_of(move, best)) and not is_one_of(move, avoid) for move in moves
            ]
    return found


def branching_factors(sweep, searcher, threads):
    """formats-derived.md, "variants.csv", the column `branching_factor`: by position, of each sample."""
    depth = sweep.experiment["depth"]
    step = depth // 2 // 2 * 2
    found = {}
    for position in sweep.positions if depth >= 4 else []:
        cell = sweep.cells.get((searcher, threads, position))
        known = [sweep.reached[searcher, threads, position, row["round"]] for row in cell.ok] if cell else []
        known = [nodes for nodes in known if {depth, depth - step} <= nodes.keys()]
        factors = [(nodes[depth][1] / nodes[depth - step][1]) ** (1 / step) for nodes in known]
        if factors:
            found[position] = np.array(factors)
    return found


def paired(column, sizes, figure, replicate):
    """A geometric mean over positions with both intervals. `figure` and `replicate` give the two ends at one position.

    `sizes` has, by position, the numbers of samples of the cells that take part.
    """
    figures = np.stack([figure(position) for position in sizes], -1)
    row = {column: geometric_mean(figures)}
    known = all(size > 1 for position in sizes for size in sizes[position])
    runs = geometric_mean(np.stack([replicate(position) for position in sizes], -1)) if known else None
    return row | interval(column, "runs", runs, 0.975) | over_positions(column, figures)


def variants(sweep):
    reference = sweep.experiment.get("reference", sweep.competitors[0])
    known = solutions(sweep)
    for searcher, threads in sweep.rows:
        if searcher not in sweep.engines:
            row = {"searcher": searcher, "threads": threads, "reference": reference}
            yield row | variant(sweep, searcher, threads, reference, known)


def variant(sweep, searcher, threads, reference, known):
    row = {}
    cell = lambda position: sweep.cell(searcher, threads, position)
    other = lambda position: sweep.cell(reference, threads, position)
    both = {p: (cell(p).n, other(p).n) for p in sweep.positions if cell(p) and other(p)} if searcher != reference else {}
    if both:
        row["positions"] = len(both)
        row |= paired("time_ratio", both, lambda p: ratio(cell(p).median, other(p).median),
                      lambda p: ratio(cell(p).replicates(), other(p).replicates()))
        row |= paired("nodes_ratio", both, lambda p: ratio(median(cell(p).nodes), median(other(p).nodes)),
                      lambda p: ratio(cell(p).replicates("nodes"), other(p).replicates("nodes")))
    factors = branching_factors(sweep, searcher, threads)
    if factors:
        drawn = lambda p: median(factors[p][RANDOM.integers(0, len(factors[p]), (REPLICATES, len(factors[p])))])
        row |= paired("branching_factor", {p: [len(factors[p])] for p in factors}, lambda p: np.repeat(median(factors[p]), 2),
                      lambda p: np.tile(drawn(p), (2, 1)))
    row |= variant_moves(sweep, searcher, threads, reference, known)
    with_speedup = sweep.with_speedup(searcher, threads) if threads > 1 else []
    if with_speedup:
        sizes = {p: [cell(p).n, sweep.base(searcher, p).n] for p in with_speedup}
        row |= paired("speedup", sizes, lambda p: sweep.speedup(searcher, threads, p),
                      lambda p: sweep.speedup_replicates(searcher, threads, p))
    shared = [p for p in with_speedup if p in both and sweep.base(reference, p)]
    if shared:
        sizes = {p: [cell(p).n, sweep.base(searcher, p).n, other(p).n, sweep.base(reference, p).n] for p in shared}
        both_of = lambda speedup, p: ratio(speedup(searcher, threads, p), speedup(reference, threads, p))
        row |= paired("speedup_ratio", sizes, lambda p: both_of(sweep.speedup, p), lambda p: both_of(sweep.speedup_replicates, p))
    return row


def variant_moves(sweep, searcher, threads, reference, known):
    moves = found_moves(sweep, searcher, threads, known)
    if not moves:
        return {}
    theirs = found_moves(sweep, reference, threads, known)
    samples = sum(map(len, moves.values()))
    more_than_half = lambda right: sum(right) > len(right) / 2
    both = [position for position in moves if position in theirs]
    gained = sum(more_than_half(moves[p]) and not more_than_half(theirs[p]) for p in both)
    lost = sum(more_than_half(theirs[p]) and not more_than_half(moves[p]) for p in both)
    row = {"asked": len(moves), "samples": samples, "found_share": sum(map(sum, moves.values())) / samples}
    return row | {"found": sum(map(more_than_half, moves.values())), "gained": gained, "lost": lost}


# --- sensitivity.csv -----------------------------------------------------------------------------------------------------------


def sensitivity(sweep):
    """formats-derived.md, "sensitivity.csv": one directory for each cost that was halved or doubled."""
    unchanged = {(row["searcher"], row["threads"]): row for row in summary(sweep)}
    for directory in sorted((sweep.directory / "sensitivity").iterdir()):
        cost, _, change = directory.name.rpartition("-")
        for row in summary(Sweep(directory)):
            if row["threads"] > 1:
                mine = {"cost": cost, "change": change} | {name: row[name] for name in ("searcher", "threads", "geometric_mean")}
                mine |= {name: row[name] for name in row if name.startswith("geometric_mean_ci_runs")}
                before = unchanged[row["searcher"], row["threads"]]["geometric_mean"]
                mine["ratio_to_unchanged"] = ratio(row["geometric_mean"], before)
                yield mine


# --- The comparison ------------------------------------------------------------------------------------------------------------

TABLES = {
    "speedups": (speedups, 3),
    "summary": (summary, 2),
    "fits": (fits, 2),
    "speedup-by-depth": (speedup_by_depth, 3),
    "depth-trends": (depth_trends, 2),
    "stability": (stability, 2),
    "outliers": (outliers, 3),
    "comparisons": (comparisons, 3),
    "work-span": (work_span, 2),
    "variants": (variants, 2),
    "sensitivity": (sensitivity, 4),
}


def compare(path, ours, keys):
    """Prints what differs, and gives the numbers of exact cells, statistical cells and differences."""
    ours = {tuple(str(value) for value in list(row.values())[:keys]): row for row in ours}
    exact = statistical = 0
    differing = []
    theirs = rows_of(path) if path.exists() else []
    columns = list(theirs[0]) if theirs else []
    for row in theirs:
        key = tuple(row[column] for column in columns[:keys])
        mine = ours.pop(key, None)
        if mine is None:
            differing.append((key, "(row)", "there", "not there"))
            continue
        for column in columns:
            value = mine.get(column)
            if isinstance(value, (IntervalEnd, ShareOfReplicates)):
                statistical += 1
            else:
                exact += 1
            if not agrees(row[column], str(value) if column in columns[:keys] else value):
                differing.append((key, column, row[column], value))
        for column in mine.keys() - set(columns):
            if not column.startswith("_") and mine[column] is not None:
                differing.append((key, column, "(no such column)", mine[column]))
    differing += [(key, "(row)", "not there", "there") for key in ours]
    if not path.exists() and not differing:
        return 0
    print(f"{path}: {exact} exact and {statistical} statistical cells compared, {len(differing)} differ")
    for key, column, text, value in differing:
        print(f"  {path.name}, {' '.join(key)}, {column}: theirs {text or 'blank'}, ours {shown(value)}")
    return len(differing)


def main(directories):
    if not directories:
        sys.exit(__doc__)
    differing = 0
    for directory in directories:
        sweep = Sweep(directory)
        for name, (table, keys) in TABLES.items():
            path = sweep.directory / f"{name}.csv"
            if name == "variants" and not sweep.variants or name == "sensitivity" and not path.exists():
                continue
            differing += compare(path, list(table(sweep)), keys)
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
