"""What metrics look at: texts of code with everything that is derived from them, computed once.

Contract: comments never count. Tokens and lines are written as strings of one character each (equal
items, equal characters), so that n-grams are substrings and the fastest string libraries apply.
Strings of two texts may be compared only when the texts share their vocabulary, as all texts of one
``Edit`` do.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import Any, Literal, TypeVar

from nl2fix.core.protocols import Language
from nl2fix.metrics.ngrams import ORDERS, CommonBlock, Counts, Rests, align, count_ngrams, rests

T = TypeVar("T")

_FIRST = 0x10000
"""First character used for items: past every white space, surrogate and combining mark that matters."""


class Vocabulary:
    """Items → characters. Holds up to a million items, so it is made anew for each edit."""

    def __init__(self) -> None:
        self._characters: dict[str, str] = {}

    def encode(self, items: Iterable[str]) -> str:
        """One character per item."""
        numbers = self._characters
        items = list(items)
        for item in dict.fromkeys(items):
            if item not in numbers:
                numbers[item] = chr(_FIRST + len(numbers))
        return "".join([numbers[item] for item in items])


class _Memory:
    """What was computed once, by key."""

    _memo: dict[Any, Any]

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """``make()``, computed the first time this key is asked for only."""
        if key not in self._memo:
            self._memo[key] = make()
        value: T = self._memo[key]
        return value


class SharedReading(_Memory):
    """What texts of one language have in common: their vocabulary, and what was derived from pieces."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.vocabulary = Vocabulary()
        self._memo = {}
        self._codes: dict[str, str] = {}

    def text(self, raw: str) -> Text:
        return Text(raw, self)

    @cached_property
    def counts_layout(self) -> bool:
        """Whether line breaks make tokens, as in Python."""
        return self.language.tokens("a\nb") != self.language.tokens("a b")

    def encode(self, code: str) -> str:
        """The tokens of a piece of code, one character each."""
        numbers = self._codes.get(code)
        if numbers is None:
            numbers = self._codes[code] = self.vocabulary.encode(self.language.tokens(code))
        return numbers


class Text:
    """One version of a piece of code, or two pieces read one by one that stand behind each other."""

    def __init__(self, raw: str, common: SharedReading, parts: tuple[Text, Text] | None = None) -> None:
        self.raw = raw
        self.language = common.language
        self.common = common
        self.parts = parts
        """Whole lines, and what stands behind them: tokens, comments and lines are those of both."""
        self._memo: dict[Callable[..., Any], Any] = {}
        self._aligned: dict[tuple[Text, str], list[CommonBlock]] = {}

    def once(self, function: Callable[[Text], T]) -> T:
        """``function(self)``, computed the first time only."""
        if function not in self._memo:
            self._memo[function] = function(self)
        value: T = self._memo[function]
        return value

    def once_per_edit(self, key: Hashable, make: Callable[[], T]) -> T:
        """``make()``, computed the first time any text of the edit asks for this key only."""
        return self.common.once(key, make)

    def encode(self, code: str) -> str:
        """The tokens of another piece of this text's language, one character each."""
        return self.common.encode(code)

    @cached_property
    def code(self) -> str:
        """The text without comments."""
        if self.parts:
            return "".join([part.code for part in self.parts])
        return self.language.strip_comments(self.raw)

    @cached_property
    def words(self) -> list[str]:
        """The tokens as they stand in the text."""
        if self.parts:
            return self.parts[0].words + self.parts[1].words
        return self.language.tokens(self.raw)

    @cached_property
    def tokens(self) -> str:
        """The tokens, one character each."""
        if self.parts:
            return "".join([part.tokens for part in self.parts])
        return self.common.vocabulary.encode(self.words)

    @cached_property
    def line_texts(self) -> list[str]:
        """The lines without comments, blank lines and white space at either end.

        Indentation stays where the language counts it.
        """
        if self.parts:
            return self.parts[0].line_texts + self.parts[1].line_texts
        strip = str.rstrip if self.common.counts_layout else str.strip
        return [line for line in map(strip, self.code.splitlines()) if line]

    @cached_property
    def lines(self) -> str:
        """``line_texts``, one character each."""
        if self.parts:
            return "".join([part.lines for part in self.parts])
        return self.common.vocabulary.encode(["\n" + line for line in self.line_texts])

    def aligned(self, before: Text, unit: Literal["tokens", "lines"]) -> list[CommonBlock]:
        """A longest common subsequence of another text of the edit and this one, computed the first time."""
        key = before, unit
        if key not in self._aligned:
            self._aligned[key] = align(getattr(before, unit), getattr(self, unit))
        return self._aligned[key]

    @cached_property
    def signs(self) -> tuple[str, str]:
        """Two characters that stand for no token and no line: removed, added."""
        encode = self.common.vocabulary.encode
        return encode(["\n\n-"]), encode(["\n\n+"])

    @cached_property
    def counts(self) -> Counts:
        """The n-grams of the tokens."""
        return count_ngrams([self.tokens])


