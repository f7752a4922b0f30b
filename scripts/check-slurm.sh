#!/usr/bin/env bash
# Runs an experiment in eight parts under Slurm on this machine, kills two of them in the middle, submits again, and compares the merge with an
# undivided run: scripts/check-slurm.sh [TTD]. Installs slurm-wlm and munge of Debian; needs root. Then it does likewise with GNU parallel.
set -euo pipefail
cd "$(dirname "$0")/.."
ttd=$(realpath "${1:-target/release/ttd}")
place=$(mktemp -d)
leave() {
    pkill -f "slurmctld -D -f $place" || true
    pkill -f "slurmd -D -f $place" || true
    pkill -f "munged .*$place" || true
    sleep 1
    rm -rf "$place"
}
trap leave EXIT
for package in slurm-wlm munge parallel; do
    dpkg -s "$package" >/dev/null 2>&1 || missing="${missing:-} $package"
done
# shellcheck disable=SC2086
if [ -n "${missing:-}" ]; then apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y $missing >/dev/null; fi

# A controller and a node, without systemd.
chmod 755 "$place"
mkdir -p "$place"/{state,spool,munge}
chmod 755 "$place/munge"
dd if=/dev/urandom of="$place/key" bs=1 count=1024 status=none
chmod 400 "$place/key"
munged --force --key-file="$place/key" --socket="$place/munge/socket" --pid-file="$place/munge/pid" \
    --log-file="$place/munge/log" --seed-file="$place/munge/seed"
host=$(uname -n)
cat >"$place/slurm.conf" <<CONF
ClusterName=here
SlurmctldHost=$host(127.0.0.1)
AuthInfo=socket=$place/munge/socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd.pid
SlurmctldLogFile=$place/slurmctld.log
SlurmdLogFile=$place/slurmd.log
SlurmctldPort=16817
SlurmdPort=16818
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
ReturnToService=2
KillWait=1
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$(free -m | awk '/^Mem/ {print int($2 * 0.9)}')
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$place/slurm.conf
slurmctld -D -f "$SLURM_CONF" >"$place/out" 2>&1 &
slurmd -D -f "$SLURM_CONF" >>"$place/out" 2>&1 &
for _ in $(seq 60); do
    if sinfo -h -o %T 2>/dev/null | grep -q idle; then break; fi
    sleep 1
done
sinfo -h -o %T | grep -q idle || { cat "$place"/out "$place"/*.log; exit 1; }

cd "$place"
cat >sweep.toml <<'TOML'
positions = "bratko-kopec"
searchers = ["ybwc", "lazy-smp"]
threads = [1, 2, 4, 8]
depth = 8
runs = 2
hash_mib = 1
cores = "virtual"
detail = true
TOML
"$ttd" run sweep.toml --out undivided --yes >/dev/null 2>&1
"$ttd" report undivided >/dev/null
files=(samples.csv iterations.csv workers.csv depths.csv experiment.toml positions.epd summary.csv speedups.csv)
same() {
    for file in "${files[@]}"; do cmp "undivided/$file" "$1/$file"; done
}
wait_for_jobs() {
    while [ -n "$(squeue -h)" ]; do sleep 1; done
}
"$ttd" run sweep.toml --recipe slurm --shards 8 --out parts >script.sh
begun=$SECONDS
bash script.sh
# Two parts are killed when they have some samples, the whole job with them.
kill_midway() { # DIR NUMBER
    local file=$1/part-$2/samples.csv
    for _ in $(seq 600); do
        if [ -e "$file" ] && [ "$(wc -l <"$file")" -gt 5 ]; then break; fi
        sleep 0.05
    done
    pkill -9 -f -- "--shard $2/8" && echo "part $2 killed after $(($(wc -l <"$file") - 1)) of 48 samples"
}
kill_midway parts 2
kill_midway parts 5
wait_for_jobs
if [ -e parts/whole/samples.csv ]; then echo "a merge of unfinished parts was written"; exit 1; fi
grep -h "go on with it" parts/merge.log
bash script.sh
wait_for_jobs
same parts/whole
grep -c '^job = "slurm' parts/whole/environment.toml | sed 's/$/ sittings tell of their job/'
echo "Slurm: $((SECONDS - begun)) s; the merge of 8 parts, two of them killed, is the undivided run, byte for byte: ${files[*]}"

"$ttd" run sweep.toml --recipe parallel --shards 8 --out others >parallel.sh
kill_midway others 3 &
bash parallel.sh >/dev/null 2>&1 && { echo "a killed part was no failure"; exit 1; }
wait $!
bash parallel.sh >/dev/null 2>&1
same others/whole
echo "GNU parallel: the merge of 8 parts, one of them killed, is the undivided run"
