"""Which method: ``org.acme.Foo#bar(int,String)`` or ``File.java:LINE``, found in the repository's sources."""

from __future__ import annotations

import codecs
import difflib
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.files import CACHE_TAG
from nl2fix.languages.java import JAVA
from nl2fix.languages.java.units import JavaUnit, package_of

_OUTPUT = frozenset({"build", "target", "out", "bin"})
SKIPPED = frozenset({".git", ".hg", ".svn", ".gradle", ".idea", "node_modules"}) | _OUTPUT
_OFFERED = 5
"""Methods of a class that are named to who names it alone."""
_BUILD_FILES = ("pom.xml", "build.gradle", "build.gradle.kts", "build.xml")
_LINE = re.compile(r"(?P<file>.+\.java):(?P<line>\d+)$")
_DOTTED = re.compile(r"(?P<owner>[\w$.]+)(?:::|\.)(?P<entity>(?:[a-z_$]\w*|<init>)(?:\(.*\))?)")
"""A method as Java refers to it, or a stack trace."""
_TYPE_ARGUMENTS = re.compile(r"<[^<>]*>")
_ANNOTATION = re.compile(r"@(?!interface)[\w.]+(?:\s*\([^()]*\))?")
_KOTLIN = re.compile(r"(?P<file>.+\.kts?)(?::\d+)?$")
_TEST = re.compile(
    r"(^|/)(?i:(src/)?(test|tests|tst|javatests|it|integration-test))/|"
    r"(^|/)src/(test\w*|\w*Tests?|jmh|jcstress|(\w*B|b)enchmarks?)/(java|kotlin)/|"
    r"(^|/)\w+(\.\w+)*\.tests?/(?!src/main/)"
)
"""Folders of tests, source sets of Gradle that serve tests or measure, and Eclipse's projects of tests."""
_PACKAGES = re.compile(r"(^|/)src/(\w+/)?java/")
"""Below it folders are packages, whatever their names."""
_SPELLED = "nl2fix.java"
"""How sources write letters that their encoding lacks."""


@dataclass(frozen=True, slots=True)
class Target:
    """A method of a file."""

    file: Path
    """Absolute path of the source file."""
    text: str
    entity: str
    unit: JavaUnit


def java_files(root: Path) -> list[Path]:
    """Java sources below a folder, build output and tests left out, sorted."""
    return [file for file in _walk(root) if not is_test(root, file)]


def test_files(root: Path) -> list[Path]:
    """Java sources of tests below a folder, sorted."""
    return [file for file in _walk(root) if is_test(root, file)]


def is_test(root: Path, file: Path) -> bool:
    """Whether a source stands among tests, as far as its folder says: packages may be called so, too, but
    none of ``src/java/test/org/acme`` is.
    """
    path = file.relative_to(root).as_posix()
    packages = _PACKAGES.search(path)
    if packages is None:
        return _TEST.search(path) is not None
    above, below = path[: packages.end()], path[packages.end() :]
    called_so = _TEST.match(below) is not None
    return _TEST.search(above) is not None or (called_so and package_root(file) != root / above)


def goes_in(root: Path, folder: Path, name: str) -> bool:
    """Whether sources are looked for in ``name``, which lies in a folder of the repository; in no cache, nor
    in a repository of its own, of which git takes nothing in.
    """
    below = f"{folder.relative_to(root).as_posix()}/"
    output = name in SKIPPED and not (name in _OUTPUT and _PACKAGES.search(below))
    return not (output or (folder / name / CACHE_TAG).exists() or _is_apart(root, folder / name))


def _is_apart(root: Path, folder: Path) -> bool:
    """Whether a folder of a repository is another one, or a submodule."""
    return (root / ".git").exists() and (folder / ".git").exists()


def apart(root: Path) -> str:
    """What to do about the repositories that lie in one, in words; empty where there is none."""
    found = list[str]()
    for folder, names, _ in os.walk(root):
        here = Path(folder)
        found += [
            (here / name).relative_to(root).as_posix() for name in names if _is_apart(root, here / name)
        ]
        names[:] = [name for name in names if goes_in(root, here, name)]
    if not found:
        return ""
    one, *more = sorted(found)
    others = f", and so {'is' if len(more) == 1 else 'are'} {', '.join(more)}" if more else ""
    return f"; {one} is a repository of its own{others}: say --repo {root / one} for it"


def repository_of(root: Path, file: Path) -> Path | None:
    """The repository below another one that a file is of."""
    around = takewhile(lambda folder: folder != root, file.parents)
    return next((folder for folder in around if _is_apart(root, folder)), None)


def module_of(root: Path, file: Path) -> Path:
    """The folder of the build module that a source file lies in: that of its ``src``, else the nearest with a
    build file, as tests may lie beside ``src``.
    """
    parts = file.relative_to(root).parts
    if "src" in parts:
        return root.joinpath(*parts[: parts.index("src")])
    around = takewhile(lambda folder: folder != root, file.parents)
    return next(filter(has_build, around), root)


def has_build(folder: Path) -> bool:
    """Whether a build tool's file lies in a folder."""
    return any((folder / name).is_file() for name in _BUILD_FILES)


