"""Our verdicts beside those of plain Defects4J, built from scratch, on edits of many kinds.

    python benchmarks/agreement.py --config FILE [--bugs Math-3,…] [--per-bug 10] [--jobs 2]

A bug's candidates are distinct: proposals of the mutation baseline; its fix with one token changed
(*token*); lines of its fix and of the unedited method mixed (*mixed*); both with their signature changed
(*signature*); and proposals written as answers in the edit formats and read again (*format*). The plain
way is to judge each that has a plain verdict in ``--facts``, then as many as ``--per-bug`` says in all,
such as we find plausible, wrong and the rest in turn, since what does not compile tells the least. A plain
verdict is kept by bug and hash when its bug is done and is not asked for again, so the same command goes
on where an earlier one ended. ``--out`` is the table of all bugs named.
The exit code is 1 if verdicts differ.
"""

from __future__ import annotations

import difflib
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from itertools import chain, islice, product, zip_longest
from pathlib import Path

import ended
import flags
from settled import settled

from nl2fix import mutation
from nl2fix.core.files import write_atomically
from nl2fix.core.formats import FORMATS, NoEdit, edit_format
from nl2fix.core.protocols import Validator
from nl2fix.core.records import Candidate, Outcome, Problem, Prompt, Request, candidate_from_file
from nl2fix.languages.java import JAVA
from nl2fix.pipeline import make_suite, parse, prepare
from nl2fix.prompting.templates import Templates
from nl2fix.suites.defects4j import confirm
from nl2fix.suites.defects4j.confirm import Confirmation, ToConfirm
from nl2fix.suites.defects4j.facts import PlainFacts
from nl2fix.suites.defects4j.suite import Nl2fixSuite

PROPOSALS = 60
"""Of the mutation baseline, of which some are drawn."""
RECORDED, REWRITTEN = 600, 120
"""Among as many, as they are and as answers, those with a plain verdict are looked for, since the baseline's
order may have changed."""
CANDIDATES = 48
"""Most of a bug."""
SPARE = 3
"""Candidates that we judge for one that the plain way judges."""
STEPS = {Outcome.PLAUSIBLE: 1, Outcome.WRONG: 1, Outcome.TIMEOUT: 2, Outcome.UNCOMPILABLE: 3}
"""Places between two of an outcome in the order that the plain way judges them in."""
_CLASSES = (r"[A-Za-z_$][\w$]*", r"\d[\w.]*", r"[<>]=?|==|!=", r"&&|\|\|", r"[-+*/%]")
"""Tokens that may stand for one another: names, numbers, comparisons, connectives, arithmetic."""
_TOKEN = re.compile("|".join(f"({part})" for part in _CLASSES))
_FURTHER = (("0", "1"), ("<", "==", ">="), ("&&", "||"), ("+", "-"))
"""Tokens of each class but names that may come in though the method has none."""
_VISIBILITIES = ("public", "protected", "private")


@dataclass(frozen=True)
class Edit:
    """A candidate and the kind of edit it is."""

    kind: str
    problem: Problem
    candidate: Candidate


def wanted(made: Sequence[Edit], facts: PlainFacts, count: int) -> list[Edit]:
    """Those that we judge: what has a plain verdict, and some to choose from where that are too few."""
    known = [edit for edit in made if facts.has(edit.problem.id, edit.candidate.sha256)]
    others = [edit for edit in made if edit not in known]
    return known + others[: SPARE * max(0, count - len(known))]


def edits(suite: Nl2fixSuite, problem: Problem, facts: PlainFacts) -> list[Edit]:
    """The bug's candidates: of each kind in turn, distinct, neither the fix itself nor no edit.

    Those of the mutation baseline that have a plain verdict come first, wherever it draws them.
    """
    fix = suite.reference(problem)
    proposals = _proposals(problem)
    drawn = _random(problem, "mutation").sample(proposals[:PROPOSALS], len(proposals[:PROPOSALS]))
    written = _written(problem, proposals[:REWRITTEN], len(FORMATS.built_in))
    kinds = {
        "mutation": chain((c for c in proposals if facts.has(problem.id, c.sha256)), drawn),
        "token": _tokens(problem, fix),
        "mixed": _mixed(problem, fix),
        "signature": _signatures(problem, fix),
        "format": chain((c for c in written if facts.has(problem.id, c.sha256)), _written(problem, drawn)),
    }
    seen = {Candidate(problem.before).key, fix.key}
    rounds = zip_longest(*([(kind, made) for made in found] for kind, found in _few(kinds)))
    chosen: list[Edit] = []
    for kind, candidate in filter(None, chain.from_iterable(rounds)):
        if candidate.key not in seen:
            seen.add(candidate.key)
            chosen.append(Edit(kind, problem, candidate))
    return chosen[:CANDIDATES]


def _few(kinds: dict[str, Iterator[Candidate]]) -> Iterator[tuple[str, list[Candidate]]]:
    for kind, found in kinds.items():
        yield kind, list(islice(found, CANDIDATES))


