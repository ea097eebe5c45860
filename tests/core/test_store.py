from __future__ import annotations

import gc
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nl2fix.core.errors import DataError, StorageError, UsageError
from nl2fix.core.records import (
    Candidate,
    Completion,
    Evidence,
    Failure,
    Outcome,
    RankerRecord,
    Verdict,
    ranker_record,
)
from nl2fix.core.store import RunStore
from tests.conftest import SmallDisk

MANIFEST = {"settings": {"suite": {"name": "sample"}, "seed": 0}}

COSINE = RankerRecord("cosine", "cosine", "cosine(hashing-4096-3)")


def test_the_first_answer_stored_for_a_sample_stays(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", MANIFEST) as store:
        store.add_completion(Completion("P", 0, text="first"))
        store.add_completion(Completion("P", 0, text="second"))
        store.add_completion(Completion("P", 0, attempt=2, text="again"))
        assert [c.text for c in store.completions("P")] == ["first", "again"]
        assert store.missing_samples("P", 3) == (1, 2)
        assert store.missing_samples("P", 2, attempt=2) == (1,)


def test_draws_keep_multiplicity_and_reasons(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", MANIFEST) as store:
        for sample, code in enumerate(["x", "y", "x"]):
            completion = Completion("P", sample, code=code)
            store.add_completion(completion)
            store.add_draw(completion, Candidate(code), None)
        empty = Completion("P", 3, finish="empty")
        store.add_completion(empty)
        assert [c.sample for c in store.unread()] == [3]
        store.add_draw(empty, None, "no answer (empty)")
        assert [d.candidate for d in store.draws("P")] == [*(Candidate(c).key for c in "xyx"), None]
        assert store.draws("P")[3].reason == "no answer (empty)"
        assert list(store.candidates("P").values()) == sorted(
            [Candidate("x"), Candidate("y")], key=lambda c: c.key
        )
        assert [c.code for c in store.unjudged("P")] == ["x", "y"]
        assert list(store.unread()) == []


def test_a_verdict_mends_a_failure(tmp_path: Path) -> None:
    verdict = Verdict(Outcome.WRONG, Evidence("trigger", built=True))
    with RunStore.create(tmp_path / "run", MANIFEST) as store:
        completion = Completion("P", 0, code="x")
        store.add_completion(completion)
        store.add_draw(completion, Candidate("x"), None)
        store.add_failure(Failure("validate", "P", Candidate("x").key, "worker died"))
        assert [f.message for f in store.failures()] == ["worker died"]
        store.add_verdict("P", Candidate("x").key, verdict)
        assert store.failures() == []
        assert store.verdicts("P") == {Candidate("x").key: verdict}
        assert store.unjudged("P") == []


def test_exclusions_are_replaced_only_where_checked(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", MANIFEST) as store:
        store.set_excluded({"A": "bad", "B": "bad"}, ["A", "B", "C"])
        store.set_excluded({"A": "still"}, ["A"])
        assert store.excluded() == {"A": "still", "B": "bad"}
        store.set_excluded({}, ["A", "B"])
        assert store.excluded() == {}


def test_rankings(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", MANIFEST) as store:
        store.set_ranking(COSINE, "P", ["b", "a"])
        store.set_ranking(COSINE, "P", ["a", "b"])
        assert store.ranking("cosine", "P") == ["a", "b"]
        assert store.ranking("vote", "P") is None
        assert store.rankers() == [COSINE]


def test_a_ranker_that_calls_itself_otherwise_is_still_the_same(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", MANIFEST) as store:
        store.set_ranking(COSINE, "P", ["b", "a"])
        store.set_ranking(COSINE._replace(label="cosine of something"), "P", ["a", "b"])
        assert [ranker.label for ranker in store.rankers()] == ["cosine of something"]
        assert store.ranking("cosine", "P") == ["a", "b"]


def test_other_options_are_another_ranker(tmp_path: Path) -> None:
    one, other = (ranker_record("cosine", {"size": size}, "cosine") for size in (1, 2))
    assert one.key != other.key
    assert one == ranker_record("cosine", {"size": 1}, "cosine")
    assert ranker_record("cosine", {}, "x").key == "cosine"


def test_orders_once_stored_under_labels_are_read_and_replaced(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", MANIFEST) as store:
        store._db.execute("INSERT INTO rankings VALUES('cosine(hashing-4096-3)', 'P', '[\"a\"]')")
        store._db.execute("DROP TABLE rankers")
        store._db.commit()
    with RunStore(tmp_path / "run") as store:
        [ranker] = store.rankers()
        assert (ranker.kind, store.ranking(ranker.key, "P")) == ("cosine", ["a"])
    with RunStore.create(tmp_path / "run", MANIFEST) as store:
        store.set_ranking(COSINE, "P", ["b"])
        assert store.rankers() == [COSINE]


def test_rankers_come_in_the_order_of_the_settings(tmp_path: Path) -> None:
    scope = {
        "rankers": [{"name": name, "options": dict[str, str]()} for name in ("vote", "hybrid", "cosine")]
    }
    with RunStore.create(tmp_path / "run", {**MANIFEST, "scope": scope}) as store:
        for name in ("cosine(hashing)", "another", "hybrid(vote+logprob)+hopeless", "vote+hopeless"):
            store._db.execute("INSERT INTO rankings VALUES(?, 'P', '[]')", (name,))
        assert [ranker.label for ranker in store.rankers()] == [
            "vote+hopeless",
            "hybrid(vote+logprob)+hopeless",
            "cosine(hashing)",
            "another",
        ]


def test_other_settings_are_refused_by_name(tmp_path: Path) -> None:
    RunStore.create(tmp_path / "run", MANIFEST).close()
    other = {"settings": {**MANIFEST["settings"], "seed": 1}}
    with pytest.raises(UsageError, match=r"other settings \(seed\)"):
        RunStore.create(tmp_path / "run", other)
    assert RunStore.create(tmp_path / "run", MANIFEST).manifest["settings"]["seed"] == 0


def test_one_writer_at_a_time_but_readers_may_look(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", MANIFEST) as store:
        store.add_completion(Completion("P", 0, text="x"))
        with pytest.raises(UsageError, match="another nl2fix is working on"):
            RunStore.create(tmp_path / "run", MANIFEST)
        with RunStore(tmp_path / "run") as reader:
            assert len(list(reader.completions())) == 1
    RunStore.create(tmp_path / "run", MANIFEST).close()


def test_a_folder_without_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no run"):
        RunStore(tmp_path)


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"format": 2}', '{"format": 99, "settings": {"suite": 1}}']
)
def test_a_damaged_manifest_is_one_clear_error(tmp_path: Path, content: str) -> None:
    folder = tmp_path / "run"
    RunStore.create(folder, MANIFEST).close()
    (folder / "run.json").write_text(content)
    with pytest.raises(DataError, match="run.json"):
        RunStore.create(folder, MANIFEST)


def test_a_damaged_database_is_one_clear_error(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    RunStore.create(folder, MANIFEST).close()
    for leftover in folder.glob("run.sqlite*"):
        leftover.unlink()
    (folder / "run.sqlite").write_bytes(b"this is no database, but long enough to be looked at" * 20)
    with pytest.raises(DataError, match=r"run\.sqlite cannot be opened"):
        RunStore(folder, writable=True)


@pytest.mark.parametrize(
    ("key", "value"), [("settings", []), ("identity", 1), ("scope", "n"), ("origin", [1]), ("origin", None)]
)
def test_a_manifest_with_a_part_that_is_no_table_is_told(key: str, value: object, tmp_path: Path) -> None:
    """A run edited by hand ended reports with an internal error."""
    RunStore.create(tmp_path / "run", MANIFEST).close()
    file = tmp_path / "run" / "run.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), key: value}))
    with pytest.raises(DataError, match=r"run\.json is damaged"):
        RunStore(tmp_path / "run")


@pytest.mark.parametrize("empty", [True, False])
def test_a_database_that_is_gone_is_an_error_and_not_begun_anew(empty: bool, tmp_path: Path) -> None:
    """``rank`` and ``observe`` made an empty one and ended with status 0, as the leaderboard did then."""
    RunStore.create(tmp_path / "run", MANIFEST).close()
    (tmp_path / "run" / "run.sqlite").unlink()
    if empty:
        (tmp_path / "run" / "run.sqlite").touch()
    for writable in (True, False):
        with pytest.raises(DataError, match="run.sqlite, which held the run's answers and verdicts, is gone"):
            RunStore(tmp_path / "run", writable=writable)
    with pytest.raises(DataError, match="is gone"):
        RunStore.create(tmp_path / "run", MANIFEST)


def test_answers_of_nobody_knows_which_model_are_not_taken_for_those_of_another(tmp_path: Path) -> None:
    """A run whose ``run.json`` was gone went on under the name of any model: 25.4 % of one as another's."""
    folder = tmp_path / "run"
    with RunStore.create(folder, MANIFEST) as store:
        store.add_completion(Completion("A-1", 0, text="x"))
    (folder / "run.json").unlink()
    for _ in range(2):
        with pytest.raises(DataError, match="run.json, which said of what the answers there are, is gone"):
            RunStore.create(folder, {**MANIFEST, "settings": {"seed": 7}})
    assert not (folder / "run.json").exists()


def test_a_run_that_was_killed_before_it_began_is_begun_anew(tmp_path: Path) -> None:
    RunStore.create(tmp_path / "run", MANIFEST).close()
    (tmp_path / "run" / "run.json").unlink()
    RunStore.create(tmp_path / "run", MANIFEST).close()
    assert RunStore(tmp_path / "run").manifest["settings"] == MANIFEST["settings"]


def test_a_run_of_somebody_else_says_what_to_do(tmp_path: Path) -> None:
    """Of ``rank`` and ``observe`` "lock: Permission denied" was all that was said."""
    folder = tmp_path / "run"
    RunStore.create(folder, MANIFEST).close()
    (folder / "lock").unlink()
    (folder / "lock").symlink_to(tmp_path)  # root may write where permission is denied to others
    with pytest.raises(
        DataError, match=r"run cannot be written \(Too many levels .*; copy it to a folder of"
    ):
        RunStore(folder, writable=True)


def test_an_unwritable_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="choose another --out"):
        RunStore.create(tmp_path / "file" / "run", MANIFEST)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.tuples(st.sampled_from("AB"), st.integers(0, 5), st.text(st.characters(codec=None)))))
def test_any_order_of_writes_gives_the_first_per_key(
    tmp_path_factory: pytest.TempPathFactory, writes: list[tuple[str, int, str]]
) -> None:
    expected: dict[tuple[str, int], str] = {}
    with RunStore.create(tmp_path_factory.mktemp("runs") / "run", MANIFEST) as store:
        for ident, sample, text in writes:
            store.add_completion(Completion(ident, sample, text=text))
            expected.setdefault((ident, sample), text)
        stored = {(c.problem, c.sample): c.text for c in store.completions()}
    assert stored == expected


WRITER = """
import sys
from pathlib import Path
from types import FrameType
from nl2fix.core.records import Candidate, Completion
from nl2fix.core.store import RunStore
with RunStore.create(Path(sys.argv[1]), {"settings": {"suite": {"name": "sample"}, "seed": 0}}) as store:
    for sample in store.missing_samples("P", 4000):
        completion = Completion("P", sample, code=f"c{sample % 7}")
        store.add_completion(completion)
        store.add_draw(completion, Candidate(completion.code), None)
        print(sample, flush=True)
    for completion in store.unread():
        store.add_draw(completion, Candidate(completion.code), None)
"""


def test_kill_9_loses_nothing_that_was_reported(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    for pause in (0.3, 0.5):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(folder)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(pause)
        os.kill(process.pid, signal.SIGKILL)
        reported = [int(line) for line in process.stdout.read().split()]
        process.wait()
        with RunStore(folder) as store:
            stored = {c.sample for c in store.completions("P")}
        assert set(reported[:-1]) <= stored
    subprocess.run([sys.executable, "-c", WRITER, str(folder)], check=True, stdout=subprocess.DEVNULL)
    with RunStore(folder) as store:
        assert store.missing_samples("P", 4000) == ()
        assert [d.candidate for d in store.draws("P")] == [Candidate(f"c{i % 7}").key for i in range(4000)]
        assert json.loads((folder / "run.json").read_text())["settings"]["seed"] == 0


def test_a_killed_run_on_media_that_cannot_be_written_is_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was committed last stands in the log beside the database."""
    store = RunStore.create(tmp_path / "run", MANIFEST)
    store.add_completion(Completion("P", 0, text="first"))
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    with RunStore(tmp_path / "run") as reader:
        assert [c.text for c in reader.completions("P")] == ["first"]
    store.close()
    with RunStore(tmp_path / "run") as reader:
        assert [c.text for c in reader.completions("P")] == ["first"]


def test_a_killed_run_is_read_whole_where_the_index_of_its_log_is_missing_and_cannot_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Archives and copies leave it out: ``unable to open database file``."""
    with RunStore.create(tmp_path / "run", MANIFEST) as store:
        store.add_completion(Completion("P", 0, text="first"))
        shutil.copytree(tmp_path / "run", tmp_path / "kept")
    (tmp_path / "kept" / "run.sqlite-shm").unlink()
    there = {file: file.read_bytes() for file in (tmp_path / "kept").iterdir()}
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    with RunStore(tmp_path / "kept") as reader:
        assert [c.text for c in reader.completions("P")] == ["first"]
    assert {file: file.read_bytes() for file in (tmp_path / "kept").iterdir()} == there


@pytest.mark.parametrize("killed", [False, True])
def test_a_run_on_a_full_disk_is_read_whole(tmp_path: Path, killed: bool) -> None:
    """``disk I/O error``: there was no room for the index of a log, nor to look what the run had."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(disk)], capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"no disk can be mounted here: {mounted.stderr.strip()}")
    try:
        with RunStore.create(tmp_path / "run", MANIFEST) as store:
            store.add_completion(Completion("P", 0, text="first"))
            if killed:
                shutil.copytree(tmp_path / "run", disk / "run")
        if not killed:
            shutil.copytree(tmp_path / "run", disk / "run")
        (disk / "run" / "run.sqlite-shm").unlink(missing_ok=True)
        with (disk / "rest").open("wb", buffering=0) as rest, suppress(OSError):
            while rest.write(b"x" * 4096):
                pass
        for _ in range(2):
            with RunStore(disk / "run") as reader:
                assert [c.text for c in reader.completions("P")] == ["first"]
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def test_the_log_stays_small_while_answers_are_read(tmp_path: Path) -> None:
    """A query held open while its rows were worked on kept the log growing: 322 MB beside 50 MB."""
    with RunStore.create(tmp_path / "run", {"settings": {"suite": {"name": "x"}}}) as store:
        for sample in range(100):
            store.add_completion(Completion("A", sample, text="x"))
        for answer in store.unread():
            for again in range(10):
                store.add_completion(Completion("B", answer.sample * 10 + again, text="x" * 20_000))
        assert (tmp_path / "run" / "run.sqlite-wal").stat().st_size < 10_000_000
        assert (tmp_path / "run" / "run.sqlite").stat().st_size > 15_000_000


def test_a_damaged_text_is_told_without_being_repeated(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", MANIFEST) as store:
        store.add_completion(Completion("A", 0, text="long " * 1000))
    with sqlite3.connect(tmp_path / "run" / "run.sqlite") as db:
        db.execute("UPDATE completions SET body = CAST(CAST(body AS BLOB) || x'ff' AS TEXT)")
    db.close()
    with RunStore(tmp_path / "run") as store, pytest.raises(DataError) as error:
        list(store.completions("A"))
    assert "cannot be read: Could not decode to UTF-8 column 'body'" in str(error.value)
    assert "long" not in str(error.value)


def test_judges_that_ask_at_once_are_each_given_their_own(
    tmp_path: Path,
) -> None:
    """From Python 3.12 on they shared a statement: some got nothing ("internal error (StopIteration)")."""
    codes = [f"x = {number}" for number in range(50)]
    with RunStore.create(tmp_path / "run", MANIFEST) as store:
        for sample, code in enumerate(codes):
            completion = Completion("P", sample, code=code)
            store.add_completion(completion)
            store.add_draw(completion, Candidate(code), None)

        def asked(part: int) -> list[str]:
            mine = codes[part::4] * 200
            return [code for code in mine if store.candidate("P", Candidate(code).key).code != code]

        before = sys.getswitchinterval()
        sys.setswitchinterval(1e-5)
        try:
            with ThreadPoolExecutor(4) as judges:
                assert [*judges.map(asked, range(4))] == [[]] * 4
        finally:
            sys.setswitchinterval(before)


def test_ctrl_c_in_the_middle_of_writing_says_nothing_behind_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind "stopped" stood a traceback: "cannot be written: Cannot operate on a closed database"."""
    said: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", said.append)

    def strike(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_name == "__exit__":
            sys.setprofile(None)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), RunStore.create(tmp_path / "run", MANIFEST) as store:
        sys.setprofile(strike)
        store.add_completion(Completion("P", 0, text="lost"))
    gc.collect()
    assert said == []
    with RunStore(tmp_path / "run", writable=True) as store:
        assert list(store.completions("P")) == []
        store.add_completion(Completion("P", 0, text="again"))


def test_a_disk_that_fills_is_called_full_and_loses_nothing_that_was_stored(small_disk: SmallDisk) -> None:
    folder, samples = small_disk("400k") / "run", 0
    with RunStore.create(folder, MANIFEST) as store:
        with pytest.raises(StorageError, match=r"run\.sqlite cannot be written: the disk is full"):
            for samples in range(10_000):
                store.add_completion(Completion("P", samples, text="x" * 1000))
        with suppress(StorageError):  # what comes next fails otherwise: SQLite says "disk I/O error"
            store.add_completion(Completion("P", samples, text="y"))
    with RunStore(folder) as stored:
        assert len(list(stored.completions())) >= samples