def file_beside(root: Path, test: Path) -> Path:
    """A source file of the module that a test belongs to; the test itself where it has none."""
    module = module_of(root, test)
    return next((file for file in java_files(module) if module_of(root, file) == module), test)


def package_root(file: Path) -> Path:
    """The folder in which a file's package begins; its own where it does not lie as it says."""
    package = package_of(read_source(file))
    parts = package.split(".") if package else []
    fits = list(file.parent.parts[len(file.parent.parts) - len(parts) :]) == parts
    return file.parents[len(parts)] if fits else file.parent


def by_class(files: Iterable[Path]) -> Mapping[str, list[Path]]:
    """Source files by the simple name of the class that each is named for."""
    named = defaultdict[str, list[Path]](list)
    for file in files:
        named[file.stem].append(file)
    return named


def lies_at(file: Path, source: str) -> bool:
    """Whether a file may be that source, which the JVM tells with the folders of its package."""
    return f"/{file.as_posix()}".endswith(f"/{source}")


def _walk(root: Path) -> Iterator[Path]:
    """Java sources, without links that lead out of the repository: what is there is not the project's."""
    for folder, names, files in os.walk(root):
        here = Path(folder)
        names[:] = sorted(n for n in names if goes_in(root, here, n) and not n.startswith("."))
        for name in sorted(files):
            file = here / name
            if name.endswith(".java") and not (file.is_symlink() and not _inside(root, file)):
                yield file


def _inside(root: Path, file: Path) -> bool:
    return file.resolve().is_relative_to(root.resolve())


def find(root: Path, method: str) -> Target:
    """The one method that is meant; ``UsageError`` offers the nearest names when there is none."""
    by_line = _LINE.match(method)
    if by_line:
        return _at_line(root, by_line["file"], int(by_line["line"]))
    if kotlin := _KOTLIN.match(method):
        raise UsageError(f"{kotlin['file']} is Kotlin, which is not supported: methods of Java files are")
    dotted = _DOTTED.fullmatch(method)
    owner, hash_mark, entity = (dotted["owner"], "#", dotted["entity"]) if dotted else method.partition("#")
    if not hash_mark:
        such = ", ".join(_methods_of(root, method)[:_OFFERED]) or "org.acme.Foo#bar(int,String)"
        raise UsageError(f"--method wants Class#method(types) or File.java:LINE, not {method!r}, e.g. {such}")
    return _by_name(root, owner, entity)


def at(file: Path, entity: str) -> Target:
    """A method whose file and entity are known."""
    text = read_source(file)
    unit = JAVA.find(text, entity)
    if unit is None:
        raise DataError(f"{file} changed meanwhile: {entity} is no longer there")
    return Target(file, text, entity, unit)


def read_source(file: Path) -> str:
    """A source file's text with its line ends as they are."""
    return _read(file)[0]


def encoding_of(file: Path) -> str:
    """The encoding in which ``read_source`` reads a file; what it gives is the same bytes in it again."""
    return _read(file)[1]


def encoded(text: str, encoding: str) -> bytes:
    """A source in bytes; what its encoding lacks as Java spells it: ``\\u2192``."""
    return text.encode(encoding, _SPELLED)


def _spelled(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[i : i + 4]}" for i in range(0, len(units), 4)), error.end


codecs.register_error(_SPELLED, _spelled)


def _read(file: Path) -> tuple[str, str]:
    """Text and encoding: UTF-8, or else Windows-1252, or ISO-8859-1, which lacks no byte."""
    try:
        content = file.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error
    for encoding in ("utf-8", "cp1252"):
        with suppress(UnicodeDecodeError):
            return content.decode(encoding), encoding
    return content.decode("iso-8859-1"), "iso-8859-1"


def _at_line(root: Path, name: str, line: int) -> Target:
    exact = [Path(name)] if Path(name).is_absolute() else [root / name, Path.cwd() / name]
    files = [file for file in exact if file.is_file()][:1]
    files = files or [file for file in _walk(root) if file.as_posix().endswith("/" + name)]
    if len(files) != 1:
        said = "several files" if files else "no file"
        raise UsageError(f"{said} named {name!r} below {root}; give its path{'' if files else apart(root)}")
    file = files[0].resolve()
    if not _inside(root, file):
        raise UsageError(f"{name} lies outside of {root}; name a file of the project, or another --repo")
    if is_test(root.resolve(), file):
        raise UsageError(f"{name} is a test; name a method of what it tests")
    text = read_source(file)
    unit = JAVA.unit_at_line(text, line)
    if line > (lines := len(text.splitlines())):
        raise UsageError(f"{name} has only {lines} line{'s' * (lines != 1)}; name one of a method")
    if unit is None or unit.body is None:
        raise UsageError(f"{name}:{line} lies in no method with a body")
    return Target(file, text, JAVA.entity(unit, JAVA.units(text)), unit)


def _files_of(root: Path, owner: str) -> list[Path]:
    """The files that may have a class, whose name may lack its package."""
    outer = re.split(r"[.$]", owner)
    return [file for file in java_files(root) if file.stem in outer] or _declaring(root, outer[-1])


