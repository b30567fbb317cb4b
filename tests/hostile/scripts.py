#!/usr/bin/env python3
"""scripts.py PLIMSOLL: text from presets and plans never becomes shell in a script that the program writes.

Every text field that the schemas of models, machines, software and plans know is filled with shell, in turn; every kind
of script is written of it (Slurm, LSF, PJM, PBS and Flux, framework by framework, and of calibrations), checked with
`bash -n` and executed in a scratch folder where srun, mpirun, python and so on are stand-ins. No marker file may appear
and no line may begin a directive that the clean plan's script does not have. Lines of a site's job, which are shell on
purpose, must be refused until somebody has seen them. PLIMSOLL_CAMPAIGN=1 tries every field with every text and script;
otherwise a part of them, spread evenly, and all fields of a plan at once.
"""
import concurrent.futures
import copy
import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLIMSOLL = str(pathlib.Path(sys.argv[1]).resolve())
FULL = int(os.environ.get("PLIMSOLL_CAMPAIGN", "0")) > 0
BRIEF = 90   # cases

# Each would leave the file PWNED behind, or a directive with the word, if a shell or scheduler obeyed it.
TEXTS = ["$(touch PWNED)", "`touch PWNED`", ";touch PWNED;", "&& touch PWNED #", "| touch PWNED",
         "x\ntouch PWNED\n#", "x\r\ntouch PWNED\r\n",
         "x\n#SBATCH --wrap=PWNED\n#PBS -N PWNED\n#PJM -N PWNED\n#BSUB -J PWNED",
         "#SBATCH --wrap=PWNED", "'; touch PWNED; '", "\"; touch PWNED; \"", "EOF\ntouch PWNED\n",
         "\nEOF\ntouch PWNED\n",
         "\\\ntouch PWNED", "$(touch${IFS}PWNED)", "-$(touch PWNED)", "<(touch PWNED)", "x\u2028touch PWNED",
         "x\x0btouch PWNED", "x\x00touch PWNED", "*", "~", "! touch PWNED", "{engine};touch PWNED"]
KINDS = {"slurm": ("Slurm", "srun"), "pbs": ("PBS", "mpiexec"), "pjm": ("PJM", "mpiexec"), "lsf": ("LSF", "jsrun"),
         "flux": ("Flux", "flux")}
FOREIGN = ("#SBATCH --wrap", "#PBS -N PWNED", "#PJM -N PWNED", "#BSUB -J PWNED")   # directives that TEXTS bring along
FRAMEWORKS = {"megatron": "gpt3-175b-1024-a100", "deepspeed": "13b-lumi-fsdp", "fsdp": "13b-lumi-fsdp",
              "bridge": "gpt3-175b-1024-a100"}
PARTS = {"model": "models", "machine": "machines", "stack": "stacks"}
# What a site's job says is shell by design: never written without --accept-lines.
SHELL_BY_DESIGN = ("/scheduler/job/directives", "/scheduler/job/environment", "/scheduler/job/launch",
                   "/scheduler/job/files")
STAND_INS = {name: "exit 0" for name in ("sbatch", "qsub", "pjsub", "bsub", "torchrun", "python", "python3",
                                         "plimsoll-engine", "sleep", "scontrol")}
# Launchers start what follows their own options: the shell that sets ranks, or the program.
STAND_INS |= {name: 'while [ $# -gt 0 ] && [ "$1" != bash ]; do shift; done; [ $# -eq 0 ] || exec "$@"'
              for name in ("srun", "mpirun", "mpiexec", "jsrun", "flux")}


def text_fields(schema, pointer=""):
    """Where the schema allows any text: "/device/name", "/levels/0/name"."""
    if schema.get("type") == "string" and "enum" not in schema:
        yield pointer
    for key, part in schema.get("properties", {}).items():
        yield from text_fields(part, f"{pointer}/{key}")
    if isinstance(schema.get("items"), dict):
        yield from text_fields(schema["items"], f"{pointer}/0")


