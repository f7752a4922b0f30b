#!/usr/bin/env bash
# How often the report's intervals hold the truth (docs/statistics.md): the whole grid of runs, positions and variations,
# so many simulated experiments in each cell, two cells at a time.
#
#     scripts/coverage.sh [EXPERIMENTS [FILE.csv]]
#
# Writes FILE.csv (coverage.csv in the working directory). 2000 experiments, the default, take one to two hours of processor time (an estimate).
set -euo pipefail
experiments=${1:-2000}
file=$(realpath -m "${2:-coverage.csv}")
cd "$(dirname "$0")/.."
cargo build --release --locked --example coverage
program=${CARGO_TARGET_DIR:-target}/release/examples/coverage
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT

# The longest first.
for runs in 50 10 6; do
    for positions in 30 10; do
        for variation in 0.05 0.3; do
            echo "$runs $positions $variation"
        done
    done
done | xargs -P 2 -L 1 sh -c '"$0" "$1" "$3" "$4" "$5" > "$2/$3-$4-$5.csv"' "$program" "$experiments" "$parts"

first=("$parts"/*.csv)
{ head -n 1 "${first[0]}"; tail -q -n +2 "$parts"/*.csv | sort -t, -k4,4 -k1,1n -k2,2n -k3,3n; } > "$file"
echo "$file"
