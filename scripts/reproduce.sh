#!/usr/bin/env bash
# Measures the kept results again, into results/again or the directory given as the first argument,
# to be compared with the kept ones. May be interrupted: the same call goes on where it stopped.
#
#     scripts/reproduce.sh [DIR]
#
# The machine should be otherwise idle, and its load is recorded. Two cores take four to nine hours, most of it for `virtual`.
set -euo pipefail
out=$(realpath -m "${1:-$(dirname "$0")/../results/again}")
cd "$(dirname "$0")/.."

cargo build --release
ttd=${CARGO_TARGET_DIR:-target}/release/ttd

measure() { # NAME ARGUMENT...
    "$ttd" run "${@:2}" --name "$1" --out "$out/$1"
}

measure middlegames-1-2 --threads 1,2 --depth 18 --runs 10
measure middlegames-1-8 --threads 1,2,4,8 --depth 20
measure validation-real experiments/virtual-validation.toml --cores real --runs 12
# On virtual cores: the same bytes in samples.csv, as long as the search is the same.
measure virtual-validation experiments/virtual-validation.toml --jobs 2
"$ttd" validate "$out/validation-real" "$out/virtual-validation"
measure virtual experiments/virtual.toml --jobs 2
measure virtual-sensitivity --cores virtual --searchers ybwc --threads 1,8,32 --depth 13 --runs 3 --sensitivity --jobs 2
measure recursive-splitting experiments/recursive-splitting.toml --jobs 2
measure recursive-splitting-unpruned experiments/recursive-splitting-unpruned.toml --jobs 2
measure root-splitting experiments/root-splitting.toml --jobs 2
measure searchers experiments/searchers.toml --jobs 2
measure hyatt-dts-20 experiments/searchers.toml --searchers ybwc,dts --depth 20 --hash 1024 --jobs 2
measure hyatt-dts-21 experiments/searchers.toml --searchers ybwc --depth 21 --hash 1024 --jobs 2
measure hyatt-dts-real --positions hyatt-dts --searchers ybwc --threads 1,2 --depth 17 --runs 5
scripts/tables.sh "$out/tables"
# Outside engines, and games: Debian's (scripts/install-engines.sh).
PATH=$PATH:/usr/games
measure engines experiments/engines.toml
"$ttd" match experiments/fast-games.toml --out "$out/fast-games"
"$ttd" match experiments/three-minutes.toml --out "$out/three-minutes"
"$ttd" match experiments/thesis-elo-fast.toml --out "$out/thesis-elo-fast"
"$ttd" match experiments/effective-speedup.toml --out "$out/effective-speedup"
