"""llm.c's CPU trainer as a contender: its checkpoint from our weights, its program around our loop.

Nothing of llm.c is kept here: `build` compiles the checkout it is given, with a main of our own that includes it.
"""
import os
import subprocess

import numpy as np

DRIVER = r"""
// Includes llm.c's trainer without its main, and takes steps on the tokens it is given.
#define TESTING
#include "train_gpt2.c"

static double now() {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

// usage: driver CHECKPOINT TOKENS BATCH SEQUENCE STEPS RATE
// tokens: 32-bit ids, steps x batch samples of sequence + 1
int main(int argc, char** argv) {
    if (argc != 7) return 2;
    const int B = atoi(argv[3]), T = atoi(argv[4]), steps = atoi(argv[5]);
    int* sample = mallocCheck((T + 1) * sizeof(int));
    int* inputs = mallocCheck(B * T * sizeof(int));
    int* targets = mallocCheck(B * T * sizeof(int));
    GPT2 model;
    gpt2_build_from_checkpoint(&model, argv[1]);
    FILE* tokens = fopenCheck(argv[2], "rb");
    for (int step = 1; step <= steps; ++step) {
        for (int b = 0; b < B; ++b) {
            freadCheck(sample, sizeof(int), T + 1, tokens);
            memcpy(inputs + b * T, sample, T * sizeof(int));
            memcpy(targets + b * T, sample + 1, T * sizeof(int));
        }
        gpt2_forward(&model, inputs, targets, B, T);
        gpt2_zero_grad(&model);
        gpt2_backward(&model);
        gpt2_update(&model, atof(argv[6]), 0.9f, 0.95f, 1e-8f, 0.0f, step);
        printf("{\"step\": %d, \"loss\": %.9g, \"t_s\": %.9f}\n", step, model.mean_loss, now());
        fflush(stdout);
    }
    return 0;
}
"""


def build(checkout, folder):
    """The driver's path. The flags are those of llm.c's own Makefile."""
    source, program = os.path.join(folder, "llmc_driver.c"), os.path.join(folder, "llmc_driver")
    with open(source, "w") as f:
        f.write(DRIVER)
    flags = ["-Ofast", "-march=native", "-fopenmp", "-DOMP", "-w"]
    subprocess.run([os.environ.get("CC", "cc"), *flags, "-I", checkout, source, "-o", program, "-lm"], check=True)
    return program


def checkpoint(path, shape, weights):
    """Writes llm.c's file of parameters (magic 20240326, version 3) from tensors by logical name."""
    header = np.zeros(256, dtype="<i4")
    header[:8] = [20240326, 3, shape.sequence, shape.vocabulary,
                  shape.layers, shape.heads, shape.width, shape.vocabulary]
    order = ["ln1.gain", "ln1.bias", "qkv.weight", "qkv.bias", "o.weight", "o.bias", "ln2.gain", "ln2.bias",
             "up.weight", "up.bias", "down.weight", "down.bias"]
    with open(path, "wb") as f:
        header.tofile(f)
        for name in ("wte", "wpe"):
            weights[name].astype("<f4").tofile(f)
        for name in order:
            for layer in range(shape.layers):
                for part in ("q", "k", "v") if name.startswith("qkv") else ("",):
                    weights[f"h.{layer}.{part}{name[3:] if part else name}"].astype("<f4").tofile(f)
        for name in ("lnf.gain", "lnf.bias"):
            weights[name].astype("<f4").tofile(f)
