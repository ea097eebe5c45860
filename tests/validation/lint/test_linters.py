"""Each linter's messages, settings and suppressions, read from the real programs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import UsageError
from nl2fix.sandboxes.bubblewrap import Bubblewrap
from nl2fix.sandboxes.docker import Docker
from nl2fix.validation.lint import Desk, feedback, make
from nl2fix.validation.lint.java_texts import without_filters, without_suppressions
from nl2fix.validation.lint.linters import BROKEN, Flake8, Flake8Settings

DOCTYPE = (
    '<?xml version="1.0"?><!DOCTYPE module PUBLIC "-//Checkstyle//DTD Checkstyle Configuration 1.3//EN" '
    '"https://checkstyle.org/dtds/configuration_1_3.dtd">'
)

needs_checkstyle = pytest.mark.skipif(
    shutil.which("checkstyle") is None, reason="Checkstyle is not installed (apt-get install checkstyle)"
)
JAVA = 'import java.util.List;\npublic class A {\n    @SuppressWarnings({"rawtypes"})\n    List names;\n}\n'


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    environment = Environment(tmp_path_factory.mktemp("cache")).having("sandbox", name="bubblewrap")
    with closing(Desk(environment)) as made:
        yield made


def test_flake8_says_what_codelintereval_s_feedback_says(desk: Desk) -> None:
    messages = desk.lint(make("flake8", {}), "a/b.py", "def f(a,b):\n  return a").messages
    assert feedback(messages) == (
        "E231: missing whitespace after ',' in 1 line\n"
        "E111: indentation is not a multiple of 4 in 2 line\n"
        "W292: no newline at end of file in 2 line\n"
    )


@pytest.mark.parametrize("comment", ["  # noqa", "  # noqa: F401", "\n# flake8: noqa"])
def test_flake8_heeds_comments_only_when_told_to(desk: Desk, comment: str) -> None:
    text = f"import os{comment}\n"
    assert desk.lint(make("flake8", {}), "a.py", text).clean
    assert [m.code for m in desk.lint(make("flake8", {}), "a.py", text, honour=False).messages] == ["F401"]


@pytest.mark.parametrize(
    "text",
    [
        "import os  # noqa\n",
        "import os\n# ruff: noqa\n",
        "import os  # noqa: F401\n",
        "# ruff: disable[F401]\nimport os\n# ruff: enable[F401]\n",
    ],
)
def test_ruff_heeds_comments_only_when_told_to(desk: Desk, text: str) -> None:
    linter = make("ruff", {"select": "F"})
    assert desk.lint(linter, "a.py", text).clean and linter.may_silence(text)
    assert [m.code for m in desk.lint(linter, "a.py", text, honour=False).messages] == ["F401"]


def test_an_order_of_imports_that_a_comment_keeps_is_no_order(desk: Desk) -> None:
    linter, text = make("ruff", {"select": "I"}), "# isort: skip_file\nimport sys\nimport os\n"
    assert desk.lint(linter, "a.py", text).clean and linter.may_silence(text)
    assert desk.lint(linter, "a.py", text, honour=False).messages


def test_settings_change_what_is_said_and_a_configuration_in_the_text_does_not(desk: Desk) -> None:
    text = "[flake8]\nmax-line-length = 200\n"
    long = "x = '" + "a" * 90 + "'\n"
    assert desk.lint(make("flake8", {"max_line_length": "100"}), "a.py", long).clean
    assert desk.lint(make("flake8", {}), "setup.cfg", text).messages
    assert [m.code for m in desk.lint(make("flake8", {}), "a.py", long + f"'''{text}'''\n").messages] == [
        "E501"
    ]


def test_what_is_no_program_is_told_as_such(desk: Desk) -> None:
    assert desk.lint(make("flake8", {}), "a.py", "def f(:\n").messages[0].code == "E999"
    assert desk.lint(make("ruff", {}), "a.py", "def f(:\n").messages[0].code == BROKEN
    assert desk.lint(make("javac", {}), "A.java", "class A {").messages[0].code == BROKEN


@pytest.mark.parametrize(
    "text",
    [
        "(" * 20_000 + ")" * 20_000,
        "x = '" + "a" * 1_000_000 + "'\n",
        "\0\0\0",
        "\ud800",
        "a = [" + "[" * 300 + "\n",
    ],
    ids=["nested", "line", "zeros", "surrogate", "open"],
)
def test_hostile_texts_end_with_an_answer(desk: Desk, text: str) -> None:
    assert not desk.lint(make("flake8", {}), "a.py", text).clean
    said = desk.lint(make("ruff", {}), "a.py", text)  # which reads nested parentheses and long lines well
    assert not said.late and not said.broken


def test_linting_runs_nothing_of_the_text(desk: Desk, bubblewrap: Bubblewrap) -> None:
    text = "import os\nos._exit(3)\n"
    assert desk.lint(make("flake8", {}), "a.py", text).clean


def test_javac_tells_warnings_and_its_suppressions_can_be_ignored(desk: Desk) -> None:
    linter = make("javac", {})
    assert desk.lint(linter, "p/A.java", JAVA).clean
    (message,) = desk.lint(linter, "p/A.java", JAVA, honour=False).messages
    assert (message.code, message.line) == ("rawtypes", 4)
    assert desk.lint(make("javac", {"lint": "cast"}), "A.java", JAVA, honour=False).clean


@needs_checkstyle
def test_checkstyle_with_our_checks_with_those_that_come_with_it_and_with_the_user_s(desk: Desk) -> None:
    text = "public class A {\n    int f(int a){\n        return a ;\n    }\n}\n"
    codes = [m.code for m in desk.lint(make("checkstyle", {}), "A.java", text).messages]
    assert codes == ["WhitespaceAround", "NoWhitespaceBefore"]
    assert len(desk.lint(make("checkstyle", {"checks": "sun"}), "A.java", text).messages) > 2
    checks = (
        f'{DOCTYPE}<module name="Checker"><module name="SuppressWithPlainTextCommentFilter"/>'
        '<module name="RegexpSingleline"><property name="format" value="int f"/></module></module>'
    )
    linter = make("checkstyle", {"checks": checks})
    assert [m.code for m in desk.lint(linter, "A.java", text).messages] == ["RegexpSingleline"]
    silenced = "// CHECKSTYLE:OFF\n" + text
    assert desk.lint(linter, "A.java", silenced).clean
    assert not desk.lint(linter, "A.java", silenced, honour=False).clean


@pytest.mark.parametrize(
    ("checks", "reason"),
    [
        (
            f'{DOCTYPE}<module name="Checker"><module name="Nope"/></module>',
            "Unable to instantiate 'Nope' class",
        ),
        (f'{DOCTYPE}<module name="Checker"><property name="zip" value="3"/></module>', "Property 'zip' does"),
        (
            "<broken",
            "lineNumber: 1; columnNumber: 8; XML document structures must start and end within",
        ),
    ],
)
def test_a_configuration_that_checkstyle_refuses_is_told_with_the_reason(
    desk: Desk, checks: str, reason: str
) -> None:
    """All that was said was: Checkstyle ends with 1 errors."""
    linted = desk.lint(make("checkstyle", {"checks": checks}), "A.java", "class A {}\n")
    assert reason in linted.broken


def test_a_configuration_that_is_none_is_not_repeated_as_a_whole() -> None:
    """A file of many lines that was no XML was all in the error."""
    with pytest.raises(UsageError) as error:
        make("checkstyle", {"checks": "not a configuration\n" * 500})
    assert len(str(error.value)) < 200


def test_versions_are_told_and_a_missing_linter_says_how_to_install_it(desk: Desk) -> None:
    assert "pyflakes" in desk.version(make("flake8", {}))
    assert desk.version(make("javac", {})).startswith("javac ")

    class Gone(Flake8):
        name = "gone"

        def version(self, runtime: object) -> list[str]:
            return ["/no/such/linter"]

    with pytest.raises(UsageError, match=r"no gone in the sandbox bubblewrap; install it with: pip install"):
        desk.version(Gone(Flake8Settings()))


@pytest.mark.docker
@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("flake8", 'make image TOOLCHAINS="python3-flake8"'),
        ("ruff", "Debian ships none; "),
    ],
)
def test_a_linter_that_the_image_lacks_is_told_with_how_to_get_it(
    docker: Docker, tmp_path: Path, name: str, how: str
) -> None:
    there = Desk(Environment(tmp_path), lambda _: docker)
    with pytest.raises(UsageError, match=f"no {name} in the sandbox docker; .*{how}"):
        there.version(make(name, {}))


@pytest.mark.parametrize(
    ("name", "settings", "reason"),
    [
        ("flak8", {}, "did you mean 'flake8'|unknown linter 'flak8'"),
        ("flake8", {"max_length": "3"}, "unknown key 'max_length' in the settings of flake8"),
        ("flake8", {"select": 3}, "select of the settings of flake8 must be a text"),
        ("checkstyle", {"checks": "moon"}, "no checks 'moon'; give sun, google or a configuration in XML"),
        ("javac", {"lint": "all -d /"}, "javac has no -Xlint:all -d /"),
    ],
)
def test_wrong_settings_are_refused_by_name(name: str, settings: dict[str, object], reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        make(name, settings)


def test_a_text_that_silences_nothing_is_known_as_such() -> None:
    for name in ("flake8", "ruff", "checkstyle", "javac"):
        assert not make(name, {}).may_silence("class A:  # isort and ruff, no: qa\n")
    assert make("javac", {}).may_silence('@SuppressWarnings("all")')
    assert make("javac", {}).may_silence("@Suppress\\u0057arnings")


def test_suppressions_go_and_texts_that_look_like_them_stay() -> None:
    text = (
        '@SuppressWarnings("x")\nclass A { // @SuppressWarnings("y")\n'
        'String s = "@SuppressWarnings(1)"; @java.lang.SuppressWarnings({"a)", "b"}) int i;\n}\n'
    )
    left = without_suppressions(text)
    assert left.count("\n") == text.count("\n") and 'String s = "@SuppressWarnings(1)"' in left
    assert "class A" in left and " int i;" in left and '"b"' not in left and '"x"' not in left
    assert "Suppress" not in without_suppressions('@Suppress\\u0057arnings("all") class B {}')
    checks = '<module name="Checker"><module name="SuppressWarningsFilter"/><module name="X"/></module>'
    assert without_filters(checks) == '<module name="Checker"><module name="X"/></module>'
