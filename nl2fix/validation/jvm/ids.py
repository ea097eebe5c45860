"""Ids of tests: ``Class::method``, ``Class::method[…]`` for a run with parameters."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NO_TEST = re.compile(r"::(?:warning|initializationError)\b|^junit\.framework\.|^[^:]+$")
"""What is told in place of tests that cannot be made: by JUnit, and classes that fail as a whole."""


def declared(test: str) -> str:
    """The test as its class declares it: that of all runs with parameters."""
    return test.partition("[")[0]


def covers(trigger: str, test: str) -> bool:
    """Whether a declared trigger test (a method or a class) names a test id."""
    name, _, method = trigger.partition("::")
    return (
        test in (trigger, name)
        or test.startswith(f"{trigger}[")
        or (not method and test.startswith(f"{name}::"))
    )


def is_test(test: str) -> bool:
    """Whether an id is that of a test, not of what is told in place of tests that cannot be made."""
    return _NO_TEST.search(test) is None


def is_made(told: str, ran: Iterable[str]) -> bool:
    """Whether what an id was told for has been made instead: a class's tests, or a test's runs."""
    return any(is_test(test) if not is_test(told) else is_for(told, test) for test in ran)


def is_for(told: str, test: str) -> bool:
    """Whether a test is one of those that an id is told in place of."""
    owner = told.partition("::")[0]
    if is_test(told):
        return test.startswith(f"{told}[")
    return owner.startswith("junit.framework.") or test.startswith((f"{owner}::", f"{owner}$"))
