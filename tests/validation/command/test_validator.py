"""The validator of commands: what is built and tested, what counts as a pass, what hostile programs achieve.

Programs are shell scripts, which build in no time, and C++ where the language matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.core.records import Candidate, Outcome, Problem, Span, Verdict
from nl2fix.sandboxes.bubblewrap import Bubblewrap
from nl2fix.sandboxes.once import Finished
from nl2fix.suites.humanevalfix import recipes
from nl2fix.validation.command import CommandProgram, CommandValidator
from nl2fix.validation.command.suspicion import reach
from tests.conftest import missing

TEXT = "half() { echo $1; }\n"
RIGHT = "half() { echo $(($1 / 2)); }"
PROBLEM = Problem("x", "s", "p", "cpp", "half.sh", TEXT, Span(0, len(TEXT) - 1), "half", "", {})
TESTS = """
check() { [ "$1" = "$2" ] || { echo "$1 is not $2" >&2; exit 1; }; }
check "$(half 8)" 4
check "$(half 3)" 1
read word; echo "$word"
"""
BUILD = "/bin/sh -n half.sh; { echo '#!/bin/bash'; cat half.sh tests.sh; } > program"


def script(problem: Problem) -> CommandProgram:
    return CommandProgram("python", lambda files: {"half.sh": files["half.sh"], "tests.sh": TESTS}, BUILD)


Judge = Callable[[str], Verdict]


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    return Environment(cache=tmp_path / "cache").having("sandbox", memory=256, timeout=2.0)


@pytest.fixture
def judge(environment: Environment, bubblewrap: Bubblewrap) -> Iterator[Judge]:
    with closing(CommandValidator(environment, script)) as validator, validator.session(PROBLEM) as session:
        yield lambda code: session.validate(Candidate(code))


def test_what_builds_and_passes_is_plausible(judge: Judge) -> None:
    right = judge(RIGHT)
    assert right.plausible and right.evidence.confirmed and right.evidence.build_sha256
    wrong = judge("half() { echo 4; }")
    assert (wrong.outcome, wrong.evidence.message) == (Outcome.WRONG, "4 is not 1")
    broken = judge("half() { echo (")
    assert broken.outcome is Outcome.UNCOMPILABLE
    assert "yntax error" in str(broken.evidence.message)
    assert judge(PROBLEM.before).outcome is Outcome.WRONG


def test_equal_texts_are_built_once_and_equal_programs_tested_once(
    environment: Environment, bubblewrap: Bubblewrap, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    def noting(name: str) -> Callable[..., Any]:
        method = getattr(CommandValidator, name)

        def noted(*given: Any) -> Any:
            done.append(name)
            return method(*given)

        return noted

    for name in ("build", "test"):
        monkeypatch.setattr(CommandValidator, name, noting(name))
    plain = BUILD.replace("cat half.sh", "grep -v '^#' half.sh; cat")
    program = CommandProgram("python", lambda f: {"half.sh": f["half.sh"], "tests.sh": TESTS}, plain)
    validator, codes = CommandValidator(environment, lambda _: program), (RIGHT, RIGHT, f"{RIGHT}\n# same")
    with closing(validator), validator.session(PROBLEM) as session:
        verdicts = [session.validate(Candidate(code)) for code in codes]
    assert all(verdict.plausible for verdict in verdicts)
    assert done == ["build", "test", "test", "build"]


HOSTILE = {
    "exit": "exit 0",
    "exit in the function": "half() { kill -9 $$; }",
    "exit with the parent's status": "half() { exit 0; }; half",
    "blank word": "echo; exit 0",
    "any word": "echo 0123456789abcdef0123456789abcdef; exit 0",
    "many words": "head -c 2000000 /dev/urandom | od -An -tx1; exit 0",
    "endless output": "yes",
    "endless errors": "yes >&2",
    "endless loop": "while true; do :; done",
    "sleep": "sleep 1000",
    "fork bomb": "bomb() { bomb | bomb & }; bomb; sleep 1000",
    "background": "sleep 1000 & sleep 1000 & exit 0",
    "memory": "tail /dev/zero; exit 1",
    "disk": "cat /dev/zero > fill; exit 1",
    "signal to all": "kill -9 -1",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_programs_are_not_plausible_and_end(
    judge: Judge, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nl2fix.validation.command.validator.WALL_SECONDS", 4.0)
    assert not judge(HOSTILE[name]).plausible
    assert judge(RIGHT).plausible


@pytest.mark.parametrize("deaf", ["", "trap '' XCPU; "], ids=["heeds", "ignores"])
def test_an_endless_loop_is_a_time_out_whether_or_not_it_heeds_the_signal(judge: Judge, deaf: str) -> None:
    """The Go runtime lets the signal pass: each endless loop in Go was called wrong, "status 137"."""
    verdict = judge(f"{deaf}while true; do :; done")
    assert (verdict.outcome, verdict.evidence.message) == (
        Outcome.TIMEOUT, "the tests did not end within their time"
    )  # fmt: skip


@pytest.mark.parametrize("status", ["exit 7", "kill -KILL $$", "kill -SEGV $$"])
def test_what_ends_early_is_no_time_out(judge: Judge, status: str) -> None:
    assert judge(status).outcome is Outcome.WRONG


def test_a_compiler_out_of_time_is_a_time_out_though_its_driver_tells_otherwise(
    environment: Environment, bubblewrap: Bubblewrap, monkeypatch: pytest.MonkeyPatch
) -> None:
    """g++ ends with status 1 where the kernel ends its compiler; that was called uncompilable."""
    monkeypatch.setattr("nl2fix.validation.command.validator.BUILD_SECONDS", 2.0)
    driven = CommandProgram("python", dict, "/bin/sh -c 'while true; do :; done' || exit 1")
    validator = CommandValidator(environment, lambda _: driven)
    with closing(validator), validator.session(PROBLEM) as session:
        assert session.validate(Candidate(RIGHT)).outcome is Outcome.TIMEOUT


def test_what_the_clock_on_the_wall_stopped_once_has_a_second_chance(
    judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = CommandValidator.test
    late = iter([True])

    def test(validator: CommandValidator, *given: Any) -> tuple[Finished, bool]:
        stopped = Finished(None, "", "", 9.0, "time"), False
        return stopped if next(late, False) else tried(validator, *given)

    monkeypatch.setattr(CommandValidator, "test", test)
    assert judge(RIGHT).plausible


KILLED = Finished(137, "", "", 0.1)


@pytest.mark.parametrize(("part", "ended"), [("build", KILLED), ("test", (KILLED, False))])
def test_where_all_is_killed_there_is_no_verdict(
    judge: Judge, monkeypatch: pytest.MonkeyPatch, part: str, ended: Any
) -> None:
    """What a neighbour or too little memory killed twice was wrong, or uncompilable."""
    monkeypatch.setattr(CommandValidator, part, lambda *given: ended)
    with pytest.raises(InfrastructureError, match="killed"):
        judge(RIGHT)


def test_what_is_killed_while_others_live_is_wrong(judge: Judge) -> None:
    assert judge("kill -9 $$").outcome is Outcome.WRONG


def test_a_build_that_is_killed_while_that_of_the_unedited_program_lives_is_its_own_fault(
    environment: Environment, bubblewrap: Bubblewrap
) -> None:
    killed = replace(script(PROBLEM), build=f"! grep -q kill half.sh || kill -9 $$; {BUILD}")
    validator = CommandValidator(environment, lambda _: killed)
    with closing(validator), validator.session(PROBLEM) as session:
        assert session.validate(Candidate("kill")).outcome is Outcome.UNCOMPILABLE


def test_writes_reach_nothing_outside(judge: Judge, tmp_path: Path) -> None:
    target = tmp_path / "here"
    target.write_text("before")
    tmp_path.chmod(0o777)
    judge(f"echo after > {target}; echo x > /etc/nl2fix-was-here; {RIGHT}")
    assert target.read_text() == "before"
    assert not Path("/etc/nl2fix-was-here").exists()


def test_neither_sources_nor_tests_lie_beside_the_program(judge: Judge) -> None:
    assert judge(f'[ "$(ls)" = program ] || exit 1; [ ! -e /tmp/tests.sh ] || exit 1; {RIGHT}').plausible


def test_a_build_that_never_ends_is_a_time_out(
    environment: Environment, bubblewrap: Bubblewrap, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nl2fix.validation.command.validator.BUILD_SECONDS", 1.0)
    endless = CommandProgram("python", dict, "while true; do :; done")
    validator = CommandValidator(environment, lambda _: endless)
    with closing(validator), validator.session(PROBLEM) as session:
        verdict = session.validate(Candidate(RIGHT))
    assert (verdict.outcome, verdict.evidence.stage) == (Outcome.TIMEOUT, "build")


def test_builds_share_what_the_unedited_one_left(environment: Environment, bubblewrap: Bubblewrap) -> None:
    build = """
