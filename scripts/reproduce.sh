#!/usr/bin/env bash
# Measures the kept results again, into results/again or the directory given as the first argument,
# to be compared with the kept ones. May be interrupted: the same call goes on where it stopped.
#
#     scripts/reproduce.sh [DIR]
#
# The machine should be otherwise idle, and its load is recorded. Two cores take four hours.
set -euo pipefail
out=$(realpath -m "${1:-$(dirname "$0")/../results/again}")
cd "$(dirname "$0")/.."

cargo build --release
ttd=${CARGO_TARGET_DIR:-target}/release/ttd

"$ttd" run --threads 1,2,4,8 --depth 20 --name default --out "$out/default"

"$ttd" run --threads 1,2 --depth 18 --runs 10 --name middlegames-1-2 --out "$out/middlegames-1-2"

real=$out/validation-real
simulated=$out/virtual-validation
"$ttd" run experiments/virtual-validation.toml --cores real --out "$real"
# On virtual cores: the same bytes in samples.csv, as long as the search is the same.
"$ttd" run experiments/virtual-validation.toml --jobs 2 --out "$simulated"
"$ttd" validate "$real" "$simulated"
"$ttd" run experiments/virtual.toml --searchers ybwc --jobs 2 --out "$out/virtual-ybwc"
