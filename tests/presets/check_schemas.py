#!/usr/bin/env python3
"""Checks every shipped preset against its JSON Schema and its own rules.

    check_schemas.py [PRESETS_DIRECTORY]

Needs python3-jsonschema. Prints "file: pointer: message" for each fault.
"""
import json
import pathlib
import sys

import jsonschema

SOURCED = {"plimsoll/machine", "plimsoll/model", "plimsoll/stack"}
UNSOURCED_KEYS = {"schema", "version", "id", "as_of", "sources"}


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def pointer(path):
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def leaves(value, path=()):
    """(path, value) of everything that is not a container."""
    if isinstance(value, dict):
        for key, child in value.items():
            yield from leaves(child, path + (key,))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from leaves(child, path + (index,))
    else:
        yield path, value


def containers(value, path=()):
    """Pointers that exist in the file: every value and every container."""
    yield pointer(path)
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from containers(child, path + (key,))


def source_faults(preset):
    sources = preset["sources"]
    facts = {key: value for key, value in preset.items() if key not in UNSOURCED_KEYS}
    for path, value in leaves(facts):
        ancestors = (pointer(path[:length]) for length in range(len(path), -1, -1))
        if is_number(value) and not any(p in sources for p in ancestors):
            yield pointer(path), "has no source"
    known = set(containers(facts))
    for p in sources:
        if p not in known:
            yield "/sources", f'"{p}" names no value'


def level_faults(machine):
    levels, per_node = machine["levels"], machine["devices_per_node"]
    total = machine["nodes"] * per_node
    for i in range(1, len(levels)):
        inner, outer = levels[i - 1]["devices"], levels[i]["devices"]
        last = i + 1 == len(levels)
        if outer < inner or (outer % inner and not last):
            yield f"/levels/{i}/devices", f"{outer} is not a multiple of the {inner} of the level inside"
    if levels[-1]["devices"] != total:
        yield f"/levels/{len(levels) - 1}/devices", f"expected nodes x devices_per_node = {total}"
    if total > 1 and levels[-1]["name"] != "system":
        yield f"/levels/{len(levels) - 1}/name", 'expected "system"'
    if per_node > 1 and not any(l["name"] == "node" and l["devices"] == per_node for l in levels):
        yield "/levels", f'no level "node" with {per_node} devices'
    if per_node % machine["device"]["per_package"]:
        yield "/device/per_package", "does not divide devices_per_node"


def cluster_faults(machine):
    clusters = machine.get("clusters", [])
    nodes = sum(cluster["nodes"] for cluster in clusters)
    if clusters and nodes != machine["nodes"]:
        yield "/clusters", f"{nodes} nodes, but the machine has {machine['nodes']}"


def bin_faults(machine):
    for i, queue in enumerate(machine["scheduler"]["bins"]):
        if queue["max_nodes"] < queue["min_nodes"]:
            yield f"/scheduler/bins/{i}", "max_nodes is below min_nodes"


def model_faults(model):
    if model["heads"] % model["kv_heads"]:
        yield "/kv_heads", "does not divide heads"
    if (model["positions"] == "learned") != (model["position_rows"] > 0):
        yield "/position_rows", "only a learned position table has rows"


def record_faults(file, records):
    ids = [record["id"] for record in records]
    for i, name in enumerate(ids):
        if name.split("/")[0] != file.stem:
            yield f"/{i}/id", f"{name!r} does not begin with the file name"
        if ids.index(name) != i:
            yield f"/{i}/id", f"{name!r} occurs twice"


def faults(file, preset, validators):
    schema = "records" if isinstance(preset, list) else preset.get("schema") if isinstance(preset, dict) else None
    if schema not in validators:
        yield "/schema", f"no schema for {schema!r}"
        return
    errors = [(pointer(e.absolute_path), e.message) for e in validators[schema].iter_errors(preset)]
    yield from errors
    if errors:
        return
    if schema == "records":
        yield from record_faults(file, preset)
        return
    if preset.get("id", file.stem) != file.stem:
        yield "/id", f"{preset['id']!r} is not the file name"
    if schema in SOURCED:
        yield from source_faults(preset)
    if schema == "plimsoll/machine":
        yield from level_faults(preset)
        yield from cluster_faults(preset)
        yield from bin_faults(preset)
    if schema == "plimsoll/model":
        yield from model_faults(preset)


def load_validators(directory):
    validators = {}
    for file in sorted(directory.glob("*.schema.json")):
        schema = json.loads(file.read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        key = "records" if schema["type"] == "array" else schema["properties"]["schema"]["const"]
        validators[key] = jsonschema.Draft202012Validator(schema)
    return validators


def main(arguments):
    default = pathlib.Path(__file__).resolve().parents[2] / "presets"
    presets = pathlib.Path(arguments[0]) if arguments else default
    validators = load_validators(presets / "schema")
    files = [f for f in sorted(presets.rglob("*.json")) if f.parent != presets / "schema"]
    count = 0
    for file in files:
        try:
            found = list(faults(file, json.loads(file.read_text(encoding="utf-8")), validators))
        except json.JSONDecodeError as error:
            found = [("", f"not JSON: {error}")]
        for where, message in found:
            print(f"{file.relative_to(presets)}: {where or '/'}: {message}")
        count += len(found)
    print(f"{len(files)} presets checked" + (f", {count} faults" if count else ""))
    return 1 if count or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
