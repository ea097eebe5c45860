"""Sources and resources that a build fills in, filled in without it: those of Maven's templating plugin, what
lies as ``Version.java.in`` among other sources, and resources that Maven filters.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from itertools import takewhile
from pathlib import Path
from xml.etree import ElementTree

from nl2fix.suggestion.localisation.target import read_source

_FOLDER = "src/main/java-templates"
_AMONG_OTHERS = ".java.in"
_PLACEHOLDER = re.compile(r"\$\{([\w.-]+)\}|@([\w.-]+)@")


def filled(module: Path, source: Path) -> dict[str, str]:
    """Path below the source folder → text of each template of a module, its placeholders replaced as the pom
    says. What the pom does not say becomes nothing.
    """
    folder = module / _FOLDER
    files = {file.relative_to(folder).as_posix(): file for file in sorted(folder.rglob("*.java"))}
    among = sorted(source.rglob(f"*{_AMONG_OTHERS}"))
    files |= {file.relative_to(source).as_posix().removesuffix(".in"): file for file in among}
    values = values_of(module) if files else {}
    return {path: _filled(read_source(file), {**_here(path), **values}) for path, file in files.items()}


def _here(path: str) -> dict[str, str]:
    """What a template may say of itself, by its path."""
    return {"package": ".".join(path.split("/")[:-1])}


def _filled(text: str, values: Mapping[str, str]) -> str:
    """Placeholders may lack dots: ``@projectversion@``."""
    plain = {name.replace(".", "").lower(): value for name, value in values.items()}

    def value(match: re.Match[str]) -> str:
        name = match[1] or match[2]
        return values.get(name, plain.get(name.lower(), ""))

    return _PLACEHOLDER.sub(value, text)


def filtered(module: Path, kind: str) -> dict[str, str]:
    """Path below the folder → text of each resource that Maven fills in and that has a known placeholder.

    ``kind`` is ``resource`` or ``testResource``; what is no UTF-8 keeps its bytes by surrogates.
    """
    values, texts = values_of(module), dict[str, str]()
    for folder in resource_folders(module, kind, filtering=True):
        for file in sorted(filter(Path.is_file, folder.rglob("*"))):
            text = file.read_text(encoding="utf-8", errors="surrogateescape")
            filled = _known(text, values)
            if filled != text:
                texts[file.relative_to(folder).as_posix()] = filled
    return texts


def resource_folders(module: Path, kind: str, *, filtering: bool = False) -> list[Path]:
    """The folders that poms name for a ``kind`` of resource; with ``filtering`` those it fills in."""
    values = values_of(module)
    folders = {
        Path(os.path.normpath(module / _known(resource.findtext("directory", "").strip(), values)))
        for root in map(pom_root, poms_of(module))
        for resource in (root.findall(f"build/{kind}s/{kind}") if root is not None else ())
        if not filtering or resource.findtext("filtering", "").strip() == "true"
    }
    return sorted(each for each in folders if each.is_dir() and not module.is_relative_to(each))


def _known(text: str, values: Mapping[str, str]) -> str:
    """A text, the placeholders replaced that there is a value of."""
    return _PLACEHOLDER.sub(lambda match: values.get(match[1] or match[2], match[0]), text)


def poms_of(module: Path) -> Iterator[Path]:
    """The poms of a module and of the folders around it, the innermost first."""
    return takewhile(Path.is_file, (folder / "pom.xml" for folder in (module, *module.parents)))


def values_of(module: Path) -> dict[str, str]:
    """Properties and coordinates of a module's pom, those of the poms above it where it has none, and where
    the module and its output lie.
    """
    values = _folders_of(module)
    for pom in poms_of(module):
        values = {**_of_pom(pom), **values}
    return {name: _known(value, values) for name, value in values.items()}


def _folders_of(module: Path) -> dict[str, str]:
    """Maven's own properties of a module."""
    built = module / "target"
    folders = {
        "basedir": module,
        "build.directory": built,
        "build.outputDirectory": built / "classes",
        "build.testOutputDirectory": built / "test-classes",
    }
    return {"basedir": str(module)} | {f"project.{name}": str(folder) for name, folder in folders.items()}


def pom_root(pom: Path) -> ElementTree.Element | None:
    """The root of a pom, names without a name space; ``None`` for what is no XML."""
    text = pom.read_text(encoding="utf-8", errors="replace")
    try:
        return ElementTree.fromstring(re.sub(r"<!DOCTYPE[^>]*>|\sxmlns=\"[^\"]*\"", "", text))
    except ElementTree.ParseError:
        return None


def _of_pom(pom: Path) -> dict[str, str]:
    root = pom_root(pom)
    if root is None:
        return {}
    values = {f"project.{part.tag}": part.text for part in root if part.text and not len(part)}
    values |= {part.tag: part.text for part in root.findall("properties/*") if part.text}
    return {name: value.strip() for name, value in values.items() if value}
