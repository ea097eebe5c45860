"""All metrics over many triples."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.core.registry import always
from nl2fix.languages import language
from nl2fix.metrics import METRICS
from nl2fix.metrics.measure import Case, Measures, Triple, measure, measure_all, measure_views, usable
from nl2fix.metrics.texts import Revision

BEFORE = "int f(int a) { int b = a + 1; return b; }"
FIXED = ("int f(int a) { int b = a - 1; return b; }",)
NAMES = ("exact_match", "bleu", "codebleu", "excision_token")


def length_ratio(revision: Revision) -> float:
    """A metric as a user would add it."""
    return len(revision.candidate.tokens) / len(revision.before.tokens)


def deadly(revision: Revision) -> float:
    """A metric that ends its process, as the system does when memory runs out."""
    os.kill(os.getpid(), signal.SIGKILL)
    return 0.0


def characters(revision: Revision) -> float:
    return len(revision.candidate.raw)


def faulty(revision: Revision) -> float:
    raise LookupError("no such token")


make_length_ratio, make_deadly, make_faulty = always(length_ratio), always(deadly), always(faulty)
make_characters = always(characters)


def triples() -> list[Triple]:
    edits = [BEFORE.replace("+ 1", f"- {i % 3}") for i in range(12)]
    return [Triple(BEFORE, FIXED, edit) for edit in edits] + [Triple(FIXED[0], (BEFORE,), BEFORE)]


def test_every_metric_has_its_value_and_the_reference_is_best() -> None:
    scores = measure(Triple(BEFORE, FIXED, FIXED[0]), language("java"))
    assert set(scores) == set(METRICS)
    assert scores.pop("edit_distance") == 0.0
    assert all(value == pytest.approx(1.0) for value in scores.values())


def test_many_equal_one_by_one_in_any_number_of_processes() -> None:
    many = triples()
    alone = [measure(triple, language("java"), NAMES) for triple in many]
    assert measure_all(many, "java", NAMES) == alone
    assert measure_all(many, "java", NAMES, jobs=2) == alone


def test_equal_triples_are_measured_once() -> None:
    scores = measure_all(triples(), "java", ["bleu"])
    assert scores[0] is scores[3]
    assert scores[0] is not scores[1]


LAYOUT = st.lists(st.sampled_from(["\n", "\n\n", "\n    ", "  \n\t", " // note\n"]), min_size=4, max_size=4)


@settings(max_examples=10)
@given(st.sampled_from(["a + 1", "a - 2", "(a", "a + + b", '"x  y" + a']), LAYOUT, LAYOUT)
def test_texts_that_differ_in_indentation_and_comments_have_the_values_they_have_alone(
    code: str, one: list[str], other: list[str]
) -> None:
    """Also broken ones; behind a shared prefix too."""
    lines = ["int f(int a) {", f"int b = {code};", "return b;", "}"]
    texts = ["".join(map("".join, zip(lines, breaks, strict=True))) for breaks in (one, other)]
    cases = [Case(Triple(BEFORE, FIXED, text), "x = y + 1;\n" * 3) for text in texts]
    wanted = Measures(tuple(METRICS), ("codebleu",), tuple(METRICS))
    assert measure_views(cases, "java", wanted) == [measure_views([c], "java", wanted)[0] for c in cases]


def test_what_is_made_of_candidates_is_freed_without_the_collector() -> None:
    """It is off while they are measured."""
    texts = [f"int f(int a) {{ while (a < {i}) {{ a += {i}; }} return a; }}" for i in range(40)]

    def left(count: int) -> int:
        gc.collect()
        measure_all([Triple(BEFORE, FIXED, text) for text in texts[:count]], "java")
        return gc.collect()

    left(1)  # what is loaded the first time has cycles
    assert left(40) == left(2)
    assert gc.isenabled()


def test_a_metric_from_elsewhere_sees_every_text() -> None:
    name = "tests.metrics.test_measure:make_characters"
    cases = [Triple(BEFORE, FIXED, BEFORE), Triple(BEFORE, FIXED, "  " + BEFORE)]
    assert [scores[name] for scores in measure_all(cases, "java", [name])] == [len(BEFORE), len(BEFORE) + 2]


def test_progress_counts_duplicates() -> None:
    told: list[tuple[int, int, str]] = []
    measure_all(triples(), "java", ["exact_match"], progress=lambda *args: told.append(args))
    assert told[-1] == (13, 13, "metrics")


def test_a_metric_from_another_module() -> None:
    name = "tests.metrics.test_measure:make_length_ratio"
    assert measure(Triple(BEFORE, FIXED, BEFORE), language("java"), [name]) == {name: 1.0}


def test_nothing_and_unknown_names() -> None:
    assert measure_all([], "java") == []
    with pytest.raises(UsageError, match="did you mean 'codebleu'"):
        measure_all(triples(), "java", ["codebleau"])


def test_in_a_language_that_is_not_there_all_is_undefined() -> None:
    assert measure_all([Triple("a", ("b",), "c")], "cobol", ["bleu", "chrf"]) == [
        {"bleu": None, "chrf": None}
    ]


def test_an_edit_needs_a_reference() -> None:
    with pytest.raises(ValueError, match="reference"):
        measure(Triple(BEFORE, (), BEFORE), language("java"))


def test_what_a_metric_raises_in_a_process_is_raised() -> None:
    with pytest.raises(LookupError, match="no such token") as raised:
        measure_all(triples(), "java", ["tests.metrics.test_measure:make_faulty"], jobs=2)
    assert "in faulty" in raised.value.__notes__[0]
    with pytest.raises(UsageError, match="did you mean 'codebleu'"):
        measure_all(triples(), "java", ["codebleau"], jobs=2)


def test_a_process_that_is_lost_is_told() -> None:
    with pytest.raises(InfrastructureError, match="status -9.*fewer --jobs"):
        measure_all(triples(), "java", ["tests.metrics.test_measure:make_deadly"], jobs=2)


HEAD = "v_abc = v_d + 12;\nb = v_abc + 1;\nv_e = v_abc + 1;\n"
"""Lines as the study pads with, some of whose names the texts have too."""
SAMPLES = {
    "java": ["int f(int a) { int b = a + 1; return b; }", "int f(int a) { return a", "/* x */ a >> 1;", "}"],
    "python": [
        "def f(a):\n    b = a + 1  # x\n    return b\n",
        "    return a",
        "if a not in b:\n  x = 'q",
        "",
    ],
    "javascript": ["function f(a) { let b = a + 1; return b }", "#!/usr/bin/env node\nf(1)", "`a ${b}", "}"],
    "go": ["func f(a int) int { b := a + 1; return b }", "package p\nvar x = 1", "`a", "}"],
    "cpp": [
        "int f(int a) { int b = a + 1; return b; }",
        "#include <map>\nint x;",
        "map<a, b<c>> d;",
        "}",
    ],
    "rust": ["fn f(a: i32) -> i32 { let b = a + 1; b }", "#![allow(x)]\nfn g() {}", "fn f<'a>(b: &'a", "}"],
}


@pytest.mark.parametrize("name", SAMPLES)
def test_views_equal_what_is_measured_of_such_texts_alone(name: str) -> None:
    """Sharing what views have in common changes no value, also where code is broken."""
    samples = SAMPLES[name]
    triples = [Triple(a, (b, samples[0]), c) for a in samples for b in samples for c in samples]
    for head in (HEAD, HEAD.replace("b =", "v_b =")):
        names = tuple(METRICS)
        found = measure_views([Case(t, head) for t in triples], name, Measures(names, ("codebleu",), names))
        for (before, references, code), views in zip(triples, found, strict=True):
            padded = Triple(head + before, tuple(head + r for r in references), head + code)
            assert views.plain == measure(Triple(before, references, code), language(name))
            assert views.padded == measure(padded, language(name))
            assert views.backward == measure(Triple(before, (before,), code), language(name), ["codebleu"])


LONG = """
import signal
from nl2fix.metrics.measure import Triple, measure_all

