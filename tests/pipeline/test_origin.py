"""Where the records of a run come from: who gave its answers."""

from __future__ import annotations

import json
from pathlib import Path

from nl2fix.pipeline.origin import Sampled, manifest, sampled, without_folders
from nl2fix.pipeline.settings import parse


def test_a_recording_has_the_name_of_the_model_that_was_recorded(tmp_path: Path) -> None:
    told = {"problem": "A", "completion": "x", "model": "openai:gpt-4", "temperature": 0.2, "seed": 3}
    (tmp_path / "told.jsonl").write_text(json.dumps(told) + "\n")
    (tmp_path / "plain.jsonl").write_text('{"problem": "A", "completion": "x"}\n')

    def named(text: str) -> Sampled:
        run, _ = parse({"model": text})
        stored = json.loads(json.dumps(manifest(run), default=str))
        return sampled(stored)

    assert named(f"replay:{tmp_path}/told.jsonl") == Sampled("openai:gpt-4", 0.2, 3)
    assert named(f"replay:{tmp_path}/plain.jsonl") == Sampled("replay:plain", None, None)
    chosen = f"replay:{tmp_path}/plain.jsonl,name=DeepSeek 33b,temperature=0.8"
    assert named(chosen) == Sampled("DeepSeek 33b", 0.8, None)
    assert named("mutation").model == "mutation"


def test_a_run_that_notes_nothing_is_named_by_its_settings() -> None:
    model = {"name": "replay", "options": {"path": "/gone/gpt4.jsonl"}}
    stored = {"settings": {"model": model, "sampling": {"temperature": 0.8, "seed": 0}}}
    assert sampled(stored) == Sampled("replay:gpt4", None, None)


def test_settings_that_are_shown_name_files_and_not_the_folders_of_a_machine() -> None:
    settings = {
        "data": "/home/ada/secret/pack.jsonl",
        "all": ["/opt/d4j/", "a/b"],
        "url": "http://a/v1",
        "n": 3,
    }
    shown = without_folders(settings)
    assert shown == {"data": "pack.jsonl", "all": ["d4j", "a/b"], "url": "http://a/v1", "n": 3}
    assert without_folders("/") == "/"
    assert without_folders({"options": {"data": "../data/pack.jsonl"}}) == {"options": {"data": "pack.jsonl"}}
