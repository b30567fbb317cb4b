#!/usr/bin/env python3
"""PyTorch as a contender: training steps on the weights and tokens of tensor files, a JSON line each.

    torch_steps.py SHAPE.json WEIGHTS TOKENS STEPS BATCH RATE [--compile] [--threads N]
"""
import argparse
import json
import time

import torch

import tensor_file
from torch_gpt import GPT, Config


def adamw(model, rate):
    """The fastest AdamW this PyTorch has on the processor: fused since 2.4."""
    options = dict(lr=rate, betas=(0.9, 0.95), eps=1e-8, weight_decay=0.0)
    try:
        return torch.optim.AdamW(model.parameters(), fused=True, **options)
    except (TypeError, RuntimeError):
        return torch.optim.AdamW(model.parameters(), **options)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("shape"), p.add_argument("weights"), p.add_argument("tokens")
    p.add_argument("steps", type=int), p.add_argument("batch", type=int), p.add_argument("rate", type=float)
    p.add_argument("--compile", action="store_true"), p.add_argument("--threads", type=int, default=2)
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    with open(a.shape) as f:
        model = GPT(Config(**json.load(f)))
    model.load(tensor_file.read(a.weights))
    rows = torch.as_tensor(tensor_file.read(a.tokens)["tokens"].astype("int64"))
    optimizer = adamw(model, a.rate)
    forward = torch.compile(model) if a.compile else model
    for step in range(a.steps):
        batch = rows[step * a.batch:(step + 1) * a.batch]
        optimizer.zero_grad(set_to_none=True)
        loss = forward(batch[:, :-1], batch[:, 1:])
        loss.backward()
        optimizer.step()
        print(json.dumps({"step": step + 1, "loss": loss.item(), "t_s": time.monotonic()}), flush=True)


if __name__ == "__main__":
    main()
