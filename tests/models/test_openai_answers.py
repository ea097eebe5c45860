"""Answers stay, whole, whatever happens to the process."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from nl2fix.core.errors import DataError
from nl2fix.models.openai.answers import AnswerCache
from nl2fix.models.turns import Reply

FULL = Reply("text \ud800 é\n", "stop", -1.5, 3, 10, 3, 0.25, {"id": "r"})


def test_answers_come_back_as_they_were(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "new" / "a.sqlite")
    cache.put("r", [(0, FULL), (7, Reply(None, "empty"))])
    cache.close()
    again = AnswerCache(tmp_path / "new" / "a.sqlite")
    assert again.get("r", (0, 1, 7)) == {0: FULL, 7: Reply(None, "empty")}
    assert again.get("r", (1,)) == {}
    assert again.get("other", (0,)) == {}


def test_a_file_that_is_no_cache_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "a.sqlite").write_bytes(b"nonsense" * 1000)
    with pytest.raises(DataError, match="answer cache"):
        AnswerCache(tmp_path / "a.sqlite")


@pytest.mark.parametrize("body", ["[]", "{", '{"words": 1}'])
def test_an_answer_that_was_damaged_is_one_clear_line(tmp_path: Path, body: str) -> None:
    file = tmp_path / "a.sqlite"
    cache = AnswerCache(file)
    cache.put("r", [(0, FULL)])
    with sqlite3.connect(file) as database:
        database.execute("UPDATE answers SET body=?", (body,))
    with pytest.raises(DataError, match="answer cache .* cannot be read .*; delete it or set --cache"):
        cache.get("r", (0,))


def test_a_file_that_was_damaged_is_one_clear_line(tmp_path: Path) -> None:
    file = tmp_path / "a.sqlite"
    cache = AnswerCache(file)
    cache.put("r", [(i, FULL) for i in range(500)])
    cache.close()
    content = bytearray(file.read_bytes())
    content[4096 : 10 * 4096] = b"\xff" * (9 * 4096)
    file.write_bytes(content)
    with pytest.raises(DataError, match="answer cache .* cannot be read"):
        AnswerCache(file).get("r", range(500))


def test_a_killed_process_leaves_whole_replies(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from itertools import count\n"
        "from nl2fix.models.openai.answers import AnswerCache; from nl2fix.models.turns import Reply\n"
        "cache = AnswerCache(Path(sys.argv[1]))\n"
        "for i in count():\n"
        "    cache.put(str(i), [(s, Reply('x' * 500, 'stop')) for s in range(10)]); print(i, flush=True)\n"
    )
    file = tmp_path / "a.sqlite"
    with subprocess.Popen([sys.executable, "-c", program, str(file)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        seen = [int(process.stdout.readline()) for _ in range(30)]
        os.kill(process.pid, signal.SIGKILL)
    cache = AnswerCache(file)
    for reply in range(seen[-1] + 1):
        assert len(cache.get(str(reply), range(10))) == 10
    assert len(cache.get(str(seen[-1] + 2), range(10))) in (0, 10)
