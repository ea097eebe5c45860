"""Rust."""

from __future__ import annotations

from nl2fix.core.registry import always
from nl2fix.languages.curly import Curly
from nl2fix.languages.curly.traits import NESTED, Traits, scanner
from nl2fix.languages.flow import Rules

# fmt: off
_KEYWORDS = frozenset(
    {"as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "fn",
    "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self",
    "Self", "static", "struct", "super", "trait", "type", "unsafe", "use", "where", "while"}
)
# fmt: on
_STRINGS = (
    r'[bc]?r(?P<_raw>\#*)"[\s\S]*?"(?P=_raw)|[bc]?"(?>(?:[^"\\]++|\\[\s\S])*)"'
    + r"|b?'(?:[^'\\\r\n]|\\(?:u\{[0-9a-fA-F_]*\}|x[0-9a-fA-F]{2}|[^\r\n]))'|'\w+"
)
_OPERATORS = r"<<=|>>=|\.\.\.|\.\.=|::|->|=>|\.\.|[-+*/%&|^!=<>]=|&&|\|\||<<"
_NUMBERS = (
    r"0[xX][0-9a-fA-F_]+(?:[iu]\w+)?|0[bB][01_]+(?:[iu]\w+)?|0[oO][0-7_]+(?:[iu]\w+)?"
    r"|[0-9][0-9_]*(?:\.(?![.\w])|\.[0-9][0-9_]*)?(?:[eE][+-]?[0-9_]+)?(?:[iuf](?:8|16|32|64|128|size))?"
)

RUST = Curly(
    Traits(
        name="rust",
        title="Rust",
        fences=("rust", "rs"),
        grammar="tree_sitter_rust",
        pattern=scanner(_STRINGS, _OPERATORS, _NUMBERS, r"\w+", NESTED),
        keywords=_KEYWORDS,
        literals=frozenset({"true", "false"}),
        functions=frozenset({"function_item"}),
        owners=frozenset({"impl_item", "mod_item", "trait_item"}),
        imports=frozenset({"use_declaration", "extern_crate_declaration"}),
        flow=Rules(
            declarations=frozenset({"let_declaration"}),
            declared_fields=("pattern", "value"),
            assignments=frozenset({"assignment_expression", "compound_assignment_expr"}),
            branches=frozenset({"if_expression"}),
            alternatives=frozenset({"if_expression", "else_clause"}),
            each_loops=frozenset({"for_expression"}),
            each_fields=("pattern", "value"),
            loops=frozenset({"while_expression", "loop_expression"}),
        ),
    )
)

make = always(RUST)
