"""What decontamination finds: planted leaks of every problem of a suite, and clean pairs taken for leaks.

    python benchmarks/leaks.py humanevalfix:humanevalpack_java.jsonl nl2fix --clean pairs --most 1000

Each problem's code before and its reference are planted as pairs: as they stand; without comments and with
more blank lines; between other code of a file as long; with one name changed, where that leaves 80 % of the
shingles; and its issue's id alone. ``--clean`` are datasets of `nl2fix edits mine` whose sources have nothing
to do with the suites; drawn from them are as many pairs as ``--most``, and each one found is listed to be
looked at. The named baseline is what was planted; of the clean pairs 1 % may be found.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from nl2fix import pipeline
from nl2fix.core.config import Environment
from nl2fix.core.errors import DataError
from nl2fix.core.protocols import Suite
from nl2fix.core.records import Problem
from nl2fix.edits.duplicates import shingles
from nl2fix.edits.folder import read_pairs
from nl2fix.edits.leaks import Leaks, issue_ids
from nl2fix.edits.pair import EditPair
from nl2fix.edits.settings import MiningConfig
from nl2fix.languages import language
from nl2fix.languages.capabilities import HasIdentifiers

ALIKE = 0.8
"""Similarity from which a changed text must be found; settings begin at 0.7."""
OTHER_CODE = {
    "python": "def filler_{n}(rows):\n    total_{n} = {n}\n    for row in rows:\n"
    "        total_{n} += row * {n}\n    return total_{n}\n",
    "java": "class Filler{n} {{\n    int filler{n}(int[] rows) {{\n        int total{n} = {n};\n"
    "        for (int row : rows) {{\n            total{n} += row * {n};\n        }}\n"
    "        return total{n};\n    }}\n}}\n",
}


class Plant(NamedTuple):
    """A pair that leaks a problem, and how."""

    problem: str
    way: str
    pair: EditPair


def planted(suite: Suite) -> Iterator[Plant]:
    """All leaks that are planted of a suite."""
    for problem in suite.problems():
        for ids in dict.fromkeys(issue_ids(problem)):
            yield Plant(problem.id, "issue", _pair(problem, "", ids))
        for version, code in _versions(suite, problem):
            for way, text in _ways(problem, code):
                yield Plant(problem.id, f"{version}, {way}", _pair(problem, text))


def _versions(suite: Suite, problem: Problem) -> Iterator[tuple[str, str]]:
    """The unit that is edited, or each whole file where there is none; without those that hold no code."""
    spoken, code = language(problem.language), problem.before if problem.entity else problem.text
    versions = [("before", code, problem.editable)]
    try:
        reference = suite.reference(problem)
        alone = problem.entity and reference.scope == "region"
        code = reference.code if alone else reference.apply(problem)
        versions.append(("reference", code, reference.others))
    except DataError:
        pass
    for version, own, others in versions:
        for code in (own, *(text for _, text in others)):
            if spoken.tokens(code):
                yield version, code


def _ways(problem: Problem, code: str) -> Iterator[tuple[str, str]]:
    spoken = language(problem.language)
    yield "as it stands", code
    yield "formatted anew", spoken.strip_comments(code).replace("\n", "\n\n")
    if len(spoken.tokens(code)) >= MiningConfig.leak_tokens:
        yield "in another file", _between(problem.language, code)
    named = spoken.identifiers(code) if isinstance(spoken, HasIdentifiers) else []
    changed = _one_name_changed(named, code)
    texts = [" ".join(spoken.tokens(text)) for text in (code, changed)]
    if len(spoken.tokens(code)) >= 2 * MiningConfig.leak_tokens and changed != code:
        one, two = (frozenset(shingles(text)) for text in texts)
        if len(one & two) / len(one | two) >= ALIKE:
            yield "a name changed", changed


def _between(name: str, code: str) -> str:
    count = len(code) // 120 + 1
    filler = [OTHER_CODE[name].format(n=n) for n in range(7, 7 + count)]
    if name == "java" and not re.search(r"\b(?:class|interface|enum|record)\s+\w+", code):
        code = f"class Holder {{\n{code}\n}}\n"
    return "\n\n".join([*filler, code, *filler[: count // 2]])


def _one_name_changed(names: Sequence[str], code: str) -> str:
    """The rarest name of the code, written otherwise."""
    if not names:
        return code
    name, _ = min(Counter(names).items(), key=lambda item: item[1])
    return re.sub(rf"\b{re.escape(name)}\b", f"{name}_of_ours", code)


def _pair(problem: Problem, code: str, *issues: str) -> EditPair:
    return EditPair(problem.language, "", code, "Edit it", "planted", problem.id, issues=issues)


def plants(name: str, suite: Suite, leaks: Leaks) -> None:
    """Print planted and found by way, and what was missed."""
    made: Counter[str] = Counter()
    found: Counter[str] = Counter()
    missed = []
    for plant in planted(suite):
        made[plant.way] += 1
        if leaks.found(plant.pair) is None:
            missed.append(f"{plant.problem} ({plant.way})")
        else:
            found[plant.way] += 1
    for way, count in made.items():
        print(f"| {name} | {way} | {count} | {found[way]} |", flush=True)
    print(f"\n{name}: {found.total()} of {made.total()}; missed: {', '.join(missed) or 'none'}\n", flush=True)


def clean(folders: Sequence[Path], most: int, leaks: Leaks) -> None:
    """Print how many of the clean pairs are taken for leaks, and which."""
    pairs = [pair for folder in folders for pair in read_pairs(folder)]
    drawn = random.Random(0).sample(pairs, min(most, len(pairs)))
    said = [(pair, leaks.found(pair)) for pair in drawn]
    taken = [(pair, leak) for pair, leak in said if leak is not None]
    print(f"clean pairs: {len(drawn)} of {len(pairs)}; taken for leaks: {len(taken)}")
    for pair, leak in taken:
        print(f"  {pair.origin} {pair.revision[:10]} {pair.path} {pair.entity}: {leak}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("suites", nargs="+", metavar="SUITE[:DATA]")
    parser.add_argument("--clean", nargs="*", type=Path, default=[], metavar="DATASET")
    parser.add_argument("--most", type=int, default=1000, help="clean pairs drawn")
    options = parser.parse_args()
    environment = Environment(cache=pipeline.default_cache())
    leaks = Leaks(MiningConfig())
    suites = {
        name: pipeline.make_suite(pipeline.choice(name, "suite"), environment) for name in options.suites
    }
    for suite in suites.values():
        leaks.add(suite)
    print("| suite | planted as | planted | found |\n|---|---|---|---|")
    for name, suite in suites.items():
        plants(Path(name).name, suite, leaks)
    print(f"references not known: {leaks.unknown}")
    clean(options.clean, options.most, leaks)


if __name__ == "__main__":
    main()
