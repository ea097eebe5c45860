"""Commands that look at runs: what they print, and how they fail: one line, an exit code, no traceback."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nl2fix.core.manifest import read_manifest
from nl2fix.core.records import ABSENT, Completion
from nl2fix.core.store import RunStore
from tests.study import golden

ROOT = Path(__file__).parents[2]
ENTRY = "from nl2fix.cli.main import main; main()"


def nl2fix(*arguments: object, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """The command as a user runs it, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", ENTRY, *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def refused(done: subprocess.CompletedProcess[str], code: int, *words: str) -> None:
    """One line on standard error with these words, and nothing else."""
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    line = done.stderr.strip().splitlines()[-1]
    for word in words:
        assert word in line


@pytest.fixture(scope="module")
def alpha(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return golden.write(tmp_path_factory.mktemp("runs") / "alpha", "alpha")


@pytest.fixture(scope="module")
def beta(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return golden.write(tmp_path_factory.mktemp("runs") / "beta", "beta")


def test_a_folder_whose_name_is_no_utf_8_is_looked_at_like_any_other(alpha: Path, tmp_path: Path) -> None:
    """Every look at one ended with an internal error, when the run was done."""
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    shutil.copytree(alpha, folder)
    looks = [
        ("report", folder),
        ("show", folder),
        ("export", folder),
        ("compare", folder, alpha, "--html", tmp_path / "compare.html"),
        ("leaderboard", folder, alpha, "--out", tmp_path / "board"),
        ("study", folder, alpha, "--out", tmp_path / "study"),
    ]
    for look in looks:
        done = nl2fix(*look)
        assert done.returncode == 0, (look, done.stderr)
    for page in ("compare.html", "board/index.html", "study/study.html"):
        assert "caf\ufffd" in (tmp_path / page).read_text()


def test_report_writes_the_page_and_prints_json(alpha: Path) -> None:
    done = nl2fix("report", alpha, "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert (data["fixed"], data["samples"]) == (3, 24)
    assert data["excluded"] == {"G-5": "the reference fails its tests"}
    assert (alpha / "report.html").read_text().startswith("<!doctype html>")


def test_report_prints_the_table(alpha: Path, tmp_path: Path) -> None:
    done = nl2fix("report", alpha, "--html", tmp_path / "page.html")
    assert done.returncode == 0, done.stderr
    assert "33.3 %" in done.stdout
    assert (tmp_path / "page.html").is_file()


def test_the_table_of_a_run_whose_page_cannot_be_written_is_shown(tmp_path: Path) -> None:
    """Of somebody else's run not a number was shown, nor how to have the page elsewhere."""
    folder = golden.write(tmp_path / "run", "alpha")
    (folder / "report.html").mkdir()  # root may write where permission is denied to others
    done = nl2fix("report", folder)
    assert (done.returncode, "33.3 %" in done.stdout) == (1, True)
    assert done.stderr.strip().endswith("; --html names another file")


def test_a_page_for_which_a_run_cannot_be_read_is_not_to_be_written_elsewhere(tmp_path: Path) -> None:
    """Of a damaged table it was said that --html names another file."""
    folder = golden.write(tmp_path / "run", "alpha")
    with closing(sqlite3.connect(folder / "run.sqlite")) as database, database:
        database.executescript(
            "INSERT INTO prompts VALUES('0', '', '{'); INSERT INTO asked SELECT problem, '0' FROM problems"
        )
    done = nl2fix("report", folder)
    assert done.returncode == 1
    assert "run.sqlite" in done.stderr
    assert "--html" not in done.stderr


def test_a_run_that_was_stopped_before_it_held_a_problem_says_so(alpha: Path, tmp_path: Path) -> None:
    """An empty table was all that was shown."""
    RunStore.create(tmp_path / "early", read_manifest(alpha)).close()
    done = nl2fix("report", tmp_path / "early")
    assert done.returncode == 0, done.stderr
    assert "holds no problem yet, as it was stopped before; the same command goes on" in done.stderr


def test_show_prints_ranked_candidates(alpha: Path) -> None:
    done = nl2fix("show", alpha, "G-2", "--top", 1, "--ranker", "vote")
    assert done.returncode == 0, done.stderr
    assert "+    int c = a;" in done.stdout
    as_json = json.loads(nl2fix("show", alpha, "G-2", "--top", 2, "--json").stdout)
    assert [c["verdict"] for c in as_json["candidates"]] == ["wrong", "wrong"]


def test_show_without_a_bug_lists_all(alpha: Path) -> None:
    done = nl2fix("show", alpha)
    assert done.returncode == 0, done.stderr
    assert all(bug in done.stdout for bug in ("G-1", "G-2", "G-3"))
    rows = json.loads(nl2fix("show", alpha, "--json").stdout)
    assert [row["id"] for row in rows][:2] == ["G-1", "G-2"]
    assert {row["plausible"] for row in rows if row["excluded"] is None} != {0}


def test_show_says_why_a_bug_was_left_out(alpha: Path) -> None:
    """The reason stood in the page alone."""
    assert "left out: G-5: the reference fails its tests" in nl2fix("show", alpha).stdout.splitlines()
    assert "left out: the reference fails its tests" in nl2fix("show", alpha, "G-5").stdout.splitlines()
    assert json.loads(nl2fix("show", alpha, "G-5", "--json").stdout)["excluded"]


def test_show_refuses_what_the_run_has_not(alpha: Path) -> None:
    refused(nl2fix("show", alpha, "G-22"), 2, "no bug 'G-22'", "did you mean 'G-2'")
    refused(nl2fix("show", alpha, "G-2", "--ranker", "votes"), 2, "'votes'", "did you mean 'vote'")


def test_export_streams_or_writes(alpha: Path, tmp_path: Path) -> None:
    lines = nl2fix("export", alpha).stdout.splitlines()
    assert len(lines) == 27
    done = nl2fix("export", alpha, "--to", tmp_path / "x.jsonl")
    assert "27 rows" in done.stderr
    assert (tmp_path / "x.jsonl").read_text().splitlines() == lines
    assert [item.name for item in tmp_path.iterdir()] == ["x.jsonl"]


@pytest.mark.parametrize("form", ["parquet", "hf"])
def test_export_in_other_forms(alpha: Path, tmp_path: Path, form: str) -> None:
    refused(nl2fix("export", alpha, "--format", form), 2, "needs --to")
    done = nl2fix("export", alpha, "--format", form, "--to", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out").is_dir() == (form == "hf")


@pytest.mark.parametrize(
    "command", [("report",), ("show",), ("study", "--out", "made"), ("rank",), ("observe",)]
)
def test_settings_that_a_stored_run_cannot_take_are_refused(
    alpha: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    """They were taken without a word: ``n=3`` wrote a report of a hundred samples with pass@1 only."""
    name, *more = command
    told = ("--set", "n=3", "--set", "model=foo", "--set", "sampling.seed=0")
    done = nl2fix(name, alpha, *more, *told, cwd=tmp_path)
    refused(done, 2, "alpha stays as it was made: model, n cannot be set here")


def test_a_file_with_the_settings_of_a_run_fits_its_report(alpha: Path, tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text('n = 6\n[model]\nname = "openai"\nconcurrency = 2\n[environment]\njobs = 1\n')
    done = nl2fix("report", alpha, "--config", file, "--set", 'bugs=["G-1"]', "--json")
    assert json.loads(done.stdout)["samples"] == 6, done.stderr


def test_export_to_nowhere_is_one_line(alpha: Path, tmp_path: Path) -> None:
    refused(nl2fix("export", alpha, "--to", tmp_path / "no" / "x.jsonl"), 1, "cannot write")


def test_compare_and_study(alpha: Path, beta: Path, tmp_path: Path) -> None:
    done = nl2fix("compare", alpha, beta, "--html", tmp_path / "c.html", "--json")
    assert done.returncode == 0, done.stderr
    assert [row["fixed"] for row in json.loads(done.stdout)] == [3, 3]
    assert (tmp_path / "c.html").is_file()
    done = nl2fix("study", alpha, beta, "--out", tmp_path / "study", "--json")
    assert done.returncode == 0, done.stderr
    assert "compare [OPTIONS] RUN…\n" in nl2fix("compare", "--help").stdout
    shown = nl2fix("compare", alpha).stdout
    assert "33.3 %" in shown, "run, study and the page tell per cent, too"
    tables = {table["name"]: table for table in json.loads(done.stdout)}
    assert tables["table2"]["rows"][0]["pass@1"] == pytest.approx(1 / 3)
    assert (tmp_path / "study" / "study.html").is_file()
    again = nl2fix("study", alpha, "--out", tmp_path / "study")
    assert "Table 6: rankings" in again.stdout
    (tmp_path / "file").write_text("")
    refused(nl2fix("study", alpha, "--out", tmp_path / "file"), 2, "choose another --out")


def test_an_empty_host_is_refused(alpha: Path) -> None:
    refused(nl2fix("serve", alpha, "--host", ""), 2, "--host names no address")


def test_compare_tells_what_the_bugs_in_common_say(alpha: Path, beta: Path, tmp_path: Path) -> None:
    """Shares of other bugs stood side by side as if one could tell from them which run is better."""
    fewer = tmp_path / "fewer"
    shutil.copytree(beta, fewer)
    with RunStore(fewer, writable=True) as store:
        store.set_excluded({"G-1": "the reference fails its tests"}, ["G-1"])
    shown = " ".join(nl2fix("compare", alpha, fewer).stdout.split())
    assert re.search(r"in common ┃ points above the first ┃.* │ 3 │ [-+]\d+\.\d \[", shown)
    alone, beside = json.loads(nl2fix("compare", alpha, fewer, "--json").stdout)
    assert (alone["bugs"], alone["above_first"]) == (4, None)
    assert (beside["bugs"], beside["above_first"]["bugs"]) == (3, 3)


def test_samples_that_a_recording_lacks_are_told_in_the_terminal_too(alpha: Path, tmp_path: Path) -> None:
    """Only the pages did: a run of three samples stood first in a table of "10 samples each"."""
    short = tmp_path / "short"
    shutil.copytree(alpha, short)
    manifest = json.loads((short / "run.json").read_text(encoding="utf-8"))
    (short / "run.json").write_text(json.dumps({**manifest, "scope": {**manifest["scope"], "n": 7}}))
    with RunStore(short, writable=True) as store:
        for ident in ("G-1", "G-2", "G-3", "G-4"):
            lacking = Completion(ident, 6, finish=ABSENT)
            store.add_completion(lacking)
            store.add_draw(lacking, None, None)
    told = nl2fix("compare", short, alpha).stderr
    assert told.startswith("short: fewer samples than asked for, left out of pass@k for larger k: G-1 (6)")
    assert "alpha" not in told
    told = nl2fix("leaderboard", short, alpha, "--out", tmp_path / "board").stderr
    assert told.splitlines()[0] == "short: 4 of its problems have fewer samples than that"
    assert "alpha" not in told


@pytest.mark.parametrize(
    "command", [["export", "--to"], ["record", "--to"], ["report", "--html"], ["compare", "--html"]]
)
@pytest.mark.parametrize("file", ["run.sqlite", "run.json"])
def test_what_is_made_of_a_run_never_takes_the_place_of_the_run(
    alpha: Path, tmp_path: Path, command: list[str], file: str
) -> None:
    """All answers and verdicts were gone, with exit status 0."""
    shutil.copytree(alpha, tmp_path / "run")
    name, option = command
    done = nl2fix(name, tmp_path / "run", option, tmp_path / "run" / file)
    refused(done, 2, "is what a run is kept in; name another file")
    assert (tmp_path / "run" / file).read_bytes() == (alpha / file).read_bytes()


@pytest.mark.parametrize("command", ["study", "leaderboard"])
@pytest.mark.parametrize("out", ["file", "file/below"])
def test_a_file_in_the_way_is_told_before_anything_is_measured(
    alpha: Path, tmp_path: Path, command: str, out: str
) -> None:
    (tmp_path / "file").touch()
    refused(nl2fix(command, alpha, "--out", tmp_path / out), 2, "is no folder; choose another --out")


@pytest.mark.parametrize("command", ["study", "leaderboard"])
def test_what_is_made_of_runs_is_not_written_into_a_run(alpha: Path, beta: Path, command: str) -> None:
    """The study's twenty files lay between those of the run."""
    before = sorted(beta.iterdir())
    refused(nl2fix(command, alpha, beta, "--out", beta), 2, "holds a run; choose another --out")
    assert sorted(beta.iterdir()) == before


def test_train_then_rank(alpha: Path, beta: Path, tmp_path: Path) -> None:
    model = tmp_path / "model.json"
    done = nl2fix("train", alpha, beta, "--to", model, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["candidates"] == 23
    ranked = nl2fix("rank", alpha, "--ranker", f"learned:{model}", "--json")
    assert ranked.returncode == 0, ranked.stderr
    assert any(row["label"].startswith("learned(") for row in json.loads(ranked.stdout))
    refused(nl2fix("rank", alpha, "--ranker", "learned"), 2, "nl2fix train")
    refused(nl2fix("rank", alpha, "--ranker", f"learned:{alpha / 'run.json'}"), 1, "no model file")


def test_a_folder_without_a_run(tmp_path: Path) -> None:
    for command in (["report"], ["export"], ["study"], ["compare"], ["rank"], ["validate"], ["show"]):
        bug = ["G-1"] if command == ["show"] else []
        refused(nl2fix(*command, tmp_path, *bug), 2, "no run")


@pytest.mark.parametrize(
    "damage", ["{", "[]", '{"format": 2}', '{"format": 99, "settings": {"suite": {}}}', "\x00"]
)
def test_a_damaged_description_of_a_run(tmp_path: Path, damage: str) -> None:
    folder = golden.write(tmp_path / "run", "beta")
    (folder / "run.json").write_text(damage)
    refused(nl2fix("report", folder), 1, "run.json")


def test_a_setting_that_cannot_be_is_told_with_its_file(tmp_path: Path) -> None:
    """Of ten runs compared nobody knew whose ``tries must be 1 to 2, not 3`` it was."""
    folder = golden.write(tmp_path / "run", "beta")
    file = folder / "run.json"
    stored = json.loads(file.read_text())
    file.write_text(json.dumps({**stored, "settings": {**stored["settings"], "tries": 3}}))
    refused(nl2fix("report", folder), 1, f"{file} is damaged (tries must be 1 to 2, not 3)")


def test_a_truncated_database(tmp_path: Path) -> None:
    folder = golden.write(tmp_path / "run", "beta")
    file = folder / "run.sqlite"
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    for command in ("report", "export"):
        done = nl2fix(command, folder)
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
        assert "run.sqlite" in done.stderr


def test_a_damaged_record(tmp_path: Path) -> None:
    folder = golden.write(tmp_path / "run", "beta")
    with RunStore(folder, writable=True) as store, store._db as db:
        db.execute("UPDATE verdicts SET body = substr(body, 1, 9)")
    refused(nl2fix("report", folder), 1, "damaged")


def test_suites_are_listed_and_unknown_ones_refused() -> None:
    listed = json.loads(nl2fix("suites", "--json").stdout)
    assert {"canitedit", "examples", "exercism", "humanevalfix", "nl2fix"} <= {row["name"] for row in listed}
    needs = {row["name"]: row["needs"] for row in listed}
    assert all(needs.values()) and "junit5" in needs["exercism"] and "exercism/java" in needs["exercism"]
    rows = json.loads(nl2fix("suites", "examples", "--json").stdout)
    assert len(rows) > 20
    assert {"id", "entity", "title"} <= set(rows[0])
    assert "examples" in nl2fix("suites").stdout
    one = nl2fix("suites", "examples", "--bugs", "pager-last-page").stdout
    assert "examples: 1 problem" in one and "1 problems" not in one
    told = nl2fix("suites", "exercism").stdout
    assert "ticket_queue.py" in told and "At a ticket office people take a number" in told
    refused(nl2fix("suites", "exampels"), 2, "unknown suite 'exampels'", "did you mean 'examples'")


def test_help_names_every_command() -> None:
    text = nl2fix("--help").stdout
    for command in ("run", "study", "compare", "train", "export", "show"):
        assert f"  {command} " in text
    refused_text = nl2fix("reprot")
    assert refused_text.returncode == 2
    assert "did you mean 'report'" in refused_text.stderr


def test_debug_shows_the_traceback(tmp_path: Path) -> None:
    assert "Traceback" in nl2fix("--debug", "report", tmp_path).stderr


def test_a_folder_that_was_deleted_is_one_line(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = f"import os; os.rmdir({str(gone)!r}); {ENTRY}"
    done = subprocess.run(
        [sys.executable, "-P", "-c", script, "suites"],
        cwd=gone,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    refused(done, 1, "the folder you are in is gone")


@pytest.mark.parametrize("command", ["report", "show", "compare", "leaderboard", "export"])
def test_what_only_looks_at_a_run_shows_no_options_for_work(command: str) -> None:
    """They are taken all the same, so that one line of options serves all commands."""
    shown = nl2fix(command, "--help").stdout
    assert "--sandbox" not in shown
    assert "--jobs" not in shown


def test_options_for_work_are_taken_by_what_only_looks(alpha: Path, tmp_path: Path) -> None:
    done = nl2fix("show", alpha, "--jobs", 2, "--cache", tmp_path, "--sandbox", "docker")
    assert done.returncode == 0, done.stderr


def test_to_a_dash_is_standard_output_and_nothing_else(alpha: Path, tmp_path: Path) -> None:
    plain = nl2fix("export", alpha, cwd=tmp_path)
    dashed = nl2fix("export", alpha, "--to", "-", cwd=tmp_path)
    assert (dashed.returncode, dashed.stdout, dashed.stderr) == (0, plain.stdout, "")
    recorded = nl2fix("record", alpha, "--to", "-", cwd=tmp_path)
    assert (recorded.returncode, recorded.stderr) == (0, "")
    nl2fix("record", alpha, "--to", "answers.jsonl", cwd=tmp_path)
    assert recorded.stdout == (tmp_path / "answers.jsonl").read_text() != ""
    assert [path.name for path in tmp_path.iterdir()] == ["answers.jsonl"]


def test_a_file_called_dash_is_written_by_its_path(alpha: Path, tmp_path: Path) -> None:
    """``./-``, by which every tool means the file, was standard output, too."""
    done = nl2fix("record", alpha, "--to", "./-", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "-").read_text(encoding="ascii").startswith("{")


@pytest.mark.parametrize("form", ["parquet", "hf"])
def test_standard_output_takes_no_binary_files(alpha: Path, form: str, tmp_path: Path) -> None:
    done = nl2fix("export", alpha, "--format", form, "--to", "-", cwd=tmp_path)
    refused(done, 2, "standard output takes JSON lines only")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["export", "record"])
def test_who_reads_no_further_hears_nothing(alpha: Path, command: str) -> None:
    line = f"{sys.executable} -c '{ENTRY}' {command} {alpha} --to - | true"
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert (done.stdout, done.stderr) == ("", "")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk that takes some files of a study, not all."""
    disk = tmp_path / "disk"
    disk.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=96k", "tmpfs", str(disk)]
    mounted = subprocess.run(words, capture_output=True, text=True)
    if mounted.returncode:
        pytest.skip(f"no disk can be mounted here: {mounted.stderr.strip()}")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def test_a_study_on_a_full_disk_leaves_the_one_before(alpha: Path, small_disk: Path) -> None:
    study = small_disk / "study"
    study.mkdir()
    (study / "study.html").write_text("the one before")
    done = nl2fix("study", alpha, "--out", study, "--json")
    refused(done, 1, f"cannot write {study}", "No space left on device")
    assert [(path.name, path.read_text()) for path in study.iterdir()] == [("study.html", "the one before")]
