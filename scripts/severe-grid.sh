#!/usr/bin/env bash
# The severe grid: does the simulation foretell two real cores where pieces of work are small? Depths 8, 10, 12 and 14 by YBWC's `min_depth` 1, 2,
# 4 and 8, real and virtual, and a Deming regression of log real on log virtual speedup over all cells.
#
#     scripts/severe-grid.sh DIR [COSTS.toml]    # COSTS.toml: a [virtual] section, as `ttd calibrate` prints it
#
# POSITIONS (100), RUNS (6), DEPTHS and MIN_DEPTHS make another grid; the set is `openings-8moves`. TTD names another program than that of this checkout.
# May be interrupted: the same call goes on. Two cores, an hour: nothing else may run.
set -euo pipefail
out=$(realpath -m "$1")
costs=${2:+$(realpath "$2")}
cd "$(dirname "$0")/.."
if [ -z "${TTD:-}" ]; then
    cargo build --release
    TTD=${CARGO_TARGET_DIR:-target}/release/ttd
fi
mkdir -p "$out"

positions=${POSITIONS:-100}
runs=${RUNS:-6}

experiment() { # DEPTH
    cat <<EOF
positions = "openings-8moves"
only = ["1-$positions"]
threads = [1, 2]
depth = $1
runs = $runs
hash_mib = 64
EOF
    for min_depth in ${MIN_DEPTHS:-1 2 4 8}; do
        cat <<EOF

[[variants]]
name = "min-depth-$min_depth"
searcher = "ybwc"
parameters = { min_depth = $min_depth }
EOF
    done
    if [ -n "$costs" ]; then
        echo
        cat "$costs"
    fi
}

pairs=()
for depth in ${DEPTHS:-8 10 12 14}; do
    file=$out/depth-$depth.toml
    experiment "$depth" >"$file"
    "$TTD" run "$file" --cores virtual --jobs 2 --out "$out/virtual-$depth" --yes >/dev/null
    "$TTD" run "$file" --cores real --out "$out/real-$depth" --yes >/dev/null
    pairs+=("$out/real-$depth" "$out/virtual-$depth")
done
"$TTD" validate "${pairs[@]}"
