#!/usr/bin/env bash
# Kills sweeps, matches, reports and merges at random moments and goes on with them; fills disks, sets limits, and measures engines that misbehave; cuts
# and changes the files of results at every offset. Nothing may be lost, nothing may be called a defect, and no engine may outlive a run:
# scripts/faults.sh [TTD [SECONDS]]. Ten minutes unless said otherwise.
set -euo pipefail
cd "$(dirname "$0")/.."
ttd=$(realpath "${1:-target/release/ttd}")
seconds=${2:-600}
place=$(mktemp -d)
# Under a name of its own: other calls of this script may run beside this one.
scripted=$place/scripted-engine.sh
cp tests/scripted-engine.sh "$scripted"
leave() {
    umount "$place/disk" 2>/dev/null || true
    rm -rf "$place"
}
trap leave EXIT
cd "$place"
files=(samples.csv iterations.csv workers.csv depths.csv)
runs=0 cuts=0 changes=0 refused=0 full=0 limits=0 engines=0

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
# A part makes no forecast and no report, so that every kill comes among its samples.
part() { # DIR
    "$ttd" run sweep.toml --shard 1/1 --out "$1" >said 2>&1
}
sweep whole || fail "the sweep itself failed"
begun=$SECONDS
sweep timed || fail "the sweep itself failed"
echo "a whole sweep takes about $((SECONDS - begun)) s"

# A match on virtual cores is the same bytes too.
cat >match.toml <<'TOML'
cores = "virtual"
nodes = 400
games = 40
openings = "middlegames"
concurrency = 2
adjudication.max_moves = 30
[[entries]]
name = "ybwc"
searcher = "ybwc"
threads = 4
hash_mib = 1
[[entries]]
name = "lazy-smp"
searcher = "lazy-smp"
threads = 2
hash_mib = 1
TOML
game() { # DIR
    "$ttd" match match.toml --out "$1" >said 2>&1
}
game played || fail "the match itself failed"

# The parts of the sweep, for merges.
for part in 1 2 3; do
    "$ttd" run sweep.toml --shard "$part/3" --out "part-$part" >said 2>&1 || fail "a part failed"
done
merging() { # DIR
    "$ttd" merge part-1 part-2 part-3 --out "$1" >said 2>&1
}

# One: SIGKILL at random moments, of a sweep, a part, a match, a report and a merge in turns.
as_played() { # DIR
    cmp -s "$1/games.csv" played/games.csv && cmp -s "$1/games.pgn" played/games.pgn
}
as_reported() { # DIR: the figures, and no half-written file
    cmp -s "$1/summary.csv" whole/summary.csv && [ -z "$(find "$1" -name '*.new')" ]
}
report() { # DIR
    "$ttd" report "$1" >said 2>&1
}
sound() { # WHAT: nothing that was said is a defect
    if grep -q "a defect of ttd" said; then fail "a defect, $1"; fi
}
killed=0
kill_again() { # COMMAND CHECK: killed at random moments until it comes to its end; then it must be as without
    rm -rf killed
    if [ "$1" = report ]; then cp -r whole killed; fi
    while [ "$SECONDS" -lt "$end" ]; do
        "$1" killed 2>/dev/null &
        run=$!
        # Up to two seconds: a run looks ahead for some of one before its first sample.
        # A merge takes two hundredths.
        case $1 in
            merging) sleep "0.0$(printf '%02d' $((RANDOM % 25)))" ;;
            part) sleep "0.$(printf '%03d' $((RANDOM % 500)))" ;;
            *) sleep "$((RANDOM % 2)).$(printf '%03d' $((RANDOM % 1000)))" ;;
        esac
        if pkill -9 -P "$run" 2>/dev/null; then killed=$((killed + 1)); fi
        wait "$run" 2>/dev/null && break
        sound "after a kill of a $1"
    done
    "$1" killed || fail "a killed $1 cannot be gone on with"
    "$2" killed || fail "a killed $1 has other bytes"
    runs=$((runs + 1))
}
declare -A kills
end=$((SECONDS + seconds / 2))
while [ "$SECONDS" -lt "$end" ]; do
    for kind in "sweep same" "part same" "game as_played" "report as_reported" "merging same"; do
        killed=0
        # shellcheck disable=SC2086
        kill_again $kind
        kills[${kind% *}]=$((${kills[${kind% *}]:-0} + killed))
    done
