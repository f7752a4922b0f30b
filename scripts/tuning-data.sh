#!/usr/bin/env bash
# Games of our own engine to tune the evaluation on: two that differ in nothing but a tenth of their nodes, from openings with
# random moves behind them. Then: ttd tune DIR/games/games.pgn (docs/tuning.md).
#
#     scripts/tuning-data.sh DIR [GAMES [NODES]]
#
# 5,000 games of 5,000 nodes a move unless it is said. The same call goes on where it stopped. Needs python-chess
# (`pip install chess`).
set -euo pipefail
cd "$(dirname "$0")/.."
if (($# < 1 || $# > 3)); then
    sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2
    exit 2
fi
out=$(realpath -m "$1") games=${2:-5000} nodes=${3:-5000}

cargo build --release
ttd=${CARGO_TARGET_DIR:-target}/release/ttd
mkdir -p "$out"
# Two games of each opening.
scripts/random-openings.py $((games / 2)) >"$out/random-openings.epd"
cat >"$out/games.toml" <<END
name = "tuning"
openings = "random-openings.epd"
games = $games
nodes = $nodes
hash_mib = 4
move_limit_s = 60

# What is decided is not played out: its positions would teach nothing.
[adjudication]
resign = { moves = 4, score = 800 }
draw = { after = 50, moves = 10, score = 8 }
max_moves = 200

[[entries]]
name = "fewer"
searcher = "sequential"

[[entries]]
name = "more"
searcher = "sequential"
time_factor = 1.1
END
"$ttd" match "$out/games.toml" --out "$out/games"
