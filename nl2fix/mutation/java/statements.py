"""Templates that remove, copy, move and exchange statements, branches, loops and cases."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nl2fix.mutation.java.expressions import renamings
from nl2fix.mutation.java.guards import defaults, throws
from nl2fix.mutation.java.subject import Subject, movable
from nl2fix.mutation.java.typenames import NUMERIC, element, fits, unboxed
from nl2fix.mutation.java.writing import after, alone, before, cut, insert, remove, replace, swap
from nl2fix.mutation.proposals import Proposal, Splice
from nl2fix.mutation.tree import Node

_LOOPS = ("for_statement", "enhanced_for_statement", "while_statement", "do_statement")
_SMALL = (
    "expression_statement",
    "return_statement",
    "break_statement",
    "continue_statement",
    "throw_statement",
)


def removed(subject: Subject) -> Iterator[Proposal]:
    """Remove a statement, or a case of several; conditions with everything below them less likely."""
    for node in subject.statements:
        if node.kind in ("block", "local_variable_declaration") or (alone(node) and node.kind not in _SMALL):
            continue
        parts = subject.body.parts()
        if node.kind in ("return_statement", "throw_statement") and parts and node is parts[-1]:
            continue
        weight = {"expression_statement": 1.0, "if_statement": 0.8, "break_statement": 0.8}.get(
            node.kind, 0.4
        )
        yield remove(subject, node, weight)
    for group in subject.of("switch_block_statement_group"):
        if len(group.siblings()) > 2:
            yield cut(subject, group, 0.4)


def else_removed(subject: Subject) -> Iterator[Proposal]:
    """Remove an ``else`` with its branch, or the word alone."""
    for node in subject.of("if_statement"):
        yes, no = node.get("consequence"), node.get("alternative")
        if yes is None or no is None:
            continue
        yield Proposal((Splice(yes.end, no.end, ""),))
        inside = subject.src(no)
        if no.kind == "block":
            inside = inside[1:-1].strip()
        if not alone(node):
            yield Proposal((Splice(yes.end, no.end, "\n" + subject.indent(node) + inside),), 0.7)


def else_added(subject: Subject) -> Iterator[Proposal]:
    """Put what follows an ``if`` into its ``else``; join neighbouring ``if`` statements by ``else``."""
    for node in subject.of("if_statement"):
        following = node.following()
        if node.get("alternative") is not None or following is None or alone(node):
            continue
        if following.kind == "if_statement":
            yield insert(following.start, "else ", 1.0)
        elif following.kind in _SMALL:
            indent = subject.indent(node)
            inside = f"{indent}{subject.step}{subject.deeper(following)}"
            yield replace(following, f"else {{\n{inside}\n{indent}}}", 0.7)


def else_of_outer(subject: Subject) -> Iterator[Proposal]:
    """``if (a) if (b) …; else …``, where the ``else`` is the inner one's: braces make it the outer one's."""
    for node in subject.of("if_statement"):
        condition, inner = node.get("condition"), node.get("consequence")
        if condition is None or inner is None or inner.kind != "if_statement":
            continue
        yes = inner.get("consequence")
        if node.get("alternative") is None and inner.get("alternative") is not None and yes is not None:
            lines = "\n" in subject.text[condition.end : inner.start]
            close = f"\n{subject.indent(node)}}}" if lines else " }"
            opening = Splice(condition.end, condition.end, " {")
            yield Proposal((opening, Splice(yes.end, yes.end, close)))


def branches(subject: Subject) -> Iterator[Proposal]:
    """Exchange the branches of an ``if``."""
    for node in subject.of("if_statement"):
        yes, no = node.get("consequence"), node.get("alternative")
        if yes is not None and no is not None and no.kind != "if_statement":
            yield swap(subject, yes, no)


def neighbours(subject: Subject) -> Iterator[Proposal]:
    """Exchange two neighbouring statements."""
    for node in subject.statements:
        following = node.following()
        if following is not None and not alone(node) and not alone(following):
            leaves = node.kind in _SMALL[1:] or following.kind in _SMALL[1:]
            if leaves or not movable(subject, following, node.start):
                continue
            yield swap(subject, node, following, 0.6 if "declaration" in node.kind else 1.0)


def moved(subject: Subject) -> Iterator[Proposal]:
    """Move a small statement out of its block, to its block's beginning or end."""
    for node in subject.statements:
        if node.kind not in _SMALL or alone(node):
            continue
        block = node.parent
        text = subject.src(node)
        gone = remove(subject, node).edits[0]
        if block is None or block.kind != "block":
            continue
        holder = block.parent
        if holder is not None and holder.kind in (*_LOOPS, "if_statement") and not alone(holder):
            if not movable(subject, node, holder.start):
                continue
            indent = subject.indent(holder)
            yield Proposal((gone, Splice(holder.end, holder.end, f"\n{indent}{text}")), 1.0)
            if node.kind == "expression_statement":
                yield Proposal((Splice(holder.start, holder.start, f"{text}\n{indent}"), gone), 0.7)
        siblings = block.parts()
        if len(siblings) > 2 and node.kind == "expression_statement":
            if node is not siblings[-1] and siblings[-1].kind not in ("return_statement", "throw_statement"):
                edit = Splice(siblings[-1].end, siblings[-1].end, f"\n{subject.indent(node)}{text}")
                yield Proposal((gone, edit), 0.5)
            if node is not siblings[0] and movable(subject, node, siblings[0].start):
                edit = Splice(siblings[0].start, siblings[0].start, f"{text}\n{subject.indent(node)}")
                yield Proposal((edit, gone), 0.5)


