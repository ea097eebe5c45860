"""No answer, however made, makes a reader crash: an edit comes out, or the reason why there is none."""

from __future__ import annotations

from fuzz_formats import FILES, PIECES, problem, read
from hypothesis import given, settings
from hypothesis import strategies as st

from nl2fix.core.formats import FORMATS, edit_format
from nl2fix.languages import language
from nl2fix.languages.syntax import Patience

ANSWERS = st.lists(st.sampled_from(PIECES) | st.text(max_size=20), max_size=60).map("".join)
FORMS = st.sampled_from(FORMATS.built_in).map(edit_format)
PROBLEMS = st.sampled_from(sorted(FILES)).map(problem)


@settings(max_examples=400, deadline=None)
@given(ANSWERS, FORMS, PROBLEMS)
def test_every_answer_is_read_or_refused(text: str, form: object, one: object) -> None:
    kind, _ = read(form, text, one)  # type: ignore[arg-type]
    assert kind


def test_a_heap_of_broken_code_is_not_parsed_again_and_again() -> None:
    """A fragment has patience for one reading of real code of its length, and 50 steps besides."""
    broken = 'if (a > b) { "name" ( @@ \n' * 400
    parser = language("cpp").parser  # type: ignore[attr-defined]
    patience = Patience(parser, broken)
    readings = 0
    while not patience.gone:
        patience.parse(broken)
        readings += 1
        assert readings < 4
    real = "int add(int a, int b) {\n    return a + b;\n}\n" * 400
    patience = Patience(parser, real)
    assert patience.parse(real) is not None
