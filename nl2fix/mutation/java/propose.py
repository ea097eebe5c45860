"""Proposals for a Java problem: templates on its syntax tree, weighed by the words of its issue."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from nl2fix.core.records import Problem
from nl2fix.mutation.hints import Hints, hints_of
from nl2fix.mutation.java.fix_templates import JAVA_TEMPLATES
from nl2fix.mutation.java.region import RegionChecker
from nl2fix.mutation.java.senseless import count_senseless
from nl2fix.mutation.java.subject import Subject, subject_of
from nl2fix.mutation.proposals import Proposal, Scored, distinct, ordered

_NAME = re.compile(r"[A-Za-z_$][\w$]*")


def propose(problem: Problem, seed: int) -> Iterator[Scored]:
    """All in order: distinct, sound, not senseless; none when the region holds no method with a body."""
    hints = hints_of(problem)
    subject = subject_of(problem, hints)
    if subject is None:
        return
    families = [
        (
            template.name,
            template.prior * (template.boost if hints.says(template.cues) else 1.0),
            list(make(subject)),
        )
        for template, make in JAVA_TEMPLATES
    ]
    checker = RegionChecker(problem.text, problem.region)
    most = count_senseless(checker.tokens(()))
    for one in distinct(ordered(families, relevance(subject, hints), seed), checker):
        if count_senseless(checker.tokens(one.edits)) <= most:
            yield one


def relevance(subject: Subject, hints: Hints) -> Callable[[Proposal], float]:
    """How much the issue speaks of the place and of the text of an edit, as a factor of at least 1.

    A line named by a stack trace counts 4; a name of the issue that reads like code and stands on the
    edit's line counts a quarter more each, one that the edit brings in a half more.
    """
    lines = subject.text.split("\n")
    place: dict[int, float] = {}

    def of_line(number: int) -> float:
        if number not in place:
            named = sum(hints.names.get(word, 0.0) > 1.0 for word in set(_NAME.findall(lines[number - 1])))
            place[number] = (4.0 if number in hints.lines else 1.0) * (1.0 + 0.25 * min(named, 4))
        return place[number]

    def of_proposal(proposal: Proposal) -> float:
        first = proposal.edits[0]
        old = subject.text[first.start : first.end]
        fresh = set(_NAME.findall(first.text)) - set(_NAME.findall(old))
        brought = sum(hints.names.get(word, 0.0) > 1.0 for word in fresh)
        return of_line(subject.line(first.start)) * (1.0 + 0.5 * min(brought, 2))

    return of_proposal
