#!/usr/bin/env python3
"""test_rows.py PRESET...: every row of every test function that CTest runs with any of these presets, a line each.

What packaging/test runs before a change and after it, and so what would no longer run:
    tests/checks/test_rows.py release asan tsan > after.txt; comm -23 before.txt after.txt
With --counts as the first argument: how many entries, functions and rows each has, and all together.
"""
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def entries(preset):
    """CTest's entries: the name, and the command that CTest would run."""
    said = subprocess.run(["ctest", "--preset", preset, "--show-only=json-v1"], cwd=ROOT, capture_output=True,
                          text=True, check=True)
    return [(test["name"], test["command"]) for test in json.loads(said.stdout)["tests"] if "command" in test]


def rows_of(name, command):
    """What Qt Test says of a class's rows, of the functions that the command names; any other entry is one row."""
    if not pathlib.Path(command[0]).name.startswith("tests_"):
        return {name}
    said = subprocess.run([command[0], command[1], "-datatags"], capture_output=True, text=True,
                          env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "ASAN_OPTIONS": "detect_leaks=0"})
    assert said.returncode == 0, f"{name}: {said.stderr}"
    rows = {line.split(" ", 1)[1] for line in said.stdout.splitlines() if " " in line}
    functions = set(command[2:])
    return {f"{name} {row}" for row in rows if not functions or row.split(" ", 1)[0] in functions}


def main():
    counts = sys.argv[1:2] == ["--counts"]
    together = set()
    for preset in sys.argv[1 + counts:]:
        found = [rows_of(*entry) for entry in entries(preset)]
        rows = set().union(*found)
        together |= rows
        if counts:
            print(f"{preset}: {len(found)} entries, {len({' '.join(r.split(' ')[:2]) for r in rows})} functions, "
                  f"{len(rows)} rows")
    print(f"together: {len(together)} rows" if counts else "\n".join(sorted(together)))


if __name__ == "__main__":
    sys.exit(main())
