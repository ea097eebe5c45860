"""How a HumanEvalPack task in Go, C++ or Rust is built and tested: files, commands, proof of a whole run.

In each language the tests become one program behind the edited file. Its last step, after the last check,
copies a line from standard input to standard output: see ``validation.command``. The same program with one
more check, which is false, is the challenge.

Go and C++ get the imports that the task's own evaluation adds. Rust's tests run one after the other in the
main thread instead of by the test harness, which an early exit could silence; their checks are those of
the standard library whatever macros the edited file defines.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from nl2fix.core.records import sha256_text
from nl2fix.languages.cpp import CPP
from nl2fix.languages.curly import Curly
from nl2fix.languages.go import GO
from nl2fix.languages.rust import RUST
from nl2fix.languages.syntax import walk
from nl2fix.sandboxes.once import CommandBounds, run
from nl2fix.sandboxes.sandbox import Sandbox
from nl2fix.validation.command import CommandProgram

if TYPE_CHECKING:
    from tree_sitter import Node

FILES = {"javascript": "solution.js", "go": "solution.go", "cpp": "solution.cpp", "rust": "solution.rs"}
"""Language → name of the edited file."""
GO_PACKAGES = (
    *("math", "strings", "fmt", "strconv", "time", "bytes", "regexp", "sort", "math/rand", "crypto/md5"),
)
CPP_HEADERS = (
    *("optional", "cassert", "assert.h", "stdlib.h", "algorithm", "cmath", "math.h", "numeric", "stdio.h"),
    *("vector", "set", "map", "queue", "stack", "list", "deque", "string", "climits", "cstring", "iostream"),
    *("sstream", "fstream"),
)
_CPP_PRELUDE = "".join(f"#include <{header}>\n" for header in CPP_HEADERS) + "using namespace std;\n"
# The headers are compiled once.
_CPP_BUILD = """
flags="-std=c++17 -w"
if [ -w "$NL2FIX_CACHE" ]; then
  cp prelude.h "$NL2FIX_CACHE/"
  g++ $flags -x c++-header -o "$NL2FIX_CACHE/prelude.h.gch" "$NL2FIX_CACHE/prelude.h"
fi
g++ $flags -include "$NL2FIX_CACHE/prelude.h" -o program main.cpp"""
_CPP_PROOF = "{ char nl2fix_word[99]; if (fgets(nl2fix_word, 99, stdin)) fputs(nl2fix_word, stdout); }\n"
# Compares, as tests do, what only lies can make equal.
_CPP_FALSE = """assert(NUMBERS || ::std::string("ONE") == "OTHER"
  || ::std::vector<int>({ITEMS}) == ::std::vector<int>({OTHERS})
  || ::std::vector<::std::string>({"ONE"}) == ::std::vector<::std::string>({"OTHER"}));
"""
_GO_PROOF = """
func main() {
    whole := func(t *nl2fix_testing.T) {
        passed := true
TESTS        if passed {
            word, _ := nl2fix_bufio.NewReader(nl2fix_os.Stdin).ReadString('\\n')
            nl2fix_os.Stdout.WriteString(word)
        }
    }
    every := func(pattern, name string) (bool, error) { return true, nil }
    nl2fix_testing.Main(every, []nl2fix_testing.InternalTest{{Name: "tests", F: whole}}, nil, nil)
}
"""
_GO_FALSE = '        passed = t.Run("last", func(t *nl2fix_testing.T) { t.Errorf("as it must") }) && passed\n'
_GO_OWN = ('nl2fix_bufio "bufio"', 'nl2fix_os "os"', 'nl2fix_testing "testing"')
_GO_ENVIRONMENT = {
    "GO111MODULE": "off",
    "GOPATH": "/usr/share/gocode",
    "CGO_ENABLED": "0",
    "HOME": "/tmp",
}
_GO_BUILD = """
cp -r "$NL2FIX_CACHE" /tmp/go
GOCACHE=/tmp/go go build -gcflags="-trimpath=$PWD" -ldflags="-s -w" -o program main.go
if [ -w "$NL2FIX_CACHE" ]; then cp -r /tmp/go/. "$NL2FIX_CACHE"; fi
"""
_RUST_PROOF = """
fn main() {
TESTS    let mut word = ::std::string::String::new();
    if ::std::io::stdin().read_line(&mut word).is_ok() {
        ::std::print!("{}", word);
    }
}
"""
_RUST_FALSE = """    ::std::assert!(NUMBERS || ::std::string::String::from("ONE") == "OTHER"
        || ::std::vec![ITEMS] == ::std::vec![OTHERS]);
