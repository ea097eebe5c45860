"""What is kept for whoever stops a search."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from nl2fix.core.protocols import Model
from nl2fix.suggestion.api import SuggestConfig
from nl2fix.suggestion.attended import Attended
from nl2fix.suggestion.deciding import Trial
from nl2fix.suggestion.localisation.localise import Place
from nl2fix.suggestion.localisation.report import IssueReport
from nl2fix.suggestion.output.result import SuggestResult

from .test_deciding import places, result, shop  # noqa: F401 - fixtures


class Stopped:
    """Somebody at a terminal, who sees no page."""

    has_page = False

    def __init__(self) -> None:
        self.some: list[bool] = []

    def stopped(self, some: bool) -> None:
        self.some.append(some)


def stopped_after(
    trials: int,
    places: list[Place],  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> tuple[SuggestResult, Stopped]:
    """What is left where Ctrl-C is pressed while another method is prepared."""
    done: list[str] = []

    def work(attended: Attended, trial: Trial) -> SuggestResult:
        if len(done) == trials:
            raise KeyboardInterrupt
        done.append(trial.target.entity)
        found = result(trial.target.entity, found=False)
        attended._note(trial, found)
        return found

    monkeypatch.setattr(Attended, "work", work)
    setup: Any = SimpleNamespace(say=[].append, choices=SimpleNamespace(triggers=()), hung=())
    onlooker: Any = Stopped()
    model: Any = Model
    attended = Attended(setup, IssueReport("", ""), SuggestConfig(), model, onlooker, None)
    return attended.decided(places), onlooker


def test_all_that_was_judged_is_told_when_the_next_method_is_stopped(
    places: list[Place],  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of three methods with 651 edits judged the first one's ten were told."""
    left, onlooker = stopped_after(3, [*places, places[0]], monkeypatch)
    assert left.sought is not None
    assert left.sought.edits == {place.entity: 7 for place in places}
    assert (left.complete, left.judged, left.sought.whole) == (False, 14, False)
    assert onlooker.some == [False]


def test_where_nothing_is_known_yet_ctrl_c_ends_the_search(
    places: list[Place],  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(KeyboardInterrupt):
        stopped_after(0, places, monkeypatch)
