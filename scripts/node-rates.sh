#!/usr/bin/env bash
# What costs a worker of YBWC time on two real cores: `bratko-kopec` to depth 15 with several settings, in turn.
# Prints a line for each and each of ROUNDS: node rate, busy fraction and search overhead of both searchers.
#
#     scripts/node-rates.sh [DIR] [ROUNDS]
#
# Four minutes for two rounds; nothing else may run. TTD names another program than that of this checkout.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(realpath -m "${1:-results/node-rates}")
rounds=${2:-2}

if [ -z "${TTD:-}" ]; then
    cargo build --release
    TTD=${CARGO_TARGET_DIR:-target}/release/ttd
fi
mkdir -p "$out"

try() { # NAME SEED LINE...
    local name=$1 seed=$2 dir=$out/$1-$2
    shift 2
    {
        printf '%s\n' 'positions = "bratko-kopec"' 'searchers = ["ybwc", "lazy-smp"]' 'threads = [1, 2]' \
            'depth = 15' 'runs = 2' "seed = $seed"
        printf '%s\n' "$@"
    } >"$dir.toml"
    "$TTD" run "$dir.toml" --out "$dir" >/dev/null
    awk -F, -v name="$name" '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        $column["threads"] == 2 {
            printf "%-14s %-8s node rate %.3f, busy %.3f, search overhead %+.3f\n", name, $column["searcher"],
                $column["node_rate"], $column["busy_fraction"], $column["search_overhead"]
        }' "$dir/summary.csv"
}

for round in $(seq "$rounds"); do
    try default "$round"
    try nothing-shared "$round" '[searcher.ybwc]' 'min_depth = 60'
    try own-history "$round" '[searcher.ybwc]' 'history = "private"'
    try fewer-joins "$round" '[searcher.ybwc]' 'min_depth = 8'
    try seldom-polling "$round" '[searcher.ybwc]' 'poll_nodes = 64'
done
