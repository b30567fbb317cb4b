#!/usr/bin/env python3
"""Help pages of another language, resources/help/ID/NAME.md, against the English resources/help/NAME.md.

  help_translations.py                 names every place where the two differ; 0: none does
  help_translations.py --read PAGE...  the other languages say what PAGE (window.md) says now; writes their english.json

Both have the same headings, paragraphs, list items, table rows and blocks of code in the same order. Each such piece
has the same links, the same `code` and the numbers of its English; what English says in words ("two cores") may be a
number. Of a change in words alone tells english.json, which keeps a digest of every English piece that was translated.
"""
import collections
import hashlib
import json
import pathlib
import re
import sys

HELP = pathlib.Path(__file__).resolve().parents[2] / "resources" / "help"
WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
         "eleven": 11, "twelve": 12, "fourteen": 14, "sixteen": 16, "twenty": 20, "half": 0.5, "twice": 2, "both": 2,
         "second": 2, "pairs": 2, "squares": 2, "doubling": 2,
         "triple": 3, "third": 3, "thirds": 3, "fourth": 4, "fifth": 5,
         "tenth": 10, "nothing": 0, "none": 0, "zero": 0}
POWERS = {"million": 1e6, "billion": 1e9, "万": 1e4, "億": 1e8}
NUMBER = r"\d{1,3}(?:,\d{3})+(?![\d,])|\d+(?:\.\d+)?(?:e-?\d+)?"
JAPANESE = re.compile(r"[\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]")

Piece = collections.namedtuple("Piece", "line kind text")


def pieces_of(path):
    """Headings, paragraphs, items, rows and blocks of code, with the line they begin in."""
    pieces, fence, open_text = [], None, False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if fence is not None:
            if line.startswith("```"):
                pieces.append(Piece(fence[0], "block of code", "\n".join(fence[1:])))
                fence = None
            else:
                fence.append(line)
            continue
        start = re.match(r"(#+ )|(\|)|(\s*(?:-|\d+\.) )|(```)", line)
        if not line.strip() or start:
            open_text = False
        if not line.strip():
            continue
        if start and start[4]:
            fence = [number]
        elif start and start[2]:
            pieces.append(Piece(number, f"table row of {line.count('|') - 1} cells", line))
        elif start:
            pieces.append(Piece(number, f"heading {start[1].strip()}" if start[1] else "list item", line))
            open_text = not start[1]
        elif open_text:
            pieces[-1] = pieces[-1]._replace(text=pieces[-1].text + " " + line.strip())
        else:
            pieces.append(Piece(number, "paragraph", line))
            open_text = True
    return pieces


def words_of(text):
    """Without code and targets of links, which are compared as they are."""
    return re.sub(r"`[^`]*`|\]\([^)]*\)|^\s*\d+\. ", " ", text)


def numbers_of(text):
    text = re.sub(rf"({NUMBER}) (to|and) ({NUMBER}) (million|billion)", r"\1 \4 \2 \3 \4", text)
    found = collections.Counter()
    for m in re.finditer(rf"(?<![A-Za-z\d.])({NUMBER})(?: (million|billion|万|億))?", text):
        found[round(float(m[1].replace(",", "")) * POWERS.get(m[2], 1), 12)] += 1
    return found


def marks_of(piece):
    if piece.kind == "block of code":
        return collections.Counter(re.findall(r"\S+", piece.text))
    return (collections.Counter(re.findall(r"`[^`]*`", piece.text)) +
            collections.Counter(re.findall(r"\]\(([^)]*)\)", piece.text)) + numbers_of(words_of(piece.text)))


def likeness(one, other):
    if one.kind != other.kind:
        return 0
    a, b = marks_of(one), marks_of(other)
    return 1 + 4 * sum((a & b).values()) / max(1, sum((a | b).values())) + (one.line == other.line) / 100


def digest(piece):
    return hashlib.sha256(" ".join(piece.text.split()).encode()).hexdigest()[:8]


