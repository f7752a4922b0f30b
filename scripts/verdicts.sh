#!/usr/bin/env bash
# How often the verdicts of `comparisons.csv` err: 2,000 simulated pairs of competitors in each of 36 settings, and 2,000 reports on
# nine competitors in nine. Prints the tables of docs/coverage.md, "Verdicts".
#
#     scripts/verdicts.sh
#
# The same figures on every machine (up to the last digit of a mathematical library).
set -euo pipefail
cd "$(dirname "$0")/.."
cargo test --release --locked --lib -- --ignored --nocapture verdicts_of_two_thousand_pairs |
    sed -n '/^|/p; /^$/p'
