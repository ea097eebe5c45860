from __future__ import annotations

from pathlib import Path

import pytest

from nl2fix.core.errors import DataError, InfrastructureError, UsageError
from nl2fix.suites.command import TooSlow
from nl2fix.suites.defects4j.installation import Defects4J, Javac, find, javac, source_level
from tests.suites.defects4j.stand_in import HOME, JUNIT


@pytest.fixture
def installation(monkeypatch: pytest.MonkeyPatch) -> Defects4J:
    monkeypatch.setenv("JUNIT", str(JUNIT))
    return find(HOME, 120.0)


def test_an_installation_is_found_by_folder_environment_and_search_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DEFECTS4J_HOME", raising=False)
    program = HOME / "bin" / "defects4j"
    assert find(HOME, 9.0) == Defects4J(program, 9.0)
    assert find(HOME / "bin", 9.0).program == program
    (tmp_path / "framework").mkdir()
    (tmp_path / "framework" / "bin").symlink_to(HOME / "bin")
    monkeypatch.setenv("DEFECTS4J_HOME", str(tmp_path))
    assert find(None, 9.0).program == program
    monkeypatch.delenv("DEFECTS4J_HOME")
    monkeypatch.setenv("PATH", str(HOME / "bin"), prepend=":")
    assert find(None, 9.0).program == program


