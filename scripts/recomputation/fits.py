"""The table fits.csv: the models over threads, their fits and their limits."""

import math

import numpy as np

from speedups import drawn_factors, measured_factors, net_cells, net_positions
from sweep import rows_of
from values import ShareOfReplicates, expanded_level, geometric_mean, interval, is_open, least_squares, runs_level, shared_draws


def reciprocal_law(shape):
    """Laws whose N / S is a sum of constants times parameters: log S = log(start) - log(constant + columns . parameters)."""

    def log_law(parameters, threads):
        start, constant, columns = shape(threads)
        inside = constant + parameters @ columns
        slopes = -columns.T[None] / inside[..., None]
        return np.log(start) - np.log(inside), slopes

    return log_law


AMDAHL = reciprocal_law(lambda n: (np.ones_like(n), np.ones_like(n), np.array([1 / n - 1])))
USL = reciprocal_law(lambda n: (n, np.ones_like(n), np.array([n - 1, n * (n - 1)])))
USL_CONTENTION = reciprocal_law(lambda n: (n, np.ones_like(n), np.array([n - 1])))
USL_COHERENCY = reciprocal_law(lambda n: (n, np.ones_like(n), np.array([n * (n - 1)])))


def logarithmic_law(parameters, threads):
    inside = 1 + parameters @ np.log(threads)[None]
    return np.log(inside), (np.log(threads) / inside)[..., None]


def fit_law(law, start, threads, log_speedups):
    def residuals(parameters):
        fitted, slopes = law(parameters, threads)
        return fitted - log_speedups, slopes

    return least_squares(residuals, np.tile(start, (len(log_speedups), 1)))


def fit_amdahl(threads, speedups):
    return fit_law(AMDAHL, [0.5], threads, np.log(speedups))[0]


def fit_usl(threads, speedups):
    """Least squares with neither parameter negative: where the free fit is outside, the better of the two edges."""
    logs = np.log(speedups)
    free, _ = fit_law(USL, [0.05, 0.001], threads, logs)
    edges = []
    for place, law in ((0, USL_CONTENTION), (1, USL_COHERENCY)):
        edge = np.zeros_like(free)
        edge[:, place] = np.maximum(0, fit_law(law, [0.01], threads, logs)[0][:, 0])
        edges.append(edge)
    errors = [((USL(edge, threads)[0] - logs) ** 2).sum(axis=1) for edge in edges]
    edge = np.where((errors[0] <= errors[1])[:, None], *edges)
    return np.where((free >= 0).all(axis=1)[:, None], free, edge)


def fit_power(threads, speedups):
    logs = np.log(threads)
    return (np.log(speedups) @ logs / (logs @ logs))[:, None]


def fit_logarithmic(threads, speedups):
    return fit_law(logarithmic_law, [0.5], threads, np.log(speedups))[0]


def fit_line(x, y):
    slope = (y - y.mean(axis=1, keepdims=True)) @ (x - x.mean()) / ((x - x.mean()) ** 2).sum()
    return np.stack([slope, y.mean(axis=1) - slope * x.mean()], axis=1)


def amdahl_limit(p):
    with np.errstate(divide="ignore"):
        return np.where(p[:, 0] >= 1, np.inf, 1 / (1 - p[:, 0])), np.full(len(p), np.nan)


def usl_limit(p):
    """statistics.md, "Models over threads": the peak, or 1 / contention without coherency."""
    contention, coherency = p.T
    with np.errstate(all="ignore"):
        peak = np.sqrt(np.maximum(0, 1 - contention) / coherency)
        peak = np.maximum(peak, 1)
        top = peak / (1 + contention * (peak - 1) + coherency * peak * (peak - 1))
        return np.where(coherency > 0, top, 1 / contention), np.where(coherency > 0, peak, np.nan)


def unbounded_limit(p):
    """formats-derived.md, "fits.csv", `limit`: a power or logarithm that falls peaks at one thread."""
    return np.where(p[:, 0] > 0, np.inf, 1.0), np.where(p[:, 0] > 0, np.nan, 1.0)


