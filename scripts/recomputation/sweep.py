"""The measured files of a directory: samples, iterations, and what is found from them for every table."""

import csv
import math
import pathlib
import tomllib
from collections import defaultdict

import numpy as np

from values import REPLICATES, drawn_rounds, geometric_mean, median, ratio


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def medians_of(figures, places):
    """Medians of drawn samples; figures have samples on their last axis. A replicate without any has the measured median."""
    if (places >= 0).all():
        return median(figures[..., places])
    counts = (places >= 0).sum(axis=-1)
    found = np.empty(figures.shape[:-1] + counts.shape)
    for count in np.unique(counts):
        rows = counts == count
        kept = places[rows]
        kept = kept[kept >= 0].reshape(-1, count) if count else np.tile(np.arange(figures.shape[-1]), (rows.sum(), 1))
        found[..., rows] = median(figures[..., kept])
    return found


class Cell:
    """The samples of one competitor, number of threads and position; only those with a time."""

    def __init__(self, rows, draws):
        rows = sorted(rows, key=lambda row: int(row["round"]))
        self.failed = sum(row["status"] == "failed" for row in rows)
        self.rows = [row for row in rows if row["status"] != "failed"]
        self.ok = [row for row in self.rows if row["status"] == "ok"]
        self.n, self.censored = len(self.rows), len(self.rows) - len(self.ok)
        self.times = np.array([self.ends(row, row["time_s"]) for row in self.rows]).reshape(-1, 2).T
        self.nodes = np.array([self.ends(row, row["nodes"]) for row in self.rows]).reshape(-1, 2).T
        self.useful = np.array([self.ends(row, self.useful_nodes(row)) for row in self.rows]).reshape(-1, 2).T
        self.median = median(self.times) if self.n else None
        self.rounds_drawn, self.drawn = draws, {}

    @staticmethod
    def useful_nodes(row):
        """statistics.md, "Net speedup": nodes without those of aborted subtrees and of speculation."""
        useless = ["aborted_nodes_pv", "aborted_nodes_cut", "aborted_nodes_all", "speculative_nodes"]
        return int(row["nodes"]) - sum(int(row.get(name) or 0) for name in useless)

    @staticmethod
    def ends(row, figure):
        """formats.md, "samples.csv": the true figure of a censored sample is greater."""
        return float(figure), math.inf if row["status"] == "censored" else float(figure)

    def column(self, name):
        return np.array([float(row[name]) for row in self.rows])

    def replicates(self, figures="times"):
        """Medians of the samples of the rounds drawn anew: one draw of rounds for all cells."""
        if figures not in self.drawn:
            self.drawn[figures] = medians_of(getattr(self, figures), self.places())
        return self.drawn[figures]

    def places(self, rows=None):
        """Which of the samples (or of these) each replicate has: those of the drawn rounds; -1 for rounds that are not there."""
        place_of = {int(row["round"]): place for place, row in enumerate(self.rows if rows is None else rows)}
        return np.array([place_of.get(number + 1, -1) for number in range(self.rounds_drawn.shape[1])])[self.rounds_drawn]

    def account(self):
        """formats-derived.md, "speedups.csv": geometric means of nodes, time in `search` and time to depth.

        Workers of outside engines, whose states are not known, count as busy (engines.md). Their time in `search` is None.
        """
        if self.censored or not self.n or not self.column("nodes").all():
            return None
        busy = geometric_mean(self.column("search_s")) if all(row["search_s"] for row in self.rows) else None
        return geometric_mean(self.column("nodes")), busy, geometric_mean(self.column("time_s"))


