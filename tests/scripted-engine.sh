#!/bin/sh
# An engine for the tests that does as it is told: scripted-engine.sh FAULT. It speaks UCI and XBoard, searches
# nothing, plays e2e4 from the start and moves an edge pawn elsewhere (or plays MOVE), and has one fault. What it was
# sent goes to the file LOG, if that is set.
fault=${1:-none}
moves="e2e4"
depth=0

say() { printf '%s\n' "$*"; }

think() { # to a depth
    d=1
    while [ "$d" -le "$1" ]; do
        say "info depth $d seldepth $d multipv 1 score cp $((10 * d)) nodes $((1000 * d)) nps 1000000 hashfull $d time $d pv $moves"
        d=$((d + 1))
    done
}

go() {
    case "$fault" in
    hang) sleep 1000 ;;
    die) exit 7 ;;
    die-now-and-then) # every second process
        if [ -e "$STATE" ]; then rm "$STATE"; else : >"$STATE"; exit 7; fi ;;
    garbage) head -c 200000 /dev/zero | tr '\0' 'x' ;;
    noise) say "%&/()= bestmov"; say ""; printf '\001\377\r\n' ;;
    shallow) say "bestmove $moves"; return ;;
    complain) yes "warning: nothing" | head -c 20000000 >&2 ;;
    flood) # some megabytes
        yes "info depth 1 currmove e2e4 currmovenumber 1 and a lot of words that mean nothing at all" | head -c 20000000; say "" ;;
    esac
    case "$*" in
    *infinite*) think 3; waiting=yes; return ;;
    *depth*) depth=${*##*depth }; think "${depth%% *}" ;;
    *) think 4 ;;
    esac
    case "$fault" in
    illegal) say "bestmove e2e5" ;;
    none-found) say "bestmove (none)" ;;
    ignore-stop) waiting=never ;;
    censored) waiting=yes ;;
    *) say "bestmove $moves ponder e7e5" ;;
    esac
}

case "$fault" in
die-at-once) echo "no such network" >&2; exit 3 ;;
mute) exec sleep 1000 ;;
esac

while read -r line; do
    [ -n "$LOG" ] && say "$line" >>"$LOG"
    case "$line" in
    uci)
        say "id name Scripted 1.0"
        say "id author nobody"
        [ "$fault" = no-threads ] || say "option name Threads type spin default 1 min 1 max 8"
        say "option name Hash type spin default 16 min 1 max 1024"
        say "option name Style type combo default Calm var Calm var Wild one"
        say "uciok"
        ;;
    isready) [ "$fault" = never-ready ] && continue; say "readyok" ;;
    setoption*Style*) [ "$fault" = refuse ] && say "No such option: Style" ;;
    position*startpos*) moves="e2e4" ;;
    position*) moves=${MOVE:-$(case "$line" in *" b "*) echo "a7a6" ;; *) echo "a2a3" ;; esac)} ;;
    'go '*) go "$line" ;;
    stop)
        # As Stockfish does: of an iteration that was cut short.
        [ "$waiting" = yes ] && say "info depth 4 score cp 99 nodes 99999 pv $moves" && say "bestmove $moves"
        [ "$waiting" = never ] || waiting=no
        ;;
    xboard) ;;
    protover*)
        say 'feature done=0'
        say 'feature myname="Scripted X" ping=1 setboard=1 usermove=1 memory=1 option="Depth -spin 1 0 9"'
        [ "$fault" = xboard-threads ] && say 'feature smp=1'
        say 'feature done=1'
        ;;
    ping*) say "pong ${line#ping }" ;;
    sd*) depth=${line#sd } ;;
    force) playing=no ;;
    setboard*) case "$line" in *" b "*) moves="a7a6" ;; *) moves="a2a3" ;; esac ;;
    quit) [ "$fault" = babble ] && exec yes "and one more word"; exit 0 ;;
    esac
    # XBoard's go has no words behind it, and who plays answers a move.
    case "$line" in
    go) playing=yes ;;
    usermove*) [ "$playing" = yes ] || continue; moves=b2b3 ;;
    *) continue ;;
    esac
    if [ "$playing" = yes ]; then
        d=1
        while [ "$d" -le "$depth" ]; do
            printf '  %d.   %d   %d   %d   %s\r\n' "$d" $((10 * d)) 1 $((1000 * d)) "$moves"
            d=$((d + 1))
        done
        [ "$fault" = xboard-san ] && moves=${moves#??} # a pawn's move in a game score
        printf 'thinking\r\007move %s\r\n' "$moves"
    fi
done
