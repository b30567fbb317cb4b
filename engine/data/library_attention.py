"""Times PyTorch's scaled_dot_product_attention, causal, forward and backward, for plimsoll-engine --bench library.

    python3 library_attention.py cuda bf16 0.05 4x1024x16x64 1x2048x16x64

Device (cuda, hip or cpu), precision, seconds a point, and shapes: batch x tokens x heads x head size. One JSON object a
line: what is there, or what is missing ("torch", "device", "version"), then every pass of every shape.

    {"library": "PyTorch 2.6.0, CUDA 12.4", "device": "NVIDIA H100"}
    {"shape": 0, "pass": "forward", "kernel": "flash", "seconds": [...], "calls": 10, "warmup": 40, "starved": false}

Times of a GPU lie between events in its queue. Products that are queued in front hold the device until all calls of a
repetition are queued behind them, so that it never waits for Python; `starved` says that it did nevertheless.
"""
import json
import os
import sys
import time

answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # what PyTorch prints is no answer
LEAST, MOST, MOST_HOLD, MOST_BLOCKS = 7, 100, 64, 50
LONGEST = 5  # seconds of a pass, with its warm-up
WALKED = 2**28  # bytes that calls walk around: more than caches hold


def say(**line):
    print(json.dumps(line), file=answers, flush=True)


def missing(what):
    say(missing=what)
    sys.exit(0)


try:
    import torch
except ModuleNotFoundError:
    missing("torch")
attention = getattr(torch.nn.functional, "scaled_dot_product_attention", None)
if attention is None:
    missing("version")
kind, precision, budget = sys.argv[1], sys.argv[2], float(sys.argv[3])
made_for = {"cuda": torch.version.cuda, "hip": torch.version.hip, "cpu": "processors"}[kind]
if not made_for or (kind != "cpu" and not torch.cuda.is_available()):
    missing("device")
device = "cpu" if kind == "cpu" else "cuda"
dtype = {"bf16": torch.bfloat16, "fp32": torch.float32, "fp64": torch.float64}[precision]


def kernel_of(query, key, value):
    """Which back end PyTorch chooses for these."""
    try:
        chosen = int(torch._fused_sdp_choice(query, key, value, None, 0.0, True))
    except Exception:
        return "unknown"
    return {0: "math", 1: "flash", 2: "efficient", 3: "cudnn"}.get(chosen, "unknown")


class HostClock:
    starved, hold = False, 0

    def of(self, call, calls):
        began = time.perf_counter()
        for i in range(calls):
            call(i)
        return (time.perf_counter() - began) / calls


class DeviceClock:
    def __init__(self):
        self.factor = torch.randn(4096, 4096, device=device, dtype=dtype)
        self.hold = 2
        self.starved = False

    def of(self, call, calls):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        for _ in range(self.hold):
            torch.mm(self.factor, self.factor)
        begin.record()
        for i in range(calls):
            call(i)
        self.starved = begin.query()  # the device is through with what held it, and may wait for the next call
        end.record()
        end.synchronize()
        if self.starved:
            self.hold = min(2 * self.hold, MOST_HOLD)
        return begin.elapsed_time(end) / 1e3 / calls


def timed(call):
    """Seconds of a call in every repetition, how many calls each has, and calls before the first that counts."""
    clock, begun = HostClock() if kind == "cpu" else DeviceClock(), time.monotonic()
    warmup, before, calls = 0, 0.0, 1
    for _ in range(MOST_BLOCKS):
        latest = clock.of(call, calls)
        warmup += calls
        settled = warmup > 3 and not clock.starved and abs(latest - before) < 0.02 * before
        if (settled and warmup >= 3 * calls) or time.monotonic() - begun > LONGEST / 2:
            break
        before, calls = latest, min(20, max(calls, int(1e-3 / max(latest, 1e-9))))
    clock.hold = min(2 * clock.hold, MOST_HOLD)  # to spare
    seconds, starved = [], 0
    while len(seconds) < LEAST or (sum(seconds) * calls < budget and len(seconds) < MOST):
        seconds.append(clock.of(call, calls))
        starved += clock.starved
        if time.monotonic() - begun > LONGEST:
            break
    return {"seconds": seconds, "calls": calls, "warmup": warmup, "starved": starved > len(seconds) // 10}


def measure(index, batch, tokens, heads, size):
    def drawn():  # as a projection leaves them: heads beside one another in a token's row
        rows = torch.randn(batch, tokens, heads, size, device=device, dtype=dtype)
        return rows.transpose(1, 2).requires_grad_()

    bytes_of_one = batch * tokens * heads * size * torch.finfo(dtype).bits // 8
    inputs = [[drawn() for _ in range(3)] for _ in range(max(1, min(16, WALKED // (4 * bytes_of_one))))]
    kernel = kernel_of(*inputs[0])

    def forward(i):
        return attention(*inputs[i % len(inputs)], is_causal=True)

    say(shape=index, **{"pass": "forward"}, kernel=kernel, **timed(forward))
    outputs = [forward(i) for i in range(len(inputs))]
    gradient = torch.randn_like(outputs[0])

    def backward(i):
        i %= len(inputs)
        return torch.autograd.grad(outputs[i], inputs[i], gradient, retain_graph=True)

    say(shape=index, **{"pass": "backward"}, kernel=kernel, **timed(backward))


made = {"cuda": "CUDA ", "hip": "ROCm ", "cpu": ""}[kind] + made_for
say(library=f"PyTorch {torch.__version__}, {made}",
    device="processor" if kind == "cpu" else torch.cuda.get_device_name(0))
for index, shape in enumerate(sys.argv[4:]):
    try:
        measure(index, *map(int, shape.split("x")))
    except RuntimeError as problem:  # not enough memory, or a kernel that refuses the shape
        print(problem, file=sys.stderr)
