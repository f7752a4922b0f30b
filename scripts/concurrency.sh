#!/usr/bin/env bash
# Checks of what workers share (docs/concurrency.md): its models, and races of the whole program.
#
#     scripts/concurrency.sh models [NAME]                            # half a minute after the build
#     LOOM_MAX_PREEMPTIONS=4 scripts/concurrency.sh models put_off    # deeper
#
# Each model is tried by loom.
#
#     scripts/concurrency.sh races
#
# ThreadSanitizer watches short searches by every parallel searcher on real threads (crates/ttd-search/tests/search/orders.rs): it
# must find nothing, and it must find the race that `--cfg seeded_race` puts into the split point. A few minutes, most of them for
# the build. The standard library is not built for the sanitizer: `races` lists what it can not see.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
log=$(mktemp)
trap 'rm -f "$log"' EXIT

models() { # NAME...
    export CARGO_TARGET_DIR=$target/loom
    RUSTFLAGS="--cfg loom" cargo test --locked --release --package ttd-search --lib models -- "$@" | tee "$log"
    ! grep -q ' 0 passed' "$log"
}

watch() { # OPTION-OF-CARGO...
    # With --target, what runs while building is not for the sanitizer.
    cargo -Zprofile-rustflags test "$@" --locked --release --package ttd-search --target "$host" --test search -- \
        --test-threads 1 races >"$log" 2>&1
}

races() {
    export CARGO_TARGET_DIR=$target/races
    export RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer"
    mkdir -p "$target"
    cat >"$target/races.supp" <<'END'
# What ThreadSanitizer cannot see, since the standard library is not built for it. Nothing of ours is named here.

# Who lets go of an Arc last frees what it held, after an acquiring fence; fences are not seen.
race:alloc::sync::Arc<*::drop_slow

# The tests' own results go to the test harness by a channel of the standard library.
race:std::sync::mpmc::list::Channel<test::
END
    export TSAN_OPTIONS="suppressions=$target/races.supp exitcode=66"
    host=$(rustc -vV | sed -n 's/^host: //p')

    echo "as it is: nothing is to be found"
    watch || { cat "$log"; exit 1; }
    grep -q ' 1 passed' "$log"

    echo "with a race sown into the split point: it is to be found"
    if watch --config 'profile.release.package.ttd-search.rustflags=["--cfg", "seeded_race"]'; then
        echo "it was not found"
        exit 1
    fi
    grep -q 'ThreadSanitizer: data race' "$log" && grep -Eq 'peek<.*Rest|Rest.*::peek' "$log" || { cat "$log"; exit 1; }
    echo "all is well"
}

case ${1:-} in
models | races) "$@" ;;
*)
    echo "models or races expected" >&2
    exit 2
    ;;
esac
