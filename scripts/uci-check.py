#!/usr/bin/env python3
"""Checks `ttd uci` with python-chess: its options, every form of `go`, and fast games against other engines.

    scripts/uci-check.py [--games N] [--clock 1+0.01] [--searchers a,b] [--threads N] TTD [ENGINE...]

TTD is the program; an ENGINE is a command that speaks UCI (in quotation marks with its arguments). Every engine plays N
games. Prints a table, and exits 1 if a check fails, the program loses on time, or it plays an illegal move or dies. The
opponent's faults are counted apart.

Needs python-chess (pip install chess).
"""

import argparse
import logging
import random
import shlex
import sys
import time

import chess
import chess.engine

# An answer that takes longer than this never comes, seconds.
PATIENCE = 20
# An answer may come so much late where nobody counts the time: other programs may want the cores too.
GRACE = 0.25
MIDDLEGAME = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9"
MATE_IN_TWO = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
FISCHER = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1"


class Wrong(Exception):
    """A check has failed."""


def expect(what, condition):
    if not condition:
        raise Wrong(what)


def check_options(engine):
    names = set(engine.options)
    for name in ["Threads", "Hash", "Clear Hash", "MultiPV", "Ponder", "Move Overhead", "UCI_Chess960", "Searcher"]:
        expect(f"no option {name}", name in names)
    expect("no option of the techniques", "engine.null_move.enabled" in names)
    expect("no option of the searchers", "searcher.ybwc.eldest" in names)
    managed = {"MultiPV", "Ponder", "UCI_Chess960"}
    for option in engine.options.values():
        if option.name in managed or option.type == "button":
            continue
        values = [option.default]
        if option.type == "combo":
            values = [*option.var, option.default]
        if option.type == "check":
            values = [not option.default, option.default]
        for value in values:
            if option.name == "engine.alpha_beta" and not value:
                continue  # refused, by itself
            engine.configure({option.name: value})
        engine.ping()
    engine.configure({"Clear Hash": None, "Hash": 16})
    engine.ping()


def check_limits(engine):
    board = chess.Board(MIDDLEGAME)
    limits = [
        chess.engine.Limit(depth=6),
        chess.engine.Limit(nodes=3000),
        chess.engine.Limit(time=0.1),
        chess.engine.Limit(time=0.001),
        chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.01, black_inc=0.01),
        chess.engine.Limit(white_clock=0.005, black_clock=0.005),
        chess.engine.Limit(white_clock=1, black_clock=1, remaining_moves=1),
        chess.engine.Limit(white_clock=0.5, black_clock=0.5, white_inc=100, black_inc=100),
        chess.engine.Limit(depth=30, time=0.1),
        chess.engine.Limit(depth=4, nodes=10**9),
    ]
    for limit in limits:
        start = time.monotonic()
        result = engine.play(board, limit, info=chess.engine.INFO_ALL)
        elapsed = time.monotonic() - start
        expect(f"{limit}: {result.move} is not legal", result.move in board.legal_moves)
        for most in [limit.time, limit.white_clock]:
            expect(f"{limit}: took {elapsed:.3f} s", most is None or elapsed < most + GRACE)
        if limit.nodes == 3000:
            expect(f"{limit}: {result.info.get('nodes')} nodes", result.info.get("nodes") == 3000)
    info = engine.analyse(board, chess.engine.Limit(depth=8), game=object())
    for key in ["depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "time", "pv"]:
        expect(f"info without {key}: {info}", key in info)
    expect(f"depth {info['depth']}", info["depth"] == 8)


def check_mate(engine):
    board = chess.Board(MATE_IN_TWO)
    result = engine.play(board, chess.engine.Limit(mate=2), info=chess.engine.INFO_SCORE)
    expect(f"mate: {result.info}", result.info["score"].relative == chess.engine.Mate(2))


def check_multipv(engine):
    board = chess.Board(MIDDLEGAME)
    infos = engine.analyse(board, chess.engine.Limit(depth=5), multipv=4)
    expect(f"{len(infos)} lines", len(infos) == 4 and len({info["pv"][0] for info in infos}) == 4)
    scores = [info["score"].relative for info in infos]
    expect(f"scores {scores}", scores == sorted(scores, reverse=True))


def check_searchmoves(engine):
    board = chess.Board(MIDDLEGAME)
    moves = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    result = engine.play(board, chess.engine.Limit(depth=6), root_moves=moves)
    expect(f"searchmoves: {result.move}", result.move in moves)


def check_stop(engine):
    board = chess.Board(MIDDLEGAME)
    for delay in [0, 0.001, 0.2]:
        with engine.analysis(board) as analysis:
            time.sleep(delay)
            analysis.stop()
            best = analysis.wait()
        expect(f"stop: {best.move}", best.move in board.legal_moves)


def check_long(engine):
    """What is told after a second only: currmove, and the bounds of failed windows if there are any."""
    board = chess.Board(MIDDLEGAME)
    with engine.analysis(board, chess.engine.Limit(time=2)) as analysis:
        infos = list(analysis)
    expect("no currmove", any("currmove" in info and "currmovenumber" in info for info in infos))


def check_ponder(engine):
    board = chess.Board()
    clock = chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.01, black_inc=0.01)
    for _ in range(6):
        result = engine.play(board, clock, ponder=True)
        expect(f"ponder: {result.move}", result.move in board.legal_moves)
        board.push(result.move)
        # A hit, or another answer.
        hit = result.ponder is not None and board.ply() % 4 == 1
        board.push(result.ponder if hit else random.choice(list(board.legal_moves)))


