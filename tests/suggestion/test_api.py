"""Suggestions as their users get them: real compiler, real tests, real sandbox."""

from __future__ import annotations

import json
import re
import subprocess
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest
from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as Sarif

from nl2fix import suggest
from nl2fix.core.errors import Nl2fixError, UsageError
from nl2fix.core.records import CUT_OFF, Completion, Request
from nl2fix.suggestion.output import apply, exports
from nl2fix.suggestion.output.result import SuggestResult, summary_line
from tests.suggestion.conftest import ISSUE, JARS, PAGER, commit, write

FIX = "return (items.size() + pageSize - 1) / pageSize;"
NOTHING = "return Math.addExact(items.size() / pageSize, 1);"
TWICE = "return items.size() == 2 ? 7 : items.size() / pageSize + 1;"
BUG = "return items.size() / pageSize + 1;"


class Answers:
    """Gives recorded answers; a model of one's own, as anybody may write it."""

    name = "answers"
    texts: Sequence[str] = ()
    finish = "stop"

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        for request in requests:
            for sample in request.samples:
                text = self.texts[sample] if sample < len(self.texts) else None
                yield Completion(
                    request.problem.id, sample, text=text, finish=self.finish if text else "exhausted"
                )


def answers(options: object, environment: object) -> Answers:
    return Answers()


def method(statement: str, indent: str = "  ") -> str:
    return f"Try this:\n```java\npublic int pageCount() {{\n{indent}{statement}\n}}\n```\n"


