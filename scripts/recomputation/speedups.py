"""The tables speedups.csv, summary.csv and sensitivity.csv. Net speedup (statistics.md, "Net speedup"): its base, its figures at a
number of threads, and their replicates.
"""

import math

import numpy as np
from scipy import stats

from sweep import Sweep
from values import PLAIN_LEVEL, drawn_positions, expanded_level, geometric_mean, interval, is_open, median, quantile, ratio
from values import runs_level, swapped, yes

FIGURES = ["net_speedup", "speedup_to_depth", "tree_ratio", "uncapped_speedup"]


def techniques(sweep, name):
    engine = sweep.variants[name]["engine"] if name in sweep.variants else sweep.experiment["engine"]
    return {key: value for key, value in engine.items() if key != "preset"}


def is_same_search(sweep, name, other):
    """Whether the median nodes of one thread are equal at each position that both have."""
    nodes = lambda who, p: median(sweep.cell(who, 1, p).nodes)
    both = [p for p in sweep.positions if sweep.cell(name, 1, p) and sweep.cell(other, 1, p)]
    return bool(both) and all((nodes(name, p) == nodes(other, p)).all() for p in both)


def net_base(sweep, name):
    """The competitor with equal techniques that has the least geometric mean of median times at one thread."""
    if name in sweep.engines:
        return name if any(sweep.cell(name, 1, p) for p in sweep.positions) else None
    same = [other for other in sweep.competitors if other not in sweep.engines]
    same = [other for other in same if techniques(sweep, other) == techniques(sweep, name)]
    same = [other for other in same if any(sweep.cell(other, 1, p) for p in sweep.positions)]
    same = [other for other in same if other == name or not is_same_search(sweep, name, other)]
    shared = [p for p in sweep.positions if all(sweep.cell(other, 1, p) for other in same)]
    mean = lambda other: geometric_mean(np.array([sweep.cell(other, 1, p).median[0] for p in shared]))
    # Of equal means a competitor's own is taken. The lower end of a censored median counts.
    return min(sorted(same, key=lambda other: other != name), key=mean, default=None)


def net_positions(sweep, searcher, threads):
    """The positions that have a net speedup; none where any sample of the competitor or of its base tells no nodes."""
    base = net_base(sweep, searcher)
    cells = [cell for (name, n, _), cell in sweep.cells.items() if name == searcher or (name, n) == (base, 1)]
    if base is None or not all(cell.nodes[0].all() for cell in cells if cell.n):
        return []
    return [p for p in sweep.positions if sweep.cell(base, 1, p) and sweep.cell(searcher, threads, p)]


def factors(sweep, searcher, threads, position, times, nodes):
    """S and R of a position, with ends. `times` and `nodes` give those of a cell, measured or drawn anew."""
    key = net_base(sweep, searcher), 1, position
    base, cell = sweep.cells[key], sweep.cells[searcher, threads, position]
    if key == (searcher, threads, position):
        return np.ones_like(times(base)), np.ones_like(times(base))
    return ratio(times(base), times(cell)), ratio(nodes(cell), nodes(base))


def measured_factors(sweep, searcher, threads, position):
    return factors(sweep, searcher, threads, position, lambda cell: cell.median, lambda cell: median(cell.useful))


def drawn_factors(sweep, searcher, threads, position):
    return factors(sweep, searcher, threads, position, lambda cell: cell.replicates(), lambda cell: cell.replicates("useful"))


def figures_of(speedups, trees):
    """The four figures of the geometric means of S and of R."""
    with np.errstate(invalid="ignore"):
        return dict(zip(FIGURES, [speedups * np.minimum(1, trees), speedups, trees, speedups * trees]))


def means(pairs):
    """The figures over positions; a pair for each."""
    return figures_of(*(geometric_mean(np.stack(factor, -1)) for factor in zip(*pairs)))


def net_cells(sweep, searcher, threads, positions):
    bases = [sweep.cell(net_base(sweep, searcher), 1, p) for p in positions]
    return bases + [sweep.cell(searcher, threads, p) for p in positions]


def at_most(sweep, searcher, threads):
    """Useless nodes that cannot be told: of several threads that share nothing but the table, and of outside engines."""
    return threads > 1 and (searcher in sweep.engines or sweep.algorithm(searcher) in ("abdada", "lazy-smp"))


def summary_of_net(sweep, searcher, threads):
    positions = net_positions(sweep, searcher, threads)
    if not positions:
        return {}
    pairs = [measured_factors(sweep, searcher, threads, p) for p in positions]
    row = {"net_at_most": yes(at_most(sweep, searcher, threads)), "net_base": net_base(sweep, searcher)} | means(pairs)
    cells = net_cells(sweep, searcher, threads, positions)
    runs = anew = None
    if sweep.has_runs_interval(cells):
        runs = means([drawn_factors(sweep, searcher, threads, p) for p in positions])
    if len(positions) > 1:
        drawn = drawn_positions(len(positions))
        anew = figures_of(*(geometric_mean(np.stack(factor, -1)[:, drawn]) for factor in zip(*pairs)))
    for name in FIGURES:
        row |= interval(name, "runs", runs and runs[name], runs_level(cells))
        row |= interval(name, "positions", anew and anew[name], anew and expanded_level(len(positions)))
    return row


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
    row["slowed"] = slowed(sweep, searcher, threads, means[1])
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


def slowed(sweep, searcher, threads, busy_fraction):
    """virtual-machine.md, "The band of a speedup"; beside the slowdown that the experiment has already."""
    if not sweep.is_virtual or searcher in sweep.engines or threads == 1 or busy_fraction is None:
        return None
    name = sweep.variants[searcher]["searcher"] if searcher in sweep.variants else searcher
    costs = sweep.experiment["virtual"]
    known = costs.get(name, costs)["slowdown_permille"] / 1000
    others = max(threads * busy_fraction - 1, 0)
    return (1 + others * known) / (1 + others * (known + 0.01))


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