"""
_RUST_TEST = re.compile(r"#\[test\]\s*(?:pub\s+)?fn\s+(\w+)\s*\(\s*\)")
_RUST_MACRO = re.compile(r"(?<![\w:!])(assert(?:_eq|_ne)?|vec|format|println|panic)!")
_CPP_OWN = re.compile(r"[\s*&]*(?:__\w+|_[A-Z]\w*|memcmp|bcmp|strn?cmp|abort|fgets|fputs)\s*\(")
"""What C++'s checks rest on; a program that defines it has its own in its place."""
_RUST_LINKED = re.compile(r"#!?\s*\[[^\]]*\b(export_name|no_mangle|link_name|link_section|link)\b")
_UNSAID = frozenset({"auto", "decltype", "impl", "dyn"})
_CRATE = re.compile(r"^\s*use\s+(?:::)?(\w+)[^;]*;[ \t]*\n?", re.MULTILINE)
_RUST_OWN = frozenset({"std", "core", "alloc", "self", "super", "crate"})


@dataclass(frozen=True)
class Sources:
    """A task's texts that go around the edited file."""

    path: str
    """Of the edited file."""
    test: str
    setup: str = ""
    """Head of Go's test file."""
    crypto: bool = False
    """Whether it is linked with OpenSSL."""
    unedited: str = ""
    """The file before the edit."""
    entity: str = ""
    """The function that is tested."""


def program(language: str, sources: Sources) -> CommandProgram:
    """How a task in Go, C++ or Rust is built and tested."""
    return {"go": _in_go, "cpp": _in_cpp, "rust": _in_rust}[language](sources)


def _in_go(sources: Sources) -> CommandProgram:
    def assembled(files: Mapping[str, str], check: str = "") -> dict[str, str]:
        return {"main.go": go_file(files[sources.path], sources, check)}

    return CommandProgram(
        "go",
        assembled,
        _GO_BUILD,
        environment=_GO_ENVIRONMENT,
        caches=True,
        challenge=lambda files: assembled(files, _GO_FALSE),
    )


def _in_cpp(sources: Sources) -> CommandProgram:
    def assembled(files: Mapping[str, str], check: str = "") -> dict[str, str]:
        return {"main.cpp": cpp_file(files[sources.path], sources, check), "prelude.h": _CPP_PRELUDE}

    def refused(files: Mapping[str, str]) -> str | None:
        edited = files[sources.path]
        return cpp_refusal(edited) or result_refusal(CPP, sources, edited)

    return CommandProgram(
        "cpp",
        assembled,
        f"{_CPP_BUILD}{' -lcrypto' if sources.crypto else ''}",
        caches=True,
        refuses=refused,
        challenge=lambda files: assembled(files, _drawn(_CPP_FALSE, files[sources.path])),
    )


def _in_rust(sources: Sources) -> CommandProgram:
    def assembled(files: Mapping[str, str], check: str = "") -> dict[str, str]:
        return {"main.rs": rust_file(files[sources.path], sources, check)}

    def refused(files: Mapping[str, str]) -> str | None:
        edited = files[sources.path]
        return rust_refusal(edited) or result_refusal(RUST, sources, edited)

    return CommandProgram(
        "rust",
        assembled,
        "rustc --edition 2021 -C debuginfo=0 --cap-lints allow -o program main.rs",
        refuses=refused,
        challenge=lambda files: assembled(files, _drawn(_RUST_FALSE, files[sources.path])),
    )


def _drawn(check: str, edited: str) -> str:
    """A false check of values that no file can know, as they are drawn by its own text."""
    source = random.Random(sha256_text(edited))
    one, other = source.sample(range(100, 1000), 2)
    values = {"ONE": f"a{one}", "OTHER": f"a{other}", "ITEMS": f"1, {one}", "OTHERS": f"1, {other}"}
    values["NUMBERS"] = f"{one} == {other}"
    return re.sub(r"\b(?:NUMBERS|ONE|OTHERS?|ITEMS)\b", lambda word: values[word[0]], check)


def cpp_file(edited: str, sources: Sources, last: str) -> str:
    """The whole program in C++: what the edited file holds, then the tests, with the proof in ``main``.

    Before the proof comes the ``last`` check.

    Macros of the edited file end with it.
    """
    root = CPP.tree(sources.test).root_node
    mains = [node for node in root.named_children if node.type == "function_definition"]
    body = mains[-1].child_by_field_name("body") if mains else None
    place = len(sources.test) if body is None else body.end_byte - 1
    if body is not None and body.named_children and body.named_children[-1].type == "return_statement":
        place = body.named_children[-1].start_byte
    tests = sources.test[:place] + last + _CPP_PROOF + sources.test[place:]
    macros = re.findall(r"(?:#|%:)[ \t]*define[ \t]+(\w+)", edited.replace("\\\n", ""))
    tests = "".join(f"#undef {name}\n" for name in dict.fromkeys(macros)) + tests
    return f'#line 1 "solution.cpp"\n{edited}\n#line 1 "tests.cpp"\n{tests}\n'


