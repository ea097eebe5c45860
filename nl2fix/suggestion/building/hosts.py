"""Whether what Maven would download can be had at all: who has no network waits for no second try."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.request import getproxies

_REPOSITORY = re.compile(r"Cannot access \S+ \(https?://([^/:)]+)[^)]*\) in offline mode")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_OPTIONS = ("MAVEN_OPTS", "MAVEN_ARGS", "JAVA_TOOL_OPTIONS")
_SETTINGS = (Path("~/.m2/settings.xml"), Path("~/.mavenrc"), Path("/etc/maven/settings.xml"))
_OF_PROJECT = (".mvn/jvm.config", ".mvn/maven.config")


def unknown(output: str, project: Path) -> str:
    """A host that an offline Maven names and that nobody here knows; empty where some may be had.

    A proxy knows others: where one seems to be set, nothing is said.
    """
    hosts = list(dict.fromkeys(_REPOSITORY.findall(output)))
    if not hosts or any(map(_is_known, hosts)) or any("proxy" in text.lower() for text in _set(project)):
        return ""
    return str(hosts[0])


def _is_known(host: str) -> bool:
    try:
        return bool(socket.getaddrinfo(host, 443))
    except OSError:
        return False


def _set(project: Path) -> Iterator[str]:
    """What is set for Maven here."""
    yield "proxy" if getproxies() else ""
    yield from (os.environ.get(name, "") for name in _OPTIONS)
    for file in (*_SETTINGS, *(project / name for name in _OF_PROJECT)):
        try:
            yield _COMMENT.sub("", file.expanduser().read_text(encoding="utf-8", errors="replace"))
        except OSError:
            continue
