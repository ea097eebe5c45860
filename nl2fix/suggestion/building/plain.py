"""Plain source folders: found by their usual names and compiled here, without any build tool.

Sources that do not compile, or need packages which neither the JDK, the class path nor the project has (an
optional integration, a benchmark, a test against a server), are left out together with what uses them, single
methods where that will do.
Annotation processors of the class path run, as javac would run them.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, takewhile
from pathlib import Path

from nl2fix.core.config import Environment
from nl2fix.core.files import copy_file
from nl2fix.languages.java.units import package_of
from nl2fix.sandboxes.jdk import OLDEST
from nl2fix.suggestion.building import arguments, shelves, siblings, standins, surroundings, templates
from nl2fix.suggestion.building.advice import Advice
from nl2fix.suggestion.building.compiling import Compiling, refusals
from nl2fix.suggestion.building.generated import Origins
from nl2fix.suggestion.building.jars import classes_of, packages_of, with_processors
from nl2fix.suggestion.building.leaving import Usable, class_of
from nl2fix.suggestion.localisation.target import package_root, read_source
from nl2fix.validation.jvm.workers import Workers

_TESTS = (
    "src/test/java",
    "src/test",
    "src/java/test",
    "src/it/java",
    "src/integration-test/java",
    "src/tests/junit",
    "src/tests",
    "test/java",
    "test",
    "tests",
    "tst",
    "javatests",
)
_TEST_SET = re.compile(r"test\w*|\w*Tests?")
"""A source set of tests as Gradle's are called."""
_OUTPUT = {
    "pom.xml": ("target/classes", "target/test-classes"),
    "build.gradle": ("build/resources/main", "build/resources/test"),
    "build.gradle.kts": ("build/resources/main", "build/resources/test"),
}
"""Where a build tool puts resources of the program and of its tests, by its file."""
_LEVEL = re.compile(
    r"<(?:maven\.compiler\.(?:release|source|target)|java\.version|release|source)>\s*(?:1\.)?\d{1,2}\s*<|"
    r"\b(?:sourceCompatibility|release)\b[\s=(.set]*(?:JavaVersion\.VERSION_)?['\"]?(?:1[._])?\d{1,2}\b|"
    r"\bJavaLanguageVersion\.of\(\s*\d{1,2}\b"
)
"""A version of Java in a build file."""
_NO_ASSERTIONS = re.compile(r"<enableAssertions>\s*false\b|\benableAssertions\s*=\s*false\b")


@dataclass(frozen=True)
class Layout:
    """Where a plain project keeps things; absolute paths."""

    module: Path
    file: Path
    """The file to be edited."""
    sources: tuple[Path, ...]
    tests: tuple[Path, ...]
    """Source folders of the tests; those of the sources where tests stand among them."""
    resources: tuple[Path, ...]
    """Folders whose files the program finds on its class path."""
    test_resources: tuple[Path, ...]
    jars: tuple[Path, ...]
    """Beside the sources, and what the pom adds to the tests' class path, jars or folders."""


@dataclass(frozen=True, kw_only=True)
class Compiled:
    """With what sources were compiled, and which were left out."""

    level: str
    """Their version of Java; of a plain folder that of the JDK, or an older one at which more compiles."""
    processors: tuple[Path, ...] = ()
    """Jars with the annotation processors that run on the main sources, and what these need."""
    options: tuple[str, ...] = ()
    """What javac is given that changes classes of the main sources."""
    jvm_arguments: tuple[str, ...] = ()
    """What the JVM of the tests is given that opens modules or sets properties."""
    environment: tuple[str, ...] = ()
    """What is set of the environment of tests, ``NAME=value``."""
    left_out: tuple[str, ...] = ()
    """Classes that were not compiled because something is missing, sorted."""
    methods_left_out: tuple[str, ...] = ()
    """Single methods that were not, of classes that were; ``package.Class::method``, sorted."""
    throwing: tuple[str, ...] = ()
    """Where those of the program throw instead, ``path:line``."""
    cut: tuple[Path, ...] = ()
    """Folders of the sources that were compiled in part, as they were compiled."""
    faults: Mapping[str, str] = field(default_factory=dict)
    """Why a source of the program is left out, whole or in part, and what to do about it, by its path."""
    missing: tuple[str, ...] = ()
    """Packages that nothing on the class path provides; of several how many classes lack each, most first."""
    broken: tuple[str, ...] = ()
    """Sources that do not compile for another reason, ``path:line: message``."""


