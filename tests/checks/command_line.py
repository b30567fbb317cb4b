#!/usr/bin/env python3
"""The command line, from outside: command_line.py PLIMSOLL [--no-figures] [--few].

Exit codes, JSON whose parts sum to their totals, and exports that repeat to the
byte. Runs without a display and without the settings of whoever runs it.
--few: each command once and each exit code, for a build that is slow under a sanitizer.
"""
import concurrent.futures
import csv
import fcntl
import json
import math
import os
import pathlib
import re
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zipfile

from calibration_log import log_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLIMSOLL = str(pathlib.Path(sys.argv[1]).resolve())
FIGURES = "--no-figures" not in sys.argv[2:]
os.environ.pop("PLIMSOLL_PRESETS", None)   # a preset that a check writes must not reach those of whoever runs it
SCENARIOS = sorted((ROOT / "presets/scenarios").glob("*.json"))
FEW = "--few" in sys.argv[2:]
EXAMPLE = ROOT / "presets/scenarios/gpt-neox-20b-a100.json"
FAKE_ENGINE = str(ROOT / "tests/engine/fake_engine.sh")
USAGE, INFEASIBLE, INVALID = 2, 3, 4


def run(*arguments, home, **variables):
    kept = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    kept |= {"HOME": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home, "XDG_STATE_HOME": home}
    kept |= variables
    return subprocess.run([PLIMSOLL, *map(str, arguments)], cwd=home, env=kept, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=180)


def answers(*arguments, home):
    """Standard output of a run that has to succeed in silence."""
    done = run(*arguments, home=home)
    assert done.returncode == 0, f"{arguments}: exit code {done.returncode}\n{done.stderr}"
    return done.stdout


def refuses(code, *arguments, home):
    """What a run that has to fail with `code` says on standard error."""
    done = run(*arguments, home=home)
    assert done.returncode == code, f"{arguments}: exit code {done.returncode}, not {code}\n{done.stderr}"
    assert done.stdout or done.stderr, f"{arguments}: not a word about why"
    assert "terminate called" not in done.stderr, done.stderr
    return done.stderr


def same(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


def changed_plan(home, name, **parts):
    """The example with its presets written out and changed by the functions given for its parts."""
    plan = json.loads((ROOT / "presets/scenarios/gpt3-175b-1024-a100.json").read_text())
    for key, kind in (("model", "models"), ("machine", "machines"), ("stack", "stacks")):
        plan[key] = json.loads((ROOT / "presets" / kind / f"{plan[key]}.json").read_text())
    for key, change in parts.items():
        change(plan[key])
    file = pathlib.Path(home) / name
    file.write_text(json.dumps(plan))
    return file


def what_a_file_says_is_shown_and_not_obeyed(home):
    file = pathlib.Path(home) / "keys.json"
    plan = json.loads(EXAMPLE.read_text())
    plan["\u001b]0;title\u0007\u009b2J"] = 1
    file.write_text(json.dumps(plan))
    for text in (file, ):
        done = subprocess.run([PLIMSOLL, "estimate", text], capture_output=True, timeout=60)
        printed = done.stdout + done.stderr
        assert not re.search(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", printed), printed
        assert b"\\x1b]0;title\\x07" in printed, printed
    csv = pathlib.Path(home) / "steps.csv"
    csv.write_bytes(b"step_s\n\x1b[2J\xff\n")
    done = subprocess.run([PLIMSOLL, "replan", str(EXAMPLE), "--measured", str(csv)], capture_output=True, timeout=60)
    assert b"\x1b" not in done.stderr and b"\xff" not in done.stderr, done.stderr


def a_full_disk_is_an_error(home):
    for words in (["estimate", EXAMPLE, "--json"], ["launch", EXAMPLE], ["presets", "machines"],
                  ["search", EXAMPLE, "--space", "common", "--csv"]):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PLIMSOLL, *map(str, words)], stdout=full, stderr=subprocess.PIPE, text=True,
                                  timeout=60)
        assert done.returncode == 1, f"{words}: exit code {done.returncode}"
        assert "could not be written" in done.stderr, done.stderr


def a_file_that_cannot_be_looked_for_is_no_crash(home):
    loop = pathlib.Path(home) / "loop.json"
    loop.symlink_to(loop)
    for name in (loop, "x" * 5000, pathlib.Path(home) / ("y" * 300 + ".json")):
        assert "cannot be opened" in refuses(INVALID, "estimate", name, home=home)


def lines_of_a_stranger_are_shown_before_they_are_written(home):
    def change(machine):
        machine["scheduler"] = {"kind": "Slurm", "launcher": "srun", "bins": [], "job": {
            "environment": ["touch PWNED"], "launch": "srun {engine}"}}
    file = changed_plan(home, "foreign.json", machine=change)
    said = refuses(USAGE, "calibrate", file, "--script", "slurm", "--trial", "1", "--out", "job", home=home)
    assert "touch PWNED" in said and "--accept-lines" in said, said
    assert not (pathlib.Path(home) / "job").exists()
    answers("calibrate", file, "--script", "slurm", "--trial", "1", "--out", "job", "--accept-lines", home=home)
    assert "touch PWNED" in (pathlib.Path(home) / "job/job.sh").read_text()

    def queue(machine):
        change(machine)
        machine["scheduler"]["job"]["queue"] = "a\ntouch PWNED\n#"
    refuses(INVALID, "launch", changed_plan(home, "queue.json", machine=queue), home=home)


def an_obstacle_names_what_can_be_set(home):
    plan = ("estimate", "mixtral-8x7b-64-h100", "--set", "layout.offload.weights=host", "--json")
    done = run(*plan, home=home)
    told = {each["knob"]: each for each in json.loads(done.stdout)["obstacles"]}
    weights = told["layout.offload.weights"]
    assert weights["found"] == "host" and weights["valid"] == ["device"], told
    assert "layout.offload.optimizer_state" not in told, told
    for _, each in told.items():
        for value in each["valid"]:
            assert run(*plan, "--set", f"{each['knob']}={value}", home=home).returncode != USAGE, each


def files_that_cannot_be_read_or_written_have_their_own_codes(home):
    refuses(INVALID, "search", EXAMPLE, "--space", "missing.json", home=home)
    refuses(1, "search", EXAMPLE, "--space", "common", "--out", "/dev/full", home=home)
    assert "''" not in refuses(USAGE, "estimate", EXAMPLE, "--set", "foo=1", home=home)


def every_example_is_answered(home):
    for file in SCENARIOS:
        answers("estimate", file, home=home)


def a_wrong_option_is_a_usage_error(home):
    refuses(USAGE, "estimate", EXAMPLE, "--colour", home=home)
    refuses(USAGE, "estimate", home=home)
    refuses(USAGE, "guess", EXAMPLE, home=home)
    refuses(USAGE, "estimate", EXAMPLE, "--set", "layout.tensor_paralel=8", home=home)
    refuses(USAGE, "estimate", EXAMPLE, "--set", "layout.tensor_parallel=many", home=home)
    refuses(USAGE, "estimate", EXAMPLE, "--set", "layout.tensor_parallel", home=home)
    refuses(USAGE, "sweep", EXAMPLE, "--knob", "nodes", "--values", "1..8", home=home)


def an_impossible_plan_has_its_own_exit_code(home):
    refuses(INFEASIBLE, "estimate", EXAMPLE, "--set", "layout.tensor_parallel=7", home=home)
    done = run("estimate", EXAMPLE, "--set", "layout.tensor_parallel=7", "--json", home=home)
    assert done.returncode == INFEASIBLE
    told = json.loads(done.stdout)
    assert told["feasible"] is False and told["obstacles"] and told["step_seconds"] is None


def a_malformed_file_is_told_apart(home):
    broken = pathlib.Path(home) / "broken.json"
    for text in ("", "{", "[]", "null", '{"schema": "plimsoll/scenario", "version": 1}',
                 '{"schema": "plimsoll/scenario", "version": 999}', EXAMPLE.read_text()[:-40], "\0" * 64):
        broken.write_text(text)
        said = refuses(INVALID, "estimate", broken, home=home)
        assert "broken.json" in said, f"{text[:30]!r}: the message does not name the file: {said}"
        if "plimsoll/scenario" not in text:
            assert "plimsoll import" in said, f"{text[:30]!r}: nothing on how a plan is made of it: {said}"
    refuses(INVALID, "estimate", pathlib.Path(home) / "absent.json", home=home)
    refuses(INVALID, "estimate", home, home=home)