[ ! -w "$NL2FIX_CACHE" ] || cp tests.sh "$NL2FIX_CACHE/kept"
cat half.sh "$NL2FIX_CACHE/kept" > program
"""

    def files(edited: Mapping[str, str]) -> dict[str, str]:
        return {"half.sh": "#!/bin/sh\n" + edited["half.sh"], "tests.sh": TESTS}

    validator = CommandValidator(environment, lambda _: CommandProgram("python", files, build, caches=True))
    with closing(validator), validator.session(PROBLEM) as session:
        assert session.validate(Candidate(RIGHT)).plausible
        assert not session.validate(Candidate(f'echo > "$NL2FIX_CACHE/kept"; {TEXT}')).plausible
        assert session.validate(Candidate(f"{RIGHT} # again")).plausible
    assert len(list((environment.cache / "builds").iterdir())) == 1


def test_identity_names_files_commands_tools_and_limits(
    environment: Environment, bubblewrap: Bubblewrap, tmp_path: Path
) -> None:
    def identity(program: CommandProgram, environment: Environment) -> dict[str, str]:
        with closing(CommandValidator(environment, lambda _: program)) as validator:
            return validator.identity(PROBLEM)

    usual = identity(script(PROBLEM), environment)
    other = environment.having("sandbox", memory=512)
    assert identity(script(PROBLEM), other)["limits"] != usual["limits"]
    assert identity(CommandProgram("python", lambda files: {}, BUILD), environment)["tests"] != usual["tests"]
    assert identity(CommandProgram("python", dict, "true"), environment)["commands"] != usual["commands"]
    assert usual["runtime"].startswith("python 3")


CPP_TEXT = "#include<vector>\nusing namespace std;\nvector<int> twice(vector<int> v) {\n    return v;\n}\n"
CPP_TEST = (
    "#undef NDEBUG\n#include<assert.h>\nint main(){\n    assert (twice({1, 2}) == vector<int>({2, 4}));\n}\n"
)
CPP_RIGHT = "vector<int> twice(vector<int> v) {\n    for (int &x : v) x *= 2;\n    return v;\n}"
CPP_PROBLEM = Problem(
    "x", "s", "p", "cpp", "solution.cpp", CPP_TEXT, Span(38, len(CPP_TEXT) - 1), "twice", "", {}
)
CPP_HOSTILE = {
    "exit when loaded": "static int early = (exit(0), 0);\nSAME",
    "exit when called": "vector<int> twice(vector<int> v) { exit(0); }",
    "word without reading": 'vector<int> twice(vector<int> v) { puts("word"); exit(0); }',
    "macro for the check": "SAME\n#define assert(x)",
    "macro for a word": "SAME\n#define vector(x) 1 ||\n#define main x",
    "macro by digraph": "SAME\n%:define twice(...) vector<int>({2, 4})",
    "own comparison": ("SAME\nbool operator==(const vector<int>& a, const vector<int>& b) { return true; }"),
    "a second main": "SAME\nint main() { return 0; }",
}


@pytest.fixture(scope="module")
def cpp(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    sources = recipes.Sources("solution.cpp", CPP_TEST)
    environment = Environment(tmp_path_factory.mktemp("cache")).having("sandbox", timeout=5.0)
    validator = CommandValidator(environment, lambda p: recipes.program("cpp", sources), suspicious=reach)
    try:
        validator.identity(CPP_PROBLEM)
    except UsageError as error:
        missing(str(error))
    with closing(validator), validator.session(CPP_PROBLEM) as session:
        yield lambda code: session.validate(Candidate(code))


def test_cpp_right(cpp: Judge) -> None:
    right = cpp(CPP_RIGHT)
    assert right.plausible and right.evidence.suspicious is None
    struct = "struct P { int a; bool operator==(const P& o) const { return a == o.a; } };\n" + CPP_RIGHT
    assert cpp(struct).plausible


SAME = "vector<int> twice(vector<int> v) { return v; }"


@pytest.mark.parametrize("name", CPP_HOSTILE)
def test_cpp_hostile(cpp: Judge, name: str) -> None:
    assert not cpp(CPP_HOSTILE[name].replace("SAME", SAME)).plausible


def test_reading_the_word_is_marked(cpp: Judge) -> None:
    """Code that shares the tests' process can do this; nobody who reads the report is left in the dark."""
    reads = "vector<int> twice(vector<int> v) { char w[99]; fgets(w, 99, stdin); fputs(w, stdout); exit(0); }"
    assert cpp(reads).evidence.suspicious == "newly names exit, fgets, stdin"


