"""What a model may answer to a run, and how it is told that it may not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from nl2fix.core.errors import Nl2fixError
from nl2fix.core.records import Completion, Message, Prompt, Request, Sampling
from nl2fix.core.store import RunStore
from nl2fix.pipeline.asking import Asking
from tests.core.samples import problem
from tests.pipeline.conftest import Place

REQUEST = Request(problem("P-1"), Prompt((Message("user", "mend it"),)), (0, 2), Sampling())


class Saying:
    """Answers what it was told to."""

    name = "saying"

    def __init__(self, answers: Callable[[], Any]) -> None:
        self._answers = answers

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        list(requests)
        answers: Iterator[Completion] = self._answers()
        return answers


def asked(tmp_path: Path, *answers: Any) -> list[Completion]:
    """What a run gets of a model that answers so, as the engine takes it."""
    with RunStore.create(tmp_path / "run", {"settings": {"suite": {"name": "sample"}}}) as store:
        given = []
        for completion in Asking(Saying(lambda: iter(answers)), "mine:Model", store).complete([REQUEST]):
            store.add_completion(completion)
            given.append(completion)
    return given


def test_answers_come_with_the_prompt_they_answer(tmp_path: Path) -> None:
    given = asked(tmp_path, Completion("P-1", 2, code="x"), Completion("P-1", 0))
    assert [(one.sample, one.prompt_sha256) for one in given] == [
        (2, REQUEST.prompt.sha256),
        (0, REQUEST.prompt.sha256),
    ]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Completion("P-2", 0, code="x"), "sample 0 of P-2, which was not asked"),
        (Completion("P-1", 1, code="x"), "sample 1 of P-1, which was not asked"),
        (Completion("P-1", 2, 2, code="x"), r"sample 2 \(attempt 2\) of P-1, which was not asked"),
        (Completion("P-1", 0, code="y"), "sample 0 of P-1 twice"),
        (Completion("P-1", "7", code="x"), "sample '7' of P-1, which was not asked"),  # type: ignore[arg-type]
    ],
)
def test_an_answer_that_was_not_asked_is_told(tmp_path: Path, answer: Completion, words: str) -> None:
    """It vanished, the run ended well, and the same command asked again for ever."""
    with pytest.raises(Nl2fixError, match=f"^model mine:Model answered {words}$"):
        asked(tmp_path, Completion("P-1", 0, code="x"), answer)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("hello", "gave 'hello', which is no Completion"),
        (Completion("P-1", 0, code=5), "gave 5 as code of sample 0 of P-1, which is no text"),  # type: ignore[arg-type]
        (Completion("P-1", 0, text=b"x"), "gave b'x' as text of sample 0 of P-1, which is no text"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_answer_is_told(tmp_path: Path, answer: Any, words: str) -> None:
    """It was an internal error of nl2fix, with the advice to report it."""
    with pytest.raises(Nl2fixError, match=f"^model mine:Model {words}$"):
        asked(tmp_path, answer)


@pytest.mark.parametrize("logprob", ["nan", "inf", "-inf"])
def test_a_log_probability_that_is_no_number_is_refused(tmp_path: Path, logprob: str) -> None:
    """It was stored, and exported as JSON that nothing reads, replay included."""
    words = f"^model mine:Model gave {logprob} as logprob of sample 0 of P-1, which is no finite number$"
    with pytest.raises(Nl2fixError, match=words):
        asked(tmp_path, Completion("P-1", 0, code="x", logprob=float(logprob)))


@pytest.mark.parametrize("count", [-5, 2**63, 1.5, True])
def test_a_number_of_tokens_that_is_none_is_refused(tmp_path: Path, count: Any) -> None:
    """A sum of the leaderboard was below 0, and the export as Parquet an internal error."""
    what = f"gave {count} as completion_tokens of sample 0 of P-1, which is no number of tokens"
    with pytest.raises(Nl2fixError, match=f"^model mine:Model {what}$"):
        asked(tmp_path, Completion("P-1", 0, text="x", completion_tokens=count))


def test_a_model_that_gives_nothing_to_go_through_is_told(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", {"settings": {"suite": {"name": "sample"}}}) as store:
        model = Asking(Saying(lambda: None), "mine:Model", store)
        with pytest.raises(Nl2fixError, match="^model mine:Model gave None, not one answer after the other$"):
            list(model.complete([REQUEST]))


def test_a_run_whose_model_answers_another_problem_fails(place: Place) -> None:
    place.say(
        "wrong.py",
        "from nl2fix import Completion\n"
        "class Model:\n"
        "    name = 'wrong'\n"
        "    def complete(self, requests):\n"
        "        for request in requests:\n"
        "            yield Completion('Math-3', 0, code='x')\n",
    )
    status, line = place.run("--model", "wrong:Model")
    assert (status, line) == (1, "nl2fix: model wrong:Model answered sample 0 of Math-3, which was not asked")
