"""Verdicts as they stand when a session is asked by hand, not by the engine."""

from __future__ import annotations

from nl2fix.core.protocols import Session, Vouching
from nl2fix.core.records import Candidate, Verdict


def settled(session: Session, candidate: Candidate) -> Verdict:
    """The verdict that a session stands by: reached again while it doubts it."""
    verdict = session.validate(candidate)
    while isinstance(session, Vouching) and candidate in session.doubted():
        verdict = session.validate(candidate)
    return verdict
