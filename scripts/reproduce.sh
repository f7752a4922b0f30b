#!/usr/bin/env bash
# Measures the kept results again, all or those named, into results/again or the directory given as the first argument,
# to be compared with the kept ones. May be interrupted: the same call goes on where it stopped.
#
#     scripts/reproduce.sh [DIR [NAME...]]
#
# NAMEs are those of the directories in results/. The machine should be otherwise idle, and its load is recorded. All of them take
# two cores a day, by guess, most of it for `virtual` and for games. TTD names another program than that of this checkout.
set -euo pipefail
out=$(realpath -m "${1:-$(dirname "$0")/../results/again}")
shift || true
cd "$(dirname "$0")/.."

wanted=("$@")
known=" $(sed -nE 's/^(measure|play|call) ([a-z0-9-]+) .*/\2/p; s/^if is_wanted ([a-z0-9-]+);.*/\1/p' scripts/reproduce.sh | tr '\n' ' ')"
for name in "${wanted[@]}"; do
    [[ "$known" == *" $name "* ]] || { echo "no result is called $name:$known" >&2; exit 2; }
done

if [ -z "${TTD:-}" ]; then
    cargo build --release
    TTD=$(realpath "${CARGO_TARGET_DIR:-target}/release/ttd")
fi
export TTD PATH=$PATH:/usr/games
mkdir -p "$out"

is_wanted() { # NAME
    [ ${#wanted[@]} = 0 ] || [[ " ${wanted[*]} " == *" $1 "* ]]
}
measure() { # NAME ARGUMENT...
    ! is_wanted "$1" || "$TTD" run "${@:2}" --name "$1" --out "$out/$1"
}
play() { # NAME ARGUMENT...
    ! is_wanted "$1" || "$TTD" match "${@:2}" --out "$out/$1"
}
call() { # NAME SCRIPT
    ! is_wanted "$1" || "$2" "$out/$1"
}

measure middlegames-1-2 --threads 1,2 --depth 18 --runs 10
measure middlegames-1-8 --threads 1,2,4,8 --depth 20
measure validation-real experiments/virtual-validation.toml --cores real --runs 12
# On virtual cores: the same bytes in samples.csv, as long as the search is the same.
if is_wanted virtual-validation; then
    "$TTD" run experiments/virtual-validation.toml --jobs 2 --name virtual-validation --out "$out/virtual-validation"
    "$TTD" validate "$out/validation-real" "$out/virtual-validation"
fi
measure virtual experiments/virtual.toml --jobs 2
measure virtual-sensitivity --cores virtual --searchers ybwc --threads 1,8,32 --depth 13 --runs 3 --sensitivity --jobs 2
measure recursive-splitting experiments/recursive-splitting.toml --jobs 2
measure recursive-splitting-unpruned experiments/recursive-splitting-unpruned.toml --jobs 2
measure root-splitting experiments/root-splitting.toml --jobs 2
measure searchers experiments/searchers.toml --jobs 2
measure hyatt-dts-20 experiments/searchers.toml --searchers ybwc,dts --depth 20 --hash 1024 --jobs 2
measure hyatt-dts-21 experiments/searchers.toml --searchers ybwc --depth 21 --hash 1024 --jobs 2
measure hyatt-dts-real --positions hyatt-dts --searchers ybwc --threads 1,2 --depth 17 --runs 5
call tables scripts/tables.sh
measure work-span --cores virtual --searchers ybwc,jamboree --threads 1,2,4,8,16,32,64 --depth 16 --runs 1 --jobs 2
# The thesis's comparison (docs/thesis.md): on real cores as far as there are two, on virtual ones whole, and what a limit of time does.
measure thesis experiments/thesis.toml --threads 1,2 --runs 6
measure thesis-virtual experiments/thesis-virtual.toml --jobs 2
measure thesis-as-run experiments/thesis-as-run.toml --cores virtual --depth 20 --time-limit 4 --runs 2 --jobs 2
# What each technique does (docs/ablation.md): on virtual cores, and the times of one worker on a real one.
measure ablation experiments/ablation.toml --jobs 2
measure ablation-on experiments/ablation-on.toml --jobs 2
measure ablation-ordering experiments/ablation-ordering.toml --jobs 2
measure ablation-pruning experiments/ablation-pruning.toml --jobs 2
measure ablation-lazy-smp experiments/ablation-lazy-smp.toml --jobs 2
measure ablation-minimax experiments/ablation-minimax.toml --jobs 2
# The references in deep searches, for speedups in searches as long (scripts/ablation-table.py --by-depth).
measure ablation-by-depth --positions bratko-kopec --cores virtual --searchers ybwc --threads 1,8 --depth 26 --runs 1 --hash 1024 --jobs 2
measure ablation-by-depth-lazy-smp --positions bratko-kopec --cores virtual --searchers lazy-smp --threads 1,8 --depth 26 --runs 1 \
    --hash 1024 --jobs 2
measure ablation-suite experiments/ablation.toml --positions win-at-chess --depth 10 --threads 1 --runs 1 --jobs 2
measure ablation-on-suite experiments/ablation-on.toml --positions win-at-chess --depth 5 --threads 1 --runs 1 --jobs 2
measure ablation-real experiments/ablation.toml --cores real --threads 1 --depth 11 --runs 1
measure ablation-on-real experiments/ablation-on.toml --cores real --threads 1 --runs 1
measure ablation-ordering-real experiments/ablation-ordering.toml --cores real --threads 1
measure ablation-pruning-real experiments/ablation-pruning.toml --cores real --threads 1
call openmp-study scripts/openmp-study.sh
# Outside engines, and games: Debian's (scripts/install-engines.sh).
measure engines experiments/engines.toml
play strength experiments/strength.toml
call two-threads scripts/two-threads.sh
play fast-games experiments/fast-games.toml
play three-minutes experiments/three-minutes.toml
play three-minutes-ybwc experiments/three-minutes-ybwc.toml
play thesis-elo-fast experiments/thesis-elo-fast.toml
play effective-speedup experiments/effective-speedup.toml
