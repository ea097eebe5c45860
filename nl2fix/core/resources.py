"""Where the files that ship beside the code are: inside the installed package, or in the checkout."""

from __future__ import annotations

from pathlib import Path

from nl2fix.core.errors import DataError

_PACKAGE = Path(__file__).resolve().parent.parent


def shared(name: str) -> Path:
    """The shipped file or folder ``name``, e.g. ``prompts`` or ``docker``.

    An installed package holds it as ``nl2fix/_shared/NAME``; a checkout as ``NAME`` beside the package.
    """
    for place in (_PACKAGE / "_shared" / name, _PACKAGE.parent / name):
        if place.exists():
            return place
    raise DataError(f"the shipped {name!r} is missing beside {_PACKAGE}; install nl2fix again")
