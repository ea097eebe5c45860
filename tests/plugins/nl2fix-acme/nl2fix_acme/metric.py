"""Share of the old tokens that the candidate keeps."""

from nl2fix import always
from nl2fix.metrics.texts import Revision


def kept(edit: Revision) -> float:
    return sum(token in edit.candidate.tokens for token in edit.before.tokens) / len(edit.before.tokens)


make = always(kept)
