"""The tables comparisons.csv and variants.csv."""

import itertools
import math
import pathlib

import numpy as np
from scipy import stats

from sweep import medians_of
from values import geometric_mean, interval, median, over_positions, ratio, runs_level, runs_level_of, yes


def compared_pairs(sweep):
    """formats-derived.md, "comparisons.csv", its head."""
    several = sweep.experiment["searchers"] + sweep.engines
    reference = sweep.experiment.get("reference", sweep.competitors[0]) if sweep.variants else None
    if len(several) <= 9:
        found = list(itertools.combinations(several, 2))
    else:
        first = reference or next(name for name in several if any(n > 1 for other, n in sweep.rows if other == name))
        found = [(name, first) for name in several if name != first]
    # A variant that is the reference is compared with the searchers and engines too (found from the files).
    others = [] if not sweep.variants else sweep.variants if reference in several else [*several, *sweep.variants]
    return list(dict.fromkeys(found + [(name, reference) for name in others if name != reference]))


def signed_rank_test(differences):
    """Wilcoxon's two-sided p, Pratt's treatment of zeros: (p, whether the positive ranks are the greater sum).

    Infinite differences, of censored samples, are the greatest of all but no ties (found from the figures).
    """
    infinite = np.isinf(differences)
    differences = np.where(infinite, np.sign(differences) * (1e6 + np.cumsum(infinite)), differences)
    ranks = stats.rankdata(np.abs(differences))
    used = differences != 0
    weights, total = ranks[used], ranks[used & (differences > 0)].sum()
    if not used.any():
        return 1.0, False
    mean = weights.sum() / 2
    if used.sum() > 50:
        p = 2 * stats.norm.sf(abs(total - mean) / math.sqrt((weights**2).sum() / 4))
    else:
        # Doubled ranks are whole numbers; `ways` has the number of choices of signs for each sum of them.
        ways = np.array([1.0])
        for rank in np.round(2 * weights).astype(int):
            ways = np.append(ways, np.zeros(rank)) + np.append(np.zeros(rank), ways)
        place = int(round(2 * total))
        p = 2 * min(ways[: place + 1].sum(), ways[place:].sum()) / ways.sum()
    return min(1.0, p), total > mean


def test_of_ratios(ratios):
    """The ends of p over all that the censored samples may have been, and whether `searcher` is faster at each end."""
    with np.errstate(divide="ignore"):
        tests = [signed_rank_test(np.log(end)) for end in ratios]
    p = sorted(p for p, _ in tests)
    if tests[0][1] != tests[1][1] and not np.array_equal(*ratios):
        p[1] = 1.0
    return np.array(p), [faster for _, faster in tests]


def holm(values):
    adjusted, greatest = [0.0] * len(values), 0.0
    for place, index in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        greatest = max(greatest, min(1.0, (len(values) - place) * values[index]))
        adjusted[index] = greatest
    return adjusted


def comparisons(sweep):
    rows = []
    for (searcher, other), threads in itertools.product(compared_pairs(sweep), sorted({n for _, n in sweep.rows})):
        positions = [p for p in sweep.positions if sweep.cell(searcher, threads, p) and sweep.cell(other, threads, p)]
        if positions:
            rows.append(comparison(sweep, searcher, other, threads, positions))
    tested = [row for row in rows if row["p"] is not None]
    adjusted = [holm([row["p"][end] for row in tested]) for end in (0, 1)]
    for index, row in enumerate(tested):
        row["p_holm"] = adjusted[0][index], adjusted[1][index]
    for row in rows:
        row["family"] = len(tested) if row["p"] is not None else None
        row["verdict"] = verdict(row)
    return rows


def verdict(row):
    if row["positions"] < 6:
        return "too few positions"
    if row["p_holm"][1] <= 0.05:
        return "faster" if row["_faster"][0] else "slower"
    return "no difference seen" if row["p_holm"][0] > 0.05 else "open"


