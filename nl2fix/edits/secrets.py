"""Keys, tokens and passwords in code, by the detectors of detect-secrets (Yelp).

Its patterns for keys of known services, private keys, assignments to names such as ``password``, and
strings of high entropy. Public addresses are no secrets. What is found is named by its kind only.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from nl2fix.core.errors import UsageError

_LEFT_OUT = frozenset({"IPPublicDetector"})
_ASSIGNED = re.compile(r"key|pass|pwd|secret|contrase", re.IGNORECASE)
"""Found wherever the detector of assignments finds something."""
_KEYLIKE = re.compile(
    r"[\w+/=\-\\]{16}|://|PRIVATE KEY|PuTTY|AKC|AP[\dA-F]|xox[abpors]-|_authToken|eyJ|aws", re.IGNORECASE
)
"""On every line in which a pattern finds a key; the patterns are slow and few lines are like this."""
_QUOTED = re.compile(r"""(["'])[A-Za-z0-9+/=_\-\\]{20,}\1""")
"""Shorter strings have no entropy to speak of."""
_HARMLESS = re.compile(
    r"(?:my|the|your|new|old|some|test|example|sample|dummy|pass(?:word|wd|phrase)?|secret|user(?:name)?|foo|bar|baz"
    r"|key|null|none|x+|[\W_]|\d{1,3})*|[$<%{].*[>}s]",
    re.IGNORECASE,
)
"""Values that stand for a password without being one."""


class Detectors(NamedTuple):
    patterns: tuple[Any, ...]
    assignments: Any
    entropies: tuple[Any, ...]
    harmless: tuple[Callable[[str], bool], ...]
    """Heuristics for values that only look random: sequences, UUIDs, templates."""


def secret_in(text: str) -> str | None:
    """The kind of the first secret in a text; ``None`` where there is none."""
    detectors = _detectors()
    lines = [*dict.fromkeys(text.splitlines())]
    keylike = [line for line in lines if _KEYLIKE.search(line)]
    for detector in detectors.patterns if keylike else ():
        if any(not _HARMLESS.fullmatch(value) for value in detector.analyze_string("\n".join(keylike))):
            return str(detector.secret_type)
    for line in filter(_ASSIGNED.search, lines):
        if any(not _HARMLESS.fullmatch(value) for value in detectors.assignments.analyze_string(line)):
            return str(detectors.assignments.secret_type)
    for line in filter(_QUOTED.search, keylike):
        for detector in detectors.entropies:
            values = (str(secret.secret_value) for secret in detector.analyze_line("", line))
            if any(not any(judge(value) for judge in detectors.harmless) for value in values):
                return str(detector.secret_type)
    return None


@cache
def _detectors() -> Detectors:
    try:
        from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
        from detect_secrets.filters import heuristic
        from detect_secrets.plugins.base import RegexBasedDetector
        from detect_secrets.plugins.high_entropy_strings import Base64HighEntropyString, HexHighEntropyString
        from detect_secrets.plugins.keyword import KeywordDetector
    except ImportError:
        raise UsageError("finding secrets needs detect-secrets: pip install 'nl2fix[edits]'") from None
    classes: dict[str, Any] = get_mapping_from_secret_type_to_class()
    patterns = tuple(
        made()
        for _, made in sorted(classes.items())
        if issubclass(made, RegexBasedDetector) and made.__name__ not in _LEFT_OUT
    )
    entropies = (Base64HighEntropyString(), HexHighEntropyString())
    harmless = (
        heuristic.is_sequential_string,
        heuristic.is_potential_uuid,
        heuristic.is_templated_secret,
    )
    return Detectors(patterns, KeywordDetector(), entropies, harmless)
