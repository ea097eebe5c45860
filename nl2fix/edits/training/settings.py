"""Settings of training, and those of published models by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal


@dataclass(frozen=True)
class TrainingConfig:
    """How a model is trained; the defaults are those of preset ``small``."""

    method: Literal["full", "lora", "qlora"] = "lora"
    """Train all weights, a low-rank adapter, or one on a base model in 4 bits (bitsandbytes, a GPU)."""
    rank: int = 16
    alpha: int = 32
    dropout: float = 0.05
    """Of the adapter, which is put on every linear layer."""
    prompt: str = "zero_shot"
    """Prompt strategy, as in evaluation."""
    prompt_options: Mapping[str, Any] = field(default_factory=dict)
    format: str = "method"
    """Edit format of the answers, as in evaluation."""
    epochs: float = 3
    learning_rate: float = 2e-4
    schedule: str = "linear"
    warmup_steps: int = 10
    batch: int = 8
    """Sequences a step, over all devices."""
    context: int = 2048
    """Longest sequence in tokens; a longer pair is left out."""
    loss: Literal["all", "answer"] = "answer"
    """What the loss counts: prompt and answer, as the paper does, or the answer alone."""
    packing: bool = False
    """Put pairs into sequences of up to ``context`` tokens, none sees another; ``batch`` counts those."""
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto"
    """What is computed in: ``auto`` is bfloat16 on a GPU that has it, else float32. Method ``full`` holds
    weights in float32, as small steps are lost otherwise, but for ``bfloat16``, which takes less memory."""
    seed: int = 0
    per_device: int = 1
    """Sequences on a device at once; the rest of a batch is accumulated. Changes no result, only memory."""
    checkpointing: bool = False
    """Recompute activations instead of keeping them: slower, less memory."""
    save_steps: int = 100
    keep: int = 2
    """Checkpoints kept."""
    device: Literal["auto", "cpu"] = "auto"
    deepspeed: Path | None = None
    """A DeepSpeed configuration, passed on."""
    fsdp: str = ""
    """PyTorch's FSDP, passed on, e.g. ``full_shard auto_wrap``."""

    def identity(self) -> dict[str, Any]:
        """What a training must share to be continued: all but where and with how much memory it is done."""
        return {key: value for key, value in asdict(self).items() if key not in _HOW}


_HOW = frozenset({"per_device", "checkpointing", "save_steps", "keep", "device", "deepspeed", "fsdp"})
PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "editcoder": {
            "method": "full",
            "prompt": "canitedit",
            "prompt_options": {"variant": "code"},
            "format": "whole",
            "epochs": 8,
            "learning_rate": 2e-5,
            "warmup_steps": 10,
            "batch": 32,
            "context": 4096,
            "loss": "all",
        },
        "small": {},
    }
)
"""``editcoder``: DeepSeek-Coder-Base 6.7b on EditPackFT (Cassano et al. 2023). ``small``: one modest GPU."""
