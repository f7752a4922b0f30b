#!/usr/bin/env python3
"""How many nodes a second each competitor of a sweep visits: median nodes over median time of its completed samples, as
`ttd bench` has it for one engine.

    scripts/nodes-per-second.py DIR

Prints for each competitor and number of threads the million nodes a second, the median time and the number of samples.
What an engine calls a node is its own matter."""

import collections
import csv
import pathlib
import statistics
import sys


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    path = pathlib.Path(sys.argv[1]) / "samples.csv"
    if not path.is_file():
        print(f"{path.parent}: no results of a sweep: {path.name} is missing", file=sys.stderr)
        return 2
    nodes, times = collections.defaultdict(list), collections.defaultdict(list)
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["status"] == "ok":
                who = (row["searcher"], int(row["threads"]))
                nodes[who].append(int(row["nodes"]))
                times[who].append(float(row["time_s"]))
    for who, seconds in times.items():
        time = statistics.median(seconds)
        rate = statistics.median(nodes[who]) / time / 1e6
        print(f"{who[0]}, threads {who[1]}: {rate:.2f} million nodes a second, {time:.3f} s, {len(seconds)} samples")
    return 0


if __name__ == "__main__":
    sys.exit(main())
