"""The tables speedup-by-depth.csv, speedup-by-tree.csv and depth-trends.csv."""

import math
from collections import defaultdict

import numpy as np
from scipy import stats

from values import drawn_positions, expanded_level, geometric_mean, interval, is_open, median, over_positions, ratio, yes


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


def speedup_by_tree(sweep):
    """formats-derived.md, "speedup-by-tree.csv"."""
    for searcher, threads in sweep.rows:
        sizes = defaultdict(lambda: defaultdict(list))
        for position in sweep.positions if threads > 1 else []:
            cell = sweep.depths[searcher, threads, position]
            for depth, (base, nodes) in sweep.depths[sweep.base_key(searcher, position)].items():
                times = cell.get(depth, [base * math.nan])[0]
                if not (math.isnan(nodes) or is_open(base) or is_open(times) or base[0] < 0.001 or times[0] <= 0):
                    power = 10 ** int(math.log10(nodes))
                    size = power * 3 if nodes >= power * 3 else power
                    sizes[size][position].append(math.log(base[0] / times[0]))
        for size, by_position in sorted(sizes.items()):
            speedups = np.exp([np.mean(logarithms) for logarithms in by_position.values()])
            row = {"searcher": searcher, "threads": threads, "nodes_from": size, "prefixes": yes(sweep.is_prefix(searcher))}
            row["nodes_to"] = size * 3 if str(size)[0] == "1" else size // 3 * 10
            row |= {"positions": len(speedups), "geometric_mean": float(np.exp(np.mean(np.log(speedups))))}
            yield row | over_positions("geometric_mean", np.stack([speedups, speedups]))


def depth_trends(sweep):
    """statistics.md, "Speedup by depth", "Claims are those of a family"."""
    rows = list(single_trends(sweep))
    tested = [row for row in rows if "p" in row]
    for row, adjusted in zip(tested, stats.false_discovery_control([row["p"] for row in tested]) if tested else []):
        row["p_adjusted"] = float(adjusted)
        row["seen"] = yes(adjusted <= 0.05)
    return rows


def single_trends(sweep):
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
            row["p"] = float(stats.ttest_1samp(slopes, 0).pvalue)
        yield row
