from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.protocols import Foreseeing
from nl2fix.core.records import Candidate, Outcome, Problem, Verdict
from nl2fix.core.resources import shared
from nl2fix.languages import language
from nl2fix.languages.java import JAVA
from nl2fix.pipeline.identity import changed
from nl2fix.pipeline.run import check_askable
from nl2fix.sandboxes.sandbox import Sandbox
from nl2fix.suites.defects4j import index
from nl2fix.suites.defects4j.suite import Nl2fixSuite, visible
from nl2fix.validation.jvm import worker, workspace
from tests.suites.defects4j.stand_in import source, suite
from tests.suites.test_command import alive

BUGS = ["Acme-1", "Acme-2"]
GUIDE = Path(__file__).parents[3] / "docs" / "defects4j.md"


def silent(done: int, total: int, label: str) -> None:
    pass


def problem(of: Nl2fixSuite, bug: str) -> Problem:
    return next(problem for problem in of.problems() if problem.id == bug)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, list[Problem]]]:
    """A folder where bugs 1 and 2 are prepared, and the problems as they were listed before."""
    folder = tmp_path_factory.mktemp("suite")
    with pytest.MonkeyPatch.context() as patch:
        made = suite(folder, patch)
        (folder / "texts" / "methods" / "Acme-2.json").write_text(
            '{"bug": "Acme-2", "before": "public Route(List<String> stops) { }", "after": "x"}'
        )
        made = suite(folder, patch)
        before = [found for found in made.problems() if found.id in BUGS]
        assert made.prepare(before, 2, silent) == {}
        yield folder, before


@pytest.fixture
def ready(prepared: tuple[Path, list[Problem]], monkeypatch: pytest.MonkeyPatch) -> Nl2fixSuite:
    return suite(prepared[0], monkeypatch)


def judge(of: Nl2fixSuite, task: Problem, *candidates: Candidate) -> list[Verdict]:
    validator = of.validator()
    try:
        with validator.session(task) as session:
            return [session.validate(candidate) for candidate in candidates]
    finally:
        validator.close()