class Sweep:
    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        with open(self.directory / "experiment.toml", "rb") as file:
            self.experiment = tomllib.load(file)
        with open(self.directory / "environment.toml", "rb") as file:
            self.sittings = tomllib.load(file)["sitting"]
        self.is_virtual = self.experiment["cores"] == "virtual"
        self.variants = {variant["name"]: variant for variant in self.experiment.get("variants", [])}
        self.engines = [engine["name"] for engine in self.experiment.get("engines", [])]
        self.competitors = self.experiment["searchers"] + list(self.variants) + self.engines
        self.cells, samples = {}, defaultdict(list)
        for row in self.without_damage(rows_of(self.directory / "samples.csv")):
            samples[row["searcher"], int(row["threads"]), row["position"]].append(row)
        draws = drawn_rounds(max((int(row["round"]) for rows in samples.values() for row in rows), default=0))
        for key, rows in samples.items():
            self.cells[key] = Cell(rows, draws)
        self.positions = list(dict.fromkeys(position for _, _, position in self.cells))
        self.rows = sorted({key[:2] for key in self.cells}, key=lambda row: (self.competitors.index(row[0]), row[1]))
        self.read_iterations()

    def without_damage(self, rows):
        """formats.md, "samples.csv", "Damage": rows that a report leaves out. Unknown positions are not looked for."""
        seen = set()
        for row in rows:
            if None in row or None in row.values() or row["searcher"] not in self.competitors:
                continue
            sample = row["searcher"], row["threads"], row["position"], row["round"]
            known = int(row["threads"]) in [1, *self.experiment["threads"]] and int(row["depth"]) == self.experiment["depth"]
            known = known and 1 <= int(row["round"]) <= self.experiment["runs"]
            time = float(row["time_s"])
            if known and sample not in seen and time >= 0 and (time > 0 or row["status"] != "ok"):
                seen.add(sample)
                yield row

    def read_iterations(self):
        """Times and nodes of each cell to each depth, and moves of each sample. Open where a stopped one did not reach the depth."""
        self.depths = defaultdict(dict)
        path = self.directory / "iterations.csv"
        reached = defaultdict(dict)
        for row in rows_of(path) if path.exists() else []:
            sample = row["searcher"], int(row["threads"]), row["position"], row["round"]
            reached[sample][int(row["depth"])] = float(row["time_s"]), float(row["nodes"]), row.get("best_move")
        self.reached = reached
        for key, cell in self.cells.items():
            for depth in range(1, self.experiment["depth"] + 1) if reached else []:
                figures = []
                for row in cell.rows:
                    known = reached[*key, row["round"]].get(depth)
                    if known:
                        # Nodes are of samples that are ok, also where a stopped one reached this depth (found from the files).
                        figures.append((known[0], known[0], known[1] if row["status"] == "ok" else math.nan))
                    elif row["status"] == "censored":
                        figures.append((float(row["time_s"]), math.inf, math.nan))
                if figures:
                    lower, upper, nodes = np.array(figures).T
                    known = nodes[~np.isnan(nodes)]
                    times = np.array([median(lower), median(upper)])
                    self.depths[key][depth] = times, np.median(known) if len(known) else math.nan

    def base_key(self, searcher, position):
        """formats.md, "experiment.toml", the key `base`."""
        return ("sequential" if self.experiment["base"] == "sequential" else searcher), 1, position

    def base(self, searcher, position):
        cell = self.cells.get(self.base_key(searcher, position))
        return cell if cell and cell.n else None

    def cell(self, searcher, threads, position):
        cell = self.cells.get((searcher, threads, position))
        return cell if cell and cell.n else None

    def with_speedup(self, searcher, threads):
        return [p for p in self.positions if self.cell(searcher, threads, p) and self.base(searcher, p)]

    def speedup(self, searcher, threads, position):
        if (searcher, threads, position) == self.base_key(searcher, position):
            return np.array([1.0, 1.0])
        return ratio(self.base(searcher, position).median, self.cell(searcher, threads, position).median)

    def speedup_replicates(self, searcher, threads, position):
        if (searcher, threads, position) == self.base_key(searcher, position):
            return np.ones((2, REPLICATES))
        return ratio(self.base(searcher, position).replicates(), self.cell(searcher, threads, position).replicates())

    def has_runs_interval(self, cells):
        """formats-derived.md, the list at its head: `ci_runs` is blank if a base or cell has a single sample."""
        return all(cell.n > 1 for cell in cells)

    def is_oversubscribed(self, threads):
        """formats-derived.md, "summary.csv". No simulation is oversubscribed (found from the files; the page does not say so)."""
        return not self.is_virtual and threads > min(int(sitting["cores_usable"]) for sitting in self.sittings)

    def algorithm(self, searcher):
        variant = self.variants.get(searcher)
        return variant["searcher"] if variant else searcher

    def is_prefix(self, searcher):
        """formats-derived.md, "speedup-by-depth.csv", the column `prefixes`."""
        if searcher in self.engines:
            return True
        variant = self.variants.get(searcher)
        algorithm = self.algorithm(searcher)
        if algorithm != "lazy-smp":
            return algorithm in ("abdada", "pipelined")
        settings = variant["parameters"] if variant else self.experiment["searcher"]["lazy-smp"]
        return not (settings["helpers"] == "per-iteration" and settings["stagger"] == "none")