def moved_in(subject: Subject) -> Iterator[Proposal]:
    """Move a small statement into the end of the block before it or the beginning of the one after it."""
    for node in subject.statements:
        if node.kind not in _SMALL or alone(node):
            continue
        gone, text = remove(subject, node).edits[0], subject.src(node)
        previous, following = node.preceding(), node.following()
        for near, at_end in ((previous, True), (following, False)):
            block = _block_of(near)
            if block is None or (node.kind in ("return_statement", "throw_statement") and not at_end):
                continue
            if at_end:
                yield Proposal(
                    (
                        Splice(
                            block.end - 1, block.end - 1, f"{subject.step}{text}\n{subject.indent(block)}"
                        ),
                        gone,
                    )
                )
            else:
                yield Proposal(
                    (
                        gone,
                        Splice(
                            block.start + 1, block.start + 1, f"\n{subject.indent(block)}{subject.step}{text}"
                        ),
                    )
                )


def copied(subject: Subject) -> Iterator[Proposal]:
    """Copy a small statement to other places of the method."""
    small = [n for n in subject.statements if n.kind == "expression_statement" and n.end - n.start < 100]
    texts = {subject.src(node): node for node in small}
    places = [n for n in subject.statements if n.kind != "block" and not alone(n)]
    for text, origin in texts.items():
        for place in places:
            if place is origin or origin.start <= place.start < origin.end:
                continue
            near = 1.0 / (1 + abs(subject.line(place.start) - subject.line(origin.start)) / 4)
            if not movable(subject, origin, place.start):
                continue
            leaves = place.kind in ("return_statement", "break_statement", "continue_statement")
            if leaves:
                yield before(subject, place, text, near * 1.5)
            elif subject.src(place.following()) != text:
                yield after(subject, place, text, 0.3 * near)


def copied_renamed(subject: Subject) -> Iterator[Proposal]:
    """A statement again, directly after itself, with one name exchanged: a forgotten field."""
    for node in subject.statements:
        if node.kind not in ("expression_statement", "local_variable_declaration") or alone(node):
            continue
        if node.end - node.start > 160:
            continue
        for text, weight in renamings(subject, node):
            if text not in subject.text:
                yield after(subject, node, text, weight)


def leave_added(subject: Subject) -> Iterator[Proposal]:
    """``break``, ``continue`` or ``return`` at the end of a branch, case or loop body."""
    for block in subject.of("block"):
        holder, last = block.parent, block.parts()[-1:]
        if holder is None or (last and last[0].kind in _SMALL[1:]):
            continue
        conditional = holder.kind in ("if_statement", "catch_clause")
        indent = subject.indent(block)
        inside = block.up(*_LOOPS, "lambda_expression")
        if conditional and inside is not None and inside.kind != "lambda_expression":
            yield insert(block.end - 1, f"{subject.step}break;\n{indent}", 1.0)
            yield insert(block.end - 1, f"{subject.step}continue;\n{indent}", 0.8)
        if conditional:
            for text, weight in defaults(subject)[:2]:
                yield insert(block.end - 1, f"{subject.step}{text}\n{indent}", 0.8 * weight)
    for group in subject.of("switch_block_statement_group"):
        parts = [p for p in group.parts() if p.kind != "switch_label"]
        if parts and parts[-1].kind not in _SMALL[1:] and group.following() is not None:
            yield after(subject, parts[-1], "break;", 4.0)


def leave_changed(subject: Subject) -> Iterator[Proposal]:
    """``break`` ↔ ``continue`` ↔ ``return``."""
    for node in subject.of("break_statement", "continue_statement"):
        other = "continue;" if node.kind == "break_statement" else "break;"
        yield replace(node, other)
        for text, weight in defaults(subject)[:1]:
            yield replace(node, text, 0.5 * weight)
    for node in subject.of("return_statement"):
        if node.up(*_LOOPS, "lambda_expression") is not None and not node.parts():
            yield replace(node, "continue;", 0.5)
            yield replace(node, "break;", 0.5)


