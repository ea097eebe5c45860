"""Data flow of a piece of code, as CodeBLEU defines it: which occurrence of a name comes from which.

Contract: a flow is (name, relation, sources) with names numbered in order of appearance, so that
renamed variables match. Variables are found by name alone, in text order, as in the published
definition (Guo et al. 2021, GraphCodeBERT): both branches of an ``if`` start from the same state, and
the bodies of loops are read twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from operator import attrgetter
from typing import NamedTuple

from nl2fix.languages.flow import Rules
from nl2fix.metrics.syntax import Child, Link, Named, Piece, Readings, States

Flow = tuple[str, str, tuple[str, ...]]
"""Numbered name, ``comesFrom`` or ``computedFrom``, numbered sources."""

_SMALL = 24
"""Parts up to which what is read of a piece is listed in that of the piece around it."""


_new_link: Callable[[tuple[object, ...]], Link] = partial(tuple.__new__, Link)
"""``Link``, made of its parts three times as fast."""
_BEFORE = -1
"""Stands, first of all, for the places where a name was last defined before a piece."""

_Placed = tuple[int, Piece]
"""A piece and where it begins."""


class Linked(NamedTuple):
    """What a text says of its names."""

    links: list[Link]
    """One for each occurrence that takes part in a flow, in text order."""
    defined: frozenset[str] = frozenset()
    """Names that a text behind it would find defined."""


def links(root: Piece, rules: Rules) -> Linked | None:
    """What is linked with what in a text.

    ``None`` for code whose branches and loops are nested too deeply to be read (hundreds of levels).
    """
    states: States = {}
    try:
        read_links = _FlowReader(rules).read([(0, root)], states)
    except RecursionError:
        return None
    read_links.sort(key=attrgetter("place"))
    used = {place for link in read_links if link.sources for place in (link.place, *link.places)}
    merged = _merge([link for link in read_links if link.place in used], by_place=True)
    return Linked(merged, frozenset(states))


def number(linked: Iterable[Link], numbers: dict[str, str]) -> list[Flow]:
    """Names become numbers, sources first, in order of appearance; ``numbers`` has those given before."""
    result = []
    for link in linked:
        for name in (*link.sources, link.name):
            if name not in numbers:
                numbers[name] = f"var_{len(numbers)}"
        result.append((numbers[link.name], link.relation, tuple([numbers[name] for name in link.sources])))
    return result


def names(piece: Piece) -> list[Named]:
    """Names and literals inside a piece, in text order."""
    if piece.names is None:
        collected: list[Named] = []
        stack: list[_Placed] = [(0, piece)]
        while stack:
            place, inner = stack.pop()
            if inner.names is None and inner.size <= _SMALL and inner is not piece:
                names(inner)
            if inner.names is not None:
                collected += [(name, place + at) for name, at in inner.names]
            elif not inner.is_leaf:
                stack += [(place + child.place, child.piece) for child in reversed(inner.children)]
            elif inner.text and inner.type != inner.text:
                collected.append((inner.text, place))
        piece.names = collected
    return piece.names


class _FlowReader:
    """Reads a tree once, carrying the state; ``states`` is changed in place, copied only at branches."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._readers = _readers(rules)

    def read(self, placed: Sequence[_Placed], states: States) -> list[Link]:
        """The links inside pieces. Those without a rule are walked without recursion."""
        collected: list[Link] = []
        stack = list(reversed(placed))
        while stack:
            place, piece = stack.pop()
            if piece.is_leaf:
                if _says(piece):
                    collected.append(_occurrence(place, piece, states))
            elif piece.type in self._readers:
                readings = _readings(piece)
                defined = frozenset(filter(states.__contains__, readings.names))
                reading = readings.known.get(defined)
                if reading is None:
                    inner: States = dict.fromkeys(defined, (_BEFORE,))
                    found = self._readers[piece.type](self, 0, piece, inner)
                    changed = {name: places for name, places in inner.items() if places != (_BEFORE,)}
                    reading = readings.known[defined] = found, changed
                collected += _behind(place, *reading, states)
            else:
                stack += [(place + at, inner) for at, inner in self._parts(piece)]
        return collected

    def _parts(self, piece: Piece) -> list[_Placed]:
        """What is read of a piece without a rule, last first; only what has a say."""
        if piece.parts is None:
            parts: list[_Placed] = []
            for at, inner in reversed(self._ordered(piece.children)):
                if inner.is_leaf:
                    parts += [(at, inner)] if _says(inner) else []
                elif inner.size > _SMALL or inner.type in self._readers:
                    parts.append((at, inner))
                else:
                    parts += [(at + place, part) for place, part in self._parts(inner)]
            piece.parts = parts
        return piece.parts

    def _ordered(self, children: Sequence[Child]) -> list[_Placed]:
        early = self._rules.early
        if early:
            children = sorted(children, key=lambda child: child.piece.type not in early)
        return [(child.place, child.piece) for child in children]

    def _update(self, place: int, piece: Piece, states: States) -> list[Link]:
        named = _names((place, piece))
        return self._link_all(named, named, "computedFrom", states)

    def _loop(self, place: int, piece: Piece, states: States) -> list[Link]:
        inside = _inside(place, piece)
        return _merge(self.read(inside, states) + self.read(inside, states))

    def _counting_loop(self, place: int, piece: Piece, states: States) -> list[Link]:
        first = self.read([(place + at, inner) for at, inner in self._ordered(piece.children)], states)
        return _merge(first + self.read(_after_declaration(place, piece), states))

    def _declaration(self, place: int, piece: Piece, states: States) -> list[Link]:
        target, value = (_field(place, piece, name) for name in self._rules.declared_fields)
        declared = _names(target)
        if value is None:
            states.update((name, (at,)) for name, at in declared)
            return [Link(name, at, "comesFrom") for name, at in declared]
        sources = self.read([value], states)
        return sources + self._link_all(declared, _names(value), "comesFrom", states)

    def _assignment(self, place: int, piece: Piece, states: States) -> list[Link]:
        left, right = _field(place, piece, "left"), _field(place, piece, "right")
        if piece.type == "for_in_clause":
            right = _inside(place, piece)[-1]
        return [] if left is None or right is None else self._flow(left, right, states)

    def _each(self, place: int, piece: Piece, states: States) -> list[Link]:
        target, collection = (_field(place, piece, name) for name in self._rules.each_fields)
        body = _field(place, piece, "body")
        collected: list[Link] = []
        for _ in range(2):
            if target is not None and collection is not None:
                collected += self._flow(target, collection, states)
            if body is not None:
                collected += self.read([body], states)
        return _merge(collected)

    def _flow(self, left: _Placed, right: _Placed, states: States) -> list[Link]:
        """The right side is read, then flows into the left."""
        if not self._rules.tuples:
            read_sources = self.read([right], states)
            return read_sources + self._link_all(_names(left), _names(right), "computedFrom", states)
        targets, values = _items(left), _items(right)
        if len(targets) != len(values):
            targets, values = [left], [right]
        read_sources = self.read(values, states)
        for target, value in zip(targets, values, strict=True):
            sources, places = tuple(zip(*_names(value), strict=True)) or ((), ())
            for name, place in _names(target):
                read_sources.append(Link(name, place, "computedFrom", sources, places))
                states[name] = (place,)
        return read_sources

    def _branch(self, place: int, piece: Piece, states: States) -> list[Link]:
        collected: list[Link] = []
        start, current, ends = dict(states), dict(states), []
        exhaustive, apart = False, False
        alternatives = self._rules.alternatives
        for at, inner in _inside(place, piece):
            exhaustive |= "else" in inner.type
            apart |= inner.type in alternatives
            if inner.type in alternatives or (apart and "else" in alternatives):
                branch_states = dict(start)
                collected += self.read([(at, inner)], branch_states)
                ends.append(branch_states)
            else:
                collected += self.read([(at, inner)], current)
        ends.append(current)
        if not exhaustive:
            ends.append(start)
        states.clear()
        for end in ends:
            _unite(states, end)
        return collected

    def _link_all(
        self, targets: Sequence[Named], sources: Sequence[Named], relation: str, states: States
    ) -> list[Link]:
        """Every target from every source; the targets become the last definitions of their names."""
        states.update((name, (place,)) for name, place in targets)
        return [
            Link(name, place, relation, (source,), (at,)) for name, place in targets for source, at in sources
        ]


