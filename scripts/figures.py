#!/usr/bin/env python3
"""Figures of results directories that their reports do not have; the pages quote them.

    scripts/figures.py clocks DIR [SECONDS]
    scripts/figures.py nodes-per-second DIR
    scripts/figures.py as-finished DIR LIMIT_S...
    scripts/figures.py suite-score DIR
    scripts/figures.py page-tables [--results DIR] [NAME...]

Each of them, with --help, says what it prints. `suite-score` needs python-chess (`pip install chess`).
"""

import argparse
import csv
import pathlib
import statistics
import sys
import tomllib
from collections import Counter, defaultdict

ROOT = pathlib.Path(__file__).parent.parent


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)


def require(directory, *names):
    """Ends the program where a file of a sweep is missing."""
    for name in names:
        if not (directory / name).is_file():
            print(f"{directory}: no results of a sweep: {name} is missing", file=sys.stderr)
            sys.exit(2)


def clocks(directory, least):
    """How far our clock and those of outside engines are apart at the end of a search.

    Of every sample whose last iteration took at least SECONDS (default 1) by the engine's own clock: when we read that line,
    less what the engine says. Prints for each engine the number of samples, the median and the greatest distance in milliseconds.
    """
    last = {}
    for row in rows_of(directory / "told.csv"):
        last[row["round"], row["searcher"], row["threads"], row["position"]] = row
    apart = {}
    for (_, engine, _, _), row in last.items():
        if row["own_s"] and float(row["own_s"]) >= least:
            apart.setdefault(engine, []).append(1000 * (float(row["read_s"]) - float(row["own_s"])))
    print(f"{'engine':<16}{'samples':>8}{'median_ms':>11}{'greatest_ms':>13}")
    for engine, distances in sorted(apart.items()):
        greatest = max(distances, key=abs)
        print(f"{engine:<16}{len(distances):>8}{statistics.median(distances):>11.2f}{greatest:>13.2f}")


def nodes_per_second(directory):
    """How many nodes a second each competitor of a sweep visits: median nodes over median time of its completed samples, as
    `ttd bench` has it for one engine.

    Prints for each competitor and number of threads the million nodes a second, the median time and the number of samples.
    What an engine calls a node is its own matter.
    """
    require(directory, "samples.csv")
    nodes, times = defaultdict(list), defaultdict(list)
    for row in rows_of(directory / "samples.csv"):
        if row["status"] == "ok":
            who = (row["searcher"], int(row["threads"]))
            nodes[who].append(int(row["nodes"]))
            times[who].append(float(row["time_s"]))
    for who, seconds in times.items():
        time = statistics.median(seconds)
        rate = statistics.median(nodes[who]) / time / 1e6
        print(f"{who[0]}, threads {who[1]}: {rate:.2f} million nodes a second, {time:.3f} s, {len(seconds)} samples")


def as_finished(directory, limits):
    """What counting stopped searches as finished does to a sweep, by the time limit: for each limit, the share of samples that it
    would have stopped, the median speedup over positions and the median deviation of a position's times, all stopped ones taken as
    finished at the limit.

    DIR is a results directory with samples on one thread of every searcher: these are the base. Its own limit may not be shorter
    than those given; times under a shorter one are the same, cut off there.
    """
    with open(directory / "experiment.toml", "rb") as file:
        own = tomllib.load(file)["time_limit_s"]
    if max(limits) > own:
        sys.exit(f"{directory}: its searches were stopped at {own:g} s: expected no longer limits")
    times = defaultdict(list)
    for row in rows_of(directory / "samples.csv"):
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


def questions(directory):
    """What each position of the sweep's set asks for, by its id."""
    import chess

    experiment = tomllib.loads((directory / "experiment.toml").read_text(encoding="utf-8"))
    own = directory / experiment["positions"]
    built_in = ROOT / "positions" / f"{experiment['positions']}.epd"
    asked = {}
    for line in (own if own.is_file() else built_in).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            _, operations = chess.Board.from_epd(line)
            if {"bm", "am"} & operations.keys():
                asked[operations["id"]] = operations
    return asked


def is_solved(move, operations):
    import chess

    found = chess.Move.from_uci(move) if move else None
    if found is None:
        return False
    return found in operations.get("bm", [found]) and found not in operations.get("am", [])


def suite_score(directory):
    """How many positions of a set a sweep solved, by the best move of each sample, also of those that the time limit ended.

    DIR is the results directory of `ttd run` on a set with known best moves, such as

        ttd run --positions win-at-chess --searchers sequential --threads 1 --depth 60 --time-limit 1 --runs 1 --hash 64 --out DIR

    Prints for each searcher and number of threads how many samples found a best move, and which positions were missed. (The
    tables of `ttd report` count the moves of samples that reached the depth.)
    """
    require(directory, "experiment.toml", "samples.csv")
    asked = questions(directory)
    solved, all_of, missed = Counter(), Counter(), defaultdict(list)
    for row in rows_of(directory / "samples.csv"):
        who = (row["searcher"], int(row["threads"]))
        if row["position"] not in asked:
            continue
        all_of[who] += 1
        if is_solved(row["best_move"], asked[row["position"]]):
            solved[who] += 1
        else:
            missed[who].append(f"{row['position']} ({row['best_move'] or 'none'})")
    for who in all_of:
        print(f"{who[0]}, threads {who[1]}: {solved[who]} of {all_of[who]}; missed: {', '.join(missed[who]) or 'none'}")


