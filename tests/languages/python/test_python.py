from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.languages.python import PYTHON
from nl2fix.languages.python.lexemes import DEDENT, INDENT, NEWLINE, UNEVEN

FILE = '''\
"""Module."""
import os

LIMIT = 3


@cache
def add(a, b):  # sums
    """Add # two."""
    return a - b


class Shop:
    rate = 1

    async def price(self, item):
        def inner(x):
            return x
        return inner(item)

    @property
    def total(self):
        return 1

    @total.setter
    def total(self, value):
        text = """
  kept
"""
        self.value = value
'''


def source(entity: str, text: str = FILE) -> str:
    span = PYTHON.locate(text, entity)
    assert span is not None
    return text[span.start : span.end]


def test_entities_are_qualified_names_numbered_where_they_repeat() -> None:
    assert list(PYTHON.entities(FILE)) == [
        "add",
        "Shop",
        "Shop.price",
        "Shop.price.inner",
        "Shop.total#1",
        "Shop.total#2",
    ]
    for name, span in PYTHON.entities(FILE).items():
        assert PYTHON.locate(FILE, name) == span


def test_a_region_holds_decorators_and_docstring() -> None:
    assert source("add").startswith("@cache\ndef add(a, b):") and source("add").endswith("return a - b")
    assert source("Shop.price").startswith("async def")


@pytest.mark.parametrize("entity", ["Shop.total", "gone", "total", "Shop.gone", "", "add#2"])
def test_a_lookup_that_fits_none_or_several_finds_nothing(entity: str) -> None:
    assert PYTHON.locate(FILE, entity) is None


def test_a_bare_name_that_occurs_once_is_found() -> None:
    assert PYTHON.locate(FILE, "inner") == PYTHON.locate(FILE, "Shop.price.inner")
    assert PYTHON.locate(FILE, "add(a, b)") == PYTHON.locate(FILE, "add")


def test_spans_count_characters() -> None:
    assert source("größe", 's = "𝄞€"\ndef größe():\n    return 1\n') == "def größe():\n    return 1"


def test_signatures_end_with_the_colon() -> None:
    assert PYTHON.signature(FILE, "Shop.price") == "async def price(self, item):"
    assert PYTHON.signature("def f(a: int = {1: 2}[1]) -> int:\n    return 1", "f") == (
        "def f(a: int = {1: 2}[1]) -> int:"
    )


def test_the_innermost_unit_of_a_line() -> None:
    unit = PYTHON.unit_at_line(FILE, FILE[: FILE.index("return x")].count("\n") + 1)
    assert unit is not None and unit.path == "Shop.price.inner"


# -- tokens and comments ----------------------------------------------------------------------------


def test_layout_is_part_of_the_tokens() -> None:
    assert PYTHON.tokens("if a:\n    b\nc\n") == ["if", "a", ":", NEWLINE, INDENT, "b", NEWLINE, DEDENT, "c"]
    assert PYTHON.tokens("if a:\n  b\n  c") != PYTHON.tokens("if a:\n  b\nc")
    assert UNEVEN in PYTHON.tokens("if a:\n    b\n  c")


def test_width_of_indentation_blank_lines_and_comments_do_not_count() -> None:
    assert PYTHON.tokens("if a:\n\n  # x\n  b  # y\n") == PYTHON.tokens("if a:\n        b")


def test_lines_inside_brackets_and_joined_lines_are_one() -> None:
    assert NEWLINE not in PYTHON.tokens("f(a,\n  b)") + PYTHON.tokens("a = \\\n  b")


def test_strings_of_every_kind_are_one_token() -> None:
    for string in (
        "'a # b'",
        'rb"\\x"',
        "'''a\n'b''c'''",
        '""',
        "''",
        'f"{x!r:>{n}}"',
        "f\"{d['#']}\"",
        'f"{x["a"]}"',
    ):
        assert PYTHON.tokens(f"x = {string} # c") == ["x", "=", string]