class KnownSide(_Memory):
    """The known side of a comparison: the code before and the references it may become."""

    def __init__(self, common: SharedReading, before: Text, references: Iterable[Text]) -> None:
        self.common = common
        self.before = before
        self.references = tuple(references)
        self._memo = {}

    def undone(self) -> KnownSide:
        """That whose only reference is the code before, on the same texts."""
        return KnownSide(self.common, self.before, [self.before])

    def behind(self, head: str) -> Padded:
        """This edit with the same whole lines before all its texts."""
        return Padded(self, head)

    def revision(self, candidate: str | Text) -> Revision:
        """A candidate beside this edit; a text must be one of ``common``."""
        return Revision(self, self.common.text(candidate) if isinstance(candidate, str) else candidate)


class Edit(KnownSide):
    """The known side, of texts that nobody has read yet."""

    def __init__(self, before: str, references: Sequence[str], language: Language) -> None:
        if not references:
            raise ValueError("an edit needs at least one reference")
        common = SharedReading(language)
        super().__init__(common, common.text(before), map(common.text, dict.fromkeys(references)))


class Padded:
    """An edit with the same whole lines (``head``) before all its texts.

    Where tokens, comments and lines of the known texts are those of the head and of the text behind it,
    those of candidates are, and nothing is read twice.
    """

    def __init__(self, edit: KnownSide, head: str) -> None:
        self._head = edit.common.text(head)
        self.is_apart = all(self._stands_apart(text) for text in (edit.before, *edit.references))
        """Whether the known texts are so."""
        before, *references = map(self._join, (edit.before, *edit.references))
        self._edit = KnownSide(edit.common, before, references)

    def revision(self, bare: Revision) -> Revision:
        """A revision of the edit, padded like it."""
        return Revision(self._edit, self._join(bare.candidate), bare if self.is_apart else None)

    def _join(self, text: Text) -> Text:
        raw, parts = self._head.raw + text.raw, (self._head, text)
        return Text(raw, text.common, parts if self.is_apart else None)

    def _stands_apart(self, text: Text) -> bool:
        whole, head = Text(self._head.raw + text.raw, text.common), self._head
        return (
            whole.words == head.words + text.words
            and whole.code == head.code + text.code
            and whole.line_texts == head.line_texts + text.line_texts
        )


class Revision(_Memory):
    """A candidate beside the edit it is judged by. Equal token sequences are equal revisions."""

    def __init__(self, edit: KnownSide, candidate: Text, bare: Revision | None = None) -> None:
        self.edit = edit
        self.before = edit.before
        self.references = edit.references
        self.candidate = candidate
        self._bare = bare
        self._memo = {}

    @property
    def bare(self) -> Revision:
        """This revision without the lines that stand before all texts, where they can be told apart."""
        return self._bare or self  # no attribute: a revision that held itself would have to be collected

    @cached_property
    def exact(self) -> bool:
        """The candidate has the tokens of a reference."""
        candidate = self.bare.candidate.words
        return any(candidate == reference.words for reference in self.bare.references)

    @cached_property
    def unchanged(self) -> bool:
        """The candidate has the tokens of the code before."""
        return self.bare.candidate.words == self.bare.before.words

    @cached_property
    def rests(self) -> Rests:
        """The n-grams of the tokens: those of the code before, of each reference, of the candidate."""
        if self.bare is not self and self.bare.rests.head >= ORDERS[-1] - 1:
            return self.bare.rests.behind(len(self.before.tokens) - len(self.bare.before.tokens))
        others = (*self.references, self.candidate)
        alignments = [text.aligned(self.before, "tokens") for text in others]
        return rests([text.tokens for text in (self.before, *others)], alignments)

    @cached_property
    def matches(self) -> list[int]:
        """Per order, the candidate's n-grams that a reference has, counted as often as it has them."""
        last = len(self.references) + 1
        return self.rests.matches(last, range(1, last))
