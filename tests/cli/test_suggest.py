"""``nl2fix suggest`` as a user types it: a process of its own, a real project, a real model server."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from nl2fix.core.resources import shared
from tests.servers.openai_server import Call, OpenAIServer, Slow, Status
from tests.suggestion.conftest import BUGS, ISSUE, JARS, PAGER, cache, repo, write
from tests.suggestion.localisation.test_surefire import results
from tests.suggestion.test_deciding import CART
from tests.suggestion.test_deciding import ISSUE as CART_ISSUE
from tests.suggestion.test_deciding import TEST as CART_TEST

__all__ = ["cache", "repo"]
METHOD = "examples.pages.Pager#pageCount()"
FIX = "return (items.size() + pageSize - 1) / pageSize;"
ANSWERS = ("return items.siz();", FIX, "return items.size() / pageSize + 0;")
LIMIT = 240
"""Seconds a command may take on a busy machine."""
TRIGGER = "examples.pages.PagerTest#fullLastPage"


def answer(body: dict[str, Any], number: int) -> str:
    statement = ANSWERS[((body.get("seed") or 0) + number) % len(ANSWERS)]
    return f"```java\npublic int pageCount() {{\n    {statement}\n}}\n```"


@pytest.fixture(scope="module")
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer(text=answer) as running:
        yield running


def command(repo: Path, *arguments: object) -> list[str]:
    jars = ":".join(map(str, JARS))
    words = ["suggest", "--repo", repo, "--classpath", jars, "--n", 3, *arguments]
    return [sys.executable, "-m", "nl2fix", *map(str, words)]


def model(server: OpenAIServer) -> tuple[str, ...]:
    return ("--model", "openai:tester", "--base-url", server.url, "--seed", "0")


@pytest.fixture
def surroundings(cache: Path) -> dict[str, str]:
    return {**os.environ, "NL2FIX_CACHE": str(cache), "OPENAI_API_KEY": "none", "COLUMNS": "120"}


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One project for all tests that change nothing in it, so that it is built once."""
    folder = tmp_path_factory.mktemp("unchanged") / "pager"
    shutil.copytree(BUGS / "pager-last-page" / "src", folder / "src")
    return folder