@pytest.mark.parametrize("code", ["'open", '"""open\n', "f'{open", "\\", "(((", "\x00", "?", 'f"{x['])
def test_malformed_code_has_tokens(code: str) -> None:
    assert PYTHON.tokens(code)


def test_comments_go_docstrings_stay_and_the_program_is_the_same() -> None:
    stripped = PYTHON.strip_comments(FILE.replace("import os", "#!x\nimport os  # noqa"))
    assert ast.dump(ast.parse(stripped)) == ast.dump(ast.parse(FILE))
    assert "# sums" not in stripped and "# two" in stripped and "#!x" not in stripped


@given(st.text(alphabet="ab1 \n\t'\"#\\(){}:=f,", max_size=60))
def test_tokens_and_comment_removal_never_fail_and_agree(code: str) -> None:
    stripped = PYTHON.strip_comments(code)
    assert PYTHON.tokens(stripped) == PYTHON.tokens(code)


def test_syntax_errors_are_told_with_their_line() -> None:
    assert PYTHON.syntax_error(FILE) is None
    assert (PYTHON.syntax_error("x = 1\ndef f(:\n    pass\n") or "").startswith("line 2")


def test_names_leave_keywords_out() -> None:
    assert PYTHON.identifiers("return a.b(None, 'c', d)") == ["a", "b", "d"]


# -- extraction -------------------------------------------------------------------------------------

FIXED = "@cache\ndef add(a, b):\n    return a + b"


@pytest.mark.parametrize(
    "answer",
    [
        FIXED,
        "    " + FIXED.replace("\n", "\n    "),
        FILE.replace("a - b", "a + b"),
        f"Here is the code:\n{FIXED}\nIt's fine now.",
        f"def add(a, b):\n    return 0\n\n{FIXED}\n",
    ],
)
def test_the_function_is_found_in_all_that_models_write(answer: str) -> None:
    code = PYTHON.extract(answer, "add", FILE)
    assert code is not None and code.endswith("return a + b") and code.startswith("@cache")


def test_a_method_is_indented_to_stand_in_its_class_and_strings_stay() -> None:
    answer = 'def price(self, item):\n    text = """\nat margin\n"""\n    return 2'
    assert PYTHON.extract(answer, "Shop.price", FILE) == (
        'def price(self, item):\n        text = """\nat margin\n"""\n        return 2'
    )
    whole = "class Shop:\n  async def price(self, item):\n    return 3\n"
    assert PYTHON.extract(whole, "Shop.price", FILE) == "async def price(self, item):\n      return 3"


def test_new_helpers_come_along_and_known_ones_do_not() -> None:
    answer = "LIMIT = 4\nOTHER = 5\n" + FIXED + "\n\ndef help():\n    return OTHER\n"
    assert (
        PYTHON.extract(answer, "add", FILE) == "OTHER = 5\n\n" + FIXED + "\n\ndef help():\n    return OTHER"
    )


@pytest.mark.parametrize("answer", ["", "I cannot.", "def other():\n    pass", "add(1, 2)"])
def test_nothing_is_made_up(answer: str) -> None:
    assert PYTHON.extract(answer, "add", FILE) is None


def test_imports_that_are_used_and_missing_are_adopted() -> None:
    text = FILE.replace("a - b", "math.fsum([a, b])")
    assert "import os\nimport math\n" in PYTHON.adopt_imports(text, "import math\nimport sys\n" + FIXED)
    assert PYTHON.adopt_imports(FILE, "import math\n" + FIXED) == FILE
    assert PYTHON.adopt_imports("x = ceil(1)\n", "from math import floor, ceil\n").startswith(
        "from math import"
    )


@given(st.text(alphabet="def ad(,b):\n\t return'\"#@", max_size=60))
def test_extraction_never_fails(noise: str) -> None:
    PYTHON.extract(noise + "\n" + FIXED, "add", FILE)
    PYTHON.extract(noise, "add", FILE)
