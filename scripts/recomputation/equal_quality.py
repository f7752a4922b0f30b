"""The tables assay.csv and assay-variants.csv: times at equal quality of moves."""

import math

import numpy as np
from scipy import optimize, stats

from speedups import summary_of_net
from sweep import rows_of
from values import RANDOM, REPLICATES, Deviation, Minimised, deviation_error, expanded_level, interval, near

# equal-quality.md, "How moves are valued": centipawns.
MOST_LOSS = 200
# equal-quality.md, "Parallel lines are shown, not assumed": ratios of slopes.
PARALLEL = 0.8, 1.25
# The rows of a curve, beside ln(time).
CENTIPAWNS, EXPECTED_SCORE = 1, 2


def judged_values(sweep):
    """formats.md, "judged.csv": by position the values of its moves, of the judge that was asked last."""
    path = sweep.directory / "judged.csv"
    rows = rows_of(path) if path.exists() else []
    rows = [row for row in rows if (row["judge"], row["nodes"]) == (rows[-1]["judge"], rows[-1]["nodes"])]
    moves = lambda row: (pair.rsplit(":", 1) for pair in row["values"].split())
    by_board = {row["fen"]: {move: int(value) for move, value in moves(row)} for row in rows}
    return {row["position"]: by_board[row["fen"]] for row in rows}


def losses(values, move):
    """equal-quality.md, "How moves are valued": the loss in centipawns, and that of expected score."""
    best, expected = max(values.values()), lambda value: 1 / (1 + 10 ** (-value / 400))
    return min(best - values[move], MOST_LOSS), expected(best) - expected(values[move])


