#!/usr/bin/env python3
"""Checks the rules of chess: the whole perft set, and the 960 starting positions of Chess960 against a second generator.

    scripts/perft.py [--depth 6] [--depth960 4] [--engine stockfish] [--threads N] [TTD]

TTD is the program (target/release/ttd). The numbers of the perft set are in the set; those of Chess960 are asked of an
outside engine that knows `go perft` (Debian's Stockfish: scripts/install.sh stockfish). Says how many agree, and
exits 1 with the first that does not. Two minutes on two cores.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile


def chess960(number):
    """The first rank of a starting position by its Scharnagl number, 0 to 959 (518 is that of chess)."""
    rank = [None] * 8
    number, light = divmod(number, 4)
    rank[2 * light + 1] = "B"
    number, dark = divmod(number, 4)
    rank[2 * dark] = "B"

    def free():
        return [file for file in range(8) if rank[file] is None]

    number, queen = divmod(number, 6)
    rank[free()[queen]] = "Q"
    knights = [(a, b) for a in range(5) for b in range(a + 1, 5)][number]
    for file in [free()[knight] for knight in knights]:
        rank[file] = "N"
    for file, piece in zip(free(), "RKR"):
        rank[file] = piece
    return "".join(rank)


def start(number):
    """The FEN of a starting position; its rights as in Shredder-FEN."""
    rank = chess960(number)
    rooks = "".join(sorted(("ABCDEFGH"[file] for file in range(8) if rank[file] == "R"), reverse=True))
    return f"{rank.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w {rooks}{rooks.lower()} - 0 1"


class Generator:
    """The second generator: a UCI engine that counts."""

    def __init__(self, command):
        self.process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.send("uci")
        self.name = self.wait("id name ")
        self.wait("uciok")
        self.send("setoption name UCI_Chess960 value true")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait(self, beginning):
        for line in self.process.stdout:
            if line.startswith(beginning):
                return line[len(beginning) :].strip()
        sys.exit(f"the second generator ended before it said `{beginning}`")

    def perft(self, fen, depth):
        self.send(f"position fen {fen}")
        self.send(f"go perft {depth}")
        return int(self.wait("Nodes searched: "))


def check(words, command):
    print(f"{words}: {' '.join(command)}", flush=True)
    said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    print("\n".join(said.stdout.splitlines()[-4:]), flush=True)
    if said.returncode != 0:
        sys.exit(f"{words}: {said.stderr.strip()}")
    if "\nagree " not in said.stdout:
        sys.exit(f"{words}: nothing was compared")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default="target/release/ttd", metavar="TTD")
    parser.add_argument("--depth", type=int, default=6, help="of the perft set")
    parser.add_argument("--depth960", type=int, default=4, help="of the starting positions of Chess960")
    parser.add_argument("--engine", default="stockfish", help="the second generator")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    args = parser.parse_args()
    path = os.environ.get("PATH", "") + os.pathsep + "/usr/games"
    engine = shutil.which(args.engine, path=path)
    if engine is None:
        sys.exit(f"there is no `{args.engine}`: scripts/install.sh stockfish installs it")
    perft = [args.program, "perft", "--threads", str(args.threads)]

    check("the perft set", [*perft, "--positions", "perft", "--depth", str(args.depth)])
    with tempfile.TemporaryDirectory() as place:
        file = os.path.join(place, "chess960.epd")
        generator = Generator(engine)
        with open(file, "w", encoding="utf-8") as epd:
            for number in range(960):
                fen = start(number)
                leaves = generator.perft(fen, args.depth960)
                epd.write(f'{fen} id "start {number}"; D{args.depth960} {leaves};\n')
        generator.send("quit")
        words = f"the starting positions of Chess960, as {generator.name} counts"
        check(words, [*perft, "--positions", file, "--depth", str(args.depth960)])


if __name__ == "__main__":
    main()
