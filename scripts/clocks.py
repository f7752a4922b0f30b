#!/usr/bin/env python3
"""How far our clock and those of outside engines are apart at the end of a search.

    scripts/clocks.py RESULTS [SECONDS]

Of every sample whose last iteration took at least SECONDS (default 1) by the engine's own clock: when we read that line,
less what the engine says. Prints for each engine the number of samples, the median and the greatest distance in milliseconds.
"""

import csv
import pathlib
import statistics
import sys


def main():
    directory = pathlib.Path(sys.argv[1])
    least = float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
    last = {}
    with open(directory / "told.csv", newline="") as file:
        for row in csv.DictReader(file):
            last[row["round"], row["searcher"], row["threads"], row["position"]] = row
    apart = {}
    for (_, engine, _, _), row in last.items():
        if row["own_s"] and float(row["own_s"]) >= least:
            apart.setdefault(engine, []).append(1000 * (float(row["read_s"]) - float(row["own_s"])))
    print(f"{'engine':<16}{'samples':>8}{'median_ms':>11}{'greatest_ms':>13}")
    for engine, distances in sorted(apart.items()):
        greatest = max(distances, key=abs)
        print(f"{engine:<16}{len(distances):>8}{statistics.median(distances):>11.2f}{greatest:>13.2f}")


if __name__ == "__main__":
    main()