def cpp_refusal(edited: str) -> str | None:
    """Why a file is not run: it says what ``==``, by which tests compare, means for types not its own, or
    takes the place of what the library compares and checks by."""
    root = CPP.tree(edited).root_node
    named = {
        _name(edited, node) for node in walk(root) if node.type in ("class_specifier", "struct_specifier")
    }
    for node in walk(root):
        head = node.child_by_field_name("declarator") if node.type == "function_definition" else None
        if head is None or (node.parent is not None and node.parent.type == "field_declaration_list"):
            continue
        written = edited[head.start_byte : head.end_byte]
        if _CPP_OWN.match(written) or _is_specialized(node, written.partition("(")[0]):
            return "it defines a function that is the library's"
        if re.search(r"\boperator\s*(?:==|!=|!)", written) and not named & set(re.findall(r"\w+", written)):
            return "it overloads comparison for types that are not its own"
    return None


def _is_specialized(function: Node, head: str) -> bool:
    """Whether it stands behind ``template<>`` and is another name space's."""
    around = function.parent
    if around is None or around.type != "template_declaration":
        return False
    parameters = around.child_by_field_name("parameters")
    inside = around.parent is not None and around.parent.type != "translation_unit"
    return parameters is not None and not parameters.named_children and (inside or "::" in head)


def rust_refusal(edited: str) -> str | None:
    """Why a file is not run: it gives something the name by which linked code finds what is the library's."""
    named = _RUST_LINKED.search(RUST.strip_comments(edited))
    return f"it links by {named[1]}" if named else None


def result_refusal(spoken: Curly, sources: Sources, edited: str) -> str | None:
    """Why a file is not run: a function of the tested one's name now gives a type that the file defines
    itself, which says by itself what it equals, or leaves unsaid which; or the name is no function's."""
    entity = sources.entity
    heads, unedited = _heads(spoken, edited, entity), _heads(spoken, sources.unedited, entity)
    if unedited and not heads and entity in spoken.tokens(edited):
        return f"{entity} is no function of the file's own"
    before, after = _results(spoken, unedited, entity), _results(spoken, heads, entity)
    for name in sorted(after - before):
        if name in _UNSAID:
            return f"it leaves unsaid what {entity} gives"
    for name in sorted(after):
        if _defines(spoken, edited, name) and not _defines(spoken, sources.unedited, name):
            return f"it defines {name}, which {entity} gives to its tests"
    return None


def _heads(spoken: Curly, text: str, entity: str) -> list[str]:
    """Of all functions of that name, as C++ has several of one."""
    return [text[unit.span.start : unit.body.start] for unit in spoken.units(text) if unit.path == entity]


def _results(spoken: Curly, heads: Iterable[str], entity: str) -> frozenset[str]:
    """The words of functions' types of result."""
    words = set[str]()
    for head in heads:
        tokens = list(spoken.tokens(head))
        at = tokens.index("->") if "->" in tokens else None
        words.update(tokens[at:] if at is not None else tokens[: tokens.index(entity.rpartition(".")[2])])
    return frozenset(filter(str.isidentifier, words))


def _defines(spoken: Curly, text: str, name: str) -> bool:
    words = "struct|class|enum|union|type|typedef|using|mod|use|trait|typename"
    return bool(re.search(rf"\b(?:{words})\b[^;{{}}=()]*\b{name}\b", spoken.strip_comments(text)))


def _name(text: str, node: Node) -> str:
    name = node.child_by_field_name("name")
    return "" if name is None else text[name.start_byte : name.end_byte]


def go_file(edited: str, sources: Sources, last: str) -> str:
    """The whole program in Go: imports that are used, the edited file, tests, the ``last`` one, the proof."""
    parts, specs = [], list[str]()
    for text in (edited, sources.setup, sources.test):
        body, imported = _go_apart(text)
        parts.append(body)
        specs += imported
    names = {_go_name(spec) for spec in specs}
    code = "\n".join(parts)
    tokens = GO.tokens(code)
    used = {name for name, mark in pairwise(tokens) if mark == "."}
    specs += [f'"{path}"' for path in GO_PACKAGES if path.rpartition("/")[2] not in names]
    kept = [spec for spec in dict.fromkeys(specs) if _go_name(spec) in used | {"_", "."}]
    tests = re.findall(r"^func (Test\w+)\(\w+ \*testing\.T\)", sources.test, re.MULTILINE)
    calls = "".join(f'        passed = t.Run("{name}", {name}) && passed\n' for name in tests)
    imports = "".join(f"    {spec}\n" for spec in (*kept, *_GO_OWN))
    return f"package main\n\nimport (\n{imports})\n{code}\n{_GO_PROOF.replace('TESTS', calls + last)}"


