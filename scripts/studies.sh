#!/usr/bin/env bash
# Prints the tables of docs/studies.md that no report has: speedup and nodes by position of recursive splitting and YBWC on 128
# workers, the same of the study's later attempts, and time and nodes by depth of root splitting. Reads the kept results, and searches the
# attempts anew.
#
#     scripts/studies.sh [DIR]
#
# Three minutes of two cores. TTD names another program than that of this checkout, RESULTS another directory than results/.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(realpath -m "${1:-results/studies}") results=${RESULTS:-results}
if [ -z "${TTD:-}" ]; then
    cargo build --release
    TTD=${CARGO_TARGET_DIR:-target}/release/ttd
fi
mkdir -p "$out"

by_position() { # DIR SEARCHER
    python3 - "$1/samples.csv" "$2" <<'PY'
import csv, sys
samples = {(r["position"], r["threads"]): r for r in csv.DictReader(open(sys.argv[1])) if r["searcher"] == sys.argv[2]}
for position in dict.fromkeys(position for position, _ in samples):
    one, many = samples[position, "1"], samples[position, "128"]
    speedup = float(one["time_s"]) / float(many["time_s"])
    print(f"  {position:12} {speedup:6.1f}  nodes {int(many['nodes']) / int(one['nodes']):6.2f}-fold")
PY
}

for kept in recursive-splitting recursive-splitting-unpruned; do
    for searcher in recursive-splitting ybwc; do
        echo "$kept, $searcher, 128 workers:"
        by_position "$results/$kept" "$searcher"
    done
done

for attempt in exchange_alpha=true sequential_plies=1 sequential_plies=2 top_level_only=true; do
    {
        sed -e '/^searchers = /d' -e 's/^threads = .*/threads = [1, 128]/' -e '/^\[searcher/,$d' experiments/recursive-splitting.toml |
            sed -e 's/^depth = /searchers = ["recursive-splitting"]\nonly = ["start", "ruy-lopez", "london", "puzzle-1"]\ndepth = /'
        printf '[searcher.recursive-splitting]\n%s\n' "$attempt"
    } >"$out/$attempt.toml"
    "$TTD" run "$out/$attempt.toml" --jobs 2 --name "$attempt" --out "$out/$attempt" >/dev/null 2>"$out/$attempt.log"
    echo "$attempt, 128 workers:"
    by_position "$out/$attempt" recursive-splitting
done

echo "root-splitting, medians over positions: depth, one worker (ms, nodes), four (ms, nodes), speedup"
python3 - "$results"/root-splitting/iterations.csv <<'PY'
import csv, statistics, sys
from collections import defaultdict
done = defaultdict(dict)
for r in csv.DictReader(open(sys.argv[1])):
    done[r["searcher"], r["threads"], int(r["depth"])][r["position"]] = (float(r["time_s"]), int(r["nodes"]))
for depth in range(4, 15, 2):
    one, four = done["sequential", "1", depth], done["root-splitting", "4", depth]
    median = lambda of, column: statistics.median(value[column] for value in of.values())
    speedup = statistics.median(one[p][0] / four[p][0] for p in one)
    print(f"  {depth:2} {1e3 * median(one, 0):7.1f} {median(one, 1):9.0f} {1e3 * median(four, 0):7.1f} {median(four, 1):9.0f} {speedup:5.2f}")
PY
