"""Hostile candidates: each defines ``answer`` wrongly, and tries to pass or to harm what comes after it.

They edit ``answer.py`` of ``task``. ``CHEATS`` want to be plausible; ``POISONS`` want their neighbours to
come out otherwise. ``KNOWERS`` are right while a test asks: they may be plausible, but must be marked.
Each is a whole file.
"""

from tests.validation.python.corpus.cheats import CHEATS as FORGERS
from tests.validation.python.corpus.knowers import KNOWERS as FRAMES
from tests.validation.python.corpus.plain import KEPT, PLAIN_KNOWERS, VALUES
from tests.validation.python.corpus.poisons import POISONS as SPOILERS

CHEATS = {**FORGERS, **VALUES}
KNOWERS = {**FRAMES, **PLAIN_KNOWERS}
POISONS = {**SPOILERS, **KEPT}

__all__ = ["CHEATS", "KNOWERS", "POISONS"]
