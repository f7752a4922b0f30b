#!/usr/bin/env python3
"""What counting stopped searches as finished does to a sweep, by the time limit: for each limit, the share of samples that it would have
stopped, the median speedup over positions and the median deviation of a position's times, all stopped ones taken as finished at the limit.

    scripts/as-finished.py DIR LIMIT_S...

DIR is a results directory with samples on one thread of every searcher: these are the base. Its own limit may not be shorter than those
given; times under a shorter one are the same, cut off there.
"""

import csv
import pathlib
import statistics
import sys
import tomllib
from collections import defaultdict


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    directory, limits = pathlib.Path(sys.argv[1]), [float(limit) for limit in sys.argv[2:]]
    with open(directory / "experiment.toml", "rb") as file:
        own = tomllib.load(file)["time_limit_s"]
    if max(limits) > own:
        sys.exit(f"{directory}: its searches were stopped at {own:g} s: expected no longer limits")
    times = defaultdict(list)
    with open(directory / "samples.csv") as file:
        for row in csv.DictReader(file):
            if row["status"] != "failed":
                times[row["searcher"], int(row["threads"]), row["position"]].append(float(row["time_s"]))
    print("| searcher | threads | " + " | ".join(f"{limit:g} s: stopped, speedup, deviation (s)" for limit in limits) + " |")
    for searcher, threads in dict.fromkeys((searcher, threads) for searcher, threads, _ in sorted(times)):
        cells = []
        for limit in limits:
            cut = lambda n, position: [min(time, limit) for time in times[searcher, n, position]]
            positions = [position for of, n, position in times if (of, n) == (searcher, threads) and (of, 1, position) in times]
            if not positions:
                sys.exit(f"{directory}: there are no samples on one thread of {searcher}")
            samples = [time for position in positions for time in cut(threads, position)]
            median = lambda n, position: statistics.median(cut(n, position))
            speedup = statistics.median(median(1, position) / median(threads, position) for position in positions)
            deviation = statistics.median(
                statistics.fmean((time - median(threads, position)) ** 2 for time in cut(threads, position)) ** 0.5
                for position in positions
            )
            stopped = sum(time >= limit for time in samples) / len(samples)
            cells.append(f"{100 * stopped:.0f}%, {speedup:.2f}, {deviation:.3f}")
        print(f"| {searcher} | {threads} | " + " | ".join(cells) + " |")


main()
