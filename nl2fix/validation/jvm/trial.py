"""What a run of tests says of a candidate."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from nl2fix.core.records import Evidence, Outcome, Stage, Verdict
from nl2fix.validation.jvm.bench import Expected
from nl2fix.validation.jvm.worker import Build, Report, WorkerLost

_MESSAGE = 500
_CLOCK = re.compile(r"tim(?:ed?|ing)[ -]?out|exceeded timeout|TimeoutException|TestTimedOut", re.IGNORECASE)
"""How frameworks tell that a test's own time was up. It only makes us ask again."""
_OWN_LIMIT = re.compile(
    r"org\.junit\.runners\.model\.TestTimedOutException|java\.lang\.Exception: test timed out after \d|"
    r"org\.testng\.internal\.thread\.ThreadTimeoutException|"
    r"java\.util\.concurrent\.TimeoutException: .{1,200} timed out after \d|"
    r"[\w.]*AssertionFailedError: (?:.{0,200} ==> )?execution (?:timed out after|exceeded timeout of) \d"
)
"""The words of JUnit and TestNG for that. Load decides which limit a loop meets first, its own or ours."""


_BROKEN = re.compile(r"NoClassDefFoundError: Could not initialize class ([\w.$]+)")


class Trial(NamedTuple):
    """A verdict, and what to make of it."""

    verdict: Verdict
    by_clock: bool = False
    """Whether a wall clock decided, ours or a test's own."""
    ended: bool = False
    """Whether the candidate ended its worker each time."""
    longer: bool = False
    """Whether a test took more than its time, as it may beside others."""
    endless: bool = False
    """Whether a loop was seen never to end."""
    broken: str = ""
    """The class that a failure, or what caused it, says could not be set up."""

    @property
    def doubtful(self) -> bool:
        """Whether nobody knows what it would have done alone: it ended, but not in its time."""
        return self.longer and self.verdict.outcome is not Outcome.TIMEOUT

    @property
    def test(self) -> str:
        """The test that decided; empty if none did."""
        return self.verdict.evidence.failing_test or ""


def read(
    report: Report, expected: Expected, build: Build, stages: Sequence[Stage], tells: bool = False
) -> Trial:
    """The trial of a candidate that left its worker standing. ``tells``: with what its failures look like."""
    evidence = Evidence(
        stage=stages[min(report.phase, len(stages) - 1)],
        built=True,
        tests_run=sum(result.outcome != "S" for result in report.results),
        tests_expected=expected.count,
        build_sha256=build.sha256,
        test_seconds=report.took if report.timed_out else sum(report.seconds),
    )
    if report.timed_out:
        message = "the tests did not end within the time limit"
        if report.endless:
            message = f"the loop at {report.endless} never ends: nothing that it depends on changes any more"
        told = replace(evidence, failing_test=report.running or None, message=message)
        verdict = Verdict(Outcome.TIMEOUT, told)
        return Trial(verdict, report.late, longer=report.longer, endless=bool(report.endless))
    if failure := report.failure or expected.failure(report.results):
        message = report.message[:_MESSAGE]
        output = report.output or None if tells else None
        told = replace(evidence, failing_test=failure, message=message, output=output)
        outcome = Outcome.TIMEOUT if _OWN_LIMIT.match(message) else Outcome.WRONG
        found = _BROKEN.search(report.output)
        by_clock, broken = _CLOCK.search(message) is not None, found[1] if found else ""
        return Trial(Verdict(outcome, told), by_clock, longer=report.longer, broken=broken)
    complete = replace(evidence, tests_run=sum(sum(ran.values()) for ran in expected.ran(report.results)))
    if test := expected.mismatch(report.results):
        message = "this test did not run as often as on the reference fix"
        told = replace(complete, failing_test=test, message=message)
        return Trial(Verdict(Outcome.WRONG, told), longer=report.longer)
    done = replace(complete, stage="done", mended=expected.mended(report.results))
    return Trial(Verdict(Outcome.PLAUSIBLE, done), longer=report.longer)


def ended(lost: WorkerLost, expected: Expected, build: Build, stage: Stage) -> Trial:
    """The trial of a candidate that ended its worker."""
    evidence = Evidence(
        stage=stage,
        built=True,
        tests_expected=expected.count,
        failing_test=lost.test or None,
        message=str(lost)[:_MESSAGE],
        build_sha256=build.sha256,
        test_seconds=lost.seconds,
    )
    outcome = Outcome.TIMEOUT if lost.timed_out else Outcome.WRONG
    return Trial(Verdict(outcome, evidence), lost.timed_out, True)


def unbuilt(
    message: str, outcome: Outcome = Outcome.UNCOMPILABLE, seconds: float = 0.0, tells: bool = False
) -> Verdict:
    """The verdict on a candidate that does not compile. ``tells``: with all of the compiler's output."""
    output = message if tells else None
    return Verdict(
        outcome, Evidence("build", message=message[:_MESSAGE], output=output, build_seconds=seconds)
    )
