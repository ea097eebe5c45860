"""What ``suggest`` gives: typed, JSON-able, the same for command line, Python and the web page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from nl2fix.core.records import Evidence, Outcome
from nl2fix.validation.jvm.ids import declared


@dataclass(frozen=True, slots=True)
class Where:
    """A method that is edited."""

    file: str
    """Path of its file inside the repository."""
    method: str
    line: int
    """1-based line on which it begins."""
    column: int
    """1-based column, in code points."""
    before: str
    file_sha256: str
    """Hash of the file the edit was made for."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One patch that compiles and passes the tests, in its place of the ranking."""

    rank: int
    """Place, from 1."""
    code: str
    """The method as it would stand in the file."""
    text: str
    """The whole file with the suggestion in it."""
    does: str
    """What the edit does, in one sentence."""
    patch: str
    """Unified diff against the repository, for ``git apply`` or ``patch -p1``."""
    evidence: Evidence
    why: str
    """Why it is ranked here, in one line."""
    samples: int
    """How often the model proposed it."""
    fixes: tuple[str, ...]
    """Tests (``Class::method``) that fail today and pass with it."""
    failing: tuple[str, ...]
    """Tests that fail today and go on failing with it."""
    passed: int
    """Tests that ran and passed, twice."""
    tests: int
    """Tests that ran."""
    calls: int = 0
    """Calls of the method that were made and compared with today's; 0: it could not be called."""
    changes: tuple[str, ...] = ()
    """The first calls that do something else than today: ``pageCount() on Pager(…): 3 → 2``."""
    against: str = ""
    """The first of these calls that a test makes which passes today: a fix seldom changes such a one."""
    examples: str = ""
    """How many stated examples it keeps: ``keeps 5 of 5 examples in the comment; before: 3 of 5``."""
    alike: int = 0
    """Place of a better suggestion that does the same on every call; 0 where none does."""
    key: str = ""
    """Name of the candidate."""
    where: Where | None = None
    """What it edits, where that is another method than the result's."""

    @property
    def seen(self) -> tuple[str, ...]:
        """What it does when it is called, in lines; once for all that do the same."""
        against = f"changes for a test that passes today: {self.against}" if self.against else ""
        kept = tuple(filter(None, (self.examples, against)))
        if self.calls and not (self.changes or self.against):
            return (*kept, f"nothing seen to change on {self.calls} calls")
        if self.alike:
            return (f"does the same as #{self.alike} on {self.calls} calls", *kept)
        return (*kept, *self.changes)

    @property
    def is_idle(self) -> bool:
        """Whether calls were compared, and neither these nor tests show that it changes anything."""
        return bool(self.calls) and not (self.fixes or self.changes or self.against)

    @property
    def label(self) -> str:
        """What it does to the tests, in words."""
        if not self.fixes:
            return "changes no test result"
        names = _apart(self.fixes)
        return f"fixes {', '.join(names[:3])}" + (f" and {len(names) - 3} more" if len(names) > 3 else "")

    @property
    def counts(self) -> str:
        """How many tests pass, in words."""
        if self.failing:
            verb = "fails" if len(self.failing) == 1 else "fail"
            return f"{self.passed} of {self.tests} tests pass, {len(self.failing)} {verb} as today"
        return f"{self.passed} test passes" if self.passed == 1 else f"{self.passed} tests pass"


@dataclass(frozen=True, slots=True)
class Rejected:
    """Answers that became no suggestion, for one reason."""

    outcome: str
    """``no_edit``, ``uncompilable``, ``wrong``, ``timeout``, or ``plausible`` for what does nothing."""
    reason: str
    """One line."""
    samples: tuple[int, ...]
    """Which answers, from 0."""
    method: str = ""
    """The method that they are of, where several were tried."""


@dataclass(frozen=True, slots=True)
class Likely:
    """A method that may be meant."""

    method: str
    file: str
    """Path inside the repository."""
    line: int
    why: str


@dataclass(frozen=True, slots=True)
class Sought:
    """That no edit makes the test pass that decides."""

    tests: tuple[str, ...]
    """Those (``Class::method``) that had to pass."""
    edits: Mapping[str, int]
    """Method → how many of its edits were judged."""
    places: tuple[Likely, ...] = ()
    """The likeliest methods, best first; none where the method was named."""
    whole: bool = True
    """Whether all edits were judged."""

    @property
    def told(self) -> str:
        """The same in one line."""
        tests = _apart([*dict.fromkeys(declared(test) for test in self.tests)])
        judged, methods = sum(self.edits.values()), ", ".join(self.edits)
        passes = f"makes {', '.join(tests)} pass"
        if self.whole:
            return f"no edit of {methods} {passes} ({judged} judged)"
        return f"not all edits were judged; none of those of {methods} so far {passes} ({judged} judged)"