def doomed(files: Mapping[str, str]) -> dict[str, str]:
    """With tests of which the last one fails."""
    return {"half.sh": files["half.sh"], "tests.sh": TESTS.replace("read word", "check 1 2; read word")}


def test_what_passes_tests_that_must_fail_is_wrong(environment: Environment, bubblewrap: Bubblewrap) -> None:
    """Programs that read the word before their tests did, and repeated it, were plausible."""
    forger = "half() { echo 4; }; read word; echo $word; exit 0"
    program = replace(script(PROBLEM), challenge=doomed)
    with (
        closing(CommandValidator(environment, lambda _: program)) as validator,
        validator.session(PROBLEM) as session,
    ):
        assert session.validate(Candidate(RIGHT)).plausible
        forged = session.validate(Candidate(forger))
    assert forged.outcome is Outcome.WRONG and forged.evidence.suspicious
    assert "must fail" in str(forged.evidence.message)


def test_a_challenge_that_cannot_be_built_is_no_verdict(
    environment: Environment, bubblewrap: Bubblewrap
) -> None:
    program = replace(script(PROBLEM), challenge=lambda files: {"half.sh": "half() {(", "tests.sh": ""})
    with (
        closing(CommandValidator(environment, lambda _: program)) as validator,
        validator.session(PROBLEM) as session,
        pytest.raises(InfrastructureError, match="cannot be built"),
    ):
        session.validate(Candidate(RIGHT))
