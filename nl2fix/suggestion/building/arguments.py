"""Arguments of a project's own compiler and test JVM that change what classes are and how they run.

Warnings, code checkers and agents (coverage) are left out: they decide no test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_COMPILING = ("--add-modules", "--add-exports", "--add-reads")
_RUNNING = (*_COMPILING, "--add-opens", "--enable-native-access")
_OPENED = re.compile(r"--add-(?:opens|exports)=[\w.]+/[\w.]+=[\w.-]+")
_OURS = ("-Djava.io.tmpdir=", "-Djava.security.")
"""Properties that the sandbox decides."""


def of_javac(given: Sequence[str]) -> tuple[str, ...]:
    """Those of javac's arguments that count: parameter names, annotation processors' settings, modules."""
    alone = (word for word in given if word == "-parameters" or word.startswith("-A"))
    return (*dict.fromkeys(alone), *_modules(given, _COMPILING))


def of_java(given: Sequence[str]) -> tuple[str, ...]:
    """Those of a test JVM's arguments that count: properties, modules, and whether assertions are off."""
    alone = (
        word for word in given if word == "-da" or (word.startswith("-D") and not word.startswith(_OURS))
    )
    return (*dict.fromkeys(alone), *_modules(given, _RUNNING))


def opened_in(text: str) -> tuple[str, ...]:
    """What a build file opens of modules, for whatever JVM: tests of their own may need it."""
    return _named_in(text, ("--add-opens", "--add-exports"))


def exported_in(text: str) -> tuple[str, ...]:
    """Of this what javac heeds, too."""
    return _named_in(text, ("--add-exports",))


def _named_in(text: str, options: Sequence[str]) -> tuple[str, ...]:
    found = _modules(re.findall(r"[^\s'\",<>]+", text), options)
    return tuple(dict.fromkeys(word for word in found if _OPENED.fullmatch(word)))


def _modules(given: Sequence[str], options: Sequence[str]) -> Iterator[str]:
    """What opens modules, as ``--option=value``."""
    words = iter(given)
    for word in words:
        if word in options:
            yield f"{word}={next(words, '')}"
        elif word.startswith(tuple(f"{option}=" for option in options)):
            yield word
