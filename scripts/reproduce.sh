#!/usr/bin/env bash
# Measures the kept result again, into results/again or the directory given as the first argument,
# to be compared with the kept one. May be interrupted: the same call goes on where it stopped.
#
#     scripts/reproduce.sh [DIR]
#
# The machine should be otherwise idle, and its load is recorded. Two cores take a quarter of an hour.
set -euo pipefail
out=$(realpath -m "${1:-$(dirname "$0")/../results/again}")
cd "$(dirname "$0")/.."

cargo build --release
ttd=${CARGO_TARGET_DIR:-target}/release/ttd

"$ttd" run --name middlegames-1-2 --threads 1,2 --depth 18 --runs 6 --out "$out/middlegames-1-2"