_Reader = Callable[[_FlowReader, int, Piece, States], list[Link]]


@lru_cache(maxsize=16)
def _readers(rules: Rules) -> dict[str, _Reader]:
    """What reads a node, by its kind."""
    readers: dict[frozenset[str], _Reader] = {
        rules.declarations: _FlowReader._declaration,
        rules.assignments: _FlowReader._assignment,
        rules.updates: _FlowReader._update,
        rules.branches: _FlowReader._branch,
        rules.each_loops: _FlowReader._each,
        rules.loops: _FlowReader._loop,
        rules.counting_loops: _FlowReader._counting_loop,
    }
    return {kind: reader for kinds, reader in readers.items() for kind in kinds}


def _readings(piece: Piece) -> Readings:
    if piece.readings is None:
        piece.readings = Readings(frozenset([name for name, _ in names(piece)]), {})
    return piece.readings


def _behind(place: int, found: Sequence[Link], changed: States, states: States) -> list[Link]:
    """The links of a piece that stands at ``place`` behind ``states``, which are changed as it does."""
    result = []
    for name, at, relation, sources, places in found:
        if not places:
            behind = places
        elif places[0] == _BEFORE:
            behind = states[name] if len(places) == 1 else _united(states[name], places[1:], place)
        else:
            behind = (places[0] + place,) if len(places) == 1 else tuple([p + place for p in places])
        result.append(_new_link((name, place + at, relation, sources, behind)))
    for name, places in changed.items():
        if places[0] == _BEFORE:
            states[name] = _united(states[name], places[1:], place)
        else:
            states[name] = tuple([at + place for at in places])
    return result


