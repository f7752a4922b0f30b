#!/usr/bin/env bash
# Measures every kept result again, into results/ or into the directory given as the first
# argument. Each may be interrupted: the same call goes on where it stopped.
#
#     scripts/reproduce.sh                 # in place: discard the kept ones first, or it refuses
#     scripts/reproduce.sh ~/my-results
#
# The machine should be otherwise idle. Two cores take about five hours in all.
set -euo pipefail
cd "$(dirname "$0")/.."

out=${1:-results}

cargo build --release
ttd=${CARGO_TARGET_DIR:-target}/release/ttd

"$ttd" run --name middlegames-1-2 --threads 1,2 --depth 20 --runs 6 --out "$out/middlegames-1-2"
"$ttd" run --name validation-depth18 --threads 1,2 --depth 18 --runs 10 \
    --out "$out/validation-depth18"
"$ttd" run --threads 1,2,4,8 --depth 20 --out "$out/default"
