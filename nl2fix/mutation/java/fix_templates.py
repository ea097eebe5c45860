"""The Java templates with their priors.

Priors are relative. They were set by hand from how often each kind of change occurs in published counts
of one-method bug fixes and in two public sets of such bugs, then rounded; no problem was given its own. Six
were set anew where half of a collection of real fixes asked for it (benchmarks/suggest.md has the other).
``cues`` are words of an issue that make a template likelier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from nl2fix.mutation.java import (
    conditions,
    expressions,
    guards,
    literals,
    names,
    operators,
    reuse,
    statements,
    types,
    unread,
)
from nl2fix.mutation.java.subject import Subject
from nl2fix.mutation.proposals import Proposal, Template

Propose = Callable[[Subject], Iterator[Proposal]]

_NULL = r"\bnull\b|NullPointer|\bNPE\b"
_BOUNDS = r"OutOfBounds|off[- ]by[- ]one|out of range|too (?:many|few|short|long)|\blast\b|\bfirst\b|\bmiss"
_OVERFLOW = r"overflow|negative|huge|large|big(?:ger)?\b|precision|wrong (?:sum|total)|\blong\b"
_EMPTY = r"\bempty\b|\bblank\b|\bzero\b|nothing|\bnone\b"

JAVA_TEMPLATES: tuple[tuple[Template, Propose], ...] = (
    (Template("relational operator", 10.0, _BOUNDS, 1.5), operators.relational),
    (Template("arithmetic operator", 5.0), operators.arithmetic),
    (Template("logical operator", 4.0), operators.logical),
    (Template("bitwise operator", 1.0), operators.bitwise),
    (Template("compound assignment", 1.5), operators.compound),
    (Template("increment", 1.0), operators.update),
    (Template("operands exchanged", 2.0, r"\bswap|\border\b|revers|\bsign\b"), operators.operands),
    (Template("parentheses", 1.2), operators.grouping),
    (Template("integer literal", 8.0, _BOUNDS, 1.3), literals.integers),
    (Template("size for number", 1.0), literals.sizes),
    (Template("floating literal", 1.0), literals.floats),
    (Template("lowest number", 8.0, r"negative|minus|below (?:0|zero)", 2.0), literals.lowest),
    (Template("boolean literal", 3.0), literals.booleans),
    (Template("usual value", 1.0), literals.usual_values),
    (Template("variable for null", 1.0), literals.nulls),
    (Template("text literal", 5.0), literals.texts),
    (Template("quoted text", 1.0), literals.quoted),
    (Template("character literal", 2.5), literals.characters),
    (Template("literals exchanged", 1.5, r"\bswap|revers|opposite"), literals.exchanged),
    (Template("literal everywhere", 1.0), literals.replaced_everywhere),
    (Template("variable", 7.0), names.variables),
    (Template("variables exchanged", 2.0, r"\bswap|revers|\border\b"), names.exchanged),
    (Template("variable everywhere in statement", 0.8), names.renamed_call),
    (Template("unread variable", 2.0), unread.replacing),
    (Template("unread variable joined", 1.0), unread.joining),
    (Template("constant", 2.0), names.constants),
    (Template("called method", 6.0), names.methods),
    (Template("arguments exchanged", 3.0, r"\bswap|revers|\border\b|mixed up"), names.arguments_exchanged),
    (Template("argument dropped", 1.5), names.arguments_dropped),
    (Template("argument added", 1.5), names.arguments_added),
    (Template("arguments of another call", 1.0), reuse.arguments),
    (Template("called method everywhere", 1.0), names.methods_everywhere),
    (Template("field or local", 2.0), names.qualified),
    (Template("member of other", 1.0, r"equal|compar"), names.members),
    (Template("one more or less", 5.0, _BOUNDS, 2.0), names.one_more),
    (Template("sign", 1.0, r"negative|\bsign\b|absolute"), names.negated_numbers),
    (Template("operand dropped", 8.0), expressions.operand_dropped),
    (Template("call dropped", 3.0), expressions.call_dropped),
    (Template("unary dropped", 2.0), expressions.unary_dropped),
    (Template("cast dropped", 0.5), expressions.cast_dropped),
    (Template("ternary", 1.0), expressions.ternary),
    (Template("condition negated", 3.0, r"opposite|invert|revers|never|always"), expressions.negated),
    (Template("condition reused", 1.5), expressions.conjunct_reused),
    (Template("condition repeated renamed", 1.5, r"equal|hash|ignor|missing"), expressions.conjunct_renamed),
    (Template("condition added", 1.5, _EMPTY, 2.0), expressions.conjunct_new),
    (Template("negation regrouped", 1.0, r"opposite|invert|never|always|only"), conditions.regrouped),
    (Template("state checked", 1.0), conditions.state_checked),
    (Template("refused first", 0.7, _EMPTY, 2.0), conditions.refused),
    (Template("check of another method", 1.0), reuse.checks),
    (Template("quoted value checked", 3.0), expressions.conjunct_quoted),
    (Template("call wrapped", 1.0), expressions.call_wrapped),
    (Template("text call added", 1.0, r"\bcase\b|space|trim|blank|upper|lower"), expressions.text_call_added),
    (Template("arithmetic added", 1.0), expressions.arithmetic_added),
    (Template("null return", 2.0, _NULL, 6.0), guards.null_return),
    (Template("null parameter", 2.0, _NULL, 6.0), guards.null_parameter),
    (Template("null after", 0.7, _NULL, 6.0), guards.null_after),
    (Template("null wrapped", 2.0, _NULL, 6.0), guards.null_wrapped),
    (Template("null condition", 2.0, _NULL, 6.0), guards.null_condition),
    (Template("null checked", 1.0, _NULL, 6.0), conditions.null_checked),
    (Template("null ternary", 1.0, _NULL, 6.0), guards.null_ternary),
    (Template("null default", 0.5, _NULL, 6.0), guards.null_default),
    (
        Template("early return", 2.0, _EMPTY + r"|StackOverflow|recurs|endless|infinite", 3.0),
        guards.early_return,
    ),
    (Template("early return by state", 0.5), conditions.state_guard),
    (Template("guard of another method", 1.5), reuse.guards),
    (Template("call of another method", 0.5, r"\bmiss|forg|never|not (?:all|every)", 2.0), reuse.calls),
    (Template("bounds", 1.0, _BOUNDS, 4.0), guards.bounds),
    (Template("guard dropped", 2.0), guards.guard_dropped),
    (Template("caught", 0.5, r"Exception|crash|throws", 3.0), guards.caught),
    (Template("finally", 0.2, r"leak|reset|clos(?:e|ing)|left over|state", 3.0), guards.try_finally),
    (
        Template("statement removed", 7.0, r"twice|duplicate|double|extra|too (?:many|much)", 2.0),
        statements.removed,
    ),
    (Template("else removed", 0.7), statements.else_removed),
    (Template("else added", 1.5), statements.else_added),
    (Template("else of the outer", 2.0), statements.else_of_outer),
    (Template("else narrowed", 0.5), conditions.else_narrowed),
    (Template("branches exchanged", 0.7), statements.branches),
    (Template("neighbours exchanged", 2.0, r"\border\b|before|after|first", 2.0), statements.neighbours),
    (Template("statement moved", 1.5), statements.moved),
    (Template("statement moved in", 1.0), statements.moved_in),
    (Template("statement copied", 1.0, r"\bmiss|forg|never|not (?:all|every)", 2.0), statements.copied),
    (
        Template("statement repeated renamed", 1.0, r"equal|hash|copy|\bmiss|forg|lost", 3.0),
        statements.copied_renamed,
    ),
    (
        Template("leave added", 3.0, r"fall|both|twice|also|endless|hang|infinite", 2.0),
        statements.leave_added,
    ),
    (Template("leave changed", 1.5), statements.leave_changed),
    (Template("return value", 4.0), statements.returned),
    (Template("sorted", 1.0, r"\bsort|\border", 4.0), statements.sorted_copy),
    (Template("loop", 1.0, r"revers|backward|endless|hang|infinite", 1.5), statements.loops),
    (
        Template(
            "loop step", 0.5, r"endless|hang|infinite|never (?:ends|returns|stops|finish)|100 ?%|loop", 8.0
        ),
        statements.advanced,
    ),
    (
        Template("case", 1.0, r"\bcase\b|unsupported|unknown|not (?:handled|supported|recogni)", 2.0),
        statements.cases,
    ),
    (Template("field not assigned", 2.0), statements.unassigned),
    (Template("modifier", 0.2, r"thread|concurren|race|static|shared", 3.0), statements.synchronised),
    (Template("visibility", 0.3, r"public|private|protected|visib|access", 4.0), statements.visibility),
    (
        Template("reset", 0.3, r"second|again|stale|left over|previous|remember|twice|state|leak|keeps", 6.0),
        statements.reset,
    ),
    (Template("wider type", 2.0, _OVERFLOW, 4.0), types.widened),
    (Template("cast", 2.0, _OVERFLOW + r"|decimal|fraction|round|truncat|integer|percent", 3.0), types.cast),
    (Template("cast moved", 1.0, _OVERFLOW, 3.0), types.cast_moved),
    (Template("exact arithmetic", 0.5, _OVERFLOW + r"|modul|ArithmeticException", 4.0), types.exact),
    (Template("exception type", 3.0, r"\w+Exception|catch|throw", 4.0), types.thrown),
    (Template("equality", 2.0, r"equal|same|compar|match|identical", 2.5), types.equality),
    (Template("array call", 1.0, r"array|hash|equal", 2.0), types.array_calls),
    (
        Template(
            "locale",
            1.0,
            r"locale|turkish|german|french|language|charset|encoding|umlaut|zone|comma|machine",
            8.0,
        ),
        types.locale,
    ),
    (
        Template("copy", 1.5, r"copy|shared|alias|modif|chang|mutat|Concurrent|outside|caller", 4.0),
        types.copies,
    ),
    (Template("collection", 0.5, r"\border|sorted|random", 4.0), types.created),
    (Template("removal by value", 1.0, r"remov|delet", 4.0), types.removal),
    (Template("overload", 0.7, r"overload|wrong method", 3.0), types.overloads),
    (Template("decimal", 1.0, r"BigDecimal|decimal|rounding|Non-terminating", 3.0), types.decimals),
    (Template("rounded", 0.5, r"round|truncat|cent\b|fraction|half|page", 4.0), types.rounded),
    (Template("instance check", 0.5, r"ClassCast|instanceof|equals", 5.0), types.instance),
)
