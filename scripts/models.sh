#!/usr/bin/env bash
# The models of what workers share (docs/concurrency.md), each tried by loom.
#
#     scripts/models.sh [NAME]                            # half a minute after the build
#     LOOM_MAX_PREEMPTIONS=4 scripts/models.sh put_off    # deeper
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/loom
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16

log=$(mktemp)
trap 'rm -f "$log"' EXIT
RUSTFLAGS="--cfg loom" cargo test --locked --release --package ttd-search --lib models -- "$@" | tee "$log"
! grep -q ' 0 passed' "$log"