def layout(root: Path, file: Path) -> Layout:
    """Source folders by their usual names, nearest to the edited file; jars from ``lib`` and ``libs``.

    Other modules' sources that these need come along, and other modules' tests where the own has none; with
    the tests what they need of the module's other source sets.
    """
    module, source = source_of(root, file)
    main, elsewhere = siblings.source_roots(root)
    own, named = (source, *siblings.beside(module, source)), siblings.built_on(module, main)
    others = (*named, *siblings.needed((*own, *named), [], main))
    sources = (*own, *others, *(more for s in others for more in siblings.beside(siblings.module_of(s), s)))
    sets = sorted(module.glob("src/*/java"))
    tests = _tests_of(module, sets)
    tests = tests or siblings.about(file, source, elsewhere)
    tests = (*tests, *siblings.needed(tests, sources, [*sets, *main, *elsewhere])) or (source,)
    modules = dict.fromkeys((module, *(siblings.module_of(s) for s in (*sources, *tests) if s != source)))
    apart = (folder for folder in tests if folder != source and folder not in main)
    testing = dict.fromkeys((module, *map(siblings.module_of, apart)))
    given = _existing(testing, ("src/test/resources", "test/resources"))
    told = chain.from_iterable(templates.resource_folders(each, "testResource") for each in testing)
    added = surroundings.added_to_path(module)
    beside = (test.with_name("resources") for test in tests if test.name == "java" and test not in main)
    return Layout(
        module=module,
        file=file,
        sources=sources,
        tests=tests,
        resources=(*_existing(modules, ("src/main/resources", "src/resources", "resources")), *sources),
        test_resources=tuple(dict.fromkeys((*given, *told, *filter(Path.is_dir, beside), *tests))),
        jars=(*_jars_of(dict.fromkeys((*modules, root))), *filter(Path.exists, added)),
    )


def _jars_of(folders: Iterable[Path]) -> Iterator[Path]:
    return (
        jar for each in folders for name in ("lib", "libs") for jar in sorted((each / name).glob("**/*.jar"))
    )


def _tests_of(module: Path, sets: Iterable[Path]) -> tuple[Path, ...]:
    """A module's folders of tests, by their usual names and those of its source ``sets``."""
    tests = (*_existing([module], _TESTS), *(s for s in sets if _TEST_SET.fullmatch(s.parent.name)))
    return tuple(t for t in dict.fromkeys(tests) if not any(o != t and o.is_relative_to(t) for o in tests))


def shelved(layout: Layout, root: Path, libraries: Iterable[Path]) -> tuple[Path, ...]:
    """Jars of this machine with what the sources import and neither they nor ``libraries`` have.

    A release of the project itself, which what runs its tests may need, would stand in for what is edited.
    """
    wanted = siblings.lacking((*layout.sources, *layout.tests)).difference(*map(classes_of, libraries))
    between = [folder for folder in layout.module.parents if folder.is_relative_to(root)]
    own = {
        ".".join(f.relative_to(s).with_suffix("").parts) for s in layout.sources for f in s.rglob("*.java")
    }
    jars = shelves.jars_for(wanted, [layout.module, *between], shelves.SHELVES)
    return tuple(jar for jar in jars if own.isdisjoint(classes_of(jar)))


def copy_resources(layout: Layout, classes: Path, test_classes: Path) -> None:
    """Put the module's resources where its build tool does: some tests open them there by path.

    Those that Maven fills in are put beside the classes, where they are found first.
    """
    module = layout.module
    outputs = next((out for name, out in _OUTPUT.items() if (module / name).is_file()), ())
    for output, folders in zip(outputs, (layout.resources, layout.test_resources), strict=False):
        for folder in folders:
            if folder.name == "resources" and folder.is_relative_to(module):
                shutil.copytree(
                    folder, module / output, ignore=_no_files, copy_function=copy_file, dirs_exist_ok=True
                )
    for kind, into in (("resource", classes), ("testResource", test_classes)):
        for path, text in templates.filtered(module, kind).items():
            (into / path).parent.mkdir(parents=True, exist_ok=True)
            (into / path).write_text(text, encoding="utf-8", errors="surrogateescape")


