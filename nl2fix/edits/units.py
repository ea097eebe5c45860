"""Pairs of whole files, cut down to the methods and functions that an edit changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from nl2fix.core.records import Span
from nl2fix.edits.pair import EditPair, Found, removed
from nl2fix.edits.rules import parse_error
from nl2fix.languages import language
from nl2fix.languages.capabilities import HasUnits, require


def entities(name: str, text: str) -> Mapping[str, Span]:
    """Entity → region in a file; ``UsageError`` for a language whose units nobody knows."""
    return require(language(name), HasUnits, "for units").entities(text)


def changed_units(pair: EditPair, most: int) -> Found:
    """A pair for each unit that both files have and that differs; ``most`` 0 means any number of them.

    Of units inside each other the innermost counts.
    """
    fault = parse_error(pair.language, pair.after)
    if fault:
        yield removed(pair, "after does not parse", fault)
        return
    old, new = entities(pair.language, pair.before), entities(pair.language, pair.after)
    both = [name for name in new if name in old]
    differing = [name for name in both if _text(pair.before, old[name]) != _text(pair.after, new[name])]
    inner = [name for name in differing if not any(_inside(new[other], new[name]) for other in differing)]
    if not inner:
        yield removed(pair, "edit changes no method")
    elif most and len(inner) > most:
        yield removed(pair, "edit changes several methods", str(len(inner)))
    else:
        for name in inner:
            before, after = _text(pair.before, old[name]), _text(pair.after, new[name])
            yield replace(pair, before=before, after=after, entity=name)


def _text(text: str, span: Span) -> str:
    return text[span.start : span.end]


def _inside(inner: Span, outer: Span) -> bool:
    return inner != outer and outer.start <= inner.start and inner.end <= outer.end