def comparison(sweep, searcher, other, threads, positions):
    ones = [sweep.cell(searcher, threads, position) for position in positions]
    others = [sweep.cell(other, threads, position) for position in positions]
    ratios = np.stack([ratio(b.median, a.median) for a, b in zip(ones, others)], -1)
    row = {"searcher": searcher, "other": other, "threads": threads, "oversubscribed": yes(sweep.is_oversubscribed(threads))}
    row |= {"positions": len(positions), "ahead": int((ratios[0] > 1).sum()), "behind": int((ratios[1] < 1).sum())}
    row["equal"] = int((ratios == 1).all(axis=0).sum())
    row["times_as_fast"] = geometric_mean(ratios)
    with np.errstate(divide="ignore"):
        row["median_times_as_fast"] = np.exp(median(np.log(ratios)))
    runs = None
    if sweep.has_runs_interval(ones + others):
        runs = geometric_mean(np.stack([ratio(b.replicates(), a.replicates()) for a, b in zip(ones, others)], -1))
    row |= interval("times_as_fast", "runs", runs, runs_level(ones + others))
    row |= over_positions("times_as_fast", ratios)
    row["p"], row["_faster"] = test_of_ratios(ratios) if len(positions) >= 6 else (None, None)
    return row


def solutions(sweep):
    """The moves that the position set names: by id, the board, the moves `bm` and the moves `am`."""
    path = sweep.directory / "positions.epd"
    if not path.exists():
        path = pathlib.Path(__file__).parents[2] / "positions" / (sweep.experiment["positions"] + ".epd")
    found = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        board, _, rest = line.partition(" ")
        operations = dict(part.strip().partition(" ")[::2] for part in " ".join(rest.split()[3:]).split(";") if part.strip())
        if "id" in operations:
            found[operations["id"].strip('"')] = board, operations.get("bm", "").split(), operations.get("am", "").split()
    return found


def is_move(board, uci, san):
    """Whether a legal move in UCI notation is the one in algebraic notation."""
    ranks = ["".join("." * int(c) if c.isdigit() else c for c in rank) for rank in board.split("/")]
    piece = ranks[8 - int(uci[1])][ord(uci[0]) - ord("a")].upper()
    san = san.rstrip("+#!?").replace("x", "").replace("=", "")
    if san.replace("0", "O") in ("O-O", "O-O-O"):
        return piece == "K" and uci[0] == "e" and uci[2] == ("g" if len(san) == 3 else "c")
    wanted, promotion = (san[0], "") if san[0] in "KQRBN" else ("P", san[-1].lower() if san[-1].isalpha() else "")
    squares = san[1:] if wanted != "P" else san.rstrip("KQRBN")
    origin = squares[:-2]
    return piece == wanted and uci[2:4] == squares[-2:] and uci[4:] == promotion and all(c in uci[:2] for c in origin)


def found_moves(sweep, searcher, threads, known):
    """By position that asks for a move: which samples that reached the depth have it."""
    found = {}
    for position, (board, best, avoid) in known.items():
        cell = sweep.cells.get((searcher, threads, position))
        if (best or avoid) and cell and cell.ok:
            moves = [row["best_move"] for row in cell.ok]
            is_one_of = lambda move, wanted: any(is_move(board, move, san) for san in wanted)
            found[position] = [
                bool(move) and (not best or is_one_of(move, best)) and not is_one_of(move, avoid) for move in moves
            ]
    return found


def branching_factors(sweep, searcher, threads):
    """formats-derived.md, "variants.csv", the column `branching_factor`: by position, of each sample, and which of these are drawn."""
    depth = sweep.experiment["depth"]
    step = depth // 2 // 2 * 2
    found = {}
    for position in sweep.positions if depth >= 4 else []:
        cell = sweep.cells.get((searcher, threads, position))
        known = [(row, sweep.reached[searcher, threads, position, row["round"]]) for row in cell.ok] if cell else []
        known = [(row, nodes) for row, nodes in known if {depth, depth - step} <= nodes.keys()]
        factors = [(nodes[depth][1] / nodes[depth - step][1]) ** (1 / step) for _, nodes in known]
        if factors:
            found[position] = np.array(factors), cell.places([row for row, _ in known])
    return found


