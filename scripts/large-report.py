#!/usr/bin/env python3
"""How long does a report over many samples take, and how much memory?

    scripts/large-report.py [DIR] [--runs 250] [--depth 12]

makes a results directory with made-up times (40 positions x 5 thread counts x 2 searchers x 250 runs are 100,000 samples,
with their iterations and, of one searcher, work and critical path), calls `ttd report` on it three times, and prints the time, the processor time and the peak memory of each
call. The directory is a temporary one unless named. TTD names another program than that of this checkout.
"""

import argparse
import csv
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

THREADS = [1, 2, 4, 8, 16]
POSITIONS = 40
CALLS = 3


def program():
    if "TTD" in os.environ:
        return os.environ["TTD"]
    root = Path(__file__).resolve().parent.parent
    subprocess.run(["cargo", "build", "--release", "--locked"], cwd=root, check=True)
    return str(Path(os.environ.get("CARGO_TARGET_DIR", root / "target")) / "release" / "ttd")


def call(arguments):
    """The seconds that a call took, those of the processor, and the MiB at most."""
    start = time.monotonic()
    child = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: exit status {child.returncode}")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def make(ttd, where, runs, depth):
    """The columns and the positions are those of a short run; times and counters are made up."""
    only = ",".join(str(n) for n in range(1, POSITIONS + 1))
    short = [ttd, "run", "--cores", "virtual", "--positions", "win-at-chess", "--only", only, "--threads", "1",
             "--depth", "1", "--runs", "1", "--hash", "1", "--name", "large", "--out", str(where), "--fresh"]
    subprocess.run(short, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    experiment = (where / "experiment.toml").read_text()
    for before, after in [("threads = [1]", f"threads = {THREADS}"), ("runs = 1", f"runs = {runs}"),
                          ("depth = 1\n", f"depth = {depth}\n")]:
        if before not in experiment:
            sys.exit(f"experiment.toml has no `{before}`")
        experiment = experiment.replace(before, after, 1)
    (where / "experiment.toml").write_text(experiment)
    with open(where / "samples.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    columns = list(rows[0])
    positions = list(dict.fromkeys(row["position"] for row in rows))
    searchers = list(dict.fromkeys(row["searcher"] for row in rows))
    chance = random.Random(1)
    base = {position: chance.lognormvariate(0, 0.7) for position in positions}
    order = 0
    with open(where / "samples.csv", "w", newline="") as samples, \
            open(where / "iterations.csv", "w", newline="") as iterations:
        out = csv.DictWriter(samples, columns, restval="0", lineterminator="\n")
        out.writeheader()
        parts = csv.writer(iterations, lineterminator="\n")
        parts.writerow(["round", "searcher", "threads", "position", "depth", "worker", "time_s", "nodes"])
        for round_ in range(1, runs + 1):
            cells = [(s, n, p) for s in searchers for n in THREADS for p in positions]
            chance.shuffle(cells)
            for searcher, threads, position in cells:
                spent = base[position] * threads ** -0.7 * chance.lognormvariate(0, 0.1)
                nodes = int(2e6 * spent * threads)
                working = f"{0.9 * threads * spent:.9f}"
                waiting = f"{0.1 * threads * spent:.9f}"
                # Who meets in the table alone has no critical path.
                path = f"{spent * (1 if threads == 1 else chance.uniform(0.2, 0.6)):.9f}"
                graph = (working, path) if searcher != "lazy-smp" else ("", "")
                out.writerow({
                    "round": round_, "order": order, "searcher": searcher, "threads": threads,
                    "position": position, "depth": depth, "status": "ok", "time_s": f"{spent:.9f}",
                    "nodes": nodes, "best_move": "e2e4", "qnodes": nodes // 2, "search_s": working,
                    "wait_work_s": waiting, "table_fill": "0.100000",
                    "work_s": graph[0], "critical_path_s": graph[1],
                })
                order += 1
                for d in range(1, depth + 1):
                    share = 2.0 ** (d - depth)
                    parts.writerow([round_, searcher, threads, position, d, 0, f"{spent * share:.9f}",
                                    max(1, int(nodes * share))])
    return order


def main():
    parser = argparse.ArgumentParser(description="Times `ttd report` over many samples.")
    parser.add_argument("dir", nargs="?", type=Path)
    parser.add_argument("--runs", type=int, default=250)
    parser.add_argument("--depth", type=int, default=12)
    options = parser.parse_args()
    ttd = program()
    with tempfile.TemporaryDirectory() as temporary:
        where = options.dir or Path(temporary) / "large"
        samples = make(ttd, where, options.runs, options.depth)
        print(f"{samples} samples")
        for _ in range(CALLS):
            seconds, processor, mib = call([ttd, "report", str(where)])
            print(f"{seconds:.2f} s ({processor:.2f} s of the processor), {mib:.0f} MiB")


if __name__ == "__main__":
    main()
