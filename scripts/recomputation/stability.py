"""The tables stability.csv, outliers.csv and normality.csv."""

import itertools
import math

import numpy as np
from scipy import stats

from speedups import spread
from values import PLAIN_LEVEL, drawn_positions, expanded_level, interval, is_open, median, quantile, yes


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
        positions = [p for p in sweep.with_speedup(searcher, threads)]
        positions = [p for p in positions if sweep.has_runs_interval([sweep.cell(searcher, threads, p), sweep.base(searcher, p)])]
        known = {p: sweep.speedup(searcher, threads, p) for p in positions}
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
    row |= interval("speedup", "runs", sweep.speedup_replicates(searcher, threads, position) if known else None, PLAIN_LEVEL)
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


def normality(sweep):
    """statistics.md, "Are the times normal?"."""
    rows = [shape(key, cell) for key, cell in sweep.cells.items()]
    tested = [row for row in rows if "p" in row]
    for row, adjusted in zip(tested, stats.false_discovery_control([row["p"] for row in tested]) if tested else []):
        row["p_adjusted"] = float(adjusted)
        row["normal"] = "no" if adjusted <= 0.05 else "not refuted"
    return rows


def shape(key, cell):
    times = np.sort([float(row["time_s"]) for row in cell.ok])
    row = dict(zip(("searcher", "threads", "position"), key)) | {"samples": len(times)}
    if len(times) < 8:
        return row | {"left_out": "few"}
    if times[0] == times[-1] or len(times) > 5000:
        return row | {"left_out": "untestable"}
    if cell.censored:
        return row | {"left_out": "stopped"}
    w, p = shapiro_wilk(times)
    # SciPy has the normal quantiles of this test to seven digits only: it checks the formulas.
    assert np.allclose(stats.shapiro(times), (w, p), rtol=1e-3), key
    return row | {"w": w, "p": p, "skewness": float(stats.skew(times))}


def shapiro_wilk(times):
    """W and p of ordered times."""
    n = len(times)
    m = stats.norm.ppf((np.arange(1, n + 1) - 3 / 8) / (n + 1 / 4))
    u = 1 / math.sqrt(n)
    last = np.polyval([-2.706056, 4.434685, -2.071190, -0.147981, 0.221157, m[-1] / math.sqrt(m @ m)], u)
    before = np.polyval([-3.582633, 5.682633, -1.752461, -0.293762, 0.042981, m[-2] / math.sqrt(m @ m)], u)
    middle = m[2:-2] * math.sqrt((1 - 2 * last**2 - 2 * before**2) / (m[2:-2] @ m[2:-2]))
    a = np.concatenate([[-last, -before], middle, [before, last]])
    w = (a @ times) ** 2 / np.sum((times - times.mean()) ** 2)
    if n >= 12:
        large = math.log(n)
        mean = np.polyval([0.0038915, -0.083751, -0.31082, -1.5861], large)
        return w, stats.norm.sf((math.log(1 - w) - mean) / math.exp(np.polyval([0.0030302, -0.082676, -0.4803], large)))
    shift = 0.459 * n - 2.273 - math.log(1 - w)
    if shift <= 0:
        return w, 0.0
    mean, deviation = (np.polyval(of, n) for of in ([-0.0006714, 0.025054, -0.39978, 0.5440], [-0.0020322, 0.062767, -0.77857, 1.3822]))
    return w, stats.norm.sf((-math.log(shift) - mean) / math.exp(deviation))
