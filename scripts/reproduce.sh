#!/usr/bin/env bash
# Measures the kept results and the figures of the pages again, all or those named, into results/again or the directory given as
# the first argument, to be compared with the kept ones. May be interrupted: the same call goes on where it stopped.
#
#     scripts/reproduce.sh [DIR [NAME...]]
#
# NAMEs are those of the directories in results/, and of what is printed into DIR/figures/NAME.txt: the figures that are in no
# kept result, or pass or do not (these come last, do not stop each other, and are called again by the next call if they did not
# pass). What a table or a check reads of other NAMEs has to be there. The machine should be otherwise idle, and its load is recorded. All of them take two cores a day and a half, by guess,
# most of it for `virtual` and for games. TTD names another program than that of this checkout; what counts instructions or
# simulates statistics builds its own.
set -euo pipefail
out=$(realpath -m "${1:-$(dirname "$0")/../results/again}")
shift || true
cd "$(dirname "$0")/.."

wanted=("$@")
known=" $(sed -nE 's/^(measure|play|call|print|check) ([a-z0-9-]+) .*/\2/p; s/^if is_wanted ([a-z0-9-]+);.*/\1/p' scripts/reproduce.sh | tr '\n' ' ')"
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
call() { # NAME SCRIPT ARGUMENT...
    ! is_wanted "$1" || "${@:2}" "$out/$1"
}
print() { # NAME COMMAND ARGUMENT...
    is_wanted "$1" && [ ! -e "$out/figures/$1.txt" ] || return 0
    mkdir -p "$out/figures"
    "${@:2}" >"$out/figures/$1.unfinished" && mv "$out/figures/$1.unfinished" "$out/figures/$1.txt"
}

failed=()
check() { # NAME COMMAND ARGUMENT...
    print "$@" || failed+=("$1")
}

# Lazy SMP of these figures puts no move off.
never=$out/never-put-off.toml
printf '%s\n' '[searcher.lazy-smp]' 'put_off_depth = 100' >"$never"

measure middlegames-1-2 "$never" --threads 1,2 --depth 18 --runs 10
measure middlegames-1-8 "$never" --threads 1,2,4,8 --depth 20
measure validation-real experiments/virtual-validation.toml --cores real --runs 12
measure win-at-chess --positions win-at-chess --searchers sequential --threads 1 --depth 60 --time-limit 1 --runs 1 --hash 64
print win-at-chess scripts/figures.py suite-score "$out/win-at-chess"
# On virtual cores: the same bytes in samples.csv, as long as the search is the same.
if is_wanted virtual-validation; then
    "$TTD" run experiments/virtual-validation.toml --jobs 2 --name virtual-validation --out "$out/virtual-validation"
    "$TTD" validate "$out/validation-real" "$out/virtual-validation"
fi
measure virtual experiments/virtual.toml --jobs 2
measure virtual-sensitivity --cores virtual --searchers ybwc --threads 1,8,32 --depth 13 --runs 3 --sensitivity --jobs 2
measure recursive-splitting experiments/recursive-splitting.toml --jobs 2
measure recursive-splitting-unpruned experiments/recursive-splitting-unpruned.toml --jobs 2
measure root-splitting --positions bratko-kopec --cores virtual --searchers sequential,root-splitting --threads 1,2,4 --depth 14 --runs 1 \
    --base sequential --jobs 2
measure searchers experiments/searchers.toml --jobs 2
measure hyatt-dts-20 experiments/searchers.toml --searchers ybwc,dts --depth 20 --hash 1024 --jobs 2
measure hyatt-dts-21 experiments/searchers.toml --searchers ybwc --depth 21 --hash 1024 --jobs 2
measure hyatt-dts-real --positions hyatt-dts --searchers ybwc --threads 1,2 --depth 17 --runs 15
call tables scripts/settings.sh tables
measure work-span --cores virtual --searchers ybwc,jamboree --threads 1,2,4,8,16,32,64 --depth 16 --runs 1 --jobs 2
# The thesis's comparison (docs/studies/thesis.md): on real cores as far as there are two, on virtual ones whole, and to 64
# workers at less than its depth.
measure thesis experiments/thesis.toml --threads 1,2 --runs 3
measure thesis-real experiments/thesis.toml --threads 1,2 --runs 6 --only 1,6,11,16,21,26
measure thesis-virtual experiments/thesis.toml --cores virtual --time-limit 10 --runs 1 --jobs 2
measure thesis-to-64 experiments/thesis.toml --cores virtual --threads 1,2,3,4,5,6,7,8,12,16,24,32,48,64 --depth 16 --runs 1 --jobs 2
measure thesis-oversubscribed experiments/thesis-oversubscribed.toml --jobs 2
measure thesis-eight experiments/thesis.toml --cores virtual --threads 1,8 --depth 18 --runs 2 --time-limit 120 --jobs 2
# What each technique does (docs/ablation.md): on virtual cores, and the times of one worker on a real one.
measure ablation experiments/ablation.toml --jobs 2
measure ablation-on experiments/ablation-on.toml --jobs 2
measure ablation-ordering experiments/ablation-ordering.toml --jobs 2
measure ablation-pruning experiments/ablation-pruning.toml --jobs 2
measure ablation-lazy-smp experiments/ablation-lazy-smp.toml --jobs 2
measure ablation-minimax experiments/ablation-minimax.toml --jobs 2
# The references in deep searches, for speedups in searches as long (scripts/ablation-table.py --by-depth).
measure ablation-by-depth --positions bratko-kopec --cores virtual --searchers ybwc --threads 1,8 --depth 26 --runs 1 --hash 1024 --jobs 2
measure ablation-by-depth-lazy-smp "$never" --positions bratko-kopec --cores virtual --searchers lazy-smp --threads 1,8 --depth 26 --runs 1 \
    --hash 1024 --jobs 2