@pytest.fixture(scope="module")
def passing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same without a failing test."""
    folder = tmp_path_factory.mktemp("passing") / "pager"
    shutil.copytree(BUGS / "pager-last-page" / "src", folder / "src")
    file = folder / PAGER
    file.write_text(file.read_text().replace("return items.size() / pageSize + 1;", FIX))
    return folder


@pytest.fixture
def run(repo: Path, surroundings: dict[str, str]) -> Run:
    return runner(repo, surroundings)


@pytest.fixture
def look(unchanged: Path, surroundings: dict[str, str]) -> Run:
    return runner(unchanged, surroundings)


def runner(folder: Path, surroundings: dict[str, str]) -> Run:
    def call(*arguments: object, issue: str = ISSUE) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command(folder, *arguments),
            input=issue,
            capture_output=True,
            text=True,
            env=surroundings,
            timeout=LIMIT,
        )

    return call


def told(done: subprocess.CompletedProcess[str], code: int, *words: str) -> None:
    """The command ended with one line that has these words, and no traceback."""
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    last = done.stderr.strip().splitlines()[-1]
    for word in words:
        assert word in last


# -- what it prints -------------------------------------------------------------------------------


def test_a_diff_its_evidence_and_exit_code_0(look: Run, server: OpenAIServer) -> None:
    done = look("--method", METHOD, "--trigger", TRIGGER, *model(server))
    assert done.returncode == 0, done.stderr
    assert FIX in done.stdout
    assert "#1 returns `(items.size() + pageSize - 1) / pageSize` instead of" in done.stdout
    assert "   fixes PagerTest#fullLastPage" in done.stdout
    assert "@@ -18,7 +18,7 @@" in done.stdout  # lines of the file, with what stands around them
    assert "1 plausible" in done.stdout
    assert "1 uncompilable" in done.stdout
    assert "uncompilable: " in done.stdout
    assert "cannot find symbol" in done.stdout
    assert "--apply 1; the answers are kept" in done.stdout.splitlines()[-1]
    asked = len(server.calls)
    look("--method", METHOD, "--trigger", TRIGGER, *model(server))
    assert len(server.calls) == asked


def test_a_model_sees_the_class_and_the_failure_and_may_mend_what_does_not_compile(look: Run) -> None:
    def reply(body: dict[str, Any], number: int) -> str:
        again = "does not compile" in body["messages"][-1]["content"]
        statement = FIX if again else "return items.siz();"
        return f"```java\npublic int pageCount() {{\n    {statement}\n}}\n```"

    with OpenAIServer(text=reply) as server:
        done = look("--method", METHOD, "--n", 1, *model(server))
        first, second = (call.body["messages"] for call in server.calls)
    assert done.returncode == 0, done.stderr
    assert "first as sample 1" in done.stdout
    assert "private final int pageSize;" in first[-1]["content"]
    assert "PagerTest > fullLastPage() FAILED" in first[-1]["content"]
    assert "cannot find symbol" in second[-1]["content"]


def test_exit_code_1_when_nothing_survives(look: Run) -> None:
    done = look("--method", METHOD, "--trigger", TRIGGER, "--n", 1)
    assert done.returncode == 1, done.stderr
    assert "no edit of Pager#pageCount() makes PagerTest#fullLastPage pass (3 judged)" in done.stdout
    assert not any(line.startswith("nl2fix: ") for line in done.stderr.splitlines())


def test_what_cannot_be_read_is_told_from_nothing_that_survives_as_help_says(
    look: Run, tmp_path: Path
) -> None:
    """A script took the status of damaged test results for that of no suggestion."""
    (tmp_path / "TEST-a.xml").write_text("<testsuite><testcase")
    told(
        look("--from-surefire", tmp_path, issue=""),
        1,
        "nl2fix: ",
        "TEST-a.xml is no XML",
        "run the build again",
    )
    page = " ".join(look("--help").stdout.split())
    assert "1, too, where the work fails" in page and 'ends with a line "nl2fix: ..."' in page


def reads_as_patch(text: str) -> None:
    assert text.startswith(f"--- a/{PAGER}\n+++ b/{PAGER}\n@@")


def reads_as_json(text: str) -> None:
    assert json.loads(text)["suggestions"][0]["rank"] == 1


def reads_as_sarif(text: str) -> None:
    assert json.loads(text)["runs"][0]["results"][0]["fixes"]


def reads_as_markdown(text: str) -> None:
    assert f"```suggestion\n        {FIX}\n```" in text


def reads_as_page(text: str) -> None:
    assert text.lstrip().lower().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("name", "reads"),
    [
        ("patch", reads_as_patch),
        ("json", reads_as_json),
        ("sarif", reads_as_sarif),
        ("github-suggestion", reads_as_markdown),
        ("html", reads_as_page),
    ],
)
def test_other_programs_get_nothing_but_their_format(
    look: Run, server: OpenAIServer, name: str, reads: Callable[[str], None]
) -> None:
    done = look("--method", METHOD, "--format", name, *model(server))
    assert done.returncode == 0, done.stderr
    reads(done.stdout)


def test_a_patch_on_standard_output_applies_to_a_source_that_is_not_utf_8(
    repo: Path, surroundings: dict[str, str], server: OpenAIServer
) -> None:
    """It was written in the terminal's encoding."""
    marked = (repo / PAGER).read_text().replace("public int pageCount", "/* GROß */ public int pageCount")
    (repo / PAGER).write_bytes(marked.encode("iso-8859-1"))
    arguments = command(repo, "--method", METHOD, "--format", "patch", *model(server))
    done = subprocess.run(
        arguments, input=ISSUE.encode(), capture_output=True, env=surroundings, timeout=LIMIT
    )
    subprocess.run(["git", "-C", str(repo), "apply", "-"], input=done.stdout, check=True)
    assert b"GRO\xdf" in (repo / PAGER).read_bytes() != marked.encode("iso-8859-1")