done
echo "${kills[sweep]:-0} kills of sweeps, ${kills[part]:-0} of parts, ${kills[game]:-0} of matches, ${kills[report]:-0} of reports," \
    "${kills[merging]:-0} of merges, in $runs runs: all bytes as without."

# Two: a disk that is full at some moment, and then is larger. Only root can have one.
end=$((SECONDS + seconds / 10))
mkdir disk
while [ "$(id -u)" = 0 ] && [ "$SECONDS" -lt "$end" ]; do
    mount -t tmpfs -o "size=$((4 + RANDOM % 60))k" tmpfs disk || break
    for kind in "sweep same" "game as_played"; do
        rm -rf disk/*
        if "${kind% *}" disk/out; then continue; fi
        sound "on a full disk"
        mount -o remount,size=8m disk
        "${kind% *}" disk/out || fail "a ${kind% *} cannot be gone on with after a full disk"
        "${kind#* }" disk/out || fail "a ${kind% *} has other bytes after a full disk"
        full=$((full + 1))
    done
    umount disk
done

# Three: a limit of the system on the sizes of files, on memory, on open files.
end=$((SECONDS + seconds / 10))
while [ "$SECONDS" -lt "$end" ]; do
    for kind in "sweep same" "game as_played"; do
        for limit in "-f $((RANDOM % 12))" "-v $((20000 + RANDOM % 200000))" "-n $((3 + RANDOM % 20))"; do
            rm -rf limited
            # shellcheck disable=SC2086
            if (ulimit $limit && "${kind% *}" limited) 2>/dev/null; then continue; fi
            sound "with ulimit $limit"
            limits=$((limits + 1))
            # A sample or a game that had no memory has failed, or is void: that is its result.
            if grep -qs " failed: \| void: " limited/log.txt; then continue; fi
            "${kind% *}" limited || fail "a ${kind% *} cannot be gone on with after ulimit $limit"
            "${kind#* }" limited || fail "a ${kind% *} has other bytes after ulimit $limit"
        done
    done
done

# Four: engines with one fault each, in a sweep and in a match. The run ends with a word about it, and nothing of the engine is left.
end=$((SECONDS + seconds / 10))
for fault in none hang die garbage noise shallow complain flood illegal none-found ignore-stop die-at-once mute no-threads; do
    [ "$SECONDS" -lt "$end" ] || break
    words="name=bad command='sh $scripted $fault' start_limit_s=2 stop_limit_s=1"
    for way in "run --time-limit 2 --depth 3 --runs 1 --only 1" "match --searchers sequential --st 0.1 --games 2 --maxmoves 5"; do
        status=0
        # shellcheck disable=SC2086
        STATE=$place/state timeout 300 "$ttd" $way --engine "$words" --out "bad-$engines" >said 2>&1 || status=$?
        sound "of an engine with the fault $fault"
        [ "$status" -le 3 ] || fail "status $status with the fault $fault"
        if pgrep -f "$scripted" >/dev/null; then fail "an engine with the fault $fault outlives its run"; fi
        engines=$((engines + 1))
    done
done

# Five: a file is cut at an offset, as by a power cut, or a byte of it is changed.
small() { # DIR: fewer samples, so that there are fewer offsets
    "$ttd" run sweep.toml --only 1 --threads 1,2 --runs 1 --out "$1" >said 2>&1
}
rm -rf whole killed timed played
small whole || fail "the small sweep failed"
end=$((SECONDS + seconds / 5))
try() { # FILE: damaged in the directory `damaged`
    local status=0
    timeout 60 "$ttd" report damaged >said 2>&1 || status=$?
    [ "$status" -le 3 ] || fail "report: status $status, $1"
    sound "report, $1"
    small damaged && status=0 || status=$?
    sound "run, $1"
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
echo "$full full disks, $limits limits: all bytes as without, once there was room. $engines runs with engines that misbehave: each ended, none outlived it."
echo "$cuts cuts and $changes changes, at $cuts of $(wc -l <offsets) offsets: nothing lost in silence; $refused times a run was refused with the" \
    "file's name."
