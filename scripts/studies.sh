#!/usr/bin/env bash
# Prints the tables of docs/studies/ that no report has: speedup and nodes by position of recursive splitting, of the MPI study's other
# attempts and of YBWC, on 128 workers; and time and nodes by depth of root splitting.
#
#     scripts/studies.sh
#
# Reads the results `recursive-splitting`, `recursive-splitting-unpruned` and `root-splitting` (scripts/reproduce.sh) in results/, or in the
# directory that RESULTS names.
set -euo pipefail
cd "$(dirname "$0")/.."
results=${RESULTS:-results}

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

for searcher in recursive-splitting exchange-alpha sequential-1 sequential-2 top-level ybwc; do
    echo "recursive-splitting, $searcher, 128 workers:"
    by_position "$results/recursive-splitting" "$searcher"
done
for searcher in recursive-splitting top-level ybwc; do
    echo "recursive-splitting-unpruned, $searcher, 128 workers:"
    by_position "$results/recursive-splitting-unpruned" "$searcher"
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