def _united(before: Iterable[int], inside: Iterable[int], place: int) -> tuple[int, ...]:
    return tuple(sorted({*before, *(at + place for at in inside)}))


def _occurrence(place: int, leaf: Piece, states: States) -> Link:
    name = leaf.text
    if name in states:
        return Link(name, place, "comesFrom", (name,), states[name])
    if leaf.type == "identifier":
        states[name] = (place,)
    return Link(name, place, "comesFrom")


def _says(leaf: Piece) -> bool:
    """Whether a leaf is a name or literal, not a sign, word or comment."""
    return bool(leaf.text) and leaf.type != leaf.text and "comment" not in leaf.type


def _names(placed: _Placed | None) -> list[Named]:
    if placed is None:
        return []
    place, piece = placed
    return [(name, place + at) for name, at in names(piece)]


def _inside(place: int, piece: Piece) -> list[_Placed]:
    return [(place + child.place, child.piece) for child in piece.children]


def _field(place: int, piece: Piece, name: str) -> _Placed | None:
    """The first child in a field."""
    children = (child for child in piece.children if child.field == name)
    return next(((place + child.place, child.piece) for child in children), None)


def _items(placed: _Placed) -> list[_Placed]:
    """The items of a list of targets or values; a piece without parts is its own only item."""
    return [item for item in _inside(*placed) if item[1].type != ","] or [placed]


def _after_declaration(place: int, piece: Piece) -> list[_Placed]:
    inside = _inside(place, piece)
    for i, (_, inner) in enumerate(inside):
        if inner.type == "local_variable_declaration":
            return inside[i + 1 :]
    return []


def _unite(states: States, end: States) -> None:
    """Add what holds at the end of one branch to what holds behind all of them."""
    known = states.get
    for name, places in [item for item in end.items() if known(item[0]) != item[1]]:
        states[name] = tuple(sorted({*states.get(name, ()), *places}))


def _merge(separate: Iterable[Link], by_place: bool = False) -> list[Link]:
    """Unite the sources of links of one occurrence (and relation), in order of first appearance."""
    merged: dict[object, Link] = {}
    for link in separate:
        name, place, relation, sources, places = link
        key: object = place if by_place else (name, place, relation)
        first = merged.setdefault(key, link)
        if first is not link and not (first == link and len(sources) < 2):
            sources = tuple(dict.fromkeys(first.sources + sources))
            merged[key] = Link(name, place, relation, sources, tuple(sorted({*first.places, *places})))
    return list(merged.values())
