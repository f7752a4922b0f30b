#!/usr/bin/env python3
"""How many positions of a set a sweep solved, by the best move of each sample, also of those that the time limit ended.

    scripts/suite-score.py DIR

DIR is the results directory of `ttd run` on a set with known best moves, such as

    ttd run --positions win-at-chess --searchers sequential --threads 1 --depth 60 --time-limit 1 --runs 1 --hash 64 --out DIR

Prints for each searcher and number of threads how many samples found a best move, and which positions were missed. (The
tables of `ttd report` count the moves of samples that reached the depth.) Needs python-chess (`pip install chess`)."""

import collections
import csv
import pathlib
import sys
import tomllib

import chess


def questions(directory):
    """What each position of the sweep's set asks for, by its id."""
    experiment = tomllib.loads((directory / "experiment.toml").read_text(encoding="utf-8"))
    own = directory / experiment["positions"]
    built_in = pathlib.Path(__file__).parent.parent / "positions" / f"{experiment['positions']}.epd"
    asked = {}
    for line in (own if own.is_file() else built_in).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            _, operations = chess.Board.from_epd(line)
            if {"bm", "am"} & operations.keys():
                asked[operations["id"]] = operations
    return asked


def is_solved(move, operations):
    found = chess.Move.from_uci(move) if move else None
    if found is None:
        return False
    return found in operations.get("bm", [found]) and found not in operations.get("am", [])


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    directory = pathlib.Path(sys.argv[1])
    for name in ("experiment.toml", "samples.csv"):
        if not (directory / name).is_file():
            print(f"{directory}: no results of a sweep: {name} is missing", file=sys.stderr)
            return 2
    asked = questions(directory)
    solved, missed = collections.Counter(), collections.defaultdict(list)
    all_of = collections.Counter()
    with open(directory / "samples.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            who = (row["searcher"], int(row["threads"]))
            if row["position"] not in asked:
                continue
            all_of[who] += 1
            if is_solved(row["best_move"], asked[row["position"]]):
                solved[who] += 1
            else:
                missed[who].append(f"{row['position']} ({row['best_move'] or 'none'})")
    for who in all_of:
        print(f"{who[0]}, threads {who[1]}: {solved[who]} of {all_of[who]}; missed: {', '.join(missed[who]) or 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
