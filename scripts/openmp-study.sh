#!/usr/bin/env bash
# The versions of the OpenMP engine by depth: `experiments/openmp-study.toml` once for each depth; prints the mean time and nodes
# of a move, how many times as fast as the sequential version each is, and in how many positions it has its move, on four virtual cores; then the same of one worker on a
# real core, for which the machine should be quiet.
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
for cores, prefix in ("virtual", ""), ("real", "real-"):
    print(f"\n| depth | version | workers | time, {cores} (ms) | nodes | times as fast | the same move |\n|---:|---|---:|---:|---:|---:|---:|")
    for depth in range(1, 7):
        taken, moves = defaultdict(list), defaultdict(dict)
        for r in csv.DictReader(open(f"{sys.argv[1]}/{prefix}{depth}/samples.csv")):
            assert r["status"] == "ok", r
            taken[r["searcher"], int(r["threads"])].append((float(r["time_s"]), int(r["nodes"])))
            moves[r["searcher"], int(r["threads"])][r["position"]] = r["best_move"]
        mean = lambda of, column: statistics.mean(value[column] for value in of)
        alone = mean(taken["sequential", 1], 0)
        for (version, workers), of in sorted(taken.items(), key=lambda item: (item[0][1], -mean(item[1], 0))):
            time, own = mean(of, 0), moves["sequential", 1]
            same = sum(move == own[position] for position, move in moves[version, workers].items())
            print(f"| {depth} | {version} | {workers} | {1e3 * time:.2f} | {mean(of, 1):.0f} | {alone / time:.2f} | {same} of {len(own)} |")
PY
