"""Whether an edit takes the place of what the names in other files stood for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nl2fix.validation.jvm.classfile import Shown
from nl2fix.validation.jvm.meaning import taken_over

TEST = "package acme;\nimport java.util.*;\nclass CalcTest { Object one() { return Arrays.asList(1); } }\n"
PATH = "acme/CalcTest.java"


def shown(name: str) -> Shown:
    return Shown(name, ("java/lang/Object",), "Calc.java", frozenset(), frozenset())


CALC = shown("acme/Calc")


@pytest.mark.parametrize(
    ("added", "text", "taken"),
    [
        ("acme/Arrays", TEST, True),
        ("acme/Helper", TEST, False),
        ("other/Arrays", TEST, False),
        ("other/Arrays", TEST.replace("java.util.*", "other.*"), True),
        ("acme/Arrays", TEST.replace("java.util.*", "java.util.Arrays"), False),
        ("acme/Arrays", TEST.replace("Arrays.asList", "java.util.Arrays.asList"), False),
        ("acme/Calc$Arrays", TEST, False),
        ("acme/Calc$Arrays", TEST.replace("CalcTest {", "CalcTest extends Calc {"), True),
    ],
)
def test_an_added_class_may_not_take_a_name_over(added: str, text: str, taken: bool) -> None:
    told = taken_over([CALC], [CALC, shown(added)], {PATH: text}, {})
    assert bool(told) is taken
    if taken:
        assert told == f"the edit's {added.replace('/', '.')} would change what Arrays means in {PATH}"


def test_a_private_class_is_not_inherited() -> None:
    heir = TEST.replace("CalcTest {", "CalcTest extends Calc {")
    hidden = replace(shown("acme/Calc$Arrays"), private=True)
    assert taken_over([CALC], [CALC, hidden], {PATH: heir}, {}) == ""


def test_a_class_that_was_there_before_takes_nothing_over() -> None:
    there = [CALC, shown("acme/Arrays")]
    assert taken_over(there, there, {PATH: TEST}, {}) == ""