def parts_sum_to_their_totals(home):
    for file in SCENARIOS:
        told = json.loads(answers("estimate", file, "--json", home=home))
        assert same(sum(told["step"].values()), told["step_seconds"]), f"{file.name}: step"
        memory = told["memory"]
        assert len(memory["stages"]) == len(memory["stage_totals_bytes"]) > 0, f"{file.name}: stages"
        for i, (stage, total) in enumerate(zip(memory["stages"], memory["stage_totals_bytes"])):
            assert same(sum(stage.values()), total), f"{file.name}: stage {i}"
        assert memory["worst_stage_bytes"] == max(memory["stage_totals_bytes"]), f"{file.name}: worst stage"
        run = told["run"]
        with_failures = run["device_hours"] * 3600 / (told["devices"] * run["seconds"])
        facility = sum(told["energy"].values()) * run["steps"] * with_failures / 3.6e9
        assert with_failures >= 1 and same(facility, run["facility_energy_MWh"]), f"{file.name}: energy"


def turning_a_knob_changes_the_answer(home):
    longer = json.loads(answers("estimate", EXAMPLE, "--set", "recipe.tokens=2T", "--json", home=home))
    shorter = json.loads(answers("estimate", EXAMPLE, "--set", "recipe.tokens=1T", "--json", home=home))
    assert longer["step_seconds"] == shorter["step_seconds"]
    assert longer != shorter


def a_sweep_answers_value_by_value(home):
    table = answers("sweep", EXAMPLE, "--knob", "layout.micro_batch", "--values", "1,2,4", "--csv", home=home)
    rows = [line for line in table.splitlines() if line and not line.startswith("#")]
    assert len(rows) == 4, table
    assert len({row.count(",") for row in rows}) == 1, table
    json.loads(answers("sweep", EXAMPLE, "--knob", "layout.micro_batch", "--values", "1:8:x2", "--json", home=home))


def a_number_is_explained(home):
    assert answers("explain", EXAMPLE, "--number", "step_seconds", home=home).count("\n") > 5
    refuses(USAGE, "explain", EXAMPLE, "--number", "happiness", home=home)


def a_timeline_opens_elsewhere(home):
    file = pathlib.Path(home) / "trace.json"
    answers("timeline", EXAMPLE, "--out", file, home=home)
    tasks = [e for e in json.loads(file.read_text())["traceEvents"] if e["ph"] == "X"]
    table = answers("timeline", EXAMPLE, "--csv", home=home)
    rows = [line for line in table.splitlines() if not line.startswith("#")]
    assert len(rows) == len(tasks) + 1 > 4, f"{len(rows)} rows, {len(tasks)} tasks"
    refuses(INFEASIBLE, "timeline", EXAMPLE, "--set", "layout.tensor_parallel=7", home=home)


def tiers_are_told_and_filled(home):
    plan = ROOT / "presets/scenarios/13b-zero-offload-v100.json"
    tiers = json.loads(answers("estimate", plan, "--json", home=home))["tiers"]
    assert tiers["host"]["fits"] and tiers["host"]["used_bytes"] == sum(tiers["host"]["use"].values())
    largest = {m["strategy"]: m for m in json.loads(answers("largest", plan, "--devices", "1", "--json", home=home))}
    assert largest["ZeRO-Offload"]["parameters"] > 13e9 > largest["Replicated"]["parameters"]
    assert largest["ZeRO-Infinity, drives"]["obstacles"], "this node has no drives"
    refuses(USAGE, "largest", plan, "--devices", "0", home=home)
    assert "of the most that is alive at once" in answers("transients", plan, home=home)
    no_host = run("estimate", plan, "--set", "machine.host.link_GBps=0", home=home)
    assert no_host.returncode == INFEASIBLE and "what works: device" in no_host.stdout, no_host.stdout


def layers_are_spread_by_themselves(home):
    plan = ROOT / "presets/scenarios/llama2-7b-galvatron.json"
    own = json.loads(answers("strategies", plan, "--json", home=home))
    throughput = "throughput_sequences_per_second"
    assert own["best"][throughput] >= own["one_strategy_for_all"][throughput]
    assert sum(run["layers"] for run in own["best"]["layers"]) == 32
    profile = ROOT / "tests/data/galvatron/llama2-7b-8gpu.json"
    measured = ["strategies", plan, "--set", "model.layers=28", "--set", "recipe.sequence_length=8192",
                "--set", "layout.zero_stage=2", "--devices", "8", "--profile", profile, "--memory"]
    compared = json.loads(answers(*measured, "36", "--as-galvatron", "--micro-batches", "32", "--json", home=home))
    assert abs(compared["best"][throughput] / 2.6485091403918064 - 1) < 1e-6, "its authors' optimum"
    assert compared["candidates"]["ordered_decompositions"] == 34 and compared["candidates"]["strategies"] == 50
    assert "% slower" in answers(*measured, "36", home=home)
    assert "the profile's layer has" in run(*measured, "36", home=home).stderr, "it is not Llama 2 7B's"
    assert "nothing fits" in refuses(INFEASIBLE, *measured, "4", home=home)
    assert "no file computation_profiling_" in refuses(INVALID, "strategies", plan, "--profile", home, home=home)
    refuses(INVALID, "strategies", plan, "--profile", plan, home=home)
    refuses(USAGE, "strategies", plan, "--as-galvatron", home=home)
    wrong = json.loads(profile.read_text())
    wrong["computation"]["layertype_0_bsz1_seq4096"] = 1.0   # 12.4 before: the parabola of times turns around
    (pathlib.Path(home) / "wrong.json").write_text(json.dumps(wrong))
    said = refuses(INVALID, "strategies", plan, "--profile", "wrong.json", home=home)
    assert "far from the curve through the others" in said, said


def a_budget_is_spent_by_two_rules(home):
    said = answers("budget", EXAMPLE, "--node-hours", "100000", home=home)
    assert "Hoffmann" in said and "Besiroglu" in said and "517,006" in said, said
    refuses(USAGE, "budget", EXAMPLE, home=home)
    refuses(USAGE, "budget", EXAMPLE, "--node-hours", "-1", home=home)


def a_config_becomes_a_preset_that_plans_use(home):
    presets = pathlib.Path(home) / "plimsoll/presets/models"  # $XDG_DATA_HOME is home
    presets.mkdir(parents=True)
    config = pathlib.Path(home) / "config.json"
    config.write_text(json.dumps({"model_type": "llama", "num_hidden_layers": 16, "hidden_size": 2048,
                                  "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 8192,
                                  "vocab_size": 128256, "tie_word_embeddings": True}))
    said = answers("import", config, "--tensor", "8", "--memory-GB", "2.6", "--name", "mine",
                   "--out", presets / "mine.json", home=home)
    assert "1.24B" in said and "[8192] x 2048" in said and "fit a device" in said, said
    told = json.loads(answers("estimate", EXAMPLE, "--set", "model=mine", "--json", home=home))
    assert told["parameters"] == 1235814400, told["parameters"]
    refuses(INFEASIBLE, "import", config, "--memory-GB", "2.6", home=home)
    config.write_text('{"model_type": "lama"}')
    assert "llama" in refuses(INVALID, "import", config, home=home)


def the_rule_stands_beside_the_search(home):
    written = pathlib.Path(home) / "rule.json"
    said = answers("rule", EXAMPLE, "--out", written, home=home)
    assert "least model parallelism" in said and "fastest split" in said, said
    answers("estimate", written, home=home)


def memory_that_is_nearly_full_is_tight(home):
    plan = json.loads(answers("estimate", EXAMPLE, "--json", home=home))
    used = plan["memory"]["worst_stage_bytes"] / plan["memory"]["capacity_bytes"]
    assert plan["room"] == "enough" and plan["headroom"] == 0.05 and plan["tight_because"] is None, plan["room"]
    memory = str(plan["memory"]["worst_stage_bytes"] / 2**30 / 0.99)
    full = "--set", "machine.device.memory_GiB=" + memory
    tight = json.loads(answers("estimate", EXAMPLE, *full, "--no-band", "--json", home=home))
    assert tight["fits"] and tight["room"] == "tight" and "headroom" in tight["tight_because"], tight["room"]
    loose = json.loads(answers("estimate", EXAMPLE, *full, "--no-band", "--headroom", "0", "--json", home=home))
    assert loose["room"] == "enough" and loose["step_seconds"] == tight["step_seconds"]
    said = answers("estimate", EXAMPLE, *full, home=home)
    assert "Tight: 99.0 % of the memory is used" in said and "what would help" in said, said
    found = json.loads(answers("search", EXAMPLE, "--space", "common", "--headroom", f"{100 * (1 - used) + 1:.0f}%",
                               "--limit", "5000", "--json", home=home))
    assert found["tight"] == sum(c["tight"] for c in found["top"]) > 0
    order = [c["tight"] for c in found["top"]]
    assert order == sorted(order), "a tight layout ranks before one with room"
    refuses(USAGE, "estimate", EXAMPLE, "--headroom", "much", home=home)


