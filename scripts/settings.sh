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
#     scripts/settings.sh naked-race [DIR] [RUNS]
#
# The lecture's naked race on virtual cores: `bratko-kopec` to depth 9 in a table of 1 MiB, on 2, 8 and 64 workers. A writer pauses
# between the two words of an entry for 1 ns to 10 us (`tear_ps`). Each search is set beside one with checks, with equal pauses and
# seeds: torn entries that look-ups met and took, and how many scores and best moves differ (Wilson's 95% intervals). The last rows
# have no race: two seeds with checks. A few minutes of one core for one run.
#
# On virtual cores the same bytes on every machine. The same call goes on where it stopped. TTD names another program than that of
# this checkout.
set -euo pipefail
question=${1:-}
case $question in
tables) of=tables ;;
lazy-smp) of=lazy-smp-settings ;;
node-rates) of=node-rates ;;
naked-race) of=naked-race ;;
*)
    echo "tables, lazy-smp, node-rates or naked-race expected" >&2
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
        [[ "$*" == *put_off_depth* ]] || echo 'put_off_depth = 100'
        printf '%s\n' "${@:2}"
    } >"$out/$1.toml"
    measure "$1" --jobs 2
    rows "$1" "$number" 'printf "%.3f  %.3f to %.3f  %+4.0f%%  %3.0f%%  %s\n", $column["geometric_mean"],
        $column["geometric_mean_ci_runs_lower"], $column["geometric_mean_ci_runs_upper"],
        100 * $column["search_overhead"], 100 * $column["busy_fraction"], name'
}
lazy-smp() {
    {
        lazily never-put-off
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

raced() { # ACCESS TEAR_PS SEED
    {
        printf '%s\n' 'positions = "bratko-kopec"' 'searchers = ["ybwc", "lazy-smp"]' 'threads = [1, 2, 8, 64]' \
            'depth = 9' "runs = $number" 'hash_mib = 1' 'cores = "virtual"' "seed = $3" \
            '[virtual]' "tear_ps = $2" '[searcher.ybwc]' "table_access = \"$1\"" '[searcher.lazy-smp]' 'put_off_depth = 100' "table_access = \"$1\""
    } >"$out/$1-$2-$3.toml"
    measure "$1-$2-$3" 2>"$out/$1-$2-$3.log"
}
# Prints a line for the samples of two cases that have so many workers of a searcher; `-` for any.
differing() { # NAME OTHER TEAR SEARCHER THREADS
    awk -F, -v tear="$3" -v searcher="$4" -v threads="$5" '
        function wilson(k, n,  z, p, middle, half) {
            if (!n) return "-"
            z = 1.959964; p = k / n; middle = (p + z * z / (2 * n)) / (1 + z * z / n)
            half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
            return sprintf("%d of %d: %.1f (%.1f to %.1f)", k, n, 100 * p, k ? 100 * (middle - half) : 0, 100 * (middle + half))
        }
        FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; file++; next }
        $column["threads"] == 1 || (searcher != "-" && $column["searcher"] != searcher) { next }
        threads != "-" && $column["threads"] != threads { next }
        { key = $column["round"] "," $column["searcher"] "," $column["threads"] "," $column["position"] }
        file == 1 { score[key] = $column["score"]; best[key] = $column["best_move"]; next }
        {
            n++; probes += $column["table_probes"]; met += $column["torn_slots"]; taken += $column["torn_reads"]
            with += $column["torn_reads"] > 0
            scores += $column["score"] != score[key]; moves += $column["best_move"] != best[key]
        }
        END {
            printf "| %s | %s | %s | %.4g | %d | %d | %d of %d | %s | %s |\n", tear, searcher, threads, probes / 1e6, met, taken, with, n,
                wilson(scores, n), wilson(moves, n)
        }' "$out/$2/samples.csv" "$out/$1/samples.csv"
}
naked-race() {
    echo '| pause | searcher | workers | million look-ups | torn met | taken | searches with one taken | scores differ, % | best moves differ, % |'
    echo '|---|---|---|---:|---:|---:|---:|---:|---:|'
    for tear in 1000 10000 100000 1000000 10000000; do
        raced lockless "$tear" 1
        raced naked "$tear" 1
        differing "naked-$tear-1" "lockless-$tear-1" "$tear ps" - -
    done
    for searcher in ybwc lazy-smp; do
        for threads in 2 8 64; do
            differing naked-1000000-1 lockless-1000000-1 '1000000 ps' "$searcher" "$threads"
        done
    done
    raced lockless 1000000 2
    for searcher in - ybwc lazy-smp; do
        differing lockless-1000000-2 lockless-1000000-1 'another seed' "$searcher" -
    done
}

"$question"