def summary(directory):
    return {(row["searcher"], int(row["threads"])): row for row in rows_of(directory / "summary.csv")}


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


def virtual(results):
    rows = summary(results / "virtual")
    for searcher in ("ybwc", "lazy-smp"):
        print(f"virtual, {searcher}: cores, geometric mean (ci_positions), busy, search overhead, at equal trees")
        for (of, threads), row in rows.items():
            if of == searcher and threads > 1:
                mean = f"{decimals(row['geometric_mean'])} ({interval(row, 'geometric_mean', 'ci_positions')})"
                overhead = percent(row["search_overhead"], "+")
                line(threads, mean, percent(row["busy_fraction"]), overhead, at_equal_trees(row))


def searchers(results):
    rows = summary(results / "searchers")
    print("searchers: geometric means by cores, busy on 16, search overhead on 16")
    counts = sorted({threads for _, threads in rows if threads > 1})
    for searcher in dict.fromkeys(searcher for searcher, _ in rows):
        if (searcher, 16) in rows:
            means = [decimals(rows[searcher, threads]["geometric_mean"]) for threads in counts]
            on_16 = rows[searcher, 16]
            line(searcher, *means, percent(on_16["busy_fraction"]), percent(on_16["search_overhead"], "+"))


def hyatt_dts(results):
    deep, less_deep = summary(results / "hyatt-dts-21"), summary(results / "hyatt-dts-20")
    print("hyatt-dts: cores; YBWC to depth 21, at equal trees; to depth 20 YBWC, DTS")
    for (searcher, threads), row in deep.items():
        if searcher == "ybwc" and threads > 1:
            others = [decimals(less_deep[of, threads]["geometric_mean"]) for of in ("ybwc", "dts")]
            line(threads, decimals(row["geometric_mean"]), at_equal_trees(row), *others)


def tables(results):
    print("tables: case, median time on 1 and 8 (s), geometric mean (ci_runs), search overhead, busy, node rate")
    for directory in sorted(path for path in (results / "tables").iterdir() if path.is_dir()):
        rows = summary(directory)
        one, eight = rows["ybwc", 1], rows["ybwc", 8]
        mean = f"{decimals(eight['geometric_mean'])} ({interval(eight, 'geometric_mean', 'ci_runs')})"
        shares = percent(eight["search_overhead"], "+"), percent(eight["busy_fraction"])
        times = decimals(one["median_s"], 3), decimals(eight["median_s"], 3)
        line(directory.name, *times, mean, *shares, decimals(eight["node_rate"], 3))


TABLES = {"virtual": virtual, "searchers": searchers, "hyatt-dts": hyatt_dts, "tables": tables}


def page_tables(results, names):
    """The figures of those tables of docs/virtual-cores.md and docs/studies.md that are made of kept reports.

    DIR holds the results (results/ of this checkout). NAMEs are virtual, searchers, hyatt-dts (of hyatt-dts-20 and -21) and
    tables; without any, all of them. What another study published is in the pages only.
    """
    wanted = names or list(TABLES)
    unknown = [name for name in wanted if name not in TABLES]
    if unknown:
        sys.exit(f"no table is made of {', '.join(unknown)}: one of {', '.join(TABLES)}")
    for name in wanted:
        TABLES[name](results)


def main():
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name, of, *names):
        made = commands.add_parser(name, description=of.__doc__, formatter_class=raw)
        made.set_defaults(call=lambda asked: of(*(getattr(asked, argument) for argument in names)))
        return made

    for name, of, more in [
        ("clocks", clocks, ["least"]),
        ("nodes-per-second", nodes_per_second, []),
        ("as-finished", as_finished, ["limits"]),
        ("suite-score", suite_score, []),
    ]:
        made = command(name, of, "directory", *more)
        made.add_argument("directory", metavar="DIR", type=pathlib.Path)
        if of is clocks:
            made.add_argument("least", metavar="SECONDS", type=float, nargs="?", default=1.0)
        if of is as_finished:
            made.add_argument("limits", metavar="LIMIT_S", type=float, nargs="+")
    made = command("page-tables", page_tables, "results", "names")
    made.add_argument("--results", metavar="DIR", type=pathlib.Path, default=ROOT / "results")
    made.add_argument("names", metavar="NAME", nargs="*")
    asked = parser.parse_args()
    asked.call(asked)


if __name__ == "__main__":
    main()