def totals_follow_one_rule(home):
    said = {kind: answers("estimate", EXAMPLE, "--totals", kind, home=home) for kind in ("all", "training", "auto")}
    assert said["auto"] == said["all"] != said["training"]
    told = json.loads(answers("estimate", EXAMPLE, "--json", home=home))
    for kind in ("training", "total"):
        assert same(told[kind]["node_hours"], told["nodes"] * told[kind]["seconds"] / 3600)
        assert same(told[kind]["facility_energy_MWh"] / told["total"]["facility_energy_MWh"],
                    told[kind]["seconds"] / told["total"]["seconds"])
    assert told["training"]["seconds"] == told["run"]["seconds"] < told["total"]["seconds"]


def an_application_repeats_to_the_byte_and_is_read_with_suspicion(home):
    runs = pathlib.Path(home) / "runs.csv"
    runs.write_text("nodes,step_s,machine,date\n6,40,here,2026-10-01\n12,21,here,2026-10-02\n")
    packs = [pathlib.Path(home) / name for name in ("pack-a", "pack-b")]
    for pack in packs:
        said = answers("propose", "generic", EXAMPLE, "--measured", runs, "--no-figures", "--out", pack, home=home)
        assert "MISSING" in (pack / "report.md").read_text() and "requirements met" in said, said
    files = sorted(f.relative_to(packs[0]) for f in packs[0].rglob("*") if f.is_file())
    assert len(files) > 50 and files == sorted(f.relative_to(packs[1]) for f in packs[1].rglob("*") if f.is_file())
    for name in files:
        assert (packs[0] / name).read_bytes() == (packs[1] / name).read_bytes(), name
    runs.write_text("nodes,step_s\n6,forty\n")
    assert "line 2" in refuses(INVALID, "propose", "generic", EXAMPLE, "--measured", runs, "--out", packs[0], home=home)
    profile = json.loads((ROOT / "presets/programmes/generic.json").read_text())
    mine = pathlib.Path(home) / "plimsoll/presets/programmes/mine.json"
    mine.parent.mkdir(parents=True)
    mine.write_text(json.dumps(profile | {"id": "mine", "name": "Mine"}))
    assert "Mine" in answers("presets", "programmes", home=home)
    undated = {key: value for key, value in profile.items() if key != "as_of"}
    for faulty, pointer in ((undated, "as_of"), (profile | {"as_of": "soon"}, "/as_of"),
                            (profile | {"machines": ["nowhere"]}, "/machines/0"),
                            (profile | {"unit": {"name": "hour", "hour_of": "moon"}}, "/unit/hour_of")):
        mine.write_text(json.dumps(faulty | {"id": "mine"}))
        told = refuses(INVALID, "propose", "mine", EXAMPLE, "--out", packs[0], home=home)
        assert "mine.json" in told and pointer in told, told
    shutil.rmtree(mine.parent.parent.parent)
    refuses(INVALID, "propose", "nobody", EXAMPLE, "--out", packs[0], home=home)
    refuses(USAGE, "propose", "access-maximize", EXAMPLE, "--out", packs[0], home=home)
    refuses(USAGE, "propose", "generic", EXAMPLE, "--start", "soon", "--out", packs[0], home=home)


