#!/usr/bin/env bash
# Installs the engines that ttd is tried with, from Debian's (or Ubuntu's) packages: those named, or all of them.
# They go to /usr/games, which has to be on PATH. Needs root, or sudo.
set -euo pipefail

all=(stockfish glaurung toga2 ethereal-chess gnuchess phalanx hoichess fairymax)
wanted=("$@")
[ $# -gt 0 ] || wanted=("${all[@]}")

missing=()
for engine in "${wanted[@]}"; do
    PATH=$PATH:/usr/games command -v "$engine" >/dev/null || missing+=("$engine")
done
if [ ${#missing[@]} -gt 0 ]; then
    sudo=()
    [ "$(id -u)" = 0 ] || sudo=(sudo)
    "${sudo[@]}" apt-get update -q
    DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}"
fi
for engine in "${wanted[@]}"; do
    PATH=$PATH:/usr/games command -v "$engine"
done
