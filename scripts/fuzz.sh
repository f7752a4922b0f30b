#!/usr/bin/env bash
# Fuzzing of everything that reads text: FEN, EPD, PGN, UCI, experiment and match files (fuzz/fuzz_targets). libFuzzer makes
# inputs, and keeps those that reach code which none before has reached.
#
#     scripts/fuzz.sh [SECONDS [TARGET...]]       # 600 seconds each: fen, epd, pgn, uci, experiment, match
#
# A panic, a failed assertion, an overflow, an input that takes longer than 10 seconds or 2 GiB of memory ends it with
# status 1, and the input is named. Found inputs stay in target/fuzz/corpus and are where the next call begins.
#
# It needs a C++ compiler (for libFuzzer itself) and the pinned toolchain, no nightly one: what the coverage is counted by are
# passes of LLVM that stable options switch on.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-600}
[ $# -le 1 ] || targets=("${@:2}")
[ -v targets ] || targets=(fen epd pgn uci experiment match)
out=$(realpath -m "${CARGO_TARGET_DIR:-target}/fuzz")
mkdir -p "$out/findings"

# As cargo-fuzz does it, without a sanitizer of memory: outside of its dependencies the program has no unsafe code.
# With --target, what runs while building is not counted.
host=$(rustc -vV | sed -n 's/^host: //p')
coverage="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares"
RUSTFLAGS=$coverage cargo build --locked --release --quiet --manifest-path fuzz/Cargo.toml \
    --target "$host" --target-dir "$out/build"

# Words of the input: those of chess, and all that the documents call code.
{
    cat fuzz/chess.dict
    # shellcheck disable=SC2016
    grep --no-filename --only-matching '`[^`]*`' docs/formats.md docs/parameters.md docs/parameters-searchers.md docs/matches.md docs/engines.md docs/uci.md |
        tr -d '`' | grep -E '^[][ !#-Z^-~]{2,60}$' | sort -u | sed 's/.*/"&"/'
} >"$out/words.dict"

for target in "${targets[@]}"; do
    corpus=$out/corpus/$target
    mkdir -p "$corpus"
    seeds=("fuzz/seeds/$target")
    # One input a line, or inputs between lines of ====: libFuzzer wants a file for each.
    if [ -f "fuzz/seeds/$target.txt" ] || [ -f "fuzz/seeds/$target.inputs" ]; then
        seeds=("$out/seeds/$target")
        mkdir -p "$seeds"
    fi
    if [ -f "fuzz/seeds/$target.txt" ]; then
        split --lines=1 --suffix-length=3 "fuzz/seeds/$target.txt" "$seeds/"
    elif [ -f "fuzz/seeds/$target.inputs" ]; then
        awk -v dir="$seeds" 'BEGIN {number = 1} /^====$/ {number++; next} {print > (dir "/" number)}' "fuzz/seeds/$target.inputs"
    fi
    case $target in
        experiment | match) seeds+=(experiments) longest=8192 ;;
        *) longest=2048 ;;
    esac
    echo "== $target: $seconds seconds"
    if ! "$out/build/$host/release/$target" "$corpus" "${seeds[@]}" -dict="$out/words.dict" -max_len=$longest \
        -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -artifact_prefix="$out/findings/$target-" \
        -print_final_stats=1 >"$out/$target.log" 2>&1; then
        tail -n 40 "$out/$target.log"
        echo "$target: found something; the input is in $out/findings" >&2
        exit 1
    fi
    grep -E '^stat::(number_of_executed_units|average_exec|slowest|peak)' "$out/$target.log"
    grep 'cov: ' "$out/$target.log" | tail -n 1
done
echo "all is well"
