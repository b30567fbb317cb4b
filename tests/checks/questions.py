#!/usr/bin/env python3
"""Every question about every shipped plan, with every shipped model put in: questions.py PLIMSOLL.

A question is answered (0), or the plan cannot be computed or does not fit (3), and either way something is printed. No
other code, no signal, no fault of the program. A sample that is the same each time is tried; PLIMSOLL_CAMPAIGN=N tries
N more of all combinations, in the order of a seed of its own (0 of them where it is not set).
"""
import concurrent.futures
import itertools
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLIMSOLL = str(pathlib.Path(sys.argv[1]).resolve())
PLANS = sorted(file.stem for file in (ROOT / "presets/scenarios").glob("*.json"))
MODELS = sorted(file.stem for file in (ROOT / "presets/models").glob("*.json"))
SAMPLE = 60
MORE = int(os.environ.get("PLIMSOLL_CAMPAIGN", "0"))

# PLAN is the plan, with --set model=... where a model is put in.
QUESTIONS = {
    "estimate": "estimate PLAN --paper", "estimate as JSON": "estimate PLAN --json",
    "search": "search PLAN --space common",
    "search over nodes": "search PLAN --space common --over-nodes --node-hours 1e6",
    "search by carbon": "search PLAN --space common --rank carbon",
    "sensitivity": "search PLAN --space common --sensitivity",
    "sweep": "sweep PLAN --knob nodes --values 1:64:x4", "timeline": "timeline PLAN --csv",
    "explain": "explain PLAN --number step_seconds --versus layout.micro_batch=2", "largest": "largest PLAN",
    "largest as JSON": "largest PLAN --json", "transients": "transients PLAN", "budget": "budget PLAN --node-hours 1e6",
    "launch": "launch PLAN", "probe": "probe PLAN", "rule": "rule PLAN", "compare": "compare PLAN gpt3-175b-1024-a100",
    "goal": "goal PLAN --days 100 --move nodes,tokens --nodes 16,64", "tornado": "tornado PLAN",
    "strategies": "strategies PLAN --devices 8", "replan": "replan PLAN --measured STEPS",
} | {f"ask {kind}": f"ask {kind} PLAN" for kind in
     ("batch", "machines", "zero", "nodes", "split", "largest", "layers", "robust")}
# Not about a plan alone, or tried with every plan elsewhere.
OTHERS = {"import", "export", "presets", "validate", "fit", "engine", "calibrate", "bench", "propose", "screenshot"}


def words_of(question, plan, model, steps):
    words = []
    for word in QUESTIONS[question].split():
        words += [plan] if word == "PLAN" else [steps] if word == "STEPS" else [word]
    return words + (["--set", f"model={model}"] if model else [])


def fault_of(words):
    """What is wrong with the answer; nothing where nothing is."""
    done = subprocess.run([PLIMSOLL, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
    said = done.stderr.strip()
    if done.returncode in (0, 3) and (done.stdout or said) and "fault of the program" not in said:
        return None
    return f"plimsoll {' '.join(words)}\n    exit code {done.returncode}: {said[-300:]}"


def combinations():
    """Each question with some plan and model, each plan with its own model, then those of a seed."""
    every = list(itertools.product(QUESTIONS, PLANS, [None, *MODELS]))
    asked = list(QUESTIONS)
    known = [("largest", "deepseek-v3-2048-h800", None)]
    known += [("largest", "qwen3-235b-256-h100", model) for model in MODELS]
    sample = [(asked[i % len(asked)], plan, None) for i, plan in enumerate(PLANS)]
    more = random.Random(2).sample(every, min(MORE, len(every)))
    return known + sample + random.Random(1).sample(every, SAMPLE) + more


def main():
    commands = re.findall(r"^  (\w+) {2,}", subprocess.run([PLIMSOLL, "--help"], capture_output=True, text=True)
                          .stdout.split("Subcommands:")[1].split("\n\n")[0], re.MULTILINE)
    missing = set(commands) - OTHERS - {text.split()[0] for text in QUESTIONS.values()}
    assert not missing, f"nobody asks {missing}"
    with tempfile.TemporaryDirectory() as folder:
        steps = pathlib.Path(folder) / "steps.csv"
        steps.write_text("step_s\n" + "12.1\n12.3\n12.2\n" * 10)
        calls = [words_of(*combination, str(steps)) for combination in combinations()]
        with concurrent.futures.ThreadPoolExecutor(max_workers=max(2, os.cpu_count() or 1)) as pool:
            faults = [fault for fault in pool.map(fault_of, calls) if fault]
    print(f"{len(calls)} questions, {len(faults)} without an answer")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
