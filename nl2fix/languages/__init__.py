"""Programming languages: locate and replace units, strip comments, tokenise, check syntax.

And what texts in any of them write as values and state as examples.
"""

from __future__ import annotations

from functools import cache

from nl2fix.core.protocols import Language
from nl2fix.core.registry import Registry

LANGUAGES = Registry(
    "language",
    {
        "java": "nl2fix.languages.java:make",
        "python": "nl2fix.languages.python:make",
        "javascript": "nl2fix.languages.javascript:make",
        "go": "nl2fix.languages.go:make",
        "cpp": "nl2fix.languages.cpp:make",
        "rust": "nl2fix.languages.rust:make",
    },
    group="nl2fix.languages",
)
"""Name of a language → factory of the object that satisfies ``nl2fix.core.protocols.Language``."""


@cache
def language(name: str) -> Language:
    """The language of that name; an unknown one raises ``UsageError`` with the nearest known name."""
    made: Language = LANGUAGES.make(name, {}, None)
    return made