# -- what it is asked -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--method", "examples.pages.Pager#pageCont()"], ["no method", "pageCount()"]),
        (["--method", "examples.pages.Pagr#pageCount()"], ["no class", "did you mean Pager"]),
        (["--method", f"{PAGER}:1"], ["lies in no method"]),
        (["--method", METHOD, "--model", "mutatoin"], ["unknown model", "mutation"]),
        (["--method", METHOD, "--ranker", "vot"], ["unknown ranker", "vote"]),
        (["--method", ""], ["--method names nothing"]),
        (["--method", METHOD, "--port", 5], ["--port is that of the page; say --serve"]),
        (
            ["--method", METHOD, "--save", f"{__file__}/x"],
            ["test_suggest.py is no folder that can be written: Not a directory"],
        ),
        (
            ["--method", METHOD, "--save", "/proc/x"],
            ["/proc is no folder that can be written"],
        ),
        (["--model", "replay:none.jsonl"], ["cannot read recorded answers none.jsonl"]),
        (["--method", METHOD, "--build", "maven"], ["no maven project"]),
        (["--build", "maven"], ["no maven project", "leave --build out"]),
        (["--method", METHOD, "--issue", "no-such-file.md"], ["cannot read the issue"]),
        (["--method", METHOD, "--issue", "https://github.com/a/b/issues/1"], ["behind --issue-url"]),
        (["--method", METHOD, "--issue", "x", "--issue-url", "y"], ["name the issue once"]),
        (["--method", METHOD, "--classpath", "no.jar"], ["no.jar"]),
        (["--repo", "/no/such/folder", "--method", METHOD], ["is no folder"]),
    ],
)
def test_what_cannot_be_is_one_line(look: Run, arguments: Sequence[str], words: Sequence[str]) -> None:
    done = look(*arguments)
    told(done, done.returncode, *words)
    assert done.returncode in (1, 2) and "building" not in done.stderr


def test_an_empty_issue_is_refused(look: Run) -> None:
    told(look("--method", METHOD, issue=" \n"), 2, "the issue is empty")


def test_without_method_and_failing_test_the_likeliest_are_listed(
    passing: Path, surroundings: dict[str, str]
) -> None:
    done = runner(passing, surroundings)(issue="pageCount() is one too high")
    told(done, 2, "--auto")
    assert METHOD in done.stderr
    assert done.stdout == ""


def test_without_method_a_failing_test_decides(look: Run, server: OpenAIServer) -> None:
    """A list of methods was shown, or nothing done, though tests failed."""
    done = look(*model(server), issue="pageCount() is one too high")
    assert done.returncode == 0, done.stderr
    assert f"trying {METHOD} (" in done.stderr
    assert "   fixes PagerTest#fullLastPage" in done.stdout
    assert "Pager#page(int)" not in done.stderr, "the first fixes it"


def test_the_model_says_which_of_the_likeliest_methods_is_meant(
    passing: Path, surroundings: dict[str, str]
) -> None:
    def choosing(body: dict[str, Any], number: int) -> str:
        asked = body["messages"][-1]["content"]
        offered = re.search(r"^(\d+)\. `examples\.pages\.Pager#hasNext\(int\)`", asked, re.MULTILINE)
        return f"Methods: {offered[1]}" if offered else answer(body, number)

    with OpenAIServer(text=choosing) as server:
        done = runner(passing, surroundings)(
            "--auto", "--n", 1, "--format", "json", *model(server), issue="Pager.pageCount() is one too high"
        )
        offers = [call for call in server.calls if "has to be changed" in str(call.body["messages"])]
    assert "asking the model which of the likeliest methods is meant" in done.stderr
    assert re.findall(r'"method": "(.*)"', done.stdout)[:2] == ["hasNext(int)", "pageCount()"], done.stderr
    assert len(offers) == 1


def test_which_method_is_meant_is_asked_by_ones_own_template(
    passing: Path, surroundings: dict[str, str], tmp_path: Path, server: OpenAIServer
) -> None:
    """That one was looked for in no folder of the user's."""
    for name in ("zero_shot", "which_method"):
        shutil.copytree(shared("prompts") / name, tmp_path / "own" / name)
    template = tmp_path / "own/which_method/user.j2"
    template.write_text(template.read_text().replace("A bug was reported", "A customer met a bug"))
    runner(passing, surroundings)(
        "--n", 1, *model(server), "--set", f"prompt.dir={tmp_path / 'own'}", issue="pageCount() is too high"
    )
    asked = [call.body["messages"][-1]["content"] for call in server.calls]
    assert any(text.startswith("A customer met a bug in a Java project.") for text in asked)


def test_a_model_that_only_goes_on_with_code_is_not_asked_which_method_is_meant(
    passing: Path, surroundings: dict[str, str], server: OpenAIServer
) -> None:
    done = runner(passing, surroundings)(
        "--n", 1, *model(server), "--set", "prompt.shape=completion", issue="pageCount() is one too high"
    )
    told(done, 2, "--auto")
    assert "asking the model" not in done.stderr


