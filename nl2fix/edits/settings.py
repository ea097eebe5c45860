"""Settings of mining; the defaults are the published ones where something is published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nl2fix.core.errors import UsageError
from nl2fix.languages import language

PUBLISHED_LICENSES = (
    *("mit", "artistic-2.0", "isc", "cc0-1.0", "epl-1.0", "mpl-2.0", "apache-2.0", "bsd-3-clause"),
    *("agpl-3.0", "lgpl-2.1", "bsd-2-clause"),
)
"""Of CommitPack (OctoPack, Table 5), which also keeps code ``without`` a licence."""
SCRIPT_MARKS = tuple(
    form
    for mark in ("TODO", "FIXME", "BUG", "FIX ME", "from setuptools import", "import setuptools")
    for form in (mark, mark.lower())
)
"""Marks as EditPackFT's published script has them; the paper names the first three, in capitals."""

_COUNTS = (
    *("most_files", "most_units", "most_chars", "least_tokens", "most_tokens"),
    *("least_distance", "leak_tokens"),
)


@dataclass(frozen=True)
class MiningConfig:
    """How edit pairs are found and filtered."""

    languages: tuple[str, ...] = ("python", "java")
    unit: Literal["file", "method"] = "file"
    """What the code of a pair is: a whole file, or one method or function."""
    screen: Literal["repositories", "all", "none"] = "repositories"
    """Whose messages and lengths CommitPackFT's rules screen; its own files have been through them."""
    imperative: bool = True
    """Messages must start with one of CommitPackFT's verbs."""
    references: Literal["remove", "clean"] = "remove"
    """What a reference such as ``(#12)`` does to a message: it costs the pair, as published, or is cut."""
    most_files: int = 1
    """Files that a commit may change; 0 means any number."""
    most_units: int = 1
    """Methods that a commit may change, with ``unit = "method"``; 0 means any number."""
    most_chars: int = 50_000
    """Longest code before the edit."""
    least_tokens: int = 50
    most_tokens: int = 768
    """Code before and after together; 0 means any number."""
    tokenizer: str = ""
    """Tokenizer to count with (``tokenizer.json`` or a model's folder); empty means an estimate."""
    header: bool = True
    """Cut comments and docstring off the head of files, as EditPackFT does."""
    marks: tuple[str, ...] = ("TODO", "FIXME", "BUG")
    """Texts in the code after that cost the pair; ``["script"]`` for those of the published script."""
    least_distance: int = 10
    """Least Levenshtein distance of before and after, in characters."""
    licenses: tuple[str, ...] = (*PUBLISHED_LICENSES, "none")
    """SPDX ids allowed, lower case; ``none`` allows code without a licence, ``any`` all."""
    secrets: bool = True
    """Leave out pairs that hold a key, a token or a password."""
    generated: bool = True
    """Leave out files that programs wrote."""
    similarity: float = 0.8
    """Estimated Jaccard similarity of before + after from which pairs are duplicates; 0 keeps them all."""
    leak_similarity: float = 0.7
    """Share of a suite's code, in runs of five words, from which a pair that holds it leaks it."""
    leak_tokens: int = 15
    """Code of fewer tokens leaks only as all of a pair; of fewer than twice as many only as a whole."""

    @property
    def all_marks(self) -> tuple[str, ...]:
        return tuple(text for mark in self.marks for text in (SCRIPT_MARKS if mark == "script" else (mark,)))

    def check(self) -> None:
        """Raise ``UsageError`` for a language that nobody knows and a number that nothing can be."""
        for name in self.languages:
            language(name)
        for name in ("similarity", "leak_similarity"):
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(
                    f"{name} of the settings of mining must be 0 to 1, not {getattr(self, name)}"
                )
        for name in _COUNTS:
            if getattr(self, name) < 0:
                raise UsageError(f"{name} of the settings of mining must not be below 0")