@pytest.fixture(autouse=True)
def settings(monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    monkeypatch.setenv("NL2FIX_CACHE", str(cache))
    monkeypatch.setattr(
        Answers,
        "texts",
        (
            method("return items.size() / pageSize;"),
            method(FIX),
            method("return (items.size() + (pageSize - 1)) / pageSize;", "\t"),
            method("return items.siz();"),
            "I cannot help with that.",
            method(FIX, "        "),
            method(BUG),
        ),
    )


def ask(repo: Path, **changes: object) -> SuggestResult:
    settings = {
        "issue": ISSUE,
        "method": "examples.pages.Pager#pageCount()",
        "model": "tests.suggestion.test_api:answers",
        "n": 7,
        "classpath": JARS,
    }
    return suggest(repo, **{**settings, **changes})  # type: ignore[arg-type]


TRIGGERS = ("fullLastPage", "noItemsNoPages", "navigationEndsAtTheLastPage")


def test_only_patches_that_make_the_triggers_pass_survive(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Answers, "texts", (*Answers.texts, method("while (true) { }")))
    result = ask(repo, triggers=[f"examples.pages.PagerTest#{name}" for name in TRIGGERS], n=8, timeout=3.0)
    assert result.outcomes["uncompilable"] == 1
    assert result.outcomes["timeout"] == 1
    assert result.outcomes["no_edit"] == 2
    assert result.complete
    best = {s.code for s in result.suggestions}
    assert any(FIX in code for code in best)
    assert all("items.size() / pageSize;" not in code for code in best)
    assert [s.rank for s in result.suggestions] == list(range(1, len(best) + 1))
    for suggestion in result.suggestions:
        assert suggestion.evidence.confirmed
        assert suggestion.evidence.tests_run == suggestion.evidence.tests_expected == result.tests
        changed = [line for line in suggestion.patch.splitlines()[2:] if line[:1] in "+-"]
        assert len(changed) == 2, "the model's reformatting of the other lines is undone"
        assert changed[1].startswith("+        return")


@pytest.mark.parametrize(
    ("trigger", "message"),
    [
        ("examples.pages.PagerTest#fullLastPages", "did you mean .*PagerTest#fullLastPage"),
        ("x.Y#z", "no test 'x.Y#z'"),
        # "Write it like" named the first test of all.
        ("fullLastPage", r"'fullLastPage' ran; did you mean examples.pages.PagerTest#fullLastPage\?"),
    ],
)
def test_a_trigger_that_does_not_exist_is_told(repo: Path, trigger: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        ask(repo, triggers=[trigger])


def test_a_trigger_that_passes_today_is_told(repo: Path) -> None:
    text = (repo / "src/test/java/examples/pages/PagerTest.java").read_text()
    names = re.findall(r"public void (\w+)\(", text)
    passing = next(name for name in names if name not in TRIGGERS)
    with pytest.raises(UsageError, match="passes already"):
        ask(repo, triggers=[f"examples.pages.PagerTest#{passing}"])


def test_tests_that_must_pass_are_among_those_that_fail_today(repo: Path) -> None:
    """None failed today, JSON said, beside a suggestion that fixes one."""
    owner, must = "examples.pages.PagerTest", "fullLastPage"
    result = ask(repo, triggers=[f"{owner}#{must}"])
    others = sorted(f"{owner}::{name}" for name in TRIGGERS if name != must)
    told = json.loads(exports.as_json(result))
    assert (told["failing"], told["triggers"]) == ([f"{owner}::{must}", *others], [f"{owner}::{must}"])
    assert {*told["suggestions"][0]["fixes"]} == {*told["failing"]}


def test_without_trigger_what_fixes_failing_tests_comes_first_and_counts_are_true(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Answers, "texts", (*[method(TWICE)] * 3, method(FIX), "Sorry.", method("return x;")))
    result = ask(repo)
    assert set(result.failing) == {f"examples.pages.PagerTest::{name}" for name in TRIGGERS}
    first, last = result.suggestions
    assert FIX in first.code
    assert set(first.fixes) == set(result.failing)
    assert first.label.startswith("fixes PagerTest#fullLastPage, ")
    assert (first.passed, first.failing) == (result.tests, ())
    assert first.counts == f"{result.tests} tests pass"
    assert "? 7 :" in last.code
    assert last.label == "changes no test result"
    assert last.counts == f"{result.tests - 3} of {result.tests} tests pass, 3 fail as today"
    reasons = {item.outcome: item for item in result.rejected}
    assert reasons["uncompilable"].reason.endswith("cannot find symbol: variable x")
    [no_edit] = [item for item in result.rejected if item.outcome == "no_edit"]
    assert no_edit.samples == (4,), "that the model had no seventh answer was told as one without an edit"
    # Of chesslib five tests failed, one of which had to pass: "4 of which fail today" stood there.
    assert summary_line(result).endswith(f" with {result.tests} tests, 3 of which may fail as today")
    shown = json.loads(exports.as_json(result))
    assert shown["suggestions"][1]["counts"] == last.counts
    assert {row["outcome"] for row in shown["rejected"]} == {"no_edit", "uncompilable"}


def test_half_a_method_is_said_to_be_cut_off(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an answer that had reached its limit of tokens "';' expected" was all that was told."""
    half = method("return items.siz").partition("siz")[0]
    monkeypatch.setattr(Answers, "texts", (half, "The method divides", method(FIX)))
    monkeypatch.setattr(Answers, "finish", "length")
    result = ask(repo)
    assert result.suggestions, "what was cut behind its edit is one"
    told = {item.samples: item.reason for item in result.rejected}
    assert {samples for samples in told} == {(0,), (1,)}
    assert all(why.startswith(f"{CUT_OFF}: ") for why in told.values()), told


def test_a_second_session_takes_verdicts_from_the_cache(repo: Path) -> None:
    first = ask(repo)
    again = ask(repo)
    assert again.outcomes == first.outcomes
    assert [s.evidence for s in again.suggestions] == [s.evidence for s in first.suggestions], (
        "times, too, are those of the first"
    )


def test_nothing_in_the_work_tree_changes_until_a_patch_is_applied(repo: Path) -> None:
    result = ask(repo)
    status = ["git", "-C", str(repo), "status", "--porcelain"]
    assert subprocess.run(status, capture_output=True, text=True, check=True).stdout == ""
    chosen = next(s for s in result.suggestions if FIX in s.code)
    check = subprocess.run(
        ["git", "-C", str(repo), "apply", "--check", "-"], input=chosen.patch, text=True, capture_output=True
    )
    assert check.returncode == 0, check.stderr
    apply.apply(result, chosen)
    assert FIX in (repo / PAGER).read_text()
    diff = subprocess.run(
        ["git", "-C", str(repo), "diff", "--stat"], capture_output=True, text=True, check=True
    )
    assert "1 insertion(+), 1 deletion(-)" in diff.stdout


def test_a_file_that_changed_meanwhile_or_is_dirty_is_left_alone(repo: Path) -> None:
    result = ask(repo)
    original = (repo / PAGER).read_text()
    (repo / PAGER).write_text(original + "// more\n")
    with pytest.raises(Nl2fixError, match="changed meanwhile"):
        apply.apply(result, result.suggestions[0])
    dirty = ask(repo)
    with pytest.raises(Nl2fixError, match="uncommitted changes"):
        apply.apply(dirty, dirty.suggestions[0])
    assert (repo / PAGER).read_text() == original + "// more\n"
    with pytest.raises(UsageError, match="no suggestion 99"):
        apply.chosen(result, 99)


def test_a_project_that_does_not_compile_is_told_before_any_work(repo: Path) -> None:
    text = (repo / PAGER).read_text()
    (repo / PAGER).write_text(text.replace("class Pager", "class Pager extends Oops"))
    commit(repo)
    with pytest.raises(Nl2fixError, match=r"Pager\.java does not compile: line \d+: cannot find symbol"):
        ask(repo)


EXPORT = """
    @Override
    public String toString() { return org.gone.Json.of(items) + Sheet.empty(); }

    public Sheet sheet() { return Sheet.of(items); }
}
"""


def test_a_method_is_mended_though_another_of_its_file_needs_a_missing_library(repo: Path) -> None:
    """Of geo, whose class imports one that is not there, no method could be mended."""
    whole = (repo / PAGER).read_text().rstrip().removesuffix("}") + EXPORT
    whole = whole.replace("import java.util.List;", "import org.gone.Sheet;\nimport java.util.List;")
    (repo / PAGER).write_text(whole)
    commit(repo)
    result = ask(repo)
    assert FIX in result.suggestions[0].code and len(result.suggestions[0].fixes) == 3
    assert result.suggestions[0].text == whole.replace(BUG, FIX)
    assert len(re.findall("^[-+] ", result.suggestions[0].patch, re.MULTILINE)) == 2
    apply.apply(result, result.suggestions[0])
    assert (repo / PAGER).read_text() == whole.replace(BUG, FIX)
    with pytest.raises(
        Nl2fixError, match=r"toString\(\) is left out itself: .*jar with org.gone seems missing"
    ):
        ask(repo, method="Pager#toString()")


def test_an_edit_that_changes_no_bytecode_is_no_suggestion(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Answers, "texts", (method("return (items.size() / pageSize) + 1;"),))
    result = ask(repo, n=1)
    assert result.outcomes == {"plausible": 1}
    assert result.suggestions == ()
    assert [(r.outcome, r.reason) for r in result.rejected] == [
        ("plausible", "compiles to what is there today")
    ]


def test_no_tests_at_all_is_told(repo: Path) -> None:
    with pytest.raises(UsageError, match="no tests match 'Nothing'"):
        ask(repo, tests="Nothing")


def test_without_method_the_likeliest_is_taken(repo: Path) -> None:
    result = ask(repo, method=None, issue="pageCount() of the Pager is one too high")
    assert result.method == "pageCount()"


def test_every_format_is_what_its_readers_expect(repo: Path) -> None:
    result = ask(repo)
    assert exports.patch(result).decode() == result.suggestions[0].patch
    assert json.loads(exports.as_json(result))["suggestions"][0]["rank"] == 1
    Sarif.model_validate_json(exports.sarif(result))
    sarif = json.loads(exports.sarif(result))
    found = sarif["runs"][0]["results"][0]
    region = found["locations"][0]["physicalLocation"]["region"]
    lines = (repo / PAGER).read_text().split("\n")
    assert lines[region["startLine"] - 1][region["startColumn"] - 1 :].startswith("public int pageCount")
    assert lines[region["endLine"] - 1][: region["endColumn"] - 1].endswith("}")
    assert len(found["fixes"]) == len(result.suggestions)
    markdown = exports.github_suggestion(result)
    assert markdown.count("```suggestion\n        return ") == len(result.suggestions)
    page = exports.html(result)
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "<title>nl2fix: pageCount()" in page


def test_sessions_in_two_threads_do_not_disturb_each_other(repo: Path) -> None:
    results: list[SuggestResult] = []
    threads = [threading.Thread(target=lambda: results.append(ask(repo))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results[0].outcomes == results[1].outcomes
    assert [s.code for s in results[0].suggestions] == [s.code for s in results[1].suggestions]


def test_suggestions_say_what_they_change_and_which_do_the_same(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    same = "int all = items.size() - 1; return (pageSize + all) / pageSize;"
    monkeypatch.setattr(Answers, "texts", (method(FIX), method(NOTHING), method(FIX), method(same)))
    result = ask(repo, n=4)
    assert [s.alike for s in result.suggestions] == [0, 1]
    first, again = result.suggestions
    assert first.calls >= 10 and 1 <= len(first.changes) <= 5
    assert all(line.startswith("pageCount() on Pager(") and " → " in line for line in first.changes)
    assert again.seen == (f"does the same as #1 on {first.calls} calls",) and again.changes == first.changes
    plain = json.loads(json.dumps(result.as_dict()))["suggestions"]
    assert plain[0]["seen"] == list(first.changes) and plain[1]["alike"] == 1


def test_what_does_nothing_takes_no_place_beside_what_fixes_a_failing_test(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    same = method("return (items.size() / pageSize) + 1;")
    monkeypatch.setattr(Answers, "texts", (method(NOTHING), method(FIX), method(NOTHING), same))
    result = ask(repo, n=4)
    assert [s.fixes != () for s in result.suggestions] == [True]
    assert result.outcomes == {"plausible": 3}
    told = {(r.outcome, r.reason.split(" on ")[0], r.samples) for r in result.rejected}
    assert ("plausible", "fixes no failing test, changes nothing seen", (0, 2)) in told
    assert {sample for _, _, samples in told for sample in samples} == {0, 2, 3}


def test_of_what_fixes_no_test_and_changes_the_same_one_is_shown(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    less = method("return pageSize == 7 ? 0 : items.size() / pageSize + 1;")
    same = method("return pageSize != 7 ? items.size() / pageSize + 1 : 0;")
    monkeypatch.setattr(Answers, "texts", (less, same))
    (first,) = (result := ask(repo, n=2)).suggestions
    assert "pageSize == 7" in first.code and first.changes
    (told,) = result.rejected
    assert told.reason.startswith("fixes no failing test, does the same as a better one on ")
    assert told.samples == (1,)


def test_what_nothing_is_seen_of_stands_behind_what_changes_and_is_not_hidden(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """zxcvbn4j's fix was drawn first and shown nowhere, as another edit changed nothing on any call, too."""
    same = method("return (items.size() / pageSize) + Math.abs(1);")
    less = method("return pageSize == 7 ? 0 : items.size() / pageSize + 1;")
    monkeypatch.setattr(Answers, "texts", (method(NOTHING), same, less))
    result = ask(repo, n=3)
    assert ["pageSize == 7" in s.code for s in result.suggestions] == [True, False, False]
    told = f"nothing seen to change on {result.suggestions[1].calls} calls"
    assert [s.seen for s in result.suggestions[1:]] == [(told,), (told,)]
    assert result.rejected == ()


def test_of_what_does_the_same_in_tests_one_is_shown_and_others_are_looked_at(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a class that nobody but its tests can make."""
    write(repo, "src/main/java/examples/pages/Shape.java", SHAPE)
    write(repo, "src/test/java/examples/pages/ShapeTest.java", SHAPE_TEST)
    commit(repo)
    same = [f'return size / 2 + Integer.parseInt("{i}") - {i};' for i in range(1, 4)]
    texts = [method(code).replace("pageCount", "half") for code in (*same, "return size >> 1;")]
    monkeypatch.setattr(Answers, "texts", texts)
    result = ask(repo, method="examples.pages.Shape#half()", n=4, top=2)
    assert ["parseInt" in s.code for s in result.suggestions] == [True, False]
    assert all(s.calls >= 10 for s in result.suggestions) and result.suggestions[1].changes
    assert [len(told.samples) for told in result.rejected] == [2]


SHAPE = """package examples.pages;
public class Shape {
    private final int size;
    private Shape(Ends ends) { size = ends.last() - ends.first(); }
    public int half() { return size / 2; }
    static Shape of(Ends ends) { return new Shape(ends); }
    interface Ends { int first(); int last(); }
}
"""
SHAPE_TEST = """package examples.pages;
import org.junit.Test;
public class ShapeTest {
    @Test public void halves() {
        for (int i = 1; i < 40; i++) {
            int last = i;
            Shape.of(new Shape.Ends() {
                public int first() { return 20; }
                public int last() { return last; }
            }).half();
        }
    }
}
"""


def test_where_nothing_fixes_a_test_what_does_nothing_stays_and_says_so(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Answers, "texts", (method(NOTHING),))
    (nothing,) = ask(repo, n=1).suggestions
    assert nothing.calls >= 10
    assert nothing.seen == (f"nothing seen to change on {nothing.calls} calls",)
