"""Wiring of training: settings by name, and the prompts of evaluation."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nl2fix.core.config import Environment, read
from nl2fix.core.errors import UsageError
from nl2fix.core.registry import nearest
from nl2fix.edits.folder import data_file, read_pairs
from nl2fix.edits.training.settings import PRESETS, TrainingConfig
from nl2fix.edits.training.train import Lesson
from nl2fix.pipeline.registries import STRATEGIES
from nl2fix.prompting.strategy import TemplateStrategy


def training_config(preset: str, values: Mapping[str, Any]) -> TrainingConfig:
    """The settings of a preset under those given besides."""
    if preset not in PRESETS:
        raise UsageError(f"unknown preset {preset!r}{nearest(preset, PRESETS)}")
    config = read(TrainingConfig, {**PRESETS[preset], **values}, "the settings of training")
    for name in ("epochs", "learning_rate", "batch", "context", "per_device", "save_steps", "keep", "rank"):
        if getattr(config, name) <= 0:
            raise UsageError(f"{name} must be more than 0, not {getattr(config, name)}")
    return config


def lesson(dataset: Path, base: Path, config: TrainingConfig, environment: Environment) -> Lesson:
    """The pairs of a dataset, and the strategy that asks for them as evaluation does."""
    told = environment.having("asked", format=config.format)
    strategy = STRATEGIES.make(config.prompt, config.prompt_options, told)
    if not isinstance(strategy, TemplateStrategy):
        raise UsageError(f"prompt strategy {config.prompt!r} has no templates to learn answers from")
    with data_file(dataset).open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return Lesson(base, list(read_pairs(dataset)), digest, strategy)
