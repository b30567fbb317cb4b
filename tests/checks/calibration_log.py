"""A calibration's log as the engine would write it, without one: the plan's runs with times that follow a rule.

    lines = log_of(json.loads(plan_text), plan_text)        # list of JSON texts, complete with predictions and summary
"""
import hashlib
import json


def fingerprint(text):
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


class Log:
    def __init__(self):
        self.lines = []

    def add(self, type_, **fields):
        seq = len(self.lines)
        self.lines.append(json.dumps({"type": type_, "run": "made", "seq": seq, "t_s": 0.1 * seq} | fields))

    def text(self):
        return "".join(line + "\n" for line in self.lines)


def product(m, n, k, flags):
    seconds = 2e-6 + 2 * m * n * k / 90e9
    return {"kind": "gemm", "params": {"product": "qkv", "form": "forward", "tp": 1, "m": m, "n": n, "k": k},
            "n": 9, "median_s": seconds, "lo95_s": 0.99 * seconds, "hi95_s": 1.01 * seconds,
            "min_s": 0.98 * seconds, "p10_s": 0.98 * seconds,
            "bytes": 4 * (m * k + n * k + m * n), "flop": 2 * m * n * k,
            "wall_over_cpu": 1.0, "precision": "fp32", "visit": 1, "flags": flags}


def log_of(plan_text, runs=None, flags=()):
    """`runs`: how many of the plan's runs end well before the log is cut off; none: all of them. `flags`: of points."""
    plan, log, sealed = json.loads(plan_text), Log(), None
    log.add("hello", schema=1, engine="0.1.0", started="2026-11-21T18:00:00Z", arguments=[])
    log.add("hw", node=0, cpu_model="a core", threads_allowed=2, memory_B=25769803776)
    no_counter = {"source": "rapl", "available": False, "reason": "a virtual machine", "domains": [], "scope": None}
    log.add("energy", node=0, available=False, sources=[no_counter])
    parts = [plan_text[at:at + 20000] for at in range(0, len(plan_text), 20000)]   # a line has 64 KiB at most
    for number, text in enumerate(parts, 1):
        log.add("plan", part=number, of=len(parts), text=text)
    for number, run in enumerate(plan["runs"][:runs], 1):
        if run["role"] == "held_out":
            sealed = sealed or fingerprint(log.text())
            log.add("predict", id=run["id"], label=run["label"], role=run["role"], step_s=0.3, lo90_s=0.27,
                    hi90_s=0.33, parts={"gemm": 0.3}, memory_B=3e8, hash=sealed)
        log.add("experiment", id=run["id"], role=run["role"], label=run["label"], expected_s=run["expected_s"],
                fair=run.get("fair", True), number=number, of=len(plan["runs"]), plan=fingerprint(plan_text))
        if run["id"] == "gemm":
            for rows in (64, 256):
                for n, k in ((384, 384), (1152, 384), (1536, 384), (384, 1536)):
                    log.add("bench", **product(rows, n, k, list(flags)))
        if run["role"] in ("fit", "held_out"):
            log.add("layout", dp=1, tp=1, pp=1)
            for step in range(1, run["steps"] + 1):
                log.add("step", step=step, step_s=0.315, tokens=256, phase={"gemm": {"mean": 0.315}},
                        mem_peak_B=303000000, quality=[])
        log.add("run", experiment=run["id"], status="ok", steps=run.get("steps", 0))
    if runs is None:
        log.add("summary", status="ok", steps=10)
    return log.text()
