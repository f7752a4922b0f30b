#!/usr/bin/env bash
# The program built a second time, with what searches by a first build told about it (profile-guided optimisation):
# the same nodes in fewer cycles (docs/building.md).
#
#     scripts/build-profiled.sh
#
# prints where the program is, in `target/profiled`. Needs the component `llvm-tools` of rustup. A quarter of an hour.
#
# Every searcher is tried, on real and on virtual cores: one that is not would be taken for code that never runs, and be
# slower than the others. Presets, techniques and parameters other than the default ones are not tried: comparisons of these by time
# are made with the ordinary build.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/.."

host=$(rustc -vV | sed -n 's/^host: //p')
profdata=$(rustc --print sysroot)/lib/rustlib/$host/bin/llvm-profdata
if [ ! -x "$profdata" ]; then
    echo "scripts/build-profiled.sh: llvm-profdata is missing: rustup component add llvm-tools" >&2
    exit 1
fi
out=$(realpath -m "${CARGO_TARGET_DIR:-target}/profiled")
# Cargo does not see that a profile has changed.
rm -rf "$out/raw" "$out/runs" "$out/$host"

build() { # FLAG DIR
    # For a named target, so that what runs in the build itself is not watched.
    CARGO_ENCODED_RUSTFLAGS=$(printf -- '-Ctarget-cpu=native\x1f%s' "$1") \
        cargo build --release --locked --target "$host" --target-dir "$2"
}

build "-Cprofile-generate=$out/raw" "$out/watched"
watched=$out/watched/$host/release/ttd
"$watched" bench >/dev/null
searchers=$("$watched" searchers | grep --only-matching '^[a-z][a-z-]*$' | paste -sd,)
try() { # CORES THREADS
    "$watched" run --positions bratko-kopec --searchers "$searchers" --cores "$1" --threads "$2" --depth 9 --runs 1 \
        --hash 16 --out "$out/runs/$1" >/dev/null
}
try real 1,2
try virtual 1,4
"$profdata" merge --output "$out/ttd.profdata" "$out/raw"

build "-Cprofile-use=$out/ttd.profdata" "$out"
echo "$out/$host/release/ttd"
