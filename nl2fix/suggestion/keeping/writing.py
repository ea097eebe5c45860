"""The text of one test, and of the class it stands in."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nl2fix.core.records import Problem
from nl2fix.languages.java import JAVA
from nl2fix.mutation.tree import light
from nl2fix.suggestion.keeping.checks import Asserting, Check
from nl2fix.suggestion.keeping.code import Code, Inexpressible, Names
from nl2fix.suggestion.keeping.neighbours import Place, tests_in
from nl2fix.validation.calls.sketches import Recipe
from nl2fix.validation.jvm.recipes import TakenApart

_IMPORT = re.compile(r"^import\s+(static\s+)?[^;\n]+;[^\n]*$", re.MULTILINE)
_PACKAGE = re.compile(r"^\s*package\s+[\w.]+\s*;[^\n]*$", re.MULTILINE)
_LONGEST_TITLE = 90
_ENDS = 2
"""Seconds that a test gives a call that did not end."""


@dataclass(frozen=True)
class Form:
    """How a test is written."""

    check: Check | None
    """What it looks at; ``None``: that the call throws."""
    raw: bool
    """Without type arguments."""
    throws: bool
    """The test declares exceptions."""


@dataclass(frozen=True)
class Source:
    """What is the same for all tests of a method."""

    parameters: tuple[str, ...]
    """Names of the method's."""
    level: int
    """Of the source, e.g. 8."""
    title: str
    """Of the issue; told in a comment."""


class Draft:
    """A test that nobody has tried yet. Raises ``Inexpressible`` where values have no source."""

    def __init__(self, place: Place, apart: TakenApart, form: Form, source: Source) -> None:
        self._place = place
        self._apart = apart
        self._form = form
        self._parameters = source.parameters
        self._title = " ".join(source.title.replace("\\", " ").split())[:_LONGEST_TITLE].rstrip()
        self._names = Names(place.package, place.text)
        self._code = Code(self._names, source.level, form.raw)
        self._asserting = Asserting(place.style.junit, place.style.qualified, self._names, self._code)
        self.name = self._named()
        body = self._body()
        self.code = self._method(body)
        """The test itself, with ``\\n``."""
        self.text = self._class().replace("\n", place.style.newline)
        """The whole class, in the file's own line ends."""

    # -- the call ---------------------------------------------------------------------------------

    def _body(self) -> list[str]:
        check, endless = self._form.check, not self._apart.before
        used = re.findall(r"\{(\d)\}", check.subject) if check else []
        receiver = self._receiver()
        arguments = [self._argument(i, str(i + 2) in used) for i in range(len(self._apart.call.arguments))]
        call = self._call(receiver, arguments)
        if check is None:
            ends = self._asserting.throws(self._apart.after[0].name, call)
        elif check.declared == "void":
            ends = [f"{call};"]
        else:
            subject = check.subject.format(call, receiver, *arguments)
            ends = [self._asserting.statement(check, subject)]
            if not check.subject.startswith("{0}"):
                ends.insert(0, f"{call};")
        if endless:
            ends[0] = self._asserting.ends(ends[0])
        return [*self._code.statements, *ends]

    def _receiver(self) -> str:
        recipe = self._apart.call.receiver
        if recipe is None:
            return ""
        made = self._code.value(recipe)
        return made if recipe.kind == "f" else self._held(recipe, _lower(self._code.type(recipe)), made)

    def _argument(self, place: int, asserted: bool) -> str:
        recipe = self._apart.call.arguments[place]
        made = self._code.value(recipe)
        if recipe.kind == "n" and self._form.raw:
            return f"({self._names.of(self._apart.signature.types[place])}) null"
        if not asserted or recipe.kind == "n" or (recipe.kind == "m" and recipe.parts):
            return made
        return self._held(recipe, self._parameters[place], made)

    def _held(self, recipe: Recipe, name: str, made: str) -> str:
        """A variable that holds a value."""
        variable = self._code.variable(name)
        self._code.statements.append(f"{self._code.type(recipe)} {variable} = {made};")
        return variable

    def _call(self, receiver: str, arguments: list[str]) -> str:
        signature, given = self._apart.signature, ", ".join(arguments)
        owner = self._names.of(signature.owner)
        if signature.name == "<init>":
            return f"new {owner}({given})"
        return f"{receiver or owner}.{signature.name}({given})"

    # -- the test ---------------------------------------------------------------------------------

    def _named(self) -> str:
        style, owner = self._place.style, self._apart.signature.owner
        unit = self._apart.signature.name.replace("<init>", "new" + re.split(r"[.$]", owner)[-1])
        words = [unit, *self._says()]
        if style.prefixed:
            words = ["test", *words]
        rest = words[1:] if style.underscores else [word[:1].upper() + word[1:] for word in words[1:]]
        name = ("_" if style.underscores else "").join([words[0], *rest])
        taken = {unit.name for unit in JAVA.units(self._place.text)}
        return next(n for n in (name, *(f"{name}{i}" for i in range(2, 10_000))) if n not in taken)

    def _says(self) -> list[str]:
        """What the test says, in words for its name."""
        check = self._form.check
        if check is None:
            return ["throws", re.split(r"[.$]", self._apart.after[0].name)[-1]]
        if check.declared == "void":
            return ["ends"] if not self._apart.before else ["throws", "nothing"]
        if not check.subject.startswith("{0}"):
            return ["changes", "its", "object" if check.subject.startswith("{1}") else "argument"]
        word = check.after.words[0] if check.after.kind in "vf" else ""
        if check.after.kind == "v" and check.after.name in ("Integer", "Long", "Short", "Byte"):
            return ["gives", word.replace("-", "minus")]
        if check.subject == "{0}" and check.after.name == "Boolean":
            return ["is", word]
        kinds = {"n": "null", "a": "array", "l": "list", "u": "set", "m": "map", "t": "text", "f": word}
        return ["gives", kinds.get(check.after.kind) or {"String": "text"}.get(check.after.name, "value")]

    def _method(self, body: list[str]) -> str:
        style, indent = self._place.style, self._place.style.indent
        said = [f"// {self._title}"] if self._title else []
        throws = " throws Exception" if self._form.throws else ""
        public = "public " if style.public else ""
        head = f"{public}void {self.name}(){throws}"
        mark = self._annotation()
        lines = [f"{mark} {head}" if mark and style.beside else head]
        if mark and not style.beside:
            lines.insert(0, mark)
        if style.below:
            lines.append("{")
        else:
            lines[-1] += " {"
        inner = [indent + line.replace("\t", indent) for line in (*said, *body)]
        return "\n".join(indent + line for line in (*lines, *inner, "}"))

    def _annotation(self) -> str:
        junit = self._place.style.junit
        if junit == 3:
            return ""
        mark = "@" + self._names.of("org.junit.Test" if junit == 4 else "org.junit.jupiter.api.Test")
        if junit == 4 and self._form.check is None:
            expected = f"expected = {self._names.of(self._apart.after[0].name)}.class"
            return f"{mark}({expected}{self._time(', ')})"
        return f"{mark}({self._time('')})" if junit == 4 and not self._apart.before else mark

    def _time(self, lead: str) -> str:
        return "" if self._apart.before else f"{lead}timeout = {1000 * _ENDS}"

    # -- the class --------------------------------------------------------------------------------

    def _class(self) -> str:
        text = self._place.text.replace("\r\n", "\n")
        return self._added(text) if text else self._new()

    def _new(self) -> str:
        place, style = self._place, self._place.style
        parent = f" extends {self._names.of('junit.framework.TestCase')}" if style.junit == 3 else ""
        public = "public " if style.public else ""
        opening = f"{public}class {place.name}{parent}" + ("\n{" if style.below else " {")
        package = f"package {place.package};\n\n" if place.package else ""
        imports = "\n\n".join(filter(None, map("\n".join, self._imports())))
        return f"{place.header}{package}{imports}\n\n{opening}\n{self.code}\n}}\n"

    def _added(self, text: str) -> str:
        tests = tests_in(text, self._place.style.junit)
        if not tests:
            raise Inexpressible(
                f"{self._place.name} has no test of its own that a new one could stand behind"
            )
        at = tests[-1].span.end
        line = text[at : text.find("\n", at)] if "\n" in text[at:] else text[at:]
        at += len(line) if re.fullmatch(r"\s*(//.*)?", line) else 0
        text = f"{text[:at]}\n\n{self.code}{text[at:]}"
        static, plain = self._imports()
        return _imported(_imported(text, plain, static=False), static, static=True)

    def _imports(self) -> tuple[list[str], list[str]]:
        """Lines for static methods and for classes that are not imported yet."""
        static = [f"import static {name};" for name in sorted(self._names.static)]
        return static, [f"import {name};" for name in sorted(self._names.imports)]


