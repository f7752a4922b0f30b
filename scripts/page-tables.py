#!/usr/bin/env python3
"""Prints the figures of those tables of docs/virtual-cores.md and docs/studies.md that are made of kept reports.

    scripts/page-tables.py [--results DIR] [NAME...]

DIR holds the results (results/ of this checkout). NAMEs are virtual, searchers, hyatt-dts (of hyatt-dts-20 and -21) and tables; without any, all of them. What another study published is in the
pages only.
"""

import csv
import pathlib
import sys

RESULTS = pathlib.Path(__file__).parent.parent / "results"
ARGUMENTS = sys.argv[1:]
if ARGUMENTS[:1] == ["--results"] and len(ARGUMENTS) > 1:
    RESULTS, ARGUMENTS = pathlib.Path(ARGUMENTS[1]), ARGUMENTS[2:]


def summary(name):
    with open(RESULTS / name / "summary.csv") as file:
        return {(row["searcher"], int(row["threads"])): row for row in csv.DictReader(file)}


def decimals(text, digits=2):
    return f"{float(text):.{digits}f}"


def percent(text, sign=""):
    rounded = round(100 * float(text))
    return f"{rounded:{sign if rounded else ''}}%"


def interval(row, column, kind):
    return f"{decimals(row[f'{column}_{kind}_lower'])} to {decimals(row[f'{column}_{kind}_upper'])}"


def at_equal_trees(row):
    """The account without its nodes: cores x busy x node rate."""
    speedup = int(row["threads"]) * float(row["busy_fraction"]) * float(row["node_rate"])
    return f"{speedup:.3g}"


def line(*cells):
    print("|", " | ".join(str(cell) for cell in cells), "|")


def virtual():
    rows = summary("virtual")
    for searcher in ("ybwc", "lazy-smp"):
        print(f"virtual, {searcher}: cores, geometric mean (ci_positions), busy, search overhead, at equal trees")
        for (of, threads), row in rows.items():
            if of == searcher and threads > 1:
                mean = f"{decimals(row['geometric_mean'])} ({interval(row, 'geometric_mean', 'ci_positions')})"
                overhead = percent(row["search_overhead"], "+")
                line(threads, mean, percent(row["busy_fraction"]), overhead, at_equal_trees(row))


def searchers():
    rows = summary("searchers")
    print("searchers: geometric means by cores, busy on 16, search overhead on 16")
    counts = sorted({threads for _, threads in rows if threads > 1})
    for searcher in dict.fromkeys(searcher for searcher, _ in rows):
        if (searcher, 16) in rows:
            means = [decimals(rows[searcher, threads]["geometric_mean"]) for threads in counts]
            on_16 = rows[searcher, 16]
            line(searcher, *means, percent(on_16["busy_fraction"]), percent(on_16["search_overhead"], "+"))


def hyatt_dts():
    deep, less_deep = summary("hyatt-dts-21"), summary("hyatt-dts-20")
    print("hyatt-dts: cores; YBWC to depth 21, at equal trees; to depth 20 YBWC, DTS")
    for (searcher, threads), row in deep.items():
        if searcher == "ybwc" and threads > 1:
            others = [decimals(less_deep[of, threads]["geometric_mean"]) for of in ("ybwc", "dts")]
            line(threads, decimals(row["geometric_mean"]), at_equal_trees(row), *others)


def tables():
    print("tables: case, median time on 1 and 8 (s), geometric mean (ci_runs), search overhead, busy, node rate")
    for directory in sorted(path for path in (RESULTS / "tables").iterdir() if path.is_dir()):
        rows = summary(directory)
        one, eight = rows["ybwc", 1], rows["ybwc", 8]
        mean = f"{decimals(eight['geometric_mean'])} ({interval(eight, 'geometric_mean', 'ci_runs')})"
        shares = percent(eight["search_overhead"], "+"), percent(eight["busy_fraction"])
        times = decimals(one["median_s"], 3), decimals(eight["median_s"], 3)
        line(directory.name, *times, mean, *shares, decimals(eight["node_rate"], 3))


TABLES = {"virtual": virtual, "searchers": searchers, "hyatt-dts": hyatt_dts, "tables": tables}


def main():
    wanted = ARGUMENTS or list(TABLES)
    unknown = [name for name in wanted if name not in TABLES]
    if unknown:
        sys.exit(f"no table is made of {', '.join(unknown)}: one of {', '.join(TABLES)}")
    for name in wanted:
        TABLES[name]()


main()
