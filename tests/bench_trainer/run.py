#!/usr/bin/env python3
"""How fast plimsoll-engine trains, beside llm.c and PyTorch: one script, one machine, one run.

    run.py --engine build/bin/plimsoll-engine --llmc ~/llm.c \\
           --torch "torch as shipped=/usr/bin/python3,blas=/path/to/openblas-pthread" \\
           --torch "torch tuned=/usr/bin/python3,keep-memory" \\
           --torch "torch compiled=venv/bin/python,keep-memory,compile"

All train the same GPT-2 in fp32 from the same weights on the same tokens with the same AdamW (no decay, no clipping:
llm.c's has neither). No speed is printed unless all losses agree to 1e-4. Then the contenders take turns, A B C C B A,
--cycles times; each visit is a fresh program whose first --warmup steps do not count. A step lasts from the end of the
one before to its own end, so that data, reductions and reports are in it. "faster" and "slower" stand only where the
95 % interval of the ratio excludes 1.

--torch NAME=PYTHON[,blas=FOLDER][,keep-memory][,compile]   blas: the folder whose libblas.so.3 it shall load;
keep-memory: freed memory stays with the process (malloc's thresholds up), which costs PyTorch up to 48 % otherwise.
Needs numpy here, and torch in each PYTHON. Not a test: its answer depends on the machine and on what else runs.
"""
import argparse
import json
import os
import shlex
import sys
import tempfile

import numpy as np

import llmc
import visit
from inputs import BATCH, SHAPES, Shape, write_inputs
from report import AGREE, disagreement, result_of, show
from visit import Contender

HERE = os.path.dirname(os.path.abspath(__file__))
RATE = 3e-4


def engine(name, a, s, folder, steps, ranks, threads):
    options = ["--dp", str(ranks), "--micro-batch", str(BATCH // ranks), "--threads", str(threads),
               "--steps", str(steps), "--rate", str(RATE), "--decay", "0", "--clip", "0",
               "--precision", "fp32", *s.options(),
               "--weights", f"{folder}/weights.bin", "--tokens", f"{folder}/tokens.bin", "--watchdog", "600"]
    launch = [*shlex.split(a.mpirun), "-n", str(ranks)] if ranks > 1 else []
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"} if os.geteuid() == 0 else {}
    return Contender(name, [*launch, a.engine, *options], root)


def torch(text, folder, steps):
    name, _, rest = text.partition("=")
    python, *flags = rest.split(",")
    environment = {}
    for flag in flags:
        if flag.startswith("blas="):
            environment["LD_LIBRARY_PATH"] = flag[5:]
        if flag == "keep-memory":
            environment.update(MALLOC_MMAP_THRESHOLD_="4294967296", MALLOC_TRIM_THRESHOLD_="4294967296",
                               MALLOC_TOP_PAD_="67108864")
    command = [python, f"{HERE}/torch_steps.py",
               f"{folder}/shape.json", f"{folder}/weights.bin", f"{folder}/tokens.bin",
               str(steps), str(BATCH), str(RATE), "--threads", "2", *(["--compile"] if "compile" in flags else [])]
    return Contender(name, command, environment)


def contenders(a, s, folder):
    steps = a.warmup + a.steps
    found = [engine("engine, 2 ranks x 1 thread", a, s, folder, steps, 2, 1),
             engine("engine, 1 rank x 2 threads", a, s, folder, steps, 1, 2)]
    if a.llmc:
        driver = llmc.build(a.llmc, folder)
        command = [driver, f"{folder}/llmc.bin", f"{folder}/tokens.i32",
                   str(BATCH), str(s.sequence), str(steps), str(RATE)]
        found.append(Contender("llm.c", command, {"OMP_NUM_THREADS": "2"}))
    return found + [torch(text, folder, steps) for text in a.torch]


def measure(a, everyone):
    """name -> visits, in turns. Stops before the second turn when the losses disagree."""
    visits = {c.name: [] for c in everyone}
    for turn in range(2 * a.cycles):
        for c in everyone if turn % 2 == 0 else reversed(everyone):
            visits[c.name].append(visit.run(c, a.warmup))
            last = visits[c.name][-1]
            print(f"  turn {turn + 1}: {c.name}: {np.median(last.step_s):.4f} s a step, "
                  f"others took {last.others:.1%}", file=sys.stderr)
        if turn == 0 and max(disagreement(visits).values()) > AGREE:
            break
    return visits


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--engine", required=True)
    p.add_argument("--mpirun", default="mpirun --bind-to none")
    p.add_argument("--llmc", help="a checkout of llm.c")
    p.add_argument("--torch", action="append", default=[], metavar="NAME=PYTHON[,...]")
    p.add_argument("--model", action="append", choices=SHAPES, help="default: all")
    p.add_argument("--steps", type=int, default=5)
    p.add_argument("--warmup", type=int, default=5)
    p.add_argument("--cycles", type=int, default=3)
    p.add_argument("--json", help="write everything measured to this file")
    a = p.parse_args()
    results = []
    for name in a.model or SHAPES:
        s = Shape(**SHAPES[name])
        with tempfile.TemporaryDirectory() as folder:
            write_inputs(s, a.warmup + a.steps, folder)
            results.append(result_of(name, s, measure(a, contenders(a, s, folder))))
        show(results[-1])
    if a.json:
        with open(a.json, "w") as f:
            json.dump(results, f, indent=1)
    return 0 if all(r["agree"] for r in results) else 1


if __name__ == "__main__":
    sys.exit(main())
