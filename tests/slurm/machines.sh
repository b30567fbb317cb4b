# Every Slurm script that `plimsoll calibrate --machines` tells of, handed to the real sbatch and srun. Sourced by
# run.sh. Jobs are held, on two nodes that are only configured: what is tried is that Slurm knows every directive and
# option, and asks for the nodes that the table says.

rows() {  # of the machines with a Slurm script: ID NODES OPTIONS
    "$plimsoll" calibrate --machines --json | python3 -c '
import json, sys
for row in json.load(sys.stdin):
    if row["script"] == "slurm": print(row["machine"], row["nodes"], *row["options"])'
}

# srun reads its words and asks for the nodes, and starts nothing.
install -d "$work/try"
cat >"$work/try/srun" <<END
#!/bin/sh
exec $(command -v srun) --test-only "\$@" >"$work/srun.txt" 2>&1
END
chmod 755 "$work/try/srun"

partition_of() { sed -n 's/^#SBATCH --partition=//p' "$1"; }
try_machine() {  # ID NODES OPTION...
    local machine=$1 nodes=$2 folder=$work/machines/$1 partition job
    shift 2
    "$plimsoll" calibrate gpt2-124m-laptop --set machine="$machine" "$@" --engine /bin/true --out "$folder" \
        >"$work/made.txt" 2>&1 || fail "$machine: $(cat "$work/made.txt")"
    partition=$(partition_of "$folder/job.sh")
    if [ -n "$partition" ]; then
        scontrol create "PartitionName=$partition" "Nodes=site[1-2]" MaxTime=1440 State=UP >/dev/null 2>&1
    else
        partition=site
    fi
    job=$(cd "$folder" && SBATCH_PARTITION=$partition sbatch --hold --parsable job.sh 2>"$work/sbatch.txt")
    [ -n "$job" ] || fail "$machine: sbatch says $(cat "$work/sbatch.txt")"
    scontrol --oneliner show job "$job" | grep -q " NumNodes=$nodes[- ]" || fail "$machine: not on $nodes nodes"
    scancel "$job"
    (cd "$folder" && PATH=$work/try:$PATH SLURM_PARTITION=$partition bash job.sh)
    # It asks for nodes when it has understood every word; these nodes are none that could run a job now.
    grep -qE 'allocation failure|to start at' "$work/srun.txt" || fail "$machine: srun says $(cat "$work/srun.txt")"
}

tried=0
while read -r -a row; do
    try_machine "${row[@]}"
    tried=$((tried + 1))
done < <(rows)
[ "$tried" -ge 40 ] || fail "only $tried machines of the table have a Slurm script"
echo "sbatch and srun took the scripts of $tried machines."
