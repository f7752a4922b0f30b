#!/usr/bin/env bash
# Makes small reports at the edges of what can be measured, and checks their pages in headless Chromium (check-html.py).
#
#     scripts/check-pages.sh [TTD [OUT]]        # target/release/ttd
#
# A minute of two cores. Results and pictures of the pages go to OUT, or are thrown away. Installs Chromium where it is missing.
# Exits 1 if a page is bad.
set -euo pipefail
cd "$(dirname "$0")/.."
ttd=$(realpath "${1:-target/release/ttd}")
out=${2:-}
if [ -z "$out" ]; then
    out=$(mktemp -d)
    trap 'rm -rf "$out"' EXIT
fi
mkdir -p "$out"

scripts/install.sh chromium

measure() { # NAME ARGUMENT...
    # Searches that are cut off are part of it.
    "$ttd" run "${@:2}" --hash 1 --out "$out/$1" >/dev/null 2>"$out/$1.log" || { cat "$out/$1.log" >&2; exit 1; }
}
all=sequential,root-splitting,recursive-splitting,pv-splitting,jamboree,ybwc,stealing,dts,abdada,lazy-smp
measure one --searchers sequential --threads 1 --only 1 --depth 3 --runs 1
measure one-position --threads 1,2 --only 1 --depth 6 --runs 2
measure all --cores virtual --searchers "$all" --threads 1,2,4,8 --only 1,2,3 --depth 5 --runs 6 --detail
measure many --cores virtual --positions win-at-chess --threads 1-9 --depth 3 --runs 1
measure censored --threads 1,2,4 --only 1,2,3 --depth 60 --time-limit 0.01 --runs 2
measure simulated --cores virtual --threads 1,2 --only 1,2,3 --depth 6 --runs 2 --sensitivity --name same
measure real --cores real --threads 1,2 --only 1,2,3 --depth 6 --runs 2 --name same
"$ttd" validate "$out/real" "$out/simulated" >/dev/null
"$ttd" match --by-depth 1..3 --searchers sequential,ybwc --games 2 --out "$out/match" >/dev/null 2>&1

mapfile -t pages < <(find "$out" -name '*.html' | sort)
scripts/check-html.py --shots "$out/shots" "${pages[@]}"
