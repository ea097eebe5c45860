"""Turns of a conversation and what each completion bears of their cost."""

from __future__ import annotations

from dataclasses import replace

from nl2fix.core.records import Completion, Message, Prompt
from nl2fix.models.turns import Job, Past, Reply
from tests.models.samples import request

PROMPT = Prompt((Message("user", "Which lines?"),), followups=("Why?", "Fix it."))
FIRST = Reply("line 1", "stop", prompt_tokens=10, completion_tokens=2, seconds=0.5)
SECOND = Reply("because", "stop", prompt_tokens=20, completion_tokens=3)
LAST = Reply(
    "fixed", "length", -2.0, 4, prompt_tokens=30, completion_tokens=4, seconds=1.0, extra={"id": "r"}
)


def job(prompt: Prompt = PROMPT) -> tuple[Job, list[Completion]]:
    done: list[Completion] = []
    return Job(request(n=2, prompt=prompt), "hash", done.append), done


def chain(made: Job) -> Past:
    return made.after(made.after(Past(), FIRST), SECOND)


def test_each_ask_holds_the_conversation_so_far() -> None:
    made, _ = job()
    ask = made.ask((1,), made.after(Past(), FIRST))
    assert [m.content for m in ask.messages] == ["Which lines?", "line 1", "Why?"]
    assert not ask.last
    last = made.ask((1,), chain(made))
    assert [m.role for m in last.messages] == ["user", "assistant", "user", "assistant", "user"]
    assert last.last


def test_a_completion_bears_the_cost_of_its_chain() -> None:
    made, done = job()
    made.emit(1, LAST, chain(made))
    (completion,) = done
    assert (completion.prompt_tokens, completion.completion_tokens, completion.seconds) == (60, 9, 1.5)
    assert (completion.text, completion.finish, completion.logprob) == ("fixed", "length", -2.0)
    assert (completion.sample, completion.prompt_sha256, completion.extra) == (1, "hash", {"id": "r"})
    assert len(completion.transcript) == 4


def test_shared_turns_are_paid_by_the_first_sample_alone() -> None:
    made, done = job(replace(PROMPT, share_turns=True))
    for sample in (0, 1):
        made.emit(sample, LAST, chain(made))
    assert [c.prompt_tokens for c in done] == [60, 30]


def test_an_answer_given_to_all_is_paid_once() -> None:
    made, done = job()
    made.emit_all((0, 1), replace(LAST, text=None, finish="empty"), Past())
    assert [(c.text, c.finish, c.prompt_tokens) for c in done] == [(None, "empty", 30), (None, "empty", 0)]


def test_unknown_costs_stay_unknown() -> None:
    made, done = job()
    made.emit(0, Reply("x", "stop"), Past())
    assert (done[0].prompt_tokens, done[0].completion_tokens, done[0].seconds) == (None, None, None)
