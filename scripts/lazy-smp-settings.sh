#!/usr/bin/env bash
# How the settings of Lazy SMP do on two virtual cores: `bratko-kopec` to depth 15, 8 runs with different jitter.
# Prints a line for each, the best first: geometric-mean speedup, its `ci_runs`, search overhead, busy fraction.
#
#     scripts/lazy-smp-settings.sh [DIR] [THREADS]
#
# The same bytes on every machine; a quarter of an hour on two cores. May be interrupted. TTD names another program than
# that of this checkout.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(realpath -m "${1:-results/lazy-smp-settings}")
threads=${2:-2}

if [ -z "${TTD:-}" ]; then
    cargo build --release
    TTD=$(realpath "${CARGO_TARGET_DIR:-target}/release/ttd")
fi
mkdir -p "$out"

try() { # NAME LINE...
    local name=$1
    shift
    {
        printf '%s\n' 'positions = "bratko-kopec"' 'searchers = ["lazy-smp"]' 'cores = "virtual"' \
            'depth = 15' 'runs = 8' 'hash_mib = 64' "threads = [1, $threads]" '[searcher.lazy-smp]'
        printf '%s\n' "$@"
    } >"$out/$name.toml"
    "$TTD" run "$out/$name.toml" --jobs 2 --out "$out/$name" >/dev/null
    awk -F, -v threads="$threads" -v name="$name" '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        $column["threads"] == threads {
            printf "%.3f  %.3f to %.3f  %+4.0f%%  %3.0f%%  %s\n", $column["geometric_mean"],
                $column["geometric_mean_ci_runs_lower"], $column["geometric_mean_ci_runs_upper"],
                100 * $column["search_overhead"], 100 * $column["busy_fraction"], name
        }' "$out/$name/summary.csv"
}

{
    try default
    try stagger-none 'stagger = "none"'
    try stagger-halving 'stagger = "halving"'
    try stagger-skip-blocks 'stagger = "skip-blocks"'
    try root-order-same 'root_order = "same"'
    try root-order-shuffled 'root_order = "shuffled"'
    try stagger-none-shuffled 'stagger = "none"' 'root_order = "shuffled"'
    try past-depth 'past_depth = true'
    try end-main 'end = "main"'
    try shared-history 'history = "shared"'
    try put-off 'put_off_depth = 4'
    try spread 'spread_depth = 4'
    try look-again 'look_again_depth = 4'
    try per-iteration 'helpers = "per-iteration"'
    try per-iteration-past-depth 'helpers = "per-iteration"' 'past_depth = true'
    try thesis 'helpers = "per-iteration"' 'stagger = "halving"' 'past_depth = true' \
        'root_order = "same"' 'end = "main"'
} | sort -rn
