#!/usr/bin/env python3
"""Sentences of the sources against their translations, resources/languages/ID.ts.

  translations.py             says what is missing, empty, unfinished, needless, or has other places than its English;
                              with lupdate at hand also that lupdate finds no sentence of the views that is not here
  translations.py --missing   the English of what ja.ts lacks, a line each, as JSON
  translations.py --update F  writes ja.ts anew: what it has, and the translations of F, a JSON object by English

Sentences are looked up by their English alone (views/parts/language.h). In views each is the literal of tr() or
translate(). In core it is the literal of a call that puts words together (phrase(), numbered()), or stands in one of
the tables of names below.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as Tree
from xml.sax.saxutils import escape

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "resources" / "languages").glob("*.ts"))

# Files of core whose literals are names and sentences, but for ids, paths and symbols.
TABLES = """
core/values/knobs/knob_rows.h core/values/knobs/knob_table_*.cpp core/values/plan/breakdown.h core/costs/*/*.h
core/costs/*/*.cpp core/answers/explain/*.cpp core/answers/curves/figures.cpp core/answers/curves/timeline.cpp
core/answers/curves/tornado.cpp core/answers/campaign/cards.cpp core/answers/search/goal.cpp core/answers/search/space.*
core/answers/curves/study.cpp core/answers/search/winner.cpp core/values/knobs/wording.cpp core/answers/replan/*.cpp
core/answers/compare/*.cpp core/answers/search/largest.cpp core/answers/ask/ask.cpp core/evidence/published/band*.cpp
core/evidence/published/score.cpp core/evidence/published/coverage.cpp core/evidence/published/regret.cpp
core/evidence/calibration/plan/*.cpp core/files/launch/engine_launch.cpp core/evidence/calibration/proof/evidence.cpp
core/evidence/calibration/proof/figures.cpp core/answers/propose/measured_points.cpp core/papers/ornl_study.cpp
core/files/import/hf_attention.cpp core/values/basics/foreign_text.h core/values/plan/weights.cpp
""".split()
# Calls whose literals are patterns or words that phrase() looks up.
CALLS = r"\b(?:phrase|numbered|offer|ended|add_shortage|worded|demand)\("
# Single words without a capital that such tables hold, as units or parts of a sentence.
WORDS = set("""money headroom energy power nodes stages replicas sequences tokens layers steps devices experts heads
node device years d days hours minutes d forward backward predicted measured bits values columns rows
ranks runs run sources source step years tree common full node-hours computing bandwidth latency ceiling
codec""".split())
# Put together by the tables of knobs, as core/values/knobs/in_words.cpp takes them apart.
OF_TABLES = {"encoding", "decoding"}
# Never shown by the window, or the same in every language.
SKIPPED = re.compile(r"^[^A-Za-z]*$|^[a-z0-9_./:*+=()\[\]{}%-]+$|^[A-Z0-9_]+$|^/|^\S*[_/\\]\S*$|https?:")

LITERAL = r'"((?:\\.|[^"\\])*)"'
JOINED = re.compile(r'(?:' + LITERAL + r'\s*)+')
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "'": "'"}


def unescape(text):
    text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), text)
    return re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), text)


def value(match):
    return unescape("".join(m[1] for m in re.finditer(LITERAL, match[0])))


def source_of(path):
    lines = (line for line in path.read_text().splitlines() if not line.lstrip().startswith(("//", "#include")))
    return re.sub(r'(^|[^:"])//[^"\n]*$', r"\1", "\n".join(lines), flags=re.M)


def call_arguments(text, start):
    """The text of a call's arguments, from behind its parenthesis."""
    depth, i = 1, start
    while i < len(text) and depth:
        if text[i] == '"':
            i = re.compile(LITERAL).match(text, i).end()
            continue
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        i += 1
    return text[start:i - 1]


def of_views():
    """English -> whether it counts something."""
    found = {}
    for path in sorted((*ROOT.glob("views/*/*.cpp"), *ROOT.glob("views/*/*.h"))):
        text = source_of(path)
        for m in re.finditer(r'\b(?:tr|QT_TR_NOOP)\(\s*(' + JOINED.pattern + r')\s*([,)])', text):
            found[value(m)] = m[m.lastindex] == ","
        for m in re.finditer(r'\b(?:translate|QT_TRANSLATE_NOOP)\(\s*"\w+",\s*', text):
            if literal := JOINED.match(text, m.end()):
                found[value(literal)] = False
    return found


def of_core():
    found = dict.fromkeys(OF_TABLES, False)
    for path in sorted(ROOT.glob("core/**/*.cpp")) + sorted(ROOT.glob("core/**/*.h")):
        text = source_of(path)
        for call in re.finditer(CALLS, text):
            for m in JOINED.finditer(call_arguments(text, call.end())):
                if re.search(r"[A-Za-z]|\{\d\}", value(m)):
                    found[value(m)] = False
    for pattern in TABLES:
        for path in sorted(ROOT.glob(pattern)):
            for m in JOINED.finditer(source_of(path)):
                text = value(m)
                if "knob_table" in path.name:
                    text = text.removeprefix(": ")
                whole = text == text.strip() and text[:1] not in ",;:." and text[-1:] not in ",:('"
                if whole and (text in WORDS or not SKIPPED.search(text)):
                    found[text] = False
    for text in list(found):
        if text not in WORDS and re.fullmatch(r"[a-z_.\d]+|\{\d\}\W*", text) and "_" in text:
            del found[text]
    return found