def returned(subject: Subject) -> Iterator[Proposal]:
    """Return another value: a variable of the type, a usual value, the opposite."""
    for node in subject.of("return_statement"):
        parts = node.parts()
        if not parts or node.up("lambda_expression") is not None:
            continue
        current = parts[0]
        for variable in subject.scope(node.start):
            if variable.name != subject.src(current) and fits(variable.type, subject.returns) > 0.4:
                yield replace(current, variable.name, 1.0 if variable.kind != "field" else 0.4)
        for text, weight in defaults(subject):
            yield replace(node, text, 0.6 * weight)
        for text in throws(subject, 2):
            yield replace(node, text, 0.15)


def sorted_copy(subject: Subject) -> Iterator[Proposal]:
    """Sort a list or array before it is used, for issues that speak of order."""
    for node in subject.statements:
        if node.kind not in ("return_statement", "for_statement", "enhanced_for_statement") or alone(node):
            continue
        for variable in subject.scope(node.start):
            if variable.kind == "field" or not element(variable.type):
                continue
            if variable.type.endswith("[]"):
                text = f"{subject.qualified('java.util', 'Arrays')}.sort({variable.name});"
            elif "List" in variable.type:
                text = f"{subject.qualified('java.util', 'Collections')}.sort({variable.name});"
            else:
                continue
            if text not in subject.text:
                yield before(subject, node, text, 1.0)


def loops(subject: Subject) -> Iterator[Proposal]:
    """``if`` → ``while``, ``while`` → ``if``, backwards through a loop that counts up."""
    for node in subject.of("if_statement"):
        if node.get("alternative") is None:
            yield Proposal((Splice(node.start, node.start + 2, "while"),), 0.7)
    for node in subject.of("while_statement"):
        yield Proposal((Splice(node.start, node.start + 5, "if"),), 0.5)
    for node in subject.of("for_statement"):
        match = re.fullmatch(
            r"for \((int|long) (\w+) = ([^;]+); \2 < ([^;]+); (?:\2\+\+|\+\+\2)\)",
            " ".join(subject.text[node.start : _body_start(node)].split()),
        )
        if match:
            head = f"for ({match[1]} {match[2]} = {match[4]} - 1; {match[2]} >= {match[3]}; {match[2]}--) "
            yield Proposal((Splice(node.start, _body_start(node), head),), 0.8)


def advanced(subject: Subject) -> Iterator[Proposal]:
    """A loop that makes no step: its variables counted on at the end of the body or before ``continue``."""
    for node in subject.of("while_statement", "do_statement", "for_statement"):
        block, condition = node.get("body"), node.get("condition")
        if block is None or condition is None or block.kind != "block":
            continue
        names = dict.fromkeys(subject.src(n) for n in condition.walk() if n.kind == "identifier")
        indent = subject.indent(block)
        for name in names:
            variable = subject.variable(name, block.start)
            if variable is None or unboxed(variable.type) not in NUMERIC or variable.kind == "field":
                continue
            for step in (f"{name}++;", f"{name}--;"):
                likely = 1.0 if "++" in step else 0.4
                yield insert(block.end - 1, f"{subject.step}{step}\n{indent}", likely)
                for leave in [n for n in block.walk() if n.kind == "continue_statement"]:
                    yield before(subject, leave, step, 0.8)


def cases(subject: Subject) -> Iterator[Proposal]:
    """A missing case: a sibling again for a constant that is not covered, and a missing ``default``."""
    for block in subject.of("switch_block"):
        groups = [p for p in block.parts() if p.kind in ("switch_block_statement_group", "switch_rule")]
        labels = [n for group in groups for n in group.children if n.kind == "switch_label"]
        covered = {subject.src(label).removeprefix("case").strip() for label in labels}
        if not groups:
            continue
        for name in _uncovered(subject, covered):
            yield from _case_from(subject, groups, name)
        if "default" not in covered:
            yield from _default(subject, block, groups)


def _uncovered(subject: Subject, covered: set[str]) -> list[str]:
    """Constants spoken of in issue and file that are like the labels of a switch."""
    labels = {part.strip() for label in covered for part in label.split(",")}
    if any(label.startswith('"') for label in labels):
        return [f'"{q}"' for q in subject.hints.quoted if q and f'"{q}"' not in labels and "\\" not in q][:5]
    if any(label.startswith("'") for label in labels):
        return [f"'{q}'" for q in subject.hints.quoted if len(q) == 1 and f"'{q}'" not in labels][:5]
    if all(re.fullmatch(r"-?\d+|default", label) for label in labels):
        return [number for number in subject.hints.numbers if number not in labels][:5]
    spoken = [name for name in subject.hints.names if re.fullmatch(r"[A-Z][A-Z0-9_]+", name)]
    constants = [v.name for v in subject.fields if v.static and v.final]
    return [name for name in dict.fromkeys([*spoken, *constants]) if name not in labels][:8]


