#!/usr/bin/env bash
# How often the verdicts of `comparisons.csv` err. Prints the tables of docs/coverage.md, "Verdicts".
#
#     scripts/verdicts.sh        # in simulations
#     scripts/verdicts.sh DIR    # on this machine, measured into DIR
#
# In simulations: 2,000 simulated pairs of competitors in each of 36 settings, and 2,000 reports on nine competitors in nine. The same
# figures on every machine (up to the last digit of a mathematical library).
#
# On this machine: how often a searcher is said to be faster than itself, by `experiments/same-twice.toml` with twenty seeds. Prints
# the figures of every pair and how many verdicts are "no difference seen". Six minutes of two cores, which should be quiet; the same
# call goes on where it stopped. TTD names another program than that of this checkout.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# = 0 ]; then
    cargo test --release --locked --lib -- --ignored --nocapture verdicts_of_two_thousand_pairs |
        sed -n '/^|/p; /^$/p'
    exit
fi
out=$(realpath -m "$1")
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
