"""Sandboxes that several files test alike."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import pytest

from nl2fix.sandboxes import cgroups
from nl2fix.sandboxes.none import Unprotected
from nl2fix.sandboxes.sandbox import Sandbox


@pytest.fixture(params=["bubblewrap", pytest.param("docker", marks=pytest.mark.docker), "none"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """Each of the three."""
    if request.param != "none":
        yield request.getfixturevalue(request.param)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield Unprotected()


@pytest.fixture
def no_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a user who may not make control groups."""
    monkeypatch.setattr(cgroups, "_parents", dict)