NOTING = """
from pathlib import Path
from nl2fix import Completion

MADE = []

class Noting:
    name = "noting"

    def complete(self, requests):
        MADE[:] = [self] + [other for other in MADE if other is not self]
        for request in requests:
            for sample in request.samples:
                with Path(__file__).with_name("asked").open("a") as stream:
                    stream.write(f"{request.prompt.sha256} {sample} {len(MADE)}\\n")
                code = "public int pageCount() { return items.size(); }"
                yield Completion(request.problem.id, sample, code=code)

def model(options, environment):
    return Noting()
"""


def test_for_a_test_of_the_likeliest_method_no_model_answers_again(
    unchanged: Path, surroundings: dict[str, str], tmp_path: Path
) -> None:
    """Where no edit made the test pass, the method was worked on once more."""
    (tmp_path / "noting.py").write_text(NOTING)
    look = runner(unchanged, {**surroundings, "PYTHONPATH": str(tmp_path)})
    asked = []
    for options in ((), ("--write-test",)):
        done = look(*options, "--n", 1, "--model", "noting:model", issue="pageCount() is one too high")
        assert done.returncode == 1 and "Pager#pageCount()" in done.stdout.partition(" pass (")[0], (
            done.stdout
        )
        assert "--apply" not in done.stdout, "what mends nothing was offered to be applied"
        assert "Traceback" not in done.stderr
        asked.append((tmp_path / "asked").read_text())
        (tmp_path / "asked").unlink()
    assert asked[0] == asked[1]


NEVER = """
package examples.pages;

public class NeverTest {
    @org.junit.Test public void pageCountOfTwo() {
        org.junit.Assert.assertEquals("never", "" + new Pager<>(java.util.List.of(1, 2), 2).pageCount());
    }
}
"""


def test_where_no_edit_makes_the_failing_test_pass_none_is_shown_applied_or_made_a_test_of(
    tmp_path: Path, surroundings: dict[str, str]
) -> None:
    """Five edits that change nothing tested stood there, as if one of them were the fix."""
    project = tmp_path / "pager"
    shutil.copytree(BUGS / "pager-last-page" / "src", project / "src")
    (project / "src/test/java/examples/pages/PagerTest.java").unlink()
    (project / "src/test/java/examples/pages/NeverTest.java").write_text(NEVER)
    before = (project / PAGER).read_text()
    for options in (("--apply", 1), ("--write-test", "--save", tmp_path / "kept")):
        done = runner(project, surroundings)("--n", 20, *options, issue="NeverTest: pageCount of two")
        assert done.returncode == 1, done.stderr
        assert "makes NeverTest#pageCountOfTwo pass (" in done.stdout
        assert f"the likeliest places:\n  1  {METHOD}\n     {PAGER}:" in done.stdout
        assert "@@" not in done.stdout and "#1" not in done.stdout
        assert done.stderr.splitlines()[-1] == "there is no suggestion: the work tree is as it was"
    assert (project / PAGER).read_text() == before
    kept = json.loads((tmp_path / "kept/suggestions.json").read_text())
    assert kept["suggestions"] == [] and kept["vain"], "what was judged is lost"
    assert (tmp_path / "kept/suggestion.patch").read_text() == ""


@pytest.mark.parametrize("trigger", ["PagerTest#nothing", "examples.pages.PagerTest#firstPage"])
def test_without_method_too_a_trigger_that_cannot_be_met_is_refused(look: Run, trigger: str) -> None:
    """Another failing test was taken for it, and a suggestion shown."""
    done = look("--trigger", trigger, issue="pageCount() is one too high")
    told(done, 2, trigger.rpartition("#")[2])
    assert done.stdout == ""


def test_one_model_answers_for_all_methods_that_are_tried(
    unchanged: Path, surroundings: dict[str, str], tmp_path: Path
) -> None:
    """Each had one of its own: a local model was loaded again, beside the first."""
    (tmp_path / "noting.py").write_text(NOTING)
    look = runner(unchanged, {**surroundings, "PYTHONPATH": str(tmp_path)})
    done = look("--n", 1, "--model", "noting:model", issue="pageCount() is one too high")
    assert done.stderr.count("trying ") > 1, done.stderr
    asked = [line.split() for line in (tmp_path / "asked").read_text().splitlines()]
    assert len({prompt for prompt, _, _ in asked}) > 1
    assert {models for _, _, models in asked} == {"1"}


