"""The table sensitivity.csv."""

from arrays import ratio
from speedups import summary
from sweep import Sweep


def sensitivity(sweep):
    """formats-derived.md, "sensitivity.csv": one directory for each cost that was halved or doubled."""
    unchanged = {(row["searcher"], row["threads"]): row for row in summary(sweep)}
    for directory in sorted((sweep.directory / "sensitivity").iterdir()):
        cost, _, change = directory.name.rpartition("-")
        for row in summary(Sweep(directory)):
            if row["threads"] > 1:
                mine = {"cost": cost, "change": change} | {name: row[name] for name in ("searcher", "threads", "geometric_mean")}
                mine |= {name: row[name] for name in row if name.startswith("geometric_mean_ci_runs")}
                before = unchanged[row["searcher"], row["threads"]]["geometric_mean"]
                mine["ratio_to_unchanged"] = ratio(row["geometric_mean"], before)
                yield mine