def check_chess960(engine):
    board = chess.Board(FISCHER, chess960=True)
    limit = chess.engine.Limit(nodes=2000)
    for _ in range(40):
        if board.is_game_over():
            break
        board.push(engine.play(board, limit).move)
    board = chess.Board("4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1", chess960=True)
    castles = [board.parse_san("O-O")]
    result = engine.play(board, chess.engine.Limit(depth=3), root_moves=castles)
    expect(f"chess960: {result.move}", result.move in castles)


def check_one_move(engine):
    board = chess.Board("k6r/8/8/8/8/5q2/8/7K w - - 0 1")
    expect("more than one move", board.legal_moves.count() == 1)
    result = engine.play(board, chess.engine.Limit(white_clock=60, black_clock=60))
    expect(f"{result.move}", result.move in board.legal_moves)


CHECKS = [
    check_options,
    check_limits,
    check_mate,
    check_multipv,
    check_searchmoves,
    check_stop,
    check_long,
    check_ponder,
    check_chess960,
    check_one_move,
]


def run_checks(program):
    """Whether all succeed."""
    good = True
    for check in CHECKS:
        name = check.__name__.removeprefix("check_")
        try:
            with chess.engine.SimpleEngine.popen_uci([program, "uci"], timeout=PATIENCE) as engine:
                check(engine)
            print(f"{name:12} ok", flush=True)
        except (Wrong, chess.engine.EngineError, chess.engine.EngineTerminatedError, TimeoutError) as why:
            good = False
            print(f"{name:12} FAILED: {type(why).__name__} {why}", flush=True)
    return good


class Fault(Exception):
    """A game that ended against the rules: whose fault, and what."""

    def __init__(self, by_us, what):
        super().__init__(what)
        self.by_us = by_us
        self.what = what


def opening(rng):
    """A position after eight random plies, none of them a capture or a check."""
    while True:
        board = chess.Board()
        for _ in range(8):
            quiet = [mv for mv in board.legal_moves if not board.is_capture(mv) and not board.gives_check(mv)]
            board.push(rng.choice(quiet))
        if not board.is_game_over():
            return board


