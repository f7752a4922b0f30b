#!/usr/bin/env bash
# ThreadSanitizer watches short searches by every parallel searcher on real threads (crates/ttd-search/tests/search/races.rs): it
# must find nothing, and it must find the race that `--cfg seeded_race` puts into the split point.
#
# A few minutes, most of them for the build. The standard library is not built for the sanitizer:
# scripts/races.supp says what it can not see.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/races
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
export RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer"
export TSAN_OPTIONS="suppressions=$PWD/scripts/races.supp exitcode=66"

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# With --target, what runs while building is not for the sanitizer.
host=$(rustc -vV | sed -n 's/^host: //p')
watch() {
    cargo -Zprofile-rustflags test "$@" --locked --release --package ttd-search --target "$host" --test search -- \
        --test-threads 1 races >"$log" 2>&1
}

echo "as it is: nothing is to be found"
watch || { cat "$log"; exit 1; }
grep -q ' 1 passed' "$log"

echo "with a race sown into the split point: it is to be found"
if watch --config 'profile.release.package.ttd-search.rustflags=["--cfg", "seeded_race"]'; then
    echo "it was not found"
    exit 1
fi
grep -q 'ThreadSanitizer: data race' "$log" && grep -q 'Section.*Rest.*::peek' "$log" || { cat "$log"; exit 1; }
echo "all is well"
