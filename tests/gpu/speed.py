#!/usr/bin/env python3
"""Tokens a second of GPT-2 on one GPU, the engine and PyTorch in turns (A B B A, --cycles times), with MFU and energy.

    speed.py --engine build/gpu/bin/plimsoll-engine --python python3 [--peak TFLOP] [--model 124M]

The 124 M model starts from the same weights on the same tokens, and no speed is shown unless the losses agree to 5e-3,
which is what bf16 leaves; the 1.5 B model starts from each one's own.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "bench_trainer"))
import inputs
import tensor_file
import visit

MODELS = {  # shape, sequences a step, steps
    "124M": (inputs.Shape(12, 768, 12, 50304, 1024), 32, 40),
    "1.5B": (inputs.Shape(48, 1600, 25, 50304, 1024), 16, 25),
}
WARMUP, RATE, AGREE = 8, 1e-4, 5e-3
# Dense bf16 TFLOP/s of the SXM boards, from their data sheets.
PEAKS = {"A100": 312, "H100": 989, "H200": 989, "GH200": 989, "B200": 2250}


def run(command):
    done = subprocess.run(command, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    steps = visit.steps_of(done.stdout)
    if done.returncode or len(steps) <= WARMUP:
        raise RuntimeError(f"{' '.join(command)}\nexit {done.returncode}\n{done.stdout[-3000:]}")
    ends = [s["t_s"] for s in steps]
    lines = [json.loads(l) for l in done.stdout.splitlines() if l.startswith("{")]
    return {"losses": [s["loss"] for s in steps],
            "step_s": list(np.diff(ends))[WARMUP - 1:],
            "lines": {l.get("type"): l for l in lines}}


def contenders(a, name, folder):
    shape, batch, steps = MODELS[name]
    engine = [a.engine, "--device", "cuda", "--precision", "bf16", "--micro-batch", str(batch),
              "--steps", str(steps), "--rate", str(RATE), "--decay", "0", "--clip", "0", "--watchdog", "600",
              *shape.options()]
    torch = [a.python, f"{HERE}/torch_device.py", f"{folder}/shape.json", str(steps), str(batch), str(RATE)]
    with open(f"{folder}/shape.json", "w") as f:
        json.dump(shape.config(), f)
    if name == "124M":
        rng = np.random.default_rng(2024)
        tensor_file.write(f"{folder}/weights.bin", inputs.weights_of(shape, rng))
        share = 1 / np.arange(1, shape.vocabulary + 1)
        tokens = rng.choice(shape.vocabulary, size=(steps * batch, shape.sequence + 1), p=share / share.sum())
        tensor_file.write(f"{folder}/tokens.bin", {"tokens": tokens})
        files = ["--weights", f"{folder}/weights.bin", "--tokens", f"{folder}/tokens.bin"]
        engine, torch = engine + files, torch + files
    found = {"engine": engine}
    sees_gpu = [a.python, "-c", "import torch; assert torch.cuda.is_available()"]
    if subprocess.run(sees_gpu, stderr=subprocess.DEVNULL).returncode == 0:
        found["PyTorch, compiled"] = torch
    else:
        print(f"{a.python} has no torch that sees a GPU: the engine alone")
    return found


def mfu(tokens_per_s, flop_per_token, peak):
    return f"{100 * tokens_per_s * flop_per_token / peak / 1e12:.1f} %" if peak else "n/a"


def show(name, runs, peak):
    shape, batch, _ = MODELS[name]
    tokens = batch * shape.sequence
    layout = runs["engine"][0]["lines"]["layout"]
    summary = runs["engine"][-1]["lines"]["summary"]
    print(f"\nGPT-2 {name}, bf16, {batch} x {shape.sequence} tokens, {layout['parameters'] / 1e6:.0f} M parameters")
    print(f"{'':20}{'ms/step':>9}{'25-75 %':>16}{'tokens/s':>11}{'MFU 6LCT':>10}{'12LCT':>8}")
    for who, visits in runs.items():
        s = np.concatenate([v["step_s"] for v in visits])
        low, middle, high = np.percentile(s, [25, 50, 75])
        causal, full = (mfu(tokens / middle, layout[f"flop_per_token_{k}"], peak) for k in ("causal", "full"))
        print(f"{who:20}{1e3 * middle:9.2f}{1e3 * low:8.2f}{1e3 * high:8.2f}{tokens / middle:11.0f}"
              f"{causal:>10}{full:>8}")
    energy = summary.get("energy_per_token_J")
    if energy:
        print(f"energy: {1e3 * energy:.3f} mJ a token ({summary['energy_J']:.0f} J)")
    else:
        print("energy: this device does not count it")
    shares = runs["engine"][-1]["lines"]["step"]["phase"]
    parts = [f"{k} {v['mean'] * 1e3:.2f} ms" for k, v in shares.items() if v["mean"] > 1e-5]
    print("parts of the last step: " + ", ".join(parts))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--engine", required=True)
    p.add_argument("--python", default=sys.executable)
    p.add_argument("--peak", type=float)
    p.add_argument("--model", action="append", choices=MODELS)
    p.add_argument("--cycles", type=int, default=2)
    a = p.parse_args()
    smi = shutil.which("nvidia-smi")
    names = [smi, "--query-gpu=name", "--format=csv,noheader"]
    gpu = subprocess.run(names, text=True, capture_output=True).stdout if smi else ""
    peak = a.peak or next((v for k, v in sorted(PEAKS.items(), key=lambda x: -len(x[0])) if k in gpu), None)
    print(f"{gpu.strip() or 'unknown GPU'}; peak {peak or 'unknown'} TFLOP/s")
    for name in a.model or MODELS:
        with tempfile.TemporaryDirectory() as folder:
            everyone = contenders(a, name, folder)
            runs = {who: [] for who in everyone}
            for turn in range(2 * a.cycles):
                for who in list(everyone)[::1 if turn % 2 == 0 else -1]:
                    runs[who].append(run(everyone[who]))
        ours = np.array(runs["engine"][0]["losses"])
        apart = max((np.max(np.abs(np.array(v[0]["losses"]) / ours - 1)) for v in runs.values()), default=0)
        if name == "124M" and apart > AGREE:
            print(f"{name}: NO SPEED IS SHOWN: losses differ by {apart:.1e}, more than {AGREE}")
            return 1
        show(name, runs, peak)
    return 0


if __name__ == "__main__":
    sys.exit(main())
