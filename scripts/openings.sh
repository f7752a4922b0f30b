#!/usr/bin/env bash
# The set positions/openings-4000.epd, from games of our own engine: one position of each opening that has a fit one.
#
#     scripts/openings.sh DIR > positions/openings-4000.epd
#
# Openings are 4 random moves behind those of openings-8moves. Each has two games of up to 12 moves a side, 2,000 and 2,200 nodes
# a move, on virtual cores: the same games on every machine, as long as the search is the same. A position is fit if nobody is in
# check, it has two moves or more, and the engine's own score there is within half a pawn of 0. It is the first fit one 8 to 20
# plies into a game. Needs python-chess (`pip install chess`). It takes minutes, and goes on where it stopped; TTD is the program.
set -euo pipefail
cd "$(dirname "$0")/.."
if (($# != 1)); then
    sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2
    exit 2
fi
out=$(realpath -m "$1") openings=9000
ttd=${TTD:-${CARGO_TARGET_DIR:-target}/release/ttd}
mkdir -p "$out"
[[ -s $out/random.epd ]] || scripts/random-openings.py $openings >"$out/random.epd"
cat >"$out/games.toml" <<END
openings = "random.epd"
games = $((2 * openings))
nodes = 2000
hash_mib = 4
cores = "virtual"
adjudication = { max_moves = 12 }
entries = [
    { name = "fewer", searcher = "sequential" },
    { name = "more", searcher = "sequential", time_factor = 1.1 },
]
END
"$ttd" match "$out/games.toml" --out "$out/games" --concurrency "${JOBS:-1}" >&2
python3 - "$out/games/games.pgn" 4000 0.5 <<'END'
import re
import sys

import chess.pgn

path, number, most = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
found, known = {}, set()
with open(path, encoding="utf-8") as file:
    while (game := chess.pgn.read_game(file)) is not None:
        opening, board = game.headers["Opening"], game.board()
        place = int(opening.rpartition("+")[2])
        for ply, node in enumerate(game.mainline()):
            score = re.search(r"\[%eval (-?[\d.]+),", node.comment)
            fit = score and abs(float(score[1])) <= most and not board.is_check() and board.legal_moves.count() > 1
            if place not in found and 8 + place * 5 % 13 <= ply and fit and board.epd() not in known:
                known.add(board.epd())
                found[place] = board.copy()
            board.push(node.move)
lines = [found[place] for place in sorted(found)][:number]
for at, board in enumerate(lines, 1):
    print(board.epd(hmvc=board.halfmove_clock, fmvn=board.fullmove_number, id=f"own.{at:04}"))
if len(lines) < number:
    sys.exit(f"only {len(lines)} openings have a fit position: more openings give more")
END
