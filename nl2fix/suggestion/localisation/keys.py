"""Tests that name an issue by its key, as ``BugCLI265Test``, ``testIssue12`` and ``// [core#12]`` do,
and those that an issue names.

Of 177 bugs of Defects4J whose issue's address is known, a test that fails because of the bug has its number
in the name of its class or its own in 49; the issue's text has it in 4.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from nl2fix.languages.java import JAVA
from nl2fix.languages.java.units import documentation
from nl2fix.suggestion.localisation.target import read_source

_STANDARDS = "AES|ANSI|BASE|CP|CRC|EBCDIC|HTTP|IEEE|ISO|JDK|JEP|JLS|JSR|MD|PKCS|RFC|RSA|SHA|TLS|UCS|UTF|X"
"""What titles begin with that looks like a key and is none: ``UTF-8``."""
_KEY = re.compile(
    rf"^\W*(?P<key>(?!(?:{_STANDARDS})-)[A-Z][A-Z0-9_]+-\d+)\b|"
    r"(?:^\W*|\b(?i:gh|issue|bug|fix(?:e[sd])?|close[sd]?|resolve[sd]?)(?: for)?[ :-]*)"
    r"(?:#|https?://\S+/issues/)(?P<number>\d+)\b"
)
_HUMPED = re.compile(r"\b[a-z]\w*[a-z0-9](?:[A-Z]|_[a-z])\w*")
_TELLING = 3
"""Digits of a number that says enough in a name, whatever stands before it."""


def key_in(title: str) -> str:
    """The issue's own key that its title has, ``CLI-265`` or ``12``; empty where it has none."""
    match = _KEY.search(title)
    return (match["key"] or match["number"]) if match else ""


def naming(key: str, files: Iterable[Path]) -> set[tuple[str, str]]:
    """Outermost class and name of each method in test files that names an issue: in its name, its code or the
    comment before it, or that of its class.
    """
    if not key:
        return set()
    told, number = _telling(key), key.rpartition("-")[2]
    name = re.compile(rf"(?<!\d){number}(?!\d)") if len(number) >= _TELLING else told
    return {pair for file in files for pair in _naming(read_source(file), file.stem, told, name)}


def names_key(key: str, text: str) -> bool:
    """Whether a text has an issue's key."""
    return bool(key) and _telling(key).search(text) is not None


def _telling(key: str) -> re.Pattern[str]:
    project, _, number = key.rpartition("-")
    lead = rf"{re.escape(project)}[-_ ]?" if project else r"(?:#|\bgh[-_ ]?|(?:issue|bug|pull|pr)s?[-_/ #]*)"
    return re.compile(rf"{lead}0*{number}(?!\d)", re.IGNORECASE)


def written(text: str, tests: Iterable[tuple[str, str]], methods: Iterable[str]) -> set[tuple[str, str]]:
    """Class and method of the tests whose name is written in a text, as in "see testFirstLetter", and is
    neither a plain word nor that of a method of the program.
    """
    words = set(_HUMPED.findall(text)).difference(methods)
    return {(owner, method) for owner, method in tests if method in words}


def _naming(text: str, stem: str, told: re.Pattern[str], name: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    whole = any(pattern.search(stem) for pattern in (told, name)) or told.search(text[: text.find("{")])
    if not (whole or told.search(text) or name.search(text)):
        return
    for unit in JAVA.units(text):
        code = _before(text, unit.span.start) + text[unit.span.start : unit.span.end]
        if unit.body is not None and (whole or told.search(code) or name.search(unit.name)):
            yield unit.owner.partition(".")[0], unit.name


def _before(text: str, start: int) -> str:
    """Comments before an offset."""
    end = max(text.rfind(mark, 0, start) for mark in "{};")
    return documentation(text, start) + text[end + 1 : start]
