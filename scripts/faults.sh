#!/usr/bin/env bash
# Kills sweeps at random moments and goes on with them; cuts and changes the files of results at every offset. Nothing
# may be lost, and nothing may be called a defect: scripts/faults.sh [TTD [SECONDS]]. Ten minutes unless said otherwise.
set -euo pipefail
cd "$(dirname "$0")/.."
ttd=$(realpath "${1:-target/release/ttd}")
seconds=${2:-600}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
files=(samples.csv iterations.csv workers.csv depths.csv)
kills=0 runs=0 cuts=0 changes=0 refused=0

sweep() { # DIR
    "$ttd" run sweep.toml --out "$1" >said 2>&1
}

fail() {
    echo "FAULT: $*"
    cat said
    cp -r "$place" "/tmp/ttd-fault-$$" && echo "kept: /tmp/ttd-fault-$$"
    exit 1
}

same() { # DIR
    for file in "${files[@]}"; do cmp -s "$1/$file" "whole/$file" || return 1; done
}

# Samples on virtual cores are the same bytes however often a run was interrupted.
cat >sweep.toml <<'TOML'
positions = "bratko-kopec"
searchers = ["ybwc", "lazy-smp"]
threads = [1, 2, 4]
depth = 4
runs = 2
hash_mib = 1
cores = "virtual"
detail = true
TOML
sweep whole || fail "the sweep itself failed"
begun=$SECONDS
sweep timed || fail "the sweep itself failed"
echo "a whole sweep takes about $((SECONDS - begun)) s"

# One: SIGKILL at random moments.
end=$((SECONDS + seconds / 2))
while [ "$SECONDS" -lt "$end" ]; do
    rm -rf killed
    while [ "$SECONDS" -lt "$end" ]; do
        "$ttd" run sweep.toml --out killed >said 2>&1 &
        run=$!
        sleep "0.$(printf '%03d' $((RANDOM % 400)))"
        if kill -9 "$run" 2>/dev/null; then kills=$((kills + 1)); fi
        wait "$run" 2>/dev/null && break
        grep -q "a defect of ttd" said && fail "a defect after a kill"
    done
    sweep killed || fail "a killed sweep cannot be gone on with"
    same killed || fail "a killed sweep has other bytes"
    runs=$((runs + 1))
done

# Two: a file is cut at an offset, as by a power cut, or a byte of it is changed.
small() { # DIR: fewer samples, so that there are fewer offsets
    "$ttd" run sweep.toml --only 1 --threads 1,2 --runs 1 --out "$1" >said 2>&1
}
rm -rf whole killed timed
small whole || fail "the small sweep failed"
end=$((SECONDS + seconds / 2))
try() { # FILE: damaged in the directory `damaged`
    local status=0
    timeout 60 "$ttd" report damaged >said 2>&1 || status=$?
    [ "$status" -le 3 ] || fail "report: status $status, $1"
    grep -q "a defect of ttd" said && fail "report: a defect, $1"
    small damaged && status=0 || status=$?
    grep -q "a defect of ttd" said && fail "run: a defect, $1"
    [ "$status" -le 3 ] || fail "run: status $status, $1"
    if [ "$status" != 0 ]; then
        grep -q "$1" said || fail "run: the refusal does not name $1"
        refused=$((refused + 1))
        return
    fi
    [ "$2" = change ] || same damaged || fail "run: other bytes after $1 was cut"
}
for file in "${files[@]}"; do
    seq -f "$file %.0f" 0 $(($(stat -c %s "whole/$file") - 1))
done | shuf >offsets
while read -r file at && [ "$SECONDS" -lt "$end" ]; do
    rm -rf damaged && cp -r whole damaged
    truncate -s "$at" "damaged/$file"
    try "$file" cut
    cuts=$((cuts + 1))
    rm -rf damaged && cp -r whole damaged
    printf "\\x$(printf '%02x' $((RANDOM % 256)))" |
        dd of="damaged/$file" bs=1 seek="$at" conv=notrunc status=none
    try "$file" change
    changes=$((changes + 1))
done <offsets
echo "$kills kills in $runs sweeps: all bytes as without. $cuts cuts and $changes changes, at $cuts of" \
    "$(wc -l <offsets) offsets: nothing lost in silence; $refused times a run was refused with the file's name."