@dataclass(frozen=True, slots=True)
class KeptTest:
    """A test that fails today and passes with a suggestion, made of one of the lines that it changes."""

    rank: int
    """Of the suggestion."""
    line: int
    """Which of its ``changes``, from 1."""
    change: str
    test: str
    """``org.acme.PagerTest#pageCountGives2``."""
    path: str
    """Of its class inside the repository."""
    code: str
    """The test alone."""
    text: str
    """The whole class with it."""
    new: bool
    """Whether the class is new."""
    file_sha256: str
    """Hash of the class as it was; of the empty text for a new one."""


@dataclass(frozen=True, slots=True)
class SuggestResult:
    """A suggestion session as it stands."""

    repo: str
    file: str
    """Path of the edited file inside the repository."""
    method: str
    line: int
    """1-based line on which the method begins."""
    column: int
    """1-based column, in code points."""
    title: str
    issue: str
    """The whole text of the issue."""
    before: str
    suggestions: tuple[Suggestion, ...]
    """Best first, at most as many as were asked for."""
    judged: int
    """Distinct candidates judged so far."""
    outcomes: Mapping[str, int]
    """Outcome → distinct candidates."""
    tests: int
    """Tests that judge a candidate."""
    failing: tuple[str, ...]
    """Those that fail today and may go on failing."""
    complete: bool
    """False when it was stopped early."""
    seconds: float
    rejected: tuple[Rejected, ...] = ()
    """Why the other answers are no suggestions, the commonest reason first."""
    failures: tuple[str, ...] = ()
    """Infrastructure errors; never counted as verdicts."""
    file_sha256: str = ""
    """Hash of the file the suggestions were made for."""
    kept: KeptTest | None = None
    """The test that was asked for."""
    late: bool = False
    """Whether time was too short to judge all edits."""
    sought: Sought | None = None
    """What was looked for in vain; ``None`` where no test has to pass, or a suggestion makes it pass."""
    vain: tuple[Suggestion, ...] = ()
    """What passes the tests and makes no failing one pass, where one decides: judged, and no suggestions."""
    triggers: tuple[str, ...] = ()
    """Tests that fail today and must pass."""

    @property
    def where(self) -> Where:
        """The method that was worked on."""
        return Where(self.file, self.method, self.line, self.column, self.before, self.file_sha256)

    def at(self, suggestion: Suggestion) -> Where:
        """What a suggestion edits."""
        return suggestion.where or self.where

    @property
    def failing_today(self) -> tuple[str, ...]:
        """All tests that fail today, first those that must pass."""
        return tuple(dict.fromkeys((*self.triggers, *self.failing)))

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        plain = {**asdict(self), "failing": self.failing_today, "summary": summary_line(self)}
        rows = (*plain["suggestions"], *plain["vain"])
        for suggestion, row in zip((*self.suggestions, *self.vain), rows, strict=True):
            row.update(label=suggestion.label, counts=suggestion.counts, seen=suggestion.seen)
        for row in plain["rejected"]:
            if not row["method"]:
                del row["method"]  # all are of the result's own
        if self.sought is not None:
            plain["sought"]["told"] = self.sought.told
        return plain


def summary_line(result: SuggestResult) -> str:
    """How many were judged, and how."""
    counts = ", ".join(
        f"{result.outcomes[o.value]} {o.value}" for o in Outcome if result.outcomes.get(o.value)
    )
    failing = f", {len(result.failing)} of which may fail as today" if result.failing else ""
    judged = f"{result.judged} candidate{'s' * (result.judged != 1)} judged ({counts or 'none'})"
    return f"{judged} with {result.tests} test{'s' * (result.tests != 1)}{failing}"


def _apart(tests: Sequence[str]) -> list[str]:
    """Names of tests without their packages, but for those of classes that are called alike."""
    shown = [short(test) for test in tests]
    return [
        test.replace("::", "#") if shown.count(name) > 1 else name
        for test, name in zip(tests, shown, strict=True)
    ]


def short(test: str) -> str:
    """``FooTest#bar`` of ``org.acme.FooTest::bar``."""
    owner, _, method = test.partition("::")
    return f"{owner.rpartition('.')[2]}#{method}" if method else owner.rpartition(".")[2]
