"""Sampling settings of published studies, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from nl2fix.core.records import Sampling


@dataclass(frozen=True)
class Preset:
    """How many answers are drawn for each problem, and how."""

    n: int
    sampling: Sampling


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "nl2fix-0.2": Preset(100, Sampling(temperature=0.2, max_tokens=750)),
        "nl2fix-0.8": Preset(100, Sampling(temperature=0.8, max_tokens=750)),
        "canitedit": Preset(20, Sampling(temperature=0.2, top_p=0.95, max_tokens=2048)),
    }
)
"""``nl2fix-*``: the NL2Fix study (Fakhoury et al. 2023). ``canitedit``: CanItEdit (Cassano et al. 2023)."""
