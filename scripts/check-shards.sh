#!/usr/bin/env bash
# Ten thousand virtual samples in a hundred parts, a third of the parts killed at a random moment and run again, merged, and compared with an
# undivided run; then the time of both: scripts/check-shards.sh [TTD [RUNS [PARTS [DEPTH]]]]. Some twenty minutes of two cores.
set -euo pipefail
cd "$(dirname "$0")/.."
ttd=$(realpath "${1:-target/release/ttd}")
runs=${2:-53} # of 192 cells
parts=${3:-100}
depth=${4:-11} # a sample takes some 30 ms
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
options=(--positions bratko-kopec --searchers "ybwc,lazy-smp" --threads 1,2,4,8 --depth "$depth" --runs "$runs" --hash 1 --cores virtual --name sweep --yes)
part() { # NUMBER: to its end
    "$ttd" run "${options[@]}" --shard "$1/$parts" --out "part-$1" >/dev/null 2>&1
}
# Processor time of all that was started so far, in seconds: a busy machine does not disturb it as much as time on the wall.
spent() { # sets `seconds`
    times >times # not in a subshell, which has times of its own
    seconds=$(awk 'NR == 2 {for (i = 1; i <= 2; i++) {split($i, t, /[ms]/); sum += 60 * t[1] + t[2]} printf "%.3f", sum}' times)
}

spent && begun=$seconds
"$ttd" run "${options[@]}" --shard 1/1 --out undivided >/dev/null 2>&1
spent && whole=$(awk "BEGIN {print $seconds - $begun}")
"$ttd" run "${options[@]}" --out whole >/dev/null 2>&1
spent && begun=$seconds
for number in $(seq "$parts"); do part "$number"; done
spent && divided=$(awk "BEGIN {print $seconds - $begun}")

# A third of the parts again, each killed at a random moment.
killed=0 midway=0
for number in $(seq 1 3 "$parts"); do
    rm -rf "part-$number"
    "$ttd" run "${options[@]}" --shard "$number/$parts" --out "part-$number" >/dev/null 2>&1 &
    sleep "$((RANDOM % 3)).$((RANDOM % 10))"
    if kill -9 $! 2>/dev/null; then killed=$((killed + 1)); fi
    wait $! 2>/dev/null || true
    rows=$({ cat "part-$number/samples.csv" 2>/dev/null || true; } | wc -l)
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
awk "BEGIN {printf \"processor time: %.1f s undivided, %.1f s in parts: %.2f%% more, %.0f ms a part\\n\", $whole, $divided, 100 * ($divided / $whole - 1), 1000 * ($divided - $whole) / $parts}"
