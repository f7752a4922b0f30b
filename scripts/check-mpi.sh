#!/usr/bin/env bash
# Builds mpi/ and runs it under mpirun on this machine: scripts/check-mpi.sh [--build]. With --build it does no more than that. Installs Open MPI and libclang of Debian where it can;
# where it cannot, it says so and ends with 0. 200 short searches on 8 ranks, a killed rank, a panic, a wrong mpirun, equal node totals.
set -euo pipefail
cd "$(dirname "$0")/.."
for package in libopenmpi-dev openmpi-bin libclang-dev; do
    dpkg -s "$package" >/dev/null 2>&1 || missing="${missing:-} $package"
done
sudo=$(if [ "$(id -u)" != 0 ] && command -v sudo >/dev/null; then echo sudo; fi)
# shellcheck disable=SC2086
if [ -n "${missing:-}" ] && ! { $sudo apt-get -qq update && $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y $missing >/dev/null; }; then
    echo "WARNING:$missing cannot be installed: NOTHING OF MPI WAS CHECKED" >&2
    exit 0
fi
target=${CARGO_TARGET_DIR:-$PWD/target}
cargo test --quiet --locked --manifest-path mpi/Cargo.toml --target-dir "$target"
cargo build --quiet --locked --manifest-path mpi/Cargo.toml --target-dir "$target"
[ "${1:-}" != --build ] || exit 0
ttd=$target/debug/ttd-mpi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
ranks() { local n=$1; shift; timeout 240 mpirun --oversubscribe -n "$n" "$ttd" "$@"; }
fail() { echo "check-mpi: $*" >&2; cat "$out"/said >&2; exit 1; }
# One searcher over messages; what else is asked for follows.
searched=(run --cores real --searchers recursive-splitting --positions middlegames --hash 16 --quiet --yes)

echo "mpi: node totals of unpruned trees on 1, 2 and 4 ranks"
printf '[engine]\npreset = "plain"\nalpha_beta = false\niterative_deepening = false\ntable = "none"\n' >"$out/unpruned.toml"
ranks 4 "${searched[@]:0:1}" "$out/unpruned.toml" "${searched[@]:1}" --only 1,2,3 --threads 1,2,4 --depth 3 --runs 1 --out "$out/unpruned" >"$out/said" 2>&1 ||
    fail "the unpruned run ended with $?"
python3 - "$out/unpruned/samples.csv" <<'PYTHON'
import csv, sys
STATES = ["search", "split", "lock", "wait_helpers", "wait_work", "reduce", "finished"]
nanoseconds = lambda text: int(text.replace(".", ""))
nodes = {}
for row in csv.DictReader(open(sys.argv[1])):
    assert row["status"] == "ok", row
    nodes.setdefault(row["position"], set()).add(row["nodes"])
    states = sum(nanoseconds(row[state + "_s"]) for state in STATES)
    assert states == nanoseconds(row["time_s"]) * int(row["threads"]), row
assert len(nodes) == 3 and all(len(totals) == 1 for totals in nodes.values()), nodes
PYTHON

echo "mpi: 200 short searches on 8 ranks"
ranks 8 "${searched[@]}" --only 1,2,3,4,5,6,7,8,9,10 --threads 1,8 --depth 4 --runs 20 --out "$out/short" >"$out/said" 2>&1 ||
    fail "200 short searches ended with $?"
test "$(grep -c '^[0-9]*,[0-9]*,recursive-splitting,8,.*,ok,' "$out/short/samples.csv")" = 200 || fail "not all of 200 are there"
grep -qF "hosts = [\"$(uname -n)\"]" "$out/short/environment.toml" || fail "the host of the ranks is not told"

echo "mpi: a killed rank, and going on"
long=("${searched[@]}" --only 1,2,3,4,5 --threads 1,4 --depth 7 --runs 30 --out "$out/killed")
ranks 4 "${long[@]}" >"$out/said" 2>&1 &
job=$!
for _ in $(seq 600); do
    if [ "$(grep -c ,ok, "$out/killed/samples.csv" 2>/dev/null)" -ge 5 ] 2>/dev/null; then break; fi
    sleep 0.05
done
victim=$(pgrep -f "^$ttd run .*--out $out/killed" | tail -1)
kill -KILL "$victim"
if wait "$job"; then fail "a job whose rank was killed ends well"; fi
before=$(grep -c ,ok, "$out/killed/samples.csv")
whole=$((5 * 2 * 30))
[ "$before" -ge 5 ] && [ "$before" -lt "$whole" ] || fail "$before samples before going on"
ranks 4 "${long[@]}" >"$out/said" 2>&1 || fail "going on ended with $?"
test "$(grep -c ,ok, "$out/killed/samples.csv")" = "$whole" || fail "not all of $whole are there"

echo "mpi: a rank that panics"
status=0
TTD_MPI_PANICS=1 ranks 4 "${searched[@]}" --only 1 --threads 1,4 --depth 6 --runs 3 --out "$out/panic" >"$out/said" 2>&1 || status=$?
[ "$status" != 0 ] && [ "$status" != 124 ] || fail "a job whose rank panics ended with $status"
grep -q "rank 1 ends the job: worker 1 panicked: only a test" "$out/said" || fail "the panic is not told"

echo "mpi: a wrong mpirun, other searchers, other experiments, one rank"
refused() { # MESSAGE COMMAND...: the command ends with 2 and says so
    local what=$1 status=0
    shift
    "$@" >"$out/said" 2>&1 || status=$?
    [ "$status" = 2 ] || fail "it ended with $status: $what"
    grep -qF "$what" "$out/said" || fail "it does not say: $what"
}
refused "the launcher promises 8 ranks (PMI_SIZE)" env PMI_SIZE=8 "$ttd" "${searched[@]}" --out "$out/wrong"
refused '`ybwc`: its workers share memory' ranks 2 run --cores real --searchers recursive-splitting,ybwc --threads 1,2 --out "$out/wrong"
refused '`threads` has 4: at most 2 expected' ranks 2 "${searched[@]}" --threads 1,4 --out "$out/wrong"
refused 'sittings: ranks found' ranks 2 "${searched[@]}" --threads 1,2 --sittings 2 --out "$out/wrong"
refused 'Usage: mpirun -n RANKS ttd-mpi run' ranks 2 bench
refused "rank 1: its experiment" timeout 60 mpirun --oversubscribe -n 1 "$ttd" "${searched[@]}" --only 1 --threads 1,2 --depth 3 --out "$out/wrong" : \
    -n 1 "$ttd" "${searched[@]}" --only 2 --threads 1,2 --depth 3 --out "$out/wrong"
timeout 60 "$ttd" "${searched[@]}" --only 1 --threads 1 --depth 4 --runs 1 --out "$out/alone" >"$out/said" 2>&1 || fail "one rank ended with $?"
grep -q "ttd-mpi: one rank" "$out/said" || fail "one rank does not say so"

echo "mpi: what a message costs"
ranks 2 latency >"$out/said" 2>&1 || fail "latency ended with $?"
grep -A 3 '^\[virtual.network\]' "$out/said" | grep -q '^latency_ps = [1-9]' || fail "no latency"
echo "mpi: all is well"
