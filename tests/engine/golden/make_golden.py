#!/usr/bin/env python3
"""Writes gpt2_tiny.bin and llama_tiny.bin: what PyTorch computes, for the engine to be compared with.

    python3 tests/engine/golden/make_golden.py          # needs numpy and torch (1.13 and later); takes a second

Each file (engine/model/tensor_file.h, floats) holds the initial weights, `tokens`, `gradient:` of every weight at the
first step, and `loss` of ten steps: AdamW, rate 0.003, betas 0.9 and 0.95, decay 0.1 on matrices, norm clipped to 1,
four samples a step. PyTorch computes in double precision from weights that are exact in float, so that its own
rounding is no part of the comparison.
"""
import pathlib
import sys

import numpy as np
import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "bench_trainer"))
import tensor_file
from torch_gpt import GPT, Config

SAMPLES, BATCH, STEPS, RATE = 12, 4, 10, 3e-3
CASES = {
    "gpt2_tiny": Config("gpt2", layers=2, width=24, heads=4, kv_heads=4, ffn=96, vocabulary=61, sequence=16),
    "llama_tiny": Config("llama", layers=2, width=24, heads=6, kv_heads=2, ffn=48, vocabulary=61, sequence=16),
}


def initial(model, rng):
    """Weights exact in float32; gains near 1 and biases off 0, so that none of them drops out."""
    def draw(name, shape):
        return (name.endswith("gain") + 0.1 * rng.standard_normal(shape)).astype(np.float32)
    return {name: draw(name, values.shape) for name, values in model.logical().items()}


def samples(c, rng):
    """A sequence that can be learned: mostly the next id is 5 id + 3."""
    ids = rng.integers(c.vocabulary, size=(SAMPLES, c.sequence + 1))
    for t in range(c.sequence):
        follow = rng.random(SAMPLES) < 0.8
        ids[follow, t + 1] = (5 * ids[follow, t] + 3) % c.vocabulary
    return ids


def train(model, ids):
    """Ten losses, and the gradients of the first step before clipping."""
    optimizer = torch.optim.AdamW(model.decay_groups(0.1), lr=RATE, betas=(0.9, 0.95), eps=1e-8)
    losses, first = [], None
    for step in range(STEPS):
        rows = torch.as_tensor(ids[[(step * BATCH + b) % SAMPLES for b in range(BATCH)]])
        optimizer.zero_grad()
        loss = model(rows[:, :-1], rows[:, 1:])
        loss.backward()
        first = first or {name: g.copy() for name, g in model.logical(lambda p: p.grad).items()}
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return losses, first


def main():
    for name, config in CASES.items():
        rng = np.random.default_rng(1865)
        model = GPT(config).double()
        weights = initial(model, rng)
        model.load(weights)
        ids = samples(config, rng)
        losses, gradients = train(model, ids)
        tensor_file.write(HERE / f"{name}.bin", {**weights, "tokens": ids, "loss": losses,
                                                 **{f"gradient:{n}": g for n, g in gradients.items()}})
        print(name, "loss", *(f"{x:.6f}" for x in losses))


if __name__ == "__main__":
    main()
