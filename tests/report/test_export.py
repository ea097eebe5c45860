"""JSON lines, Parquet and the folder for datasets hold the same rows, every sample one."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet_files
import pytest

from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.records import Candidate, Completion
from nl2fix.core.results import answers
from nl2fix.core.store import RunStore
from nl2fix.report import export, parquet
from tests.study import golden

DOCUMENT = Path(__file__).parents[2] / "docs" / "export.md"


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore(golden.write(tmp_path / "alpha", "alpha"), writable=True)


def rows(store: RunStore) -> list[dict[str, Any]]:
    return list(export.rows(store.manifest, answers(store, golden.Golden().problems())))


def test_every_sample_and_attempt_is_a_row(store: RunStore) -> None:
    found = rows(store)
    assert len(found) == 4 * 6 + 2 + 1
    assert [(r["problem"], r["sample"], r["attempt"]) for r in found[:4]] == [
        ("G-1", 0, 1),
        ("G-1", 1, 1),
        ("G-1", 2, 1),
        ("G-1", 2, 2),
    ]
    assert [r["verdict"] for r in found[:4]] == ["plausible", "plausible", "wrong", "plausible"]


def test_a_problem_that_is_left_out_has_a_row_that_says_why(store: RunStore) -> None:
    row = rows(store)[-1]
    assert (row["problem"], row["excluded"]) == ("G-5", "the reference fails its tests")
    assert (row["sample"], row["candidate"], row["verdict"]) == (None, None, None)
    assert row.keys() == rows(store)[0].keys()


def test_no_reference_and_no_test_source_is_exported(store: RunStore) -> None:
    with store._db:
        store._db.execute("DELETE FROM draws WHERE problem='G-2'")
        store._db.execute("DELETE FROM completions WHERE problem='G-2'")
    text = json.dumps(rows(store))
    assert golden.GOLDEN["candidates"]["G-2"]["F"][2] not in json.loads(text)
    assert "a > b" not in text


def test_json_lines_are_ascii_and_keep_lone_surrogates(store: RunStore) -> None:
    completion = Completion("G-1", 6, text="bad \ud800 ü")
    store.add_completion(completion)
    store.add_draw(completion, Candidate("x \ud800"), None)
    stream = io.StringIO()
    assert export.write_jsonl(stream, iter(rows(store))) == 28
    lines = stream.getvalue().splitlines()
    assert stream.getvalue().isascii()
    assert [json.loads(line) for line in lines] == rows(store)
    assert any(json.loads(line)["candidate"] == "x \ud800" for line in lines)


def test_parquet_holds_the_same_rows(store: RunStore, tmp_path: Path) -> None:
    file = tmp_path / "samples.parquet"
    assert parquet.write(file, iter(rows(store))) == 27
    table = parquet_files.read_table(file)
    assert table.to_pylist() == rows(store)
    assert table.schema.metadata[b"nl2fix_schema"] == b"2"


def test_parquet_replaces_what_it_cannot_hold(store: RunStore, tmp_path: Path) -> None:
    store.add_completion(Completion("G-1", 6, text="bad \ud800 ü"))
    parquet.write(tmp_path / "x", iter(rows(store)))
    texts = parquet_files.read_table(tmp_path / "x").column("completion").to_pylist()
    assert "bad \ufffd ü" in texts


def test_parquet_is_written_in_groups(store: RunStore, tmp_path: Path) -> None:
    row = rows(store)[0]
    assert parquet.write(tmp_path / "x", (dict(row, sample=i) for i in range(2_500))) == 2_500
    assert parquet_files.ParquetFile(tmp_path / "x").num_row_groups == 3


def test_the_dataset_folder_has_a_card_and_the_data(store: RunStore, tmp_path: Path) -> None:
    folder = tmp_path / "made" / "dataset"
    manifest = store.manifest
    assert parquet.write_dataset(folder, iter(rows(store)), manifest) == 27
    assert sorted(str(f.relative_to(folder)) for f in folder.rglob("*") if f.is_file()) == [
        "README.md",
        "data/samples.parquet",
    ]
    _, front, body = (folder / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    facts = dict(line.split(": ", 1) for line in front.splitlines())
    assert json.loads(facts["configs"])[0]["data_files"] == [{"split": "test", "path": "data/*.parquet"}]
    assert json.loads(facts["size_categories"]) == ["n<1K"]
    assert "27 rows" in body
    assert [item.name for item in folder.parent.iterdir()] == ["dataset"]


def test_the_card_tells_no_folder_and_no_temperature_of_an_unknown_recording(
    store: RunStore, tmp_path: Path
) -> None:
    model = {"name": "replay", "options": {"path": "/home/ada/answers.jsonl"}}
    settings = {**store.manifest["settings"], "model": model}
    parquet.write_dataset(tmp_path / "set", iter(rows(store)), {"settings": settings})
    card = (tmp_path / "set" / "README.md").read_text(encoding="utf-8")
    assert '"path": "answers.jsonl"' in card
    assert '"temperature": null' in card


def test_a_folder_in_use_is_left_alone(store: RunStore, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("x")
    with pytest.raises(UsageError, match="exists already"):
        parquet.write_dataset(tmp_path / "full", iter(rows(store)), store.manifest)
    assert [item.name for item in (tmp_path / "full").iterdir()] == ["mine"]


def test_a_failure_on_the_way_leaves_nothing(store: RunStore, tmp_path: Path) -> None:
    def broken() -> Any:
        yield rows(store)[0]
        raise DataError("the run is damaged")

    with pytest.raises(DataError):
        parquet.write_dataset(tmp_path / "new" / "set", broken(), store.manifest)
    assert list((tmp_path / "new").iterdir()) == []


def first_cells(text: str) -> list[str]:
    """Names in the first column of the tables in a text."""
    cells = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return [name.strip(" `") for cell in cells for name in cell.split(",")]


def test_the_document_names_every_column_in_order(store: RunStore) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    head = text[text.index("## Schema") : text.index("`evidence`:")]
    assert first_cells(head) == list(parquet.COLUMNS) == list(rows(store)[0])
    assert f"## Schema {export.SCHEMA_VERSION}\n" in text


def test_the_document_names_what_evidence_holds_in_order(store: RunStore) -> None:
    """Columns were said to come in its order, and in `evidence` they did not."""
    text = DOCUMENT.read_text(encoding="utf-8")
    named = first_cells(text[text.index("`evidence`:") :])
    assert named == list(parquet.EVIDENCE) == list(rows(store)[0]["evidence"])
