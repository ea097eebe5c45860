"""The corpus of hostile candidates: none is plausible, and none changes what its neighbours get."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.protocols import Session
from nl2fix.core.records import Candidate, Outcome, Verdict
from nl2fix.sandboxes.bubblewrap import Bubblewrap
from nl2fix.validation.python import PythonProgram, PythonValidator
from nl2fix.validation.python.client import ForkServer
from nl2fix.validation.python.programs import Programs
from tests.validation.python.corpus import CHEATS, KNOWERS, POISONS, plain
from tests.validation.python.corpus.task import PROBLEM, PROGRAMS, right, settings, wrong

HOSTILE = {**CHEATS, **KNOWERS, **POISONS}
PYTEST = {*[name for name in HOSTILE if "pytest" in name], *list(HOSTILE)[::5]}
SELECTED = {"script": HOSTILE, "unittest": {*HOSTILE} - {*plain.PLAIN}, "pytest": PYTEST}
"""Which meet which program here. Pytest costs most, and its server is that of unittest; those in plain code
do not know how their tests run. ``benchmarks/hostile.py`` has all of them."""
on_each_server = pytest.mark.parametrize("session", ["script", "pytest"], indirect=True)
NUMBERS = itertools.count()
Judge = Callable[[Candidate], Verdict]


def of_every_problem(program: PythonProgram) -> Programs:
    return lambda _: program


@pytest.fixture(scope="module")
def validators(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, PythonValidator]]:
    """One of each program for the whole corpus: a candidate meets workers that earlier ones have used."""
    with ExitStack() as stack:
        made = {}
        for kind, program in PROGRAMS.items():
            environment = Environment(cache=tmp_path_factory.mktemp("cache"), jobs=1)
            limited = environment.having("sandbox", name="bubblewrap", **settings(kind))
            made[kind] = stack.enter_context(closing(PythonValidator(limited, of_every_problem(program))))
        yield made


@pytest.fixture(params=PROGRAMS)
def session(
    request: pytest.FixtureRequest, validators: dict[str, PythonValidator], bubblewrap: Bubblewrap
) -> Iterator[Session]:
    with validators[request.param].session(PROBLEM) as made:
        yield made


def innocents_are_as_ever(session: Session) -> None:
    number = next(NUMBERS)
    failed = session.validate(wrong(number))
    assert failed.outcome is Outcome.WRONG and failed.evidence.suspicious is None
    assert "assert" in str(failed.evidence.message).lower()
    passed = session.validate(right(number))
    assert passed.plausible and passed.evidence.suspicious is None


@pytest.mark.parametrize(
    ("session", "name"),
    [(program, name) for program in PROGRAMS for name in HOSTILE if name in SELECTED[program]],
    indirect=["session"],
)
def test_no_hostile_candidate_passes_unseen_or_harms_the_next(session: Session, name: str) -> None:
    verdict = session.validate(Candidate(HOSTILE[name]))
    assert not verdict.plausible or (name in KNOWERS and verdict.evidence.suspicious)
    innocents_are_as_ever(session)


def test_what_equals_what_is_near_passes_by_no_luck_of_the_draw(session: Session) -> None:
    """Of its tests some were not changed, and those alone would have told."""
    for number in range(20):
        assert not session.validate(Candidate(f"{CHEATS['near enough']}\nnumber = {number}\n")).plausible


@on_each_server
def test_in_any_order(session: Session) -> None:
    """Hostile candidates back to back, an innocent one now and then."""
    names = random.Random(1).sample(sorted({*CHEATS, *POISONS}), 40)
    for at, name in enumerate(names):
        verdict = session.validate(Candidate(HOSTILE[name] + "\nagain = 1\n"))
        assert not verdict.plausible, name
        if at % 5 == 4:
            innocents_are_as_ever(session)


def test_the_tests_of_each_innocent_are_run(session: Session) -> None:
    """Edits that compile to equal code share one verdict: innocents of equal code would tell nothing."""
    verdicts = [session.validate(innocent(number)) for innocent in (right, wrong) for number in (-1, -2)]
    assert len({verdict.evidence.build_sha256 for verdict in verdicts}) == len(verdicts)


def test_the_corpus_is_large() -> None:
    assert len(HOSTILE) >= 60


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """What is done for those judged inside: programs run, servers started, servers lost."""
    done: Counter[str] = Counter()
    start, run, lost = ForkServer.__init__, ForkServer.judge, ForkServer._lost

    def noting(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*arguments: Any) -> Any:
            done[name] += 1
            return work(*arguments)

        return noted

    with monkeypatch.context() as patch:
        patch.setattr(ForkServer, "__init__", noting("started", start))
        patch.setattr(ForkServer, "judge", noting("run", run))
        patch.setattr(ForkServer, "_lost", noting("lost", lost))
        yield done


@on_each_server
@pytest.mark.parametrize(
    "name",
    [
        *("a sleeping child", "stop the parent", "fork bomb", "files in tmp", "tmp full"),
        "rights of what is made in tmp",
    ],
)
def test_no_innocent_waits(session: Session, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Innocents behind a misdeed cost what they always cost, but for one new server in its place."""
    innocents_are_as_ever(session)
    with counted(monkeypatch) as usual:
        innocents_are_as_ever(session)
    with counted(monkeypatch) as misdeed:
        assert not session.validate(Candidate(HOSTILE[name] + "\nagain = 1\n")).plausible
    assert misdeed["lost"] <= 1, "a server that no longer answers is waited for once, at most"
    with counted(monkeypatch) as behind:
        innocents_are_as_ever(session)
    assert (behind["run"], behind["lost"]) == (usual["run"], usual["lost"])
    assert behind["started"] <= usual["started"] + 1


_SAYS = """import os, struct, time
def say(text):
    for channel in range(3, 64):
        try: os.write(channel, struct.pack(">I", len(text)) + text)
        except OSError: pass
say(b'{"loaded": true}')
say(b'{"done": true, "failed_test": null, "ran": [], "output": "", "message": "", "marks": {"0": [%s, 0]}}')
time.sleep(0.2)
"""


@on_each_server
@pytest.mark.parametrize("number", ["1e999", "[" * 20_000], ids=["without end", "in lists without end"])
def test_no_server_ends_by_what_a_child_tells(
    session: Session, number: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with counted(monkeypatch) as done:
        assert session.validate(Candidate(_SAYS % number)).outcome is Outcome.WRONG
    assert not done["lost"]
