#!/usr/bin/env bash
# The check of fastchess whether an engine keeps the protocol UCI, on `ttd uci`.
#
#     scripts/compliance.sh FASTCHESS [TTD]        # target/release/ttd
#
# FASTCHESS is the program of github.com/Disservin/fastchess (MIT), which is no part of this tree. Exits 1 if a step fails.
set -euo pipefail
fastchess=$(realpath "${1:?the program fastchess}")
ttd=$(realpath "${2:-$(dirname "$0")/../target/release/ttd}")
said=$(mktemp)
trap 'rm -f "$said"' EXIT
status=0
(cd "$(dirname "$said")" && "$fastchess" --compliance "$ttd" uci) >"$said" 2>&1 </dev/null || status=$?
sed 's/\x1b\[[0-9;]*m//g; s/.*\r//' "$said"
steps=$(grep -ac 'Passed' "$said" || true)
echo "$steps steps passed, exit status $status"
[ "$status" = 0 ] && [ "$steps" -ge 40 ] && ! grep -aq 'Failed' "$said"
