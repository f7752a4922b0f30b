#!/usr/bin/env bash
# Instructions of one-thread searches: `bratko-kopec` to depth 9 with 1 MiB, counted by callgrind, less the clearing of
# the table, in programs built for x86-64-v3. Of `sequential`, of the same without the two calls of the searchers'
# policies (`crates/ttd-search/src/search/policy.rs`) in the node routine, and of the parallel searchers.
#
#     scripts/instructions.sh [DIR]
#
# Needs valgrind. Ten minutes.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/.."
out=$(realpath -m "${1:-target/instructions}")
tree=$out/bare
rm -rf "$tree"
mkdir -p "$tree"
git ls-files -z | tar --create --null --files-from - | tar --extract --directory "$tree"

# Takes lines out of a file of the bare tree, or fails.
cut_out() { # FILE SED-SCRIPT
    cp "$tree/$1" "$out/before"
    sed -i "$2" "$tree/$1"
    if cmp --silent "$out/before" "$tree/$1"; then
        echo "$1: the call is not where this script expects it" >&2
        exit 1
    fi
}
cut_out crates/ttd-search/src/search/policy.rs 's/if P::cancelled(self) { Err(Aborted) } else { Ok(()) }/Ok(())/'
cut_out crates/ttd-search/src/search/node.rs '/^            match P::share(self, position, &node, &mut moves)? {/,/^            }$/d'

export RUSTFLAGS="-C target-cpu=x86-64-v3"
cargo build --release --target-dir "$out/whole-target"
cargo build --release --target-dir "$out/bare-target" --manifest-path "$tree/Cargo.toml"

count() { # PROGRAM SEARCHER
    rm -f "$out/callgrind"
    valgrind --tool=callgrind --callgrind-out-file="$out/callgrind" \
        "$out/$1-target/release/ttd" bench --depth 9 --hash 1 --searcher "$2" >/dev/null 2>&1
    callgrind_annotate --auto=no --threshold=100 "$out/callgrind" | awk '
        { gsub(",", "", $1) }
        /PROGRAM TOTALS/ { total = $1 }
        /memset/ { clearing += $1 }
        END { print total - clearing }'
}

base=$(count whole sequential)
bare=$(count bare sequential)
ybwc=$(count whole ybwc)
lazy_smp=$(count whole lazy-smp)

row() { # WORDS COUNT
    awk -v words="$1" -v count="$2" -v base="$base" \
        'BEGIN { printf "%-32s %14d  %+.4f%%\n", words, count, 100 * (count / base - 1) }'
}
row sequential "$base"
row "sequential without the hooks" "$bare"
row ybwc "$ybwc"
row lazy-smp "$lazy_smp"
