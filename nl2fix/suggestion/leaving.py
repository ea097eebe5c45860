"""Sources that cannot compile here, left out together with what needs them.

An optional integration needs a library that is not there, a test needs a server: what they lack is no
reason to refuse the rest.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from nl2fix.languages.java import JAVA
from nl2fix.suggestion.localise import package_of

ClassName = tuple[str, str]
"""Package and simple name of a source's class."""

_IMPORT = re.compile(r"(?:^|;)\s*import\s+(?:static\s+)?([\w.]+)(?:\.\*)?\s*(?=;)", re.MULTILINE)
_JDK = re.compile(
    r"(?:java|jdk|sun|netscape|org\.w3c\.dom|org\.xml\.sax|org\.ietf\.jgss|"
    r"com\.sun\.(?:accessibility|awt|beans|corba|crypto|image|imageio|jarsigner|java|javadoc|jdi|jmx|jndi|"
    r"management|media|naming|net|nio|org|rmi|rowset|security|source|swing|tools|tracing|"
    r"(?:xml|istack|codemodel)\.internal)|"
    r"javax\.(?:accessibility|activity|annotation\.processing|crypto|imageio|lang\.model|management|naming|net|"
    r"print|rmi|script|security|smartcardio|sound|sql|swing|tools|transaction\.xa|xml))(?:\.|$)"
)
_NOT_IN_JDK = re.compile(r"javax\.xml\.(?:bind|ws|soap|rpc|registry)\b")


class Usable:
    """Sources (path → text) without those that cannot compile for want of a package or a class."""

    def __init__(
        self, texts: Mapping[str, str], packages: Iterable[str], gone: Iterable[ClassName] = ()
    ) -> None:
        """``packages`` are all that there are; ``gone`` are classes left out of other sources before."""
        self._texts = dict(texts)
        self._codes = {path: JAVA.strip_comments(text) for path, text in texts.items()}
        self._present = set(packages)
        self.reasons: dict[str, str] = {}
        """Path left out for a fault of its own → why."""
        self._needs: dict[str, ClassName] = {}
        """Path left out for another's fault → the class that it needs."""
        self._lacks: dict[str, set[str]] = {}
        """Path left out for want of packages → these."""
        self._drop(self._lacking())
        self._follow(set(gone))

    @property
    def kept(self) -> dict[str, str]:
        """Path → text of what is left."""
        return {path: text for path, text in self._texts.items() if not self._out(path)}

    @property
    def gone(self) -> set[ClassName]:
        """The classes of what was left out."""
        return {class_of(path, code) for path, code in self._codes.items() if self._out(path)}

    @property
    def missing(self) -> Counter[str]:
        """Packages that nothing provides → how many sources are left out for the want of each."""
        owners = self._owners()
        culprits = (self._culprit(path, owners) for path in (*self.reasons, *self._needs))
        return Counter(package for path in culprits for package in self._lacks.get(path, ()))

    def without(self, broken: Mapping[str, str]) -> bool:
        """Leave out further sources (path → why); whether that left out any."""
        fresh = {path: why for path, why in broken.items() if path in self._texts and not self._out(path)}
        self._drop(fresh)
        return bool(fresh)

    def explain(self, path: str) -> tuple[str, str]:
        """The source whose fault it is that one is left out, and what is wrong there; empty if it is kept."""
        culprit = self._culprit(path, self._owners())
        if culprit in self._needs:
            return culprit, f"{_name(self._needs[culprit])} is left out"
        return culprit, self.reasons.get(culprit, "")

    def _owners(self) -> dict[ClassName, str]:
        """The class of each source that is left out → its path."""
        return {class_of(path, self._codes[path]): path for path in (*self._needs, *self.reasons)}

    def _culprit(self, path: str, owners: Mapping[ClassName, str]) -> str:
        """The source for whose fault one is left out, as far as it is one of these."""
        while (needed := self._needs.get(path)) and needed in owners:
            path = owners[needed]
        return path

    def _out(self, path: str) -> bool:
        return path in self.reasons or path in self._needs

    def _lacking(self) -> dict[str, str]:
        reasons = {}
        for path, code in self._codes.items():
            if lacking := {name for name in needed(code) if not self._provided(name)}:
                self._lacks[path] = lacking
                reasons[path] = f"package {min(lacking)} does not exist"
        return reasons

    def _provided(self, name: str) -> bool:
        """Whether there is such a package, or one that may have a class of that lower-case name."""
        return name in self._present or name.rpartition(".")[0] in self._present

    def _drop(self, reasons: Mapping[str, str]) -> None:
        self.reasons |= reasons
        self._follow({class_of(path, self._codes[path]) for path in reasons})

    def _follow(self, new: set[ClassName]) -> None:
        """Leave out what names a class that is gone, until nothing does."""
        while new:
            more = {}
            for path, code in self._codes.items():
                if not self._out(path) and (named := _first_named(code, new)):
                    more[path] = named
            self._needs |= more
            new = {class_of(path, self._codes[path]) for path in more}


def class_of(path: str, code: str) -> ClassName:
    """The class that a source is named for."""
    return package_of(code), Path(path).stem


def _name(needed: ClassName) -> str:
    return ".".join(filter(None, needed))


def _first_named(code: str, classes: Iterable[ClassName]) -> ClassName | None:
    return next((item for item in sorted(classes) if _names(code, *item)), None)


def _names(code: str, package: str, name: str) -> bool:
    """Whether a source uses a class: a word of its own package's, or imported."""
    if name not in code or not re.search(rf"\b{re.escape(name)}\b", code):
        return False
    imported = rf"\bimport\s+(?:static\s+)?{re.escape(package)}\.(?:{re.escape(name)}\b|\*)"
    return package_of(code) == package or re.search(imported, code) is not None


def needed(code: str) -> set[str]:
    """Packages outside the JDK that a source imports from."""
    return {package for package in _imported(code) if is_outside(package)}


def is_outside(package: str) -> bool:
    """Whether the JDK has no such package."""
    return not _JDK.match(package) or _NOT_IN_JDK.match(package) is not None


def _imported(code: str) -> Iterator[str]:
    """Packages of a source's imports: the leading words up to the first with a capital."""
    for name in _IMPORT.findall(code):
        parts = name.split(".")
        upper = next((i for i, part in enumerate(parts) if part[:1].isupper()), len(parts))
        yield ".".join(parts[:upper])
