"""What the build files of a module give its tests literally, where no build tool tells it.

System properties and environment variables of Maven's surefire plug-in and of Gradle's ``test``, and what
surefire adds to the class path. What has a placeholder that no pom here fills is left out.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from xml.etree.ElementTree import Element

from nl2fix.suggestion.building.templates import pom_root, poms_of, values_of

_TEXT = r"""(['"])(?P<{}>[^'"$]*)\{}"""
_PAIR = r"\b{}\s*\(?\s*" + _TEXT.format("name", 1) + r"\s*,\s*" + _TEXT.format("value", 3)
_PROPERTY, _VARIABLE = re.compile(_PAIR.format("systemProperty")), re.compile(_PAIR.format("environment"))
_ARGUMENT = re.compile(r"""['"]-D(?P<name>[\w.-]+)=(?P<value>[^'"$]*)['"]""")
_LISTED = re.compile(r"([\w.-]+)=(.*?)(?=, [\w.-]+=|\}$)")
_ADDED = "additionalClasspathElements/*"
_PLACEHOLDER = re.compile(r"[$@]\{([\w.-]+)\}")
_DEEP = 3
"""Placeholders may be filled with others so many times."""
_OURS = re.compile(r"PATH|HOME|LD_\w+|_?JAVA_\w+|JDK_\w+")
"""Variables that the sandbox decides."""


def properties_of(module: Path, gradle: str) -> dict[str, str]:
    """System properties of the tests of a module; ``gradle`` is the text of its Gradle files."""
    found = {m["name"]: m["value"] for how in (_PROPERTY, _ARGUMENT) for m in how.finditer(gradle)}
    for surefire, known in _configured(module):
        told = {part.tag: part.text or "" for part in surefire.findall("systemPropertyVariables/*")}
        old = surefire.findall("systemProperties/property")
        told |= {part.findtext("name", ""): part.findtext("value", "") for part in old}
        found |= _filled({**told, **_arguments(surefire.findtext("argLine", ""))}, known)
    return found


def variables_of(module: Path, gradle: str) -> dict[str, str]:
    """Environment variables of the tests of a module."""
    found = {match["name"]: match["value"] for match in _VARIABLE.finditer(gradle)}
    for surefire, known in _configured(module):
        told = {part.tag: part.text or "" for part in surefire.findall("environmentVariables/*")}
        found |= _filled(told, known)
    return allowed(found)


def added_to_path(module: Path) -> tuple[Path, ...]:
    """What poms add to the class path of the tests of a module, there or not."""
    told = [
        _filled({str(at): part.text or "" for at, part in enumerate(surefire.findall(_ADDED))}, known)
        for surefire, known in _configured(module)
    ]
    paths = (path.strip() for found in told for value in found.values() for path in value.split(","))
    return tuple(dict.fromkeys(Path(os.path.normpath(module / path)) for path in paths if path))


def allowed(variables: Mapping[str, str]) -> dict[str, str]:
    """Those that a build may decide."""
    return {name: value for name, value in variables.items() if name and not _OURS.fullmatch(name)}


def paired(told: Mapping[str, str]) -> list[str]:
    """``name=value`` of each."""
    return [f"{name}={value}" for name, value in told.items()]


def listed(printed: str) -> dict[str, str]:
    """A map as Java prints it: ``{a=b, c=d}``."""
    return dict(_LISTED.findall(printed.removeprefix("{")))


def surefires(module: Path) -> Iterator[Element]:
    """Surefire as poms have it, the outermost first."""
    for pom in reversed(list(poms_of(module))):
        root = pom_root(pom)
        for where in ("build/pluginManagement/plugins/plugin", "build/plugins/plugin"):
            for plugin in root.findall(where) if root is not None else ():
                if plugin.findtext("artifactId", "").strip() == "maven-surefire-plugin":
                    yield plugin


def _configured(module: Path) -> Iterator[tuple[Element, dict[str, str]]]:
    """What poms configure of surefire, the outermost first, and the values of the module's placeholders."""
    here = {"basedir": str(module), "project.build.directory": str(module / "target")}
    known = {**values_of(module), **here, "project.basedir": str(module)}
    for plugin in surefires(module):
        yield from ((configured, known) for configured in plugin.findall("configuration"))


def _arguments(line: str) -> dict[str, str]:
    """Properties that a command line sets."""
    words: list[str] = []
    with suppress(ValueError):  # quotes may not match
        words = shlex.split(line)
    pairs = (word.removeprefix("-D").partition("=") for word in words if word.startswith("-D"))
    return {name: value for name, _, value in pairs}


def _filled(told: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
    """Those whose placeholders are all known, filled in."""
    filled = {name: value.strip() for name, value in told.items() if name}
    for _ in range(_DEEP):
        filled = {
            name: _PLACEHOLDER.sub(lambda match: known.get(match[1], match[0]), value)
            for name, value in filled.items()
        }
    return {name: value for name, value in filled.items() if not _PLACEHOLDER.search(value)}
