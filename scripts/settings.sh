#!/usr/bin/env bash
# What settings of searchers do: one experiment for each case of a question. Prints a line for each.
#
#     scripts/settings.sh tables [DIR]
#
# The lecture's question: are the table, the killers and the history to be shared? `experiments/tables.toml` on 8 virtual cores:
# the median times on 1 and 8, the geometric mean of the speedup, its interval and the account. Ten minutes of two cores.
#
#     scripts/settings.sh lazy-smp [DIR] [THREADS]
#
# The settings of Lazy SMP on two virtual cores: `bratko-kopec` to depth 15, 8 runs with different jitter. The best first:
# geometric-mean speedup, its `ci_runs`, search overhead, busy fraction. A quarter of an hour on two cores.
#
#     scripts/settings.sh node-rates [DIR] [ROUNDS]
#
# What costs a worker of YBWC time on two real cores: `bratko-kopec` to depth 15 with several settings, in turn, ROUNDS times. Node
# rate, busy fraction and search overhead of YBWC and Lazy SMP. Four minutes for two rounds; nothing else may run.
#
# On virtual cores the same bytes on every machine. The same call goes on where it stopped. TTD names another program than that of
# this checkout.
set -euo pipefail
question=${1:-}
case $question in
tables) of=tables ;;
lazy-smp) of=lazy-smp-settings ;;
node-rates) of=node-rates ;;
*)
    echo "tables, lazy-smp or node-rates expected" >&2
    exit 2
    ;;
esac
cd "$(dirname "$0")/.."
out=$(realpath -m "${2:-results/$of}")
number=${3:-2}

if [ -z "${TTD:-}" ]; then
    cargo build --release
    TTD=$(realpath "${CARGO_TARGET_DIR:-target}/release/ttd")
fi
mkdir -p "$out"

# Runs $out/NAME.toml into $out/NAME.
measure() { # NAME OPTION...
    "$TTD" run "$out/$1.toml" --out "$out/$1" "${@:2}" >/dev/null
}
# Prints a line for each row of a case's summary.csv that has so many threads.
rows() { # NAME THREADS PRINT...
    awk -F, -v name="$1" -v threads="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        $column["threads"] == threads { '"$3"' }' "$out/$1/summary.csv"
}

shared() { # NAME LINE...
    { cat experiments/tables.toml; printf '\n[searcher.ybwc]\n'; printf '%s\n' "${@:2}"; } >"$out/$1.toml"
    measure "$1" --jobs 2 --name "tables-$1" 2>"$out/$1.log"
    rows "$1" 8 'printf "| %s | %.3f | %.3f | %.2f (%.2f to %.2f) | %+.0f%% | %.0f%% | %.3f |\n", name,
        $column["base_median_s"], $column["median_s"], $column["geometric_mean"], $column["geometric_mean_ci_runs_lower"], $column["geometric_mean_ci_runs_upper"],
        100 * $column["search_overhead"], 100 * $column["busy_fraction"], $column["node_rate"]'
}
tables() {
    echo '| case | time on 1 (s) | on 8 (s) | speedup (ci_runs) | search overhead | busy | node rate |'
    echo '|---|---:|---:|---|---:|---:|---:|'
    shared default
    shared table-private 'table = "private"'
    shared table-locked 'table_access = "locked"'
    shared killers-shared 'killers = "shared"'
    shared killers-private 'killers = "private"'
    shared history-private 'history = "private"'
    shared history-copied 'history = "copied-at-split"'
}

lazily() { # NAME LINE...
    {
        printf '%s\n' 'positions = "bratko-kopec"' 'searchers = ["lazy-smp"]' 'cores = "virtual"' \
            'depth = 15' 'runs = 8' 'hash_mib = 64' "threads = [1, $number]" '[searcher.lazy-smp]'
        printf '%s\n' "${@:2}"
    } >"$out/$1.toml"
    measure "$1" --jobs 2
    rows "$1" "$number" 'printf "%.3f  %.3f to %.3f  %+4.0f%%  %3.0f%%  %s\n", $column["geometric_mean"],
        $column["geometric_mean_ci_runs_lower"], $column["geometric_mean_ci_runs_upper"],
        100 * $column["search_overhead"], 100 * $column["busy_fraction"], name'
}
lazy-smp() {
    {
        lazily default
        lazily stagger-none 'stagger = "none"'
        lazily stagger-halving 'stagger = "halving"'
        lazily stagger-skip-blocks 'stagger = "skip-blocks"'
        lazily root-order-same 'root_order = "same"'
        lazily root-order-shuffled 'root_order = "shuffled"'
        lazily stagger-none-shuffled 'stagger = "none"' 'root_order = "shuffled"'
        lazily past-depth 'past_depth = true'
        lazily end-main 'end = "main"'
        lazily shared-history 'history = "shared"'
        lazily put-off 'put_off_depth = 4'
        lazily spread 'spread_depth = 4'
        lazily look-again 'look_again_depth = 4'
        lazily per-iteration 'helpers = "per-iteration"'
        lazily per-iteration-past-depth 'helpers = "per-iteration"' 'past_depth = true'
        lazily thesis 'helpers = "per-iteration"' 'stagger = "halving"' 'past_depth = true' \
            'root_order = "same"' 'end = "main"'
    } | sort -rn
}

really() { # NAME SEED LINE...
    {
        printf '%s\n' 'positions = "bratko-kopec"' 'searchers = ["ybwc", "lazy-smp"]' 'threads = [1, 2]' \
            'depth = 15' 'runs = 2' "seed = $2"
        printf '%s\n' "${@:3}"
    } >"$out/$1-$2.toml"
    measure "$1-$2"
    rows "$1-$2" 2 'sub(/-[0-9]+$/, "", name)
        printf "%-14s %-8s node rate %.3f, busy %.3f, search overhead %+.3f\n", name, $column["searcher"],
            $column["node_rate"], $column["busy_fraction"], $column["search_overhead"]'
}
node-rates() {
    for round in $(seq "$number"); do
        really default "$round"
        really nothing-shared "$round" '[searcher.ybwc]' 'min_depth = 60'
        really own-history "$round" '[searcher.ybwc]' 'history = "private"'
        really fewer-joins "$round" '[searcher.ybwc]' 'min_depth = 8'
        really seldom-polling "$round" '[searcher.ybwc]' 'poll_nodes = 64'
    done
}

"$question"
