"""Edits that compare, join or assign a thing to itself, or cut a letter off a range of letters.

``x = x``, ``max(n, n)``, ``a || a``, ``c ? a : a``; ``c > '0'`` for ``c >= '0'``. No small fix is one:
of 1,444 two bring in equal arguments side by side, one joins a thing to itself and one cuts ``'0'`` off, all
among larger changes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_VALUE = r"[A-Za-z_$]\w*(?: (?:\. \w+|\[ [^\]]+ \]|\( \)))*"
_ITSELF = re.compile(
    rf"(?:(?<=[(,!?:=;&|] )|(?<=return ))(?P<same>{_VALUE}|\d\w*) "
    r"(?:(?:[=!<>]=|[-/%^<>]) (?P=same)(?= [;,)&|?:])|\. (?:equals|compareTo) \( (?P=same) \))|"
    rf"(?<!\. )\b(?P<set>{_VALUE}) = (?P=set) ;|"
    rf"[(,] (?!(?:true|false|null) )(?P<given>{_VALUE}) , (?P=given)(?= [,)])|"
    r"(?:(?<=[(&|=] )|(?<=return ))(?:! )?(?P<joined>[^&|;{}?:,! ][^&|;{}?:,]{0,200}) (?:&&|\|\|) "
    r"(?:! )?(?P=joined)(?= [)&|;?:])|"
    r"\? (?P<either>[^?:;{}]{1,200}) : (?P=either)(?= [;,)])"
)
"""In tokens with blanks between them, as below; bounded, as thousands of calls in a row take seconds else."""
_LOW, _HIGH = "'[0aA]'", "'[9zZ]'"
_CUT = re.compile(rf"(?:<=|>) {_LOW}|{_LOW} (?:<|>=) |(?:<|>=) {_HIGH}|{_HIGH} (?:>|<=) ")
"""Of digits or letters all but the first or the last."""


def count_senseless(tokens: Sequence[str]) -> int:
    """How many such places there are."""
    words = " ".join(tokens)
    return sum(1 for pattern in (_ITSELF, _CUT) for _ in pattern.finditer(words))
