# Slurm of one node without systemd, cgroups or anything outside $work. Sourced by run.sh, which stops what is started
# here.

# Our own key and socket: the system's munge, where there is one, is left alone.
start_munge() {
    local socket=$work/munge/socket
    install -d -m 0755 "$work/munge"
    (umask 077 && head -c 1024 /dev/urandom >"$work/munge/key")
    munged --socket="$socket" --key-file="$work/munge/key" \
        --pid-file="$work/munge/munged.pid" --seed-file="$work/munge/seed" \
        --log-file="$work/munge/munged.log" || fail "munged does not start: $(cat "$work/munge/munged.log")"
}

# proctrack/linuxproc and task/none need no cgroups; ports of our own, so that a real Slurm beside us is not disturbed.
# The nodes site1 and site2 are not there: jobs of other machines' shape are held for them (machines.sh).
start_slurm() {
    local port=$((20000 + $$ % 10000))
    mkdir "$work/state" "$work/spool"
    cat >"$work/slurm.conf" <<END
ClusterName=plimsoll
SlurmctldHost=$host
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
MpiDefault=pmix
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
GresTypes=gpu
AllowSpecResourcesUsage=YES
KillWait=10
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
SlurmctldPort=$port
SlurmdPort=$((port + 1))
NodeName=$host CPUs=$(nproc) RealMemory=1000 State=UNKNOWN
NodeName=site[1-2] NodeAddr=127.0.0.1 Port=1 CPUs=512 Sockets=2 CoresPerSocket=256 RealMemory=1000 Gres=gpu:72 \\
    Features=gpu State=DOWN
PartitionName=site Nodes=site[1-2] MaxTime=1440 State=UP
PartitionName=debug Nodes=$host Default=YES MaxTime=30 OverSubscribe=FORCE State=UP
END
    export SLURM_CONF=$work/slurm.conf
    slurmctld || fail "slurmctld does not start"
    slurmd || fail "slurmd does not start"
}
