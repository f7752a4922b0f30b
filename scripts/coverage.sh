#!/usr/bin/env bash
# How often the report's intervals hold the truth (docs/coverage.md): the whole grid of runs, positions and variations,
# so many simulated experiments in each cell.
#
#     scripts/coverage.sh [EXPERIMENTS [FILE.csv]]
#
# Writes FILE.csv (coverage.csv in the working directory) and prints the table of docs/coverage.md. 2000 experiments, the
# default, take an hour and a quarter of processor time; JOBS=2 takes two cells of the grid at a time.
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
done | xargs -P "${JOBS:-1}" -L 1 sh -c '"$0" "$1" "$3" "$4" "$5" > "$2/$3-$4-$5.csv"' "$program" "$experiments" "$parts"

first=("$parts"/*.csv)
{ head -n 1 "${first[0]}"; tail -q -n +2 "$parts"/*.csv | sort -t, -k4,4 -k1,1n -k2,2n -k3,3n; } > "$file"

# A row an interval, a column a cell of the grid; the first row is the runs, the second the positions, the third the variation.
awk -F, 'NR > 1 {
    cell = $1 "," $2 "," $3
    if (!(cell in seen)) { seen[cell] = 1; cells[++count] = cell }
    if (!($4 in known)) { known[$4] = 1; names[++rows] = $4 }
    coverage[$4, cell] = $6
}
END {
    split("runs,positions,variation", heads, ",")
    for (head = 1; head <= 3; head++) {
        line = "| " heads[head]
        for (c = 1; c <= count; c++) { split(cells[c], of, ","); line = line " | " (head < 3 ? of[head] : 100 * of[3] "%") }
        print line " |"
        if (head == 1) { line = "|---"; for (c = 1; c <= count; c++) line = line "|---:"; print line "|" }
    }
    for (row = 1; row <= rows; row++) {
        line = "| " names[row]
        for (c = 1; c <= count; c++) line = line sprintf(" | %.1f", 100 * coverage[names[row], cells[c]])
        print line " |"
    }
}' "$file"
