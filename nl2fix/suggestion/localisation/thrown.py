"""Whether what a failing test says is what an issue says happens: an exception by any name, or no end.

Issues write ``NullPointerException``, ``NPE``, ``null pointer`` or ``throws IndexOutOfBounds``; a test says
what it threw, or what it expected and did not meet. Words alone do not compare these: a test says them when
it runs, not in its code.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

_EXCEPTION = re.compile(r"\b((?:[a-z]\w*\.)*)([A-Z]\w*(?:Exception|Error))\b")
_OF_ANY_TEST = frozenset(
    {"AssertionError", "AssertionFailedError", "MultipleFailuresError", "TestTimedOutException"}
)
_OF_ONE_TEST = re.compile(r"""'[^']*'|"[^"]*"|<[^>]*>|\[[^\]]*\]|\S*[\d/\\]\S*|\b\w+(?:\.\w+)+""")
"""What of a message is that test's own: values, names of files and hosts."""
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z\d]*")
_SPECIAL = re.compile(r"^(?:Array|String)?Index(?=OutOfBounds)")
"""Who says only that it was out of bounds means any of these."""
_KIND = re.compile(r"(?:Exception|Error)$")
_SHORTEST = 3
"""Letters of an abbreviation that means an exception."""
_ENDLESS = (
    r"\b(?:(?:infinite|endless)(?:ly)? loop\w*|loops? (?:forever|endlessly|infinitely)|"
    r"never (?:end|return|terminate|finishe)s?|hangs?|dead ?lock\w*)\b"
)
_TOLD_AS = {
    r"timed out|TimeoutException": _ENDLESS,
    r"\bStackOverflowError\b": r"\b(?:infinite|endless|unbounded) recursion\b",
    r"\bOutOfMemoryError\b": r"\bOOM\b",
    r"\bArithmeticException(?:: / by zero|\Z)": r"\bdivi(?:d\w+|sion) by (?:zero|0)\b",
}
"""What tests say, and what issues call that."""
_LACKS = re.compile(
    r"\b(?:(?:UnknownHost|Connect|NoRouteToHost|Headless|InaccessibleObject)Exception|"
    r"(?:FileNotFound|NoSuchFile)Exception"
    r"(?!: (?:[^(\n]*/)?(?:tmp|target|build)/(?!(?:test-)?classes/|resources/))|"
    r"what it depends on has failed|ClassNotFoundException(?!: (?:\[|\w+\s*$))|NoClassDefFoundError|"
    r"Network is unreachable|"
    r"Cannot run program|Unsupported class file major version \d\d|"
    r"(?i:(?:can ?not|can't|not|unable to) f(?:i|ou)nd\b.* (?:in|on) (?:the )?class ?path|"
    r"resource \S+ (?:was )?not found|not found: class ?path))\b",
    re.MULTILINE,
)
"""What tests say that want a network, a server, a screen, another program, another test, a file, a jar or an
older JDK.

What lies where builds and tests write the program should have made. No jar has arrays (``[B``), nor, as a
rule, classes without a package.
"""
_REFUSED_BY_JAVA = re.compile(
    r"throws java\.lang\.(?:\w*IndexOutOfBoundsException|ClassCastException|ArithmeticException|"
    r"NegativeArraySizeException|StackOverflowError)"
)
"""What a call comes to that no program means: who wants an argument refused throws something else."""


def still(issue: str, told: Iterable[str]) -> int:
    """On how many calls a program goes wrong in the way of which an issue tells; ``told``: what came of each.

    ``NullPointerException`` does not count: an edit may be right and refuse other nulls by it.
    """
    faults = Counter(each for each in told if _REFUSED_BY_JAVA.match(each))
    return sum(count for fault, count in faults.items() if is_told(issue, fault))


def lacks(said: str) -> bool:
    """Whether a failing test says that it lacks something which is no part of the project."""
    return _LACKS.search(said) is not None


def cause(said: str) -> str:
    """What a failing test threw, in the same words for all that fail of one cause; empty where it only
    compared something.
    """
    line = said.partition("\n")[0]
    found = _EXCEPTION.match(line)
    if found is None or found[2] in _OF_ANY_TEST:
        return ""
    return found[0] + _OF_ONE_TEST.sub("…", line[found.end() :])


def kind(said: str) -> str:
    """The kind of exception that a failing test threw, ``NullPointer``; empty where it threw none."""
    found = _EXCEPTION.match(said)
    return _KIND.sub("", found[2]) if found else ""


def is_told(issue: str, said: str) -> bool:
    """Whether an issue's text tells of what a failing test says."""
    if any(re.search(name, issue, re.IGNORECASE) for name in _names(said)):
        return True
    return any(
        re.search(by_test, said) and re.search(by_issue, issue, re.IGNORECASE)
        for by_test, by_issue in _TOLD_AS.items()
    )


def _names(said: str) -> Iterator[str]:
    """What an issue may call the exceptions that a test says, as patterns."""
    for package, name in _EXCEPTION.findall(said):
        if name in _OF_ANY_TEST:
            continue
        yield rf"\b(?-i:{name})\b"
        if not package.startswith("java."):
            continue
        general, more = _SPECIAL.subn("", name)
        if len(humps := _HUMP.findall(_KIND.sub("", general))) > 1:
            yield r"[\s-]?".join(humps)
        if len(initials := "".join(filter(str.isupper, general))) >= _SHORTEST:
            yield rf"\b(?-i:{'[AS]?I?' * more}{initials})s?\b"