def _methods_of(root: Path, owner: str) -> list[str]:
    """The methods with a body of a class, as ``--method`` takes them."""
    texts = map(read_source, _files_of(root, owner))
    units = ((_full_owner(text, unit), unit) for text in texts for unit in JAVA.units(text) if unit.body)
    return [f"{full}#{unit.signature}" for full, unit in units if _same_class(full, owner)]


def _by_name(root: Path, owner: str, entity: str) -> Target:
    files = _files_of(root, owner)
    wanted = entity.replace(" ", "")
    targets: list[Target] = []
    names: list[str] = []
    bare = False
    for file in files:
        text = read_source(file)
        for unit in JAVA.units(text):
            full = _full_owner(text, unit)
            meant = _same_class(full, owner) and _same_method(text, unit, wanted)
            if unit.body is None:
                bare |= meant
                continue
            names.append(f"{full}#{unit.signature}")
            if meant:
                targets.append(Target(file.resolve(), text, JAVA.entity(unit, JAVA.units(text)), unit))
    if len(targets) == 1:
        return targets[0]
    if targets:
        options = ", ".join(sorted(f"{_full_owner(t.text, t.unit)}#{t.unit.signature}" for t in targets))
        raise UsageError(f"{owner}#{entity} may be any of {options}; name its parameter types")
    if bare:
        same = wanted.partition("(")[0]
        named = [name for name in names if name.partition("#")[2].partition("(")[0] == same]
        such = f", such as {', '.join(named[:3])}" if named else ""
        raise UsageError(f"{owner}#{entity} has no body; name a method that implements it{such}")
    raise UsageError(_not_found(root, f"{owner}#{entity}", names))


def _declaring(root: Path, name: str) -> list[Path]:
    """The files that declare a class of that name, whatever they are called."""
    declared = re.compile(rf"\b(?:class|interface|enum|record)\s+{re.escape(name)}\b")
    return [file for file in java_files(root) if declared.search(read_source(file))]


def _not_found(root: Path, asked: str, names: Sequence[str]) -> str:
    if not names:
        if kotlin := _kotlin(root, asked.partition("#")[0]):
            return f"{kotlin} is Kotlin, which is not supported: methods of Java files are"
        if any(file.stem == asked.partition("#")[0].rpartition(".")[2] for file in test_files(root)):
            return f"{asked.partition('#')[0]} is a test; name a method of what it tests"
        classes = [file.stem for file in java_files(root)]
        close = difflib.get_close_matches(asked.partition("#")[0].rpartition(".")[2], classes, n=3)
        hint = f"; did you mean {', '.join(close)}?" if close else ""
        return f"no class {asked.partition('#')[0]!r} below {root}{hint or apart(root)}"
    key = asked.partition("#")[2].partition("(")[0]
    close = sorted(
        set(names),
        key=lambda n: -difflib.SequenceMatcher(None, n.partition("#")[2].partition("(")[0], key).ratio(),
    )[:3]
    return f"no method {asked!r}; nearest: {', '.join(close)}"


def _kotlin(root: Path, owner: str) -> str:
    """The Kotlin file that is named for a class, relative to the root; empty when there is none."""
    stems = set(re.split(r"[.$]", owner))
    files = (file for file in root.rglob("*.kt") if file.stem in stems)
    return next((file.relative_to(root).as_posix() for file in sorted(files)), "")


def _full_owner(text: str, unit: JavaUnit) -> str:
    package = package_of(text)
    return f"{package}.{unit.owner}" if package else unit.owner


def _same_class(full: str, asked: str) -> bool:
    plain = asked.replace("$", ".")
    return full == plain or full.endswith("." + plain)


def _same_method(text: str, unit: JavaUnit, wanted: str) -> bool:
    name, bracket, rest = wanted.partition("(")
    bare_name = unit.owner.rpartition(".")[2] if unit.kind == "constructor" else unit.name
    if name not in (unit.name, bare_name) and not (name == "<init>" and unit.kind == "constructor"):
        return False
    if not bracket:
        return True
    types = [_simple(t) for t in _bare(rest.rstrip(")")).split(",") if t]
    given = _components(text, bare_name) if unit.parameters is None else unit.parameters
    return types == [_simple(t) for t in given]


def _components(text: str, record: str) -> list[str]:
    """The types that a record's compact constructor takes."""
    head = re.search(rf"\brecord\s+{re.escape(record)}\s*(?:<[^(]*>\s*)?\(([^{{]*)", text)
    inside = _bare(_ANNOTATION.sub("", head[1])).partition(")")[0] if head else ""
    return [words[0] for part in inside.split(",") if (words := part.split())]


def _bare(types: str) -> str:
    """Types without type arguments."""
    while (bare := _TYPE_ARGUMENTS.sub("", types)) != types:
        types = bare
    return bare


def _simple(type_name: str) -> str:
    """A parameter's type without its package; ``T...`` is an array."""
    shown = type_name.replace(" ", "").replace("...", "[]")
    return shown.rpartition(".")[2]
