"""What to do about what javac refuses of a project that no build tool compiles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from nl2fix.suggestion.building.compiling import NO_PACKAGE
from nl2fix.suggestion.building.generated import Origins
from nl2fix.suggestion.building.jars import classes_of
from nl2fix.suggestion.building.leaving import is_outside

_NO_CLASS = re.compile(r"symbol:\s+class (?P<name>\w+)(?:\s+location: package (?P<package>[\w.]+))?")
_NESTED = re.compile(r"(?P<package>[a-z_]\w*(?:\.[a-z_]\w*)*)\.(?P<name>[A-Z][\w.]*)")
"""A class as if it were a package, where classes within are imported."""
_NO_MEMBER = re.compile(
    r"symbol:\s+(?:method|variable) (?P<name>\w+)\b.*?"
    r"location: (?:class|interface|variable \w+ of type) (?P<owner>[\w.]+)",
    re.DOTALL,
)
_INTERNAL = ("sun.", "com.sun.", "jdk.", "netscape.")
"""Packages of which a JDK has ever fewer."""


class Advice:
    """On compiler's messages of one project."""

    def __init__(
        self, libraries: Sequence[Path], own: Iterable[str], jdk: int, asked: int, origins: Origins
    ) -> None:
        """``own`` are the packages of its sources, ``asked`` the version of Java that its build asks for."""
        self._libraries, self._own, self._jdk, self._origins = libraries, set(own), jdk, origins
        self._newer = f"the project asks for Java {asked}, this is JDK {jdk}; name another with JAVA_HOME"
        if asked <= jdk:
            self._newer = ""

    def on(self, why: str) -> str:
        """What to do about any message."""
        if known := self.known(why):
            return known
        package, name = self._missing(why)
        if package and not name:
            return f"; a jar with {package} seems missing, name it with --classpath"
        if name:
            told = f"no source here is {_dotted(package, name)}, name a jar that has it with --classpath"
            return f"; {self._newer or told}"
        return f"; {self._newer or 'mend it, or name the jars that it needs with --classpath'}"

    def known(self, why: str) -> str:
        """The same where its reason is sure: the build makes it, or the JDK or a jar is another one's."""
        return self._made(why) or self._of_jdk(*self._missing(why)) or self._of_jar(why)

    def _made(self, why: str) -> str:
        """Of what the build makes that which a compiler misses."""
        no_class, no_package = _NO_CLASS.search(why), NO_PACKAGE.search(why)
        origin = self._origins.of_package(no_package[1]) if no_package else ""
        if no_class and not origin:
            origin = self._origins.of_class(no_class["name"])
        return (
            f"; the build makes it of {origin}: build once and name its classes with --classpath"
            if origin
            else ""
        )

    def _of_jdk(self, package: str, name: str) -> str:
        if not package or is_outside(package) or package in self._own:
            return ""
        missing = _dotted(package, name)
        if f"{package}.".startswith(_INTERNAL):
            return f"; JDK {self._jdk} has no {missing}, name an older one with JAVA_HOME"
        return f"; {self._newer or f'JDK {self._jdk} has no {missing}, name another with JAVA_HOME'}"

    def _of_jar(self, why: str) -> str:
        """Of a jar that has the package of what is missing, or the class of a member."""
        package, name = self._missing(why)
        member = _NO_MEMBER.search(why)
        holder, missing = (package, _dotted(package, name)) if name else ("", "")
        if member and not name:
            holder, missing = member["owner"], f"{member['owner']}#{member['name']}"
        jar = "" if holder in self._own else self._holders.get(holder, "")
        return f"; {jar} has no {missing}, name another version of it with --classpath" if jar else ""

    @staticmethod
    def _missing(why: str) -> tuple[str, str]:
        """Package and name of the class that is missing; no name where the package is."""
        no_class, no_package = _NO_CLASS.search(why), NO_PACKAGE.search(why)
        if no_package and not (no_class := _NESTED.fullmatch(no_package[1])):
            return no_package[1], ""
        return (no_class["package"] or "", no_class["name"]) if no_class else ("", "")

    @cached_property
    def _holders(self) -> Mapping[str, str]:
        """Class or package → the first jar that has it."""
        return {name: jar.name for jar in reversed(self._libraries) for name in classes_of(jar)}


def _dotted(package: str, name: str) -> str:
    return ".".join(filter(None, (package, name)))
