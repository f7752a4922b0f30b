#!/usr/bin/env python3
"""The table of an ablation: what each variant does to time, nodes, moves found and speedup (docs/ablation.md).

    scripts/ablation-table.py [--real DIR] [--suite DIR] [--by-depth DIR] DIR

DIR is the results directory of `ttd run experiments/ablation.toml`, or of another experiment with variants on one worker and on
several virtual cores. --real names the same on one real core, from which times and nodes are then; --suite the same on a
larger set of positions with known best moves, from which the moves found are. --by-depth names a deep search of the
reference alone on the same positions and virtual cores, from whose `iterations.csv` the last column is made: the variant's
speedup over that of the reference in a search that takes one worker as long, position by position (the reference's speedup between
two of its depths by a straight line over logarithms). All other columns compare at the same depth. In brackets 95% intervals over
positions: those of `variants.csv`; of the last column by 2,000 bootstrap replicates with a fixed seed, expanded for the number of
positions as the reports do. p: of moves gained and lost by the sign test, of the last column by Student's t on logarithms; of each
for itself, without a correction. --by-depth needs SciPy."""

import argparse
import bisect
import csv
import math
import pathlib
import random
import statistics
import sys
from collections import defaultdict

REPLICATES = 2000


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def number(text):
    return f"{float(text):.2f}" if text else "–"


def with_interval(row, figure):
    lower, upper = row[f"{figure}_ci_positions_lower"], row[f"{figure}_ci_positions_upper"]
    return f"{number(row[figure])} ({number(lower)} to {number(upper)})" if row[figure] and lower else number(row[figure])


def medians(samples, key):
    """The median time of each group of samples that reached their depth."""
    times = defaultdict(list)
    for sample in samples:
        times[key(sample)].append(float(sample["time_s"]))
    return {group: statistics.median(of) for group, of in times.items()}


def speedup_by_time(directory, threads):
    """Of each position the reference's searches to each depth: logarithms of one worker's time, and of the speedup."""
    times = medians(
        rows(directory / "iterations.csv"), lambda r: (r["position"], int(r["depth"]), int(r["threads"]))
    )
    curves = defaultdict(list)
    for (position, depth, workers), time in sorted(times.items()):
        if workers == threads and (position, depth, 1) in times:
            alone = times[position, depth, 1]
            curves[position].append((math.log(alone), math.log(alone / time)))
    return {position: sorted(curve) for position, curve in curves.items()}


def at(curve, x):
    """The straight line between the two neighbours of x; none outside of what was measured."""
    place = bisect.bisect_left(curve, (x,))
    if place == 0 or place == len(curve):
        return None
    (x0, y0), (x1, y1) = curve[place - 1 : place + 1]
    return y0 if x1 == x0 else y0 + (y1 - y0) * (x - x0) / (x1 - x0)


def p_value(p):
    return f"p = {p:.4f}" if p >= 0.00005 else "p < 0.0001"


def sign_test(gained, lost):
    """How likely so uneven a division is by chance, both ways together."""
    count = gained + lost
    return min(1, 2 * sum(math.comb(count, k) for k in range(min(gained, lost) + 1)) / 2**count)


def moves_found(row, is_reference):
    if is_reference or not row["found"]:
        return row["found"]
    p = p_value(sign_test(int(row["gained"]), int(row["lost"])))
    return f"{row['found']} (+{row['gained']}, -{row['lost']}, {p})"


def tail(count):
    """The share of replicates beyond each end of an interval at 95% from so many values (docs/statistics.md, Two intervals)."""
    from scipy import stats

    return stats.norm.sf(math.sqrt(count / (count - 1)) * stats.t.ppf(0.975, count - 1))


def at_equal_time(directory, threads, curves):
    """For each variant its speedup over the reference's in searches as long, and how many positions have one."""
    from scipy import stats

    samples = [s for s in rows(directory / "samples.csv") if s["status"] == "ok"]
    times = medians(samples, lambda s: (s["searcher"], int(s["threads"]), s["position"]))
    ratios = defaultdict(list)
    for (searcher, workers, position), time in times.items():
        alone = times.get((searcher, 1, position))
        if workers != threads or alone is None:
            continue
        reference = at(curves[position], math.log(alone))
        if reference is not None:
            ratios[searcher].append(math.log(alone / time) - reference)
    draw = random.Random(1)
    table = {}
    for searcher, of in ratios.items():
        value = math.exp(statistics.mean(of))
        if len(of) < 2:
            table[searcher] = f"{value:.2f} ({len(of)} position)"
            continue
        means = sorted(statistics.mean(draw.choices(of, k=len(of))) for _ in range(REPLICATES))
        beyond = tail(len(of))
        ends = [math.exp(means[round(q * (REPLICATES - 1))]) for q in (beyond, 1 - beyond)]
        missing = "" if len(of) == len(curves) else f", {len(of)} positions"
        missing += f", {p_value(stats.ttest_1samp(of, 0).pvalue)}"
        table[searcher] = f"{value:.2f} ({ends[0]:.2f} to {ends[1]:.2f}{missing})"
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--real", type=pathlib.Path)
    parser.add_argument("--suite", type=pathlib.Path)
    parser.add_argument("--by-depth", type=pathlib.Path)
    parser.add_argument("dir", type=pathlib.Path)
    asked = parser.parse_args()
    for directory in filter(None, [asked.dir, asked.real, asked.suite]):
        if not (directory / "variants.csv").is_file():
            parser.error(f"{directory}: no results of an experiment with variants: variants.csv is missing")

    variants = {(r["searcher"], int(r["threads"])): r for r in rows(asked.dir / "variants.csv")}
    threads = max(workers for _, workers in variants)
    real = {r["searcher"]: r for r in rows(asked.real / "variants.csv")} if asked.real else {}
    suite = {r["searcher"]: r for r in rows(asked.suite / "variants.csv")} if asked.suite else {}
    equal = {}
    if asked.by_depth and threads > 1:
        equal = at_equal_time(asked.dir, threads, speedup_by_time(asked.by_depth, threads))
    reference = next(iter(variants.values()))["reference"]

    header = ["variant", "time" + (", real" if real else ""), "nodes", "branching factor", "found" + (f" of {suite[reference]['asked']}" if suite else "")]
    header += [f"time on {threads}", f"speedup on {threads}", "over the reference's"] if threads > 1 else []
    header += ["in searches as long"] if equal else []
    print("|" + "|".join(f" {name} " for name in header) + "|")
    print("|---|" + "---:|" * (len(header) - 1))
    alone = {name: row for (name, workers), row in variants.items() if workers == 1}
    timed = {name: real.get(name, row) for name, row in alone.items()}
    by_time = lambda name: (name != reference, -float(timed[name]["time_ratio"] or 0))
    for name in sorted(alone, key=by_time):
        row, known = alone[name], suite.get(name, alone[name])
        found = moves_found(known, name == reference)
        cells = [name, with_interval(timed[name], "time_ratio"), number(timed[name]["nodes_ratio"]), number(row["branching_factor"]), found]
        if threads > 1:
            together = variants[name, threads]
            cells += [number(together["time_ratio"]), number(together["speedup"]), with_interval(together, "speedup_ratio")]
        if equal:
            cells.append(equal.get(name, "–"))
        print("|" + "|".join(f" {cell} " for cell in cells) + "|")
    return 0


if __name__ == "__main__":
    sys.exit(main())
