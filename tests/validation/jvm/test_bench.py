"""What compiling on the bench shares from the first compilation on, and what it never shares."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from nl2fix.validation.jvm.bench import Bench
from tests.validation.jvm.conftest import CALC, FIXED, Maker, Project

ASIDE = """
enum Way { UP }

class Rounding {
    static Way way() { return Way.UP; }
}
"""


@pytest.fixture(scope="module")
def project(make: Maker) -> Project:
    return make(sources={"acme/Calc.java": CALC + ASIDE})


@pytest.fixture
def bench(project: Project) -> Iterator[Bench]:
    with closing(Bench(project.workspace, project.problem, project.workers)) as made:
        yield made


def test_the_unedited_program_is_compiled_together_with_all_that_follow(make: Maker) -> None:
    project = make()
    with closing(Bench(project.workspace, project.problem, project.workers)) as bench:
        unedited = bench.compile(bench.unedited)
        fixed = bench.compile((project.problem.text.replace("return (a + b) / 2 + 1;", FIXED),), warm=True)
        separate = bench.compile((project.problem.text.replace("return (a + b) / 2 + 1;", FIXED),))
    assert unedited.warm and fixed.warm and not separate.warm
    assert fixed.sha256 == separate.sha256 != unedited.sha256


def test_all_classes_of_the_unedited_file_are_known_and_none_of_them_is_seen_as_it_was(bench: Bench) -> None:
    assert bench.original() == ("acme.Calc", "acme.Rounding", "acme.Way")
    [text] = bench.unedited
    for warm in (True, False):
        gone = bench.compile((text.replace("enum Way { UP }", ""),), warm)
        assert not gone.compiled and "Way" in gone.message
        more = bench.compile((text.replace("{ UP }", "{ UP, DOWN }").replace("Way.UP", "Way.DOWN"),), warm)
        assert more.compiled and more.warm == warm
        unknown = bench.compile((text.replace("Way.UP", "Way.DOWN"),), warm)
        assert not unknown.compiled, "what an earlier candidate declared"
