#!/usr/bin/env bash
# A network of two levels: run.sh PLIMSOLL PLIMSOLL_ENGINE [MBIT_PER_S, 50]
#
# Two network namespaces of this computer are nodes to Open MPI, with a pair of virtual
# interfaces between them that a token bucket makes narrow. The engine measures
# collectives and messages of two ranks on each, as a calibration does, and the fit has to
# find the bandwidth that was set within a tenth. Ends with 77 and the reason where it
# cannot be tried: not root, no namespaces, no ip or tc, another MPI.
set -u
skip() { echo "skipped: $1"; exit 77; }
fail() {
    echo "FAILED: $1"
    tail -n 20 "$work"/*.txt 2>/dev/null | cut -c1-300
    exit 1
}
if [ "${PLIMSOLL_FIRST_NODE:-}" != yes ]; then
    [ "$(id -u)" = 0 ] || skip "namespaces are made as root"
    for tool in ip tc nsenter unshare mpirun python3; do
        command -v $tool >/dev/null || skip "$tool is not installed"
    done
    mpirun --version 2>/dev/null | grep -q "Open MPI" || skip "mpirun is not Open MPI's"
    unshare --net --uts --mount true 2>/dev/null || skip "namespaces are not allowed here"
    PLIMSOLL_FIRST_NODE=yes exec unshare --net --uts --mount "$0" "$(realpath "$1")" "$(realpath "$2")" "${3:-50}"
fi
plimsoll=$1 engine=$2 mbit=$3
work=$(mktemp -d /tmp/plimsoll-nodes.XXXXXX)
second=
finish() {
    [ -z "$second" ] || kill "$second" 2>/dev/null
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM HUP

# ---- Two nodes and a link
hostname plimsoll-a
unshare --net --uts sh -c 'hostname plimsoll-b; exec sleep 3600' &
second=$!
there() { nsenter --net --uts --target "$second" "$@"; }
for _ in $(seq 100); do [ "$(there hostname 2>/dev/null)" = plimsoll-b ] && break; sleep 0.05; done
ip link add link0 type veth peer name link0 netns "$second" 2>"$work/link.txt" ||
    skip "no pair of interfaces: $(cat "$work/link.txt")"
narrow=(tc qdisc add dev link0 root tbf rate "${mbit}mbit" burst 4kb latency 400ms)
"${narrow[@]}" 2>"$work/link.txt" && there "${narrow[@]}" 2>"$work/link.txt" ||
    skip "no token bucket: $(cat "$work/link.txt")"
ip addr add 10.77.0.1/24 dev link0 && there ip addr add 10.77.0.2/24 dev link0 || fail "no addresses"
for interface in lo link0; do
    ip link set "$interface" up && there ip link set "$interface" up || fail "$interface does not come up"
done
printf '127.0.0.1 localhost\n10.77.0.1 plimsoll-a\n10.77.0.2 plimsoll-b\n' >"$work/hosts"
mount --bind "$work/hosts" /etc/hosts || skip "names of hosts cannot be set"
# What Open MPI takes for a remote shell: the name of the host, then one command line.
printf '#!/bin/sh\nshift\nexec nsenter --net --uts --target %s /bin/sh -c "$*"\n' "$second" >"$work/shell"
chmod +x "$work/shell"

# ---- A plan for them, of the network alone
export XDG_DATA_HOME=$work/data HOME=$work
export PLIMSOLL_PRESETS=${PLIMSOLL_PRESETS:+$PLIMSOLL_PRESETS:}$work/presets
mkdir -p "$work/presets/machines"
python3 - "${PLIMSOLL_PRESETS%%:*}/machines/cpu-2core.json" "$work/presets/machines/two-nodes.json" <<'END' ||
import json, sys
machine = json.load(open(sys.argv[1]))
machine.update(id="two-nodes", name="Two nodes of two cores", nodes=2)
machine["levels"][1].update(name="system", devices=4, topology="a link", bandwidth_GBps=1)
json.dump(machine, open(sys.argv[2], "w"))
END
    fail "there is no preset of two nodes"
"$plimsoll" calibrate gpt2-124m-laptop --set machine=two-nodes --script slurm --nodes 2 --ranks-per-node 2 \
    --budget 300 --engine "$engine" --out "$work/plan" >"$work/plan.txt" 2>&1 || fail "there is no plan"
python3 - "$work/plan/plan.json" "$work/short.json" <<'END' || fail "the plan could not be shortened"
import json, sys
plan = json.load(open(sys.argv[1]))
network = [run for run in plan["runs"] if run["id"] in ("collective", "collective-tensor", "p2p")]
assert len(network) == 3, [run["id"] for run in plan["runs"]]
for run in network:
    words = run["words"]
    for option, value in {"--bench-seconds": "0.5", "--bench-visits": "1", "--bench-size": "4M"}.items():
        words[words.index(option) + 1] = value
plan["runs"] = network
json.dump(plan, open(sys.argv[2], "w"))
END

# ---- Measured
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
timeout 300 mpirun --host plimsoll-a:2,plimsoll-b:2 -n 4 --bind-to none --mca mpi_yield_when_idle 1 \
    --mca plm_rsh_agent "$work/shell" --mca oob_tcp_if_include link0 --mca btl tcp,vader,self \
    --mca btl_tcp_if_include link0 "$engine" --calibrate "$work/short.json" --out "$work/result.jsonl" \
    >"$work/mpirun.txt" 2>&1
log=$work/result.jsonl
[ -f "$log" ] || log=$log.part
grep -q '"type":"bench"' "$log" || fail "nothing was measured"
[ "$(grep -o '"node":[01]' "$log" | sort -u | wc -l)" = 2 ] || fail "the ranks were not on two nodes"
"$plimsoll" calibrate --import "$log" --json >"$work/result.json" 2>"$work/import.txt"
python3 - "$work/result.json" "$mbit" <<'END' || fail "the fit did not find the link"
import json, sys
result, mbit = json.load(open(sys.argv[1])), float(sys.argv[2])
found = {c["pointer"]: c["value"] for c in result["constants"]}
nominal_MBps, ranks_on_node, largest_MB = 1000, 2, 4.194304
# Of a message, which crosses the link alone: collectives wait for each other inside and outside of nodes.
share = found["/levels/1/efficiency"]
seconds = largest_MB / (share * nominal_MBps)
if "/levels/1/large_from_MB" in found:
    begin, beyond = found["/levels/1/large_from_MB"], 1e3 * found["/levels/1/large_bandwidth_GBps"]
    seconds = begin / (share * nominal_MBps) + (largest_MB - begin) / (share * beyond)
rate = largest_MB / seconds * found["/levels/1/message_factor"] * ranks_on_node
link = mbit / 8 * 1448 / 1514               # TCP's payload of a full Ethernet frame
inside = found["/levels/0/efficiency"] * 5400 * ranks_on_node
print(f"A link of {link:.2f} MB/s was found as {rate:.2f} ({100 * (rate / link - 1):+.1f} %), a node as {inside:.0f}.")
assert abs(rate / link - 1) < 0.10 and inside > 10 * link, found
END
