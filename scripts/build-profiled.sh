#!/usr/bin/env bash
# The program built a second time, with what searches by a first build told about it (profile-guided optimisation):
# the same nodes in fewer cycles. docs/benchmarks.md has the figures.
#
#     scripts/build-profiled.sh
#
# leaves `target/profiled/release/ttd`. Needs the component `llvm-tools` of rustup. Ten minutes of two cores.
#
# Every searcher is tried, on real and on virtual cores: one that is not would be taken for code that never runs, and be
# slower than the others. Techniques that are off by default are not tried, so that comparisons between
# techniques by time are made with the ordinary build.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/.."

host=$(rustc -vV | sed -n 's/^host: //p')
profdata=$(rustc --print sysroot)/lib/rustlib/$host/bin/llvm-profdata
if [ ! -x "$profdata" ]; then
    echo "scripts/build-profiled.sh: llvm-profdata is missing; rustup component add llvm-tools" >&2
    exit 1
fi
out=$(realpath -m "${CARGO_TARGET_DIR:-target}/profiled")
flags="-C target-cpu=native"
rm -rf "$out/raw" "$out/runs"

RUSTFLAGS="$flags -C profile-generate=$out/raw" cargo build --release --locked --target-dir "$out/watched"
watched=$out/watched/release/ttd
"$watched" bench >/dev/null
searchers=$("$watched" searchers | grep --only-matching '^[a-z][a-z-]*$' | paste -sd,)
try() { # CORES THREADS
    "$watched" run --positions bratko-kopec --searchers "$searchers" --cores "$1" --threads "$2" --depth 9 --runs 1 \
        --hash 16 --out "$out/runs/$1" >/dev/null
}
try real 1,2
try virtual 1,4
"$profdata" merge --output "$out/ttd.profdata" "$out/raw"

RUSTFLAGS="$flags -C profile-use=$out/ttd.profdata" cargo build --release --locked --target-dir "$out"
echo "$out/release/ttd"
