from __future__ import annotations

import pytest

from nl2fix.core.errors import UsageError
from nl2fix.languages import LANGUAGES, language


def test_every_registered_language_loads_under_its_name() -> None:
    assert (
        {language(name).name for name in LANGUAGES}
        == set(LANGUAGES)
        == {*("java", "python", "javascript", "go", "cpp", "rust")}
    )


def test_an_unknown_language_is_told_the_nearest_one() -> None:
    with pytest.raises(UsageError, match=r"unknown language 'jva'; did you mean 'java'\?"):
        language("jva")