def with_text(plan, pointer, text):
    """A copy with the text at the pointer, or None where what holds it is absent."""
    changed = copy.deepcopy(plan)
    at, words = changed, pointer.strip("/").split("/")
    for word, following in zip(words, words[1:] + [None]):
        key = int(word) if isinstance(at, list) else word
        if following is None:
            if isinstance(at, list) and not at:
                at.append(text)
            else:
                at[key] = text
            return changed
        if isinstance(at, list) and not at or isinstance(at, dict) and key not in at:
            if following != "0":
                return None
            at[key] = []
        at = at[key]
        if not isinstance(at, (list, dict)):
            return None
    return None


def base_plan(scenario, kind):
    """A shipped plan with its presets written out, on a site of the scheduler whose job is described."""
    plan = json.loads((ROOT / f"presets/scenarios/{scenario}.json").read_text())
    for part, folder in PARTS.items():
        plan[part] = json.loads((ROOT / "presets" / folder / f"{plan[part]}.json").read_text())
        plan[part].pop("sources", None)
    title, launcher = KINDS[kind]
    plan["machine"]["scheduler"] = {"kind": title, "launcher": launcher,
                                    "bins": [{"min_nodes": 1, "max_nodes": 100000, "walltime_h": 24, "queue": "batch"}]}
    plan["name"] = "a plan"
    return plan


def run(*words):
    kept = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "PLIMSOLL_PRESETS")}
    return subprocess.run([PLIMSOLL, *map(str, words)], capture_output=True, stdin=subprocess.DEVNULL, timeout=60,
                          env=kept | {"HOME": HOME, "XDG_DATA_HOME": HOME, "XDG_CONFIG_HOME": HOME})