def paired(column, sizes, figure, replicate):
    """A geometric mean over positions with both intervals. `figure` and `replicate` give the two ends at one position.

    `sizes` has, by position, the numbers of samples of the cells that take part.
    """
    figures = np.stack([figure(position) for position in sizes], -1)
    row = {column: geometric_mean(figures)}
    level = runs_level_of(min(size for position in sizes for size in sizes[position]))
    runs = geometric_mean(np.stack([replicate(position) for position in sizes], -1)) if level else None
    return row | interval(column, "runs", runs, level) | over_positions(column, figures)


def variants(sweep):
    reference = sweep.experiment.get("reference", sweep.competitors[0])
    known = solutions(sweep)
    for searcher, threads in sweep.rows:
        if searcher not in sweep.engines:
            row = {"searcher": searcher, "threads": threads, "reference": reference}
            yield row | variant(sweep, searcher, threads, reference, known)


def variant(sweep, searcher, threads, reference, known):
    row = {}
    cell = lambda position: sweep.cell(searcher, threads, position)
    other = lambda position: sweep.cell(reference, threads, position)
    both = {p: (cell(p).n, other(p).n) for p in sweep.positions if cell(p) and other(p)} if searcher != reference else {}
    if both:
        row["positions"] = len(both)
        row |= paired("time_ratio", both, lambda p: ratio(cell(p).median, other(p).median),
                      lambda p: ratio(cell(p).replicates(), other(p).replicates()))
        row |= paired("nodes_ratio", both, lambda p: ratio(median(cell(p).nodes), median(other(p).nodes)),
                      lambda p: ratio(cell(p).replicates("nodes"), other(p).replicates("nodes")))
    factors = branching_factors(sweep, searcher, threads)
    if factors:
        drawn = lambda p: medians_of(*factors[p])
        row |= paired("branching_factor", {p: [len(factors[p][0])] for p in factors}, lambda p: np.repeat(median(factors[p][0]), 2),
                      lambda p: np.tile(drawn(p), (2, 1)))
    row |= variant_moves(sweep, searcher, threads, reference, known)
    with_speedup = sweep.with_speedup(searcher, threads) if threads > 1 else []
    if with_speedup:
        sizes = {p: [cell(p).n, sweep.base(searcher, p).n] for p in with_speedup}
        row |= paired("speedup", sizes, lambda p: sweep.speedup(searcher, threads, p),
                      lambda p: sweep.speedup_replicates(searcher, threads, p))
    shared = [p for p in with_speedup if p in both and sweep.base(reference, p)]
    if shared:
        sizes = {p: [cell(p).n, sweep.base(searcher, p).n, other(p).n, sweep.base(reference, p).n] for p in shared}
        both_of = lambda speedup, p: ratio(speedup(searcher, threads, p), speedup(reference, threads, p))
        row |= paired("speedup_ratio", sizes, lambda p: both_of(sweep.speedup, p), lambda p: both_of(sweep.speedup_replicates, p))
    return row


def variant_moves(sweep, searcher, threads, reference, known):
    moves = found_moves(sweep, searcher, threads, known)
    if not moves:
        return {}
    theirs = found_moves(sweep, reference, threads, known)
    samples = sum(map(len, moves.values()))
    more_than_half = lambda right: sum(right) > len(right) / 2
    both = [position for position in moves if position in theirs]
    gained = sum(more_than_half(moves[p]) and not more_than_half(theirs[p]) for p in both)
    lost = sum(more_than_half(theirs[p]) and not more_than_half(moves[p]) for p in both)
    row = {"asked": len(moves), "samples": samples, "found_share": sum(map(sum, moves.values())) / samples}
    return row | {"found": sum(map(more_than_half, moves.values())), "gained": gained, "lost": lost}
