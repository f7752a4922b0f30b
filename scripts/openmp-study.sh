#!/usr/bin/env bash
# The versions of the OpenMP engine by depth: `experiments/openmp-study.toml` once for each depth, on virtual cores and one
# worker on a real one, for which the machine should be quiet. Prints the mean times and nodes of a move, how many times as fast as
# one worker of the same version four are, and as one worker without an order, and in how many positions four have the move of
# the sequential search.
#
#     scripts/openmp-study.sh [DIR]
#
# The same call goes on where it stopped. TTD names another program than that of this checkout.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(realpath -m "${1:-results/openmp-study}")
if [ -z "${TTD:-}" ]; then
    cargo build --release
    TTD=${CARGO_TARGET_DIR:-target}/release/ttd
fi
mkdir -p "$out"

for depth in 1 2 3 4 5 6; do
    "$TTD" run experiments/openmp-study.toml --depth "$depth" --jobs 2 --name "openmp-study-$depth" --out "$out/$depth" \
        >/dev/null 2>"$out/$depth.log"
    "$TTD" run experiments/openmp-study.toml --depth "$depth" --cores real --threads 1 --name "openmp-study-real-$depth" \
        --out "$out/real-$depth" >/dev/null 2>"$out/real-$depth.log"
done
python3 - "$out" <<'PY'
import csv, statistics, sys
from collections import defaultdict

VERSIONS = {
    "unordered": "in no order",
    "root-splitting": "captures first",
    "ordered": "by static evaluation",
    "beam": "and the better half alone",
    "deepening": "captures first, by iterative deepening",
    "deepening-table": "and with a table",
}

def samples(directory):
    """Rows by searcher and threads, each by position."""
    rows = defaultdict(dict)
    for r in csv.DictReader(open(f"{sys.argv[1]}/{directory}/samples.csv")):
        assert r["status"] == "ok", r
        rows[r["searcher"], int(r["threads"])][r["position"]] = r
    return rows

def mean(rows, column):
    return statistics.mean(float(row[column]) for row in rows.values())

def milliseconds(rows):
    time = 1e3 * mean(rows, "time_s")
    return f"{time:.3g}" if time < 1000 else f"{time:,.0f}"

print("| depth | moves | one: time, real (ms) | time, virtual (ms) | nodes | four: time, virtual (ms) | nodes | beside one | beside one in no order | the sequential move |")
print("|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|")
for depth in range(1, 7):
    virtual, real = samples(depth), samples(f"real-{depth}")
    sequential = virtual["sequential", 1]
    assert mean(sequential, "nodes") == mean(virtual["root-splitting", 1], "nodes")
    for version, moves in VERSIONS.items():
        one, four = virtual[version, 1], virtual[version, 4]
        time = mean(four, "time_s")
        same = sum(four[position]["best_move"] == row["best_move"] for position, row in sequential.items())
        print(f"| {depth} | {moves} | {milliseconds(real[version, 1])} | {milliseconds(one)} | {mean(one, 'nodes'):,.0f}"
              f" | {milliseconds(four)} | {mean(four, 'nodes'):,.0f} | {mean(one, 'time_s') / time:.2f} | {mean(virtual['unordered', 1], 'time_s') / time:.2f} | {same} of {len(sequential)} |")
PY
