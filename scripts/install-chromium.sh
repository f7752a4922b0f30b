#!/usr/bin/env bash
# Installs Chromium and a font for it where there is none, from Debian's packages. Needs root, or sudo. Exits 1 if it cannot.
set -euo pipefail

for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null && exit
done
sudo=()
[ "$(id -u)" = 0 ] || sudo=(sudo)
"${sudo[@]}" apt-get update -q >/dev/null
DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -q -y --no-install-recommends chromium fonts-dejavu-core >/dev/null
command -v chromium
