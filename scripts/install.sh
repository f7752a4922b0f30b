#!/usr/bin/env bash
# Installs programs that ttd is tried with, from Debian's (or Ubuntu's) packages, where they are not there.
#
#     scripts/install.sh [ENGINE...]    # those named, or all; they go to /usr/games, which has to be on PATH
#     scripts/install.sh chromium       # with a font
#     scripts/install.sh qemu-user      # for programs without a hook on virtual cores
#
# Prints where each program is. Exits 1 if it cannot install one. Needs root, or sudo.
set -euo pipefail

install() { # PACKAGE...
    local sudo=()
    [ "$(id -u)" = 0 ] || sudo=(sudo)
    "${sudo[@]}" apt-get update -q
    DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -q -y --no-install-recommends "$@"
}

if [ "$*" = chromium ]; then
    for name in chromium chromium-browser google-chrome; do
        command -v "$name" >/dev/null && exit
    done
    install chromium fonts-dejavu-core >/dev/null
    command -v chromium
    exit
fi

if [ "$*" = qemu-user ]; then
    command -v qemu-x86_64 >/dev/null || install qemu-user >/dev/null
    command -v qemu-x86_64
    exit
fi

all=(stockfish glaurung toga2 ethereal-chess gnuchess phalanx hoichess fairymax)
wanted=("$@")
[ $# -gt 0 ] || wanted=("${all[@]}")

missing=()
for engine in "${wanted[@]}"; do
    PATH=$PATH:/usr/games command -v "$engine" >/dev/null || missing+=("$engine")
done
[ ${#missing[@]} = 0 ] || install "${missing[@]}"
for engine in "${wanted[@]}"; do
    PATH=$PATH:/usr/games command -v "$engine"
done
