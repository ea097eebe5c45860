"""Exported samples as Parquet and as a folder for Hugging Face ``datasets``; needs pyarrow.

Contract: the same rows and names as ``export``, with ``evidence`` as a struct. Rows are written in
groups as they come, so memory stays flat. Lone surrogates, which Parquet cannot hold, become U+FFFD.
"""

from __future__ import annotations

import itertools
import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nl2fix.core.errors import DataError, UsageError
from nl2fix.pipeline.origin import sampled, without_folders
from nl2fix.report.export import SCHEMA_VERSION

_GROUP = 1000
"""Rows written at once."""

_SURROGATES = re.compile("[\ud800-\udfff]")

EVIDENCE = {
    "stage": "string",
    "built": "bool",
    "tests_run": "int32",
    "tests_expected": "int32",
    "failing_test": "string",
    "message": "string",
    "build_sha256": "string",
    "build_seconds": "double",
    "test_seconds": "double",
    "confirmed": "bool",
    "suspicious": "string",
    "output": "string",
    "mended": "strings",
    "published": "bool",
}
COLUMNS = {
    "schema": "int32",
    "suite": "string",
    "model": "string",
    "strategy": "string",
    "format": "string",
    "temperature": "double",
    "seed": "int64",
    "problem": "string",
    "project": "string",
    "sample": "int32",
    "attempt": "int32",
    "candidate": "string",
    "candidate_sha256": "string",
    "scope": "string",
    "others": "string",
    "verdict": "string",
    "evidence": "struct",
    "excluded": "string",
    "completion": "string",
    "finish": "string",
    "logprob": "double",
    "prompt_tokens": "int64",
    "completion_tokens": "int64",
    "prompt_sha256": "string",
}
"""Names and Parquet types, in order; all but those of the run and the problem may be null."""


def write(file: Path, rows: Iterator[dict[str, Any]]) -> int:
    """Write one Parquet file; returns the number of rows."""
    arrow, writers = _pyarrow()
    fields = {name: _type(arrow, kind) for name, kind in COLUMNS.items()}
    schema = arrow.schema(list(fields.items()), metadata={"nl2fix_schema": str(SCHEMA_VERSION)})
    count = 0
    with writers.ParquetWriter(file, schema, compression="zstd") as writer:
        while group := [_clean(row) for row in itertools.islice(rows, _GROUP)]:
            writer.write_table(arrow.Table.from_pylist(group, schema=schema))
            count += len(group)
    return count


def write_dataset(folder: Path, rows: Iterator[dict[str, Any]], manifest: Mapping[str, Any]) -> int:
    """Write a folder that ``datasets.load_dataset(folder)`` reads; it must be new or empty."""
    _pyarrow()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} exists already; remove it or choose another --to")
    name = ""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        name = tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}.")
        made = Path(name)
        (made / "data").mkdir()
        count = write(made / "data" / "samples.parquet", rows)
        (made / "README.md").write_text(_card(manifest, count), encoding="utf-8")
        made.chmod(0o755)
        made.replace(folder)
    except OSError as error:
        raise DataError(f"cannot write {folder}: {error.strerror}") from error
    finally:
        if name:
            shutil.rmtree(name, ignore_errors=True)
    return count


def _card(manifest: Mapping[str, Any], count: int) -> str:
    """The dataset card: its front matter is YAML, of which JSON is a part."""
    settings, (model, *how) = without_folders(manifest["settings"]), sampled(manifest)
    settings["sampling"].update(zip(("temperature", "seed"), how, strict=True))
    suite = settings["suite"]["name"]
    sizes = (("n<1K", 1_000), ("1K<n<10K", 10_000), ("10K<n<100K", 100_000), ("100K<n<1M", 1_000_000))
    facts = {
        "pretty_name": f"nl2fix: {suite}, {model}",
        "tags": ["code", "program-repair", "nl2fix"],
        "size_categories": [next((name for name, top in sizes if count < top), "1M<n<10M")],
        "configs": [{"config_name": "default", "data_files": [{"split": "test", "path": "data/*.parquet"}]}],
    }
    front = "\n".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in facts.items())
    return f"""---
{front}
---

# {" ".join(f"nl2fix: {suite}, {model}".split())}

{count} rows of one run, one for each sample, duplicates and answers without an edit included, and one for
each problem that was left out.
Neither reference fixes nor tests are part of it. Export schema {SCHEMA_VERSION}.

Settings of the run:

```json
{json.dumps(settings, indent=1, sort_keys=True, default=str)}
```
"""


def _type(arrow: Any, kind: str) -> Any:
    if kind == "struct":
        return arrow.struct([(name, _type(arrow, inner)) for name, inner in EVIDENCE.items()])
    if kind == "strings":
        return arrow.list_(arrow.string())
    plain = {"string": arrow.string, "bool": arrow.bool_, "double": arrow.float64}
    return plain[kind]() if kind in plain else arrow.type_for_alias(kind)


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return _SURROGATES.sub("\ufffd", value)
    if isinstance(value, dict):
        return {key: _clean(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_clean(item) for item in value]
    return value


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UsageError("Parquet needs pyarrow; install it with: pip install 'nl2fix[parquet]'") from None
    return pyarrow, pyarrow.parquet