def test_the_only_method_is_taken_without_a_list(
    tmp_path: Path, surroundings: dict[str, str], server: OpenAIServer
) -> None:
    folder = tmp_path / "src" / "main" / "java"
    folder.mkdir(parents=True)
    (folder / "Only.java").write_text("class Only {\n    int pages(int n) {\n        return n;\n    }\n}\n")
    done = runner(tmp_path, surroundings)("--n", 1, *model(server), issue="one too few")
    assert "the likeliest method: Only#pages(int)" in done.stderr
    assert "--auto" not in done.stderr


def test_the_last_build_tells_trigger_trace_and_method(
    look: Run, server: OpenAIServer, tmp_path: Path
) -> None:
    results(tmp_path)
    done = look("--from-surefire", tmp_path, *model(server), issue="")
    assert done.returncode == 0, done.stderr
    assert f"trying {METHOD} (" in done.stderr
    assert "   fixes PagerTest#fullLastPage" in done.stdout


def test_the_offered_methods_are_no_output(passing: Path, surroundings: dict[str, str]) -> None:
    """Whoever reads JSON from standard output got a table."""
    done = runner(passing, surroundings)(
        "--n", 2, "--format", "json", issue="Pager.pageCount() is one too high"
    )
    told(done, 2, "no --method: pick one")
    assert done.stdout == ""
    assert "the likeliest methods:\n  1  examples.pages." in done.stderr


def test_auto_tries_the_likeliest(passing: Path, surroundings: dict[str, str]) -> None:
    done = runner(passing, surroundings)(
        "--auto", "--n", 2, "--format", "json", issue="Pager.pageCount() is one too high"
    )
    assert '"method": "pageCount()"' in done.stdout, done.stderr
    assert done.stdout.count('"method":') == 3
    assert "trying the likeliest methods, one after the other:\n  1  examples.pages." in done.stderr


def test_what_applies_the_first_of_another_method_names_that_method(
    passing: Path, surroundings: dict[str, str]
) -> None:
    """Below jmespath-java's second method stood "--apply 1", which applies the first one's first."""
    done = runner(passing, surroundings)("--auto", "--n", 30, issue="Pager.pageCount() is one too high")
    told = done.stdout.partition("\n─")[2].partition("hasNext(int) in ")[2]
    assert "the same command with --method src/main/java/examples/pages/Pager.java:33 --apply 1" in told


def test_what_was_not_seen_to_change_anything_is_not_offered_to_be_applied(look: Run) -> None:
    nothing = "public int pageCount() {\n    return Math.addExact(items.size() / pageSize, 1);\n}"
    with OpenAIServer(text=lambda *_: f"```java\n{nothing}\n```") as server:
        done = look("--method", METHOD, *model(server))
    assert "nothing seen to change on" in done.stdout and "--apply" not in done.stdout


# -- the work tree --------------------------------------------------------------------------------


def test_apply_puts_one_suggestion_into_the_work_tree(run: Run, repo: Path, server: OpenAIServer) -> None:
    done = run("--method", METHOD, "--trigger", TRIGGER, "--apply", 1, *model(server))
    assert done.returncode == 0, done.stderr
    assert FIX in (repo / PAGER).read_text()
    state = subprocess.run(["git", "-C", repo, "status", "--porcelain"], capture_output=True, text=True)
    assert state.stdout == f" M {PAGER}\n", "nothing else changes"


def test_a_line_becomes_a_test_beside_the_patch(run: Run, repo: Path, server: OpenAIServer) -> None:
    done = run("--method", METHOD, "--apply", 1, "--write-test", "--format", "json", *model(server))
    assert done.returncode == 0, done.stderr
    kept = json.loads(done.stdout)["kept"]
    # The first two lines are calls of the project's own tests, which are tests already.
    assert (kept["rank"], kept["line"], kept["new"]) == (1, 3, False)
    assert kept["change"] == json.loads(done.stdout)["suggestions"][0]["changes"][2]
    tests = repo / kept["path"]
    assert (
        tests.name == "PagerTest.java" and tests.read_text() == kept["text"] and kept["code"] in kept["text"]
    )
    assert FIX in (repo / PAGER).read_text()
    assert f"{kept['test']} written to {tests}" in done.stderr.splitlines()[-1]