def sentences():
    return {**of_core(), **of_views()}


def read(path):
    messages = {}
    for m in Tree.parse(path).iter("message"):
        translation = m.find("translation")
        forms = [f.text or "" for f in translation.findall("numerusform")] or [translation.text or ""]
        messages[m.findtext("source")] = (forms, translation.get("type"))
    return messages


def places(text):
    # {} as well: lists of steps may say them.
    return sorted(set(re.findall(r"%n|%L?\d+|\{\d\}", text)))


def problems_of(path, wanted):
    have, problems = read(path), []
    for text, counts in wanted.items():
        if text not in have:
            problems.append(f"missing: {text!r}")
            continue
        forms, kind = have[text]
        if kind or not all(f.strip() for f in forms):
            problems.append(f"unfinished or empty: {text!r}")
        elif any(places(f) != places(text) for f in forms):
            problems.append(f"other places: {text!r} as {forms}")
        elif text.count("<") and any(re.findall(r"</?\w+", f) != re.findall(r"</?\w+", text) for f in forms):
            problems.append(f"other markup: {text!r} as {forms}")
    problems += [f"needless: {text!r}" for text in have if text not in wanted]
    return problems


def write(path, wanted, have):
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<!DOCTYPE TS>",
             f'<TS version="2.1" language="{path.stem}" sourcelanguage="en">', "<context>", "    <name>plimsoll</name>"]
    for text in sorted(wanted):
        if text not in have:
            continue
        forms = have[text]
        said = "".join(f"<numerusform>{escape(f)}</numerusform>" for f in forms) if wanted[text] else escape(forms[0])
        lines += [f'    <message{" numerus=" + chr(34) + "yes" + chr(34) if wanted[text] else ""}>',
                  f"        <source>{escape(text)}</source>", f"        <translation>{said}</translation>",
                  "    </message>"]
    path.write_text("\n".join([*lines, "</context>", "</TS>", ""]))


def lupdate_finds():
    """Sentences that Qt's own tool finds in the views; nothing where it is not installed."""
    tools = ("/usr/lib/qt6/bin/lupdate", shutil.which("lupdate-qt6") or "")
    tool = next((t for t in tools if pathlib.Path(t).is_file()), None)
    if not tool:
        return set()
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "all.ts"
        subprocess.run([tool, "-silent", str(ROOT / "views"), "-ts", str(out)], check=True, capture_output=True)
        return set(read(out))


def main():
    wanted = sentences()
    japanese = ROOT / "resources" / "languages" / "ja.ts"
    have = {text: forms for text, (forms, _) in read(japanese).items()} if japanese.exists() else {}
    if sys.argv[1:2] == ["--missing"]:
        print(json.dumps([t for t in wanted if t not in have], ensure_ascii=False, indent=0))
        return 0
    if sys.argv[1:2] == ["--update"]:
        new = json.loads(pathlib.Path(sys.argv[2]).read_text()) if len(sys.argv) > 2 else {}
        write(japanese, wanted, {**have, **{t: f if isinstance(f, list) else [f] for t, f in new.items()}})
        return 0
    problems = [f"{path.name}: {p}" for path in FILES for p in problems_of(path, wanted)]
    problems += [f"only lupdate finds {text!r}" for text in lupdate_finds() - set(wanted)]
    print("\n".join(problems) if problems else f"{len(FILES)} languages, {len(wanted)} sentences each")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
