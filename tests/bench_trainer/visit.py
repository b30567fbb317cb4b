"""One visit of a contender: its program run once, its steps timed, and what else the machine did meanwhile.

    visit = run(Contender("ours", ["plimsoll-engine", ...], {"OMP_NUM_THREADS": "1"}), warmup=5)
    visit.step_s            # wall seconds of each step after the warm-up
"""
import json
import os
import resource
import subprocess
import time
from dataclasses import dataclass, field


@dataclass
class Contender:
    name: str
    command: list
    environment: dict = field(default_factory=dict)


@dataclass
class Visit:
    losses: list         # of all steps
    step_s: list         # after the warm-up: from the end of the step before to the end of this one
    steps: list          # the program's own lines, after the warm-up
    start_s: float       # from starting the program to the end of its first step
    others: float        # share of the machine that other programs and the hypervisor took
    load: float          # load average of the minute before


def machine_seconds():
    """(busy, stolen) processor seconds of all cores since boot."""
    with open("/proc/stat") as f:
        user, nice, system, _, _, irq, softirq, stolen = map(int, f.readline().split()[1:9])
    tick = os.sysconf("SC_CLK_TCK")
    return (user + nice + system + irq + softirq) / tick, stolen / tick


def own_seconds():
    use = resource.getrusage(resource.RUSAGE_CHILDREN)
    return use.ru_utime + use.ru_stime


def steps_of(text):
    """The step lines of a contender's output; programs print other things too."""
    found = []
    for line in text.splitlines():
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict) and "loss" in value and "step" in value:
            found.append(value)
    return found


def run(contender, warmup):
    """RuntimeError with the end of the program's output when it fails or takes too few steps."""
    load = os.getloadavg()[0]
    busy, stolen = machine_seconds()
    own, start = own_seconds(), time.monotonic()
    done = subprocess.run(contender.command, env={**os.environ, **contender.environment}, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    wall, own = time.monotonic() - start, own_seconds() - own
    busy_after, stolen_after = machine_seconds()
    steps = steps_of(done.stdout)
    if done.returncode != 0 or len(steps) <= warmup:
        raise RuntimeError(f"{contender.name}: exit {done.returncode} after {len(steps)} steps\n"
                           f"{' '.join(contender.command)}\n{done.stdout[-3000:]}")
    ends = [s["t_s"] for s in steps]
    first = wall - (ends[-1] - ends[0])  # what comes after the last step is small
    others = max(0.0, busy_after - busy - own + stolen_after - stolen) / (wall * os.cpu_count())
    return Visit([s["loss"] for s in steps], [b - a for a, b in zip(ends, ends[1:])][warmup - 1:], steps[warmup:],
                 first, others, load)