def test_no_installation_is_told_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="no defects4j command in"):
        find(tmp_path, 9.0)
    monkeypatch.delenv("DEFECTS4J_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="--defects4j DIR"):
        find(None, 9.0)


def test_check_out_compile_export_and_test(installation: Defects4J, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    installation.check_out("Acme", 1, "b", folder)
    log = installation.compile(folder)
    classes = folder / "target" / "classes"
    assert (classes / "acme" / "Converter.class").is_file()
    found = javac(log, classes, classes / "acme" / "Converter.class")
    assert found == Javac("8", "ISO-8859-1", ("-target", "8"))
    assert installation.export(folder, "dir.bin.classes") == ["target/classes"]
    assert installation.export(folder, "tests.trigger") == [
        "acme.ConverterTest::parsesWithManyBlanks",
        "acme.ConverterTest::parsesWithTab",
    ]
    assert installation.builds(folder)
    failing = installation.test(folder)
    assert "acme.ConverterTest::parsesWithTab" in failing
    assert "acme.BrokenTest::failsOnTheFixedVersionToo" in failing


def test_failures_are_one_line_with_the_last_words(installation: Defects4J, tmp_path: Path) -> None:
    with pytest.raises(
        InfrastructureError, match=r"checkout -p Acme -v 77b.* failed with status 1: Error: no bug 77"
    ) as caught:
        installation.check_out("Acme", 77, "b", tmp_path / "work")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("own", "builds", "tests"), [("", "-XX:TieredStopAtLevel=1", ""), ("-Xmx1g", "-Xmx1g", "-Xmx1g")]
)
def test_ants_jvm_is_brief_where_it_builds_unless_the_user_has_options(
    own: str, builds: str, tests: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests of the plain way have the JVM that Defects4J gives them."""
    program = tmp_path / "defects4j"
    program.write_text('#!/bin/sh\necho "$1: $ANT_OPTS" >> "$0.log"\necho "Failing tests: 0"\n')
    program.chmod(0o755)
    monkeypatch.setenv("ANT_OPTS", own)
    installation = Defects4J(program)
    installation.compile(tmp_path)
    installation.export(tmp_path, "cp.test")
    installation.test(tmp_path)
    told = dict(line.split(": ", 1) for line in (tmp_path / "defects4j.log").read_text().splitlines())
    assert told["compile"].partition(" ")[0] == told["export"].partition(" ")[0] == builds
    assert told["test"] == tests


def test_code_that_does_not_compile_is_no_build(installation: Defects4J, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    installation.check_out("Acme", 2, "b", folder)
    file = folder / "src/main/java/acme/Route.java"
    file.write_text(file.read_text().replace("return", "retur"))
    assert not installation.builds(folder)
    with pytest.raises(InfrastructureError, match="compile"):
        installation.compile(folder)


def test_every_call_is_bounded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JUNIT", str(JUNIT))
    monkeypatch.setenv("STAND_IN_HANG", "checkout")
    monkeypatch.setenv("STAND_IN_PID", str(tmp_path / "pid"))
    with pytest.raises(TooSlow):
        find(HOME, 2.0).check_out("Acme", 1, "b", tmp_path / "work")


def test_output_without_a_list_of_failing_tests_is_no_result(tmp_path: Path) -> None:
    for text in ("", "Failing tests: 2\n  - a.B::c\n", "All is well"):
        program = tmp_path / "defects4j"
        program.write_text(f"#!/bin/sh\ncat <<'E'\n{text}\nE\n")
        program.chmod(0o755)
        with pytest.raises(InfrastructureError, match="no list of failing tests"):
            Defects4J(program, 20.0).test(tmp_path)


def test_fix_dates_are_asked_per_project(installation: Defects4J) -> None:
    assert installation.fix_dates("Acme") == {
        "Acme-1": "2012-03-27T00:49:17+00:00",
        "Acme-2": "2013-03-27T00:49:17-07:00",
    }


def test_a_query_neither_needs_nor_fills_the_folder_that_the_command_runs_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, here = tmp_path / "defects4j", tmp_path / "here"
    program.write_text("#!/bin/sh\necho asked > query.log && echo 7,a.BTest\n")
    program.chmod(0o755)
    here.mkdir()
    monkeypatch.chdir(here)
    assert Defects4J(program).relevant("Acme", 7) == ["a.BTest"]
    assert list(here.iterdir()) == []
    here.rmdir()
    assert Defects4J(program).relevant("Acme", 7) == ["a.BTest"]
    assert Defects4J(program).fix_dates("Acme") == {}


LOG = """
    [javac] Compilation arguments:
    [javac] '-deprecation'
    [javac] '-d'
    [javac] '{classes}'
    [javac] '-classpath'
    [javac] '/a/b.jar:/c'
    [javac] '-sourcepath'
    [javac] '/src'
    [javac] '-target'
    [javac] '1.4'
    [javac] '-g'
    [javac] '-source'
    [javac] '1.4'
    [javac] '-Xmaxerrs'
    [javac]
    [javac] The ' characters around the executable and arguments are
    [javac] not part of the command.
  [antcall] something else
    [javac] Compilation arguments:
    [javac] '-d'
    [javac] '/elsewhere/tests'
    [javac] '-source'
    [javac] '1.8'
    [javac]
"""


def class_file(folder: Path, major: int) -> Path:
    file = folder / "A.class"
    file.write_bytes(b"\xca\xfe\xba\xbe\0\0" + major.to_bytes(2, "big"))
    return file


def test_the_log_tells_how_the_classes_were_compiled_not_the_tests(tmp_path: Path) -> None:
    log = LOG.format(classes=tmp_path)
    assert javac(log, tmp_path, tmp_path) == Javac("1.4", "UTF-8", ("-target", "1.4", "-Xmaxerrs"))


def test_a_build_that_tells_nothing_is_judged_by_its_classes(tmp_path: Path) -> None:
    file = class_file(tmp_path, 49)
    assert javac("BUILD SUCCESSFUL", tmp_path, file) == Javac("1.5", "UTF-8", ())
    assert javac(LOG.format(classes="/other"), tmp_path, file).source == "1.5"


@pytest.mark.parametrize(("major", "level"), [(46, "1.4"), (48, "1.4"), (50, "1.6"), (52, "1.8"), (61, "17")])
def test_source_levels_by_class_version(tmp_path: Path, major: int, level: str) -> None:
    assert source_level(class_file(tmp_path, major)) == level


def test_no_class_at_all_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="compiled nothing"):
        source_level(tmp_path / "A.class")
