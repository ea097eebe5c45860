from __future__ import annotations

import gzip
import json
import os
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.config import Environment
from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.records import Completion, Message, Problem, Prompt, Request, Span
from nl2fix.models.replay import make

PROMPT = Prompt((Message("user", "fix it"),))


def request(problem: str, samples: Sequence[int], attempt: int = 1) -> Request:
    one = Problem(problem, "s", "q", "java", "A.java", "int f() { }", Span(0, 11), "f()", "int f() { }", {})
    return Request(one, PROMPT, tuple(samples), attempt=attempt)


def write(folder: Path, *rows: dict[str, Any] | str) -> Path:
    path = folder / "answers.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def replay(path: Path, *requests: Request) -> list[Completion]:
    model = make({"path": str(path)}, Environment(cache=path.parent))
    return list(model.complete(iter(requests)))


def test_lines_of_a_problem_are_its_samples_in_order(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        {"problem": "A", "completion": "one"},
        {"problem": "B", "candidate": "int f() { return 1; }"},
        {"problem": "A", "completion": "two"},
    )
    found = replay(path, request("A", [1, 0]), request("B", [0]))
    assert [(one.problem, one.sample, one.text, one.code) for one in found] == [
        ("A", 1, "two", None),
        ("A", 0, "one", None),
        ("B", 0, None, "int f() { return 1; }"),
    ]
    assert {one.finish for one in found} == {"stop"} and found[0].prompt_sha256 == PROMPT.sha256


def test_beyond_what_was_recorded_a_sample_is_absent(tmp_path: Path) -> None:
    path = write(tmp_path, {"problem": "A", "completion": "one"})
    found = replay(path, request("A", [0, 1]), request("B", [0]))
    assert [(one.text, one.finish) for one in found] == [
        ("one", "stop"),
        (None, "absent"),
        (None, "absent"),
    ]


def test_lines_of_an_export_keep_what_was_recorded(tmp_path: Path) -> None:
    row = {
        "problem": "A",
        "attempt": 2,
        "completion": "raw",
        "candidate": "read",
        "scope": "file",
        "finish": "length",
        "logprob": -1,
        "completion_tokens": 7,
        "prompt_sha256": "ab",
        "verdict": "wrong",
    }
    path = write(
        tmp_path, {"problem": "A", "completion": None, "candidate": None, "finish": "content_filter"}, row
    )
    first, second = replay(path, request("A", [0]), request("A", [0], attempt=2))
    assert (first.text, first.code, first.finish) == (None, None, "content_filter")
    assert (second.text, second.code, second.attempt, second.finish) == ("raw", None, 2, "length")
    assert (second.logprob, second.completion_tokens, second.prompt_sha256) == (-1, 7, "ab")


