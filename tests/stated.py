"""A suite of one bug whose comment states an example, and a model of three answers of which two agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from nl2fix import JUNIT, Candidate, Completion, JavaProject, PlainJava, Problem, language
from nl2fix.core.records import Request

CODE = """class Greet {
    /** {@code hi("Al")} returns {@code "Hi Al"}. */
    static String hi(String name) { return "Hi" + name; }
}"""
TEST = """import org.junit.*; public class GreetTest {
    @Test public void space() { Assert.assertEquals("Hi Al", Greet.hi("Al")); } }"""
SPAN = language("java").locate(CODE, "hi(String)")
assert SPAN
TITLE = "There is no space in the greeting"
BEFORE = CODE[slice(*SPAN)]
BUG = Problem(
    "greet-1", "greet", "demo", "java", "Greet.java", CODE, SPAN, "hi(String)", BEFORE, {"title": TITLE}
)
ANSWERS = ['"Hi:"', '"Hi:"', '"Hi "']


class Greet:
    name = "greet"

    def __init__(self, options: Any, environment: Any) -> None:
        java = PlainJava("greet", environment, self.project, sorted(JUNIT.glob("*.jar")))
        self.prepare, self.validator = java.prepare, java.validator

    def problems(self) -> Sequence[Problem]:
        return [BUG]

    def reference(self, bug: Problem) -> Candidate:
        return Candidate(bug.before.replace('"Hi"', '"Hi "'))

    def project(self, bug: Problem) -> JavaProject:
        tests = {"GreetTest.java": TEST}
        return JavaProject(bug, self.reference(bug), "Greet.java", {}, tests, ("GreetTest",), ("8",))


class Three:
    name = "three"

    def complete(self, requests: Sequence[Request]) -> Iterator[Completion]:
        for request in requests:
            for sample in request.samples:
                code = BUG.before.replace('"Hi"', ANSWERS[sample])
                yield Completion(request.problem.id, sample, code=code)


def three(options: Any, environment: Any) -> Three:
    return Three()
