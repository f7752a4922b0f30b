#!/usr/bin/env python3
"""Compares the speed of `ttd perft` with that of cozy-chess's own example, which counts in the same way.

    scripts/perft-speed.py [--runs 11] [--most 1.10] [TTD]

TTD is the program (target/release/ttd, as `cargo build --release` makes it). The example (examples/perft.rs in the crate)
is built unchanged, by the versions of our Cargo.lock and with our profile, in target/perft-speed. Both count the same
positions on one thread, in turns. Prints the medians of the processor times and their ratio; exits 1 if the counts differ,
or ours takes more than `--most` times as long over all. Two minutes where nothing else runs.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tomllib
from pathlib import Path

POSITIONS = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7),
    ("promotions", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 6),
    ("middlegame", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5),
]
ROOT = Path(__file__).resolve().parent.parent


def build():
    """cozy-chess's example, as a program of its own."""
    metadata = json.loads(
        subprocess.check_output(["cargo", "metadata", "--locked", "--format-version", "1"], cwd=ROOT)
    )
    crate = next(package for package in metadata["packages"] if package["name"] == "cozy-chess")
    example = Path(crate["manifest_path"]).parent / "examples" / "perft.rs"
    profile = tomllib.loads((ROOT / "Cargo.toml").read_text())["profile"]["release"]
    place = ROOT / "target" / "perft-speed"
    (place / "src").mkdir(parents=True, exist_ok=True)
    shutil.copy(example, place / "src" / "main.rs")
    shutil.copy(ROOT / "Cargo.lock", place / "Cargo.lock")
    lines = ["[package]", 'name = "cozy-perft"', 'version = "0.0.0"', 'edition = "2021"', "[workspace]"]
    lines += ["[dependencies]", f'cozy-chess = "={crate["version"]}"', "[profile.release]"]
    lines += [f"{key} = {json.dumps(value)}" for key, value in profile.items()]
    (place / "Cargo.toml").write_text("\n".join(lines) + "\n")
    subprocess.run(
        ["cargo", "build", "--quiet", "--release", "--target-dir", place / "target"], cwd=place, check=True
    )
    return str(place / "target" / "release" / "cozy-perft")


def count(command, pattern):
    """The leaves that a program finds, and its processor time in seconds: others may want the cores too."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    said = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    found = re.search(pattern, said)
    if process.returncode != 0 or found is None:
        sys.exit(f"{command[0]} has failed: {said}")
    return int(found[1]), usage.ru_utime + usage.ru_stime


def ours(program, fen, depth):
    return count([program, "perft", fen, "--depth", str(depth)], r"nodes (\d+)\n")


def theirs(program, fen, depth):
    return count([program, str(depth), fen], r"(\d+) nodes in ")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=str(ROOT / "target/release/ttd"), metavar="TTD")
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--most", type=float, default=1.10, help="the ratio of times that is allowed")
    args = parser.parse_args()
    other = build()
    print(f"{'position':12} {'leaves':>12} {'ttd_s':>8} {'cozy_s':>8} {'ratio':>7}")
    sums = [0.0, 0.0]
    for name, fen, depth in POSITIONS:
        times = ([], [])
        for run in range(args.runs):
            # Who is first takes turns, too.
            for who in (0, 1) if run % 2 == 0 else (1, 0):
                counted = ours(args.program, fen, depth) if who == 0 else theirs(other, fen, depth)
                times[who].append(counted)
        counts = {leaves for side in times for leaves, _ in side}
        if len(counts) != 1:
            sys.exit(f"{name}: the counts differ: {sorted(counts)}")
        medians = [statistics.median(time for _, time in side) for side in times]
        sums = [total + median for total, median in zip(sums, medians)]
        print(f"{name:12} {counts.pop():12} {medians[0]:8.4f} {medians[1]:8.4f} {medians[0] / medians[1]:7.3f}", flush=True)
    ratio = sums[0] / sums[1]
    print(f"{'all':12} {'':12} {sums[0]:8.4f} {sums[1]:8.4f} {ratio:7.3f}")
    if ratio > args.most:
        sys.exit(f"ttd takes {ratio:.3f} times as long: at most {args.most} expected")


if __name__ == "__main__":
    main()