def curve(sweep, values, key):
    """Means over the samples of a cell, at each depth that counts: ln(time), loss, and loss of expected score."""
    cell, depth = sweep.cells.get(key), sweep.experiment["depth"]
    if not cell or not cell.n or cell.censored:
        return None
    points = []
    for row in cell.rows:
        reached = sweep.reached[*key, row["round"]]
        for time, _, move in (reached.get(d, (None, None, None)) for d in range(depth // 2 + 1, depth + 1)):
            if move not in values:
                return None
            points.append((math.log(time), *losses(values, move)))
    return np.array(points).reshape(cell.n, -1, 3).mean(axis=0).T


def last_loss(sweep, values, key):
    """The mean loss in centipawns at the depth asked for, of the samples that reached it."""
    cell = sweep.cells.get(key)
    moves = [row["best_move"] for row in cell.ok] if cell else []
    return np.mean([losses(values, move)[0] for move in moves]) if moves and all(move in values for move in moves) else None


def means_drawn_anew(points):
    """Means over positions, which are the first axis, in each replicate."""
    count = len(points)
    flat, found = points.reshape(count, -1), []
    for _ in range(0, REPLICATES, 1000):
        places = RANDOM.integers(0, count, (1000, count)) + count * np.arange(1000)[:, None]
        found.append(np.bincount(places.ravel(), minlength=1000 * count).reshape(1000, count) / count @ flat)
    return np.concatenate(found).reshape(REPLICATES, *points.shape[1:])


def line(x, y):
    """Slope and intercept by least squares."""
    x_mean, y_mean = x.mean(axis=-1, keepdims=True), y.mean(axis=-1, keepdims=True)
    slope = ((x - x_mean) * (y - y_mean)).sum(axis=-1) / ((x - x_mean) ** 2).sum(axis=-1)
    return slope, (y_mean - slope[..., None] * x_mean)[..., 0]


def common_slope(curves):
    products = squares = 0
    for x, y in curves:
        x = x - x.mean(axis=-1, keepdims=True)
        products, squares = products + (x * y).sum(axis=-1), squares + (x**2).sum(axis=-1)
    return products / squares


def ratios(base, cell):
    """By column numerator and denominator of figures by lines: ln of the ratio of times at equal loss, and the ratio of slopes."""
    slope = common_slope((base, cell))
    distance = cell[1].mean(axis=-1) - base[1].mean(axis=-1) - slope * (cell[0].mean(axis=-1) - base[0].mean(axis=-1))
    return {"equal_quality": (distance, slope), "slopes": (line(*cell)[0], line(*base)[0])}


def ratio_at(loss, base, cell):
    """The ends of the ratio of times at a loss, by lines with slopes of their own. It may be any if one does not fall."""
    (base_slope, base_start), (slope, start) = line(*base), line(*cell)
    with np.errstate(all="ignore"):
        ratio = np.exp((loss - base_start) / base_slope - (loss - start) / slope)
    ratio = np.where(np.maximum(base_slope, slope) < 0, ratio, np.nan)
    return np.stack([np.nan_to_num(ratio, nan=end, posinf=math.inf) for end in (0, math.inf)])


class Ratio:
    """A ratio of two figures, and replicates of both."""

    def __init__(self, measured, drawn, positions):
        self.measured, self.value = np.array(measured), measured[0] / measured[1]
        # Means of positions drawn anew vary less than those of the population, by the root of (n - 1) / n (found from the figures).
        self.drawn = np.array(drawn) * math.sqrt(positions / (positions - 1))
        self.student = stats.t.ppf(0.975, positions - 1)

    def told_by_end(self, ratio):
        """Fieller: numerator - ratio x denominator is as far from 0 as Student's quantile times its deviation."""
        direction = np.array([0, 1]) if math.isinf(ratio) else np.array([1, -ratio]) / math.hypot(1, ratio)
        return abs(direction @ self.measured) / self.student, direction @ self.drawn

    def may_be_any(self):
        """Whether the set may have all ratios: even the one that is farthest, by deviations, is not as far as the quantile."""
        farthest = np.linalg.pinv(np.cov(self.drawn)) @ self.measured @ self.drawn
        return self.drawn[1].std() > 0 and farthest.std() <= self.student * (1 + deviation_error(farthest))

    def log_error(self):
        """The standard error of the ratio, to first order."""
        at_value = np.array([1, -self.value]) @ self.drawn
        return Deviation(float(at_value.std() / abs(self.measured[1])), lambda error: (error * abs(self.measured[1]), at_value))

    def ends(self):
        products = np.outer(self.measured, self.measured) - self.student**2 * np.cov(self.drawn)
        return np.sort(np.roots([products[1, 1], -2 * products[0, 1], products[0, 0]]).real)

    def cells(self, column, written):
        """The figure and the ends of its set. The ends that the program wrote tell whether there are any."""
        shown, told = float, self.told_by_end
        if not column.startswith("slopes"):
            shown, told = np.exp, lambda end: self.told_by_end(math.log(end) if end else -math.inf)
        with np.errstate(over="ignore"):
            ends = [Deviation(float(shown(end)), told) for end in self.ends()]
        found = set_of(column, written, shown(self.value))
        if found == "all" and self.may_be_any():
            ends = None, None
        elif found is None:
            ends = "an end below the upper one", "an end above the lower one"
        return {column: shown(self.value)} | dict(zip(ends_of(column), ends))


def ends_of(column):
    return [f"{column}_ci_positions_{end}" for end in ("lower", "upper")]


def set_of(column, written, value):
    """formats-derived.md, "assay.csv", `set`: what the ends that the program wrote bound, which are compared for themselves.

    None where they bound no set.
    """
    ends = [float(written.get(name) or "nan") for name in ends_of(column)]
    if all(map(math.isnan, ends)):
        return "all"
    if ends[0] < ends[1]:
        return "between" if ends[0] <= value <= ends[1] else "outside"
    return "between" if near(ends[0], value) and near(ends[1], value) else None


class Assay:
    """A cell beside its base over the positions where all is known: both curves, measured and drawn anew."""

    def __init__(self, points, first_depth, written):
        self.positions, self.first_depth, self.written = len(points), first_depth, written
        self.measured, self.drawn = points.mean(axis=0), means_drawn_anew(points).swapaxes(0, 1)

    def used(self, scale):
        """equal-quality.md, "Only common losses count": which depths of the base and of the cell."""
        base, cell = self.measured[:, scale]
        margin = (base.max() - base.min()) / max(len(base) - 1, 1) / 2
        within = lambda losses, others: (losses >= others.min() - margin) & (losses <= others.max() + margin)
        return within(base, cell), within(cell, base)

    def chosen(self, curves, scale):
        """Of the base and of the cell: ln(time) and losses, at the depths that are used."""
        return [(curve[..., 0, kept], curve[..., scale, kept]) for curve, kept in zip(curves, self.used(scale))]

    def missing(self, scale):
        """Why there is no figure, if there is none."""
        if min(map(sum, self.used(scale))) < 2:
            return "fewer than two depths of each have losses in common"
        if any(line(*curve)[0] >= 0 for curve in self.chosen(self.measured, scale)):
            return "the loss does not fall as the time grows"
        return None

    def ratios(self, scale):
        """By column the figures that have Fieller's intervals."""
        pairs = [ratios(*self.chosen(curves, scale)) for curves in (self.measured, self.drawn)]
        both = np.logical_and(*self.used(scale))
        for curves, found in zip((self.measured, self.drawn), pairs) if both.any() else []:
            times = (curves[0][..., 0, both] - curves[1][..., 0, both]).mean(axis=-1)
            distance, slope = found["equal_quality"]
            found |= {"to_common_depths": (times, np.ones_like(times)), "quality": (distance - times * slope, slope)}
        return {column: Ratio(pairs[0][column], pairs[1][column], self.positions) for column in pairs[0]}

    def by_centipawns(self):
        if self.missing(CENTIPAWNS):
            return {"verdict": self.missing(CENTIPAWNS)}
        row, found = {}, self.ratios(CENTIPAWNS)
        for column, ratio in found.items():
            row |= ratio.cells(column, self.written)
        equal, (base, cell) = found["equal_quality"], self.chosen(self.measured, CENTIPAWNS)
        row |= {"slope": equal.measured[1], "log_error": equal.log_error(), "verdict": self.verdict(found["slopes"].value)}
        row["set"] = set_of("equal_quality", self.written, row["equal_quality"])
        for name, kept in zip(("base_", ""), self.used(CENTIPAWNS)):
            depths = self.first_depth + np.flatnonzero(kept)
            row |= {f"{name}first_depth": depths[0], f"{name}last_depth": depths[-1]}
        row |= by_parabola(base, cell, equal.value)
        # Of all depths that count (found from the figures).
        losses = self.measured[:, CENTIPAWNS]
        for name, loss in {"most": losses.max(axis=1).min(), "least": losses.min(axis=1).max()}.items():
            row |= {f"{name}_loss": loss, f"at_{name}_loss": ratio_at(loss, base, cell)}
            anew = ratio_at(loss, *self.chosen(self.drawn, CENTIPAWNS))
            row |= interval(f"at_{name}_loss", "positions", anew, expanded_level(self.positions))
        return row

    def verdict(self, slopes):
        """Asked of the interval that the program wrote, whose ends are compared for themselves."""
        ends = [self.written.get(name) for name in ends_of("slopes")]
        is_bounded = set_of("slopes", self.written, slopes) == "between"
        is_within = is_bounded and PARALLEL[0] <= float(ends[0]) and float(ends[1]) <= PARALLEL[1]
        return "parallel" if is_within else "not shown to be parallel"

    def by_expected_score(self):
        """With depths of its own scale, and also where centipawns have no figure (found from the figures)."""
        if self.missing(EXPECTED_SCORE):
            return {}
        found = self.ratios(EXPECTED_SCORE)
        row = found["equal_quality"].cells("equal_expected", self.written)
        return row | found["slopes"].cells("slopes_expected", self.written)


def by_parabola(base, cell, start):
    """equal-quality.md, "Curvature is reported": the ratio of times and the curvature, if the parabola falls everywhere.

    It is looked for within a factor of 2 of the ratio by lines, with 5 points or more (found from the figures).
    """

    def fit(shift):
        x, y = np.append(base[0], cell[0] + shift), np.append(base[1], cell[1])
        fitted = np.polynomial.Polynomial.fit(x, y, 2)
        return x, fitted(x) - y, fitted.deriv()

    def slopes(shift):
        x, _, slope = fit(shift)
        return slope(x.min()), slope(x.max())

    def growth(shift):
        """Half of the slope of the sum of squares."""
        x, errors, slope = fit(shift)
        return (errors * slope(x))[len(base[0]) :].sum()

    if len(base[0]) + len(cell[0]) < 5:
        return {}
    shifts = start + np.linspace(-math.log(2), math.log(2), 401)
    least = int(np.argmin([(fit(shift)[1] ** 2).sum() for shift in shifts]))
    if least in (0, 400):
        return {}
    best = optimize.brentq(growth, shifts[least - 1], shifts[least + 1], xtol=1e-15)
    if max(slopes(best)) >= 0:
        return {}
    curvature = lambda shift: slopes(shift)[1] / slopes(shift)[0]
    return {"curvature": Minimised(curvature, best), "equal_quality_bent": Minimised(math.exp, best)}


def asked_positions(sweep):
    if sweep.experiment["only"]:
        return len(sweep.experiment["only"])
    lines = (sweep.directory / "positions.epd").read_text().splitlines()
    return sum(not line.startswith("#") for line in lines if line.strip())


def assay_row(sweep, values, key, base_key, written):
    row = {"searcher": key[0], "threads": key[1]} | extra_loss(sweep, values, key, base_key)
    pairs = [[curve(sweep, values.get(p, {}), (*of, p)) for of in (base_key, key)] for p in sweep.positions]
    points = [np.stack(pair) for pair in pairs if pair[0] is not None and pair[1] is not None]
    row |= {"positions": len(points), "left_out": asked_positions(sweep) - len(points)}
    if len(points) < 2:
        known_moves = any(move for reached in sweep.reached.values() for _, _, move in reached.values())
        return row | {"verdict": f"{'' if known_moves else 'no moves of iterations: '}fewer than two positions are judged whole"}
    found = Assay(np.stack(points), sweep.experiment["depth"] // 2 + 1, written)
    return row | found.by_centipawns() | found.by_expected_score()


def extra_loss(sweep, values, key, base_key):
    pairs = [[last_loss(sweep, values.get(p, {}), (*of, p)) for of in (base_key, key)] for p in sweep.positions]
    pairs = np.array([pair for pair in pairs if None not in pair])
    if not len(pairs):
        return {}
    (base, loss), extra = pairs.mean(axis=0), pairs[:, 1] - pairs[:, 0]
    row = {"base_loss": base, "loss": loss, "extra_loss": extra.mean()}
    if len(pairs) > 1:
        half = stats.t.ppf(0.975, len(pairs) - 1) * extra.std(ddof=1) / math.sqrt(len(pairs))
        row |= {"extra_loss_ci_positions_lower": extra.mean() - half, "extra_loss_ci_positions_upper": extra.mean() + half}
    return row


def written_rows(sweep, name):
    path = sweep.directory / f"{name}.csv"
    return {(row["searcher"], int(row["threads"])): row for row in rows_of(path)} if path.exists() else {}


def assay(sweep):
    values, written = judged_values(sweep), written_rows(sweep, "assay")
    for key in sweep.rows if values else []:
        if key[1] > 1:
            row = assay_row(sweep, values, key, sweep.base_key(key[0], None)[:2], written.get(key, {}))
            for column, figure in summary_of_net(sweep, *key).items():
                if column.startswith(("net_speedup", "speedup_to_depth")) and "_ci_runs_" not in column:
                    row[column] = figure
            yield row


def assay_variants(sweep):
    values, written = judged_values(sweep), written_rows(sweep, "assay-variants")
    reference = sweep.experiment.get("reference", sweep.competitors[0])
    for key in sweep.rows if values else []:
        if key[0] != reference and key[0] not in sweep.engines:
            yield assay_row(sweep, values, key, (reference, key[1]), written.get(key, {}))
