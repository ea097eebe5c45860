"""Verdicts as they stand when a session is asked by hand, not by the engine."""

from __future__ import annotations

from collections.abc import Callable

from nl2fix.core.protocols import Session, Vouching
from nl2fix.core.records import Candidate, Verdict


def settled(session: Session, candidate: Candidate) -> Verdict:
    """The verdict that a session stands by."""
    verdicts = [session.validate(candidate)]
    settle(session, lambda doubted: verdicts.append(session.validate(doubted)))
    return verdicts[-1]


def settle(session: Session, judge: Callable[[Candidate], object]) -> None:
    """Have judged again what a session doubts, until it stands by all, as a run does behind all others."""
    while isinstance(session, Vouching) and (doubted := session.doubted()):
        for candidate in doubted:
            judge(candidate)
