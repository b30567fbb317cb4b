"""The engine's model in plain PyTorch (1.13 and later): the reference for its golden files, and a rival in speed.

    model = GPT(Config(flavour="gpt2", layers=6, ...))
    model.load(tensors)                      # logical names -> arrays, as in engine/model/tensor_file.h
    loss = model(inputs, targets); loss.backward()
    model.logical(lambda p: p.grad)          # name -> array
"""
import math
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class Config:
    flavour: str = "gpt2"
    layers: int = 6
    width: int = 384
    heads: int = 6
    kv_heads: int = 6
    ffn: int = 1536
    vocabulary: int = 8192
    sequence: int = 256

    @property
    def llama(self):
        return self.flavour == "llama"


class RMSNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * self.weight


def norm(c):
    return RMSNorm(c.width) if c.llama else nn.LayerNorm(c.width, eps=1e-5)


def rotate_half(x):
    a, b = x.chunk(2, dim=-1)
    return torch.cat((-b, a), dim=-1)


class Attention(nn.Module):
    """Causal; q, k and v are one product, as every trainer of the field does it."""

    def __init__(self, c):
        super().__init__()
        self.c, self.size = c, c.width // c.heads
        self.parts = [c.width, c.kv_heads * self.size, c.kv_heads * self.size]
        self.qkv = nn.Linear(c.width, sum(self.parts), bias=not c.llama)
        self.o = nn.Linear(c.width, c.width, bias=not c.llama)
        angle = torch.outer(torch.arange(c.sequence, dtype=torch.float64),
                            10000.0 ** (-torch.arange(0, self.size, 2, dtype=torch.float64) / self.size))
        angle = torch.cat((angle, angle), dim=-1)
        self.register_buffer("cos", angle.cos(), persistent=False)
        self.register_buffer("sin", angle.sin(), persistent=False)
        self.register_buffer("future", torch.ones(c.sequence, c.sequence, dtype=torch.bool).triu(1), persistent=False)

    def rotate(self, x):
        return x * self.cos.to(x) + rotate_half(x) * self.sin.to(x)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (y.view(B, T, -1, self.size).transpose(1, 2) for y in self.qkv(x).split(self.parts, dim=-1))
        if self.c.llama:
            q, k = self.rotate(q), self.rotate(k)
        if self.c.kv_heads != self.c.heads:
            k, v = (y.repeat_interleave(self.c.heads // self.c.kv_heads, dim=1) for y in (k, v))
        return self.o(self.mix(q, k, v).transpose(1, 2).reshape(B, T, C))

    def mix(self, q, k, v):
        if hasattr(F, "scaled_dot_product_attention"):
            return F.scaled_dot_product_attention(q, k, v, is_causal=True)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.size)
        return scores.masked_fill(self.future, -math.inf).softmax(dim=-1) @ v


class Feedforward(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        self.up = nn.Linear(c.width, c.ffn, bias=not c.llama)
        if c.llama:
            self.gate = nn.Linear(c.width, c.ffn, bias=False)
        self.down = nn.Linear(c.ffn, c.width, bias=not c.llama)

    def forward(self, x):
        if self.c.llama:
            return self.down(F.silu(self.gate(x)) * self.up(x))
        return self.down(F.gelu(self.up(x), approximate="tanh"))


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.ln1, self.attention, self.ln2, self.feedforward = norm(c), Attention(c), norm(c), Feedforward(c)

    def forward(self, x):
        x = x + self.attention(self.ln1(x))
        return x + self.feedforward(self.ln2(x))


class GPT(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        self.wte = nn.Embedding(c.vocabulary, c.width)
        self.wpe = None if c.llama else nn.Embedding(c.sequence, c.width)
        self.blocks = nn.ModuleList(Block(c) for _ in range(c.layers))
        self.lnf = norm(c)
        self.head = nn.Linear(c.width, c.vocabulary, bias=False)
        if not c.llama:
            self.head.weight = self.wte.weight

    def forward(self, inputs, targets):
        """Mean cross-entropy of targets [B, T] after inputs [B, T]."""
        x = self.wte(inputs)
        if self.wpe is not None:
            x = x + self.wpe.weight
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.lnf(x))
        return F.cross_entropy(logits.view(-1, self.c.vocabulary), targets.reshape(-1))

    def places(self):
        """(logical name, parameter, rows of it or None for all) of every tensor."""
        def both(name, module, rows=None, first="weight"):
            yield f"{name}.{first}", module.weight, rows
            if getattr(module, "bias", None) is not None:
                yield f"{name}.bias", module.bias, rows

        yield "wte", self.wte.weight, None
        if self.wpe is not None:
            yield "wpe", self.wpe.weight, None
        else:
            yield "head.weight", self.head.weight, None
        for i, b in enumerate(self.blocks):
            yield from both(f"h.{i}.ln1", b.ln1, first="gain")
            start = 0
            for name, rows in zip("qkv", b.attention.parts):
                yield from both(f"h.{i}.{name}", b.attention.qkv, slice(start, start + rows))
                start += rows
            yield from both(f"h.{i}.o", b.attention.o)
            yield from both(f"h.{i}.ln2", b.ln2, first="gain")
            for name in ("up", "gate", "down"):
                if hasattr(b.feedforward, name):
                    yield from both(f"h.{i}.{name}", getattr(b.feedforward, name))
        yield from both("lnf", self.lnf, first="gain")

    @torch.no_grad()
    def load(self, tensors):
        for name, parameter, rows in self.places():
            part = parameter if rows is None else parameter[rows]
            part.copy_(torch.as_tensor(tensors[name].copy()).reshape(part.shape))

    def logical(self, of=lambda p: p):
        """name -> array of of(parameter), for instance its gradient."""
        return {name: (of(p) if rows is None else of(p)[rows]).detach().numpy() for name, p, rows in self.places()}

    def decay_groups(self, decay):
        """Parameter groups for AdamW: matrices decay, gains and biases do not."""
        return [{"params": [p for p in self.parameters() if p.dim() > 1], "weight_decay": decay},
                {"params": [p for p in self.parameters() if p.dim() <= 1], "weight_decay": 0.0}]
