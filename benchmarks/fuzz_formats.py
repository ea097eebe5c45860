"""Reads random and hostile answers in every edit format; prints how many, crashes, and the slowest.

    python benchmarks/fuzz_formats.py --reads 1000000 [--seconds 3600] [--seed 1] [--log FILE]

Of a thousand answers, 450 are pieces of what answers are made of (fences, marks of diffs, code, JSON,
prose) in random order; 300 are right answers, in any format and language, with one to eight changes (parts
cut out, doubled, turned round, pieces put in); 100 are right answers that end anywhere; 50 nest; 99 hold
random characters of all of Unicode; and one repeats one piece. They have 10 to 100,000 characters, most of
them few; one of 100,000 has more than are read. Every format reads them, in every language. A read may raise
``NoEdit`` and nothing else. Times are processor seconds of one read in one format and one language. With
``--log``, each call adds a line to a file and goes on where the last one ended. The exit code is 1 after a
crash or a read over the limit.
"""

from __future__ import annotations

import argparse
import functools
import json
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from nl2fix.core.formats import FORMATS, NoEdit, edit_format
from nl2fix.core.protocols import EditFormat
from nl2fix.core.records import Problem, Span
from nl2fix.languages import language
from nl2fix.prompting.templates import Templates

LIMIT = 0.2
"""Seconds a read may take."""
AGAIN = 3
"""Times a read over the limit is made again; the shortest counts."""
FILES = {
    "java": (
        "src/shop/Shop.java",
        "add(int, int)",
        "package shop;\n\nclass Shop {\n    int total;\n\n    int add(int a, int b) {\n"
        "        return a - b;\n    }\n\n    int size(int[] all) {\n        return all.length;\n    }\n}\n",
    ),
    "python": (
        "shop.py",
        "Shop.add",
        "class Shop:\n    def add(self, a, b):\n        return a - b\n\n\nX = 1\n",
    ),
    "javascript": ("shop.js", "add", "const add = (a, b) => {\n  return a - b;\n}\n\nconst x = 1;\n"),
    "go": ("shop.go", "add", "package shop\n\nfunc add(a int, b int) int {\n\treturn a - b\n}\n"),
    "rust": ("shop.rs", "add", "use std::fmt;\n\nfn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n"),
    "cpp": ("shop.cpp", "add", "#include <vector>\n\nint add(int a, int b) {\n    return a - b;\n}\n"),
}
# fmt: off
PIECES = [
    "```", "~~~", "````", "`", "~", "\n", "\n\n", "\r\n", " ", "    ", "\t", "> ", "java", "python",
    "diff", "<<<<<<< SEARCH\n", "<<<<<<< ORIGINAL\n", "=======\n", ">>>>>>> REPLACE\n",
    ">>>>>>> UPDATED\n", "@@ -1,3 +1,4 @@\n", "@@ @@\n", "--- a/src/shop/Shop.java\n",
    "+++ b/src/shop/Shop.java\n", "-", "+", "{", "}", "(", ")", "[", "]", "<", ">", "\"", "'", "/*",
    "*/", "//", "#", ";", ",", ".", "\\", "\x00", "\xe9", "\U0001f600", "add", "add(",
    "int add(int a, int b) {\n", "def add(self, a, b):\n", "return a + b;\n", "return a + b\n",
    "        return a - b;\n", "class Shop {\n", "class Shop:\n", "import java.util.List;\n",
    "import os\n", "@A ", "src/shop/Shop.java\n", "shop.py\n", "Other.java\n", "The fix is simple: ",
    "func add(a int, b int) int {\n", "fn add(a: i32, b: i32) -> i32 {\n", "const add = (a, b) => {\n",
    "#include <map>\n", "go", "rust", "cpp", "// ... rest unchanged\n",
    "</think>", "{\"files\": [{\"path\": \"Shop.java\", \"content\": \"",
    "\"}]}", "{\"edits\": [", "\"original_lines\": [\"", "\"name\"", "null", "if (a > b) ", "a ? b : ",
    "a + ", "f\"{", "lambda: ", "List<", "(a)", "-", "!", "1e999", "\ud800", "\u2028",
]
# fmt: on