def law_value(name, p, n):
    """Speedup at n threads, for arrays of parameters (replicates, k) and of threads (replicates,)."""
    with np.errstate(all="ignore"):
        if name == "amdahl":
            return 1 / ((1 - p[:, 0]) + p[:, 0] / n)
        if name == "usl":
            return n / (1 + p[:, 0] * (n - 1) + p[:, 1] * n * (n - 1))
        return n ** p[:, 0] if name == "power" else 1 + p[:, 0] * np.log(n)


MODELS = {
    "amdahl": (["p"], fit_amdahl, amdahl_limit),
    "usl": (["contention", "coherency"], fit_usl, usl_limit),
    "power": (["exponent"], fit_power, unbounded_limit),
    "logarithmic": (["gain"], fit_logarithmic, unbounded_limit),
    "linear-trend": (["slope", "intercept"], lambda n, s: fit_line(n, s), None),
    "logarithmic-trend": (["slope", "intercept"], lambda n, s: fit_line(np.log(n), s), None),
}


def enough_threads(name, p, share):
    """statistics.md, "Enough threads": the least N below a million with S(N + 1) - S(N) < share, found by halving."""
    few = lambda n: law_value(name, p, n + 1) - law_value(name, p, n) < share
    lower, upper = np.zeros(len(p)), np.full(len(p), 1e6)
    for _ in range(21):
        middle = np.floor((lower + upper) / 2)
        found = few(middle) & (middle > 0)
        lower, upper = np.where(found, lower, middle), np.where(found, middle, upper)
    return np.where(upper >= 1e6, np.inf, upper)


def akaike(name, p, threads, speedups):
    """statistics.md, "The best model": AICc, the variance counted as a parameter."""
    n, k = len(threads), p.shape[1] + 1
    if n < p.shape[1] + 3:
        return None
    fitted = np.stack([law_value(name, p, np.full(len(p), count)) for count in threads], axis=1)
    squares = ((np.log(fitted) - np.log(speedups)) ** 2).sum(axis=1)
    return n * np.log(np.maximum(squares / n, 1e-12)) + 2 * k + 2 * k * (k + 1) / (n - k - 1)


def r_squared(fitted, measured):
    return 1 - ((fitted - measured) ** 2).sum() / ((measured - measured.mean()) ** 2).sum()


def fit_everything(name, p):
    """Every figure of a fit that has an interval, by column."""
    names, _, limit = MODELS[name]
    figures = {f"parameter_{place + 1}": p[:, place] for place in range(len(names))}
    if limit:
        figures["limit"], figures["limit_threads"] = limit(p)
        figures |= {f"enough_{share}": enough_threads(name, p, share / 100) for share in (50, 25, 10)}
    return figures