def test_a_test_that_cannot_be_is_refused_and_nothing_is_written(
    run: Run, repo: Path, server: OpenAIServer
) -> None:
    done = run("--method", METHOD, "--apply", 1, "--write-test", 99, *model(server))
    told(done, 1, "nothing was applied", "no test written", "and no 99")
    assert FIX in done.stdout, "the suggestions are shown all the same"
    state = subprocess.run(["git", "-C", repo, "status", "--porcelain"], capture_output=True, text=True)
    assert state.stdout == ""


def test_a_suggestion_of_which_no_test_can_be_is_applied(run: Run, repo: Path, server: OpenAIServer) -> None:
    """After two minutes nothing was, as no call of a private method can be written down."""
    done = run("--method", METHOD, "--apply", 1, "--write-test", "--set", "behaviour=0", *model(server))
    told(done, 1, "no test written")
    assert "suggestion 1 applied to" in done.stderr
    assert FIX in (repo / PAGER).read_text()


def test_a_dirty_file_is_refused_before_any_work(run: Run, repo: Path, server: OpenAIServer) -> None:
    with (repo / PAGER).open("a") as file:
        file.write("// mine\n")
    asked = server.served
    told(run("--method", METHOD, "--apply", 1, *model(server)), 1, "uncommitted changes")
    assert server.served == asked
    assert (repo / PAGER).read_text().endswith("// mine\n")


def test_a_place_that_there_cannot_be_is_refused_before_any_work(run: Run, server: OpenAIServer) -> None:
    asked = server.served
    told(run("--method", METHOD, "--apply", 6, *model(server)), 2, "more than the 5 that --top shows")
    told(run("--method", METHOD, "--apply", 0, *model(server)), 2, "0 is not in the range x>=1")
    assert server.served == asked


# -- interruptions --------------------------------------------------------------------------------


@contextmanager
def slow() -> Iterator[OpenAIServer]:
    """A server that gives the fix at once and keeps us waiting for all other answers."""

    def rule(call: Call) -> Slow | None:
        return None if FIX in answer(call.body, 0) else Slow(LIMIT)

    with OpenAIServer(text=answer, refuse_n=True, rule=rule) as running:
        yield running


@pytest.mark.parametrize("kind", ["refused", "500"])
def test_an_endpoint_that_fails_is_told_while_it_is_tried_again(
    unchanged: Path, surroundings: dict[str, str], kind: str
) -> None:
    with OpenAIServer(rule=lambda call: Status(500, "out of memory")) as server:
        url = server.url if kind == "500" else "http://127.0.0.1:9/v1"
        words = command(unchanged, "--method", METHOD, "--model", "openai:tester", "--base-url", url)
        pipes: dict[str, Any] = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
        }
        with subprocess.Popen(words, text=True, env=surroundings, **pipes) as process:
            assert process.stdin is not None
            assert process.stderr is not None
            process.stdin.write(ISSUE)
            process.stdin.close()
            process.stdin = None
            said = next(line for line in process.stderr if "warning" in line)
            assert process.poll() is None, "it is told before the tries are over"
            process.send_signal(signal.SIGINT)
            _, rest = process.communicate(timeout=LIMIT)
    assert url in said
    assert ("out of memory" if kind == "500" else "Connection error") in said
    assert "stamina" not in rest
    assert "Traceback" not in rest


@contextmanager
def started(
    repo: Path, server: OpenAIServer, environment: dict[str, str], *more: str
) -> Iterator[subprocess.Popen[str]]:
    words = command(
        repo, "--method", METHOD, "--serve", "--n", 9, "--trigger", TRIGGER, *model(server), *more
    )
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(words, text=True, env=environment, **pipes)
    assert process.stdin is not None
    process.stdin.write(ISSUE)
    process.stdin.close()
    process.stdin = None
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def page(process: subprocess.Popen[str], path: str = "result", body: bytes | None = None) -> str:
    """What the page of a session says; its address is the first line of standard output."""
    assert process.stdout is not None
    if not hasattr(process, "address"):
        process.address = process.stdout.readline().strip()  # type: ignore[attr-defined]
    where = urlsplit(process.address)  # type: ignore[attr-defined]
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=30)
    connection.request("POST" if body else "GET", where.path + path, body)
    return connection.getresponse().read().decode()


