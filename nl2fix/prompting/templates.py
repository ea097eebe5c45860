"""The templates of ``prompts/``: found, rendered strictly, hashed.

A user's own folder is looked in first, template by template, so that one changed file is enough. A
template that names an unknown variable is an error, never an empty string.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import jinja2

from nl2fix.core.errors import UsageError
from nl2fix.core.protocols import EditFormat
from nl2fix.core.records import sha256_text
from nl2fix.core.resources import shared

RETRY = "retry"
"""Folder of the second attempt's template, whatever the strategy."""
WHICH_METHOD = "which_method"
"""Folder of the template by which a model is asked which method is meant; no strategy reads it."""


class Templates:
    """The templates a run sees. ``folder`` is the user's folder (``--prompt-dir``), if any."""

    def __init__(self, folder: Path | None, edit_format: EditFormat | None = None) -> None:
        """The edit format's templates are there as ``formats/NAME`` and ``answers/NAME``."""
        if folder is not None and not folder.is_dir():
            raise UsageError(f"--prompt-dir {folder} is no folder")
        self._own = folder
        self._places = [shared("prompts")] if folder is None else [folder, shared("prompts")]
        self._texts: dict[str, str] = {}
        if edit_format is not None:
            name = edit_format.name
            self._texts = {f"formats/{name}.j2": edit_format.ask, f"answers/{name}.j2": edit_format.answer}

    @cached_property
    def _jinja(self) -> jinja2.Environment:
        environment = jinja2.Environment(
            loader=jinja2.ChoiceLoader(
                [
                    jinja2.FileSystemLoader([str(place) for place in self._places]),
                    jinja2.DictLoader(self._texts),
                ]
            ),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            autoescape=False,
        )
        environment.filters["fenced"] = fenced
        environment.filters["json"] = partial(json.dumps, ensure_ascii=False)
        return environment

    def has(self, name: str) -> bool:
        return f"{name}.j2" in self._texts or any((p / f"{name}.j2").is_file() for p in self._places)

    def render(self, name: str, variables: Mapping[str, Any]) -> str:
        """The text of template ``name`` (without ``.j2``), without blank lines before it.

        The line feed that ends the file is not part of the text; further ones are.
        """
        try:
            text = self._jinja.get_template(f"{name}.j2").render(variables)
        except jinja2.TemplateSyntaxError as error:
            where = f"{error.filename or error.name}:{error.lineno}"
            raise UsageError(f"template {where}: {error.message}") from None
        except jinja2.UndefinedError as error:
            names = ", ".join(sorted(variables))
            raise UsageError(f"template {self._where(name)}: {error.message}; known: {names}") from None
        except jinja2.TemplateNotFound as error:
            raise UsageError(f"template {self._where(name)}: {error.name} is missing") from None
        except Exception as error:  # a template computes what its author wrote
            what = f"{type(error).__name__}: {error}"
            raise UsageError(f"template {self._where(name)}: {what}") from error
        return text.lstrip("\n").removesuffix("\n")

    def _where(self, name: str) -> str:
        files = [place / f"{name}.j2" for place in self._places if (place / f"{name}.j2").is_file()]
        return str(files[0] if files else self._places[0] / f"{name}.j2")

    def check_used(self, *folders: str) -> None:
        """``UsageError`` where the user's folder has no template in any of these folders."""
        if self._own is not None and not any(any((self._own / name).glob("*.j2")) for name in folders):
            places = ", ".join(f"{name}/" for name in folders)
            raise UsageError(f"--prompt-dir {self._own} has no template that is used (*.j2 in {places})")

    def sha256(self, *folders: str) -> str:
        """Hash of every template in the given folders, as this run sees them."""
        names = [n for n in self._jinja.list_templates() if n.endswith(".j2") and n.split("/")[0] in folders]
        loader = self._jinja.loader
        assert loader is not None
        sources = [f"{name}\0{loader.get_source(self._jinja, name)[0]}" for name in sorted(names)]
        return sha256_text("\0\0".join(sources))


def fenced(code: str, language: str) -> str:
    """The code in a fenced block whose fence is longer than any run of backticks in it."""
    longest = max((len(run) for run in re.findall(r"`{3,}", code)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{code.rstrip()}\n{fence}"