def the_tables_of_an_application_are_a_spreadsheet(home):
    """Numbers are numbers, and nothing is a formula, whatever a plan or a run is called."""
    plan = changed_plan(home, "=HYPERLINK(1)", model=lambda m: m.update(name="=1+1", id="mine"))
    runs = pathlib.Path(home) / "runs.csv"
    runs.write_text("nodes,step_s,machine,job\n128,40,=cmd,@SUM(A1)\n256,21,+1,0012\n")
    pack = pathlib.Path(home) / "pack"
    answers("propose", "generic", plan, "--measured", runs, "--no-figures", "--out", pack, home=home)
    book = pack / "tables/tables.xlsx"
    if not book.exists():
        return   # a build without libxlsxwriter
    with zipfile.ZipFile(book) as parts:
        assert parts.testzip() is None
        sheets = sorted(n for n in parts.namelist() if n.startswith("xl/worksheets/sheet"))
        assert len(sheets) == len(list((pack / "tables").glob("T*.csv"))) == 12, sheets
        names = re.findall(r'<sheet name="([^"]+)"', parts.read("xl/workbook.xml").decode())
        assert [name[:3] for name in names] == [f"T{n:02}" for n in range(1, 13)], names
        strings = parts.read("xl/sharedStrings.xml").decode()
        for hostile in ("=1+1", "@SUM(A1)", "0012"):
            assert hostile in strings, hostile
        numbers = 0
        for name in sheets:
            sheet = parts.read(name).decode()
            assert "<f>" not in sheet and "<f " not in sheet, f"{name} has a formula"
            numbers += len(re.findall(r"<c r=\"[A-Z]+\d+\"(?: s=\"\d+\")?><v>", sheet))
        assert numbers > 80, numbers
        fifth = parts.read(sheets[[int(re.search(r"(\d+)", s)[1]) for s in sheets].index(5)]).decode()
        assert "<v>40</v>" in fifth and "<v>21</v>" in fifth, "measured steps are numbers"
        assert {info.date_time for info in parts.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert "2000-01-01" in parts.read("docProps/core.xml").decode()


def an_application_is_drawn_where_there_is_a_window(home):
    pack = pathlib.Path(home) / "pack"
    answers("propose", "generic", EXAMPLE, "--out", pack, home=home)
    assert (pack / "report.pdf").read_bytes().startswith(b"%PDF")
    for data in (pack / "figures").glob("*.csv"):
        for format, begins in (("pdf", b"%PDF"), ("png", b"\x89PNG"), ("svg", b"<?xml")):
            assert data.with_suffix("." + format).read_bytes().startswith(begins), data
    shown = re.findall(r'src="([^"]+)"', (pack / "report.html").read_text())
    assert shown and all((pack / name).exists() for name in shown), shown
    every_number_of_the_tables_is_in(pack)


def every_number_of_the_tables_is_in(pack):
    if not shutil.which("pdftotext"):
        return
    read = ["pdftotext", "-layout", pack / "report.pdf", "-"]
    text = subprocess.run(read, capture_output=True, text=True, check=True).stdout
    plain = lambda number: number.replace(",", "")   # the report groups digits, its data do not
    words = set(map(plain, re.findall(r"[0-9][0-9.,]*[0-9]|[0-9]", text)))
    report, numbers = (pack / "report.md").read_text(), 0
    for table in sorted((pack / "tables").glob("*.csv")):
        if f"### {table.stem}." not in report:
            continue
        rows = [line for line in table.read_text().splitlines() if not line.startswith("#")]
        for cell in (cell for row in csv.reader(rows[1:]) for cell in row):
            if re.fullmatch(r"[0-9][0-9.,]*( %)?", cell):
                numbers += 1
                assert plain(cell.removesuffix(" %")) in words, (table.name, cell)
    assert numbers > 100, numbers


def plans_are_compared_and_bounded(home):
    told = json.loads(answers("compare", "175b-frontier", "175b-crusher-fsdp", "--json", home=home))
    fall = told["waterfalls"][0]
    assert same(fall["from_seconds"] + sum(p["seconds"] for p in fall["parts"]), fall["to_seconds"]), fall
    times = next(row for row in told["answers"] if row["id"] == "time")
    assert same(times["numbers"][0] * (1 + times["changes"][1]), times["numbers"][1]), times
    sheet = answers("compare", "175b-frontier", "175b-crusher-fsdp", "--markdown", home=home)
    assert "| Time to train |" in sheet and ("▲" in sheet or "▼" in sheet), sheet
    refuses(USAGE, "compare", "175b-frontier", home=home)
    goal = ["goal", "llama3-8b-alps", "--move", "tokens,nodes", "--nodes", "32,64"]
    found = json.loads(answers(*goal, "--days", "10", "--json", home=home))
    assert found["best"]["seconds"] <= 10 * 86400 and found["binds"] is not None
    refuses(USAGE, *goal, home=home)
    fewest = ["goal", "llama3-8b-alps", "--aim", "nodes", "--nodes", "16,32,64", "--move", "nodes", "--json"]
    found = json.loads(answers(*fewest, "--days", "1000", home=home))
    assert found["best"]["nodes"] == min(p["nodes"] for p in found["over_nodes"] if p["within"]) == 16, found
    refuses(USAGE, "goal", "13b-fugaku", "--aim", "money", home=home)   # no price is known
    sized = ["goal", "llama3-8b-alps", "--move", "size", "--days", "100", "--json"]
    best = json.loads(answers(*sized, home=home))["best"]
    assert best["hidden"] == 128 * best["heads"] and best["heads"] == 4 * best["kv_heads"], best
    narrow = json.loads(answers(*sized, "--layers", "16,24", home=home))["best"]
    assert narrow["hidden"] == 4096 and narrow["layers"] == 24, narrow
    refuses(INFEASIBLE, "goal", "llama3-8b-alps", "--days", "0.001", home=home)
    bars = json.loads(answers("tornado", "llama3-8b-alps", "--of", "cost", "--price", "2 EUR/node-hour", "--json",
                              home=home))
    widths = [abs(b["at_high"] - b["at_low"]) for b in bars["bars"]]
    assert widths == sorted(widths, reverse=True) and widths
    told = json.loads(answers("estimate", EXAMPLE, "--price", "2 EUR/node-hour", "--json", home=home))["total"]
    assert same(told["cost"]["low"], 2 * told["node_hours"]) and told["cost"]["currency"] == "EUR"
    refuses(USAGE, "estimate", EXAMPLE, "--price", "cheap", home=home)
    ranked = json.loads(answers("search", "llama3-8b-alps", "--space", "common", "--rank", "carbon", "--json",
                                home=home))
    assert ranked["best"] == ranked["top"][0]


def questions_are_answered_by_other_plans(home):
    told = answers("ask", "batch", "llama3-8b-alps", home=home)
    assert "Critical batch by Bergsma et al. 2025" in told and "more tokens" in told, told
    assert "Unknown" in answers("ask", "batch", "mixtral-8x7b-64-h100", home=home)
    plan = pathlib.Path(home) / "taken.json"
    answers("ask", "zero", "llama3-8b-alps", "--row", "4", "--out", str(plan), home=home)
    assert json.loads(plan.read_text())["layout"]["zero_stage"] == 3
    refuses(USAGE, "ask", "zero", "llama3-8b-alps", "--row", "2", "--out", str(plan), home=home)  # the plan itself
    told = answers("ask", "machines", "llama3-8b-alps", "--machines", "fugaku,frontier", "--equal", "nodes", home=home)
    assert re.search(r"Fugaku.*cannot run it.*bf16", told) and "Frontier" in told, told
    refuses(USAGE, "ask", "machines", "llama3-8b-alps", "--machines", "atlantis", home=home)
    refuses(USAGE, "ask", "machines", "llama3-8b-alps", "--rate", "CHF", home=home)
    assert "% longer" in answers("ask", "gap", "llama3-8b-alps", "--measured", "100", home=home)
    refuses(USAGE, "ask", "weather", "llama3-8b-alps", home=home)
    bands = json.loads(answers("estimate", "llama3-8b-alps", "--json", home=home))["band"]
    for of in ("time", "memory"):
        whole = math.log1p(bands[of]["band"]) ** 2
        assert same(sum(p["variance"] for p in bands[of]["parts"]), whole), of
    warned = answers("estimate", "llama3-8b-alps", "--max-power", "150kW", home=home)
    assert "150 kW is the limit" in warned, warned
    refuses(USAGE, "estimate", "llama3-8b-alps", "--max-power", "20", home=home)
    limited = ["goal", "llama3-8b-alps", "--move", "nodes,layout", "--nodes", "16,32,64", "--max-power"]
    best = json.loads(answers(*limited, "100kW", "--json", home=home))["best"]
    assert best["facility_power_MW"] <= 0.1


def every_layout_is_searched(home):
    found = json.loads(answers("search", "gpt3-175b-1024-a100", "--space", "common", "--json", home=home))
    assert found["count"] == 11196 and found["count"] >= found["feasible"] >= found["fits"] > 0, found["count"]
    assert found["best"] == found["top"][0] and len(found["top"]) == 20
    assert [c["step_seconds"] for c in found["top"]] == sorted(c["step_seconds"] for c in found["top"])
    written = pathlib.Path(home) / "best.json"
    answers("search", "gpt3-175b-1024-a100", "--space", "common", "--out", written, home=home)
    again = json.loads(answers("estimate", written, "--json", home=home))
    times = again["step_seconds"], found["best"]["step_seconds"]
    assert times[0] == times[1], times
    space = pathlib.Path(home) / "space.json"
    space.write_text(json.dumps({"name": "ours", "from": "common", "tensor_parallel": [8], "zero_stage": [1]}))
    ours = json.loads(answers("search", "gpt3-175b-1024-a100", "--space", space, "--json", home=home))
    assert ours["space"] == "ours" and {c["tensor_parallel"] for c in ours["top"]} == {8}
    space.write_text(json.dumps({"tensor_parallel": ["eight"]}))
    refuses(INVALID, "search", "gpt3-175b-1024-a100", "--space", space, home=home)
    refuses(INFEASIBLE, "search", "gpt3-175b-1024-a100", "--space", "common",
            "--set", "machine.device.memory_GiB=8", home=home)
    said = answers("search", "gpt-neox-20b-a100", "--space", "common", "--over-nodes", home=home)
    assert "Fewest nodes that fit" in said, said


def a_plan_becomes_a_job_script(home):
    said = answers("launch", ROOT / "presets/scenarios/gpt3-175b-1024-a100.json", home=home)
    assert "--tensor-model-parallel-size 8" in said and said.startswith("#!/bin/bash"), said
    refuses(INFEASIBLE, "launch", EXAMPLE, "--framework", "fsdp", home=home)
    refuses(USAGE, "launch", EXAMPLE, "--framework", "jax", home=home)


def a_script_tells_its_plan(home):
    plan = ROOT / "presets/scenarios/gpt3-175b-1024-a100.json"
    script = pathlib.Path(home) / "job.sh"
    script.write_text(answers("launch", plan, home=home))
    assert "was made from this plan" in answers("launch", plan, "--check", script, home=home)
    refuses(INFEASIBLE, "launch", plan, "--set", "micro_batch=2", "--check", script, home=home)
    script.write_text(script.read_text().replace("--micro-batch-size 1", "--micro-batch-size 2"))
    refuses(INFEASIBLE, "launch", plan, "--check", script, home=home)      # changed by hand
    script.write_text("#!/bin/bash\n")
    assert "names no plan" in refuses(INVALID, "launch", plan, "--check", script, home=home)


def a_configuration_becomes_a_plan(home):
    folder = pathlib.Path(home)
    (folder / "t.sh").write_text("T=2\ntorchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 32 "
                                 "--hidden-size 4096 --num-attention-heads 32 --tensor-model-parallel-size $T "
                                 "--global-batch-size 64 --micro-batch-size 1 --seq-length 2048 --bf16 "
                                 "--flux-capacitor\n")
    said = answers("import", folder / "t.sh", "--machine", "frontier", "--out", folder / "plan.json", home=home)
    assert "not understood" in said and "--flux-capacitor" in said and "Tensor parallel: 2" in said, said
    told = json.loads(answers("estimate", folder / "plan.json", "--json", home=home))
    assert told["step_seconds"] > 0, told
    (folder / "ds.json").write_text(json.dumps({"train_batch_size": 64, "zero_optimization": {"stage": 3}}))
    (folder / "config.json").write_text(json.dumps({
        "model_type": "llama", "num_hidden_layers": 16, "hidden_size": 2048, "num_attention_heads": 32,
        "intermediate_size": 8192, "vocab_size": 128256}))
    assert "DeepSpeed" in answers("import", folder / "ds.json", home=home)
    (folder / "bad.yaml").write_text("a: [1\n")
    assert "bad.yaml: line" in refuses(INVALID, "import", folder / "bad.yaml", home=home)
    refuses(INVALID, "import", folder / "t.sh", "--machine", "nowhere", home=home)


def a_calibration_becomes_a_batch_job(home):
    folder = pathlib.Path(home) / "job"
    slurm = ["calibrate", "175b-frontier", "--script", "slurm", "--out", folder]
    said = answers(*slurm, "--account", "PROJ", "--trial", 3, home=home)
    assert "sbatch job.sh" in said and "one node" in said, said
    script = (folder / "job.sh").read_text()
    assert "#SBATCH --account=PROJ" in script, script
    launch = 'srun -N 2 -n 16 -c 7 --gpus-per-task=1 --gpu-bind=closest "$ENGINE" @"$RUN/args"\n'
    assert script.endswith(launch), script
    assert "--dp\n16\n" in (folder / "args").read_text()
    pbs = ["calibrate", "175b-frontier", "--script", "pbs", "--trial", 3, "--out", folder]
    before = (pathlib.Path(folder) / "job.sh").read_bytes()
    assert "job.sh" in refuses(USAGE, *pbs, home=home)
    assert (pathlib.Path(folder) / "job.sh").read_bytes() == before, "another job was written over"
    said = answers(*pbs, "--replace", home=home)
    assert "never run by us" in said and "does not describe PBS jobs" in said, said
    refuses(USAGE, *slurm, "--trial", 3, home=home)   # who pays?
    other = ["calibrate", "chinchilla-70b-tpu-v4", "--script", "slurm", "--account", "PROJ", "--out", folder]
    assert "no back end" in refuses(INFEASIBLE, *other, home=home)
    amd = answers(*slurm, "--replace", "--account", "PROJ", home=home)
    assert "module load rccl-net-plugin" in (folder / "job.sh").read_text(), amd
    assert '"hip"' in (folder / "plan.json").read_text(), amd
    refuses(USAGE, "calibrate", "175b-frontier", "--script", "cron", "--trial", 3, home=home)
    refuses(USAGE, "calibrate", "--script", "slurm", "--job", "1; id", "--poll", home=home)
    refuses(USAGE, "calibrate", "--script", "slurm", "--job", "7", home=home)


def every_machine_is_calibrated_as_the_table_says(home):
    """Each row tried at the outermost door: what it says to give is given, on a plan that was moved to the machine."""
    rows = json.loads(answers("calibrate", "--machines", "--json", home=home))
    ids = {json.loads(f.read_text())["id"] for f in (ROOT / "presets/machines").glob("*.json")}
    assert {row["machine"] for row in rows} == ids, "not every machine has one row"
    tried = []
    for row in rows:
        here = ["calibrate", "gpt2-124m-laptop", "--set", "machine=" + row["machine"]]
        folder = pathlib.Path(home) / "table" / row["machine"]
        if row["way"] == "script":
            tried.append((here + row["options"] + ["--out", folder], 0, folder / "job.sh"))
        elif row["way"] == "refused":
            assert row["reasons"] and row["works"], row
            if row["back_end"] == "none":
                job = here + ["--script", "slurm", "--account", "PROJECT", "--out", folder]
                tried.append((job, INFEASIBLE, None))
            for i, out in enumerate(row["works"]):
                script = [] if "--script" in out["options"] else ["--script", "slurm", "--account", "PROJECT"]
                there = folder.with_name(f"{folder.name}-{i}")
                tried.append((here + out["options"] + script + ["--out", there], 0, there / "job.sh"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda words: run(*words, home=home), [words for words, code, script in tried]))
    for (words, code, script), outcome in zip(tried, done):
        assert outcome.returncode == code, f"{words}: exit code {outcome.returncode}\n{outcome.stderr}"
        assert not script or script.stat().st_size > 0, words
        assert script or "GCD" in outcome.stderr or "plimsoll-engine" in outcome.stderr, outcome.stderr
    here = next(row for row in rows if row["way"] == "here")
    plan = answers("calibrate", "gpt2-124m-laptop", "--set", "machine=" + here["machine"], "--plan", home=home)
    assert "measured" in plan, plan
    said = answers("calibrate", "--machines", home=home)
    assert said.count("\n") > len(rows) and f"{len(rows)} machines: " in said, said
    assert answers("calibrate", "--machines", "--markdown", home=home).startswith("| devices |")
    refuses(USAGE, "calibrate", "--machines", "--script", "slurm", home=home)
    refuses(USAGE, "calibrate", "--markdown", home=home)
    refuses(INVALID, "calibrate", "nowhere.json", "--machines", home=home)


def own_runs_become_a_preset(home):
    rows = pathlib.Path(home) / "own-runs.json"
    rows.write_text(json.dumps([{
        "id": f"own/{i}", "use": "score", "source": {"title": "own", "provenance": "log"},
        "model": {"name": "own", "layers": 24, "hidden": 2048, "heads": 16, "seq": 2048, "arch": "gpt"},
        "machine": {"name": "own", "device": "A100", "preset": "selene"},
        "layout": {"devices": 8, "tp": 1, "pp": 1, "dp": 8, "zero_stage": 0, "micro_batch": b, "global_batch": 64,
                   "recompute": "none", "precision": "BF16", "framework": "our own", "stack": "megatron-lm-2022"},
        "measured": {"iteration_s": 5.5 + 0.1 * i}} for i, b in enumerate((8, 4, 2))]))
    preset = pathlib.Path(home) / "our-cluster.json"
    told = json.loads(answers("fit", rows, "--free", "machine.device.efficiency.gemm_ceiling@selene",
                              "--leave-out", "source", "--out", preset, "--json", home=home))
    written = json.loads(preset.read_text())
    assert written["id"] == "our-cluster" and len(told["constants"]) == 1
    assert abs(written["device"]["efficiency"]["gemm_ceiling"] / told["constants"][0]["value"] - 1) < 0.01
    assert "own" in written["sources"]["/device/efficiency/gemm_ceiling"]["text"]
    refuses(USAGE, "fit", rows, "--free", "happiness", home=home)
    refuses(USAGE, "fit", rows, "--out", preset, home=home)  # more than one preset changes
    refuses(USAGE, "fit", "nowhere.json", home=home)


def a_run_of_ones_own_anchors_predictions(home):
    plan = "gpt3-175b-1024-a100"
    scenario = ROOT / f"presets/scenarios/{plan}.json"
    alone = json.loads(answers("estimate", plan, "--json", home=home))
    anchors = pathlib.Path(home) / "anchors.json"
    anchors.write_text(json.dumps({"schema": "plimsoll/anchors", "version": 1, "anchors": [
        {"name": "June", "plan": json.loads(scenario.read_text()), "step_seconds": 1.5 * alone["step_seconds"]}]}))
    told = json.loads(answers("estimate", plan, "--anchor", anchors, "--json", home=home))
    model = told["anchored"]["model_alone"]
    assert model["step_seconds"] == alone["step_seconds"] and model["mfu"] == alone["mfu"]
    assert told["anchored"]["by"] == ["June"] and 1.2 < told["anchored"]["time_factor"] < 1.5, told["anchored"]
    assert math.isclose(told["step_seconds"], told["anchored"]["time_factor"] * alone["step_seconds"])
    text = answers("estimate", plan, "--anchor", anchors, home=home)
    assert "Anchored by 'June'" in text and "The model alone:" in text, text
    for question in (("tornado", plan), ("ask", "zero", plan)):
        text = answers(*question, "--anchor", anchors, home=home)
        assert "Anchored by 'June'" in text, text
    best = json.loads(answers("goal", plan, "--days", 1000, "--anchor", anchors, "--json", home=home))["best"]
    ranked = json.loads(answers("search", plan, "--anchor", anchors, "--space", "common", "--json", home=home))
    assert best and ranked["top"], (best, ranked)
    fast = pathlib.Path(home) / "fast.json"
    fast.write_text(anchors.read_text().replace(f'{1.5 * alone["step_seconds"]!r}', "0.001"))
    doubted = run("estimate", plan, "--anchor", fast, home=home)
    assert doubted.returncode == 0 and "peak rate" in doubted.stderr, doubted.stderr
    anchors.write_text("{}")
    refuses(INVALID, "estimate", plan, "--anchor", anchors, home=home)
    table = pathlib.Path(home) / "runs.csv"
    nodes = alone["nodes"]
    table.write_text(f"nodes,step_s\n{nodes},{1.5 * alone['step_seconds']}\n")   # what 'propose --measured' takes
    told = json.loads(answers("estimate", plan, "--anchor", table, "--json", home=home))
    assert told["anchored"]["by"] == [f"{nodes} nodes"] and told["anchored"]["time_factor"] > 1.2, told["anchored"]
    assert "without a plan" in refuses(INVALID, "validate", "torchtitan", "--anchor", table, home=home)
    table.write_text("nodes,step_s,machine\n8,12,elsewhere\n")
    assert "elsewhere" in refuses(INVALID, "estimate", plan, "--anchor", table, home=home)


def presets_are_listed(home):
    for kind in ("machines", "models", "stacks", "scenarios", "runs", "fits", "programmes", "knobs"):
        assert json.loads(answers("presets", kind, "--json", home=home)), kind
        assert answers("presets", kind, home=home).strip()


def export(where, *more, home):
    out = pathlib.Path(home) / where
    answers("export", EXAMPLE, "--out", out, *more, home=home)
    return {file.name: file.read_bytes() for file in sorted(out.iterdir())}


def png_size(path):
    """Pixels across and down, and dots per metre, as the file states them."""
    data = path.read_bytes()
    at = data.index(b"pHYs") + 4
    return (*struct.unpack(">II", data[16:24]), struct.unpack(">I", data[at:at + 4])[0])


def an_export_has_the_size_letters_and_greys_that_are_asked_for(home):
    written = export("journal", "--width-mm", 85, "--dpi", 600, "--font-size", 7, "--font", "DejaVu Sans Mono",
                     "--grey", "--title", "--no-legend", "--sheet", "--figures", "time-vs-nodes,pipeline-timeline",
                     home=home)
    names = sorted(written)
    assert len([n for n in names if n.endswith(".png")]) == 2, names
    assert [n for n in names if n.endswith("-sheet.pdf")], names
    for name in names:
        path = pathlib.Path(home) / "journal" / name
        if name.endswith(".png"):
            across, _, per_metre = png_size(path)
            assert across == 2008 and round(per_metre * 0.0254) == 600, (name, across, per_metre)
        if name.endswith(".svg"):
            text = path.read_text()
            assert 'width="85mm"' in text and "DejaVu Sans Mono" in text, name
            assert all(c[1:3] == c[3:5] == c[5:7] for c in re.findall(r"#[0-9a-f]{6}", text)), name
            units = float(re.search(r'viewBox="0 0 ([0-9.]+)', text)[1])
            for size in set(re.findall(r'<text [^>]*font-size="([0-9.]+)"', text)):
                assert math.isclose(float(size) * 85 / units * 72 / 25.4, 7, rel_tol=1e-3), (name, size)
            assert "Modelled<" not in text, "there is a legend"
    for wrong in (["--width-mm", 5], ["--font-size", 0], ["--dpi", 5], ["--formats", "bmp"]):
        refuses(USAGE, "export", EXAMPLE, "--out", f"{home}/none", *wrong, home=home)
    assert "time-vs-nodes" in refuses(USAGE, "export", EXAMPLE, "--out", f"{home}/none", "--figures", "nothing",
                                      home=home)


def measured_runs_become_points_of_an_export(home):
    runs = pathlib.Path(home) / "runs.csv"
    runs.write_text("nodes,step_s\n3,9.1\n6,4.9\n12,3.6\n")
    written = export("measured", "--formats", "svg,csv", "--measured", runs, "--programme", "csc-roihu",
                     "--figures", "time-vs-nodes,efficiency-vs-nodes", home=home)
    for name, text in written.items():
        if name.endswith(".svg"):
            assert b"Measured" in text, name
        if name.endswith("efficiency-vs-nodes.csv"):
            assert b"measured" in text and b"floor" in text, text
        if name.endswith("captions.txt"):
            assert b"Filled points are measured" in text, text
    runs.write_text("nodes,step_s\n3,fast\n")
    assert "line 2" in refuses(INVALID, "export", EXAMPLE, "--out", f"{home}/none", "--measured", runs, home=home)


def a_display_that_is_gone_is_said_and_stops_no_export(home):
    assert "DISPLAY is not set" in refuses(1, home=home)
    gone = {"DISPLAY": "localhost:94"}   # as after the end of an ssh -X
    window = run(home=home, **gone)
    assert window.returncode == 1, f"exit code {window.returncode}\n{window.stderr}"
    assert "the display localhost:94 cannot be used" in window.stderr, window.stderr
    figures = run("export", EXAMPLE, "--out", f"{home}/figures", "--formats", "svg", home=home, **gone)
    assert figures.returncode == 0 and list(pathlib.Path(home, "figures").glob("*.svg")), figures.stderr


def a_picture_of_no_page_names_the_pages(home):
    said = refuses(USAGE, "screenshot", EXAMPLE, "--page", "Overviews", "--out", f"{home}/a.png", home=home)
    assert "overview, time, " in said, said
    assert not pathlib.Path(home, "a.png").exists()


def an_export_repeats_to_the_byte(home):
    first = export("first", "--formats", "csv", home=home)
    second = export("second", "--formats", "csv", home=home)
    assert first and first == second
    assert any(name.endswith(".csv") for name in first)


def an_export_has_every_figure_in_every_format(home):
    written = export("all", home=home)
    stems = {name[:-4] for name in written if name.endswith(".csv")}
    assert len(stems) >= 7, sorted(written)
    starts = {"pdf": b"%PDF", "svg": b"<?xml", "png": b"\x89PNG", "csv": b"#"}
    for stem in sorted(stems):
        for kind, start in starts.items():
            content = written.get(f"{stem}.{kind}", b"")
            assert content.startswith(start), f"{stem}.{kind}: missing or not {kind.upper()}"


def totals_by_scenario(text):
    """{"gpt3-175b-1024-a100": {"step_s": "1.2e+01", ...}, ...} of the lines behind the digest."""
    names, *rows = [line.split() for line in text.splitlines()[1:] if line.split()]
    return {scenario: dict(zip(names, totals)) for *totals, scenario in rows}


def what_moved(recorded, found):
    """A line for each scenario whose totals are others than those recorded."""
    lines = []
    for scenario in sorted(recorded.keys() | found.keys()):
        old, new = recorded.get(scenario), found.get(scenario)
        if old is None or new is None:
            lines.append(f"{scenario}: {'not recorded' if old is None else 'no longer shipped'}")
        elif old != new:
            lines.append(f"{scenario}: " + ", ".join(moved(name, old[name], new[name])
                                                     for name in old if old[name] != new[name]))
    return lines


def moved(name, old, new):
    percent = "" if "none" in (old, new) or not float(old) else f" ({100 * (float(new) / float(old) - 1):+.4g} %)"
    return f"{name} {old} -> {new}{percent}"


def what_moved_is_named_with_its_share(home):
    was = "0\nstep_s energy_J scenario\n2.0e+00 5.0e+00 a\n1.0e+00 1.0e+00 b\nnone none c\n1.0e+00 1.0e+00 d\n"
    now = "1\nstep_s energy_J scenario\n2.5e+00 5.0e+00 a\n1.0e+00 1.0e+00 b\n3.0e+00 none c\n1.0e+00 1.0e+00 e\n"
    assert what_moved(totals_by_scenario(was), totals_by_scenario(now)) == [
        "a: step_s 2.0e+00 -> 2.5e+00 (+25 %)", "c: step_s none -> 3.0e+00", "d: no longer shipped",
        "e: not recorded"]


def the_estimates_are_the_recorded_ones(home):
    recorded = (ROOT / "tests/digest.txt").read_text()
    told = answers("bench", "--totals", home=home)
    assert answers("bench", "--digest", home=home).split() == told.split()[:1]
    lines = what_moved(totals_by_scenario(recorded), totals_by_scenario(told))
    assert told == recorded, "estimates changed; `plimsoll bench --totals > tests/digest.txt` records them\n    " + (
        "\n    ".join(lines) or "no total of a shipped scenario: a part of one, or another node count")


def engine(mode, *arguments, home, code=0, variables={}):
    """What `plimsoll engine` says with a stand-in for the engine that behaves so."""
    with_engine = os.environ | {"PLIMSOLL_ENGINE": FAKE_ENGINE, "FAKE_ENGINE": mode, "HOME": home} | variables
    done = subprocess.run([PLIMSOLL, "engine", *map(str, arguments)], cwd=home, env=with_engine, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    assert done.returncode == code, f"{arguments}: exit code {done.returncode}, not {code}\n{done.stderr}"
    return done


def the_engine_runs_and_its_steps_become_a_table(home):
    said = engine("run", "--steps", 3, home=home).stdout
    assert [line.split()[0] for line in said.splitlines()[2:5]] == ["1", "2", "3"], said
    assert "3 steps, ended ok" in said, said
    raw = [json.loads(line) for line in engine("run", "--json", "--steps", 3, home=home).stdout.splitlines()]
    assert [line["type"] for line in raw] == ["hello", "hw", "layout", "step", "step", "step", "summary"]


def an_engine_that_fails_says_why_and_with_which_code(home):
    done = engine("crash", "--steps", 9, home=home, code=5)
    assert "2 complete steps kept" in done.stdout and "rank 1: the loss is not finite" in done.stderr, done
    assert "signal 9" in engine("killed", "--steps", 9, home=home, code=137).stderr
    assert "options it cannot use" in engine("refuses", "--colour", home=home, code=USAGE).stderr
    garbled = engine("garbage", "--steps", 3, home=home)
    assert "no protocol at all" in garbled.stdout and "3 steps, ended ok" in garbled.stdout, garbled
    nowhere = os.environ | {"PLIMSOLL_ENGINE": "/nowhere/engine"}
    missing = subprocess.run([PLIMSOLL, "engine"], env=nowhere, text=True, capture_output=True)
    assert missing.returncode == 1 and "/nowhere/engine" in missing.stderr, missing


def a_plan_is_trained_beside_its_prediction(home):
    small = [f"--set={knob}" for knob in ("model.layers=2", "layout.micro_batch=1", "recipe.global_batch_sequences=2")]
    started = pathlib.Path(home) / "started"
    said = engine("run", "--plan", "gpt2-124m-laptop", *small, "--steps", 3, home=home,
                  variables={"FAKE_ENGINE_STARTED": str(started)}).stdout
    words = started.read_text().split()
    assert words[words.index("--layers") + 1] == "2" and words[words.index("--accumulate") + 1] == "2", words
    assert words.count("--steps") == 1 and words[words.index("--steps") + 1] == "3", words
    assert "measured" in said and "Layer GEMMs" in said and "Uncalibrated" in said, said
    assert "laptop" in engine("run", "--plan", "gpt2-124m-laptop", "--as-planned", home=home).stdout.lower()
    refuses(USAGE, "engine", "--plan", "gpt2-124m-laptop", "--layers", 3, home=home)   # the plan says how many
    assert "no experts" in refuses(INFEASIBLE, "engine", "--plan", "mixtral-8x7b-64-h100", home=home)


def a_calibration_is_planned_before_anything_runs(home):
    said = answers("calibrate", "gpt2-124m-laptop", "--plan", home=home)
    assert "Nothing has been run." in said and "held back" in said and "assumed" in said, said
    plan = json.loads(answers("calibrate", "gpt2-124m-laptop", "--plan", "--json", home=home))
    assert plan["schema"] == "plimsoll/calibration-plan"
    assert [run["id"] for run in plan["runs"] if run["role"] == "fit"], plan["runs"]
    assert "is the least" in refuses(INFEASIBLE, "calibrate", "gpt2-124m-laptop", "--plan", "--budget", 3, home=home)
    refuses(USAGE, "calibrate", "--plan", home=home)
    refuses(USAGE, "calibrate", "gpt2-124m-laptop", "--run", "elsewhere", home=home)


def presets_of(home):
    return [path for path in pathlib.Path(home).rglob("*-measured-*.json")]


def a_result_is_read_wherever_it_was_measured(home):
    plan = answers("calibrate", "gpt2-124m-laptop", "--plan", "--json", home=home)
    whole, part = pathlib.Path(home) / "whole.jsonl", pathlib.Path(home) / "part.jsonl"
    whole.write_text(log_of(plan)), part.write_text(log_of(plan, 3))
    said = answers("calibrate", "--import", whole, home=home)
    assert not presets_of(home), "an import alone made a preset"
    assert "--save does that" in run("calibrate", "--import", whole, home=home).stderr
    assert "Saved as machine preset" in run("calibrate", "--import", whole, "--save", home=home).stderr
    assert presets_of(home)
    assert "held back" in said and "Mean absolute error of" in said and "gemm_ceiling" in said, said
    assert "Energy: Unavailable" in said and "rapl: a virtual machine" in said and "modelled: devices" in said, said
    sacct = pathlib.Path(home) / "energy.txt"
    sacct.write_text("JobID|Elapsed|NNodes|ConsumedEnergyRaw\n4711|00:02:00|2|7200\n")
    assert "7.2 kJ for the whole job" in answers("calibrate", "--import", whole, "--sacct", sacct, home=home)
    sacct.write_text("JobID|Elapsed|NNodes|ConsumedEnergyRaw\n4711|00:02:00|2|\n4712|00:02:00|2|5\n")
    assert "energy.txt" in refuses(INVALID, "calibrate", "--import", whole, "--sacct", sacct, home=home)
    refuses(USAGE, "calibrate", "gpt2-124m-laptop", "--plan", "--sacct", sacct, home=home)
    told = json.loads(answers("calibrate", "--import", whole, "--json", home=home))
    assert told["energy_sources"][0]["reason"] == "a virtual machine", told
    assert all(row["measured_J"] is None for row in told["energy_per_step"]), told
    rows = {row["id"]: row for row in told["proof"]}
    held = [row for row in rows.values() if row["held_out"]]
    assert held and all(row["inside"] for row in held), held
    assert all(same(row["predicted"]["s"], 0.3) and same(row["error"], 0.3 / 0.315 - 1) for row in held), held
    counted = [row for row in held if row["counts"]]
    assert told["layouts_that_count"] == len(counted) == len([row for row in held if row["fair"]]) > 0
    assert same(told["mean_absolute_error"], 1 - 0.3 / 0.315), told["mean_absolute_error"]
    assert "cut off" in run("calibrate", "--import", part, home=home).stderr
    whole.write_text(whole.read_text().replace('"wall_over_cpu": 1.0', '"wall_over_cpu": 1.1', 1))
    assert "it was changed" in refuses(INVALID, "calibrate", "--import", whole, home=home)
    refuses(INVALID, "calibrate", "--import", EXAMPLE, home=home)


def a_calibration_on_this_computer_keeps_what_it_got(home):
    folder = pathlib.Path(home)
    launcher, log, out = folder / "mpirun", folder / "replayed", folder / "result.jsonl"
    launcher.write_text('#!/bin/sh\n'
                        '[ "$1" != --version ] || { echo "mpirun (Open MPI) 4.1.4"; exit; }\n'
                        f'exec {FAKE_ENGINE}\n')
    launcher.chmod(0o755)
    plan = answers("calibrate", "gpt2-124m-laptop", "--plan", "--json", home=home)

    def here(text, code, *more):
        log.write_text(text)
        kept = os.environ | {"PLIMSOLL_ENGINE": FAKE_ENGINE, "PLIMSOLL_MPIRUN": str(launcher),
                             "FAKE_ENGINE": "replay", "FAKE_ENGINE_LOG": str(log), "FAKE_ENGINE_CODE": str(code),
                             "HOME": home, "XDG_DATA_HOME": home}
        command = [PLIMSOLL, "calibrate", "gpt2-124m-laptop", "--run", "local", "--out", out, *more]
        return subprocess.run(command, cwd=home, env=kept, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=60)

    part, of_first = out.with_name("result.jsonl.part"), out.with_name("result.jsonl.plan.json")
    of_first.write_text("the plan of another run")
    with open(part, "w") as first:
        fcntl.flock(first, fcntl.LOCK_EX)
        assert here(log_of(plan), 0).returncode == USAGE
    assert of_first.read_text() == "the plan of another run"
    part.unlink()

    done = here(log_of(plan), 0)
    assert done.returncode == 0 and "Mean absolute error of" in done.stdout and "[1/" in done.stdout, done
    saved = done.stderr.split("machine preset ")[1].split()[0].rstrip(".")
    assert saved in answers("presets", "machines", home=home), saved
    disturbed = here(log_of(plan, flags=["contended"]), 0)
    assert disturbed.returncode == 1 and "no preset was written" in disturbed.stderr, disturbed
    done = here(log_of(plan, 3), 70)
    assert done.returncode == 70 and "3 of" in done.stderr, done
    assert "watchdog" in done.stderr and "--resume" in done.stderr, done
    kept_plan = folder / "result.jsonl.plan.json"   # what --resume goes on with
    assert json.loads(kept_plan.read_text()) == json.loads(plan)
    assert here(log_of(plan), 0, "--resume").returncode == USAGE   # nothing was written to go on from
    out.with_name("result.jsonl.part").write_text(log_of(plan, 3))
    assert here(log_of(plan), 0, "--resume").returncode == 0


def nothing_of_the_engine_is_left_behind(home):
    endings = (("silent", signal.SIGTERM, 75), ("stubborn", signal.SIGINT, 75), ("silent", signal.SIGKILL, -9))
    for mode, signal_number, code in endings:
        started = pathlib.Path(home) / f"started-{mode}-{signal_number}"
        variables = {"PLIMSOLL_ENGINE": FAKE_ENGINE, "FAKE_ENGINE": mode, "FAKE_ENGINE_STARTED": str(started)}
        planner = subprocess.Popen([PLIMSOLL, "engine", "--steps", "9"], env=os.environ | variables,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        while b" 2 " not in planner.stdout.readline():
            pass
        planner.send_signal(signal_number)
        assert planner.wait(timeout=20) == code, (mode, planner.returncode)
        child = pathlib.Path("/proc") / started.read_text().split()[0]
        for _ in range(100):
            if not child.exists():
                break
            time.sleep(0.1)
        assert not child.exists(), f"{mode}: the engine outlives the planner"


def described(home):
    """What --help says: the commands, {"estimate": ["--help", "--set", ...], "bench search": ...}."""
    def options_of(*words):
        text = answers(*words, "--help", home=home)
        return text, re.findall(r"^  (?:-\w,)?(--[\w-]+)", text, re.MULTILINE)

    found = {}
    for name in re.findall(r"^  (\w+) {2,}", options_of()[0].split("Subcommands:")[1].split("\n\n")[0], re.MULTILINE):
        text, found[name] = options_of(name)
        if "Subcommands:" in text:
            for inner in re.findall(r"^  (\w+) {2,}", text.split("Subcommands:")[1].split("\n\n")[0], re.MULTILINE):
                found[f"{name} {inner}"] = options_of(name, inner)[1]
    return found


def the_manual_page_names_every_command_and_option(home):
    page = answers("--man", home=home)
    sections = dict(re.findall(r"^\.SS (plimsoll.*)\n((?:(?!\.S[SH]).*\n)*)", page, re.MULTILINE))
    commands = described(home)
    assert len(commands) >= 21 and len(sections) == len(commands), (sorted(sections), sorted(commands))
    for name, options in commands.items():
        for option in options:
            typed = "\\fB" + option.replace("-", "\\-") + "\\fR"
            assert typed in sections[f"plimsoll {name}"], f"the manual page does not name {option} of {name}"
    for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES"):
        assert f".SH {section}\n" in page, section
    if shutil.which("groff"):
        read = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-z"],
                              input=page, text=True, capture_output=True, timeout=60)
        assert read.returncode == 0 and not read.stderr, read.stderr


def the_shells_complete_commands_options_and_values(home):
    script = pathlib.Path(home) / "plimsoll.bash"
    script.write_text(answers("--completions", "bash", home=home))
    checked = subprocess.run(["bash", "-n", script], text=True, capture_output=True)
    assert checked.returncode == 0, checked.stderr
    commands = described(home)
    tried = {"est": ["estimate"], "bench sea": ["search"], "search plan --objective ti": ["time"],
             "sweep plan --knob layout.tensor_p": ["layout.tensor_parallel"], "presets mach": ["machines"],
             "estimate --set recipe.global_b": ["recipe.global_batch_sequences="],
             "estimate gpt2-124m-l": ["gpt2-124m-laptop"]}
    tried |= {f"{name} --": options for name, options in commands.items()}
    lines = [f"source {script}"]
    for words in tried:
        lines += [f"COMP_WORDS=({shlex.quote(PLIMSOLL)} {words})", "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))",
                  "_plimsoll", 'echo "${COMPREPLY[@]}"']
    kept = os.environ | {"HOME": home, "XDG_DATA_HOME": home}
    done = subprocess.run(["bash"], input="\n".join(lines), cwd=home, env=kept,
                          text=True, capture_output=True, timeout=60)
    for (words, expected), offered in zip(tried.items(), done.stdout.splitlines(), strict=True):
        offers = [word for word in offered.split() if word not in ("-h",)]
        assert offers == expected, f"plimsoll {words}: {offered}, not {expected}"
    for shell in ("zsh", "fish"):
        script = pathlib.Path(home) / shell
        script.write_text(answers("--completions", shell, home=home))
        for name, options in commands.items():
            for option in options:
                typed = option if shell == "zsh" else "-l " + option.removeprefix("--")
                assert typed in script.read_text(), f"{shell}: {option} of {name}"
        if shutil.which(shell):
            checked = subprocess.run([shell, "-n", script], text=True, capture_output=True)
            assert checked.returncode == 0, checked.stderr
    refuses(USAGE, "--completions", "tcsh", home=home)


def every_command_ends_with_its_code(home):
    """The short list. What the answers say is looked at by the others."""
    here = pathlib.Path(home)
    plan, broken, runs, config = here / "plan.json", here / "broken.json", here / "runs.csv", here / "config.json"
    plan.write_text(EXAMPLE.read_text())
    broken.write_text(EXAMPLE.read_text()[:-40])
    runs.write_text("nodes,step_s\n6,40\n12,21\n")
    config.write_text('{"model_type": "llama", "num_hidden_layers": 16, "hidden_size": 2048, "num_attention_heads": 32,'
                      ' "intermediate_size": 8192, "vocab_size": 128256}')
    calls = [(code, line.replace("PLAN", str(plan)).replace("BROKEN", str(broken)).replace("RUNS", str(runs))
              .replace("CONFIG", str(config)).split()) for code, line in [
        (0, "--version"), (0, "--help"), (0, "--man"), (0, "--completions bash"), (0, "estimate PLAN --paper"),
        (0, "estimate PLAN --json"), (0, "estimate PLAN --anchor RUNS"),
        (0, "sweep PLAN --knob nodes --values 6:24:x2"),
        (0, "timeline PLAN --csv"), (0, "explain PLAN --number step_seconds"), (0, "largest deepseek-v3-2048-h800"),
        (0, "transients PLAN"), (0, "strategies PLAN --devices 24"), (0, "budget PLAN --node-hours 1000"),
        (0, "launch PLAN"), (0, "rule PLAN"), (0, "search PLAN --space common --limit 2"),
        (0, "replan PLAN --measured RUNS"), (0, "compare PLAN 175b-frontier"),
        (0, "goal PLAN --days 1000 --move nodes --nodes 6,12"), (0, "tornado PLAN"), (0, "ask batch PLAN"),
        (0, "ask zero PLAN"), (0, "propose generic PLAN --measured RUNS --no-figures --out pack"),
        (0, "import CONFIG --tensor 2"), (0, "presets"), (0, "presets knobs"), (0, "presets --schema scenario"),
        (0, "validate torchtitan --csv"), (0, "calibrate gpt2-124m-laptop --plan"),
        (0, "calibrate PLAN --script slurm --account ME --out job"), (0, "calibrate --machines"),
        (1, "search PLAN --space common --out /dev/full"), (1, "engine --steps 1"),
        (USAGE, "estimate PLAN --colour"), (USAGE, "guess PLAN"), (USAGE, "fit no-such-recipe --no-such-option"),
        (USAGE, "estimate PLAN --set layout.tensor_paralel=8"), (INFEASIBLE, "estimate PLAN --set tensor_parallel=7"),
        (INFEASIBLE, "goal PLAN --days 0.001"), (INVALID, "estimate BROKEN"), (INVALID, "estimate absent.json"),
        (INVALID, "validate BROKEN"), (INVALID, "replan PLAN --measured BROKEN"), (INVALID, "import BROKEN")]]
    def ends(call):
        code, words = call
        done = run(*words, home=home, PLIMSOLL_ENGINE="/nowhere/engine")
        wrong = done.returncode != code or not (done.stdout or done.stderr)
        return f"{words}: exit code {done.returncode}, not {code}\n{done.stderr[-2000:]}" if wrong else ""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        wrong = [told for told in pool.map(ends, calls) if told]
    assert not wrong, "\n".join(wrong)


# The slowest first: they decide when the last one ends.
CHECKS = [parts_sum_to_their_totals, every_example_is_answered, the_estimates_are_the_recorded_ones,
          what_moved_is_named_with_its_share]
if FIGURES:
    CHECKS += [an_export_has_the_size_letters_and_greys_that_are_asked_for, measured_runs_become_points_of_an_export,
               an_export_has_every_figure_in_every_format, an_export_repeats_to_the_byte,
               an_application_is_drawn_where_there_is_a_window,
               a_display_that_is_gone_is_said_and_stops_no_export, a_picture_of_no_page_names_the_pages]
CHECKS += [nothing_of_the_engine_is_left_behind, a_calibration_on_this_computer_keeps_what_it_got,
           an_application_repeats_to_the_byte_and_is_read_with_suspicion,
           the_tables_of_an_application_are_a_spreadsheet, plans_are_compared_and_bounded,
           questions_are_answered_by_other_plans,
           every_layout_is_searched, memory_that_is_nearly_full_is_tight, totals_follow_one_rule,
           the_manual_page_names_every_command_and_option,
           the_shells_complete_commands_options_and_values, presets_are_listed, a_malformed_file_is_told_apart,
           a_result_is_read_wherever_it_was_measured, a_plan_is_trained_beside_its_prediction,
           a_calibration_becomes_a_batch_job, every_machine_is_calibrated_as_the_table_says,
           turning_a_knob_changes_the_answer, a_wrong_option_is_a_usage_error,
           an_impossible_plan_has_its_own_exit_code, a_sweep_answers_value_by_value, a_number_is_explained,
           a_timeline_opens_elsewhere, a_budget_is_spent_by_two_rules, layers_are_spread_by_themselves,
           tiers_are_told_and_filled, a_config_becomes_a_preset_that_plans_use, the_rule_stands_beside_the_search,
           a_plan_becomes_a_job_script, a_script_tells_its_plan, a_configuration_becomes_a_plan,
           own_runs_become_a_preset, a_run_of_ones_own_anchors_predictions,
           the_engine_runs_and_its_steps_become_a_table, an_engine_that_fails_says_why_and_with_which_code,
           a_calibration_is_planned_before_anything_runs, what_a_file_says_is_shown_and_not_obeyed,
           a_full_disk_is_an_error, a_file_that_cannot_be_looked_for_is_no_crash,
           lines_of_a_stranger_are_shown_before_they_are_written,
           files_that_cannot_be_read_or_written_have_their_own_codes, an_obstacle_names_what_can_be_set]
if FEW:
    CHECKS = [every_command_ends_with_its_code]


def outcome(check):
    """Whether the check passed, and the line that says so."""
    sentence = check.__name__.replace("_", " ")
    began = time.monotonic()
    try:
        with tempfile.TemporaryDirectory() as home:
            check(home)
        return True, f"passed   {sentence} ({time.monotonic() - began:.1f} s)"
    except Exception as problem:  # the other checks still tell something
        return False, f"FAILED   {sentence}\n    {type(problem).__name__}: {problem}"


def main():
    """Every check has a home of its own, so they run beside one another."""
    assert SCENARIOS, "no scenario is shipped"
    with concurrent.futures.ThreadPoolExecutor(max_workers=max(2, os.cpu_count() or 1)) as pool:
        outcomes = list(pool.map(outcome, CHECKS))
    for _, line in outcomes:
        print(line)
    return 0 if all(passed for passed, _ in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
