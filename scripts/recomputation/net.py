"""Net speedup (statistics.md, "Net speedup"): its base, its figures at a number of threads, and their replicates."""

import numpy as np

from arrays import geometric_mean, median, ratio
from intervals import drawn_positions, expanded_level, interval, runs_level
from values import yes

FIGURES = ["net_speedup", "speedup_to_depth", "tree_ratio", "uncapped_speedup"]


def techniques(sweep, name):
    engine = sweep.variants[name]["engine"] if name in sweep.variants else sweep.experiment["engine"]
    return {key: value for key, value in engine.items() if key != "preset"}


def is_same_search(sweep, name, other):
    """Whether the median nodes of one thread are equal at each position that both have."""
    nodes = lambda who, p: median(sweep.cell(who, 1, p).nodes)
    both = [p for p in sweep.positions if sweep.cell(name, 1, p) and sweep.cell(other, 1, p)]
    return bool(both) and all((nodes(name, p) == nodes(other, p)).all() for p in both)


def net_base(sweep, name):
    """The competitor with equal techniques that has the least geometric mean of median times at one thread."""
    if name in sweep.engines:
        return name if any(sweep.cell(name, 1, p) for p in sweep.positions) else None
    same = [other for other in sweep.competitors if other not in sweep.engines]
    same = [other for other in same if techniques(sweep, other) == techniques(sweep, name)]
    same = [other for other in same if any(sweep.cell(other, 1, p) for p in sweep.positions)]
    same = [other for other in same if other == name or not is_same_search(sweep, name, other)]
    shared = [p for p in sweep.positions if all(sweep.cell(other, 1, p) for other in same)]
    mean = lambda other: geometric_mean(np.array([sweep.cell(other, 1, p).median[0] for p in shared]))
    # Of equal means a competitor's own is taken. The lower end of a censored median counts.
    return min(sorted(same, key=lambda other: other != name), key=mean, default=None)


def net_positions(sweep, searcher, threads):
    """The positions that have a net speedup; none where any sample of the competitor or of its base tells no nodes."""
    base = net_base(sweep, searcher)
    cells = [cell for (name, n, _), cell in sweep.cells.items() if name == searcher or (name, n) == (base, 1)]
    if base is None or not all(cell.nodes[0].all() for cell in cells if cell.n):
        return []
    return [p for p in sweep.positions if sweep.cell(base, 1, p) and sweep.cell(searcher, threads, p)]


def factors(sweep, searcher, threads, position, times, nodes):
    """S and R of a position, with ends. `times` and `nodes` give those of a cell, measured or drawn anew."""
    key = net_base(sweep, searcher), 1, position
    base, cell = sweep.cells[key], sweep.cells[searcher, threads, position]
    if key == (searcher, threads, position):
        return np.ones_like(times(base)), np.ones_like(times(base))
    return ratio(times(base), times(cell)), ratio(nodes(cell), nodes(base))


def measured_factors(sweep, searcher, threads, position):
    return factors(sweep, searcher, threads, position, lambda cell: cell.median, lambda cell: median(cell.useful))


def drawn_factors(sweep, searcher, threads, position):
    return factors(sweep, searcher, threads, position, lambda cell: cell.replicates(), lambda cell: cell.replicates("useful"))


def figures_of(speedups, trees):
    """The four figures of the geometric means of S and of R."""
    with np.errstate(invalid="ignore"):
        return dict(zip(FIGURES, [speedups * np.minimum(1, trees), speedups, trees, speedups * trees]))


def means(pairs):
    """The figures over positions; a pair for each."""
    return figures_of(*(geometric_mean(np.stack(factor, -1)) for factor in zip(*pairs)))


def net_cells(sweep, searcher, threads, positions):
    bases = [sweep.cell(net_base(sweep, searcher), 1, p) for p in positions]
    return bases + [sweep.cell(searcher, threads, p) for p in positions]


def at_most(sweep, searcher, threads):
    """Useless nodes that cannot be told: of several threads that share nothing but the table, and of outside engines."""
    return threads > 1 and (searcher in sweep.engines or sweep.algorithm(searcher) in ("abdada", "lazy-smp"))


def summary_of_net(sweep, searcher, threads):
    positions = net_positions(sweep, searcher, threads)
    if not positions:
        return {}
    pairs = [measured_factors(sweep, searcher, threads, p) for p in positions]
    row = {"net_at_most": yes(at_most(sweep, searcher, threads)), "net_base": net_base(sweep, searcher)} | means(pairs)
    cells = net_cells(sweep, searcher, threads, positions)
    runs = anew = None
    if sweep.has_runs_interval(cells):
        runs = means([drawn_factors(sweep, searcher, threads, p) for p in positions])
    if len(positions) > 1:
        drawn = drawn_positions(len(positions))
        anew = figures_of(*(geometric_mean(np.stack(factor, -1)[:, drawn]) for factor in zip(*pairs)))
    for name in FIGURES:
        row |= interval(name, "runs", runs and runs[name], runs_level(cells))
        row |= interval(name, "positions", anew and anew[name], anew and expanded_level(len(positions)))
    return row