class Leading:
    """The speedups of one kind, `net` or `to depth`, of a searcher: figures, positions and replicates by threads."""

    COLUMN = {"net": "net_speedup", "to depth": "geometric_mean"}

    def __init__(self, sweep, searcher, kind):
        self.sweep, self.searcher, self.kind = sweep, searcher, kind
        counts = [n for name, n in sweep.rows if name == searcher and not sweep.is_oversubscribed(n)]
        self.known = {n: self.positions_of(n) for n in counts}
        self.known = {n: positions for n, positions in self.known.items() if positions}
        self.counts = list(self.known)
        self.positions = [p for p in sweep.positions if any(p in known for known in self.known.values())]
        self.figures = [np.stack([self.factors(n, p) for p in known], -1) for n, known in self.known.items()]
        self.means = np.array([self.figure(geometric_mean(factors)) for factors in self.figures]).reshape(-1, 2)

    def positions_of(self, threads):
        if self.kind == "net":
            return net_positions(self.sweep, self.searcher, threads)
        return self.sweep.with_speedup(self.searcher, threads)

    def factors(self, threads, position):
        """Speedup and tree ratio at a position, with ends. No tree ratio counts in the speedup to depth."""
        if self.kind == "net":
            return np.array(measured_factors(self.sweep, self.searcher, threads, position))
        speedup = self.sweep.speedup(self.searcher, threads, position)
        return np.array([speedup, np.ones_like(speedup)])

    def drawn(self, threads, position):
        if self.kind == "net":
            return np.array(drawn_factors(self.sweep, self.searcher, threads, position))
        speedup = self.sweep.speedup_replicates(self.searcher, threads, position)
        return np.array([speedup, np.ones_like(speedup)])

    @staticmethod
    def figure(means):
        with np.errstate(invalid="ignore"):
            return means[0] * np.minimum(1, means[1])

    def over_runs(self):
        """Replicates over runs as (ends, replicates, thread counts), and their level."""
        if self.kind == "net":
            cells = [cell for n in self.counts for cell in net_cells(self.sweep, self.searcher, n, self.known[n])]
        else:
            base = self.sweep.base
            cells = [self.sweep.cell(self.searcher, n, p) for n in self.counts for p in self.known[n]]
            cells += [base(self.searcher, p) for p in self.positions]
        if not cells or not self.sweep.has_runs_interval(cells):
            return None, None
        found = []
        for n, known in self.known.items():
            found.append(self.figure(geometric_mean(np.stack([self.drawn(n, p) for p in known], axis=-1))))
        return np.stack(found, axis=-1), runs_level(cells)

    def over_positions(self):
        """Replicates over positions, likewise. All thread counts share one sequence of draws."""
        if min(map(len, self.known.values()), default=0) < 2:
            return None, None
        has = np.array([[p in known for p in self.positions] for known in self.known.values()])
        found = []
        for known, figures, drawn in zip(self.known.values(), self.figures, shared_draws(has)):
            place = np.array([known.index(p) if p in known else -1 for p in self.positions])[drawn]
            found.append(self.figure(geometric_mean(figures[:, :, place])))
        return np.stack(found, axis=-1), expanded_level(min(map(len, self.known.values())))

    def intervals(self):
        """By thread count the intervals of the speedup, as the program wrote them in summary.csv: those cells are compared too."""
        column, found = self.COLUMN[self.kind], {}
        for row in rows_of(self.sweep.directory / "summary.csv"):
            if row["searcher"] == self.searcher:
                ends = [(row[f"{column}_ci_{of}_lower"], row[f"{column}_ci_{of}_upper"]) for of in ("runs", "positions")]
                found[int(row["threads"])] = [(float(lower), float(upper)) for lower, upper in ends if lower]
        return found


def fits(sweep):
    for searcher in dict.fromkeys(searcher for searcher, _ in sweep.rows):
        for kind in ("net", "to depth"):
            leading = Leading(sweep, searcher, kind)
            if kind == "to depth" or any(net_positions(sweep, searcher, n) for name, n in sweep.rows if name == searcher):
                yield from fits_of(leading)


def describes(name, p, threads, row, intervals):
    """statistics.md, "A law that does not describe the points"."""
    if name == "amdahl" and not 0 <= p[0, 0] <= 1 or row["r_squared"] < 0:
        return False
    for n in threads:
        value, known = law_value(name, p, n)[0], intervals[int(n)]
        if known and not any(lower <= value <= upper for lower, upper in known):
            return False
    return True


