"""C++."""

from __future__ import annotations

from nl2fix.core.registry import always
from nl2fix.languages.curly import Curly
from nl2fix.languages.curly.traits import Traits, scanner
from nl2fix.languages.flow import Rules

# fmt: off
_KEYWORDS = frozenset(
    {"alignas", "alignof", "and", "asm", "auto", "bool", "break", "case", "catch", "char", "class", "const",
    "const_cast", "consteval", "constexpr", "constinit", "continue", "co_await", "co_return", "co_yield",
    "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit", "export",
    "extern", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new",
    "noexcept", "not", "operator", "or", "private", "protected", "public", "register", "reinterpret_cast",
    "requires", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct",
    "switch", "template", "this", "thread_local", "throw", "try", "typedef", "typeid", "typename", "union",
    "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", "xor"}
)
# fmt: on
_STRINGS = (
    r'(?:u8|[uUL])?R"(?P<_raw>[^()\\\s]{0,16})\([\s\S]*?\)(?P=_raw)"'
    r'|(?:u8|[uUL])?"(?>(?:[^"\\\r\n]++|\\(?:\r\n|[\s\S]))*)"'
    r"|(?:u8|[uUL])?'(?>(?:[^'\\\r\n]++|\\[^\r\n])*)'"
)
_OPERATORS = r"<=>|<<=|>>=|->\*|\.\.\.|::|->|\.\*|[-+*/%&|^!=<>]=|&&|\|\||\+\+|--|<<|\#\#"
_NUMBERS = (
    r"0[xX][0-9a-fA-F']*(?:\.[0-9a-fA-F']*)?(?:[pP][+-]?[0-9]+)?[uUlLfFzZ]*|0[bB][01']+[uUlLzZ]*"
    r"|(?:[0-9][0-9']*(?:\.(?:[0-9][0-9']*)?)?|\.[0-9][0-9']*)(?:[eE][+-]?[0-9]+)?[uUlLfFzZ]*"
)

CPP = Curly(
    Traits(
        name="cpp",
        title="C++",
        fences=("cpp", "c++", "cc", "cxx", "c"),
        grammar="tree_sitter_cpp",
        pattern=scanner(_STRINGS, _OPERATORS, _NUMBERS, r"\w+"),
        keywords=_KEYWORDS,
        literals=frozenset({"true", "false", "nullptr", "NULL"}),
        functions=frozenset({"function_definition"}),
        owners=frozenset({"class_specifier", "struct_specifier", "namespace_definition"}),
        imports=frozenset({"preproc_include", "using_declaration"}),
        flow=Rules(
            declarations=frozenset({"init_declarator"}),
            declared_fields=("declarator", "value"),
            assignments=frozenset({"assignment_expression"}),
            updates=frozenset({"update_expression"}),
            branches=frozenset({"if_statement"}),
            alternatives=frozenset({"if_statement", "else_clause"}),
            each_loops=frozenset({"for_range_loop"}),
            each_fields=("declarator", "right"),
            loops=frozenset({"while_statement"}),
            counting_loops=frozenset({"for_statement"}),
        ),
    )
)

make = always(CPP)
