"""``--tries 2``: what failed is sent back once, and both attempts are scored."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

MODEL = '''
from nl2fix.core.records import Completion

FIX = "public int pageCount() { return (items.size() + pageSize - 1) / pageSize; }"
BAD = "public int pageCount() { return items.size() / pageSize + 2; }"


class Learner:
    """Wrong at first; every other second answer is right, if the failing test was told."""

    name = "learner"

    def complete(self, requests):
        for request in requests:
            for sample in request.samples:
                told = "PagerTest" in request.prompt.messages[-1].content
                code = FIX if request.attempt == 2 and told and sample % 2 else BAD
                yield Completion(request.problem.id, sample, request.attempt, text=f"```java\\n{code}\\n```")


def make(options, environment):
    return Learner()
'''


def test_second_attempts_see_the_failing_test_and_count_apart(tmp_path: Path) -> None:
    (tmp_path / "learner.py").write_text(MODEL)
    settings = "--model learner:make --bugs pager-last-page --n 5 --tries 2 --out run --json"
    done = subprocess.run(
        [sys.executable, "-m", "nl2fix", "run", *settings.split()],
        cwd=tmp_path,
        env={**os.environ, "NL2FIX_CACHE": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["pass_at"] == {"1": 0.0, "5": 0.0}
    assert summary["second_pass_at"] == pytest.approx({"1": 0.4, "5": 1.0})
