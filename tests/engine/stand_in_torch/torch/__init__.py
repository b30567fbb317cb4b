"""Stands in for PyTorch where engine/data/library_attention.py is tested: a device with a queue and a clock of its own.

A call takes HOST seconds to queue and its own time on the device, which begins it when it is queued and those before
are done. So what a host that does not wait would measure, and what it measures when the device waits for it, is wrong
by factors. STAND_IN_TORCH names what else goes wrong.
"""
import os
import signal
import sys
import time
from types import SimpleNamespace as Space

mode = os.environ.get("STAND_IN_TORCH", "")
answers = sys.modules["__main__"].answers
PEAK, FORWARD, BACKWARD, HALF_SEQUENCE, HALF_HEAD, FLOOR = 312e12, 0.6, 0.5, 300, 20, 4.88e-6
HOST = 1e-2 if mode == "slow host" else 2e-5

if mode == "absent":
    raise ModuleNotFoundError("No module named 'torch'")
if mode == "hangs":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        time.sleep(1)
if mode == "rubbish":
    print("Fatal: \x1b[2J\u202e is no answer {", file=answers, flush=True)
    os._exit(0)
if mode == "endless":
    while True:
        answers.write("[" * 65536)
if mode == "hostile":
    for line in ('{"library": "\\u001b[2J"}', '{"library": ["x"]}', '{"library": "PyTorch /data/x 2.6"}',
                 '{"shape": -1, "pass": "forward", "kernel": "flash", "seconds": [1], "calls": 1, "warmup": 1}',
                 '{"shape": 99, "pass": "forward", "kernel": "flash", "seconds": [1], "calls": 1, "warmup": 1}',
                 '{"shape": 0, "pass": "forward", "kernel": "flash", "seconds": [-1], "calls": 1, "warmup": 1}',
                 '{"shape": 0, "pass": "forward", "kernel": "flash", "seconds": [1e999], "calls": 1, "warmup": 1}',
                 '{"shape": 0, "pass": "forward", "kernel": "flash", "seconds": ["1"], "calls": 1, "warmup": 1}',
                 '{"shape": 0, "pass": "sideways", "kernel": "flash", "seconds": [1], "calls": 1, "warmup": 1}',
                 '{"shape": 0, "pass": "forward", "kernel": "flash", "seconds": [1], "calls": 1e300, "warmup": 1}',
                 '{"shape": 0.5, "pass": "forward", "kernel": "\\u001b", "seconds": [1], "calls": 1, "warmup": 1}',
                 '{"shape": 0, "pass": "forward", "kernel": "flash", "seconds": [9], "calls": 1, "warmup": 1}',
                 '{"missing": "sense"}', "[" * 9000, "[]", "null"):
        print(line, file=answers, flush=True)
    os._exit(0)

__version__ = "2.6.0"
version = Space(cuda="12.4", hip=None)
bfloat16, float32, float64 = 16, 32, 64
now = Space(host=0.0, device=0.0)
calls_made = 0


def queue(seconds):
    now.host += HOST
    now.device = max(now.device, now.host) + seconds


class Event:
    def __init__(self, enable_timing=False):
        self.at, self.timed, self.waited_for = None, enable_timing, False

    def record(self):
        self.at = max(now.device, now.host)

    def query(self):
        return self.at <= now.host

    def synchronize(self):
        now.host, self.waited_for = max(now.host, self.at), True

    def elapsed_time(self, end):
        if not (self.timed and end.timed and end.waited_for):
            raise AssertionError("events that were not waited for, or have no times")
        return 1e3 * (end.at - self.at)


class Tensor:
    def __init__(self, shape):
        self.shape = shape

    def transpose(self, a, b):
        shape = list(self.shape)
        shape[a], shape[b] = shape[b], shape[a]
        return Tensor(tuple(shape))

    def requires_grad_(self):
        return self


def randn(*shape, device=None, dtype=None):
    return Tensor(shape)


def randn_like(other):
    return Tensor(other.shape)


def mm(a, b):
    queue(5e-5)


def seconds_of(shape, products, share):
    batch, heads, tokens, size = shape
    flop = products * 2 * batch * heads * tokens * tokens * size / 2
    return flop / (PEAK * share / (1 + HALF_HEAD / size)) * (1 + HALF_SEQUENCE / tokens) + FLOOR


def scaled_dot_product_attention(query, key, value, is_causal=False):
    global calls_made
    if not is_causal:
        raise AssertionError("attention that is not causal")
    if mode == "refuses" and query.shape[2] > 1024:
        raise RuntimeError("CUDA out of memory")
    calls_made += 1
    if mode == "dies" and calls_made > 300:
        os.kill(os.getpid(), signal.SIGSEGV)
    queue(seconds_of(query.shape, 2, FORWARD))
    return Tensor(query.shape)


def grad(output, inputs, gradient, retain_graph=False):
    if len(inputs) != 3 or not retain_graph:
        raise AssertionError("gradients of queries, keys and values, again and again")
    queue(seconds_of(output.shape, 5, BACKWARD))


def _fused_sdp_choice(query, key, value, mask, dropout, is_causal):
    return 0 if mode == "math" else 1


nn = Space(functional=Space() if mode == "old" else Space(scaled_dot_product_attention=scaled_dot_product_attention))
autograd = Space(grad=grad)
cuda = Space(is_available=lambda: mode != "blind", Event=Event, get_device_name=lambda _: "NVIDIA A100-SXM4-80GB")


def finfo(dtype):
    return Space(bits=dtype)