def parameter_names(problem: Problem) -> tuple[str, ...]:
    """Names of the parameters of a problem's method."""
    text = f"class T {{\n{problem.before}\n}}"
    root = light(JAVA.tree(text).root_node)
    parameters = next((node for node in root.walk() if node.kind == "formal_parameters"), None)
    found = []
    for part in parameters.parts() if parameters else ():
        named = next((node for node in part.walk() if node.field == "name"), None)
        found.append(text[named.start : named.end] if named else "argument")
    return tuple(found)


def _imported(text: str, lines: list[str], static: bool) -> str:
    """With imports added where they belong among those of their kind, or behind all others."""
    for line in lines:
        text = _with_import(text, line, static)
    return text


def _with_import(text: str, line: str, static: bool) -> str:
    there = list(_IMPORT.finditer(text))
    same = sorted((found for found in there if bool(found[1]) == static), key=lambda found: found[0])
    smaller = [found for found in same if found[0] < line]
    if same and not smaller:
        at = same[0].start()
        return f"{text[:at]}{line}\n{text[at:]}"
    behind = smaller[-1] if smaller else there[-1] if there else _PACKAGE.search(text)
    if behind is None:
        return f"{line}\n\n{text}"
    return f"{text[: behind.end()]}\n{'' if smaller else chr(10)}{line}{text[behind.end() :]}"


def _lower(name: str) -> str:
    """A variable's name for a class."""
    simple = re.sub(r"<.*>|\[\]", "", name).rpartition(".")[2]
    lowered = simple[:1].lower() + simple[1:]
    return f"the{simple}" if lowered == simple or lowered in JAVA.keywords else lowered
