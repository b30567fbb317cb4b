#!/usr/bin/env bash
# A job on a real Slurm: run.sh PLIMSOLL PLIMSOLL_ENGINE
#
# Starts munged, slurmctld and slurmd of one node in a folder of its own, writes and submits a job with the program,
# follows it to its result, and cancels a second one; hands the scripts of all machines to sbatch and srun
# (machines.sh); then runs a calibration to its end and ends another softly (calibration.sh). Stops every daemon it
# started, whatever happens. Ends with 77 and the reason where it cannot be tried: not root, no Slurm, no name for this
# host.
set -u
plimsoll=$(realpath "$1") engine=$(realpath "$2")
skip() { echo "skipped: $1"; exit 77; }
[ "$(id -u)" = 0 ] || skip "Slurm's daemons are started as root"
for tool in munged slurmctld slurmd sbatch squeue scontrol scancel; do
    command -v $tool >/dev/null || skip "$tool is not installed (packages munge, slurmctld, slurmd, slurm-client)"
done
host=$(hostname -s)
getent hosts "$host" >/dev/null || skip "the name of this host, $host, does not resolve"

work=$(mktemp -d /tmp/plimsoll-slurm.XXXXXX)
chmod 755 "$work"
# Daemons are found by pid files; job processes, and Slurm's keepers of them, by the folder they run in.
stop_daemons() {
    trap '' INT TERM HUP
    [ ! -e "$work/slurmctld.pid" ] || timeout 10 scancel --user root 2>/dev/null
    for name in slurmd slurmctld; do stop_pid "$work/$name.pid"; done
    for process in /proc/[0-9]*; do
        case $(readlink "$process/cwd") in "$work" | "$work"/*) kill -9 "${process#/proc/}" 2>/dev/null ;; esac
    done
    stop_pid "$work/munge/munged.pid"
    rm -rf "$work"
}
stop_pid() {  # asks, waits five seconds, insists
    local pid
    pid=$(cat "$1" 2>/dev/null) || return 0
    kill "$pid" 2>/dev/null
    for _ in $(seq 50); do kill -0 "$pid" 2>/dev/null || return 0; sleep 0.1; done
    kill -9 "$pid" 2>/dev/null
}
trap stop_daemons EXIT
trap 'exit 1' INT TERM HUP
fail() {
    echo "FAILED: $1"
    tail -n 15 "$work"/*.log 2>/dev/null
    for log in "$work"/job*/slurm-*.out; do [ -f "$log" ] && { echo "$log:"; tail -n 20 "$log" | cut -c1-300; }; done
    exit 1
}
until_true() {  # SECONDS SENTENCE COMMAND...: patience, not a promise of speed
    local end=$((SECONDS + $1)) sentence=$2
    shift 2
    until "$@"; do [ $SECONDS -lt $end ] || fail "$sentence"; sleep 0.3; done
}

# ---- A cluster of this computer
. "$(dirname "$0")/cluster.sh"
start_munge
start_slurm
up() { sinfo --noheader --format=%T 2>/dev/null | grep -q idle; }
until_true 60 "the node does not come up" up

# ---- A job from script to result
state() { "$plimsoll" calibrate --script slurm --job "$1" --poll; }
submitted() { sed -n 's/^Submitted: job //p'; }
job_in() {  # FOLDER STEPS: submits a training of so many steps on two ranks
    "$plimsoll" calibrate gpt2-124m-laptop --set machine=cpu-2core --script slurm --nodes 1 --ranks-per-node 2 \
        --budget 60 --trial "$2" --engine "$engine" --out "$1" --submit
}
wait_for() { case $(state "$1") in "$2"*) ;; *) return 1 ;; esac; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1

folder="$work/job it's \$(one)"
job=$(job_in "$folder" 3 | submitted)
[ -n "$job" ] || fail "no job was submitted"
ended() { ! state "$1" | grep -qE '^(queued|running)'; }
until_true 120 "job $job does not end" ended "$job"
wait_for "$job" done || fail "job $job: $(state "$job")"
"$engine" --check "$folder/result.jsonl" || fail "the result does not pass its check"
grep -q '"ranks":2' "$folder/result.jsonl" || fail "the job did not run on two ranks"
[ "$(grep -c '"type":"step"' "$folder/result.jsonl")" = 3 ] || fail "not three steps"

# ---- A job that is cancelled leaves nobody behind
folder="$work/job-2"
job=$(job_in "$folder" 1000000 | submitted)
[ -n "$job" ] || fail "no second job was submitted"
stepping() { grep -q '"type":"step"' "$folder/result.jsonl.part" 2>/dev/null; }
until_true 120 "job $job does not begin" stepping
wait_for "$job" running || fail "job $job: $(state "$job")"
"$plimsoll" calibrate --script slurm --job "$job" --cancel || fail "job $job could not be cancelled"
nobody() {
    for process in /proc/[0-9]*; do
        [ "$(readlink "$process/cwd")" = "$folder" ] && return 1
    done
    return 0
}
until_true 90 "processes of the cancelled job stay" nobody
until_true 60 "job $job is not told as cancelled" wait_for "$job" cancelled
log=$folder/result.jsonl
[ -f "$log" ] || log=$log.part
"$engine" --check "$log" | tee "$work/check.txt"
grep -qE 'cancelled|partial' "$work/check.txt" || fail "the log of the cancelled job is not a partial one"
[ "$(grep -c '"type":"step"' "$log")" -ge 1 ] || fail "the log of the cancelled job holds no step"

. "$(dirname "$0")/machines.sh"
. "$(dirname "$0")/calibration.sh"
echo "A job ran, another was cancelled, a calibration ran to its end and another was ended softly"
echo "on $(sbatch --version)."