def pairs_of(english, other, translated):
    """Pieces in order, each with its counterpart or None: the alignment with the greatest likeness, where a piece that
    has not changed since it was translated is most like its translation."""
    best = [[0] * (len(other) + 1) for _ in range(len(english) + 1)]
    alike = [[likeness(a, b) for b in other] for a in english]
    if len(translated) == len(other):
        for row, piece in zip(alike, map(digest, english)):
            row[:] = [value + 10 * (value > 0 and piece == at) for value, at in zip(row, translated)]
    for i in range(len(english) - 1, -1, -1):
        for j in range(len(other) - 1, -1, -1):
            pair = alike[i][j] + best[i + 1][j + 1] if alike[i][j] else 0
            best[i][j] = max(pair, best[i + 1][j], best[i][j + 1])
    i = j = 0
    while i < len(english) or j < len(other):
        if i < len(english) and j < len(other) and alike[i][j] and best[i][j] == alike[i][j] + best[i + 1][j + 1]:
            yield english[i], other[j]
            i, j = i + 1, j + 1
        elif i < len(english) and (j == len(other) or best[i][j] == best[i + 1][j]):
            yield english[i], None
            i += 1
        else:
            yield None, other[j]
            j += 1


def listed(counter):
    return ", ".join(f"{k:g}" if isinstance(k, float) else k for k in sorted(counter.elements(), key=str))


def differences(english, other):
    """What one piece says and its counterpart does not."""
    if english.kind == "block of code":
        ours, theirs = english.text.splitlines(), other.text.splitlines()
        if len(ours) != len(theirs):
            return [f"has {len(theirs)} lines of code instead of {len(ours)}"]
        # Comments and words beside a formula may be translated.
        return [f"has another line of code: {b!r}" for a, b in zip(ours, theirs)
                if a != b and not (JAPANESE.search(b) and not numbers_of(a) - numbers_of(b))]
    said = []
    for name, pattern in (("code", r"`[^`]*`"), ("links", r"\]\(([^)]*)\)")):
        a, b = (collections.Counter(re.findall(pattern, p.text)) for p in (english, other))
        said += [f"lacks {name} {listed(a - b)}"] if a - b else []
        said += [f"has {name} {listed(b - a)} besides"] if b - a else []
    a, b = numbers_of(words_of(english.text)), numbers_of(words_of(other.text))
    in_words = {float(WORDS[w]) for w in re.findall(r"[a-z]+", english.text.lower()) if w in WORDS} | {1.0}
    more = collections.Counter({n: c for n, c in (b - a).items() if n not in in_words})
    said += [f"lacks the numbers {listed(a - b)}"] if a - b else []
    said += [f"has the numbers {listed(more)} besides"] if more else []
    return said


def problems_of(folder, page, translated):
    english, other = pieces_of(HELP / page), pieces_of(folder / page)
    known = translated.get(page, "").split()
    shown = f"resources/help/{folder.name}/{page}"
    for a, b in pairs_of(english, other, known):
        if not b:
            yield f"{shown} lacks the {a.kind} of resources/help/{page}:{a.line}: {a.text[:90]!r}"
        elif not a:
            yield f"{shown}:{b.line}: a {b.kind} that the English page lacks: {b.text[:60]!r}"
        else:
            for said in differences(a, b):
                yield f"{shown}:{b.line} {said}; English at line {a.line}: {a.text[:60]!r}"
            if digest(a) not in known:
                yield (f"{shown}:{b.line} was translated from another {a.kind} than resources/help/{page}:{a.line}, "
                       f"{a.text[:60]!r}; once it says the same: help_translations.py --read {page}")


def main():
    folders = sorted(f for f in HELP.iterdir() if f.is_dir())
    if sys.argv[1:2] == ["--read"]:
        for folder in folders:
            kept = folder / "english.json"
            have = json.loads(kept.read_text()) if kept.exists() else {}
            have.update({page: " ".join(map(digest, pieces_of(HELP / page))) for page in sys.argv[2:]})
            kept.write_text(json.dumps(have, indent=0, sort_keys=True) + "\n")
        return 0
    problems, pages = [], 0
    for folder in folders:
        translated = json.loads((folder / "english.json").read_text())
        for path in sorted(folder.glob("*.md")):
            pages += 1
            if (HELP / path.name).exists():
                problems += problems_of(folder, path.name, translated)
            else:
                problems.append(f"resources/help/{folder.name}/{path.name} has no English page")
        problems += [f"resources/help/{folder.name} lacks the page {page.name}" for page in sorted(HELP.glob("*.md"))
                     if not (folder / page.name).exists()]
    print("\n".join(problems) if problems else f"{pages} pages say the same as the English ones")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