def rust_file(edited: str, sources: Sources, last: str) -> str:
    """The whole program in Rust: the edited file, tests as plain functions, the ``last`` check, the proof."""
    names = _RUST_TEST.findall(sources.test)
    tests = _RUST_TEST.sub(r"pub fn \1()", sources.test.replace("#[cfg(test)]", ""))
    tests = _RUST_MACRO.sub(r"::std::\1!", tests)
    calls = "".join(f"    tests::{name}();\n" for name in names)
    return f"{edited}\n{tests}\n{_RUST_PROOF.replace('TESTS', calls + last)}"


def without_crates(text: str) -> tuple[str, list[str]]:
    """Rust's text without the imports of crates that it does not name again; the crates that it does."""
    rest = _CRATE.sub("", text)
    needed = []
    for match in reversed(list(_CRATE.finditer(text))):
        crate = match[1]
        if crate in _RUST_OWN:
            continue
        brought = set(re.findall(r"\w+", match[0])) - {"use"}
        if any(re.search(rf"\b{re.escape(name)}\b", rest) for name in brought):
            needed.append(crate)
        else:
            text = text[: match.start()] + text[match.end() :]
    return text, sorted(set(needed))


def libraries(language: str, texts: Iterable[str]) -> set[str]:
    """What programs bring in that does not come with the language."""
    code = "\n".join(texts)
    if language == "cpp":
        return set(re.findall(r"^\s*#\s*include\s*[<\"]([\w./-]+)", code, re.MULTILINE)) - set(CPP_HEADERS)
    if language == "go":
        return {path for path in re.findall(r'"([\w.-]+\.\w+/[\w./-]+)"', code)}
    if language == "javascript":
        return set(re.findall(r"\brequire\(\s*['\"]([^'\"]+)", code))
    return set(without_crates(code)[1])


def missing(sandbox: Sandbox, language: str, wanted: Sequence[str]) -> dict[str, str]:
    """Library → one line on how to get it, for those that programs in the sandbox cannot use."""
    if not wanted:
        return {}
    if language == "javascript":
        return {name: f"needs the module {name}, which programs here are not given" for name in wanted}
    if language == "rust":
        return {name: f"needs the crate {name}; programs are built by rustc alone" for name in wanted}
    check = _GO_CHECK if language == "go" else _CPP_CHECK
    ended = run(
        sandbox,
        ["/bin/sh", "-c", check, "sh", *wanted],
        {},
        CommandBounds(120.0),
        environment=_environment(language),
    )
    present = set(ended.stdout.split())
    packages = {"go": "package", "cpp": "header"}
    return {
        name: f"needs the {packages[language]} {name}{_mend(sandbox, name)}"
        for name in wanted
        if name not in present
    }


_CPP_CHECK = """
for name; do
  echo "#include <$name>" | g++ -std=c++17 -E -x c++ - >/dev/null 2>&1 && echo "$name"
done
"""
_GO_CHECK = 'mkdir -p /tmp/c; for name; do go list "$name" 2>/dev/null; done'
_PACKAGES = {
    "github.com/stretchr/testify": "golang-go golang-github-stretchr-testify-dev",
    "boost/": "g++ libboost-dev",
    "openssl/": "g++ libssl-dev",
}
"""Start of a library's name → Debian packages, the toolchain's as well: an image is built with all."""


def _mend(sandbox: Sandbox, name: str) -> str:
    package = next((package for start, package in _PACKAGES.items() if name.startswith(start)), "")
    return f"; {sandbox.mend.format(package)}" if package else ""


def _environment(language: str) -> Mapping[str, str]:
    return {**_GO_ENVIRONMENT, "GOCACHE": "/tmp/c"} if language == "go" else {}


def _go_apart(text: str) -> tuple[str, list[str]]:
    """A file's text without package clause and imports, and its imports, each as written."""
    body, specs, end = "", list[str](), 0
    for node in GO.tree(text).root_node.children:
        if node.type in ("package_clause", "import_declaration"):
            body += text[end : node.start_byte]
            end = node.end_byte
            if node.type == "import_declaration":
                specs += re.findall(r'(?:[\w.]+[ \t]+)?"[^"\n]+"', text[node.start_byte : node.end_byte])
    return body + text[end:], [spec.removeprefix("import").strip() for spec in specs]


def _go_name(spec: str) -> str:
    """The name by which an import is used."""
    alias, _, path = spec.rpartition(" ") if " " in spec else ("", "", spec)
    return alias.strip() or json.loads(path).rpartition("/")[2]
