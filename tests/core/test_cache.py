from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from nl2fix.core.cache import VerdictCache
from nl2fix.core.errors import DataError
from nl2fix.core.records import Evidence, Outcome, Verdict
from tests.conftest import SmallDisk


def test_verdicts_outlive_the_process_and_depend_on_content(tmp_path: Path) -> None:
    verdict = Verdict(Outcome.WRONG, Evidence("trigger", built=True, message="\ud800 text"))
    cache = VerdictCache(tmp_path / "deep" / "verdicts.sqlite")
    cache.put("workspace-1", {"candidate": verdict})
    cache.close()
    again = VerdictCache(tmp_path / "deep" / "verdicts.sqlite")
    assert again.get("workspace-1", "candidate") == verdict
    assert again.get("workspace-2", "candidate") is None
    assert again.get("workspace-1", "other") is None
    again.close()


def test_two_processes_may_share_it(tmp_path: Path) -> None:
    one, two = (VerdictCache(tmp_path / "verdicts.sqlite") for _ in range(2))
    one.put("w", {"a": Verdict(Outcome.TIMEOUT)})
    two.put("w", {"b": Verdict(Outcome.WRONG)})
    assert two.get("w", "a") == Verdict(Outcome.TIMEOUT)
    assert one.get("w", "b") == Verdict(Outcome.WRONG)
    one.close()
    two.close()


@pytest.mark.parametrize("place", [20, 4096, "body"])
def test_a_flipped_bit_costs_the_cached_verdicts_and_nothing_else(tmp_path: Path, place: int | str) -> None:
    file = tmp_path / "verdicts.sqlite"
    cache = VerdictCache(file)
    for i in range(200):
        cache.put("w", {f"candidate {i}": Verdict(Outcome.WRONG, Evidence("trigger", message="x" * 50))})
    cache.close()
    content = bytearray(file.read_bytes())
    spot = content.index(b'"outcome"') if place == "body" else int(place)
    content[spot : spot + 400] = bytes(byte ^ 0x80 for byte in content[spot : spot + 400])
    file.write_bytes(content)
    with pytest.warns(UserWarning, match="begun anew"):
        cache = VerdictCache(file)
        known = [cache.get("w", f"candidate {i}") for i in range(200)]
    assert all(verdict is None or verdict.outcome is Outcome.WRONG for verdict in known)
    cache.put("w", {"new": Verdict(Outcome.TIMEOUT)})
    assert cache.get("w", "new") == Verdict(Outcome.TIMEOUT)
    cache.close()
    (kept,) = tmp_path.glob("verdicts.sqlite.damaged-*")
    assert kept.read_bytes() == bytes(content)


def test_a_cache_that_cannot_be_opened_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(DataError, match="delete it or set --cache"):
        VerdictCache(tmp_path / "file" / "verdicts.sqlite")


def test_lent_verdicts_are_not_stored(tmp_path: Path) -> None:
    cache = VerdictCache(tmp_path / "verdicts.sqlite")
    cache.lend("w", {"a": Verdict(Outcome.WRONG)})
    assert cache.get("w", "a") == Verdict(Outcome.WRONG)
    assert cache.get("v", "a") is None
    cache.close()
    again = VerdictCache(tmp_path / "verdicts.sqlite")
    assert again.get("w", "a") is None
    again.close()


def test_several_are_kept_at_once_or_none(tmp_path: Path) -> None:
    file = tmp_path / "verdicts.sqlite"
    cache = VerdictCache(file)
    wrong, late = Verdict(Outcome.WRONG), Verdict(Outcome.TIMEOUT)
    cache.put("w", {"a": wrong, "b": late})
    assert (cache.get("w", "a"), cache.get("w", "b")) == (wrong, late)
    with closing(sqlite3.connect(file)) as other, other:
        other.execute(
            "CREATE TRIGGER refuse BEFORE INSERT ON verdicts WHEN new.candidate = 'd' "
            "BEGIN SELECT RAISE(ABORT, 'refused'); END"
        )
    with pytest.raises(DataError, match="refused"):
        cache.put("w", {"c": wrong, "d": wrong})
    assert cache.get("w", "c") is None
    cache.close()


@pytest.mark.parametrize("size", ["8k", "20k", "60k", "132k"])
def test_a_full_disk_is_no_reason_to_delete_the_cache(small_disk: SmallDisk, size: str) -> None:
    verdict = Verdict(Outcome.WRONG, Evidence("trigger", message="x" * 4000))
    file = small_disk(size) / "verdicts.sqlite"
    said = r"verdicts\.sqlite cannot be used: the disk is full; make room"
    with pytest.raises(DataError, match=said), closing(VerdictCache(file)) as cache:
        for i in range(200):
            cache.put("w", {f"candidate {i}": verdict})
