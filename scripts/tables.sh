#!/usr/bin/env bash
# The lecture's question: are the table, the killers and the history to be shared? `experiments/tables.toml`, once for each
# case; prints for each the median times on 1 and 8 virtual cores, the geometric mean of the speedup, its
# interval and the account.
#
#     scripts/tables.sh [DIR]
#
# Ten minutes of two cores. The same call goes on where it stopped. TTD names another program than that of this checkout.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(realpath -m "${1:-results/tables}")

if [ -z "${TTD:-}" ]; then
    cargo build --release
    TTD=${CARGO_TARGET_DIR:-target}/release/ttd
fi
mkdir -p "$out"

try() { # NAME LINE...
    local file=$out/$1.toml
    { cat experiments/tables.toml; printf '\n[searcher.ybwc]\n'; printf '%s\n' "${@:2}"; } >"$file"
    "$TTD" run "$file" --jobs 2 --name "tables-$1" --out "$out/$1" >/dev/null 2>"$out/$1.log"
    awk -F, -v name="$1" '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        $column["threads"] == 8 {
            printf "| %s | %.3f | %.3f | %.2f (%.2f to %.2f) | %+.0f%% | %.0f%% | %.3f |\n", name,
                $column["base_median_s"], $column["median_s"], $column["geometric_mean"], $column["geometric_mean_ci_runs_lower"], $column["geometric_mean_ci_runs_upper"],
                100 * $column["search_overhead"], 100 * $column["busy_fraction"], $column["node_rate"]
        }' "$out/$1/summary.csv"
}

echo '| case | time on 1 (s) | on 8 (s) | speedup (ci_runs) | search overhead | busy | node rate |'
echo '|---|---:|---:|---|---:|---:|---:|'
try default
try table-private 'table = "private"'
try table-locked 'table_access = "locked"'
try killers-shared 'killers = "shared"'
try killers-private 'killers = "private"'
try history-private 'history = "private"'
try history-copied 'history = "copied-at-split"'