def _proposals(problem: Problem) -> list[Candidate]:
    """The baseline's first ones."""
    request = Request(problem, Prompt(()), tuple(range(RECORDED)))
    answers = mutation.Mutation().complete([request])
    return [Candidate(answer.code) for answer in answers if answer.code is not None]


def _random(problem: Problem, kind: str) -> random.Random:
    return random.Random(f"{problem.id} {kind}")


def _tokens(problem: Problem, fix: Candidate) -> Iterator[Candidate]:
    """The fix with one token replaced by another of its class out of the method."""
    if not fix.local:
        return
    code, random_ = JAVA.strip_comments(fix.code), _random(problem, "token")
    found = list(_TOKEN.finditer(code))
    for token in random_.sample(found, len(found)):
        kind = token.lastindex or 1
        known = {other[0] for other in found if other.lastindex == kind}
        known.update(_FURTHER[kind - 2] if kind > 1 else ())
        if others := sorted(known - {token[0]}):
            yield Candidate(code[: token.start()] + random_.choice(others) + code[token.end() :])


def _mixed(problem: Problem, fix: Candidate) -> Iterator[Candidate]:
    """Lines of the fixed file with some of their changes undone, line by line, at random."""
    random_ = _random(problem, "mixed")
    before, after = problem.text.splitlines(True), fix.apply(problem).splitlines(True)
    for _ in range(20):
        lines: list[str] = []
        for kind, i, j, k, end in difflib.SequenceMatcher(None, before, after, False).get_opcodes():
            pairs = zip_longest(before[i:j], after[k:end], fillvalue="")
            lines += before[i:j] if kind == "equal" else [random_.choice(pair) for pair in pairs]
        yield candidate_from_file(problem, "".join(lines))


def _signatures(problem: Problem, fix: Candidate) -> Iterator[Candidate]:
    """The fix and the unedited method with another signature, in a random order."""
    codes = [problem.before, *([fix.code] if fix.local else [])]
    changed = [Candidate(made) for code in codes for made in _other_signatures(code)]
    yield from _random(problem, "signature").sample(changed, len(changed))


def _other_signatures(code: str) -> Iterator[str]:
    """Another visibility, ``final``, a checked exception, one more parameter, variable arguments."""
    head, brace, body = code.partition("{")
    if not brace or ")" not in head:
        return
    for word in _VISIBILITIES:
        if f"{word} " in head:
            for other in _VISIBILITIES:
                yield head.replace(f"{word} ", f"{other} ", 1) + brace + body
            yield head.replace(f"{word} ", f"{word} final ", 1) + brace + body
    name, _, parameters = head.partition("(")
    inside, _, end = parameters.rpartition(")")
    thrown = end.rstrip() + ("," if "throws" in end else " throws")
    yield f"{name}({inside}){thrown} java.io.IOException {brace}{body}"
    yield f"{name}({inside}{', ' if inside.strip() else ''}int further){end}{brace}{body}"
    yield f"{name}({inside}{', ' if inside.strip() else ''}Object... further){end}{brace}{body}"


def _written(problem: Problem, candidates: Sequence[Candidate], each: int = 0) -> Iterator[Candidate]:
    """Candidates as answers in the edit formats, read again; the first format differs from bug to bug.

    One of each format, or every candidate in ``each`` formats.
    """
    names = list(FORMATS.built_in)
    _random(problem, "format").shuffle(names)
    once = zip(names, candidates, strict=False)
    for name, candidate in product(names[:each], candidates) if each else once:
        asked = edit_format(name)
        whole = asked.sees == "file"
        told = {
            "path": problem.path,
            "fence": problem.language,
            "code": problem.text if whole else problem.before,
            "fixed": candidate.apply(problem) if whole else candidate.code,
            "others": [],
        }
        answer = "Here it is:\n\n" + Templates(None, asked).render(f"answers/{name}", told) + "\n"
        try:
            yield asked.extract(answer, problem, JAVA)
        except NoEdit:  # as with a model: nothing to judge
            continue


def judged(validator: Validator, chosen: Sequence[Edit]) -> list[ToConfirm]:
    """Our verdicts on the candidates of one bug."""
    with validator.session(chosen[0].problem) as session:
        return [
            ToConfirm(edit.problem, edit.candidate, settled(session, edit.candidate).outcome)
            for edit in chosen
        ]


def telling(judged: Sequence[ToConfirm], known: Collection[tuple[str, str]], count: int) -> list[ToConfirm]:
    """Those that the plain way is to judge: all that it has, and others as long as that are too few."""
    seen: Counter[Outcome] = Counter()
    placed = []
    for item in judged:
        seen[item.outcome] += 1
        place = 0 if _key(item) in known else seen[item.outcome] * STEPS.get(item.outcome, 3)
        placed.append((place, item))
    ordered = [item for _, item in sorted(placed, key=lambda pair: pair[0])]
    return ordered[: max(count, sum(_key(item) in known for item in judged))]


