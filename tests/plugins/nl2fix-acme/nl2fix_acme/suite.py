"""Two greetings in JavaScript. A candidate is right when its tokens are those of the fix."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from nl2fix import Candidate, Evidence, Outcome, Problem, Verdict, language

FIXES = {"hi": '"Hi!"', "bye": '"Bye!"'}
CODE = 'function {0}(name) {{ // greets\n  return "{1}" + name;\n}}'


class Greetings:
    name = "acme-greetings"

    def problems(self) -> list[Problem]:
        return [self._problem(name) for name in FIXES]

    def reference(self, problem: Problem) -> Candidate:
        return Candidate(problem.before.replace(f'"{problem.id.title()}"', FIXES[problem.id]))

    def prepare(self, problems: Sequence[Problem], jobs: int, progress: object) -> dict[str, str]:
        return {}

    def validator(self) -> "SameTokens":
        return SameTokens(self)

    def _problem(self, name: str) -> Problem:
        code, script = CODE.format(name, name.title()), language("acme-script")
        span, title = script.locate(code, name), f"{name} is not loud enough"
        assert span is not None
        visible = script.strip_comments(code)
        return Problem(
            name,
            self.name,
            "greetings",
            script.name,
            f"{name}.js",
            code,
            span,
            name,
            visible,
            {"title": title},
        )


class SameTokens:
    def __init__(self, suite: Greetings) -> None:
        self._suite = suite

    def identity(self, problem: Problem) -> dict[str, str]:
        return {"workspace": problem.text, "rule": "same tokens"}

    @contextmanager
    def session(self, problem: Problem) -> Iterator["Session"]:
        wanted = language(problem.language).tokens(self._suite.reference(problem).apply(problem))
        yield Session(problem, wanted)

    def close(self) -> None:
        pass


class Session:
    def __init__(self, problem: Problem, wanted: list[str]) -> None:
        self._problem, self._wanted = problem, wanted

    def validate(self, candidate: Candidate) -> Verdict:
        right = language(self._problem.language).tokens(candidate.apply(self._problem)) == self._wanted
        evidence = Evidence(
            "done" if right else "trigger", built=True, tests_run=1, tests_expected=1, confirmed=right
        )
        return Verdict(Outcome.PLAUSIBLE if right else Outcome.WRONG, evidence)