def test_blank_lines_and_a_missing_last_line_end_do_not_matter(tmp_path: Path) -> None:
    path = write(tmp_path, {"problem": "A", "completion": "ü\r\n\u2028𝄞"}, "", "  ")
    path.write_bytes(path.read_bytes() + b'{"problem": "A", "completion": "last"}')
    assert [one.text for one in replay(path, request("A", [0, 1]))] == ["ü\r\n\u2028𝄞", "last"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"problem": "A", "completion": "\xff"}\n', r"line 2: not UTF-8 \(byte 33 of the line\)"),
        (b'{"problem": "A", "comple', r"line 2: no JSON .* the file seems to be cut off here"),
        (b"{]\n", r"line 2: no JSON \([^;]* at character 2\)$"),
        (b"\x00\x01", r"line 2: no JSON \(Expecting value at character 1\)$"),
        (
            b'{"problem": "B", "completion": "x", "attempt": 2}\n',
            "line 2 is attempt 2 of a sample, whose first attempt is on no line before",
        ),
        (
            b'{"problem": "A", "completion": "x", "completion": "y"}\n',
            "line 2: key 'completion' stands twice in one object",
        ),
        (b"[1]\n", "line 2: not an object with a text 'problem'"),
        (b'{"completion": "x"}\n', "line 2: not an object with a text 'problem'"),
        (b'{"problem": "A"}\n', "line 2: needs 'completion' or 'candidate'"),
        (b'{"problem": "A", "completion": 3}\n', "line 2: 'completion' must be a text, not 3"),
        (
            b'{"problem": "A", "completion": "x", "attempt": true}\n',
            "line 2: 'attempt' must be an integer, not True",
        ),
        (
            b'{"problem": "A", "completion": "x", "logprob": NaN}\n',
            "line 2: 'logprob' must be a number, not nan",
        ),
        (
            b'{"problem": "A", "completion": "x", "temperature": 1e999}\n',
            "line 2: 'temperature' must be a number, not inf",
        ),
        (
            b'{"problem": "A", "completion": "x", "prompt_tokens": 9223372036854775808}\n',
            "line 2: 'prompt_tokens' must be an integer, not 9223372036854775808",
        ),
        (b'{"problem": "A", "completion": "x", "sample": -1}\n', "line 2: 'sample' counts from 0"),
        (b'{"problem": "A", "completion": "x", "sample": 1.5}\n', "line 2: 'sample' must be an integer"),
        (b'{"problem": "A", "completion": "x", "attempt": 0}\n', "line 2: .* 'attempt' from 1"),
        (b'{"problem": "A", "completion": "x", "extra": "y"}\n', "line 2: 'extra' must be an object"),
        (b'{"problem": "A", "candidate": "x", "scope": "file"}\n', "line 2: a candidate for a whole file"),
    ],
)
def test_a_malformed_line_is_named(tmp_path: Path, line: bytes, reason: str) -> None:
    path = write(tmp_path, {"problem": "A", "completion": "one"})
    path.write_bytes(path.read_bytes() + line)
    with pytest.raises(DataError, match=reason):
        replay(path, request("A", [0]))


def test_what_is_no_file_of_json_lines_is_told_with_the_way_out(tmp_path: Path) -> None:
    """A pipe (``replay:<(zcat …)``) "holds no answers", a packed file was "not UTF-8"."""
    path = write(tmp_path, {"problem": "A", "completion": "one"})
    path.write_bytes(gzip.compress(path.read_bytes()))
    with pytest.raises(DataError, match=r"packed by gzip; unpack it \(gunzip\)"):
        replay(path, request("A", [0]))
    os.mkfifo(tmp_path / "pipe")
    for stream in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(DataError, match="is no regular file; write what it gives to a file"):
            replay(stream, request("A", [0]))


def test_a_file_of_another_suite_answers_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, {"problem": "X-1", "completion": "one"})
    with pytest.raises(
        DataError, match=r"records answers of X-1, but none of the problems asked for \(A, …\)"
    ):
        replay(path, request("A", [0]), request("B", [0]))


def test_an_empty_file_is_told_as_such(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"answers.jsonl holds no answers$"):
        replay(write(tmp_path), request("A", [0]))


def test_a_missing_file_and_missing_options_are_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot read recorded answers .*No such file"):
        replay(tmp_path / "gone.jsonl", request("A", [0]))
    for nothing in ({}, {"path": ""}):
        with pytest.raises(UsageError, match="replay needs a file: replay:FILE"):
            make(nothing, Environment(cache=tmp_path))
    with pytest.raises(UsageError, match="did you mean 'path'"):
        make({"pat": "x"}, Environment(cache=tmp_path))


