"""Edits that compare, join or assign a thing to itself: ``x = x``, ``max(n, n)``, ``a || a``, ``c ? a : a``.

No small fix is one: of 1,444, two bring in equal arguments side by side and one joins a thing to itself, all
among larger changes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_VALUE = r"[A-Za-z_$]\w*(?: (?:\. \w+|\[ [^\]]+ \]|\( \)))*"
_HOLLOW = re.compile(
    rf"(?:(?<=[(,!?:=;&|] )|(?<=return ))(?P<same>{_VALUE}|\d\w*) "
    r"(?:(?:[=!<>]=|[-/%^<>]) (?P=same)(?= [;,)&|?:])|\. (?:equals|compareTo) \( (?P=same) \))|"
    rf"(?<!\. )\b(?P<set>{_VALUE}) = (?P=set) ;|"
    rf"[(,] (?!(?:true|false|null) )(?P<given>{_VALUE}) , (?P=given)(?= [,)])|"
    r"(?:(?<=[(&|=] )|(?<=return ))(?:! )?(?P<joined>[^&|;{}?:,! ][^&|;{}?:,]*) (?:&&|\|\|) "
    r"(?:! )?(?P=joined)(?= [)&|;?:])|"
    r"\? (?P<either>[^?:;{}]+) : (?P=either)(?= [;,)])"
)
"""In tokens with blanks between them."""


def count_hollow(tokens: Sequence[str]) -> int:
    """How many places do something with the same thing twice that comes to nothing."""
    return sum(1 for _ in _HOLLOW.finditer(" ".join(tokens)))
