from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import StorageError
from nl2fix.core.records import Candidate, Outcome
from nl2fix.suites.plain_java import JavaProject, PlainJava
from nl2fix.validation.jvm.workspace import FILE_NAME, load
from tests.conftest import SmallDisk
from tests.suites import samples
from tests.suites.samples import quiet


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all tests of this file, so that the worker program is compiled once."""
    return tmp_path_factory.mktemp("cache")


def prepare(cache: Path, project: JavaProject, suite: str) -> tuple[dict[str, str], list[Path]]:
    """Errors of preparation, and the workspaces that are there afterwards."""
    java = PlainJava(suite, Environment(cache), lambda problem: project)
    errors = java.prepare([project.problem], 1, quiet)
    return errors, sorted(file.parent for file in (cache / "workspaces" / suite).glob(f"*/{FILE_NAME}"))


def test_prepared_workspace_judges_candidates(cache: Path) -> None:
    project = samples.greeter()
    java = PlainJava("judges", Environment(cache), lambda problem: project)
    told: list[tuple[int, int, str]] = []
    assert java.prepare([project.problem], 2, lambda *values: told.append(values)) == {}
    assert told == [(1, 1, "greeter/1")]
    validator = java.validator()
    try:
        with validator.session(project.problem) as session:
            outcomes = [
                session.validate(Candidate(code)).outcome
                for code in (project.reference.code, project.problem.before, "public void greet() {}", "x")
            ]
    finally:
        validator.close()
    assert outcomes == [Outcome.PLAUSIBLE, Outcome.WRONG, Outcome.UNCOMPILABLE, Outcome.UNCOMPILABLE]


def test_workspace_holds_tests_but_not_the_reference(cache: Path) -> None:
    errors, folders = prepare(cache, samples.greeter(), "hidden")
    assert errors == {}
    workspace = load(folders[0])
    assert workspace.trigger_tests == ("demo.GreeterCheck::main",)
    assert [test.tests for test in workspace.regression] == [("demo.GreeterCheck::main",)]
    compiled = (folders[0] / "classes" / "demo" / "Greeter.class").read_bytes()
    assert b"Hello " in compiled
    assert b"Hello, " not in compiled
    assert "Hello, " not in (folders[0] / FILE_NAME).read_text()


def test_a_class_of_tests_that_is_in_no_file_is_said_so(cache: Path) -> None:
    """The bug was said to have no trigger test."""
    errors, folders = prepare(cache, samples.greeter(test_classes=("demo.Nope",)), "nope")
    told = "no file of its tests has the class demo.Nope; there are: demo/GreeterCheck.java"
    assert (errors, folders) == ({"greeter/1": told}, [])


def test_prepared_once(cache: Path) -> None:
    _, first = prepare(cache, samples.greeter(), "once")
    stamp = (first[0] / FILE_NAME).stat().st_mtime_ns
    _, again = prepare(cache, samples.greeter(), "once")
    assert again == first
    assert (first[0] / FILE_NAME).stat().st_mtime_ns == stamp


def test_changed_project_is_prepared_anew(cache: Path) -> None:
    _, first = prepare(cache, samples.greeter(), "changed")
    stricter = samples.TEST.replace("throw", "if (args.length == 0) throw")
    _, both = prepare(cache, samples.greeter(tests={"demo/GreeterCheck.java": stricter}), "changed")
    assert len(first) == 1
    assert len(both) == 2


def test_tests_that_tell_nothing_apart_are_an_error(cache: Path) -> None:
    lenient = samples.TEST.replace("!new", "false && !new")
    errors, folders = prepare(cache, samples.greeter(tests={"demo/GreeterCheck.java": lenient}), "lenient")
    assert "no trigger test" in errors["greeter/1"]
    assert folders == []


def test_reference_that_fails_is_an_error(cache: Path) -> None:
    errors, folders = prepare(
        cache,
        samples.greeter(
            tests={
                "demo/GreeterCheck.java": samples.TEST,
                "demo/Never.java": "package demo; public class Never { public static void main(String[] a) "
                '{ throw new IllegalStateException("never"); } }',
            },
            test_classes=("demo.GreeterCheck", "demo.Never"),
        ),
        "failing",
    )
    assert "the reference fails demo.Never::main" in errors["greeter/1"]
    assert folders == []


def test_declared_trigger_tests_must_be_the_ones_that_fail(cache: Path) -> None:
    errors, _ = prepare(cache, samples.greeter(trigger_tests=("demo.GreeterCheck::other",)), "declared")
    assert "demo.GreeterCheck::other passes with the bug" in errors["greeter/1"]


def test_sources_that_do_not_compile_are_an_error_of_one_line(cache: Path) -> None:
    errors, folders = prepare(cache, samples.greeter(sources={}), "broken")
    assert "cannot find symbol" in errors["greeter/1"]
    assert "\n" not in errors["greeter/1"]
    assert folders == []


def test_java_newer_than_the_jdk_is_named(cache: Path) -> None:
    errors, folders = prepare(cache, samples.greeter(levels=("99",)), "modern")
    assert errors["greeter/1"] == "needs JDK 99 or newer; install one or point JAVA_HOME at it"
    assert folders == []


def test_best_known_level_is_used(cache: Path) -> None:
    errors, folders = prepare(cache, samples.greeter(levels=("99", "8")), "levels")
    assert errors == {}
    assert load(folders[0]).source_level == "8"


def test_what_older_java_cannot_compile_may_need_newer(cache: Path) -> None:
    modern = samples.NAMES.replace("name.trim()", "switch (name) { default -> name.trim(); }")
    errors, _ = prepare(
        cache, samples.greeter(sources={"demo/Names.java": modern}, levels=("99", "8")), "old"
    )
    assert errors["greeter/1"].startswith("perhaps needs JDK 99, this one knows 8 at most: cannot compile")


def test_leftovers_of_killed_preparations_go_with_time(cache: Path) -> None:
    _, folders = prepare(cache, samples.greeter(), "leftovers")
    old, new = (folders[0].parent / f".{folders[0].name}.{kind}" for kind in ("old", "new"))
    for left in (old, new):
        (left / "classes").mkdir(parents=True)
    os.utime(old, (0, 0))
    (folders[0] / FILE_NAME).unlink()
    folders[0].rename(folders[0].with_name("elsewhere"))
    prepare(cache, samples.greeter(), "leftovers")
    assert not old.exists()
    assert new.exists()


def test_kill_at_any_moment_leaves_whole_workspaces_only(cache: Path) -> None:
    prepare(cache, samples.greeter(), "killed")  # so that the worker program is there
    script = f"""
        import sys
        from pathlib import Path
        from dataclasses import replace
        from nl2fix.core.config import Environment
        from nl2fix.suites.plain_java import PlainJava
        from tests.suites import samples
        problems = [replace(samples.greeter().problem, id=f"greeter-{{i}}") for i in range(40)]
        java = PlainJava("killed", Environment(Path({str(cache)!r})), lambda p: samples.greeter(problem=p))
        print("ready", flush=True)
        print(java.prepare(problems, 2, lambda *_: print("one", flush=True)))
    """
    for lines in (2, 4):
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, text=True, cwd=Path.cwd()
        )
        assert process.stdout is not None
        for _ in range(lines):
            process.stdout.readline()
        time.sleep(0.05 * lines)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
    folders = [f for f in (cache / "workspaces" / "killed").iterdir() if f.is_dir() and f.name[0] != "."]
    assert len(folders) >= 4
    for folder in folders:
        assert load(folder).regression[0].tests == ("demo.GreeterCheck::main",)
        assert (folder / "classes" / "demo" / "Greeter.class").is_file()


def test_a_full_disk_ends_preparing_with_the_file_that_has_no_room(small_disk: SmallDisk) -> None:
    cache = small_disk("100k")
    with pytest.raises(StorageError, match=rf"cannot write {cache}/worker/\S+: No space left .*set --cache"):
        prepare(cache, samples.greeter(), "full")


def test_a_full_folder_of_temporary_files_is_named(
    tmp_path: Path, small_disk: SmallDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = small_disk("100k")
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    with pytest.raises(StorageError, match=rf"cannot copy \S+ to {temporary}/\S+: No space left"):
        prepare(tmp_path, samples.greeter(), "full")
