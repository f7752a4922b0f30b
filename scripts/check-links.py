#!/usr/bin/env python3
"""Checks that what the pages link to is kept: files that git knows, and headings.

    scripts/check-links.py

Of every Markdown file in the tree; links to other sites are not looked at. Prints the dead ones, and exits 1 if there are any.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


def headings(page):
    """The anchors of a page, as a code host makes them."""
    anchors = set()
    for heading in re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        words = "".join(c for c in words if c.isalnum() or c in " -_")
        anchor, again = words.replace(" ", "-"), 0
        while (name := anchor if again == 0 else f"{anchor}-{again}") in anchors:
            again += 1
        anchors.add(name)
    return anchors


def main():
    kept = {Path(name) for name in subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines()}
    folders = {folder for name in kept for folder in name.parents}
    dead = links = 0
    for page in sorted(name for name in kept if name.suffix == ".md"):
        for target in LINK.findall(CODE.sub("", (ROOT / page).read_text())):
            if re.match(r"[a-z]+:", target):
                continue
            links += 1
            file, _, anchor = target.partition("#")
            place = Path((ROOT / page).parent / file).resolve() if file else ROOT / page
            place = place.relative_to(ROOT) if place.is_relative_to(ROOT) else None
            is_there = place in kept or place in folders
            if is_there and anchor and place.suffix == ".md":
                is_there = anchor in headings(ROOT / place)
            if not is_there:
                dead += 1
                print(f"{page}: {target}")
    print(f"{links} links, {dead} dead")
    sys.exit(dead > 0)


main()
