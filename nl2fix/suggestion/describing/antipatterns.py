"""Edits that hardly ever mend anything, though tests may pass with them.

The structural ones are the anti-patterns of Tan et al., "Anti-patterns in search-based program repair",
FSE 2016, section 4: an edit deletes an exit (A1), a control statement (A2), the only statement of a block
(A3), what sets the variable that the next condition asks for (A4) or the counter of a loop (A5), or makes a
condition trivial (A7), or all that is returned. An exit before other statements (A6) does not compile in
Java. Others are idioms of mutants, such as ``+ 0``.

Of the 283 fixes of Defects4J's study, how many do what is not in the paper: all that is returned becomes a
literal, 1; an exit other than ``return null`` becomes a ``throw``, 0 (``return null`` in 2, so it may);
something is compared, joined or set to itself or taken from itself, 0; nothing but literal text of an
exception or a log changes, 0; nothing but a comparison in other words, or how much room there is at first,
0. What else a log is told is taken for such a text. 19 throw in one more place, 4 of the 120 whose issue
has no word of refusing. None of the 864 fixes of Defects4J 2.0 makes a method less visible. Of 1,237 of at
most 40 tokens 22 take an ``if`` away with all in it, of 2,172 proposals 34.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nl2fix.languages.java import JAVA
from nl2fix.mutation.java.senseless import count_senseless
from nl2fix.mutation.tree import Node
from nl2fix.suggestion.describing.differences import Change, Source, changes

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
_PLAIN = ("identifier", "field_access", "true", "false")
"""What gives a value without working it out."""
_EXITS = frozenset({"return_statement", "throw_statement", "break_statement", "continue_statement"})
_LOOPS = ("for_statement", "while_statement", "do_statement")
_IDIOM = re.compile(
    r"catch \( (?:final )?(?:NullPointerException|Throwable)\b|\bserialVersionUID\b|\. clone \( \)|"
    r"[-+] 0(?= [;,)&|?:])|[*/] 1(?= [;,)&|?:])|(?:&&|\|\|) (?:true|false)\b|\b(?:true|false) (?:&&|\|\|)|"
    r"\bif \( (?:true|false) \)|\. (?:length|size) \( \) (?:(?:[=!<>]=|[<>]) - \d|(?:<|>=) 0\b)"
)
"""In tokens with blanks between them; the last four are A7, as is what is senseless."""
HARDLY_EVER = 2
_LOGGER = re.compile(r"_*log_*|\w*logger_*", re.IGNORECASE)
_SAYS = re.compile(r"log\w*|trace|debug|info|warn(?:ing)?|error|fatal|fine\w*|severe")
"""What a logger is asked to do that changes nothing else."""
_NULL_SAFE = re.compile(
    r"\b(?:java \. util \. )?Objects \. equals \( ((?:\w+ \. )*[A-Z][A-Z0-9_]*|this|\"[^\"]*\") , "
)
"""How a comparison begins that asks for ``null`` where none can be: of a constant, ``this``, a text."""
_CAPACITY = re.compile(
    r"(\bnew (?:String(?:Builder|Buffer|Writer)|ByteArrayOutputStream|Vector|ArrayList|ArrayDeque|"
    r"(?:Linked|Concurrent)?Hash(?:Map|Set)|Hashtable)(?: <[^()]*>)?) \( \d+ \)"
)
"""How much room there is at first."""
_COUNTED = r"(\. (?:length|size) \( \)) "
_EMPTY, _FILLED = re.compile(_COUNTED + r"(?:<= 0|< 1)\b"), re.compile(_COUNTED + r"(?:!= 0|>= 1)\b")
"""What cannot be less than 0 is compared with it."""
_CHECKED = re.compile(r"\b(?:requireNonNull|checkNotNull|notNull) \( (\w*)")
_VISIBILITY = re.compile(r"\b(private|protected|public) ")
_SEEN = ("private", "", "protected", "public")
"""From the least visible on."""

_REFUSING = re.compile(
    r"exception|throw|illegal|valid|reject|refus|error|prevent|allow|must not|should not|forbid|fail",
    re.IGNORECASE,
)
"""What an issue says where something is to be thrown."""


def odd(before: str, after: str, issue: str = "") -> int:
    """How odd an edit of a Java method is: 2 where its kind hardly ever mends anything, 1 where it takes an
    ``if`` away, which is drawn as often as fixes do it, or a check of what is given, or throws what no issue
    speaks of, else 0.
    """
    tokens = [JAVA.tokens(code) for code in (before, after)]
    words = [" ".join(each) for each in tokens]
    if count_senseless(tokens[1]) > count_senseless(tokens[0]):
        return HARDLY_EVER
    if len(_IDIOM.findall(words[1])) > len(_IDIOM.findall(words[0])):
        return HARDLY_EVER
    if _same(words[1]) == _same(words[0]):
        return HARDLY_EVER if words[0] != words[1] else 0
    if _hides(*words):
        return HARDLY_EVER
    old, new = Source(before), Source(after)
    made = list(changes(old, new))
    if any(_spoils(change, old) for change in made) or (made and all(_is_told(each, old) for each in made)):
        return HARDLY_EVER
    refuses = words[1].count("throw new ") > words[0].count("throw new ")
    unasked = bool(refuses and issue and not _REFUSING.search(issue))
    deletions = (level for change in made for level in _deletions(change, old, new))
    return max([int(unasked or _lacks_check(*words)), *deletions])


def lacks_check(before: str, after: str) -> bool:
    """Whether an edit takes a check of what a method is given away, or passes it by for ``null``: others then
    meet the ``null``.
    """
    return _lacks_check(*(" ".join(JAVA.tokens(code)) for code in (before, after)))


def _lacks_check(before: str, after: str) -> bool:
    checked = _CHECKED.findall(before)
    spared = any(_asked(after, name) > _asked(before, name) for name in checked)
    return spared or len(_CHECKED.findall(after)) < len(checked)


def _asked(words: str, name: str) -> int:
    """How often a method asks whether a variable is ``null``."""
    return len(re.findall(rf"\b{name} [!=]= null\b", words)) if name else 0


def _same(words: str) -> str:
    """One of all ways to say the same."""
    plain = _CAPACITY.sub(r"\1 ( )", _NULL_SAFE.sub(r"\1 . equals ( ", words))
    return _FILLED.sub(r"\1 > 0", _EMPTY.sub(r"\1 == 0", plain))


def _hides(before: str, after: str) -> bool:
    """Whether a method is only less visible, which tests of its package do not notice."""
    if _VISIBILITY.sub("", before, count=1) != _VISIBILITY.sub("", after, count=1):
        return False
    found = (_VISIBILITY.search(words) for words in (before, after))
    old, new = (_SEEN.index(match[1] if match else "") for match in found)
    return new < old


def _spoils(change: Change, source: Source) -> bool:
    """Whether what was worked out and returned becomes a literal, or an exit a ``throw``."""
    if len(change.old) != 1 or len(change.new) != 1:
        return False
    [old], [new] = change.old, change.new
    if new.kind == "throw_statement":
        return old.kind in _EXITS - {new.kind} and source.text(old) != "return null;"
    returned = old.parent is not None and old.parent.kind == "return_statement"
    return returned and _is_literal(new) and _is_worked_out(old, source)


def _is_literal(node: Node) -> bool:
    """Whether a node is a literal, or a number with its sign."""
    number = next(iter(node.parts()), node) if node.kind == "unary_expression" else node
    return number.kind.endswith("_literal") or node.kind in ("true", "false")


def _is_worked_out(returned: Node, source: Source) -> bool:
    """Whether work gives what is returned; that of a local variable is done before, where a method ends."""
    if returned.kind != "identifier":
        return returned.kind not in _PLAIN and not _is_literal(returned)
    body = returned.parent.parent if returned.parent is not None else None
    if body is None or body.parent is None or body.parent.kind != "method_declaration":
        return False
    set_before = (_set_to(node, source) for node in body.walk() if node.end <= returned.start)
    return source.text(returned) in set_before


def _set_to(node: Node, source: Source) -> str:
    """The variable that a node sets to what is no literal; empty for any other node."""
    if node.kind != "variable_declarator":
        return _target(node, source)
    name, value = node.get("name"), node.get("value")
    return source.text(name) if name is not None and value is not None and not _is_literal(value) else ""


def _is_told(change: Change, source: Source) -> bool:
    """Whether no more changes than what is told to a log, or a text of an exception that is thrown."""
    if len(change.old) != 1 or len(change.new) != 1:
        return False
    [old], [new] = change.old, change.new
    texts = old.kind == new.kind == "string_literal"
    if texts and old.up("throw_statement") is not None:
        return True
    calls = any(node.kind == "method_invocation" for part in (old, new) for node in part.walk())
    return not calls and _is_logged(old, source)


def _is_logged(node: Node, source: Source) -> bool:
    """Whether a node stands in what a logger is given to say."""
    call, given = node.up("method_invocation"), node.up("argument_list")
    on, name = (call.get("object"), call.get("name")) if call is not None else (None, None)
    if given is None or given.parent is not call or on is None or name is None:
        return False
    says = _SAYS.fullmatch(source.text(name))
    return bool(says and _LOGGER.fullmatch(source.text(on).rpartition(".")[2]))


def _deletions(change: Change, old: Source, new: Source) -> Iterator[int]:
    """For each part that goes and of which A1 to A5 say that it should not: how odd that is."""
    for node in change.old:
        if node.kind in _CONTROL and _is_left_of(node, change, old, new):
            yield 1 if node.kind == "if_statement" else HARDLY_EVER
        elif not change.new and node.kind in _EXITS:
            yield HARDLY_EVER
        elif not change.new and node.kind == "expression_statement":
            yield HARDLY_EVER * (_is_alone(node) or _is_asked_for(node, old))


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
    return _target(expression, source) if expression is not None else ""


def _target(expression: Node, source: Source) -> str:
    """The variable that an expression sets; empty for anything else."""
    if expression.kind not in ("assignment_expression", "update_expression"):
        return ""
    target = expression.get("left") or next(iter(expression.parts()), None)
    return source.text(target) if target is not None and target.kind == "identifier" else ""