def _no_files(folder: str, names: Iterable[str]) -> list[str]:
    """Links to what is no file: a folder may hold the link to it, and some lead nowhere."""
    paths = (Path(folder, name) for name in names)
    return [path.name for path in paths if path.is_symlink() and not path.is_file()]


def compile_all(
    layout: Layout,
    classes: Path,
    test_classes: Path,
    libraries: Sequence[Path],
    environment: Environment,
    *,
    tell: Callable[[str], None] = lambda _: None,
) -> Compiled:
    """Compile sources and tests, as many as do; what is compiled now is told.

    Sources of the program of which a part does are written to a folder beside the classes.
    """
    for folder in (classes, test_classes):
        folder.mkdir(parents=True, exist_ok=True)
    module, texts = layout.module, tuple(_build_texts(layout.module))
    asked, whole = _asked(texts), "\n".join(texts)
    codes, tests = _codes(layout, libraries)
    own_packages = {package_of(text) for text in (*codes.values(), *tests.values())}
    packages = own_packages | packages_of(libraries)
    processors = _processing(libraries, layout, codes)
    # What compiles the program compiles its tests, too, if it sees the program's classes from the start.
    with closing(Workers(environment, shared=[module, classes.parent])) as workers:
        level, exports = str(workers.runtime().feature or OLDEST), arguments.exported_in(whole)
        compiling = Compiling(workers, level, asked, processors, tell, exports)
        main, way = compiling.most(lambda: Usable(codes, packages), classes, libraries)
        cut, processors = _written(main.cut, classes.with_name("cut")), compiling.processors
        compiling.processors = _processing(libraries, layout, tests)
        judging, _ = compiling.most(
            lambda: Usable(tests, packages, main.gone, are_tests=True), test_classes, [classes, *libraries]
        )
    origins = Origins((module, *(siblings.module_of(source) for source in layout.sources)))
    advice = Advice(libraries, own_packages, int(compiling.newest), asked, origins)
    return Compiled(
        level=way.level,
        processors=processors,
        options=way.options,
        jvm_arguments=_running(module, whole, int(compiling.newest)),
        environment=tuple(surroundings.paired(surroundings.variables_of(module, whole))),
        left_out=tuple(sorted(f"{package}.{name}".lstrip(".") for package, name in main.gone | judging.gone)),
        methods_left_out=tuple(sorted((*main.methods, *judging.methods))),
        throwing=tuple(main.throwing),
        cut=cut,
        faults=dict(_faults(main, advice)),
        missing=tuple(_counted(main.missing + judging.missing, origins)),
        broken=tuple(_broken((main, judging), advice)),
    )


def _codes(layout: Layout, libraries: Iterable[Path]) -> tuple[dict[str, str], dict[str, str]]:
    """The sources of the program, with what stands in for some, and those of the tests."""
    apart = tuple(folder for folder in layout.tests if folder not in layout.sources)
    codes = {**_made_of_templates(layout), **_texts(layout.sources, apart)}
    own = {".".join(filter(None, class_of(path, code))) for path, code in codes.items()}
    stood_in = standins.stood_in(codes, own.union(*map(classes_of, libraries)))
    return codes | stood_in, _texts(apart, ())


def _processing(libraries: Sequence[Path], layout: Layout, texts: Mapping[str, str]) -> tuple[Path, ...]:
    """The libraries where some of their annotation processors have something to do; else none.

    Lombok looks at every class, and does nothing where neither a source names it nor it is configured.
    """
    folders = dict.fromkeys((*layout.sources, *layout.tests, *layout.file.parents))
    asked = any("lombok" in text for text in texts.values())
    asked = asked or any((folder / "lombok.config").is_file() for folder in folders)
    return with_processors(libraries, idle=() if asked else ("lombok.",))


