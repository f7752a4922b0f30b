"""Recomputes the derived CSV files of results directories of sweeps, from the measured files and the pages alone.

    python3 scripts/recompute.py DIR...

Directories are those in which `ttd report` has been run. Formulas are those of the pages below docs/; this program was
written without a look at the program's source. Every cell of a derived file is compared with a value that is found here. A
cell that differs is printed, and the exit status is then 1. Needs numpy and scipy (pip install numpy scipy).

Modules below recomputation/: `sweep` reads the measured files. `values` compares cells, and has the intervals and what the tables share.
Each other module makes the tables that its first line names.

Kinds of cells:

exact        A number agrees within 1e-9 of itself, or within 1e-15. Blanks and words agree with themselves.
statistical  An end of a bootstrap interval, or a share of replicates. The program drew 2,000 replicates with its own random
             numbers, and this package draws `values.REPLICATES` with others. The program's end is an order statistic of
             its replicates. If both draw from one distribution, the number of this package's replicates below that end has
             a beta-binomial distribution. The number found must lie within its middle 99.994%, which are 4 standard errors
             to each side of a normal distribution. Replicates equal to the end may count as below it or above it. A share
             of replicates may differ by 4 of its standard errors. An end of Fieller's, or a standard error, tells the standard
             deviation of a linear combination of the program's replicates. It may differ from that of this package's by 4 of its
             standard errors: 7% of it, and more where the replicates have far tails. Where a slope may be nothing, ends lie far out,
             and a small difference of deviations moves them far.
minimised    The figures by the parabola of equal quality. A sum of squares tells half of the digits of the place where it is least.
             So that place, the logarithm of a ratio, may differ by 1e-7. These cells are counted as exact ones.

words        The status of a law hangs on intervals, in which the two differ. So it is asked of the intervals that summary.csv has;
             these cells are compared as statistical ones. Likewise `set` and `verdict` of assay.csv are asked of its own ends.

Times that censored samples leave open are pairs of ends (lower, upper); arrays of them have the two ends on their first axis.
"""

import pathlib
import sys
from collections import Counter

sys.path.insert(0, str(pathlib.Path(__file__).with_name("recomputation")))

from comparisons import comparisons, variants
from depths import depth_trends, speedup_by_depth, speedup_by_tree
from equal_quality import assay, assay_variants
from fits import fits
from speedups import sensitivity, speedups, summary
from stability import normality, outliers, stability
from sweep import Sweep, rows_of
from values import STATISTICAL, agrees, shown
from work_span import work_span

TABLES = {
    "speedups": (speedups, 3),
    "summary": (summary, 2),
    "fits": (fits, 3),
    "speedup-by-depth": (speedup_by_depth, 3),
    "speedup-by-tree": (speedup_by_tree, 3),
    "depth-trends": (depth_trends, 2),
    "stability": (stability, 2),
    "outliers": (outliers, 3),
    "normality": (normality, 3),
    "comparisons": (comparisons, 3),
    "work-span": (work_span, 2),
    "variants": (variants, 2),
    "assay": (assay, 2),
    "assay-variants": (assay_variants, 2),
    "sensitivity": (sensitivity, 4),
}


def compare(path, ours, keys):
    """Prints what differs, and gives the numbers of exact cells, statistical cells and differences."""
    ours = {tuple(str(value) for value in list(row.values())[:keys]): row for row in ours}
    exact = statistical = 0
    differing = []
    theirs = rows_of(path) if path.exists() else []
    columns = list(theirs[0]) if theirs else []
    for row in theirs:
        key = tuple(row[column] for column in columns[:keys])
        mine = ours.pop(key, None)
        if mine is None:
            differing.append((key, "(row)", "there", "not there"))
            continue
        for column in columns:
            value = mine.get(column)
            if isinstance(value, STATISTICAL):
                statistical += 1
            else:
                exact += 1
            if not agrees(row[column], str(value) if column in columns[:keys] else value):
                differing.append((key, column, row[column], value))
        for column in mine.keys() - set(columns):
            if not column.startswith("_") and mine[column] is not None:
                differing.append((key, column, "(no such column)", mine[column]))
    differing += [(key, "(row)", "not there", "there") for key in ours]
    if not path.exists() and not differing:
        return Counter()
    print(f"{path}: {exact} exact and {statistical} statistical cells compared, {len(differing)} differ")
    for key, column, text, value in differing:
        print(f"  {path.name}, {' '.join(key)}, {column}: theirs {text or 'blank'}, ours {shown(value)}")
    return Counter(exact=exact, statistical=statistical, differing=len(differing))


def main(directories):
    if not directories:
        sys.exit(__doc__)
    total = Counter()
    for directory in directories:
        sweep = Sweep(directory)
        for name, (table, keys) in TABLES.items():
            path = sweep.directory / f"{name}.csv"
            if name.endswith("variants") and not sweep.variants or name == "sensitivity" and not path.exists():
                continue
            total += compare(path, list(table(sweep)), keys)
    print(f"all: {total['exact']} exact and {total['statistical']} statistical cells compared, {total['differing']} differ")
    sys.exit(1 if total["differing"] else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
