#!/usr/bin/env python3
"""Replays every game of a PGN file of `ttd match` with python-chess, and checks that the result,
the tag Termination, the words at its end and the final position agree.

    scripts/check-pgn.py results/strength/games.pgn

Prints counts. Exit status: 0 all is well, 1 something is wrong, 2 wrong usage. Needs python-chess
(`pip install chess`)."""

import collections
import logging
import re
import sys

import chess.pgn

# Words at the end of a game, the tag Termination, and what the board must say.
BY_RULE = [
    (r"(white|black) mates", lambda board: board.is_checkmate()),
    (r"draw by stalemate", lambda board: board.is_stalemate()),
    (r"draw by threefold repetition", lambda board: board.is_repetition(3)),
    (r"draw by the fifty-move rule", lambda board: board.is_fifty_moves()),
    (r"draw by insufficient material", lambda board: board.is_insufficient_material()),
]
OTHERWISE = [
    (r"draw by adjudication.*", "adjudication"),
    (r"(white|black) wins by adjudication", "adjudication"),
    (r"(white|black) resigns", "normal"),
    (r"(white|black) loses on time", "time forfeit"),
    (r"(white|black) forfeits: .*", "rules infraction|abandoned"),
]
RESULTS = {"white": "1-0", "black": "0-1", None: "1/2-1/2"}
OTHER_SIDE = {"white": "black", "black": "white"}


def is_over(board):
    """Whether the rules that ttd applies end the game here."""
    return any(rule(board) for _, rule in BY_RULE)


def check_end(headers, board, words):
    """What is wrong with the end of a game."""
    side = re.match(r"(white|black) (mates|wins|resigns|loses|forfeits)", words)
    winner = None
    if side:
        won = side[2] in ("mates", "wins")
        winner = side[1] if won else OTHER_SIDE[side[1]]
    if headers["Result"] != RESULTS[winner]:
        yield f"result {headers['Result']}, but {words}"
    for pattern, rule in BY_RULE:
        if re.fullmatch(pattern, words):
            if not rule(board):
                yield f"{words}, but {board.fen()}"
            if board.is_checkmate() and winner != ("black" if board.turn else "white"):
                yield f"{words}, but {board.fen()}"
            if headers["Termination"] != "normal":
                yield f"Termination {headers['Termination']}, but {words}"
            return
    for pattern, termination in OTHERWISE:
        if re.fullmatch(pattern, words):
            if is_over(board):
                yield f"{words}, but it was over by the rules"
            if not re.fullmatch(termination, headers["Termination"]):
                yield f"Termination {headers['Termination']}, but {words}"
            return
    yield f"it ends with `{words}`"


def check(game):
    """What is wrong with a game."""
    headers, board = game.headers, game.board()
    yield from (f"move: {error}" for error in game.errors)
    if not board.is_valid():
        yield f"the position is not legal: {board.fen()}"
    clocks = [tag for tag in headers if tag.endswith("TimeControl") and headers[tag] != "-"]
    for node in game.mainline():
        if is_over(board):
            yield f"it goes on at {board.fen()}"
        board.push(node.move)
        if node.emt() is None:
            yield f"ply {node.ply()}: no time"
        if "TimeControl" in clocks and node.clock() is None:
            yield f"ply {node.ply()}: no clock"
    if headers.get("PlyCount") != str(len(board.move_stack)):
        yield f"PlyCount {headers.get('PlyCount')}, {len(board.move_stack)} moves"
    words = " ".join(re.sub(r"\[%[^]]*\]", "", game.end().comment).split())
    yield from check_end(headers, board, words)


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    # Errors are in `game.errors`; here they are counted.
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    games = plies = wrong = 0
    results, terminations = collections.Counter(), collections.Counter()
    try:
        file = open(sys.argv[1], encoding="utf-8")
    except OSError as error:
        print(f"{sys.argv[1]}: {error.strerror}", file=sys.stderr)
        return 2
    with file:
        while (game := chess.pgn.read_game(file)) is not None:
            games += 1
            plies += len(list(game.mainline_moves()))
            results[game.headers["Result"]] += 1
            terminations[game.headers.get("Termination")] += 1
            for what in check(game):
                wrong += 1
                print(f"game {games} ({game.headers['Round']}): {what}", file=sys.stderr)
    for counter in (results, terminations):
        print(", ".join(f"{word}: {count}" for word, count in sorted(counter.items(), key=str)))
    print(f"{games} games, {plies} moves, {wrong} errors")
    return 1 if wrong or games == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
