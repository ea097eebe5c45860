"""Shipped files are found."""

from __future__ import annotations

import pytest

from nl2fix.core.errors import DataError
from nl2fix.core.resources import shared


def test_the_prompts_are_found() -> None:
    assert (shared("prompts") / "zero_shot" / "user.j2").is_file()


def test_what_is_not_there_is_one_clear_line() -> None:
    with pytest.raises(DataError, match="install nl2fix again"):
        shared("none-such")
