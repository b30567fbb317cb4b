"""What all contenders are given: the model's shape, initial weights and tokens, in each one's format."""
import json

import numpy as np

import llmc
import tensor_file

BATCH = 4
SHAPES = {
    "small": dict(layers=6, width=384, heads=6, vocabulary=8192, sequence=256),    # 14 M parameters
    "124M": dict(layers=12, width=768, heads=12, vocabulary=50304, sequence=64),
}


class Shape:
    def __init__(self, layers, width, heads, vocabulary, sequence):
        self.layers, self.width, self.heads, self.vocabulary, self.sequence = layers, width, heads, vocabulary, sequence

    def options(self):
        return [word for name, value in vars(self).items() for word in (f"--{name}", str(value))]

    def config(self):
        return {**vars(self), "flavour": "gpt2", "kv_heads": self.heads, "ffn": 4 * self.width}


def weights_of(s, rng):
    """GPT-2's initialisation: N(0, 0.02), projections into the residual stream smaller by sqrt(2 layers)."""
    def normal(*shape, scale=1.0):
        return (0.02 * scale * rng.standard_normal(shape)).astype(np.float32)

    w = {"wte": normal(s.vocabulary, s.width), "wpe": normal(s.sequence, s.width)}
    C, F, residual = s.width, 4 * s.width, (2 * s.layers) ** -0.5
    for h in [f"h.{i}." for i in range(s.layers)]:
        for name, out, into, scale in (("q", C, C, 1), ("k", C, C, 1), ("v", C, C, 1), ("o", C, C, residual),
                                       ("up", F, C, 1), ("down", C, F, residual)):
            w[f"{h}{name}.weight"], w[f"{h}{name}.bias"] = normal(out, into, scale=scale), np.zeros(out, np.float32)
        for norm in ("ln1", "ln2"):
            w[f"{h}{norm}.gain"], w[f"{h}{norm}.bias"] = np.ones(C, np.float32), np.zeros(C, np.float32)
    return {**w, "lnf.gain": np.ones(C, np.float32), "lnf.bias": np.zeros(C, np.float32)}


def tokens_of(s, steps, rng):
    """As frequent as words are: the n-th most common one has a share that goes as 1/n."""
    share = 1 / np.arange(1, s.vocabulary + 1)
    return rng.choice(s.vocabulary, size=(steps * BATCH, s.sequence + 1), p=share / share.sum())


def write_inputs(s, steps, folder):
    rng = np.random.default_rng(2024)
    weights, tokens = weights_of(s, rng), tokens_of(s, steps, rng)
    tensor_file.write(f"{folder}/weights.bin", weights)
    tensor_file.write(f"{folder}/tokens.bin", {"tokens": tokens})
    tokens.astype("<i4").tofile(f"{folder}/tokens.i32")
    llmc.checkpoint(f"{folder}/llmc.bin", s, weights)
    with open(f"{folder}/shape.json", "w") as f:
        json.dump(s.config(), f)
