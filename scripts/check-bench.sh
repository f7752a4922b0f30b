#!/usr/bin/env bash
# The signature of the engine: `ttd bench` must print what the newest commit message with such a line says (`bench N`, in a
# line of its own). Who changes the tree writes the new signature into the commit.
#
#     scripts/check-bench.sh [TTD]        # target/release/ttd
#
# Exits 1 if they differ, or no message says one. In a shallow clone whose commits say none nothing can be compared: it
# says so, and exits 0.
set -euo pipefail
cd "$(dirname "$0")/.."
ttd=${1:-target/release/ttd}

printed=$("$ttd" bench)
echo "$printed"
said=$(sed -n 's/^bench \([0-9]\+\)$/\1/p' <<<"$printed")
if [ -z "$said" ]; then
    echo "$ttd bench printed no signature" >&2
    exit 1
fi

line='^bench [0-9]+$'
commit=$(git log --extended-regexp --grep="$line" --max-count=1 --format=%H)
if [ -z "$commit" ]; then
    count=$(git rev-list --count HEAD)
    if [ "$(git rev-parse --is-shallow-repository)" = true ]; then
        echo "not compared: this clone is shallow, and none of its $count commits says \`bench N\`" \
            "(git fetch --unshallow brings the others)"
        exit 0
    fi
    echo "none of the $count commits says \`bench N\` in a line of its own: expected \`bench $said\`" >&2
    exit 1
fi
# Of several lines of one message the last counts.
expected=$(git log --max-count=1 --format=%B "$commit" | grep -E "$line" | tail -n 1 | cut -d ' ' -f 2)
if [ "$said" != "$expected" ]; then
    echo "the program says bench $said, and commit ${commit:0:12} bench $expected: whoever changes the tree" \
        "writes a line \`bench $said\` into the commit" >&2
    exit 1
fi
echo "bench $said, as commit ${commit:0:12} says"
