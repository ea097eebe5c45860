"""Rows of data files: the same ones from JSON lines, a JSON list and Parquet."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.errors import DataError
from nl2fix.core.tables import rows

ROWS = st.lists(st.dictionaries(st.text(min_size=1), st.text() | st.integers(), max_size=3), max_size=4)


@given(ROWS)
def test_lines_and_a_list_give_the_same_rows(
    tmp_path_factory: pytest.TempPathFactory, wanted: list[dict[str, str | int]]
) -> None:
    folder = tmp_path_factory.mktemp("rows")
    (folder / "a.jsonl").write_text("\n\n".join(map(json.dumps, wanted)))
    (folder / "b.json").write_text(json.dumps(wanted, indent=1))
    assert [row for _, row in rows(folder / "a.jsonl", "a file")] == wanted
    assert [row for _, row in rows(folder / "b.json", "a file")] == wanted


def test_parquet_gives_the_same_rows(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    wanted = [{"id": 1, "inner": {"code": "ä"}}, {"id": 2, "inner": {"code": ""}}]
    parquet.write_table(pyarrow.Table.from_pylist(wanted), tmp_path / "a.parquet")
    read = list(rows(tmp_path / "a.parquet", "a file"))
    assert [row for _, row in read] == wanted
    assert read[1][0].endswith("a.parquet, row 2")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.jsonl", b"{}\n{", "line 2: no JSON, damaged or cut off"),
        ("a.jsonl", b'{"a": "\xff"}', "line 1: no JSON"),
        ("a.jsonl", b"3", "line 1: no JSON object; is this a file of ours?"),
        ("a.json", b"[{}, null]", "entry 2: no JSON object"),
        ("a.json", b"[{}", "no JSON, damaged"),
        ("a.jsonl", b'{}\n{"a": 1, "b": {"c": 1, "c": 1}}', "line 2: key 'c' stands twice in one object"),
        ("a.jsonl", b"[" * 100_000, "no JSON, damaged"),
        ("a.jsonl", gzip.compress(b"{}", mtime=0), "packed by gzip; unpack it"),
        ("a.parquet", b"PAR1", "no Parquet, damaged"),
    ],
)
def test_what_is_damaged_is_named_in_one_line(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError) as error:
        list(rows(tmp_path / name, "a file of ours"))
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there_says_what_to_name(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="No such file or directory; name a file of ours"):
        list(rows(tmp_path / "none.jsonl", "a file of ours"))


def test_a_file_is_read_as_it_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"n": 1}\n{"n": 2}\nthis is damaged\n')
    read = rows(tmp_path / "a.jsonl", "a file")
    assert [next(read)[1]["n"], next(read)[1]["n"]] == [1, 2]
    with pytest.raises(DataError, match="line 3"):
        next(read)