def table(kinds: dict[tuple[str, str], str], made: Sequence[Confirmation]) -> str:
    """The report: counts by project and kind, the confusion table and every difference."""
    told = [item for item in made if item.plain is not None]
    bugs = {item.judged.problem.id for item in told}
    differing = [item for item in told if not item.agrees]
    projects = {item.judged.problem.project for item in told}
    return "\n".join(
        [
            "# Our verdicts beside plain Defects4J's",
            "",
            "Made by `python benchmarks/agreement.py` on Defects4J 2.0.1 and JDK 8. The plain verdict is",
            "that of `defects4j compile`, with every source newer than its class, and `defects4j test -r`;",
            "it is kept by bug and hash in `agreement.jsonl`.",
            "",
            f"{len(told)} distinct candidates of {len(bugs)} bugs of {len(projects)} projects: "
            f"{len(differing)} verdicts differ. {len(made) - len(told)} more got no plain verdict.",
            "",
            *_counts("kind", told, lambda item: kinds[_key(item.judged)]),
            "",
            *_counts("project", told, lambda item: item.judged.problem.project),
            "",
            *_confusion(told),
            "",
            "## Differences",
            "",
            *(
                [_difference(item, kinds) for item in made if item.plain is None or not item.agrees]
                or ["None."]
            ),
            "",
        ]
    )


def _key(item: ToConfirm) -> tuple[str, str]:
    return item.problem.id, item.candidate.key


def _counts(title: str, told: Iterable[Confirmation], group: Callable[[Confirmation], str]) -> list[str]:
    """Rows of a table: candidates, ours by outcome, differences."""
    outcomes = [outcome for outcome in Outcome if outcome is not Outcome.NO_EDIT]
    groups: dict[str, list[Confirmation]] = {}
    for item in told:
        groups.setdefault(group(item), []).append(item)
    rows = [
        f"| {title} | bugs | candidates | {' | '.join(outcome.value for outcome in outcomes)} | differ |",
        "|---|---:|---:|" + "---:|" * (len(outcomes) + 1),
    ]
    for name, items in sorted(groups.items()):
        counts = Counter(item.judged.outcome for item in items)
        cells = [len({item.judged.problem.id for item in items}), len(items)]
        cells += [counts[outcome] for outcome in outcomes]
        cells.append(sum(not item.agrees for item in items))
        rows.append(f"| {name} | {' | '.join(map(str, cells))} |")
    return rows


def _confusion(told: Iterable[Confirmation]) -> list[str]:
    rows = confirm.table(confirm.confusion(told))
    head: list[object] = ["ours \\ plain", *(row[0] for row in rows)]
    lines = [f"| {' | '.join(map(str, row))} |" for row in (head, *rows)]
    return [lines[0], "|---|" + "---:|" * len(rows), *lines[1:]]


def _difference(item: Confirmation, kinds: dict[tuple[str, str], str]) -> str:
    one = item.judged
    plain = item.plain.value if item.plain else "none"
    note = " ".join(item.note.split())[:200]
    return (
        f"* {one.problem.id}, {kinds[_key(one)]}, {one.candidate.sha256[:12]}: "
        f"ours {one.outcome.value}, plain {plain} ({note})"
    )


def main() -> int:
    here = Path(__file__).parent
    ended.by_sigterm()
    parser = flags.arguments(__doc__)
    parser.add_argument("--per-bug", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--facts", type=Path, default=here / "agreement.jsonl")
    parser.add_argument("--out", type=Path, default=here / "agreement.md")
    options = parser.parse_args()
    settings, environment = parse(flags.settings(options, jobs=options.jobs))
    suite = make_suite(settings.suite, environment)
    assert isinstance(suite, Nl2fixSuite)
    bugs = options.bugs.split(",") if options.bugs else [problem.id for problem in suite.problems()]
    problems, errors = prepare(suite, bugs, environment, lambda done, total, label: None)
    for bug, error in errors.items():
        print(f"{bug}: {error}", file=sys.stderr)
    ready = [problem for problem in problems if problem.id not in errors]
    facts = PlainFacts(options.facts)
    made = (wanted(edits(suite, problem, facts), facts, options.per_bug) for problem in ready)
    chosen = [part for part in made if part]
    kinds = {(edit.problem.id, edit.candidate.key): edit.kind for edit in chain.from_iterable(chosen)}
    with closing(suite.validator()) as validator, ThreadPoolExecutor(options.jobs) as pool:
        parts = list(pool.map(lambda part: judged(validator, part), chosen))
    known = {_key(item.judged) for item in facts.split(list(chain.from_iterable(parts)))[0]}
    ours = [item for part in parts for item in telling(part, known, options.per_bug)]
    print(f"{sum(map(len, parts))} candidates of {len(parts)} bugs judged, {len(ours)} chosen", flush=True)
    before, asked = facts.split(ours)
    compared = [*before, *confirm.compare(suite, asked, options.jobs, progress, facts.add)]
    write_atomically(options.out, table(kinds, compared))
    return int(any(item.plain is not None and not item.agrees for item in compared))


def progress(done: int, total: int, label: str) -> None:
    print(f"{done} of {total}: {label}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
