"""chrF2 (Popović 2015) by sacrebleu: F2 of character 1–6-grams, white space and comments left out."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from nl2fix.metrics.texts import Revision

if TYPE_CHECKING:
    from sacrebleu.metrics.chrf import CHRF


def chrf(revision: Revision) -> float | None:
    """chrF2 with effective order, best over references, 0 to 1; ``None`` when a side has no character."""
    references = [reference.code for reference in revision.references if reference.code.strip()]
    if not references or not revision.candidate.code.strip():
        return None
    score: float = _scorer().sentence_score(revision.candidate.code, references).score
    return score / 100


@lru_cache(maxsize=1)
def _scorer() -> CHRF:
    from sacrebleu.metrics.chrf import CHRF

    return CHRF()