@functools.cache
def problem(name: str) -> Problem:
    """The unit ``add`` of a small file."""
    path, entity, text = FILES[name]
    region = language(name).locate(text, entity) or Span(0, 0)
    visible = text[region.start : region.end]
    return Problem("P", "fuzz", "p", name, path, text, region, entity, visible, {"title": "add subtracts"})


def _pieces(random_: random.Random, size: int) -> str:
    some = random_.sample(PIECES, random_.randint(2, 14))
    mean = max(sum(map(len, some)) / len(some), 1)
    return "".join(random_.choices(some, k=int(size / mean) + 1))


@functools.cache
def _right(form: str, name: str) -> str:
    """A right answer in a format, in a language."""
    one, asked = problem(name), edit_format(form)
    region = Span(0, len(one.text)) if asked.sees == "file" else one.region
    code = one.text[region.start : region.end]
    fixed = code.replace("a - b", "a + b")
    told = {"path": one.path, "fence": name, "code": code, "fixed": fixed, "others": []}
    return "Here it is:\n\n" + Templates(None, asked).render(f"answers/{form}", told) + "\n"


def _some_right(random_: random.Random, size: int) -> str:
    """Right answers, at least one, one behind the other up to a size."""
    text = _right(random_.choice(list(FORMATS.built_in)), random_.choice(list(FILES)))
    return text * max(size // len(text), 1)


def _changed(random_: random.Random, size: int) -> str:
    text = _some_right(random_, size)
    for _ in range(random_.randint(1, 8)):
        start = random_.randrange(len(text) + 1)
        end = min(start + int(random_.expovariate(0.05)), len(text))
        part = random_.choice(("", text[start:end] * 2, text[start:end][::-1], random_.choice(PIECES)))
        text = text[:start] + part + text[end:]
    return text


def _cut(random_: random.Random, size: int) -> str:
    text = _some_right(random_, size)
    return text[: random_.randrange(len(text))]


def _nested(random_: random.Random, size: int) -> str:
    opening, middle, closing = random_.choice(NESTS)
    depth = max(size // (len(opening) + len(closing)), 1)
    start, end = random_.choice((("", ""), ("```\n", "\n```\n"), ("int add(int a, int b) {", "}")))
    return start + opening * depth + middle + closing * random_.choice((depth, 0, depth // 2)) + end


def _unicode(random_: random.Random, size: int) -> str:
    characters = [chr(random_.randrange(0x110000)) for _ in range(random_.randint(2, 40))]
    return "".join(random_.choices([*characters, *random_.sample(PIECES, 4)], k=size))[:size]


def _repeated(random_: random.Random, size: int) -> str:
    return (random_.choice(PIECES) * size)[:size]


NESTS = [
    ("{", "x", "}"),
    ("(", "a", ")"),
    ('{"a":[', "1", "]}"),
    ("[", "", "]"),
    ("if (a) {", ";", "}"),
    ("-", "a", ""),
    ("> ", "x", ""),
    ("a ? ", "b", " : c"),
    ("List<", "T", ">"),
    ("f(x -> ", "x", ")"),
    ("/*", "", "*/"),
    ('f"{', "a", '}"'),
    ("class A {", "", "}"),
    ("```\n", "x", "```\n"),
]
KINDS = {_pieces: 450, _changed: 300, _cut: 100, _unicode: 99, _nested: 50, _repeated: 1}
"""How an answer is made → how many of a thousand are."""
SIZES = {1: 20, 1.5: 30, 2: 30, 2.5: 14, 3: 5, 3.5: 1, 4: 0.1, 5: 0.01, 6.1: 0.001}
"""Decimal logarithm of an answer's characters → how many of a hundred have so many."""


def answer(random_: random.Random) -> str:
    """One answer; sizes are spread evenly over their logarithm, with few large ones."""
    size = int(10 ** random_.choices(list(SIZES), list(SIZES.values()))[0])
    (make,) = random_.choices(list(KINDS), list(KINDS.values()))
    return make(random_, size)


def read(form: EditFormat, text: str, one: Problem) -> tuple[str, float]:
    """What came of a read, and its processor seconds; anything but ``NoEdit`` is raised."""
    start = time.process_time()
    try:
        form.extract(text, one, language(one.language))
        kind = "edit"
    except NoEdit as reason:
        kind = reason.kind
    form.faults(text, one)
    return kind, time.process_time() - start


def _timed(form: EditFormat, text: str, one: Problem) -> tuple[str, float]:
    """A read; one over the limit is made again, as what others do on the machine lengthens some."""
    kind, took = read(form, text, one)
    for _ in range(AGAIN if took > LIMIT else 0):
        took = min(took, read(form, text, one)[1])
    return kind, took


@dataclass
class Told:
    """What came of some reads."""

    seed: int
    reads: int = 0
    crashes: int = 0
    late: int = 0
    characters: int = 0
    slowest: tuple[float, str, str, int, str] = (0.0, "", "", 0, "")
    """Processor seconds, format, language, characters and the beginning of the answer."""
    kinds: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: Told) -> Told:
        return Told(
            other.seed,
            self.reads + other.reads,
            self.crashes + other.crashes,
            self.late + other.late,
            self.characters + other.characters,
            max(self.slowest, other.slowest),
            self.kinds + other.kinds,
        )


def _logged(line: str) -> Told:
    """What a call has told in the log."""
    told = json.loads(line)
    return Told(**{**told, "slowest": tuple(told["slowest"]), "kinds": Counter(told["kinds"])})


def fuzz(seed: int, most: int, seconds: float) -> Told:
    """Read so many answers, at most, for so many wall seconds, at most."""
    random_, told = random.Random(seed), Told(seed)
    forms = [edit_format(name) for name in FORMATS.built_in]
    problems = [problem(name) for name in FILES]
    end = time.monotonic() + seconds
    while told.reads < most and time.monotonic() < end:
        text, form, one = answer(random_), random_.choice(forms), random_.choice(problems)
        told.reads += 1
        told.characters += len(text)
        try:
            kind, took = _timed(form, text, one)
        except Exception as error:  # noqa: BLE001 - a crash is what is looked for
            told.crashes += 1
            print(json.dumps({"crash": repr(error), "format": form.name, "answer": text[:2000]}))
            continue
        told.kinds[kind] += 1
        if took > LIMIT:
            told.late += 1
            print(json.dumps({"late": took, "format": form.name, "language": one.language, "answer": text}))
        told.slowest = max(told.slowest, (took, form.name, one.language, len(text), text[:200]))
    return told


def main() -> int:
    """Fuzz for a while and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--reads", type=int, default=1_000_000, help="reads, at most")
    parser.add_argument("--seconds", type=float, default=60.0, help="wall seconds to go on for, at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--log", type=Path, help="counts of earlier calls, to which this one's are added")
    chosen = parser.parse_args()
    past = chosen.log.read_text().splitlines() if chosen.log and chosen.log.exists() else []
    earlier = sum(map(_logged, past), Told(chosen.seed))
    told = fuzz(chosen.seed + len(past), chosen.reads - earlier.reads, chosen.seconds)
    if chosen.log:
        with chosen.log.open("a") as log:
            print(json.dumps(vars(told)), file=log)
    together = earlier + told
    print(json.dumps({"calls": len(past) + 1, f"limit {LIMIT} s": vars(together)}))
    return int(bool(together.crashes or together.late))


if __name__ == "__main__":
    sys.exit(main())
