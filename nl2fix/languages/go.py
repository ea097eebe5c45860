"""Go."""

from __future__ import annotations

from nl2fix.core.registry import always
from nl2fix.languages.curly import Curly
from nl2fix.languages.curly.traits import Traits, scanner
from nl2fix.languages.flow import Rules

# fmt: off
_KEYWORDS = frozenset(
    {"break", "case", "chan", "const", "continue", "default", "defer", "else", "fallthrough", "for", "func",
    "go", "goto", "if", "import", "interface", "map", "package", "range", "return", "select", "struct",
    "switch", "type", "var"}
)
# fmt: on
_STRINGS = r'"(?>(?:[^"\\\r\n]++|\\[^\r\n])*)"|`[^`]*`' + r"|'(?>(?:[^'\\\r\n]++|\\[^\r\n])*)'"
_OPERATORS = r"<<=|>>=|&\^=|\.\.\.|&&|\|\||<-|\+\+|--|:=|&\^|[-+*/%&|^!=<>]=|<<|>>"
_NUMBERS = (
    r"0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]+)?i?|0[bB][01_]+i?|0[oO][0-7_]+i?"
    r"|(?:[0-9][0-9_]*(?:\.(?:[0-9][0-9_]*)?)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9_]+)?i?"
)

GO = Curly(
    Traits(
        name="go",
        title="Go",
        fences=("go", "golang"),
        grammar="tree_sitter_go",
        pattern=scanner(_STRINGS, _OPERATORS, _NUMBERS, r"\w+"),
        keywords=_KEYWORDS,
        literals=frozenset({"true", "false", "nil", "iota"}),
        functions=frozenset({"function_declaration", "method_declaration"}),
        owners=frozenset(),
        imports=frozenset({"import_declaration"}),
        flow=Rules(
            declarations=frozenset({"var_spec", "const_spec"}),
            assignments=frozenset({"assignment_statement", "short_var_declaration"}),
            updates=frozenset({"inc_statement", "dec_statement"}),
            branches=frozenset({"if_statement"}),
            alternatives=frozenset({"if_statement", "else"}),
            each_loops=frozenset({"range_clause"}),
            counting_loops=frozenset({"for_statement"}),
            tuples=True,
        ),
    )
)

make = always(GO)