def _case_from(subject: Subject, groups: list[Node], name: str) -> Iterator[Proposal]:
    for group in groups:
        label = next((n for n in group.children if n.kind == "switch_label"), None)
        if label is None or subject.src(label).startswith("default"):
            continue
        if group.kind == "switch_rule":
            yield insert(label.end, f", {name}", 1.0)
        else:
            yield insert(group.start, f"case {name}:\n{subject.indent(group)}", 1.0)
        old = subject.src(label).removeprefix("case").strip()
        text = subject.src(group).replace(old, name)
        yield insert(group.start, f"{text}\n{subject.indent(group)}", 0.5)


def _default(subject: Subject, block: Node, groups: list[Node]) -> Iterator[Proposal]:
    indent = subject.indent(groups[-1])
    rule = groups[-1].kind == "switch_rule"
    arrow = "->" if rule else ":"
    for text in throws(subject, 2):
        yield insert(block.end - 1, f"{subject.step}default {arrow} {text}\n{indent}", 0.5)
    if not rule:
        for text, weight in defaults(subject):
            yield insert(block.end - 1, f"{subject.step}default: {text}\n{indent}", 0.5 * weight)


def unassigned(subject: Subject) -> Iterator[Proposal]:
    """A constructor or setter that forgets a field: ``this.f = f;`` for parameters of a field's name."""
    parts = subject.body.parts()
    fields = {variable.name: variable for variable in subject.fields if not variable.static}
    assigned = {subject.src(n.get("left")).removeprefix("this.") for n in subject.of("assignment_expression")}
    for parameter in subject.parameters:
        if parameter.name in fields and parameter.name not in assigned:
            text = f"this.{parameter.name} = {parameter.name};"
            if parts:
                yield after(subject, parts[-1], text, 2.0)
            else:
                yield insert(subject.body.end - 1, f" {text} ", 2.0)


def synchronised(subject: Subject) -> Iterator[Proposal]:
    """``synchronized`` and ``static`` added to or taken from the method."""
    modifiers = next((child for child in subject.node.children if child.kind == "modifiers"), None)
    kind = subject.node.get("type")
    words = subject.src(modifiers)
    if kind is None:
        return
    for word, weight in (("synchronized", 1.0), ("static", 0.3)):
        stands = re.search(rf"\b{word}\b", words)
        if stands is not None and modifiers is not None:
            at = modifiers.start + stands.start()
            yield Proposal((Splice(at, at + len(word) + 1, ""),), weight)
        elif word == "synchronized":
            yield insert(kind.start, "synchronized ", weight)


def visibility(subject: Subject) -> Iterator[Proposal]:
    """Only more: ``private`` → ``protected``, ``public`` or nothing; no fix of Defects4J hides a method."""
    modifiers = next((child for child in subject.node.children if child.kind == "modifiers"), None)
    words = ("private", "protected", "public")
    found = next((child for child in modifiers.children if child.kind in words), None) if modifiers else None
    if found is None:
        first = modifiers or subject.node.get("type_parameters") or subject.node.get("type")
        place = first or subject.node.get("name")
        if place is not None:
            yield insert(place.start, "public ", 1.0)
            yield insert(place.start, "protected ", 0.3)
        return
    for word in words[words.index(found.kind) + 1 :]:
        yield replace(found, word, 1.0)
    if found.kind == "private":
        yield Proposal((Splice(found.start, found.end + 1, ""),), 0.4)


def reset(subject: Subject) -> Iterator[Proposal]:
    """Shared state made fresh: ``field.clear()`` or a zero at the method's beginning."""
    first = next((part for part in subject.body.parts()), None)
    if first is None or first.kind == "explicit_constructor_invocation":
        return
    for variable in subject.scope(first.start):
        if variable.kind != "field" or variable.name not in subject.src(subject.body):
            continue
        if unboxed(variable.type) in NUMERIC and not variable.final:
            yield before(subject, first, f"{variable.name} = 0;", 0.6)
        elif (element(variable.type) and not variable.type.endswith("[]")) or "Map<" in variable.type:
            yield before(subject, first, f"{variable.name}.clear();", 1.0)
        elif variable.type in ("StringBuilder", "StringBuffer"):
            yield before(subject, first, f"{variable.name}.setLength(0);", 1.0)


def _block_of(node: Node | None) -> Node | None:
    """The block of an ``if`` or loop."""
    if node is None or node.kind not in ("if_statement", *_LOOPS):
        return None
    block = node.get("body") or node.get("consequence")
    return block if block is not None and block.kind == "block" else None


def _body_start(node: Node) -> int:
    body = node.get("body")
    return body.start if body is not None else node.end
