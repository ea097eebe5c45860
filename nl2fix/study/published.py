"""Values that the papers and posts behind the study report, with their sources."""

from __future__ import annotations

from nl2fix.study.table import Published

_NL2FIX = "Fakhoury et al. 2023, arXiv:2304.03816, abstract"
_AIDER = "aider.chat/2023/07/02/benchmarks.html, “The 0613 models seem worse?”"
_EXCISION = "Gruzinov et al. 2025, arXiv:2510.21537, abstract"

OVERLAP = (Published("bugs with a plausible fix by any of the models (283 bugs)", "64.6 %", _NL2FIX),)

RANKINGS = (
    Published("best technique, top-1", "21.20 %", _NL2FIX),
    Published("best technique, top-5", "35.68 %", _NL2FIX),
)

FORMATS = (
    Published("gpt-3.5-turbo-0301, whole, first attempt (133 exercises)", "46 %", _AIDER),
    Published("June 2023 models of GPT-3.5, whole, first attempt", "39 %", _AIDER),
    Published("GPT-3.5 of February 2023, diff", "30 %", _AIDER),
    Published("June 2023 models of GPT-3.5, diff", "about 19 %", _AIDER),
)

CORRELATION = (
    Published("Excision Score above SARI in correlation, HumanEvalFix", "12 %", _EXCISION),
    Published("Excision Score above BLEU and its kind, HumanEvalFix", "over 21 %", _EXCISION),
    Published("Excision Score above SARI, more shared context", "20 %", _EXCISION),
    Published("Excision Score above BLEU and its kind, more shared context", "over 30 %", _EXCISION),
)