def first_suggestion(process: subprocess.Popen[str]) -> dict[str, Any]:
    """The session's result as soon as it has a suggestion."""
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline:
        result: dict[str, Any] = json.loads(page(process))
        if result["suggestions"]:
            return result
        time.sleep(0.1)
    raise AssertionError("no suggestion appeared while the model was still answering")


def test_suggestions_appear_while_the_model_still_answers_and_ctrl_c_keeps_them(
    repo: Path, surroundings: dict[str, str], tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    with slow() as server, started(repo, server, surroundings, "--save", str(kept)) as process:
        result = first_suggestion(process)
        assert result["complete"] is False
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LIMIT)
    assert process.returncode == 0, err
    assert "stopped; these are the suggestions so far" in err
    assert FIX in out
    assert "stopped early: the same command may put others first" in out
    assert "--save" not in out, "it has kept them"
    assert FIX in (kept / "suggestion.patch").read_text()
    assert "--apply 1" not in out, "it would apply another one"
    assert "Traceback" not in err


def test_ctrl_c_before_there_is_a_suggestion_promises_none(repo: Path, surroundings: dict[str, str]) -> None:
    """ "These are the suggestions so far" stood above none of semver4j's."""
    with (
        OpenAIServer(text=answer, refuse_n=True, rule=lambda call: Slow(LIMIT)) as server,
        started(repo, server, surroundings) as process,
    ):
        assert json.loads(page(process))["suggestions"] == []
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=LIMIT)
    assert "stopped; there is no suggestion yet" in err
    assert "suggestions so far" not in err


def test_ctrl_c_while_another_method_is_prepared_keeps_what_is_known(
    tmp_path: Path, surroundings: dict[str, str]
) -> None:
    """Of commons-io three minutes of work were gone: "stopped", and nothing else."""
    cart = CART.replace("reduced(price)", "Discount.of(price)")
    discount = "package shop;\nclass Discount {\n static int of(int amount) {\n  return amount - 1;\n }\n}\n"
    write(tmp_path, "src/main/java/shop/Cart.java", cart)
    write(tmp_path, "src/main/java/shop/Discount.java", discount)
    write(tmp_path, "src/test/java/shop/CartTest.java", CART_TEST)
    words = command(tmp_path, "--issue", write(tmp_path, "issue.md", CART_ISSUE), "--n", 30)
    with subprocess.Popen(
        words, text=True, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        while "trying shop.Discount#of" not in process.stderr.readline():
            pass
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LIMIT)
    assert "stopped; there is no suggestion yet" in err
    assert "not all edits were judged; none of those of Cart#total(int[]) so far makes CartTest#total" in out
    assert process.returncode == 1, err


def test_edits_of_another_method_that_pass_are_looked_for_once_the_first_was_shown(
    tmp_path: Path, surroundings: dict[str, str]
) -> None:
    cart = (
        "public class Cart {\n    public int due(int price) {\n        return Sums.sum(price, 1);\n    }\n}\n"
    )
    sums = "class Sums {\n    static int sum(int one, int other) {\n        return one - other;\n    }\n}\n"
    due = "@org.junit.Test public void bagIsPaid() { org.junit.Assert.assertEquals(3, new Cart().due(2)); }"
    write(tmp_path, "src/main/java/shop/Cart.java", f"package shop;\n{cart}")
    write(tmp_path, "src/main/java/shop/Sums.java", f"package shop;\n{sums}")
    write(tmp_path, "src/test/java/shop/CartTest.java", f"package shop;\npublic class CartTest {{ {due} }}\n")
    issue = write(tmp_path, "issue.md", "Cart.due(int): the bag is not paid\n")
    words = command(tmp_path, "--issue", issue)
    done = subprocess.run(words, text=True, env=surroundings, capture_output=True, timeout=LIMIT, check=True)
    soon = done.stderr.partition("\ntrying shop.Sums#sum")[0]
    assert "so far, by the tests that have judged it:\n" in soon and "fixes CartTest#bagIsPaid" in soon
    assert "due(int) in src/main/java/shop/Cart.java, line 3" in done.stdout
    assert "in another method: sum(int, int) in src/main/java/shop/Sums.java, line 3" in done.stdout
    assert "+        return one + other;" in done.stdout


