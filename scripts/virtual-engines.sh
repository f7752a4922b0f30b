#!/usr/bin/env bash
# Engines of others on virtual cores. Gets Debian's sources of ethereal-chess, glaurung and stockfish, and of cargo's
# registry pounce, an engine in Rust. A source that this machine's Debian lacks is that of the stable one. Builds each
# plainly and with the hook. Then, by engine:
#
# - one virtual thread must search the plain build's nodes, with its score and move, on the 24 positions of `bratko-kopec`;
# - ten runs of a seed with 8 threads must be the same, and so must one by the baton;
# - another seed must differ.
#
#     scripts/virtual-engines.sh DIR [ENGINE...]
#
# An ENGINE with an `@`, as pounce@2.0.2, is a crate of cargo's registry with its version: `cargo install --locked` builds
# it, with the hook by RUSTFLAGS.
#
# An ENGINE with a `/`, as /usr/games/stockfish, is a program without a hook: qemu-user counts its instructions, and the
# program by itself is the plain build. It has three runs of a seed, two plies less deep. `ttd-cores` is built for it
# without instructions that qemu lacks.
#
# Sources, programs and answers stay in DIR. Needs a C++ compiler and a package list of Debian; for ethereal-chess the
# package libfathom-dev, too; for a crate cargo. A source that is not to be had, or does not build, is said so and left
# out. An engine that searches otherwise, ends, or takes more than five minutes for a line makes the exit status 1. So does
# no engine at all. The others are tried all the same. Five minutes.
#
# CORES names another `ttd-cores` than that of this checkout, with its library beside it.
set -euo pipefail
shopt -s inherit_errexit
if [ $# = 0 ]; then
    sed -n '2,/^set /s/^# \{0,1\}//p' "$0" | sed '$d' >&2
    exit 2
fi
out=$(realpath -m "$1")
shift
if [ $# = 0 ]; then set -- ethereal-chess glaurung stockfish pounce@2.0.2; fi
cd "$(dirname "$0")/.."
if [ -z "${CORES:-}" ]; then
    if [[ "$*" == */* ]]; then export RUSTFLAGS="-C target-cpu=x86-64-v3"; fi
    cargo build --release -p ttd-cores --bins --examples
    CORES=${CARGO_TARGET_DIR:-target}/release/ttd-cores
fi
CORES=$(realpath "$CORES")
mkdir -p "$out"
flags=$("$CORES" instrument gcc "$out/hook")
rust_flags=$("$CORES" instrument rustc "$out/hook")

is_source() { [[ $1 != */* && $1 != *@* ]]; }
is_crate() { [[ $1 != */* && $1 == *@* ]]; }

# Debian's suites, by preference: this machine's, and the stable one. Each has a package list of its own, so that the
# system's stays as it is.
suites=("$(. /etc/os-release && echo "$VERSION_CODENAME")" stable)
from() { # SUITE APT-GET'S WORDS...
    local at=$out/suites/$1
    shift
    (cd "$at" && apt-get -qq -o "Dir::Etc::sourcelist=$at/sources.list" -o Dir::Etc::sourceparts=- \
        -o "Dir::State::lists=$at/lists" "$@") >>"$out/apt.log" 2>&1
}
keys=/usr/share/keyrings/debian-archive-keyring.gpg
for engine in "$@"; do
    if is_source "$engine"; then
        for suite in "${suites[@]}"; do
            mkdir -p "$out/suites/$suite/lists/partial"
            echo "deb-src [signed-by=$keys] http://deb.debian.org/debian $suite main" >"$out/suites/$suite/sources.list"
            from "$suite" update || echo "no package list of Debian's $suite is to be had ($out/apt.log)"
        done
        break
    fi
done

# Says which version a suite has given.
tell_source() { # PACKAGE SUITE
    echo "$1: the source is $(basename "$(ls "$out/suites/$2/$1"_*.orig.tar.* | head -1)") of Debian's $2"
}

# Puts the source of a package into a directory, from the first suite that has it. Where a part of it is missing, the
# original text alone will do.
fetch() { # PACKAGE DIRECTORY
    local suite at
    for suite in "${suites[@]}"; do
        at=$out/suites/$suite
        rm -f "$at/$1"_*
        from "$suite" source --download-only "$1" || true
        rm -rf "$2"
        if dpkg-source --no-check -x "$at/$1"_*.dsc "$2" >>"$out/apt.log" 2>&1; then
            tell_source "$1" "$suite"
            return
        fi
        rm -rf "$2"
        mkdir "$2"
        tar -xf "$(ls "$at/$1"_*.orig.tar.* 2>/dev/null | head -1)" -C "$2" --strip-components 1 2>>"$out/apt.log" &&
            tell_source "$1" "$suite" && return
    done
    return 1
}

# Builds in the directory of the source: the last words are the compiler's, and PROGRAM gets the program.
build() { # ENGINE PROGRAM FLAG...
    local engine=$1 program=$2
    shift 2
    case $engine in
    ethereal-chess)
        # Debian has this part as a library.
        mkdir -p fathom
        [ -e fathom/tbprobe.h ] || echo '#include <tbprobe.h>' >fathom/tbprobe.h
        gcc "$@" -std=gnu11 -DNDEBUG -O3 -w -msse3 -mpopcnt -DUSE_POPCNT ./*.c -lpthread -lm -lfathom -o "$program"
        ;;
    glaurung)
        # shellcheck disable=SC2046
        g++ "$@" -DNDEBUG -O3 -w -fno-exceptions -fno-rtti $(ls ./*.cpp | grep -v timeoday) -lpthread -o "$program"
        ;;
    stockfish)
        make -j1 build ARCH=x86-64-modern COMP=gcc EXE="$program" CXX="g++ $*"
        ;;
    *)
        echo "no way to build $engine is known" >&2
        return 1
        ;;
    esac
}

# Builds a crate into PROGRAM. It has one program, or one of its own name.
install_crate() { # CRATE@VERSION PROGRAM FLAGS
    local root=$2.root name=${1%@*}
    RUSTFLAGS=$3 CARGO_TARGET_DIR=$2.target cargo install --locked --force --root "$root" "$1" || return 1
    [ -e "$root/bin/$name" ] || name=$(ls "$root/bin" | head -1)
    cp "$root/bin/$name" "$2"
}

tried=()
for engine in "$@"; do
    if is_crate "$engine"; then
        if install_crate "$engine" "$out/$engine-plain" "" >"$out/$engine-plain.log" 2>&1 &&
            install_crate "$engine" "$out/$engine-hooked" "$rust_flags" >"$out/$engine-hooked.log" 2>&1; then
            tried+=("$engine")
        else
            echo "$engine: left out, it does not build ($out/$engine-*.log)"
        fi
        continue
    fi
    if ! is_source "$engine"; then
        tried+=("$engine")
        continue
    fi
    if ! fetch "$engine" "$out/$engine"; then
        echo "$engine: left out, its source is not to be had ($out/apt.log)"
        continue
    fi
    for kind in plain hooked; do
        used=()
        [ "$kind" = plain ] || read -ra used <<<"$flags"
        rm -rf "$out/$engine-$kind.src"
        cp -r "$out/$engine" "$out/$engine-$kind.src"
        if ! (cd "$out/$engine-$kind.src/src" && build "$engine" "$out/$engine-$kind" "${used[@]}") \
            >"$out/$engine-$kind.log" 2>&1; then
            echo "$engine: left out, it does not build ($out/$engine-$kind.log)"
            continue 2
        fi
    done
    tried+=("$engine")
done
if [ ${#tried[@]} = 0 ]; then
    echo "no engine was tried" >&2
    exit 1
fi

python3 - "$CORES" "$out" positions/bratko-kopec.epd "${tried[@]}" <<'PYTHON'
import re
import subprocess
import sys
import threading

cores, out, positions, *engines = sys.argv[1:]
with open(positions, encoding="utf-8") as file:
    # An EPD lacks the two counters of a FEN.
    fens = [" ".join(line.split()[:4]) + " 0 1" for line in file if line.strip()]


HOST_LIMIT_S = 300


class Failed(Exception):
    """An engine does not answer."""


def search(command, lines, searches):
    """The lines of each search up to its `bestmove`."""
    try:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    except OSError as error:
        raise Failed(str(error)) from error
    at = ["the start"]
    late = []
    timer = None

    def watch(where):
        """Kills an engine that has no answer; on virtual cores the runner does so a little before."""
        nonlocal timer
        if timer:
            timer.cancel()
        at.append(where)
        timer = threading.Timer(HOST_LIMIT_S + 10, lambda: (late.append(where), process.kill()))
        timer.daemon = True
        timer.start()

    answers = []
    try:
        for told in dialogue(process, lines, searches, watch):
            answers.append(told)
        process.communicate()
    except BrokenPipeError:
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    finally:
        if timer:
            timer.cancel()
    if late:
        raise Failed(f"{' '.join(command)}: no answer in {HOST_LIMIT_S + 10} s at `{at[-1]}`")
    if process.returncode or len(answers) < len(searches):
        raise Failed(f"{' '.join(command)}: exit status {process.returncode} at `{at[-1]}`")
    return answers


def dialogue(process, lines, searches, watch):
    """The lines of each search."""

    def send(line):
        process.stdin.write(line + "\n")
        process.stdin.flush()

    for line in lines:
        send(line)
    for position, go in searches:
        # A new line comes only behind the answer, since plain builds read it at once.
        watch(position)
        for line in ("ucinewgame", position, go):
            send(line)
        told = []
        for line in process.stdout:
            told.append(line)
            if line.startswith("bestmove"):
                break
        if not told or not told[-1].startswith("bestmove"):
            raise BrokenPipeError
        yield told
    watch("quit")
    send("quit")


def result(told):
    """Depth, score, nodes and move of a search."""
    patterns = (r" depth \d+", r"score \w+ -?\d+", r" nodes \d+")
    found = [[re.search(key, line) for key in patterns] for line in told if line.startswith("info ")]
    found = [keys for keys in found if all(keys)]
    if not found:
        raise Failed(f"no line with depth, score and nodes before: {told[-1].strip()}")
    keys = [key.group().strip() for key in found[-1]]
    return keys + told[-1].split()[:2]


run = [cores, "run", "--host-limit-s", str(HOST_LIMIT_S)]


def is_good(engine):
    """Prints what the engine searched; whether all is as it should be."""
    is_source = "/" not in engine
    depth = 7 if engine.endswith("glaurung") else 9
    runs, deeper = (9, 4) if is_source else (2, 2)
    builds = [f"{out}/{engine}-plain", f"{out}/{engine}-hooked"] if is_source else [engine, engine]
    start = ["uci", "setoption name Hash value 16", "setoption name Threads value 1"]
    all_searches = [(f"position fen {fen}", f"go depth {depth}") for fen in fens]
    # Pounce may tell its move before it takes the next position: its plain build has a process for each.
    parts = [[one] for one in all_searches] if "@" in engine else [all_searches]
    plain = [result(told) for part in parts for told in search(builds[:1], start, part)]
    hooked = builds[1:]
    virtual = [result(told) for told in search([*run, *hooked], start, all_searches)]
    equal = sum(one == other for one, other in zip(plain, virtual))
    nodes = sum(int(of[2].split()[1]) for of in plain)
    print(f"{engine}: {equal} of {len(fens)} positions to depth {depth} as in the plain build ({nodes} nodes)")

    def threads(*options):
        lines = start[:2] + ["setoption name Threads value 8"]
        return search([*run, *options, *hooked], lines, [("position startpos", f"go depth {depth + deeper}")])

    first = threads("--seed", "3")
    same = sum(threads("--seed", "3") == first for _ in range(runs))
    baton = threads("--seed", "3", "--carrier", "baton") == first
    # Times of two seeds differ anyhow, so that nodes are compared.
    other = result(threads("--seed", "4")[0]) != result(first[0])
    print(f"{engine}: 8 threads, {same} of {runs} runs as the first, {'the baton too' if baton else 'THE BATON NOT'}, "
          f"{'another seed differs' if other else 'ANOTHER SEED DOES NOT DIFFER'}; {result(first[0])[2]}")
    return equal == len(fens) and same == runs and baton and other


failed = False
for engine in engines:
    try:
        failed |= not is_good(engine)
    except Failed as why:
        print(f"`{engine}`: FAILED: {why}", flush=True)
        failed = True
sys.exit(failed)
PYTHON
