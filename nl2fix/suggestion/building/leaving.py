"""Sources that cannot compile here, left out together with what needs them.

An optional integration needs a library that is not there, a test needs a server: what they lack is no
reason to refuse the rest. Of a class only the methods go that need it, where that can be.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import takewhile
from pathlib import Path

from nl2fix.languages.java import JAVA
from nl2fix.languages.java.units import package_of
from nl2fix.suggestion.building import cutting
from nl2fix.validation.jvm.worker import Fault

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
_CUTS = 10
"""How often a source is cut before it goes whole: each cut may show what leans on the one before."""


class Usable:
    """Sources (path → text) without those that cannot compile for want of a package or a class."""

    def __init__(
        self,
        texts: Mapping[str, str],
        packages: Iterable[str],
        gone: Iterable[ClassName] = (),
        *,
        are_tests: bool = False,
    ) -> None:
        """``packages`` are all that there are; ``gone`` are classes left out of other sources before.

        Of test classes single tests are left out where that is enough, of others what methods do.
        """
        self._texts = dict(texts)
        self._codes = {path: JAVA.strip_comments(text) for path, text in texts.items()}
        self._present = {name for package in packages for name in (package, _leading(package))}
        self._are_tests = are_tests
        self.reasons: dict[str, str] = {}
        """Path left out, whole or in part, for a fault of its own → why."""
        self._needs: dict[str, ClassName] = {}
        """Path left out for another's fault → the class that it needs."""
        self._lacks: dict[str, set[str]] = {}
        """Path left out, whole or in part, for want of packages → these."""
        self._methods: dict[str, list[str]] = {}
        """Path left out in part → the methods that are gone or throw, once for each cut."""
        self._sizes = Counter[str]()
        """Path left out in part → how many members are gone or throw."""
        self._cuts = Counter[str]()
        """Path left out in part → how often it was cut."""
        self._out = set[str]()
        self._drop_lacking()
        self._follow(set(gone))

    @property
    def kept(self) -> dict[str, str]:
        """Path → text of what is left."""
        return {path: text for path, text in self._texts.items() if path not in self._out}

    def called(self, count: int) -> str:
        """So many of the classes, in words."""
        return f"{count} {'test ' * self._are_tests}class{'es' * (count != 1)}"

    @property
    def cut(self) -> dict[str, str]:
        """Path → text of what is left in part."""
        return {path: text for path, text in self.kept.items() if path in self._cuts}

    @property
    def gone(self) -> set[ClassName]:
        """The classes of what was left out whole."""
        return {class_of(path, code) for path, code in self._codes.items() if path in self._out}

    @property
    def methods(self) -> list[str]:
        """Methods left out of classes that are kept, ``package.Class::method``, sorted."""
        return sorted(
            f"{_name(class_of(path, self._codes[path]))}::{name}"
            for path, names in self._methods.items()
            if path not in self._out
            for name in names
        )

    @property
    def throwing(self) -> list[str]:
        """Where methods throw for what was left out of them, ``path:line``."""
        cut = sorted(self.cut.items())
        return [f"{path}:{number}" for path, text in cut for number in cutting.throwing_lines(text)]

    @property
    def loss(self) -> tuple[int, int]:
        """How many classes are left out, and how many members of others."""
        return len(self._out), sum(self._sizes[path] for path in self._sizes.keys() - self._out)

    @property
    def missing(self) -> Counter[str]:
        """Packages that nothing provides → how many sources are left out, or some of it, for each."""
        owners = self._owners()
        culprits = (self._culprit(path, owners) for path in (*self.reasons, *self._needs))
        return Counter(package for path in culprits for package in self._lacks.get(path, ()))

    def without(self, broken: Mapping[str, Fault], *, whole: bool = False) -> bool:
        """Leave out further sources, all or some of their methods, by path; whether that left out any."""
        fresh = {path: why for path, why in broken.items() if path in self._texts and path not in self._out}
        new = set[ClassName]()
        for path, fault in fresh.items():
            self.reasons.setdefault(path, fault.message)
            cutter = partial(cutting.without_places, places=fault.places, throws=not self._are_tests)
            if whole or not self._cut(path, cutter):
                new.add(self._leave_out(path))
        self._follow(new)
        return bool(fresh)

    @property
    def faults(self) -> dict[str, tuple[str, str]]:
        """Path left out, whole or in part → the source whose fault it is, and what is wrong there."""
        owners = self._owners()
        culprits = {path: self._culprit(path, owners) for path in (*self.reasons, *self._needs)}
        return {path: (culprit, self._wrong(culprit)) for path, culprit in culprits.items()}

    def _wrong(self, culprit: str) -> str:
        needed = self._needs.get(culprit)
        return f"{_name(needed)} is left out" if needed else self.reasons[culprit]

    def _owners(self) -> dict[ClassName, str]:
        """The class of each source that is left out → its path."""
        return {class_of(path, self._codes[path]): path for path in self._out}

    def _culprit(self, path: str, owners: Mapping[ClassName, str]) -> str:
        """The source for whose fault one is left out, as far as it is one of these."""
        while (needed := self._needs.get(path)) and needed in owners:
            path = owners[needed]
        return path

    def _drop_lacking(self) -> None:
        new = set[ClassName]()
        for path, code in list(self._codes.items()):
            if lacking := {name for name in needed(code) if not self._provided(name)}:
                self._lacks[path] = lacking
                self.reasons[path] = f"package {min(lacking)} does not exist"
                if not self._cut_names(path, (), lacking):
                    new.add(self._leave_out(path))
        self._follow(new)

    def _provided(self, name: str) -> bool:
        """Whether there is such a package, or one that may have a class of that lower-case name."""
        return name in self._present or name.rpartition(".")[0] in self._present

    def _leave_out(self, path: str) -> ClassName:
        self._out.add(path)
        return class_of(path, self._codes[path])

    def _follow(self, new: set[ClassName]) -> None:
        """Leave out what names a class that is gone, until nothing does."""
        while new:
            more, fresh = set[ClassName](), sorted(new)
            for path, code in list(self._codes.items()):
                named = [] if path in self._out else [item for item in fresh if _names(code, *item)]
                if named and path not in self.reasons:
                    self._needs.setdefault(path, named[0])
                if named and not self._cut_names(path, {name for _, name in named}):
                    more.add(self._leave_out(path))
            new = more

    def _cut_names(self, path: str, classes: Iterable[str], packages: Iterable[str] = ()) -> bool:
        """Leave out what uses these classes and packages; whether the rest of the source can be kept."""
        return self._cut(
            path,
            partial(cutting.without_names, classes=classes, packages=packages, throws=not self._are_tests),
        )

    def _cut(self, path: str, cutter: Callable[[str], cutting.Cut | None]) -> bool:
        cut = cutter(self._texts[path]) if self._cuts[path] < _CUTS else None
        if cut is None:
            return False
        self._cuts[path] += 1
        self._sizes[path] += cut.size
        self._texts[path], self._codes[path] = cut.text, JAVA.strip_comments(cut.text)
        self._methods.setdefault(path, []).extend(cut.methods)
        return True


def class_of(path: str, code: str) -> ClassName:
    """The class that a source is named for."""
    return package_of(code), Path(path).stem


def _name(needed: ClassName) -> str:
    return ".".join(filter(None, needed))


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
    """Packages of a source's imports."""
    return map(_leading, _IMPORT.findall(code))


def _leading(name: str) -> str:
    """The words up to the first with a capital, which is hardly ever a package's (``org.xbill.DNS``)."""
    return ".".join(takewhile(lambda word: not word[:1].isupper(), name.split(".")))