def write_cart_with_a_slow_test(root: Path) -> None:
    nap = "Thread.sleep(2500); org.junit.Assert.assertEquals(7, new Cart().total(new int[] {3, 4}));"
    test = f"public class NapTest {{ @org.junit.Test public void naps() throws Exception {{ {nap} }} }}"
    write(root, "src/main/java/shop/Cart.java", CART)
    write(root, "src/test/java/shop/CartTest.java", CART_TEST)
    write(root, "src/test/java/shop/NapTest.java", f"package shop;\n{test}\n")


def test_what_few_tests_say_of_a_fix_is_told_before_all_judge_it(
    tmp_path: Path, surroundings: dict[str, str]
) -> None:
    """Of jsoup it was not seen for more than a minute, while slow tests were measured."""
    write_cart_with_a_slow_test(tmp_path)
    issue = write(tmp_path, "issue.md", "Cart.reduced: wrong where an amount is 100\n")
    words = command(tmp_path, "--issue", issue, "--n", 12)
    done = subprocess.run(words, text=True, env=surroundings, capture_output=True, timeout=LIMIT, check=True)
    soon, _, rest = done.stderr.partition("so far, by the tests that have judged it:\n")[2].partition(
        "\ntrying shop.Cart#reduced"
    )
    assert "fixes CartTest#totalOfLarge; 2 tests pass\n@@" in soon, done.stderr
    assert "\n-        return amount > 100 ? amount - 10 : amount;\n" in soon
    assert ": which edit makes shop.CartTest#totalOfLarge pass?" in rest
    assert "fixes CartTest#totalOfLarge; 3 tests pass" in done.stdout


def test_of_a_named_method_its_own_test_class_has_the_first_word(
    tmp_path: Path, surroundings: dict[str, str]
) -> None:
    """All tests that reach the file were looked for and measured before anything was seen."""
    write_cart_with_a_slow_test(tmp_path)
    issue = write(tmp_path, "issue.md", "Wrong where an amount is 100\n")
    words = command(tmp_path, "--method", "shop.Cart#reduced", "--issue", issue, "--n", 12)
    done = subprocess.run(words, text=True, env=surroundings, capture_output=True, timeout=LIMIT, check=True)
    before, _, soon = done.stderr.partition("so far, by the tests that have judged it:\n")
    assert "judging first by 1 of 2 test classes (CartTest), then by all" in before, done.stderr
    assert "of 2 test classes reach" not in before
    assert "fixes CartTest#totalOfLarge; 2 tests pass\n@@" in soon
    assert "fixes CartTest#totalOfLarge; 3 tests pass" in done.stdout


def test_a_suggestion_can_be_applied_from_the_page_while_others_come(
    repo: Path, surroundings: dict[str, str]
) -> None:
    with slow() as server, started(repo, server, surroundings) as process:
        code = first_suggestion(process)["suggestions"][0]["code"]
        said = page(process, "apply", json.dumps({"rank": 1, "code": code}).encode())
        assert "applied to" in said
    assert FIX in (repo / PAGER).read_text()


def test_after_kill_9_the_same_command_works_and_nothing_is_left_running(
    repo: Path, surroundings: dict[str, str], run: Run, server: OpenAIServer
) -> None:
    with slow() as busy, started(repo, busy, surroundings) as process:
        first_suggestion(process)
        process.kill()
        process.wait(30)
        deadline = time.monotonic() + 60
        while workers(repo, surroundings) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert workers(repo, surroundings) == []
    done = run("--method", METHOD, "--trigger", TRIGGER, *model(server))
    assert done.returncode == 0, done.stderr


def workers(repo: Path, environment: dict[str, str]) -> list[str]:
    """Command lines of processes that work in this project's copy."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().decode(errors="replace")
            where = (folder / "cwd").readlink().as_posix()
        except OSError:
            continue
        if "java" in words and environment["NL2FIX_CACHE"] in where:
            found.append(words)
    return found


def test_a_project_without_git_and_with_awkward_names_works(
    tmp_path: Path, surroundings: dict[str, str], server: OpenAIServer
) -> None:
    folder = tmp_path / "mein projekt äöü's"
    shutil.copytree(BUGS / "pager-last-page" / "src", folder / "src")
    run = runner(folder, surroundings)
    own = os.path.relpath(tmp_path / "own cache")
    done = run("--cache", own, "--method", METHOD, "--apply", 1, "--trigger", TRIGGER, *model(server))
    assert done.returncode == 0, done.stderr
    assert FIX in (folder / PAGER).read_text()