def stop(*_):
    raise KeyboardInterrupt

signal.signal(signal.SIGTERM, stop)
before = "int f(int a) { int b = a; return b; }"
body = ["".join(f" b += {i} * {j};" for j in range(30)) for i in range(20_000)]
triples = [Triple(before, (before,), before.replace(" return", f"{own} return")) for own in body]
names = ["codebleu", "chrf"]
try:
    measure_all(triples, "java", names, jobs=2, progress=lambda done, *_: print(done, flush=True))
except KeyboardInterrupt:
    print("stopped")
    raise SystemExit(130)
"""
"""Minutes of work, ended as the command line is."""


@pytest.fixture
def long() -> Iterator[subprocess.Popen[str]]:
    """In the middle of its work, in a process group of its own."""
    process = subprocess.Popen(
        [sys.executable, "-c", LONG],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(2)] == ["256\n", "512\n"]
        yield process
    finally:
        for pid in members(process.pid):
            os.kill(pid, signal.SIGKILL)
        process.wait()


def members(group: int) -> list[int]:
    """Living processes of a group, the oldest first; zombies do not live."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(fields[2]) == group and fields[0] not in "ZX":
                found.append(int(stat.parent.name))
    return sorted(found)


def gone(group: int) -> bool:
    """Whether all of a group end, in a time that is no measure."""
    end = time.monotonic() + 20
    while members(group) and time.monotonic() < end:
        time.sleep(0.05)
    return not members(group)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("who", ["one", "all", "one after the other"])
