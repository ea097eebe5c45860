"""A JavaScript of functions on top level, told by regular expressions."""

import re

from nl2fix import Span, always

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_TOKEN = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|\w+|[^\s\w]")


class Script:
    name = "acme-script"
    title = "JavaScript"
    fences = ("javascript", "js")

    def tokens(self, code: str) -> list[str]:
        return _TOKEN.findall(_COMMENT.sub(" ", code))

    def strip_comments(self, code: str) -> str:
        return _COMMENT.sub("", code)

    def locate(self, text: str, entity: str) -> Span | None:
        name = re.escape(entity.partition("(")[0])
        found = list(re.finditer(rf"^function {name}\(.*?^\}}", text, re.MULTILINE | re.DOTALL))
        return Span(*found[0].span()) if len(found) == 1 else None

    def extract(self, text: str, entity: str, context: str | None = None) -> str | None:
        span = self.locate(text, entity)
        return None if span is None else text[slice(*span)]

    def signature(self, text: str, entity: str) -> str | None:
        span = self.locate(text, entity)
        return None if span is None else text[span.start : text.index("{", span.start) + 1]

    def adopt_imports(self, text: str, fragment: str) -> str:
        return text

    def only_declares(self, code: str) -> bool:
        return self.strip_comments(code).strip().startswith("function")

    def syntax_error(self, text: str) -> str | None:
        return None if text.count("{") == text.count("}") else "line 1: braces do not match"


make = always(Script())