def fits_of(leading):
    counts, means = leading.counts, leading.means
    replicates = {"runs": leading.over_runs(), "positions": leading.over_positions()}
    rows, criteria, drawn_criteria = [], {}, {"runs": {}, "positions": {}}
    for name, (parameters, fit, limit) in MODELS.items():
        row = {"searcher": leading.searcher, "speedup": leading.kind, "model": name}
        row |= {f"parameter_{place + 1}": word for place, word in enumerate(parameters)}
        rows.append(row)
        used = [place for place, n in enumerate(counts) if n > 1 or not limit]
        row["status"] = status_of_fit(counts, means, used, len(parameters), limit)
        if row["status"] != "ok":
            continue
        threads, measured = np.array([counts[place] for place in used], float), means[used, 0][None]
        p = fit(threads, measured)
        row |= {"points": len(used), "measured_to": int(threads[-1])}
        row["r_squared"] = r_squared_of_fit(name, p, threads, measured)
        if limit and not describes(name, p, threads, row, leading.intervals()):
            row["status"] = "does not describe these"
        is_shown = lambda column: row["status"] == "ok" or column.startswith("parameter")
        for column, value in fit_everything(name, p).items():
            cell = f"{column}_value" if column.startswith("parameter") else column
            blank = np.isnan(value[0]) or (column == "limit" and np.isinf(value[0]))
            row[cell] = None if blank or not is_shown(column) else float(value[0])
        if limit and akaike(name, p, threads, measured) is not None:
            criteria[name] = row["aicc"] = float(akaike(name, p, threads, measured)[0])
        for kind, (drawn, level) in replicates.items():
            if drawn is not None:
                cells, drawn_criteria[kind][name] = refit(name, kind, level, threads, drawn[:, :, used])
                row |= {column: value for column, value in cells.items() if is_shown(column)}
    if len(criteria) > 1:
        choose_best(rows, criteria, drawn_criteria)
    return rows


def status_of_fit(counts, means, used, parameters, limit):
    """formats-derived.md, "fits.csv", `status`. Open speedups are looked at first."""
    if any(is_open(ends) for ends in means):
        return "censored"
    above_one = sum(n > 1 for n in counts)
    if len(used) < parameters + 2 or (not limit and above_one < parameters):
        return "not enough thread counts"
    return "ok"


def refit(name, kind, level, threads, drawn):
    """Intervals of a model's figures, and its AICc in every replicate."""
    # A replicate with an open median may have any figure that there is (formats-derived.md, "fits.csv"). Nobody wins there.
    unknown = (drawn[0] != drawn[1]).any(axis=1)
    points = drawn[0][~unknown]
    p = MODELS[name][1](threads, points)
    upper = np.full(unknown.sum(), np.inf)
    row = {}
    for column, figures in fit_everything(name, p).items():
        if column != "limit_threads":
            least = 1 if column.startswith("enough") else 0 if column == "limit" or name == "usl" else -np.inf
            ends = np.array([np.append(figures, np.full(unknown.sum(), least)), np.append(figures, upper)])
            row |= interval(column, kind, ends, level)
    criterion = akaike(name, p, threads, points) if MODELS[name][2] else None
    return row, None if criterion is None else np.append(criterion, np.full(unknown.sum(), np.nan))


def r_squared_of_fit(name, p, threads, measured):
    if MODELS[name][2]:
        fitted = np.array([law_value(name, p, n)[0] for n in threads])
        return r_squared(np.log(fitted), np.log(measured[0]))
    x = threads if name == "linear-trend" else np.log(threads)
    return r_squared(p[0, 0] * x + p[0, 1], measured[0])


def choose_best(rows, criteria, drawn):
    """formats-derived.md, "fits.csv", from `aicc_difference` to `wins_positions`."""
    least = min(criteria.values())
    weights = {name: math.exp(-(value - least) / 2) for name, value in criteria.items()}
    for row in rows:
        name = row["model"]
        if name not in criteria:
            continue
        row["aicc_difference"] = criteria[name] - least
        row["akaike_weight"] = weights[name] / sum(weights.values())
        row["best"] = "yes" if criteria[name] == least else None
        for kind in ("runs", "positions"):
            if drawn[kind]:
                table = np.stack([drawn[kind][other] for other in criteria])
                won = (table.argmin(axis=0) == list(criteria).index(name)) & ~np.isnan(table).any(axis=0)
                share = np.mean(won)
                row[f"wins_{kind}"] = ShareOfReplicates(float(share), table.shape[1])
