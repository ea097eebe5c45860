"""Templates: found, strict, hashed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.errors import UsageError
from nl2fix.core.resources import shared
from nl2fix.prompting.templates import Templates, fenced


@pytest.fixture
def own(tmp_path: Path) -> Path:
    (tmp_path / "zero_shot").mkdir()
    return tmp_path


def test_a_users_template_goes_before_the_shipped_one(own: Path) -> None:
    (own / "zero_shot" / "user.j2").write_text("{{ title }}!\n")
    templates = Templates(own)
    assert templates.render("zero_shot/user", {"title": "T"}) == "T!"
    assert "Java" in templates.render("zero_shot/system", {"language_title": "Java"})


def test_a_users_template_may_include_a_shipped_one(own: Path) -> None:
    (own / "zero_shot" / "user.j2").write_text('{% include "parts/issue.j2" %}\nEnd')
    text = Templates(own).render("zero_shot/user", {"title": "T", "description": ""})
    assert text == "Issue title: T\nEnd"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{ titel }}", "'titel' is undefined; known: description, title"),
        ("line\n{% if title %}", r"user\.j2:2: "),
        ("{{ title.nothing }}", "has no attribute 'nothing'"),
        ('{% include "none.j2" %}', r"none\.j2 is missing"),
        ("{{ 1 / 0 }}", r"user\.j2: ZeroDivisionError: division by zero"),
        ("{{ title + 1 }}", r"user\.j2: TypeError: can only concatenate"),
    ],
)
def test_a_wrong_template_is_one_clear_line(own: Path, text: str, message: str) -> None:
    (own / "zero_shot" / "user.j2").write_text(text)
    with pytest.raises(UsageError, match=message) as caught:
        Templates(own).render("zero_shot/user", {"title": "T", "description": "D"})
    assert str(own) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_prompt_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no folder"):
        Templates(tmp_path / "none")


def test_a_prompt_folder_of_which_nothing_is_used_is_refused(own: Path) -> None:
    """The shipped templates were sent, and the user's own taken for measured: ``zero_shots`` is misspelt."""
    (own / "zero_shots").mkdir()
    (own / "zero_shots" / "user.j2").write_text("{{ title }}")
    with pytest.raises(UsageError, match=r"has no template that is used \(\*\.j2 in zero_shot/, parts/\)"):
        Templates(own).check_used("zero_shot", "parts")
    Templates(own).check_used("parts", "zero_shots")
    Templates(None).check_used("zero_shot")


def test_text_of_an_issue_is_never_read_as_a_template() -> None:
    text = Templates(None).render("parts/issue", {"title": "{{ 7 * 7 }}", "description": "{% raw %}"})
    assert "{{ 7 * 7 }}" in text
    assert "{% raw %}" in text


def test_the_hash_changes_with_what_is_rendered_and_only_with_it(own: Path) -> None:
    shipped = Templates(None).sha256("zero_shot", "formats")
    assert Templates(own).sha256("zero_shot", "formats") == shipped
    (own / "zero_shot" / "user.j2").write_text("other")
    changed = Templates(own).sha256("zero_shot", "formats")
    assert changed != shipped
    (own / "one_shot").mkdir()
    (own / "one_shot" / "user.j2").write_text("other")
    assert Templates(own).sha256("zero_shot", "formats") == changed


@given(st.text("`a\n", max_size=40))
def test_a_fence_is_longer_than_any_in_the_code(code: str) -> None:
    first, *body, last = fenced(code, "java").split("\n")
    fence = first.removesuffix("java")
    assert last == fence
    assert set(fence) == {"`"}
    assert all(fence not in line for line in body)


def test_every_shipped_template_is_read_by_jinja() -> None:
    templates = Templates(None)
    names = [file.relative_to(shared("prompts")) for file in shared("prompts").rglob("*.j2")]
    assert len(names) > 20
    assert len(templates.sha256(*{name.parts[0] for name in names})) == 64
