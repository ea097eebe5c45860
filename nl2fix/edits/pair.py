"""What mining is about: pairs of code before and after an edit, and what was left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class EditPair:
    """One edit: the code before, the message that asks for it, the code after."""

    language: str
    """Name in the language registry."""
    before: str
    after: str
    message: str
    """What asks for the edit, on one line: a commit's subject, an issue's title."""
    origin: str
    """Name of the repository, data file or run it comes from."""
    revision: str
    """Commit, row or sample inside its origin."""
    path: str = ""
    entity: str = ""
    """The unit that the code is, in the language's own notation; empty for a whole file."""
    details: str = ""
    """Description of an issue; empty for commits."""
    license: str = ""
    """SPDX id, lower case; empty where none was found."""
    issues: tuple[str, ...] = ()
    """Ids of issues that the whole commit message names, e.g. ``LANG-747`` or ``gson#12``."""


class Removed(NamedTuple):
    """What became no pair, and why."""

    origin: str
    revision: str
    path: str
    reason: str
    """One of few words, to be counted."""
    detail: str = ""


Found = Iterator[EditPair | Removed]
"""What a source gives, in its own order."""


def removed(pair: EditPair, reason: str, detail: str = "") -> Removed:
    """The record of a pair that was left out."""
    return Removed(pair.origin, pair.revision, pair.path, reason, detail)
