#!/usr/bin/env python3
"""Are plans predicted from probes of real software? Hugging Face's Trainer on the processors of this computer.

    run.py --plimsoll build/release/bin/plimsoll-headless --python venv/bin --times 3 [--ranks 1 2] [--disturb]

A GPT-2-like plan of 12 layers, on one and on two ranks. Each time the planner writes the probes as a job, the job runs,
its logs are read, and plans of 8 and 12 layers are predicted and written down; only then they run. The table has the
prediction of the model alone, that of the probes, what was measured, and the error.

At the end of each round the deeper probe runs once more. Where it takes 3 % more or less than before, the computer has
drifted by that while the plans ran: the round is shown and does not count.

--disturb keeps the processors busy for a while during the second visit of the first probe: it has to be said.

The folder --python needs torch, transformers and accelerate; two ranks need mpirun. Not a test of every change: its
answer depends on what else runs on the computer.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

PLAN = "gpt2-124m-laptop"
LAYERS = (8, 12)
WIDTH, LENGTH, BATCH, VOCABULARY = 384, 256, 2, 8192
STEPS = 40
DRIFT = 0.03


def settings(layers, ranks):
    values = {
        "machine": "cpu-2core", "model.layers": layers, "model.hidden": WIDTH, "model.heads": WIDTH // 64,
        "model.head_dim": 64, "model.ffn": 4 * WIDTH, "model.vocabulary": VOCABULARY, "model.dropout": 0,
        "recipe.sequence_length": LENGTH, "layout.micro_batch": BATCH, "layout.data_parallel": ranks,
        "layout.devices": ranks, "recipe.global_batch_sequences": BATCH * ranks,
        "recipe.tokens": STEPS * BATCH * ranks * LENGTH,
    }
    return [each for name, value in values.items() for each in ("--set", f"{name}={value}")]


class Planner:
    def __init__(self, program):
        self.program = os.path.abspath(program)

    def __call__(self, *arguments):
        done = subprocess.run([self.program, *arguments], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"plimsoll {' '.join(arguments)}\n{done.stdout}{done.stderr}")
        return done.stdout

    def step(self, layers, ranks, *more):
        answer = json.loads(self("estimate", PLAN, *settings(layers, ranks), "--json", *more))
        return answer["step_seconds"]


def environment(python):
    # Freed memory stays with the process, as it does on an accelerator. Otherwise the system hands out and clears some
    # fifty thousand pages a step, and how long that takes hangs on what other programs do with memory.
    memory = {"MALLOC_MMAP_THRESHOLD_": "4294967296", "MALLOC_TRIM_THRESHOLD_": "4294967296",
              "MALLOC_TOP_PAD_": "67108864"}
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"} if os.geteuid() == 0 else {}
    return {**os.environ, **root, **memory, "PATH": f"{os.path.abspath(python)}:{os.environ['PATH']}"}


def run_script(script, folder, log, env):
    os.makedirs(folder, exist_ok=True)
    with open(log, "w") as out:
        subprocess.run(["bash", script], cwd=folder, stdout=out, stderr=subprocess.STDOUT, env=env, check=True)


def measured(log):
    """The middle step, without the first tenth; read here a second time, apart from the planner's reader."""
    with open(log) as lines:
        steps = [float(s) for s in re.findall(r"'step_time': '?([\d.]+)", lines.read())]
    return statistics.median(steps[len(steps) // 10 + 1:-1])


def drift(job, visits, env):
    """How much longer the deeper probe takes now than the middle of its visits."""
    before = statistics.median(measured(f"{job}/probe-2.visit-{v}.log") for v in range(1, visits + 1))
    run_script(f"{job}/probe-2.sh", f"{job}/again", f"{job}/again.log", env)
    return measured(f"{job}/again.log") / before - 1


def disturbance(job):
    """Two busy loops from the first to the last step of the second visit of the first probe."""
    log = f"{job}/probe-1.visit-2.log"
    while not os.path.exists(log) or "'step_time'" not in open(log).read():
        time.sleep(0.05)
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    while not os.path.exists(f"{job}/probe-2.visit-2.log"):
        time.sleep(0.05)
    for each in busy:
        each.kill()


def once(planner, folder, ranks, a, env):
    job = f"{folder}/job"
    plan = (PLAN, *settings(max(LAYERS), ranks))
    planner("probe", *plan, "--framework", "trainer", "--steps", str(a.steps), "--visits", str(a.visits), "--out", job)
    watcher = threading.Thread(target=disturbance, args=(job,), daemon=True)
    if a.disturb:
        watcher.start()
    subprocess.run(["bash", f"{job}/job.sh"], env=env, check=True, stdout=subprocess.DEVNULL)
    said = planner("probe", "--read", job, "--keep", f"{folder}/kept.json")
    print(said, flush=True)
    predicted = {layers: (planner.step(layers, ranks),
                          planner.step(layers, ranks, "--anchor", f"{folder}/kept.json")) for layers in LAYERS}
    with open(f"{folder}/predicted.json", "w") as out:
        json.dump(predicted, out)
    visits = {layers: [] for layers in LAYERS}
    for visit in range(1, a.visits + 1):
        for layers in LAYERS:
            at = f"{folder}/target-{layers}"
            with open(f"{at}.sh", "w") as out:
                out.write(planner("launch", PLAN, *settings(layers, ranks), "--framework", "trainer"))
            run_script(f"{at}.sh", at, f"{at}.visit-{visit}.log", env)
            visits[layers].append(measured(f"{at}.visit-{visit}.log"))
    rows = []
    for layers, steps in visits.items():
        before, after = predicted[layers]
        took = statistics.median(steps)
        rows.append((ranks, layers, before, after, took, after / took - 1))
        print(f"{ranks} ranks, {layers} layers: {before:.3f} s before, {after:.3f} s by probes, {took:.3f} s measured "
              f"({min(steps):.3f} to {max(steps):.3f}), {100 * rows[-1][-1]:+.1f} %", flush=True)
    noticed = "disturbed" in said or "Visits of one probe" in said
    drifted = drift(job, a.visits, env)
    print(f"The deeper probe afterwards: {100 * drifted:+.1f} %", flush=True)
    return rows, noticed, drifted


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plimsoll", required=True)
    parser.add_argument("--python", required=True, help="folder of the python that has torch and transformers")
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--visits", type=int, default=2, help="of every probe, and of every plan")
    parser.add_argument("--disturb", action="store_true")
    parser.add_argument("--keep", help="folder for all scripts and logs")
    a = parser.parse_args()
    planner, env, worst, counted = Planner(a.plimsoll), environment(a.python), 0, 0
    kept = os.path.abspath(a.keep or tempfile.mkdtemp(prefix="probes."))
    for turn in range(1, a.times + 1):
        for ranks in a.ranks:
            folder = f"{kept}/{turn}-{ranks}"
            os.makedirs(folder)
            rows, noticed, drifted = once(planner, folder, ranks, a, env)
            if abs(drifted) <= DRIFT:
                counted += 1
                worst = max([worst, *(abs(r[-1]) for r in rows)])
            if a.disturb and not noticed:
                sys.exit("the disturbance was not noticed")
    print(f"{counted} rounds count. Worst error in them: {100 * worst:.1f} %. Logs: {kept}")
    sys.exit(0 if (counted and worst <= 0.05) or a.disturb else 1)


if __name__ == "__main__":
    main()
