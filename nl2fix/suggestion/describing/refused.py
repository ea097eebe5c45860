"""Why a candidate became no suggestion, on one line."""

from __future__ import annotations

import re
import textwrap

from nl2fix.core.records import Verdict

_SAID = 160
"""Characters of what a failing test says on several lines."""
_LOADERS = re.compile(r" \([^()]* module [^()]*of loader [^()]*\)")
"""Whose loaders the classes of a wrong cast are of: the JVM names ours, which each edit has anew."""
_WITHIN = re.compile(r"\bexpected: ?<[^>]*$")
"""Before the second line of a value that JUnit compares."""
_SYMBOL = re.compile(r"\s*symbol:\s*(\S.*)")


def reason(verdict: Verdict) -> str:
    """The test that failed and what it said, or what the compiler said."""
    evidence = verdict.evidence
    said = _said(evidence.message or "")
    test = (evidence.failing_test or "").replace("::", "#")
    return ": ".join(filter(None, (test, said)))


def _said(message: str) -> str:
    """Its first line; where that only announces others, as AssertJ's do, or ends amid a value, some of these
    on the same line.

    What javac cannot find stands on the second.
    """
    message = _LOADERS.sub("", message.strip())
    first, _, rest = message.partition("\n")
    if symbol := _SYMBOL.match(rest):
        return f"{first}: {symbol[1].strip()}"
    if rest and (first.rstrip().endswith(":") or _WITHIN.search(first)):
        return textwrap.shorten(message, _SAID, placeholder=" …")
    return first
