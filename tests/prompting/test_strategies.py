"""What each strategy shows a model, and what it never shows."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import UsageError
from nl2fix.core.formats import Diff, DiffFunc, Method, Whole, WholeFunc
from nl2fix.core.protocols import EditFormat, PromptStrategy
from nl2fix.core.records import Problem, Prompt, Span
from nl2fix.languages import language
from nl2fix.prompting import strategies
from nl2fix.prompting.presets import PRESETS
from tests.prompting.suite import SmallSuite, problem

FIXED = "int f(int a) {\n        return a - 1; // HIDDEN\n    }"
PAIRS = {
    "A-1": ("int f(int a) {\n        return a + 1;\n    }", FIXED),
    "A-2": ("int f(int a) {\n        return a + 20;\n    }", "int f(int a) {\n        return a * 20;\n    }"),
    "A-3": ("int f(int a) {\n        return a + 3000;\n    }", "int f(int a) {\n        return 3000;\n    }"),
}
SUITE = SmallSuite(PAIRS)
ENVIRONMENT = Environment(Path(os.devnull)).having("asked", suite=SUITE)
FORMATS: Mapping[str, type[EditFormat]] = {
    "method": Method,
    "whole": Whole,
    "diff": Diff,
    "whole-func": WholeFunc,
    "diff-func": DiffFunc,
}
ALL: dict[str, dict[str, Any]] = {
    "issue_title": {},
    "zero_shot": {},
    "one_shot": {},
    "few_shot": {"k": 2},
    "reasoning_extraction": {},
    "canitedit": {},
}


def render(strategy: str, ident: str = "A-1", **options: Any) -> Prompt:
    made: PromptStrategy = getattr(strategies, strategy)(options, ENVIRONMENT)
    return made.render(next(p for p in SUITE.problems() if p.id == ident))


def whole(prompt: Prompt) -> str:
    return "\n".join([*(m.content for m in prompt.messages), *prompt.followups])


@pytest.mark.parametrize("strategy", ALL)
@pytest.mark.parametrize("form", FORMATS)
def test_no_prompt_shows_the_reference_or_comments_of_the_method(strategy: str, form: str) -> None:
    prompt = render(strategy, format=form, **ALL[strategy])
    assert "HIDDEN" not in whole(prompt)
    assert "return a - 1" not in whole(prompt)
    assert "SECRET" not in whole(prompt)
    assert "return a + 1;" in whole(prompt)


@pytest.mark.parametrize("strategy", [name for name in ALL if name != "issue_title"])
def test_title_and_description_are_shown(strategy: str) -> None:
    text = whole(render(strategy, **ALL[strategy]))
    assert "Title of A-1" in text
    assert "Description of A-1." in text


def test_issue_title_shows_the_title_alone() -> None:
    text = whole(render("issue_title"))
    assert "Title of A-1" in text
    assert "Description" not in text


def test_roles_of_zero_shot() -> None:
    assert [m.role for m in render("zero_shot").messages] == ["system", "user"]


def test_one_shot_shows_the_nearest_as_question_and_answer() -> None:
    prompt = render("one_shot")
    assert [m.role for m in prompt.messages] == ["system", "user", "assistant", "user"]
    assert "Title of A-2" in prompt.messages[1].content
    assert "return a * 20;" in prompt.messages[2].content
    assert prompt.notes["examples"] == "A-2"


def test_few_shot_shows_the_nearest_last() -> None:
    prompt = render("few_shot", k=2)
    assert [m.role for m in prompt.messages] == ["system", *["user", "assistant"] * 2, "user"]
    assert "Title of A-3" in prompt.messages[1].content
    assert "Title of A-2" in prompt.messages[3].content


@pytest.mark.parametrize("form", FORMATS)
def test_the_answer_of_an_example_is_one_its_format_reads(form: str) -> None:
    prompt = render("one_shot", format=form)
    example = next(p for p in SUITE.problems() if p.id == "A-2")
    candidate = FORMATS[form]().extract(prompt.messages[2].content, example, language("java"))
    assert "return a * 20;" in candidate.apply(example)


@pytest.mark.parametrize("form", ["whole-func", "diff-func"])
def test_function_formats_offer_their_function(form: str) -> None:
    (tool,) = render("zero_shot", format=form).tools
    assert json.loads(tool)["name"] in whole(render("zero_shot", format=form))
    assert not render("zero_shot").tools


def test_whole_file_formats_show_the_file() -> None:
    text = whole(render("zero_shot", format="whole"))
    assert "class A {" in text
    assert "Kept: outside the method." in text
    assert "class A {" not in whole(render("zero_shot"))


def test_reasoning_takes_three_turns() -> None:
    prompt = render("reasoning_extraction")
    assert len(prompt.followups) == 2
    assert "fenced code block" in prompt.followups[-1]
    assert not prompt.share_turns
    assert render("reasoning_extraction", share_reasoning=True).share_turns


@pytest.mark.parametrize("strategy", ["issue_title", "zero_shot", "one_shot", "few_shot"])
def test_completion_shape_ends_with_the_signature(strategy: str) -> None:
    prompt = render(strategy, shape="completion", **ALL[strategy])
    (message,) = prompt.messages
    assert message.content.endswith("```java\nint f(int a) {")
    assert prompt.prefix == "int f(int a) {"
    assert prompt.stop == ("```",)
    assert ("return a * 20;" in message.content) == ("shot" in strategy and strategy != "zero_shot")


@pytest.mark.parametrize(
    ("spoken", "head"),
    [
        ("cpp", "boost::any f(boost::any a){"),
        ("rust", "fn f<'a>(a:&'a str, b:&'a str) -> bool {"),
        ("go", "func f(a []int) interface{} {"),
        ("java", '@SuppressWarnings({"a", "{"}) <T> int f(int a)\n    throws E\n{'),
        ("python", "def f(a: int, b=lambda x: x) -> dict[str, int]:"),
    ],
)
def test_the_signature_is_the_head_of_the_unit_in_its_language(spoken: str, head: str) -> None:
    """Brackets, colons and quotes in a head do not end it."""
    code = f"{head}\n    return a\n" if spoken == "python" else f"{head}\n    return a;\n}}"
    before, after = ("class A {\n", "\n}\n") if spoken == "java" else ("", "\n")
    entity = "f(int)" if spoken == "java" else "f"
    region = Span(len(before), len(before) + len(code))
    unit = Problem("A", "s", "p", spoken, "a", before + code + after, region, entity, code, {"title": "t"})
    prompt = strategies.zero_shot({"shape": "completion"}, ENVIRONMENT).render(unit)
    assert prompt.prefix == head


def test_a_completion_put_after_its_prefix_is_a_method() -> None:
    prompt = render("zero_shot", shape="completion")
    first = SUITE.problems()[0]
    candidate = Method().extract(prompt.prefix + "\n        return 7;\n    }\n", first, language("java"))
    assert "return 7;" in candidate.code


@pytest.mark.parametrize("strategy", ["issue_title", "zero_shot", "one_shot", "few_shot"])
def test_edit_shape_is_code_and_instruction(strategy: str) -> None:
    code, instruction = render(strategy, shape="edit", **ALL[strategy]).messages
    assert code.content == PAIRS["A-1"][0]
    assert "Title of A-1" in instruction.content


@pytest.mark.parametrize(
    ("strategy", "options", "message"),
    [
        ("reasoning_extraction", {"shape": "completion"}, "has no shape 'completion'"),
        ("zero_shot", {"shape": "completion", "format": "diff"}, "cannot ask for format 'diff'"),
        ("zero_shot", {"shap": "chat"}, "did you mean 'shape'"),
        ("zero_shot", {"format": "mehtod"}, "unknown edit format 'mehtod'; did you mean 'method'"),
        ("few_shot", {"k": 0}, "at least 1"),
        ("canitedit", {"shape": "chat"}, "choose a variant"),
        ("zero_shot", {"instruction": "lazy"}, "A-1 has no instruction 'lazy'; it has: description, title"),
    ],
)
def test_wrong_options_are_told_in_one_line(strategy: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        render(strategy, **options)


def test_other_kinds_of_instruction() -> None:
    made = strategies.zero_shot({"instruction": "lazy"}, ENVIRONMENT)
    text = whole(made.render(problem("B-1", instructions={"title": "T", "lazy": "make it work"})))
    assert "make it work" in text
    only = strategies.zero_shot({}, ENVIRONMENT).render(problem("B-1", instructions={"linter": "E501"}))
    assert "E501" in whole(only)


# -- CanItEdit ------------------------------------------------------------------------------------


def test_canitedit_chat_has_system_prompt_and_worked_example() -> None:
    prompt = render("canitedit", variant="chat")
    assert [m.role for m in prompt.messages] == ["system", "user", "assistant", "user"]
    assert prompt.messages[-1].content.startswith("## Code Before\n```java\n")
    assert prompt.messages[-1].content.endswith("## Code After")


def test_canitedit_example_speaks_the_problems_language() -> None:
    made = strategies.canitedit({}, ENVIRONMENT)
    python = made.render(problem("P-1", "def f(a):\n    return a", language="python"))
    assert "def largest" in python.messages[1].content
    assert "int largest" in render("canitedit").messages[1].content


def test_canitedit_plain_chat_is_one_user_message() -> None:
    assert [m.role for m in render("canitedit", variant="chat_plain").messages] == ["user"]


def test_canitedit_commit_and_code_shapes() -> None:
    before, issue = PAIRS["A-1"][0], "Title of A-1\n\nDescription of A-1."
    commit = render("canitedit", variant="commit")
    assert commit.messages[0].content == f"<commit_before>{before}<commit_msg>{issue}<commit_after>"
    code = render("canitedit", variant="code")
    assert code.messages[0].content == (
        f"## Code Before:\n{before}\n## Instruction:\n{issue}\n## Code After:\n"
    )
    assert "## Instruction:" in code.stop
    assert (commit.shape, commit.prefix) == ("completion", "")


# -- context --------------------------------------------------------------------------------------


def test_a_small_context_drops_the_example_and_says_so() -> None:
    size = int(render("zero_shot").notes["tokens"])
    prompt = render("one_shot", context=size + 760, answer_tokens=750)
    assert prompt.notes["cut"] == "example A-2"
    assert "examples" not in prompt.notes
    assert [m.role for m in prompt.messages] == ["system", "user"]


def test_a_context_that_answers_alone_would_fill_is_refused() -> None:
    with pytest.raises(UsageError, match="prompt.context 8192 leaves no room beside answers of 16384 tokens"):
        render("zero_shot", context=8192)


def test_a_prompt_that_cannot_fit_is_marked() -> None:
    assert render("zero_shot", context=800, answer_tokens=750).overlong


def test_tokens_are_counted_with_a_models_own_tokenizer(tmp_path: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    made.save(str(tmp_path / "tokenizer.json"))
    prompt = render("zero_shot", tokenizer=str(tmp_path))
    assert prompt.notes["counted_by"] == str(tmp_path)
    assert prompt.notes["tokens"] != render("zero_shot").notes["tokens"]


def test_a_tokenizer_that_is_not_there_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(UsageError, match="tokenizer"):
        render("zero_shot", tokenizer=str(tmp_path / "tokenizer.json"))


# -- origin ---------------------------------------------------------------------------------------


def test_a_users_template_changes_prompt_and_hash(tmp_path: Path) -> None:
    (tmp_path / "zero_shot").mkdir()
    (tmp_path / "zero_shot" / "user.j2").write_text("{{ title }} / {{ project }} / {{ instructions.title }}")
    made = strategies.zero_shot({"dir": tmp_path}, ENVIRONMENT)
    prompt = made.render(SUITE.problems()[0])
    assert prompt.messages[-1].content == "Title of A-1 / A / Title of A-1"
    assert prompt.template_sha256 != render("zero_shot").template_sha256


def test_equal_settings_give_equal_prompts() -> None:
    assert render("one_shot") == render("one_shot")
    assert render("one_shot").sha256 == render("one_shot").sha256
    assert render("one_shot").sha256 != render("one_shot", "A-2").sha256


def test_presets_of_the_study() -> None:
    assert {
        (p.n, p.sampling.temperature, p.sampling.max_tokens) for n, p in PRESETS.items() if "nl2fix" in n
    } == {
        (100, 0.2, 750),
        (100, 0.8, 750),
    }


def test_a_skeleton_of_the_file_is_shown_on_demand() -> None:
    with_skeleton = render("zero_shot", surroundings="skeleton").messages[-1].content
    assert "without bodies" in with_skeleton and "{ ... }" in with_skeleton
    assert "without bodies" not in render("zero_shot").messages[-1].content


def test_the_whole_file_can_be_shown_for_an_answer_of_the_method() -> None:
    shown = render("zero_shot", surroundings="file").messages[-1].content
    assert shown.startswith("Issue") and "The file `" in shown and "Answer with all of the fixed" in shown


def test_a_folder_that_only_says_how_the_method_is_asked_for_is_used(tmp_path: Path) -> None:
    """``suggest --prompt-dir`` refused one in which nothing but ``which_method/user.j2`` lay."""
    (tmp_path / "which_method").mkdir()
    (tmp_path / "which_method" / "user.j2").write_text("Which of them?")
    assert strategies.zero_shot({"dir": tmp_path}, ENVIRONMENT).name == "zero_shot"
