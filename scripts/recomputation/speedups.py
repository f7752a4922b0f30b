"""The tables speedups.csv and summary.csv."""

import math

import numpy as np
from scipy import stats

from arrays import geometric_mean, is_open, median, quantile, ratio, swapped
from intervals import PLAIN_LEVEL, drawn_positions, expanded_level, interval, runs_level
from net import summary_of_net
from values import yes

STATES = ["search", "split", "lock", "wait_helpers", "wait_work", "reduce", "finished"]


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
        row |= interval("speedup", "runs", sweep.speedup_replicates(searcher, threads, position) if known else None, PLAIN_LEVEL)
        factors = account_factors(sweep, searcher, threads, position)
        row |= dict(zip(ACCOUNT, factors or [None] * 4))
        is_base = sweep.base_key(searcher, position) == (searcher, threads, position)
        row["account_to_median"] = 1 if is_base and speedup is not None else factors[3] / speedup[0] if factors else None
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
        row |= summary_of_net(sweep, searcher, threads)
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
        row |= interval(name, "runs", figure(*runs) if runs else None, runs_level(cells + bases))
        row |= interval(name, "positions", figure(*anew) if anew else None, expanded_level(len(positions)) if anew else None)
    if threads > 1:
        p, speedup = row["amdahl_p"], row["speedup_median"]
        with np.errstate(divide="ignore"):
            limit = np.where(p < 1, 1 / (1 - p), math.inf)
            row["amdahl_limit"] = None if p[0] >= 1 else limit
            row["karp_flatt"] = swapped((1 / speedup - 1 / threads) / (1 - 1 / threads))
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
    if all(sweep.base_key(searcher, position) == (searcher, threads, position) for position in positions):
        row["account_to_median"] = 1
    if not known:
        return row
    overheads, *others = zip(*(factors[position] for position in known))
    means = [geometric_mean(np.array(overheads) + 1) - 1]
    means += [None if None in column else geometric_mean(np.array(column)) for column in others]
    row |= dict(zip(ACCOUNT, means))
    if len(known) == len(positions) and not is_open(speedup_median):
        row["account_to_median"] = means[3] / speedup_median[0]
    for state in STATES if means[1] is not None else []:
        shares = []
        for position in known:
            cell = sweep.cell(searcher, threads, position)
            all_states = sum(cell.column(f"{name}_s") for name in STATES)
            shares.append(np.mean(cell.column(f"{state}_s") / all_states))
        row[f"{state}_share"] = np.mean(shares)
    return row