def _faults(main: Usable, advice: Advice) -> Iterator[tuple[str, str]]:
    """Sources that are left out, whole or in part, each with whose fault that is and what to do."""
    hint = cache(advice.on)
    for path, (culprit, why) in main.faults.items():
        where = path if culprit == path else f"{path} needs {culprit}, which"
        yield path, f"{where} does not compile: {_located(why)}{hint(why)}"


def _written(texts: Mapping[str, str], folder: Path) -> tuple[Path, ...]:
    """The folder of these sources and no others; none where there are none."""
    shutil.rmtree(folder, ignore_errors=True)
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode("utf-8"))
    return (folder,) if texts else ()


def _build_texts(module: Path) -> Iterator[str]:
    """What stands in the build files of a module and of those around it."""
    around = takewhile(lambda folder: any(shelves.build_texts([folder])), (module, *module.parents))
    return shelves.build_texts(around)


def _running(module: Path, text: str, jdk: int) -> tuple[str, ...]:
    """What the build files' ``text`` gives the JVM of the tests."""
    off = ("-da",) if _NO_ASSERTIONS.search(text) else ()
    properties = surroundings.paired(surroundings.properties_of(module, text))
    given = arguments.of_java([f"-D{pair}" for pair in properties])
    return (*off, *(arguments.opened_in(text) if jdk > OLDEST else ()), *given)


def _asked(texts: Iterable[str]) -> int:
    """The newest version of Java that build files name; 0 where they name none."""
    asked = (re.findall(r"\d+", found[0])[-1] for text in texts for found in _LEVEL.finditer(text))
    return max(map(int, asked), default=0)


def _located(why: str) -> str:
    return f"line {why}" if why[:1].isdigit() else why


def _counted(missing: Counter[str], origins: Origins) -> Iterator[str]:
    for package, count in sorted(missing.items(), key=lambda item: (-item[1], item[0])):
        origin = origins.of_package(package)
        notes = [str(count)] * (len(missing) > 1) + [f"which the build makes of {origin}"] * bool(origin)
        yield f"{package} ({', '.join(notes)})" if notes else package


def _broken(usables: Iterable[Usable], advice: Advice) -> Iterator[str]:
    """What does not compile; first that of which the reason is sure, for each reason once with what to do."""
    every = [told for usable in usables for told in refusals(usable)]
    first = {known: told for told in reversed(every) if (known := advice.known(told))}
    yield from (told + known for known, told in reversed(first.items()))
    yield from (told for told in every if told not in first.values())


def source_of(root: Path, file: Path) -> tuple[Path, Path]:
    """The module's folder and the source folder that hold a file."""
    source = package_root(file)
    if source == root:
        return root, root
    module = siblings.module_of(source)
    return (module, source) if module.is_relative_to(root) else (source.parent, source)


def _existing(roots: Iterable[Path], names: Sequence[str]) -> tuple[Path, ...]:
    """Folders of these names, however they are capitalised."""
    found = (_folder(root, name.split("/")) for root in roots for name in names)
    return tuple(folder for folder in found if folder is not None)


def _folder(root: Path, names: Sequence[str]) -> Path | None:
    """The folder below others of these names; the one written just so where there are several."""
    for name in names:
        alike = [child for child in root.iterdir() if child.name.lower() == name and child.is_dir()]
        if not alike:
            return None
        root = min(alike, key=lambda child: (child.name != name, child.name))
    return root


def _made_of_templates(layout: Layout) -> dict[str, str]:
    """Sources that are filled in, the module's before others': path inside the folder → text."""
    codes = dict[str, str]()
    for source in reversed(layout.sources):
        codes |= templates.filled(siblings.module_of(source), source)
    return codes


def _texts(roots: Sequence[Path], without: Sequence[Path]) -> dict[str, str]:
    """Java files below source folders: path inside the folder → text.

    One that lies elsewhere than its package says stands in for a class of another platform (GWT's ``super``
    folders) where that class is there, too.
    """
    codes = dict[str, str]()
    for root in roots:
        for file in sorted(root.rglob("*.java")):
            if any(file.is_relative_to(other) for other in without) or file.name == "module-info.java":
                continue
            text = read_source(file)
            proper = root.joinpath(*package_of(text).split("."), file.name)
            if proper == file or not proper.is_file():
                codes.setdefault(file.relative_to(root).as_posix(), text)
    return codes