measure ablation-suite experiments/ablation.toml --positions win-at-chess --depth 10 --threads 1 --runs 1 --jobs 2
measure ablation-on-suite experiments/ablation-on.toml --positions win-at-chess --depth 5 --threads 1 --runs 1 --jobs 2
measure ablation-pruning-suite experiments/ablation-pruning.toml --positions win-at-chess --depth 8 --threads 1 --jobs 2
measure ablation-real experiments/ablation.toml --cores real --threads 1 --depth 11 --runs 1
measure ablation-on-real experiments/ablation-on.toml --cores real --threads 1 --runs 1
measure ablation-ordering-real experiments/ablation-ordering.toml --cores real --threads 1
measure ablation-pruning-real experiments/ablation-pruning.toml --cores real --threads 1
call openmp-study scripts/openmp-study.sh
# The tables of the pages that are made of these results.
print ablation-table scripts/ablation-table.py --real "$out/ablation-real" --suite "$out/ablation-suite" --by-depth "$out/ablation-by-depth" \
    "$out/ablation"
print ablation-on-table scripts/ablation-table.py --real "$out/ablation-on-real" --suite "$out/ablation-on-suite" "$out/ablation-on"
print ablation-ordering-table scripts/ablation-table.py --real "$out/ablation-ordering-real" "$out/ablation-ordering"
print ablation-pruning-table scripts/ablation-table.py --real "$out/ablation-pruning-real" --suite "$out/ablation-pruning-suite" --by-depth "$out/ablation-by-depth" \
    "$out/ablation-pruning"
print ablation-lazy-smp-table scripts/ablation-table.py --by-depth "$out/ablation-by-depth-lazy-smp" "$out/ablation-lazy-smp"
print ablation-minimax-table scripts/ablation-table.py "$out/ablation-minimax"
print page-tables scripts/figures.py page-tables --results "$out"
print as-finished scripts/figures.py as-finished "$out/thesis-virtual" 4 2 1 0.5
print as-finished-real scripts/figures.py as-finished "$out/thesis" 1.3
# Outside engines, and games: Debian's (scripts/install.sh).
measure engines experiments/engines.toml
measure peers --positions bratko-kopec --searchers sequential --engine stockfish --engine "name=ethereal command=ethereal-chess depth=18" \
    --threads 1 --depth 20 --runs 3 --hash 256
print peers scripts/figures.py nodes-per-second "$out/peers"
print clocks scripts/figures.py clocks "$out/engines"
play openmp-games experiments/openmp-games.toml
play strength-by-threads experiments/strength-by-threads.toml
play strength experiments/strength.toml
call two-threads scripts/two-threads.sh
play fast-games experiments/fast-games.toml
play three-minutes experiments/three-minutes.toml
play three-minutes-ybwc --searchers ybwc --threads 2 --engine "name=toga2 command=toga2 threads=1 option.OwnBook=false" --tc 180+0 --games 6 --hash 64
play thesis-elo-fast experiments/thesis-elo-fast.toml
play effective-speedup experiments/effective-speedup.toml
# Figures of the pages that are in no result, in the order of the pages.
print benchmarks scripts/benchmarks.sh "$out/benchmarks"
print lazy-smp-settings scripts/settings.sh lazy-smp "$out/lazy-smp-settings"
print naked-race scripts/settings.sh naked-race "$out/naked-race" 1
print instructions scripts/instructions.sh
print large-report scripts/large-report.py
print studies env RESULTS="$out" scripts/studies.sh
print node-rates scripts/settings.sh node-rates "$out/node-rates"
measure bad-records experiments/bad-records.toml --jobs 2
measure quality experiments/bad-records.toml --positions openings-8moves --threads 1,8,32 --depth 13 --hash 32 --jobs 2
print quality "$TTD" quality "$out/quality" --depth 18 --jobs 2
measure equal-quality "$never" --cores virtual --positions openings-4000 --searchers ybwc,lazy-smp --threads 1,2,8,32 --depth 11 --runs 1 --hash 16 --jobs 2
print equal-quality-judged "$TTD" quality "$out/equal-quality" --judge "stockfish nodes=20000"
measure deepening experiments/deepening.toml --jobs 2
measure search-numbers experiments/search-numbers.toml --jobs 2
print coverage scripts/coverage.sh 2000 "$out/coverage.csv"
print verdicts scripts/verdicts.sh
print matches cargo test --release --locked -p ttd-stats --lib over_a_grid -- --nocapture --test-threads 1
print same-twice scripts/verdicts.sh "$out/same-twice"
print perft-speed scripts/perft-speed.py "$TTD"
# What passes or does not.
check perft scripts/perft.py "$TTD"
check strength-replayed scripts/check-pgn.py "$out/strength/games.pgn"
check fast-games-replayed scripts/check-pgn.py "$out/fast-games/games.pgn"
check three-minutes-replayed scripts/check-pgn.py "$out/three-minutes/games.pgn"
check three-minutes-ybwc-replayed scripts/check-pgn.py "$out/three-minutes-ybwc/games.pgn"
check thesis-elo-fast-replayed scripts/check-pgn.py "$out/thesis-elo-fast/games.pgn"
check uci-check scripts/uci-check.py --games 250 --clock 0.3+0.01 "$TTD" toga2 "gnuchess -u" ethereal-chess glaurung
check any-position cargo test --locked --test search any_position -- --include-ignored
check ignored-tests cargo test --release --locked --test search -- --ignored
check models scripts/concurrency.sh models
check races scripts/concurrency.sh races
check fuzz scripts/fuzz.sh 600
[ ${#failed[@]} = 0 ] || { echo "did not pass: ${failed[*]}" >&2; exit 1; }
