#!/usr/bin/env bash
# How often a searcher is said to be faster than itself on this machine: `experiments/same-twice.toml` with twenty seeds; prints
# the figures of every pair and how many verdicts are "no difference seen" (docs/coverage.md).
#
#     scripts/same-twice.sh [DIR]
#
# Six minutes of two cores, which should be quiet; the same call goes on where it stopped. TTD names another program than that of this checkout.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(realpath -m "${1:-results/same-twice}")
if [ -z "${TTD:-}" ]; then
    cargo build --release
    TTD=${CARGO_TARGET_DIR:-target}/release/ttd
fi
mkdir -p "$out"

for seed in $(seq 20); do
    "$TTD" run experiments/same-twice.toml --seed "$seed" --out "$out/$seed" >/dev/null 2>"$out/$seed.log"
done
python3 - "$out" <<'PY'
import csv, sys
print("| seed | threads | times as fast | ci_runs | ci_positions | p | verdict |\n|---:|---:|---:|---|---|---:|---|")
seen = {}
for seed in range(1, 21):
    for r in csv.DictReader(open(f"{sys.argv[1]}/{seed}/comparisons.csv")):
        number = lambda column: f"{float(r[column]):.3f}"
        ci = lambda name: f"{number(f'times_as_fast_{name}_lower')} to {number(f'times_as_fast_{name}_upper')}"
        print(f"| {seed} | {r['threads']} | {number('times_as_fast')} | {ci('ci_runs')} | {ci('ci_positions')} | {number('p')} | {r['verdict']} |")
        told = seen.setdefault(r["threads"], [0, 0, 0])
        told[0] += r["verdict"] == "no difference seen"
        told[1] += float(r["p"]) > 0.05
        told[2] += 1
for threads, (none, above, pairs) in sorted(seen.items()):
    print(f"\nthreads {threads}: no difference seen in {none} of {pairs}; p above 5% before the correction in {above}.")
PY
