#!/usr/bin/env bash
# Plays each searcher on two threads against itself on one, until the 95% interval of the Elo gain is above 0, looked at
# every 50 games, or 600 games are played. May be interrupted: the same call goes on where it stopped.
#
#     scripts/two-threads.sh [DIR [SEARCHER...]]
#
# TTD names another program than that of this checkout.
#
# Looking again and again makes an interval above 0 by chance likelier than 2.5%: about 10% with 12 looks, if there is
# no gain at all.
set -euo pipefail
out=$(realpath -m "${1:-$(dirname "$0")/../results/two-threads}")
shift || true
cd "$(dirname "$0")/.."
if [ -z "${TTD:-}" ]; then
    cargo build --release
    TTD=${CARGO_TARGET_DIR:-target}/release/ttd
fi
mkdir -p "$out"

if [ $# = 0 ]; then set -- ybwc lazy-smp; fi
for searcher in "$@"; do
    dir=$out/$searcher
    sed "/^\\[\\[entries/,\$s/ybwc/$searcher/" experiments/two-threads.toml >"$out/$searcher.toml"
    for games in $(seq 50 50 600); do
        "$TTD" match "$out/$searcher.toml" --games "$games" --out "$dir" >/dev/null
        # elo_ci_lower of the entry against its only opponent
        lower=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
            $column["entry"] == "'"$searcher"'-2" && $column["opponent"] != "" { print $column["elo_ci_lower"] }' \
            "$dir/standings.csv")
        echo "$searcher: $games games, at least $lower Elo (95%)"
        if awk -v lower="$lower" 'BEGIN { exit !(lower > 0) }'; then break; fi
    done
done
