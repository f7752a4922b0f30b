#!/usr/bin/env bash
# Ten thousand virtual samples in a hundred parts, a third of the parts killed at a random moment and run again, merged, and compared with an
# undivided run; then the time of both: scripts/check-shards.sh [TTD [RUNS [PARTS]]]. Some twenty minutes of two cores.
set -euo pipefail
cd "$(dirname "$0")/.."
ttd=$(realpath "${1:-target/release/ttd}")
runs=${2:-53} # of 192 cells
parts=${3:-100}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
options=(--positions bratko-kopec --searchers "ybwc,lazy-smp" --threads 1,2,4,8 --depth 8 --runs "$runs" --hash 1 --cores virtual --name sweep --yes)
part() { # NUMBER: to its end
    "$ttd" run "${options[@]}" --shard "$1/$parts" --out "part-$1" >/dev/null 2>&1
}
now() { date +%s.%N; }

# Both ways in turns, so that a disturbance falls on both: a part, and as many samples of the whole.
begun=$(now)
"$ttd" run "${options[@]}" --out whole >/dev/null 2>&1
whole=$(echo "$(now) - $begun" | bc)
begun=$(now)
for number in $(seq "$parts"); do part "$number"; done
divided=$(echo "$(now) - $begun" | bc)

# A third of the parts again, each killed at a random moment.
killed=0 midway=0
for number in $(seq 1 3 "$parts"); do
    rm -rf "part-$number"
    "$ttd" run "${options[@]}" --shard "$number/$parts" --out "part-$number" >/dev/null 2>&1 &
    sleep "$((RANDOM % 3)).$((RANDOM % 10))"
    if kill -9 $! 2>/dev/null; then killed=$((killed + 1)); fi
    wait $! 2>/dev/null || true
    rows=$(wc -l <"part-$number/samples.csv" 2>/dev/null || echo 0)
    if [ "$rows" -gt 1 ]; then midway=$((midway + 1)); fi
    part "$number"
done
"$ttd" merge part-* --out merged 2>/dev/null
"$ttd" report merged >/dev/null
for file in whole/*.csv whole/experiment.toml whole/positions.epd; do
    cmp "$file" "merged/$(basename "$file")"
done
echo "$(($(wc -l <merged/samples.csv) - 1)) samples in $parts parts, $killed parts killed ($midway with samples): $(ls whole/*.csv | wc -l) CSV files" \
    "byte for byte those of the undivided run"
echo "undivided, with its report: $whole s; the parts one after the other: $divided s"
