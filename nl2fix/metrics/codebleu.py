"""CodeBLEU (Ren et al. 2020) and its four parts, on today's tree-sitter grammars.

Agrees with the package codebleu 0.7.0 given the same tokens, but for three things: tokens are those of
the language (codebleu splits at white space); the order of variables in a data flow is that of the
text (there it hangs on the hash seed); and a part that is undefined is ``None`` and makes the whole
``None`` (there a data flow that is undefined, or 0, counts as 1). Syntax and data flow are undefined for a
language that cannot be parsed or gives no rules of flow.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, cast

from nl2fix.core.protocols import Language
from nl2fix.core.registry import always
from nl2fix.languages.capabilities import HasFlow, HasKeywords, Parsed
from nl2fix.metrics import dataflow
from nl2fix.metrics.bleu import smoothed_bleu
from nl2fix.metrics.ngrams import ORDERS, in_both
from nl2fix.metrics.syntax import Piece, TreeReader
from nl2fix.metrics.texts import Revision, Text

_ORDINARY = 0.2
"""Weight of a token that is no keyword, which weighs 1."""


def codebleu(revision: Revision) -> float | None:
    """Mean of the four parts, 0 to 1; ``None`` when one of them is undefined."""
    parts = [part(revision) for part in _PARTS]
    defined = [part for part in parts if part is not None]
    return sum(defined) / len(parts) if len(defined) == len(parts) else None


def ngram_match(revision: Revision) -> float | None:
    """BLEU-4 of the tokens, NLTK's smoothing method 1; ``None`` when a side has no token."""
    if not _has_tokens(revision):
        return None
    lengths = [len(reference.tokens) for reference in revision.references]
    return smoothed_bleu(revision.matches, len(revision.candidate.tokens), lengths)


def weighted_ngram_match(revision: Revision) -> float | None:
    """n-gram recall with keywords weighing five times other tokens; ``None`` when a side has no token.

    No brevity penalty: the published code has one in name, but it never applies.
    """
    if not _has_tokens(revision):
        return None
    last = len(revision.references) + 1
    matches = [revision.rests.matches(last, [place]) for place in range(1, last)]
    if not any(match[0] for match in matches):
        return 0.0
    keywords = sum(_matched_keywords(revision, place) for place in range(1, last))
    hit = _weigh(keywords, sum(match[0] for match in matches))
    total = sum(max(1.0, _weigh(r.once(_keyword_count), len(r.tokens))) for r in revision.references)
    score = math.log(hit / total) / len(ORDERS)
    for place, order in enumerate(ORDERS[1:], start=1):
        hits = sum(match[place] for match in matches)
        most = sum(max(1, len(reference.tokens) - order + 1) for reference in revision.references)
        score += math.log((hits or 0.1) / most) / len(ORDERS)
    return math.exp(score)


def syntax_match(revision: Revision) -> float | None:
    """Share of the references' syntax subtrees that occur in the candidate; ``None`` without a grammar."""
    if not _has_tokens(revision) or not _is_parsed(revision.candidate):
        return None
    texts, shared = _rests(revision, _reads_apart), 0
    candidate, *references = (text.once(_shapes) for text in texts)
    candidate_shapes = frozenset(candidate)
    if texts[0] is not revision.candidate:
        ahead = _head(revision).once(_shapes_below)
        candidate_shapes, shared = candidate_shapes | ahead.keys(), ahead.total()
    hits = sum(count for shapes in references for shape, count in shapes.items() if shape in candidate_shapes)
    total = sum(shapes.total() for shapes in references)
    return (shared * len(references) + hits) / (shared * len(references) + total)


def dataflow_match(revision: Revision) -> float | None:
    """Share of the references' data-flow edges that occur in the candidate.

    ``None`` when the references have no data flow or the language has no grammar or rules for it.
    """
    texts, shared = _rests(revision, _flows_apart), 0
    if texts[0] is revision.candidate:
        candidate, *references = (text.once(_flows) for text in texts)
    else:
        head = _head(revision)
        shared = len(head.once(_numbered).flows)
        candidate, *references = (text.once(head.once(_flows_behind)) for text in texts)
    total = sum(shared + wanted.total() for wanted in references)
    return sum(shared + in_both(wanted, candidate) for wanted in references) / total if total else None


_PARTS: tuple[Callable[[Revision], float | None], ...] = (
    ngram_match,
    weighted_ngram_match,
    syntax_match,
    dataflow_match,
)


def _has_tokens(revision: Revision) -> bool:
    return bool(revision.candidate.tokens) and all(r.tokens for r in revision.references)


def _weigh(keywords: int, tokens: int) -> float:
    """Sum of the weights of so many tokens, some of them keywords."""
    return keywords + _ORDINARY * (tokens - keywords)


def _matched_keywords(revision: Revision, place: int) -> int:
    """Keywords of one reference that the candidate has, each as often as it does."""
    one, candidate = revision.rests.counts[place][0], revision.rests.counts[-1][0]
    reference = revision.references[place - 1]
    keywords = reference.once(_keyword_characters)
    missing = [count - candidate.get(token, 0) for token, count in one.items() if token in keywords]
    return reference.once(_keyword_count) - sum([count for count in missing if count > 0])


