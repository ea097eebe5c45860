"""Whether an edit changes what names mean in other files, which are compiled again beside it.

Java prefers a class of the same package to one imported on demand, and an inherited member to one
imported: a helper called ``Arrays``, or a method ``assertEquals`` that a test inherits, would take the
place of what the test was written for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from nl2fix.languages.java import JAVA
from nl2fix.validation.jvm.classfile import Shown, references

Member = tuple[str, str]
"""Binary name of the owner, name."""


def taken_over(
    before: Sequence[Shown],
    after: Sequence[Shown],
    users: Mapping[str, str],
    compiled: Mapping[str, tuple[bytes, bytes]],
) -> str:
    """What an edit takes the place of in a user's file; empty if nothing.

    ``before`` and ``after`` are the edited files' classes; ``users`` path → text of the others, and
    ``compiled`` binary name → class file before and after.
    """
    added = {shown.name for shown in after if not shown.private} - {shown.name for shown in before}
    for path, text in users.items():
        if name := _names(added, path, text):
            return f"the edit's {name.replace('/', '.')} would change what {_simple(name)} means in {path}"
    family = {shown.name for shown in (*before, *after)}
    for user, (old, new) in compiled.items():
        if name := _members(family | {user}, old, new):
            return f"the edit's {name} would change what {name} means in {user}"
    return ""


def _names(added: Iterable[str], path: str, text: str) -> str:
    """An added class whose simple name a file that can see it uses for something else."""
    package = path.rpartition("/")[0]
    for name in added:
        simple = _simple(name)
        if simple not in text:
            continue
        outer = name.rpartition("/")[2] != simple
        near = name.rpartition("/")[0] == package
        if (_reaches_into(name, text) if outer else near or _imports(name, text)) and _uses(simple, text):
            return name
    return ""


def _simple(name: str) -> str:
    return re.split(r"[/$]", name)[-1]


def _imports(name: str, text: str) -> bool:
    """Whether a file imports the package of a class on demand."""
    package = name.rpartition("/")[0].replace("/", r"\s*\.\s*")
    return re.search(rf"\bimport\s+{package}\s*\.\s*\*", text) is not None


def _reaches_into(name: str, text: str) -> bool:
    """Whether a file sees the members of a nested class's owner without naming it: inherits or imports."""
    owner = _simple(name.rpartition("$")[0])
    return re.search(rf"\b(extends|implements)\b[^{{]*\b{owner}\b|\b{owner}\s*\.\s*\*", text) is not None


def _uses(simple: str, text: str) -> bool:
    """Whether a file uses a simple name that it neither declares nor imports by itself."""
    tokens = JAVA.tokens(text)
    pairs = list(zip(["", *tokens], tokens, [*tokens[1:], ""], strict=False))
    declared = any(
        now == simple and last in ("class", "interface", "enum", "record") for last, now, _ in pairs
    )
    single = re.search(rf"\bimport\s+[\w.\s]*\.\s*{simple}\s*;", text)
    return not declared and not single and any(now == simple and last != "." for last, now, _ in pairs)


def _members(family: set[str], old: bytes, new: bytes) -> str:
    """A name that another class's member had and one of the family has now."""
    was, now = _owners(old), _owners(new)
    for name in sorted(now):
        gained = (now[name] - was.get(name, set())) & family
        lost = was.get(name, set()) - now[name] - family
        if gained and lost and not was[name] & family and name != "<init>":
            return name
    return ""


def _owners(content: bytes) -> dict[str, set[str]]:
    """Name → the classes whose members of that name a class refers to."""
    owners: dict[str, set[str]] = {}
    for member in references(content).members:
        owner, name = member.partition(":")[0].rsplit(".", 1)
        owners.setdefault(name, set()).add(owner)
    return owners