def test_memory_does_not_grow_with_the_answers(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with path.open("w", encoding="ascii") as stream:
        for number in range(4000):
            stream.write(json.dumps({"problem": f"P{number % 40}", "completion": "x" * 2000}) + "\n")
    model = make({"path": str(path)}, Environment(cache=tmp_path))
    tracemalloc.start()
    count = sum(1 for _ in model.complete(request(f"P{number}", range(100)) for number in range(40)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 4000 and peak < 2_000_000


@given(st.lists(st.tuples(st.sampled_from("ABC"), st.text(max_size=30)), max_size=12))
def test_texts_come_back_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]
) -> None:
    path = write(tmp_path_factory.mktemp("r"), *({"problem": p, "completion": t} for p, t in rows))
    for name in {problem for problem, _ in rows}:
        wanted = [text for problem, text in rows if problem == name]
        assert [one.text for one in replay(path, request(name, range(len(wanted))))] == wanted


def test_answers_of_several_models_do_not_go_by_the_name_of_the_first(tmp_path: Path) -> None:
    rows = [{"problem": "A", "model": model, "candidate": "x"} for model in ("one", "one", "two")]
    file = write(tmp_path, *rows)
    environment = Environment(cache=tmp_path)
    with pytest.raises(DataError, match=r"line 3: an answer of two, others are of one"):
        list(make({"path": str(file)}, environment).complete([request("A", range(3))]))
    pooled = make({"path": str(file), "called": "both"}, environment)
    assert [answer.code for answer in pooled.complete([request("A", range(3))])] == ["x", "x", "x"]


def test_a_later_attempt_belongs_to_the_sample_that_it_names(tmp_path: Path) -> None:
    """Only samples that fail have a second attempt: by their order, those behind a good one were others'."""
    rows = [
        {"problem": "A", "sample": 0, "completion": "good"},
        {"problem": "A", "sample": 1, "completion": "bad"},
        {"problem": "A", "sample": 1, "attempt": 2, "completion": "bad again"},
        {"problem": "A", "sample": 3, "completion": "worse"},
        {"problem": "A", "sample": 3, "attempt": 2, "completion": "better"},
    ]
    path = write(tmp_path, *rows)
    assert [one.text for one in replay(path, request("A", range(3)))] == ["good", "bad", "worse"]
    again = replay(path, request("A", range(3), attempt=2))
    assert [one.text for one in again] == [None, "bad again", "better"]
    orphan = write(tmp_path, rows[0], {**rows[2], "sample": 7})
    with pytest.raises(DataError, match="line 2 is attempt 2 of sample 7, whose first attempt is on no line"):
        replay(orphan, request("A", [0]))


def test_samples_come_by_their_numbers_whatever_the_order_of_the_lines(tmp_path: Path) -> None:
    """Of a file that was shuffled the first five samples were the five that came first in it."""
    rows = [{"problem": "A", "sample": i, "completion": f"answer {i}"} for i in (8, 1, 0, 5)]
    again = {"problem": "A", "sample": 1, "attempt": 2, "completion": "answer 1 again"}
    path = write(tmp_path, *rows, again)
    assert [one.text for one in replay(path, request("A", range(4)))] == [f"answer {i}" for i in (0, 1, 5, 8)]
    assert [one.text for one in replay(path, request("A", range(2), attempt=2))] == [None, "answer 1 again"]


def test_later_attempts_of_pooled_runs_keep_their_models(tmp_path: Path) -> None:
    rows = [
        {"problem": "A", "sample": 0, "model": model, "attempt": attempt, "completion": f"{model} {attempt}"}
        for attempt in (1, 2)
        for model in ("one", "two")
    ]
    model = make({"path": str(write(tmp_path, *rows)), "called": "both"}, Environment(cache=tmp_path))
    again = list(model.complete([request("A", range(2), attempt=2)]))
    assert [one.text for one in again] == ["one 2", "two 2"]


def test_a_sample_that_is_there_twice_is_no_second_sample(tmp_path: Path) -> None:
    """A recorder that was started again wrote its lines twice, and both counted in pass@k."""
    row = {"problem": "A", "sample": 0, "completion": "x"}
    with pytest.raises(DataError, match="line 2 has sample 0 of A again; number the samples"):
        replay(write(tmp_path, row, row), request("A", [0]))


def test_a_byte_order_mark_is_no_part_of_the_first_answer(tmp_path: Path) -> None:
    path = write(tmp_path, {"problem": "A", "completion": "one"}, {"problem": "A", "completion": "two"})
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert [one.text for one in replay(path, request("A", [0, 1]))] == ["one", "two"]