def obeyed(script, folder):
    """What is wrong with a script: its syntax, a directive of the text's own, or that it did what the text says."""
    file = folder / "written.sh"
    file.write_text(script, newline="")
    checked = subprocess.run(["bash", "-n", file], capture_output=True, text=True)
    if checked.returncode != 0:
        return f"bash -n: {checked.stderr}"
    foreign = [line for line in script.splitlines() if line.lstrip().startswith(FOREIGN)]
    if foreign:
        return f"directive {foreign[0]!r}"
    ran = folder / "ran"
    shutil.rmtree(ran, ignore_errors=True)
    ran.mkdir()
    env = {"PATH": f"{BIN}:/usr/bin:/bin", "HOME": str(ran), "PBS_NODEFILE": "/dev/null", "PJM_O_NODEINF": "/dev/null",
           "LSB_DJOB_HOSTFILE": "/dev/null", "PBS_O_WORKDIR": str(ran), "SLURM_SUBMIT_DIR": str(ran)}
    try:
        subprocess.run(["bash", file], cwd=ran, env=env, capture_output=True, timeout=20, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return "does not end"
    left = [path for where in (ran, folder, pathlib.Path(HOME)) for path in where.rglob("*PWNED*")]
    return f"made {left[0]}" if left else None


class Case:
    """One plan with hostile text, and the command that makes a script of it."""

    def __init__(self, name, plan, words, by_design=False):
        self.name, self.plan, self.words, self.by_design = name, plan, words, by_design

    def outcome(self):
        """("written" or "refused", what is wrong or None)"""
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            file = folder / "plan.json"
            file.write_text(json.dumps(self.plan))
            job = folder / "job"
            words = [str(file) if w == "PLAN" else str(job) if w == "JOB" else w for w in self.words]
            done = run(*words)
            if done.returncode not in (0, 2, 3, 4):
                return "refused", f"exit code {done.returncode}: {done.stderr[-300:]!r}"
            if done.returncode != 0:
                return "refused", None
            if self.by_design:
                return "written", "lines of a stranger are written without a question"
            scripts = [done.stdout] if words[0] == "launch" else [p.read_bytes() for p in sorted(job.glob("*.sh"))]
            for script in scripts:
                wrong = obeyed(script.decode(), folder)
                if wrong:
                    return "written", wrong
            return "written", None if scripts else "no script"


def commands(kind):
    yield from ((f"launch {framework}", scenario, ["launch", "PLAN", "--framework", framework])
                for framework, scenario in FRAMEWORKS.items())
    yield "trial", FRAMEWORKS["megatron"], ["calibrate", "PLAN", "--script", kind, "--trial", "2", "--out", "JOB"]


def fields():
    for part in PARTS:
        schema = json.loads((ROOT / f"presets/schema/{part}.schema.json").read_text())
        yield from ((part, pointer) for pointer in text_fields(schema) if "/sources" not in pointer)
    yield "", "/name"
    yield "", "/note"


def cases():
    site_job = json.loads((ROOT / "presets/machines/frontier.json").read_text())["scheduler"]["job"]
    for kind in KINDS:
        for what, scenario, words in commands(kind):
            clean = base_plan(scenario, kind)
            yield Case(f"{kind}, {what}, clean", clean, words)
            for text in TEXTS:
                everywhere = clean
                for part, pointer in fields():
                    if "/job" in pointer:
                        continue
                    changed = with_text(everywhere, f"/{part}{pointer}" if part else pointer, text)
                    if changed is None:
                        continue
                    if not pointer.endswith(("/id", "/as_of", "/kind", "/former_ids/0")):
                        everywhere = changed
                    if kind in ("lsf", "flux"):   # header and launcher alone differ from the others
                        continue
                    one = with_text(clean, f"/{part}{pointer}" if part else pointer, text)
                    yield Case(f"{kind}, {what}, {part}{pointer} = {text!r}", one, words)
                yield Case(f"{kind}, {what}, all fields = {text!r}", everywhere, words)
        clean = base_plan(FRAMEWORKS["megatron"], kind)
        clean["machine"]["scheduler"]["job"] = site_job | {"directives": ["-A x"], "launch": "run {engine}"}
        words = ["calibrate", "PLAN", "--script", kind, "--trial", "2", "--out", "JOB", "--account", "p"]
        for text in TEXTS:
            for pointer in SHELL_BY_DESIGN:
                where = f"/machine{pointer}" + ("" if pointer.endswith("launch") else "/0")
                changed = with_text(clean, where, text + (" {engine}" if pointer.endswith("launch") else ""))
                yield Case(f"{kind}, trial, {where} = {text!r}", changed, words, by_design=True)
            for option in ("--account", "--queue", "--folder", "--engine"):
                if "\0" not in text:
                    yield Case(f"{kind}, trial, {option} {text!r}", base_plan(FRAMEWORKS["megatron"], kind),
                               words[:-2] + [option + "=" + ("/" if option in ("--folder", "--engine") else "") + text])


def main():
    everything = list(cases())
    chosen = everything
    if not FULL:   # all clean ones and those of all fields; of the others every n-th
        whole = [c for c in everything if c.name.endswith("clean") or "all fields" in c.name]
        rest = [c for c in everything if c not in whole]
        chosen = [c for c in whole if c.name.endswith("clean")]
        chosen += [c for some, n in ((whole, BRIEF // 3), (rest, BRIEF)) for c in some[7::max(1, len(some) // n)]]
    with concurrent.futures.ThreadPoolExecutor(max_workers=max(2, os.cpu_count() or 1)) as pool:
        outcomes = list(zip(chosen, pool.map(Case.outcome, chosen)))
    wrong = [(case, what) for case, (_, what) in outcomes if what]
    for case, what in wrong[:40]:
        print(f"FAILED   {case.name}\n    {what}")
    written = sum(state == "written" for _, (state, _) in outcomes)
    clean = [state for case, (state, _) in outcomes if case.name.endswith("clean")]
    print(f"{len(chosen)} of {len(everything)} cases, {written} scripts written and executed, "
          f"{len(outcomes) - written} plans refused, {len(wrong)} findings")
    if not clean or set(clean) != {"written"}:
        print("FAILED   not every clean plan became a script")
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as shared:
        HOME, BIN = shared + "/home", shared + "/bin"
        for folder in (HOME, BIN):
            os.mkdir(folder)
        for name, body in STAND_INS.items():
            file = pathlib.Path(BIN) / name
            file.write_text(f"#!/bin/sh\n{body}\n")
            file.chmod(file.stat().st_mode | stat.S_IXUSR)
        sys.exit(main())
