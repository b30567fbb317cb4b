#!/usr/bin/env python3
"""programs.py PLIMSOLL [ENGINE [WINDOW_DRIVER]]: the real programs, given files and arguments that are damaged.

Whatever they read, they end by themselves with an exit code that their help documents and a reason, in 5 seconds of
computing and 1 GB of memory, and print no control characters. The window is given damaged settings and unsaved changes.
Readers themselves are tried by the thousand in process (tests/core/files/tst_mutated_files.cpp); this is a sample of
everything around them. PLIMSOLL_CAMPAIGN sets the number of runs, a few hundred otherwise.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/checks"))
from calibration_log import log_of  # noqa: E402

PLIMSOLL, ENGINE, DRIVER = [str(pathlib.Path(p).resolve()) for p in sys.argv[1:]] + [None] * (4 - len(sys.argv))
RUNS = int(os.environ.get("PLIMSOLL_CAMPAIGN", "0")) or 150
SECONDS, MEMORY = 5, 1 << 30
PATIENCE = 60   # seconds of waiting, on machines that are shared
OF_PLANNER, OF_ENGINE = {0, 2, 3, 4}, {0, 2, 3, 4, 74}
HOSTILE = ["0", "-1", "1e999", "-1e999", "NaN", "1e308", "1e-320", "2147483648", "99999999999999999999", "null", "[]",
           "{}", "\"\"", "\"../../x\"", "\"$(touch x)\"", "\"\\u0000\"", "\"\\ud800\"", "\"\x1b[2J\"", "true",
           "\"" + "W" * 5000 + "\"", "1" * 400, "[" * 100000, "{\"a\":" * 70]


# ---- Damage

def mutated(chance, data):
    """One to three damages of some bytes."""
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + chance.choice([1, 1, 8, 200]))
        pieces = [m.span() for m in re.finditer(rb'"[^"\n]*"|[\w.+-]+', data[:200000])] or [(0, 0)]
        (a, b), (c, d) = sorted(chance.choice(pieces) for _ in range(2))
        match chance.randrange(11):
            case 0: data = data[:at]
            case 1 if data: data = data[:at - 1] + bytes([data[at - 1] ^ 1 << chance.randrange(8)]) + data[at:]
            case 2: data = data[:at] + bytes([chance.randrange(256)]) + data[end:]
            case 3: data = data[:at] + data[end:]
            case 4: data = data[:at] + data[at:end] * 3 + data[end:]
            case 5 if b <= c: data = data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]
            case 6: data = data[:a] + data[a:d] + b"," + data[a:]
            case 7: data = data[:a] + b"\xff\xfe" * chance.choice([1, 100000]) + data[a:]
            case _: data = data[:a] + chance.choice(HOSTILE).encode() + data[b:]
    return data


def text_of(path, lines=None):
    data = (ROOT / path).read_bytes()
    return data if lines is None else b"".join(data.splitlines(keepends=True)[:lines])


def every(folder, suffix=".json"):
    return [p.read_bytes() for p in sorted((ROOT / folder).glob("*" + suffix)) if p.stat().st_size < 60000]


def saved_plans():
    """Plans with their presets written out, as strangers send them."""
    plans = []
    for name in ("gpt-neox-20b-a100", "gpt2-124m-laptop", "deepseek-v3-2048-h800", "13b-zero-offload-v100"):
        plan = json.loads(text_of(f"presets/scenarios/{name}.json"))
        for part, folder in (("model", "models"), ("machine", "machines"), ("stack", "stacks")):
            of_plan = plan[part] if isinstance(plan[part], dict) else {"preset": plan[part]}
            plan[part] = json.loads(text_of(f"presets/{folder}/{of_plan.pop('preset')}.json")) | of_plan
        plans.append(json.dumps(plan, indent=1).encode())
    return plans


# ---- What is run

class Subject:
    """A kind of file: what is right, the name it gets, and the command lines that read it."""

    def __init__(self, name, right, file, *commands, program=PLIMSOLL, codes=OF_PLANNER):
        self.name, self.right, self.file, self.commands = name, right, file, commands
        self.program, self.codes = program, codes


# A line or two in every syntax that configurations of training frameworks have.
CONFIGURATIONS = {
    "c.sh": "T=${1:-2}\nARGS=(--num-layers 4 \"--hidden-size 64\" --num-attention-heads $((T * 2)))\n"
            "torchrun --nproc_per_node 8 pretrain_gpt.py ${ARGS[@]} --bf16 --micro-batch-size 1\n",
    "c.yaml": "model:\n  num_layers: &n 4\n  hidden_size: 64\n  num_attention_heads: *n\n"
              "train:\n  train_iters: 10\n  global_batch_size: 8\n",
    "c.toml": "[model]\nname = \"llama3\"\nflavor = \"8B\"\n[training]\nseq_len = 64\nsteps = 9\n"
              "[parallelism]\ntensor_parallel_degree = 2\n",
    "c.py": "def r(n: int = 2):\n    cfg.model.num_layers = 4\n    cfg.model = f(\"a\", seq_length=64)\n",
    "ds.json": '{"train_batch_size": 8, "zero_optimization": {"stage": 2}, "bf16": {"enabled": true}}'}


def subjects():
    a100, laptop = "gpt-neox-20b-a100", "gpt2-124m-laptop"
    plan = subprocess.run([PLIMSOLL, "calibrate", laptop, "--plan", "--json"], capture_output=True, check=True).stdout
    config = json.dumps({"model_type": "llama", "num_hidden_layers": 16, "hidden_size": 2048, "num_attention_heads": 32,
                         "num_key_value_heads": 8, "intermediate_size": 8192, "vocab_size": 128256}).encode()
    anchors = json.dumps({"schema": "plimsoll/anchors", "version": 1, "anchors": [
        {"name": "June", "plan": json.loads(text_of(f"presets/scenarios/{a100}.json")), "step_seconds": 9.5}]}).encode()
    space = json.dumps({"schema": "plimsoll/space", "version": 1, "name": "ours", "from": "common",
                        "tensor_parallel": [4, 8], "zero_stage": [1], "schedule": ["1f1b"]}).encode()
    logs = [text_of("tests/calibrations/two-cores.jsonl"), log_of(plan.decode()).encode()]
    steps = [b"step_s,gemm\n12.41,7.9\n12.39,7.9\n12.2,7.8\n", text_of("tests/calibrations/quiet.jsonl", 80)]
    yield Subject("plan", every("presets/scenarios") + saved_plans(), "plan.json", ["estimate", "FILE"],
                  ["estimate", "FILE", "--json"], ["explain", "FILE", "--number", "step_seconds"], ["launch", "FILE"],
                  ["timeline", "FILE", "--csv"], ["largest", "FILE"], ["rule", "FILE"], ["transients", "FILE"],
                  ["sweep", "FILE", "--knob", "nodes", "--values", "1:8:x2"], ["strategies", "FILE"],
                  ["search", "FILE", "--space", "common", "--limit", "3"], ["budget", "FILE", "--node-hours", "1000"],
                  ["calibrate", "FILE", "--script", "slurm", "--trial", "2", "--out", "job"])
    plans = [json.loads(text_of(f"presets/scenarios/{name}.json")) for name in (a100, laptop)]
    workspace = json.dumps({"schema": "plimsoll/workspace", "version": 1, "shown": 1, "plans": plans}).encode()
    yield Subject("workspace", [workspace], "both.plimsoll-workspace", ["compare", "FILE"],
                  ["compare", "FILE", "--json"], ["estimate", "FILE"])
    for kind in ("machines", "models", "stacks"):
        yield Subject(f"own {kind}", every(f"presets/{kind}"), f"own/{kind}/own.json", ["presets", kind],
                      ["estimate", a100, "--set", f"{kind[:-1]}=own"])
    yield Subject("published runs", every("presets/published_runs"), "runs.json", ["validate", "FILE"],
                  ["validate", "FILE", "--csv"])
    yield Subject("fit", [text_of("presets/fits/shipped.json")], "own/fits/own.json", ["presets", "fits"])
    yield Subject("search space", [space], "space.json", ["search", a100, "--space", "FILE", "--limit", "3"])
    yield Subject("config.json", [config], "config.json", ["import", "FILE"], ["import", "FILE", "--tensor", "8"])
    for name, text in CONFIGURATIONS.items():
        yield Subject(f"configuration {name}", [text.encode()], name, ["import", "FILE"], ["import", "FILE", "--all"])
    yield Subject("anchors", [anchors], "anchors.json", ["estimate", a100, "--anchor", "FILE"])
    yield Subject("layer profile", [text_of("tests/data/galvatron/llama2-7b-8gpu.json")], "profile.json",
                  ["strategies", "llama2-7b-galvatron", "--devices", "8", "--memory", "24", "--profile", "FILE"])
    yield Subject("calibration log", logs, "log.jsonl", ["calibrate", "--import", "FILE"],
                  ["calibrate", "--import", "FILE", "--json"])
    yield Subject("sacct", [b"JobID|Elapsed|NNodes|ConsumedEnergyRaw\n4711|1-00:02:00|2|7200\n"], "energy.txt",
                  ["calibrate", "--import", ROOT / "tests/calibrations/two-cores.jsonl", "--sacct", "FILE"])
    yield Subject("measured steps", steps, "steps.csv", ["replan", a100, "--measured", "FILE"])
    yield Subject("calibration plan", [plan], "plan.json",
                  ["calibrate", laptop, "--script", "slurm", "--plan-file", "FILE", "--out", "job"])
    if not ENGINE:
        return
    engine = {"program": ENGINE, "codes": OF_ENGINE}
    small = (b"--layers\n1\n--width\n64\n--heads\n1\n--vocabulary\n256\n--sequence\n32\n--steps\n1\n--dp\n2\n"
             b"--micro-batch\n1\n")
    yield Subject("the engine's log", [text_of("tests/calibrations/two-cores.jsonl")], "log.jsonl", ["--check", "FILE"],
                  **engine)
    yield Subject("the engine's arguments", [small], "args", ["@FILE", "--predict"], **engine)
    yield Subject("the engine's runs", [small.replace(b"\n", b" ").replace(b"--steps 1", b"--steps 0") + b"\n"], "runs",
                  ["--runs", "FILE"], **engine)
    yield Subject("the engine's calibration", [plan.replace(b'"steps"', b'"stops"')], "plan.json",
                  ["--calibrate", "FILE"], **engine)
    tensors = (b"\x08" + b"\0" * 7 + b"{\"a\":1} " + b"\0" * 64)
    yield Subject("the engine's tensors", [tensors], "t.safetensors", ["--weights", "FILE", "--steps", "1"],
                  ["--tokens", "FILE", "--steps", "1"], **engine)


def words_of_commands(chance, count):
    """Command lines with damaged words, of options that the help names."""
    def options(*words):
        said = subprocess.run([PLIMSOLL, *words, "--help"], capture_output=True, text=True, check=True).stdout
        return re.findall(r"^  (?:-\w,)?(--[\w-]+)", said, re.MULTILINE), said

    said = options()[1].split("Subcommands:")[1].split("\n\n")[0]
    reading = [c for c in re.findall(r"^  (\w+) {2,}", said, re.MULTILINE)
               if c not in ("engine", "bench", "fit", "validate", "screenshot", "export")]
    acting = ("--run", "--submit", "--poll", "--cancel", "--out")
    known = {c: [o for o in options(c)[0] if o not in acting] for c in reading}
    knobs = ["layout.tensor_parallel", "recipe.tokens", "nodes", "machine", "model.layers", "recipe.precision"]
    for _ in range(count):
        command = chance.choice(reading)
        words = [command, chance.choice(["gpt-neox-20b-a100", "gpt2-124m-laptop", "no-such-plan", "."])]
        for _ in range(chance.randint(1, 3)):
            value = mutated(chance, chance.choice([b"8", b"1.5", b"2T", b"bf16", b"64,128", b"1:8:x2", b"mfu"]))
            value = value.replace(b"\0", b"").decode(errors="surrogateescape")[:100000]
            if chance.random() < 0.4:
                words += ["--set", f"{chance.choice(knobs)}={value}"]
            elif known[command]:
                words += [chance.choice(known[command])] + ([value] if chance.random() < 0.8 else [])
        yield command, words


# ---- Running

def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (4 * SECONDS, 4 * SECONDS))   # all threads together
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(program, words, folder, codes, **more):
    """What is wrong with how a program ended, or None."""
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    env |= {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder),
            "PLIMSOLL_PRESETS": f"{ROOT}/presets:{folder}/own", "OMP_NUM_THREADS": "1",
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"} | more
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen([program, *map(str, words)], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                                 stdout=said, stderr=said, preexec_fn=limit, start_new_session=True)
        stop = threading.Timer(PATIENCE, lambda: os.killpg(child.pid, signal.SIGKILL))
        stop.start()
        _, status, used = os.wait4(child.pid, 0)
        stop.cancel()
        child.returncode = code = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read(4_000_000)
    CODES[code] += 1
    if code not in codes:
        return f"exit code {code}: {text[-400:]!r}"
    if used.ru_utime + used.ru_stime > SECONDS * (os.cpu_count() or 1):
        return f"{used.ru_utime + used.ru_stime:.1f} s of computing"
    if used.ru_maxrss * 1024 > MEMORY:
        return f"{used.ru_maxrss // 1024} MiB of memory"
    if code != 0 and not text.strip():
        return "not a word about why"
    if program == PLIMSOLL and re.search(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", text):
        return f"control characters: {text[:400]!r}"
    return None


def case_of_file(subject, number):
    chance = random.Random(f"{subject.name} {number}")
    data = mutated(chance, chance.choice(subject.right))
    command = chance.choice(subject.commands)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / subject.file
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        words = [str(word).replace("FILE", str(file)) for word in command]
        wrong = run(subject.program, words, folder, subject.codes)
        if wrong and KEEP:
            (pathlib.Path(KEEP) / f"{subject.name} {number}".replace(" ", "-")).write_bytes(data)
    return f"{subject.name} {number}, {' '.join(map(str, command))}", wrong


def special_files(folder):
    """What stands where a file is expected."""
    folder = pathlib.Path(folder)
    os.mkfifo(folder / "pipe")
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "brackets").write_text("[" * 200000)
    (folder / "empty").write_text("")
    with open(folder / "giant", "wb") as giant:
        giant.truncate(10 << 30)   # a hole: no disk is used
    (folder / "lists").write_text("[" + "[]," * 2_000_000 + "[]]")
    return [folder / name for name in ("pipe", "loop", "brackets", "empty", "giant", "lists", ".")] + ["/dev/zero"]


def case_of_special_file(subject, which):
    with tempfile.TemporaryDirectory() as folder:
        file = special_files(folder)[which]
        command = subject.commands[0]
        wrong = run(subject.program, [str(word).replace("FILE", str(file)) for word in command], folder, subject.codes)
    return f"{subject.name} is {file}", wrong


def heavy_files():
    """Files that unfold to more than they are, and long ones: name, text and what reads them."""
    powers, key = "2**" * 33000 + "2", "A" * 100000
    yaml = "num_layers: 32\nhidden_size: 4096\nnum_attention_heads: 32\nglobal_batch_size: 512\n"
    toml = "[parallelism]\ntensor_parallel_degree = 8\n"
    import_it = ["import", "FILE"]
    yield "powers.yaml", lambda: f"{yaml}ffn_hidden_size: {powers}\n", import_it
    yield "powers.toml", lambda: f"[training]\nsteps = \"{powers}\"\n{toml}", import_it
    yield "powers.json", lambda: json.dumps({"train_batch_size": powers, "zero_optimization": {"stage": 1}}), import_it
    members = {f"k{i}": 1 for i in range(19000)}
    yield "key.json", lambda: json.dumps({"zero_optimization": {"stage": 1}, key: members}), import_it
    yield "key.toml", lambda: f"{toml}[{key}]\n" + "".join(f"{k} = 1\n" for k in members), import_it
    yield "aliases.yaml", lambda: f"a: &x {key}\n{yaml}b: [" + "*x, " * 19000 + "*x]\n", import_it
    rows = json.loads(text_of("presets/published_runs/torchtitan.json"))
    yield "runs.json", lambda: json.dumps([rows[i % len(rows)] | {"id": f"ours{i % 50}/run{i}"}
                                           for i in range(32000)]), ["validate", "FILE"]
    yield "steps.csv", lambda: "step_s\n" + "".join(f"{23 + i % 7 * .1:.1f}\n" for i in range(4_000_000)), \
        ["replan", "gpt3-175b-1024-a100", "--measured", "FILE"]


def case_of_heavy_file(name, text, command):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / name
        file.write_text(text())
        wrong = run(PLIMSOLL, [word.replace("FILE", str(file)) for word in command], folder, OF_PLANNER)
    return name, wrong


def case_of_window(number):
    """A window with damaged settings, plan and unsaved changes closes by itself."""
    chance = random.Random(f"window {number}")
    with tempfile.TemporaryDirectory() as folder:
        where = pathlib.Path(folder)
        (where / "plimsoll/unsaved").mkdir(parents=True)
        plan = where / "plan.json"
        right = text_of("presets/scenarios/gpt-neox-20b-a100.json")
        plan.write_bytes(right if number % 2 else mutated(chance, right))
        unsaved = json.dumps({"schema": "plimsoll/unsaved", "version": 1, "file": str(plan), "file_fingerprint": "",
                              "plan_fingerprint": "", "plan": json.loads(right)}).encode()
        (where / "plimsoll/unsaved/left.json").write_bytes(mutated(chance, unsaved))
        settings = b"\n".join([
            b"[General]", b"colours=dark", b"page=overview", b"plan=" + str(plan).encode(), b"recent=a.json, b.json",
            b"headroom=0.1", b"geometry=@ByteArray(\\x1\\xd9\\xd0\\xcb\\0\\x3\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0)",
            b"docks=@ByteArray(\\0\\0\\0\\xff\\0\\0\\0\\0\\xfd\\0\\0\\0\\x2)", b"[job]", b"id=12",
            b"folder=/x", b"[keys]", b"x=@Variant(\\0\\0\\0\\x8\\0\\0\\0\\x1)", b""])
        (where / "plimsoll/plimsoll.conf").write_bytes(mutated(chance, settings))
        wrong = run(DRIVER, ["recover", plan, where / "journal"], folder, {0}, QT_QPA_PLATFORM="offscreen")
    return f"window {number}", wrong


def main():
    began = time.monotonic()
    chance = random.Random(7)
    everything = list(subjects())
    cases = [(case_of_file, s, n) for n in range(-(-RUNS // len(everything))) for s in everything]
    specials = [(case_of_special_file, s, n) for s in everything for n in range(8)]
    cases += specials if RUNS >= 1000 else specials[::6]
    cases += [(case_of_heavy_file, *heavy) for heavy in heavy_files()]
    with tempfile.TemporaryDirectory() as folder:   # where they run
        def case_of_words(command, words):
            return "plimsoll " + " ".join(words)[:300], run(PLIMSOLL, words, folder, OF_PLANNER)
        cases += [(case_of_words, c, w) for c, w in words_of_commands(chance, RUNS // 4)]
        if DRIVER:
            cases += [(case_of_window, n) for n in range(max(4, RUNS // 50))]
        with concurrent.futures.ThreadPoolExecutor(max_workers=max(2, os.cpu_count() or 1)) as pool:
            outcomes = list(pool.map(lambda case: case[0](*case[1:]), cases))
    wrong = [(name, what) for name, what in outcomes if what]
    for name, what in wrong[:60]:
        print(f"FAILED   {name!r}\n    {what}")
    print(f"{len(outcomes)} runs of real programs, exit codes {dict(sorted(CODES.items()))}, {len(wrong)} findings, "
          f"{time.monotonic() - began:.0f} s")
    return 1 if wrong else 0


CODES = collections.Counter()
KEEP = os.environ.get("PLIMSOLL_CAMPAIGN_KEEP")   # a folder for the files that something was wrong with
if __name__ == "__main__":
    sys.exit(main())