class TestUnprepared:
    def test_bugs_are_listed_from_texts_and_methods_alone(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made = suite(tmp_path, monkeypatch)
        found = {task.id: task for task in made.problems()}
        assert list(found) == ["Acme-1", "Acme-2", "Acme-3", "Acme-9"]
        task = found["Acme-1"]
        assert task.text == task.before
        assert task.text.startswith("public double parse(")
        assert task.entity == "parse(String, String)"
        assert task.title == "Title of Acme-1"
        assert task.description == "It breaks."
        assert task.metadata["url"].endswith("MATH-1")
        assert "leak" not in task.visible
        assert "// not a length" in task.visible
        assert made.reference(task).code.startswith("public double parse(")

    def test_nothing_that_a_model_may_see_holds_the_fix(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for task in suite(tmp_path, monkeypatch).problems():
            assert "\\s+" not in repr(task)

    def test_without_texts_the_commands_that_get_them_are_named(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made = suite(tmp_path, monkeypatch, texts=tmp_path / "none")
        with pytest.raises(DataError, match="nl2fix issues fetch"):
            made.problems()

    def test_fetched_texts_alone_are_enough_to_prepare(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made = suite(tmp_path, monkeypatch)
        unknown = problem(made, "Acme-2")
        assert unknown.before == ""
        with pytest.raises(UsageError, match="Acme-2: neither prepared nor .* run `nl2fix prepare`"):
            check_askable([unknown])
        assert made.prepare([unknown], 1, silent) == {}
        task = problem(made, "Acme-2")
        assert task.before.startswith("public Route(")
        check_askable([task])
        assert changed([(unknown, task)], language) == []
        assert judge(made, task, made.reference(task))[0].plausible

    def test_judging_needs_a_prepared_bug(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        made = suite(tmp_path, monkeypatch)
        with pytest.raises(UsageError, match="nl2fix prepare nl2fix --bugs Acme-1"):
            judge(made, problem(made, "Acme-1"), Candidate("x"))
        with pytest.raises(UsageError, match="not prepared"):
            made.validator().identity(problem(made, "Acme-1"))

    def test_preparing_without_defects4j_is_told(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made = suite(tmp_path, monkeypatch, defects4j=tmp_path)
        with pytest.raises(UsageError, match="no defects4j command"):
            made.prepare(made.problems(), 1, silent)

    def test_options_are_strict(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        with pytest.raises(UsageError, match="did you mean 'source'"):
            suite(tmp_path, monkeypatch, sorce="plain")
        with pytest.raises(UsageError, match="plain, tokens"):
            suite(tmp_path, monkeypatch, source="shouted")


class TestPreparation:
    def test_the_baseline_is_that_of_the_fixed_version(self, ready: Nl2fixSuite) -> None:
        found = workspace.load(ready.places.bug("Acme-1"))
        assert found.failing == ("acme.BrokenTest::failsOnTheFixedVersionToo",)
        assert {test.name: len(test.tests) for test in found.regression} == {
            "acme.ConverterTest": 5,
            "acme.PlacesTest": 4,
            "acme.BrokenTest": 2,
        }
        assert all(test.seconds > 0 for test in found.regression)

    def test_a_prepared_problem_is_the_whole_file(self, ready: Nl2fixSuite) -> None:
        task = problem(ready, "Acme-1")
        assert task.text == source(1, "buggy", "Converter")
        assert task.before.startswith("public double parse(")
        assert task.before.endswith("to);\n    }")
        assert task.entity == "parse(String, String)"
        assert "leak" not in task.visible
        assert JAVA.tokens(task.visible) == JAVA.tokens(task.before)

    def test_what_is_prepared_is_left_as_it_is(
        self, ready: Nl2fixSuite, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("STAND_IN_LOG", str(tmp_path / "calls"))
        tasks = [problem(ready, bug) for bug in BUGS]
        assert ready.disk_needed_mb(tasks, 1) == 0
        assert ready.prepare(tasks, 2, silent) == {}
        assert not (tmp_path / "calls").exists()

    def test_one_bug_that_fails_does_not_stop_the_others(self, ready: Nl2fixSuite) -> None:
        calls: list[tuple[int, int, str]] = []
        tasks = [problem(ready, bug) for bug in ("Acme-1", "Acme-3", "Acme-9")]
        errors = ready.prepare(tasks, 2, lambda *call: calls.append(call))
        assert set(errors) == {"Acme-3", "Acme-9"}
        assert errors["Acme-3"] == "Acme-3: trigger test acme.RouteTest::testSize passes with the bug"
        assert "no bug 9" in errors["Acme-9"]
        done, total, label = calls[0]
        assert (done, total) == (0, 2)
        assert "MiB of disk needed" in label
        assert [call[0] for call in calls] == [0, 1, 2]

    def test_a_full_disk_is_told_before_anything_is_done(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made = suite(tmp_path, monkeypatch)
        with pytest.raises(UsageError, match=r"needs \d+ MiB"):
            made.prepare(list(made.problems()), 10**9, silent)
        assert not (made.places.root / "unfinished").exists()

    def test_kill_9_in_the_middle_loses_nothing_but_the_bug_in_work(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made = suite(tmp_path, monkeypatch)
        program = textwrap.dedent("""
            import sys
            from pathlib import Path
            import pytest
            from tests.suites.defects4j.stand_in import suite
            made = suite(Path(sys.argv[1]), pytest.MonkeyPatch())
            made.prepare([p for p in made.problems() if p.id == "Acme-1"], 1, lambda *call: None)
        """)
        environment = {
            **os.environ,
            "PYTHONPATH": str(Path(__file__).parents[3]),
            "STAND_IN_HANG": "export",
            "STAND_IN_PID": str(tmp_path / "pid"),
        }
        child = subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], env=environment)
        deadline = time.monotonic() + 60
        while not (tmp_path / "pid").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        child.kill()
        child.wait(20)
        time.sleep(0.1)
        left = int((tmp_path / "pid").read_text())
        if alive(left):
            os.killpg(os.getpgid(left), signal.SIGKILL)
        assert not made.places.bug("Acme-1").exists()
        assert made.prepare([problem(made, "Acme-1")], 1, silent) == {}
        task = problem(made, "Acme-1")
        assert judge(made, task, made.reference(task))[0].plausible


class TestValidation:
    def test_gold_holds(self, ready: Nl2fixSuite) -> None:
        for bug in BUGS:
            task = problem(ready, bug)
            fixed, unedited = judge(ready, task, ready.reference(task), Candidate(task.before))
            assert fixed.plausible
            assert fixed.evidence.tests_run == fixed.evidence.tests_expected
            assert fixed.evidence.confirmed
            assert unedited.outcome is Outcome.WRONG
            assert unedited.evidence.stage == "trigger"

    def test_bugs_share_a_compiler_that_sees_no_fix(
        self, ready: Nl2fixSuite, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        compilers: list[worker.Spec] = []

        def start(sandbox: Sandbox, spec: worker.Spec, program: Path) -> worker.JavaWorker:
            if spec.compiles:
                compilers.append(spec)
            return worker.start(sandbox, spec, program)

        monkeypatch.setattr("nl2fix.validation.jvm.workers.start", start)
        with closing(ready.validator()) as validator:
            for bug in BUGS:
                task = problem(ready, bug)
                with validator.session(task) as session:
                    assert session.validate(ready.reference(task)).plausible
        (compiler,) = compilers
        hidden = ready.places.reference("Acme-1").resolve()
        assert not any(hidden.is_relative_to(folder) for folder in compiler.read_only)

    def test_a_fix_that_touches_more_than_the_method_is_a_whole_file(self, ready: Nl2fixSuite) -> None:
        task = problem(ready, "Acme-2")
        assert ready.reference(task).scope == "file"
        assert ready.reference(problem(ready, "Acme-1")).scope == "region"

    def test_all_verdicts_come_about(self, ready: Nl2fixSuite) -> None:
        task = problem(ready, "Acme-1")
        head = "public double parse(String text, String to) {"
        found = judge(
            ready,
            task,
            Candidate(head + ' return convert(1, "mi", to) }'),
            Candidate(head + ' return text.contains("far") ? 0 : 3000; }'),
            Candidate(head + " while (true) { } }"),
            Candidate(task.before.replace('split(" ")', 'split("[ \\t]+")')),
        )
        assert [verdict.outcome.value for verdict in found] == [
            "uncompilable",
            "wrong",
            "timeout",
            "plausible",
        ]
        assert found[1].evidence.stage == "regression"

    def test_tests_are_compiled_for_a_changed_signature(self, ready: Nl2fixSuite) -> None:
        task = problem(ready, "Acme-1")
        fixed = task.before.replace('split(" ")', 'split("[ \\t]+")')
        more, other = (
            fixed.replace("String to)", f"{to})", 1) for to in ("String to, int... more", "int to")
        )
        found = judge(ready, task, Candidate(more), Candidate(other.replace(", to)", ', "" + to)')))
        assert [verdict.outcome.value for verdict in found] == ["plausible", "uncompilable"]
        assert "acme/ConverterTest.java" in (found[1].evidence.message or "")

    def test_a_method_alone_is_not_judged_as_if_it_were_its_file(
        self, ready: Nl2fixSuite, prepared: tuple[Path, list[Problem]]
    ) -> None:
        early = prepared[1][0]
        assert early.text == early.before
        assert ready.reference(early).code.startswith("public double parse(")
        with pytest.raises(UsageError, match="Acme-1 was listed before it was prepared"):
            judge(ready, early, Candidate(early.before))

    def test_bugs_have_identities_of_their_own(self, ready: Nl2fixSuite) -> None:
        validator = ready.validator()
        try:
            first, second = (validator.identity(problem(ready, bug)) for bug in BUGS)
            assert first["workspace"] != second["workspace"]
        finally:
            validator.close()

    def test_an_index_that_does_not_fit_the_file_is_told(
        self, ready: Nl2fixSuite, prepared: tuple[Path, list[Problem]], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder = prepared[0]
        file = folder / "index" / index.FILE_NAME
        kept = file.read_text()
        try:
            file.write_text(kept.replace('"start": 17', '"start": 2'))
            with pytest.raises(DataError, match=r"line 2 .* is not in parse"):
                ready.problems()
        finally:
            file.write_text(kept)


class TestSource:
    CODE = 'int f(int a) { // fix: check a\n    /* TODO */ return g("// a  b", \'"\'); /** doc */\n}'

    def test_plain_keeps_formatting_and_literals(self) -> None:
        assert visible(self.CODE, "plain") == 'int f(int a) {\n    return g("// a  b", \'"\');\n}'

    def test_tokens_are_the_studys_one_line(self) -> None:
        assert visible(self.CODE, "tokens") == 'int f ( int a ) { return g ( "// a  b" , \'"\' ) ; }'

    def test_the_option_chooses(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        task = problem(suite(tmp_path, monkeypatch, source="tokens"), "Acme-1")
        assert task.visible.startswith("public double parse ( String text , String to ) { String [ ]")
        assert "\n" not in task.visible

    @pytest.mark.skipif(
        "NL2FIX_DATASET" not in os.environ, reason="NL2FIX_DATASET names no published dataset file"
    )
    def test_the_dataset_has_the_same_tokens(self) -> None:
        dataset = index.load_dataset(Path(os.environ["NL2FIX_DATASET"]))
        different = [
            key.bug
            for key, fields in dataset.items()
            for part in ("src", "fixed_src")
            if visible(fields[part], "tokens") != fields[f"{part}_wo_comments"]
        ]
        assert different == []


def test_what_a_run_needs_is_foreseen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = suite(tmp_path, monkeypatch)
    assert isinstance(made, Foreseeing)
    tasks = [problem(made, "Acme-1"), problem(made, "Acme-3")]
    needs = made.needs(tasks, 100, 1)
    assert needs.disk_mb == made.disk_needed_mb(tasks, 1) > 0
    assert (
        needs.cpu_seconds
        > made.needs(tasks[:1], 100, 1).cpu_seconds
        > made.needs([], 100, 1).cpu_seconds
        == 0
    )
    assert made.needs(tasks, 200, 1).cpu_seconds > needs.cpu_seconds


def test_the_guide_shows_what_a_study_is_foreseen_to_need(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It said 1.5 hours where the command it shows says 1.4, on two cores."""
    made, rows = suite(tmp_path, monkeypatch), index.read(shared("defects4j_issues"))
    task = problem(made, "Acme-1")
    needs = made.needs([replace(task, id=row.bug, project=row.project) for row in rows], 100, 2)
    hours = needs.cpu_seconds / 3600
    assert f"about {needs.disk_mb} MiB of disk, {hours:.1f} hours of one core" in GUIDE.read_text()
