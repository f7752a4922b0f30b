#!/usr/bin/env python3
"""Openings for games to learn from: positions of positions/openings-8moves.epd, each a few random moves later.

    scripts/random-openings.py NUMBER [PLIES] [SEED] > openings.epd

No move takes, and none puts a piece where it is attacked, so that most positions are still a game. As many different
positions as asked for, PLIES (4) moves behind the opening, by SEED (1). Needs python-chess (`pip install chess`)."""

import pathlib
import random
import sys

import chess

SET = pathlib.Path(__file__).parent.parent / "positions" / "openings-8moves.epd"


def random_move(board, draw):
    """A move that loses nothing at once, or None."""
    moves = [
        move
        for move in board.legal_moves
        if not board.is_capture(move) and not board.is_attacked_by(not board.turn, move.to_square)
    ]
    return draw.choice(moves) if moves else None


def play_on(board, plies, draw):
    """Whether so many random moves could be made."""
    for _ in range(plies):
        move = random_move(board, draw)
        if move is None:
            return False
        board.push(move)
    return not board.is_game_over()


def main():
    if not 2 <= len(sys.argv) <= 4 or not all(word.isdigit() for word in sys.argv[1:]):
        print(__doc__, file=sys.stderr)
        return 2
    number, plies, seed = (list(map(int, sys.argv[1:])) + [4, 1][len(sys.argv) - 2 :])[:3]
    lines = [line for line in SET.read_text(encoding="utf-8").splitlines() if line.strip()]
    draw = random.Random(seed)
    known = set()
    # Few random moves lead to few positions: when no opening has led to a new one for so long, there are no more.
    tries = last_new = 0
    while len(known) < number and tries - last_new < 100 * len(lines):
        board, operations = chess.Board.from_epd(lines[tries % len(lines)])
        board.halfmove_clock, board.fullmove_number = operations["hmvc"], operations["fmvn"]
        tries += 1
        if play_on(board, plies, draw) and board.epd() not in known:
            known.add(board.epd())
            last_new = tries
            name = f"{operations['id']}+{len(known)}"
            print(board.epd(hmvc=board.halfmove_clock, fmvn=board.fullmove_number, id=name))
    if len(known) < number:
        print(f"only {len(known)} openings differ: more PLIES give more", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
