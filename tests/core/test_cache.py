from __future__ import annotations

from pathlib import Path

import pytest

from nl2fix.core.cache import VerdictCache
from nl2fix.core.errors import DataError
from nl2fix.core.records import Evidence, Outcome, Verdict


def test_verdicts_outlive_the_process_and_depend_on_content(tmp_path: Path) -> None:
    verdict = Verdict(Outcome.WRONG, Evidence("trigger", built=True, message="\ud800 text"))
    cache = VerdictCache(tmp_path / "deep" / "verdicts.sqlite")
    cache.put("workspace-1", "candidate", verdict)
    cache.close()
    again = VerdictCache(tmp_path / "deep" / "verdicts.sqlite")
    assert again.get("workspace-1", "candidate") == verdict
    assert again.get("workspace-2", "candidate") is None
    assert again.get("workspace-1", "other") is None
    again.close()


def test_two_processes_may_share_it(tmp_path: Path) -> None:
    one, two = (VerdictCache(tmp_path / "verdicts.sqlite") for _ in range(2))
    one.put("w", "a", Verdict(Outcome.TIMEOUT))
    two.put("w", "b", Verdict(Outcome.WRONG))
    assert two.get("w", "a") == Verdict(Outcome.TIMEOUT)
    assert one.get("w", "b") == Verdict(Outcome.WRONG)
    one.close()
    two.close()


def test_a_damaged_cache_says_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "verdicts.sqlite"
    file.write_bytes(b"not a database at all, really not one" * 50)
    with pytest.raises(DataError, match="delete it or set --cache"):
        VerdictCache(file)
