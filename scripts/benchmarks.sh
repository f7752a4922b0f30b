#!/usr/bin/env bash
# Prints the figures of docs/benchmarks.md that are in no kept result, each below the command that printed it.
#
#     scripts/benchmarks.sh [DIR]
#
# On a quiet machine: six minutes. TTD names another program than that of this checkout.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(realpath -m "${1:-target/benchmarks}")
if [ -z "${TTD:-}" ]; then
    cargo build --release
    TTD=$(realpath "${CARGO_TARGET_DIR:-target}/release/ttd")
fi
mkdir -p "$out"

# Prints the command, and the last lines of what it prints.
ttd() { # LINES ARGUMENT...
    printf '\n$ ttd %s\n' "${*:2}"
    "$TTD" "${@:2}" 2>/dev/null | tail -n "$1"
}
column() { # FILE SEARCHER THREADS COLUMN
    python3 - "$@" <<'PY'
import csv, sys
file, searcher, threads, column = sys.argv[1:]
for row in csv.DictReader(open(file)):
    if (row["searcher"], row["threads"]) == (searcher, threads):
        print(row[column])
PY
}

date -u
lscpu | grep 'Model name'
uptime
git log -1 --format='commit %h of the checkout'

echo "# Speed, one thread"
for _ in 1 2 3; do ttd 6 bench --runs 3; done
for _ in 1 2; do ttd 6 bench --depth 20 --hash 256; done
ttd 6 bench --positions win-at-chess --depth 12 --hash 256

echo "# One thread of every searcher beside the sequential one: over positions the median ratio of median times"
"$TTD" run --searchers sequential,ybwc,lazy-smp --threads 1 --base sequential --depth 14 --runs 15 --out "$out/one-thread" >/dev/null 2>&1
for searcher in ybwc lazy-smp; do
    echo "$searcher: speedup $(column "$out/one-thread/summary.csv" $searcher 1 speedup_median)"
done

echo "# Between samples: 1,500 searches of one ply"
rm -rf "$out/driver"
{ time "$TTD" run --searchers sequential --threads 1 --depth 1 --hash 1 --runs 50 --out "$out/driver" >/dev/null 2>&1; } 2>&1

echo "# Nodes simulated a second of the host's time, beside the real search of the same round"
for _ in 1 2 3; do
    ttd 3 bench --depth 14 --hash 64
    ttd 3 bench --depth 14 --hash 64 --virtual-cores 1
    for cores in 8 64; do
        for searcher in ybwc lazy-smp; do ttd 3 bench --depth 14 --hash 64 --virtual-cores $cores --searcher $searcher; done
    done
done

echo "# Memory of 1,024 virtual cores"
rm -rf "$out/memory"
/usr/bin/time -f '%M KiB' "$TTD" run --cores virtual --threads 1,1024 --depth 12 --only 1 --runs 1 --searchers ybwc --out "$out/memory" \
    2>&1 >/dev/null | tail -n 1
