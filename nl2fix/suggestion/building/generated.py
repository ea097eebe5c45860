"""Sources that a project's build makes of others: parsers of grammars, classes of schemas.

Where the build tool cannot do its work they are not there, and no jar has them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from nl2fix.suggestion.localisation.target import SKIPPED

_SUFFIXES = frozenset(
    {".g", ".g4", ".jj", ".jjt", ".jflex", ".flex", ".cup", ".proto", ".thrift", ".avsc", ".avdl", ".fbs"}
)
"""Of what ANTLR, JavaCC, JFlex, CUP, Protocol Buffers, Thrift, Avro and FlatBuffers make Java of."""
_NODE = "AST"
"""How names of classes begin that JJTree makes of nodes."""
_OF_JAVACC = frozenset(
    {"Token", "TokenMgrError", "ParseException", "CharStream", "SimpleCharStream", "JavaCharStream"}
)
"""Classes that JavaCC makes whatever the grammar."""
_SHORTEST = 4
"""Letters of a file's name by which classes that are made of it, which it names nowhere, are known."""


class Origins:
    """What the build of some modules makes sources of."""

    def __init__(self, modules: Iterable[Path]) -> None:
        self._modules = tuple(dict.fromkeys(modules))

    def of_package(self, package: str) -> str:
        """The file, by its path in its module, of which a package is made; empty where none seems to be."""
        folder = f"/{package.replace('.', '/')}/"
        word = re.compile(rf"(?<![\w.]){re.escape(package)}(?![\w.])")
        return next((path for path, text in self._texts if folder in f"/{path}" or word.search(text)), "")

    def of_class(self, name: str) -> str:
        """The same for a class by its simple name."""
        made = re.compile(rf"(?:\bPARSER_BEGIN\s*\(|%class|\b(?:message|service|struct|enum))\s*{name}\b")
        return next(
            (
                path
                for path, text in self._texts
                if _is_named_for(name, path)
                or made.search(text)
                or (name in _OF_JAVACC and path.endswith((".jj", ".jjt")))
                or _is_node(name, path, text)
            ),
            "",
        )

    @cached_property
    def _texts(self) -> list[tuple[str, str]]:
        return [
            (file.relative_to(module).as_posix(), file.read_text(encoding="utf-8", errors="replace"))
            for module in self._modules
            for file in _files(module)
        ]


def _is_named_for(name: str, path: str) -> bool:
    stem = Path(path).stem
    return len(stem) >= _SHORTEST and name.startswith(stem)


def _is_node(name: str, path: str, text: str) -> bool:
    """Whether it is a class of JJTree's, named for a rule or for what stands behind a hash."""
    rule = name.removeprefix(_NODE)
    return path.endswith(".jjt") and 0 < len(rule) < len(name) and bool(re.search(rf"\b{rule}\b", text))


def _files(module: Path) -> Iterator[Path]:
    for folder, names, files in os.walk(module):
        names[:] = sorted(name for name in names if name not in SKIPPED and name[0] != ".")
        for name in sorted(files):
            file = Path(folder, name)
            if file.suffix in _SUFFIXES and file.is_file() and not file.is_symlink():
                yield file