def _keyword_count(text: Text) -> int:
    keywords = text.once(_keyword_characters)
    return sum(token in keywords for token in text.tokens)


def _keyword_characters(text: Text) -> frozenset[str]:
    keywords = _keywords(text.language)
    return frozenset(c for word, c in zip(text.words, text.tokens, strict=True) if word in keywords)


def _keywords(language: Language) -> frozenset[str]:
    """The language's keywords (those of codebleu 0.7.0), else the words of its grammar."""
    if isinstance(language, HasKeywords):
        return language.keywords
    return _words_of_grammar(language) if isinstance(language, Parsed) else frozenset()


@lru_cache(maxsize=16)
def _words_of_grammar(language: Parsed) -> frozenset[str]:
    grammar = language.grammar()
    kinds = ((grammar.node_kind_for_id(i), i) for i in range(grammar.node_kind_count))
    return frozenset(k for k, i in kinds if k and k.isalpha() and not grammar.node_kind_is_named(i))


def _head(revision: Revision) -> Text:
    """The lines that stand before all texts."""
    assert revision.candidate.parts is not None
    return revision.candidate.parts[0]


def _rests(revision: Revision, apart: Callable[[Text], bool]) -> list[Text]:
    """Candidate and references without the lines before them, where all can be read apart; else whole."""
    texts = [revision.candidate, *revision.references]
    parts = [text.parts for text in texts if text.parts and text.once(apart)]
    return [rest for _, rest in parts] if len(parts) == len(texts) else texts


def _root(text: Text) -> Piece | None:
    if not _is_parsed(text):
        return None
    tree = cast("Parsed", text.language).tree(text.code)
    return text.once_per_edit((TreeReader,), TreeReader).read(tree, text.code)


def _is_parsed(text: Text) -> bool:
    return text.once_per_edit((Parsed,), lambda: isinstance(text.language, Parsed))


def reads_alike(text: Text) -> bool:
    """Whether another text of the same tokens and lines has the same tree, places apart.

    Not where the parser goes on behind an error: how it does hangs on white space too.
    """
    root = text.once(_root)
    return root is None or root.is_clean


def _reads_apart(text: Text) -> bool:
    """Whether the tree of lines and what stands behind them has the pieces of both, one after the other.

    So it is where both are clean and the second does not begin as only a program can: indented, by ``#!``.
    """
    if text.parts is None or not _is_parsed(text):
        return False
    clean = all((root := part.once(_root)) is not None and root.is_clean for part in text.parts)
    code = text.parts[1].code
    first = code.startswith("#!") or (text.common.counts_layout and code[:1].isspace())
    if clean and not first:
        return text.once_per_edit((_reads_apart,), lambda: _joins(text))
    return _joins(text)


def _joins(text: Text) -> bool:
    """``_reads_apart``, seen on this text."""
    assert text.parts is not None
    whole, *parts = (
        [(c.field, c.piece.shape, c.piece.size) for c in root.children] if root else []
        for root in (each.once(_root) for each in (text, *text.parts))
    )
    return whole == [child for part in parts for child in part]


def _shapes(text: Text) -> Counter[int]:
    """The shapes of the root and of every inner piece below it."""
    root = text.once(_root)
    return Counter(root.all_shapes()) if root else Counter()


def _shapes_below(text: Text) -> Counter[int]:
    """As ``_shapes``, without the root: that is another behind these lines."""
    root = text.once(_root)
    return text.once(_shapes) - Counter([root.shape]) if root else Counter()


class _Numbered(NamedTuple):
    """The data flow of a text."""

    numbers: dict[str, str]
    flows: list[dataflow.Flow]


def _links(text: Text) -> dataflow.Linked | None:
    root = text.once(_root)
    rules = text.once_per_edit((HasFlow,), lambda: getattr(text.language, "flow", None))
    return dataflow.links(root, rules) if root and rules else None


def _numbered(text: Text) -> _Numbered:
    linked, numbers = text.once(_links), dict[str, str]()
    return _Numbered(numbers, dataflow.number(linked.links, numbers) if linked else [])


def _flows(text: Text) -> Counter[dataflow.Flow]:
    return Counter(text.once(_numbered).flows)


def _flows_apart(text: Text) -> bool:
    """Whether no name of the lines before has a say in what stands behind them."""
    if text.parts is None or not text.once(_reads_apart):
        return False
    (head, rest), root = (part.once(_links) for part in text.parts), text.parts[1].once(_root)
    if head is None or rest is None or root is None:
        return False
    return head.defined.isdisjoint([name for name, _ in dataflow.names(root)])


def _flows_behind(head: Text) -> Callable[[Text], Counter[dataflow.Flow]]:
    """The data flow of texts that stand behind lines, but for that of those lines."""
    numbers = head.once(_numbered).numbers

    def flows(text: Text) -> Counter[dataflow.Flow]:
        linked = text.once(_links)
        return Counter(dataflow.number(linked.links, dict(numbers)) if linked else ())

    return flows


make_codebleu = always(codebleu)
make_ngram_match = always(ngram_match)
make_weighted_ngram_match = always(weighted_ngram_match)
make_syntax_match = always(syntax_match)
make_dataflow_match = always(dataflow_match)
