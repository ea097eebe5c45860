from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.formats import FORMATS, DiffFunc, NoEdit, WholeFunc, edit_format
from nl2fix.core.protocols import EditFormat
from nl2fix.languages import language
from tests.core.formats.problems import JAVA_FILE, problem

EDITED = JAVA_FILE.replace("a - b", "a + b")
PATH = "src/shop/Shop.java"


def edited(edit_format: EditFormat, completion: str) -> str:
    one = problem()
    return edit_format.extract(completion, one, language("java")).apply(one)


def written(path: str = PATH, content: object = EDITED) -> dict[str, object]:
    return {"explanation": "adds", "files": [{"path": path, "content": content}]}


def replaced(old: object, new: object, path: str = PATH) -> dict[str, object]:
    return {"explanation": "adds", "edits": [{"path": path, "original_lines": old, "updated_lines": new}]}


def test_a_written_file_is_taken() -> None:
    assert edited(WholeFunc(), json.dumps(written())) == EDITED


def test_a_call_with_its_name_is_taken_with_arguments_as_object_or_text() -> None:
    for arguments in (written(), json.dumps(written())):
        assert edited(WholeFunc(), json.dumps({"name": "write_file", "arguments": arguments})) == EDITED


def test_a_fence_around_the_call_and_raw_line_breaks_are_forgiven() -> None:
    assert edited(WholeFunc(), f"```json\n{json.dumps(written())}\n```") == EDITED
    assert edited(WholeFunc(), json.dumps(written()).replace("\\n", "\n")) == EDITED


def test_of_several_files_the_edited_one_is_taken() -> None:
    call = written()
    call["files"] = [{"path": "Other.java", "content": "class Other { }"}, *written()["files"]]  # type: ignore[misc]
    assert edited(WholeFunc(), json.dumps(call)) == EDITED


@pytest.mark.parametrize(
    ("form", "call"),
    [(WholeFunc(), {"files": []}), (DiffFunc(), {"edits": []})],
    ids=lambda one: str(one)[:9],
)
def test_a_call_that_holds_nothing_is_no_code_in_either_format(
    form: EditFormat, call: dict[str, object]
) -> None:
    """One counted as an edit of another file."""
    with pytest.raises(NoEdit, match="the call holds no") as caught:
        edited(form, json.dumps({"explanation": "", **call}))
    assert caught.value.kind == "no_code"


@pytest.mark.parametrize("path", ["../../src/shop/Shop.java", "Other.java", "src/shop/ShopTest.java"])
def test_a_file_that_is_not_the_problems_is_not_taken_for_it(path: str) -> None:
    """The only file of a call overwrote the problem's, whatever its path."""
    for form, call in ((WholeFunc(), written(path)), (DiffFunc(), replaced(["a"], ["b"], path))):
        with pytest.raises(NoEdit) as caught:
            edited(form, json.dumps(call))
        assert caught.value.kind == "other_file"


def test_of_a_file_written_twice_the_last_that_changes_it_is_taken() -> None:
    files = [{"path": PATH, "content": text} for text in (EDITED.replace("total", "sum"), EDITED, JAVA_FILE)]
    assert edited(WholeFunc(), json.dumps({"files": files})) == EDITED


def test_a_call_without_original_lines_is_told_in_its_own_words() -> None:
    with pytest.raises(NoEdit, match="edit 1 of 1 has no original_lines"):
        edited(DiffFunc(), json.dumps(replaced([], ["x"])))


@pytest.mark.parametrize("lines", [["        return a - b;"], ["return a - b;\n"], "        return a - b;"])
def test_lines_are_replaced(lines: object) -> None:
    assert "        return a + b;\n" in edited(
        DiffFunc(), json.dumps(replaced(lines, ["        return a + b;"]))
    )


@pytest.mark.parametrize(
    ("edit_format", "completion", "reason"),
    [
        (WholeFunc(), "I did it.", "the call's arguments are no JSON"),
        (WholeFunc(), "[1]", "no JSON object"),
        (WholeFunc(), "{}", "no list of objects 'files'"),
        (WholeFunc(), json.dumps(written(content=None)), "no text 'content'"),
        (WholeFunc(), json.dumps({"name": "python", "arguments": {}}), "calls 'python'; only 'write_file'"),
        (WholeFunc(), json.dumps({"name": "write_file", "arguments": "{"}), "no JSON"),
        (WholeFunc(), json.dumps({"name": "write_file", "arguments": 3}), "no JSON object"),
        (DiffFunc(), json.dumps({"explanation": "", "edits": []}), "the call holds no edits"),
        (DiffFunc(), json.dumps(replaced(3, [])), "no list of lines 'original_lines'"),
        (DiffFunc(), json.dumps(replaced(["gone"], [])), "no line is 'gone'"),
        (DiffFunc(), json.dumps(replaced(["x"], [], "Other.java")), "edits Other.java, not"),
        (DiffFunc(), "[" * 100_000, "no JSON|nested too deeply"),
    ],
)
def test_malformed_calls_say_what_is_wrong(edit_format: EditFormat, completion: str, reason: str) -> None:
    with pytest.raises(NoEdit, match=reason):
        edited(edit_format, completion)


def test_tools_have_a_schema_that_their_own_calls_satisfy() -> None:
    for name, call in (("whole-func", written()), ("diff-func", replaced(["a"], ["b"]))):
        tool = edit_format(name).tool
        assert tool is not None
        offered = json.loads(tool.json)
        assert set(offered) == {"name", "description", "parameters"}
        schema = offered["parameters"]
        assert set(schema["required"]) == set(call)
        key = schema["required"][1]
        assert set(schema["properties"][key]["items"]["required"]) == set(call[key][0])  # type: ignore[index]


def test_formats_in_plain_text_offer_no_tool() -> None:
    texts = set(FORMATS.built_in) - {"whole-func", "diff-func"}
    assert {edit_format(name).tool for name in texts} == {None}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["path", "content", "files", "edits", "name", "arguments", "original_lines"]),
            inner,
        )
    ),
    max_leaves=8,
)


@given(json_values)
def test_nothing_but_no_edit_is_raised(value: object) -> None:
    for form in (WholeFunc(), DiffFunc()):
        try:
            edited(form, json.dumps(value))
        except NoEdit:
            continue