def test_a_stopped_measurement_ends_with_its_processes(
    long: subprocess.Popen[str], number: signal.Signals, who: str
) -> None:
    if who == "all":
        os.killpg(long.pid, number)
    for pid in {"one": [long.pid], "all": []}.get(who, members(long.pid)):
        with suppress(ProcessLookupError):
            os.kill(pid, number)
        time.sleep(0.02)  # those that are left see that another ended
    out, errors = long.communicate(timeout=30)
    assert (long.returncode, out.splitlines()[-1], errors) == (130, "stopped", "")
    assert gone(long.pid)


def test_processes_end_when_their_parent_is_killed(long: subprocess.Popen[str]) -> None:
    long.kill()
    assert gone(long.pid)
    assert long.communicate()[1] == ""


def test_a_metric_of_an_installed_package_that_cannot_be_made_is_left_out_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody had named it, and no run had a table any more, when all its work was done."""
    (tmp_path / "evil_metrics.py").write_text(
        "def bang(options, environment):\n    raise RuntimeError('bang')\n"
        "def fine(options, environment):\n    return lambda revision: 1.0\n"
    )
    told = tmp_path / "evil-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    lines = [
        "[nl2fix.metrics]",
        "gone = no_such_module:x",
        "bang = evil_metrics:bang",
        "fine = evil_metrics:fine",
    ]
    (told / "entry_points.txt").write_text("\n".join(lines))
    monkeypatch.syspath_prepend(tmp_path)
    found = {point.name: point for point in entry_points(group="nl2fix.metrics")}
    monkeypatch.setitem(vars(METRICS), "_installed", found)
    usable.cache_clear()
    with pytest.warns(UserWarning) as warned:
        names = usable()
    usable.cache_clear()
    assert {"gone", "bang"}.isdisjoint(names) and {"fine", *METRICS.built_in} <= {*names}
    messages = sorted(str(one.message) for one in warned)
    assert [message.partition(": ")[0] for message in messages] == [
        "metric bang of package evil is left out",
        "metric gone of package evil is left out",
    ]
    assert "RuntimeError: bang (" in messages[0] and "no_such_module" in messages[1]
