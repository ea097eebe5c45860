"""JavaScript."""

from __future__ import annotations

from nl2fix.core.registry import always
from nl2fix.languages.curly import Curly
from nl2fix.languages.curly.traits import Traits, scanner
from nl2fix.languages.flow import Rules

# fmt: off
_KEYWORDS = frozenset(
    {"async", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default",
    "delete", "do", "else", "export", "extends", "finally", "for", "function", "if", "import", "in",
    "instanceof", "let", "new", "of", "return", "static", "super", "switch", "this", "throw", "try",
    "typeof", "var", "void", "while", "with", "yield"}
)
# fmt: on
# A slash begins a regular expression where no operand stands before it.
_BEFORE_REGEX = r"(?:(?<=[(,=:\[!&|?{};+*%~^<>\r\n-])|(?<=[(,=:\[!&|?{};]\ )|(?<=return\ ))"
_REGEX = (
    rf"{_BEFORE_REGEX}/(?![*/])"
    r"(?>(?:[^/\\\[\r\n]++|\\[^\r\n]|\[(?>(?:[^\]\\\r\n]++|\\[^\r\n])*)\])+)/[a-z]*"
)
_STRINGS = (
    r'"(?>(?:[^"\\\r\n]++|\\(?:\r\n|[\s\S]))*)"'
    r"|'(?>(?:[^'\\\r\n]++|\\(?:\r\n|[\s\S]))*)'"
    rf"|`(?>(?:[^`\\]++|\\[\s\S])*)`|{_REGEX}"
)
_OPERATORS = (
    r">>>=|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|\.\.\.|=>|\?\?|\?\."
    r"|[-+*/%&|^!=<>]=|&&|\|\||\+\+|--|<<|>>|\*\*"
)
_NUMBERS = (
    r"0[xX][0-9a-fA-F_]+n?|0[bB][01_]+n?|0[oO][0-7_]+n?"
    r"|(?:[0-9][0-9_]*(?:\.(?:[0-9][0-9_]*)?)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9_]+)?n?"
)

JAVASCRIPT = Curly(
    Traits(
        name="javascript",
        title="JavaScript",
        fences=("javascript", "js", "node", "jsx", "mjs", "ecmascript"),
        grammar="tree_sitter_javascript",
        pattern=scanner(_STRINGS, _OPERATORS, _NUMBERS, r"\#?[\w$]+"),
        keywords=_KEYWORDS,
        literals=frozenset({"true", "false", "null", "undefined", "NaN", "Infinity"}),
        functions=frozenset(
            {
                "function_declaration",
                "generator_function_declaration",
                "method_definition",
                "variable_declarator",
            }
        ),
        owners=frozenset({"class_declaration", "function_declaration", "method_definition"}),
        imports=frozenset({"import_statement", "lexical_declaration", "variable_declaration"}),
        wrapper=("class $Fragment {\n", "\n}"),
        flow=Rules(
            declarations=frozenset({"variable_declarator"}),
            assignments=frozenset({"assignment_expression", "augmented_assignment_expression"}),
            updates=frozenset({"update_expression"}),
            branches=frozenset({"if_statement"}),
            alternatives=frozenset({"if_statement", "else_clause"}),
            each_loops=frozenset({"for_in_statement"}),
            loops=frozenset({"while_statement"}),
            counting_loops=frozenset({"for_statement"}),
        ),
    )
)

make = always(JAVASCRIPT)
