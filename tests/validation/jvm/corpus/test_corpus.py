"""Hostile candidates among innocent ones: none passes unseen, none harms a neighbour, in any order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from nl2fix.core.cache import VerdictCache
from nl2fix.core.engine import Judging, judge
from nl2fix.core.records import Candidate, Outcome, Verdict
from nl2fix.validation.jvm.workers import Workers
from tests.validation.jvm import conftest
from tests.validation.jvm.conftest import BUG, CALC, Maker, Project
from tests.validation.jvm.corpus import plain
from tests.validation.jvm.corpus.candidates import (
    COMPILED,
    FORGERS,
    HIDDEN,
    HOSTILE,
    KNOWERS,
    MEDDLERS,
    SETTERS,
    SHADOWS,
    SPOILERS,
    TAIL,
    TESTNG,
)

CALC_TEST = """package acme;
import static org.junit.Assert.*;
import java.util.*;
import org.junit.Test;
public class CalcTest {
    @Test public void list() { assertTrue(Arrays.asList(Calc.mean(2, 4)).equals(Arrays.asList(3))); }
    @Test public void mean() { assertEquals(3, Calc.mean(2, 4)); }
    @Test public void objects() { assertTrue(Objects.equals(Integer.valueOf(3), Calc.mean(2, 4))); }
    @Test public void most() { assertEquals(Math.max(3, 3), Calc.mean(2, 4)); }
    @Test public void text() { assertEquals("3", String.valueOf(Calc.mean(2, 4))); }
    @Test public void shared() { assertEquals(Shared.three, Calc.mean(2, 4));
        assertEquals(Shared.some[0], Calc.mean(2, 4)); }
    @Test public void single() { List<Integer> l = Collections.singletonList(Calc.mean(2, 4));
        assertEquals("[3]", l.toString()); }
}
"""
HEIR_TEST = """package acme;
import static acme.Numbers.*;
import static org.junit.Assert.*;
import java.util.*;
public class HeirTest extends Calc {
    @org.junit.Test public void heir() { assertEquals(3, mean(2, 4)); assertEquals(THREE, mean(2, 4));
        assertTrue(Arrays.asList(mean(2, 4)).equals(Arrays.asList(3))); }
    @org.junit.Test public void tools() throws Exception {
        java.io.File f = java.io.File.createTempFile("abc", "d"); assertTrue(f.delete());
        assertNotNull(java.security.MessageDigest.getInstance("SHA-256"));
        assertTrue(java.net.HttpURLConnection.getFollowRedirects());
        synchronized (Integer.class) { assertEquals(8, twice(4)); } }
    @org.junit.Test public void read() throws Exception {
        java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
        new java.io.ObjectOutputStream(out).writeObject(new ArrayList<>(Arrays.asList(mean(2, 4))));
        byte[] all = out.toByteArray();
        Object read = new java.io.ObjectInputStream(new java.io.ByteArrayInputStream(all)).readObject();
        assertEquals("[3]", read.toString()); }
}
"""
NUMBERS = "package acme; public class Numbers { public static final int THREE = 3; }"
SHARED = (
    "package acme; public class Shared { public static int three = 3; public static final int[] some = {3}; }"
)
LIMIT = 1.0
"""Seconds for tests that take hundredths: many candidates never end, and are waited for several times."""
SOURCES = {"acme/Calc.java": CALC, "acme/Numbers.java": NUMBERS, "acme/Shared.java": SHARED}
TESTS = {"acme/CalcTest.java": CALC_TEST, "acme/HeirTest.java": HEIR_TEST}


@pytest.fixture(scope="module")
def project(workers: Workers, make: Maker) -> Iterator[Project]:
    if workers.sandbox.name == "none":
        pytest.skip("needs a sandbox (apt-get install bubblewrap)")
    made = make(sources=SOURCES, tests=TESTS)
    pool = Workers(workers.environment.having("sandbox", timeout=LIMIT), sandbox=workers.sandbox)
    yield replace(made, workers=pool)
    pool.close()


def of_testng(tests: Mapping[str, str]) -> dict[str, str]:
    """Tests of JUnit 4 as those of TestNG."""
    words = {"org.junit.Assert": "org.testng.Assert", "org.junit.Test": "org.testng.annotations.Test"}
    return {path: re.sub("|".join(words), lambda word: words[word[0]], text) for path, text in tests.items()}


def hostile(body: str) -> Candidate:
    body, _, tail = body.partition(TAIL)
    return Candidate(CALC.replace(BUG, body) + tail, "file")


def right(number: int) -> Candidate:
    return Candidate(CALC.replace(BUG, f"int k = {number}; return (a + b + k - k) / 2;"), "file")


def wrong(number: int) -> Candidate:
    return Candidate(CALC.replace(BUG, f"return a + 100 + {number};"), "file")


def judged(project: Project, candidates: Sequence[Candidate], folder: Path) -> dict[str, Verdict]:
    """Verdicts by key, reached as in a run."""
    cache = VerdictCache(folder / "verdicts.sqlite")
    judging = Judging(project.validator(), cache, jobs=1)
    memory = judge([(project.problem, candidates)], judging, lambda done, total, label: None)
    cache.close()
    assert memory.failures() == []
    return memory.verdicts(project.problem.id)


GROUPS = {
    "shadows": SHADOWS,
    "forgers": FORGERS,
    "knowers": KNOWERS,
    "setters": SETTERS,
    "hidden": HIDDEN,
    "meddlers": MEDDLERS,
    "compiled": COMPILED,
    "names": plain.NAMES,
    "what is kept": plain.KEPT,
    "what is slow": plain.SLOW,
    "plain knowers": plain.PLAIN_KNOWERS,
    **{f"spoilers {part + 1}": dict(list(SPOILERS.items())[part * 12 : part * 12 + 12]) for part in range(5)},
}


def test_the_corpus_is_large() -> None:
    assert len(HOSTILE) >= 60
    assert sum(map(len, GROUPS.values())) == len(HOSTILE) + len(plain.PLAIN)


def test_none_made_for_testng_passes_unseen(workers: Workers, make: Maker, tmp_path: Path) -> None:
    made = make(sources=SOURCES, tests=of_testng(TESTS), libraries=(*conftest.TESTNG, *conftest.JUNIT4))
    pool = Workers(workers.environment.having("sandbox", timeout=LIMIT), sandbox=workers.sandbox)
    candidates = {name: hostile(body) for name, body in TESTNG.items()}
    line = [*candidates.values(), right(1), wrong(1)]
    verdicts = judged(replace(made, workers=pool), line, tmp_path)
    pool.close()
    assert verdicts[right(1).key].plausible and not verdicts[wrong(1).key].plausible
    for name, candidate in candidates.items():
        found = verdicts[candidate.key]
        assert found.evidence.built, name
        assert not found.plausible or found.evidence.suspicious, name


def test_a_private_class_of_any_name_is_innocent(project: Project, tmp_path: Path) -> None:
    arrays = "private static class Arrays { static int half(int x) { return x / 2; }"
    helper = Candidate(
        CALC.replace(BUG, f"return Arrays.half(a + b); }} {arrays} }} static void f() {{"), "file"
    )
    assert judged(project, [helper], tmp_path)[helper.key].plausible


@pytest.mark.parametrize(
    ("name", "step"),
    [*((name, 1) for name in GROUPS), ("spoilers 1", -1)],
)
def test_none_passes_unseen_and_none_harms_a_neighbour(
    project: Project, name: str, step: int, tmp_path: Path
) -> None:
    """Forward, one group backward, too; ``benchmarks/hostile.py --order reverse`` has all of them."""
    group = GROUPS[name]
    bodies = list(group.values())[::step]
    line = [wrong(0), right(0)]
    for number, body in enumerate(bodies, start=1):
        line += [hostile(body), wrong(number), right(number)]
    verdicts = judged(project, line, tmp_path)
    for number in range(len(bodies) + 1):
        before = "the first" if number == 0 else next(n for n, b in group.items() if b == bodies[number - 1])
        assert verdicts[wrong(number).key].outcome is Outcome.WRONG, before
        found = verdicts[right(number).key]
        assert found.plausible and found.evidence.suspicious is None, (before, found)
    for title, body in group.items():
        found = verdicts[hostile(body).key]
        assert not found.plausible or found.evidence.suspicious, (title, found)
