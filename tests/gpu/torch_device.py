#!/usr/bin/env python3
"""PyTorch on a GPU as a contender: GPT-2 in bf16 autocast with fp32 masters, SDPA, fused AdamW; a JSON line a step.

    torch_device.py SHAPE.json STEPS BATCH RATE [--weights FILE --tokens FILE] [--no-compile]

Without files: PyTorch's own initial weights and random tokens, which is enough for time.
"""
import argparse
import json
import os
import sys
import time

import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench_trainer"))
import tensor_file
from torch_gpt import GPT, Config


def batches(a, c):
    if not a.tokens:
        generator = torch.Generator().manual_seed(1)
        rows = torch.randint(c.vocabulary, (4 * a.batch, c.sequence + 1), generator=generator)
    else:
        rows = torch.as_tensor(tensor_file.read(a.tokens)["tokens"].astype("int64"))
    rows = rows.cuda()
    for step in range(a.steps):
        start = step * a.batch % (len(rows) - a.batch + 1)
        yield rows[start:start + a.batch]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("shape")
    p.add_argument("steps", type=int)
    p.add_argument("batch", type=int)
    p.add_argument("rate", type=float)
    p.add_argument("--weights")
    p.add_argument("--tokens")
    p.add_argument("--no-compile", action="store_true")
    a = p.parse_args()
    with open(a.shape) as f:
        c = Config(**json.load(f))
    model = GPT(c).cuda()
    if a.weights:
        model.load({name: value for name, value in tensor_file.read(a.weights).items()})
    torch.backends.cuda.matmul.allow_tf32 = False
    optimizer = torch.optim.AdamW(model.parameters(), lr=a.rate, betas=(0.9, 0.95), eps=1e-8, weight_decay=0.0,
                                  fused=True)
    forward = model if a.no_compile else torch.compile(model)
    for step, batch in enumerate(batches(a, c)):
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = forward(batch[:, :-1], batch[:, 1:])
        loss.backward()
        optimizer.step()
        print(json.dumps({"step": step + 1, "loss": loss.item(), "t_s": time.monotonic()}), flush=True)


if __name__ == "__main__":
    main()