def play(board, players, us, clock, game):
    """Plays to the end: the result for us. `players` are White's and Black's engines."""
    base, increment = clock
    left = {chess.WHITE: base, chess.BLACK: base}
    least = base
    while True:
        outcome = board.outcome(claim_draw=True)
        if outcome is not None:
            return (0.5 if outcome.winner is None else float(outcome.winner == us)), least
        side = board.turn
        limit = chess.engine.Limit(
            white_clock=left[chess.WHITE], black_clock=left[chess.BLACK], white_inc=increment, black_inc=increment
        )
        start = time.monotonic()
        try:
            move = players[side].play(board, limit, game=game).move
        except chess.engine.EngineTerminatedError as why:
            raise Fault(side == us, f"died: {why}") from why
        except chess.engine.EngineError as why:
            raise Fault(side == us, f"illegal: {why}") from why
        except TimeoutError as why:
            raise Fault(side == us, "hung") from why
        left[side] -= time.monotonic() - start
        if left[side] < 0:
            raise Fault(side == us, f"lost on time by {-left[side] * 1000:.0f} ms")
        if side == us:
            least = min(least, left[side])
        if move is None:
            raise Fault(side == us, "no move")
        left[side] += increment
        board.push(move)


def run_games(args, options, opponent, rng):
    """A row of the table: our wins, draws, losses and faults, the opponent's faults, our least time left."""
    row = {"won": 0, "drawn": 0, "lost": 0, "faults": 0, "theirs": 0, "least": float("inf")}
    words = {1.0: "won", 0.5: "drawn", 0.0: "lost"}
    engines = None
    start = None
    for number in range(args.games):
        if number % 2 == 0:
            start = opening(rng)
        us = chess.WHITE if number % 2 == 0 else chess.BLACK
        try:
            if engines is None:
                ours = chess.engine.SimpleEngine.popen_uci([args.program, "uci"], timeout=PATIENCE)
                ours.configure(options)
                theirs = chess.engine.SimpleEngine.popen_uci(shlex.split(opponent), timeout=PATIENCE)
                engines = (ours, theirs)
            players = {us: engines[0], not us: engines[1]}
            board = start.copy()
            result, least = play(board, players, us, args.clock, object())
            row[words[result]] += 1
            row["least"] = min(row["least"], least)
        except Fault as fault:
            row["faults" if fault.by_us else "theirs"] += 1
            who = "ttd" if fault.by_us else opponent
            print(f"game {number + 1}: {who} {fault.what}: {board.fen()}", file=sys.stderr, flush=True)
            for engine in engines or ():
                engine.close()
            engines = None
    for engine in engines or ():
        engine.quit()
    return row


def time_control(text):
    base, _, increment = text.partition("+")
    return float(base), float(increment or 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("opponents", nargs="*", metavar="ENGINE")
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--clock", type=time_control, default=(1.0, 0.01), metavar="BASE+INCREMENT")
    parser.add_argument("--searchers", default="ybwc", help="who plays, separated by commas")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-checks", action="store_true", help="play games only")
    args = parser.parse_args()
    # What python-chess finds wrong in a line it logs and skips.
    problems = []
    handler = logging.Handler()
    handler.emit = lambda record: problems.append(record.getMessage())
    logging.getLogger("chess.engine").addHandler(handler)
    logging.getLogger("chess.engine").setLevel(logging.WARNING)

    good = args.no_checks or run_checks(args.program)
    for problem in problems:
        print(f"python-chess: {problem}")
    good = good and not problems
    rng = random.Random(args.seed)
    if args.opponents:
        header = ["searcher", "opponent", "won", "drawn", "lost", "faults", "theirs", "least_s"]
        print("  ".join(f"{word:>12}" for word in header))
    for searcher in args.searchers.split(",") if args.opponents else []:
        options = {"Searcher": searcher, "Threads": args.threads, "Hash": 16}
        for opponent in args.opponents:
            row = run_games(args, options, opponent, rng)
            cells = [searcher, opponent.split("/")[-1], row["won"], row["drawn"], row["lost"], row["faults"], row["theirs"]]
            print("  ".join(f"{cell:>12}" for cell in [*cells, f"{row['least']:.3f}"]), flush=True)
            good = good and row["faults"] == 0
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
