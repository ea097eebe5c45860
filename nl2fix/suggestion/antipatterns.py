"""Edits that hardly ever mend anything, though tests may pass with them.

The structural ones are the anti-patterns of Tan et al., "Anti-patterns in search-based program repair",
FSE 2016, section 4: an edit deletes an exit (A1), a control statement (A2), the only statement of a block
(A3), what sets the variable that the next condition asks for (A4) or the counter of a loop (A5), or makes a
condition trivial (A7), or all that is returned. An exit before other statements (A6) does not compile in
Java. Others are idioms of mutants, such as ``+ 0``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nl2fix.languages.java import JAVA
from nl2fix.mutation.tree import Node
from nl2fix.suggestion.differences import Change, Source, changes

_CONTROL = frozenset(
    {
        "if_statement",
        "switch_expression",
        "for_statement",
        "enhanced_for_statement",
        "while_statement",
        "do_statement",
    }
)
_CONSTANTS = frozenset({"true", "false"})
_PLAIN = frozenset({"identifier", "field_access"}) | _CONSTANTS
"""What gives a value without working it out."""
_EXITS = frozenset({"return_statement", "throw_statement", "break_statement", "continue_statement"})
_LOOPS = ("for_statement", "while_statement", "do_statement")
_IDIOM = re.compile(
    r"catch \( (?:final )?(?:NullPointerException|Throwable)\b|\bserialVersionUID\b|\. clone \( \)|"
    r"[-+] 0(?= [;,)&|?:])|[*/] 1(?= [;,)&|?:])|(?:&&|\|\|) (?:true|false)\b|\b(?:true|false) (?:&&|\|\|)|"
    r"\bif \( (?:true|false) \)"
)
"""In tokens with blanks between them; the last three are A7."""


def odd(before: str, after: str) -> bool:
    """Whether an edit of a Java method is of a kind that hardly ever mends anything."""
    words = [" ".join(JAVA.tokens(code)) for code in (before, after)]
    if len(_IDIOM.findall(words[1])) > len(_IDIOM.findall(words[0])):
        return True
    old, new = Source(before), Source(after)
    return any(_is_trivial(change) or any(_deletions(change, old, new)) for change in changes(old, new))


def _is_trivial(change: Change) -> bool:
    """Whether what was worked out and returned becomes a constant."""
    if len(change.old) != 1 or len(change.new) != 1:
        return False
    [old], [new] = change.old, change.new
    returned = old.parent is not None and old.parent.kind == "return_statement"
    return returned and old.kind not in _PLAIN and new.kind in _CONSTANTS


def _deletions(change: Change, old: Source, new: Source) -> Iterator[bool]:
    """For each part that goes: whether A1 to A5 say that it should not."""
    for node in change.old:
        if node.kind in _CONTROL:
            yield _is_left_of(node, change, old, new)
        elif not change.new and node.kind in _EXITS:
            yield True
        elif not change.new and node.kind == "expression_statement":
            yield _is_alone(node) or _is_asked_for(node, old)


def _is_left_of(control: Node, change: Change, old: Source, new: Source) -> bool:
    """Whether a control statement goes and what comes, if anything, stood in it (A2)."""
    inside = {old.words(node) for node in control.walk() if node is not control}
    return all(new.words(node) in inside for node in change.new)


def _is_alone(statement: Node) -> bool:
    """Whether a statement is all that its block does (A3)."""
    block = statement.parent
    return block is not None and block.kind == "block" and len(block.parts()) == 1


def _is_asked_for(statement: Node, source: Source) -> bool:
    """Whether a statement sets what the ``if`` behind it (A4) or the loop around it (A5) asks for."""
    name = _set_by(statement, source)
    loop = statement.up(*_LOOPS)
    around = loop.get("condition") if loop is not None else None
    block = statement.parent.parts() if statement.parent is not None else []
    behind = next(iter(block[block.index(statement) + 1 :]), None)
    asked = behind.get("condition") if behind is not None and behind.kind == "if_statement" else None
    return any(name in source.words(condition) for condition in (around, asked) if condition is not None)


def _set_by(statement: Node, source: Source) -> str:
    """The variable that an assignment or ``i++`` sets; empty for anything else."""
    expression = next(iter(statement.parts()), None)
    if expression is None or expression.kind not in ("assignment_expression", "update_expression"):
        return ""
    target = expression.get("left") or next(iter(expression.parts()), None)
    return source.text(target) if target is not None and target.kind == "identifier" else ""
