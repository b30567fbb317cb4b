#!/usr/bin/env python3
"""No type is defined twice in one namespace, and every file is used.

    one_definition.py

Two definitions of one name in one namespace are undefined behaviour that no compiler of a single source sees; what
`-flto -Wodr` finds when it links, this finds in the text, in a second. File-local types may share a name where their
folders differ: a folder is compiled as one. Besides: every header is included by somebody.
"""
import collections
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARIES = ("core", "views", "app", "engine")
SUFFIXES = (".h", ".cpp", ".cu", ".cuh", ".hip")
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
TOKEN = re.compile(
    r"(?P<namespace>\bnamespace\b\s*(?P<space>[\w:]*)\s*\{)"
    r"|(?P<type>\b(?:struct|class|union|enum\s+class|enum)\s+(?:alignas\([^)]*\)\s*)?"
    r"(?P<name>[A-Z]\w*)\b(?!::)(?:\s+final)?"
    r"\s*(?::[^;{}()]*)?\{)"
    r"|(?P<open>\{)|(?P<close>\})"
)


def sources():
    listed = subprocess.run(["git", "ls-files", *LIBRARIES], cwd=ROOT, capture_output=True, text=True)
    names = listed.stdout.split() if listed.returncode == 0 else [
        os.path.relpath(os.path.join(folder, name), ROOT)
        for library in LIBRARIES for folder, _, files in os.walk(ROOT / library) for name in files]
    return [name for name in names if name.endswith(SUFFIXES) and (ROOT / name).exists()]


def types_of(text):
    """(namespace, name, line) of every type at namespace scope."""
    text = NOISE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
    scopes = []  # a namespace, or None for any other block
    for found in TOKEN.finditer(text):
        if found["namespace"]:
            scopes.append(found["space"] or "{anonymous}")
        elif found["type"]:
            before = text[:found.start()].rstrip()
            specialises = re.search(r"template\s*<\s*>$", before)
            if None not in scopes and not specialises:
                yield "::".join(scopes), found["name"], text.count("\n", 0, found.start()) + 1
            scopes.append(None)
        elif found["open"]:
            scopes.append(None)
        elif scopes:
            scopes.pop()


def twice(names):
    places = collections.defaultdict(list)
    for file in names:
        for space, name, line in types_of((ROOT / file).read_text(encoding="utf-8")):
            # A file-local type belongs to its folder.
            owner = f"{space} of {os.path.dirname(file)}" if "{anonymous}" in space else space
            places[owner, name].append(f"{file}:{line}")
    for (owner, name), where in sorted(places.items()):
        if len(where) > 1:
            yield f"{name} is defined {len(where)} times in {owner}: {', '.join(where)}"


def unused(names):
    pattern = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
    included = set()
    for folder in (*LIBRARIES, "tests"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in SUFFIXES:
                for name in pattern.findall(path.read_text(encoding="utf-8")):
                    included.add(name)
                    included.add(os.path.relpath(path.parent / name, ROOT))
    for name in names:
        if name.endswith((".h", ".cuh")) and name not in included:
            yield f"{name} is included by nobody"


def main():
    names = sources()
    faults = [*twice(names), *unused(names)]
    for fault in faults:
        print(fault)
    if not faults:
        print(f"No type twice and no header unused in {len(names)} files.")
    return 1 if faults or not names else 0


if __name__ == "__main__":
    sys.exit(main())
