"""Build tools: how Maven, Gradle or a plain folder compiles, asked of the tool itself.

Builds run in a copy of the repository, so nothing in the user's work tree changes; offline first.
The build is the user's own and runs as they would run it, outside any sandbox.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from pathlib import Path
from typing import TypeVar

from nl2fix.core.config import Environment
from nl2fix.core.errors import Nl2fixError, UsageError
from nl2fix.core.records import sha256_text
from nl2fix.suggestion.building import arguments, hosts, plain, siblings, surroundings
from nl2fix.suggestion.building.jars import with_processors
from nl2fix.suggestion.building.runner import with_runner
from nl2fix.suggestion.localisation.target import has_build

TOOLS = ("maven", "gradle", "plain")

TIMEOUT = 900
"""Seconds a build may take."""
WRAPPER_SECONDS = 60
"""Seconds a project's wrapper may take to say its version before the installed tool is used instead."""
_LIST = re.compile(r"\((?:f|s)\) (\w+) = \[(.*)\]\s*$", re.MULTILINE)
_VALUE = re.compile(r"\((?:f|s)\) (\w+) = (\S.*?)\s*$", re.MULTILINE)
_COMMAND_LINE = re.compile(r"Command line options:\s*\n(?:\[DEBUG\] )?(.*)")
_WRONG, _EXECUTING = "* What went wrong:", "Error executing Maven."
_MARKS = re.compile(r"(?:\[(?:ERROR|FATAL)\]\s+)+")
_CHAIN = re.compile(
    r": (?:Failed to read artifact|Could not (?:find|transfer) artifact|Cannot access|transfer failed)"
    r".*?(?=: (?:Unknown host|Connect)| -> |$)"
)
"""What Maven tells between what it could not get and why."""
_ERROR = re.compile(r"\[(?:ERROR|FATAL)\] \S|.*error:")
_THROWN = re.compile(r"^(?:\w+\.)+\w+: ")
"""The class of an exception."""
_COLOURS = re.compile(r"\x1b\[[\d;]*m")
_GRADLE = """
allprojects {
  afterEvaluate { project ->
    if (project.plugins.hasPlugin('java')) {
      project.tasks.create('nl2fixDescribe') {
        dependsOn 'testClasses', project.tasks.test.classpath
        doLast {
          def main = project.sourceSets.main, test = project.sourceSets.test
          def javac = project.tasks.compileJava.options, tests = project.tasks.test
          def show = { key, files -> files.each { println "nl2fix:${project.projectDir}:${key}=${it}" } }
          show('sources', main.java.srcDirs)
          show('tests', test.java.srcDirs)
          show('classes', main.output.files)
          show('test_classes', test.output.files)
          show('libraries', (test.runtimeClasspath + tests.classpath).files)
          show('level', [project.tasks.compileJava.sourceCompatibility])
          show('encoding', [javac.encoding ?: 'UTF-8'])
          show('javac', javac.compilerArgs)
          show('java', (tests.enableAssertions ? [] : ['-da']) + tests.jvmArgs +
              tests.systemProperties.findAll { it.value != null }.collect { "-D${it.key}=${it.value}" })
          show('environment', tests.environment.findAll { System.getenv(it.key) != "${it.value}" }
              .collect { "${it.key}=${it.value}" })
          def apart = javac.hasProperty('annotationProcessorPath') ? javac.annotationProcessorPath : null
          show('processors', apart != null ? apart.files : project.tasks.compileJava.classpath.files)
        }
      }
    }
  }
}
"""
_NO_STORE = ("-Dorg.gradle.configuration-cache=false", "-Dorg.gradle.unsafe.configuration-cache=false")
"""A description is asked of the live build."""
_SHORT_LIFE = "-Dorg.gradle.daemon.idletimeout=10000"
"""Milliseconds that a daemon which we start stays; one that already runs is used as it is."""


_BEGUN = re.compile(r"^\[INFO\] Building .*\n(.*)$", re.MULTILINE)
"""What Maven prints where it begins a module; the next line has the packaging, unless it is an old one."""
_MENDED_ONLINE = re.compile(
    "offline|[Cc]ould not (?:find|get|resolve|transfer|be found|be resolved)|, version: '"
)
"""What Maven and Gradle print where something has to be downloaded."""
_MARKED = re.compile(r"^\[(?:ERROR|FATAL)\].*", re.MULTILINE)
_UNREAD = re.compile("Non-resolvable|Unresolveable build extension|could not read [0-9]+ project")
"""What Maven prints where it comes to no task at all."""
_RUNNER = "maven-surefire-plugin"
"""What runs tests, which those are compiled without."""
_WANTED = re.compile(r"^distributionUrl=.*/gradle-(\d+)", re.MULTILINE)
_GRADLE_VERSION = re.compile(r"^Gradle (\d+)[\w.-]*", re.MULTILINE)
_BEHIND = 2
"""By so many major versions an installed Gradle is too old for a build of the wrapper's."""
_OF_ONE = re.compile(
    r"selected project|Execution failed for task|dependencies of task|for configuration '(?!\S*:classpath')|"
    r"not found in "
)
"""What Maven and Gradle print where a task or a class path of one module fails, or it is not there."""


_Item = TypeVar("_Item")


class ToolFails(Nl2fixError):
    """A build tool that fails before it comes to any module: it does for all."""


@dataclass(frozen=True, kw_only=True)
class Project(plain.Compiled):
    """A compiled module; all paths absolute and inside the copy (libraries may lie elsewhere)."""

    root: Path
    """Top of the copied repository."""
    module: Path
    """Folder of the build module that holds the edited file, or that whose tests judge: they run in it."""
    tool: str
    """``maven``, ``gradle`` or ``plain``."""
    sources: tuple[Path, ...]
    tests: tuple[Path, ...]
    """Source folders of the tests."""
    classes: tuple[Path, ...]
    test_classes: tuple[Path, ...]
    libraries: tuple[Path, ...]
    encoding: str
    found: tuple[Path, ...] = ()
    """Jars that nothing names and that lie on this machine."""

    @property
    def lacks_some(self) -> bool:
        """Whether something was left out."""
        return bool(self.left_out or self.methods_left_out)

    def is_below(self, other: Project) -> bool:
        """Whether another module is built on this one."""
        own = {*self.sources, *self.classes}
        return other.module != self.module and not own.isdisjoint((*other.sources, *other.libraries))

    def judged_by(self, other: Project) -> Project:
        """The same program, judged by the tests of a module that is built on it, too.

        Where that was compiled with this one's sources, its classes are taken: none may be there twice.
        """
        together = set(self.sources) <= set(other.sources)
        path = (*(() if together else other.classes), *other.libraries, *self.libraries)
        return replace(
            other if together else self,
            module=other.module,
            sources=_joined(self.sources, other.sources),
            tests=_joined(other.tests, self.tests),
            test_classes=_joined(other.test_classes, self.test_classes),
            libraries=tuple(entry for entry in dict.fromkeys(path) if entry not in self.classes),
            jvm_arguments=_joined(self.jvm_arguments, other.jvm_arguments),
            environment=_joined(self.environment, other.environment),
            left_out=_joined(self.left_out, other.left_out),
            methods_left_out=_joined(self.methods_left_out, other.methods_left_out),
            throwing=_joined(self.throwing, other.throwing),
        )


def _joined(first: tuple[_Item, ...], more: tuple[_Item, ...]) -> tuple[_Item, ...]:
    return tuple(dict.fromkeys((*first, *more)))


_BUILD_FILES = {"maven": ("pom.xml",), "gradle": ("build.gradle", "build.gradle.kts")}
"""Build tool → the files that say a folder is a project of it."""


def tool_of(root: Path, file: Path, wanted: str) -> tuple[str, Path]:
    """Which build tool governs a file, and the folder of the nearest module; plain where none does.

    ``wanted`` is one of ``TOOLS`` or empty; ``UsageError`` when the project has no such build.
    """
    tool = ("plain", root) if wanted == "plain" else _nearest_tool(root, file, wanted)
    if wanted not in ("", tool[0]):
        raise UsageError(f"{file.relative_to(root)} lies in no {wanted} project; leave --build out")
    return tool


def refuse_without(root: Path, wanted: str) -> None:
    """``UsageError`` where no file can lie in a project of the build tool."""
    names = _BUILD_FILES.get(wanted, ())
    if names and not any(any(root.rglob(name)) for name in names):
        raise UsageError(f"there is no {wanted} project below {root}; leave --build out")


def project_around(root: Path) -> Path | None:
    """The folder above, in the same work tree, whose build files name ``root`` as a module, or which has the
    nearest where ``root`` has none; ``None`` where a project begins in ``root``.
    """
    inside = [*takewhile(lambda folder: not (folder / ".git").exists(), (root, *root.parents))]
    above = root.parents[: len(inside)] if len(inside) <= len(root.parents) else ()
    own = has_build(root)
    return next((each for each in above if _names_module(each, root) or (not own and has_build(each))), None)


def _names_module(folder: Path, root: Path) -> bool:
    """Whether the build files of a folder name one below it, or one around that, as a module."""
    settings = "".join(file.read_text(errors="replace") for file in folder.glob("settings.gradle*"))
    parts = re.split(r"[^\w.-]+", settings) if "include" in settings else []
    named = (folder / name for name in (*_modules_in(folder / "pom.xml"), *filter(None, parts)))
    return any(root.is_relative_to(os.path.normpath(module)) for module in named)


def _modules_in(pom: Path) -> list[str]:
    text = pom.read_text(errors="replace") if pom.is_file() else ""
    return re.findall(r"<module>\s*([^<]+?)\s*</module>", text)


def _nearest_tool(root: Path, file: Path, wanted: str) -> tuple[str, Path]:
    for folder in file.parents:
        for tool, names in _BUILD_FILES.items():
            if wanted in ("", tool) and any((folder / name).is_file() for name in names):
                return tool, folder
        if folder == root:
            break
    return "plain", root


def top_of(root: Path, tool: str, module: Path) -> Path:
    """The folder in which a build tool is run for a module."""
    if tool == "maven":
        return _maven_top(root, module)
    return next((f for f in (module, *module.parents) if any(f.glob("settings.gradle*"))), module)


def build(
    root: Path,
    file: Path,
    classpath: Sequence[Path],
    environment: Environment,
    wanted: str = "",
    *,
    tell: Callable[[str], None] = lambda _: None,
) -> Project:
    """Compile the module that holds ``file`` and ask where everything is.

    ``classpath`` are further jars; without a tool ``tell`` says what is compiled now. Raises ``Nl2fixError``
    with the first error line of a build that fails.
    """
    tool, module = tool_of(root, file, wanted)
    if tool == "plain":
        return _plain(root, file, classpath, environment, tell)
    project = _maven(root, module) if tool == "maven" else _gradle(root, module)
    return replace(project, libraries=with_runner((*project.libraries, *classpath)))


# -- Maven ----------------------------------------------------------------------------------------


def _maven(root: Path, module: Path) -> Project:
    command = _command(root, "mvnw", "mvn", "Maven", "apt-get install maven")
    top = top_of(root, "maven", module)
    added = surroundings.added_to_path(module)
    asked_for = (module, *(path.parents[1] for path in added if path.match(siblings.CLASSES)))
    inside = [folder for folder in asked_for if (folder / "pom.xml").is_file() and folder.is_relative_to(top)]
    select = [] if top == module else ["-pl", ",".join(str(each.relative_to(top)) for each in inside), "-am"]
    asked = ["-B", "-X", "-DskipTests", *select]
    goals = (["-o", *asked, "test"], ["-o", *asked, "test-compile"], [*asked, "test-compile"])
    for folder in ("classes", "test-classes"):  # what is up to date is not told
        shutil.rmtree(module / "target" / folder, ignore_errors=True)
    whole, less, online = ([*command, *words] for words in goals)
    output = _first_that_works(whole, online, top, less)
    return _read_maven(root, module, output)


def _maven_top(root: Path, module: Path) -> Path:
    """The outermost folder up to the repository's root whose pom lists modules."""
    top = module
    for folder in (module, *module.parents):
        pom = folder / "pom.xml"
        if pom.is_file() and (folder == module or "<module>" in pom.read_text(errors="replace")):
            top = folder
        if folder == root:
            break
    return top


def _read_maven(root: Path, module: Path, output: str) -> Project:
    """The plugins' own debug listing, which every version of them prints under -X."""
    main, test, running = _mojos(output, module)
    path = _paths(test, "testPath", "classpathElements")
    if not main or not path:
        raise Nl2fixError(
            f"Maven's output for {module.name} does not name the class path; "
            "compile without it: --build plain --classpath JARS"
        )
    classes = (module / "target/classes",)
    tests = (module / "target/test-classes",)
    made_here = {*classes, *tests}
    values, command = dict(_VALUE.findall(main)), _command_line(main)
    run = dict(_VALUE.findall(running))
    off = ["-da"] if run.get("enableAssertions") == "false" else []
    properties = surroundings.paired(surroundings.listed(run.get("systemPropertyVariables", "")))
    given = [*(f"-D{pair}" for pair in properties), *shlex.split(run.get("argLine", ""))]
    variables = surroundings.allowed(surroundings.listed(run.get("environmentVariables", "")))
    return Project(
        root=root,
        module=module,
        tool="maven",
        # What annotation processors generated they generate again.
        sources=tuple(p for p in _paths(main, "compileSourceRoots") if p not in _given(command, "-s")),
        tests=tuple(_paths(test, "compileSourceRoots", "testSourceRoots")),
        classes=classes,
        test_classes=tests,
        libraries=tuple(
            p for p in (*path, *surroundings.added_to_path(module)) if p not in made_here and p.exists()
        ),
        level=values.get("release") or values.get("source") or "8",
        encoding=values.get("encoding", "UTF-8"),
        processors=() if "-proc:none" in command else _maven_processors(main, command),
        options=arguments.of_javac(command),
        jvm_arguments=arguments.of_java([*off, *given]),
        environment=tuple(surroundings.paired(variables)),
    )


def _mojos(output: str, module: Path) -> tuple[str, str, str]:
    """What Maven prints of compiling a module's sources, its tests, and running these."""
    main = test = running = ""
    for part in re.split(r"(?=Configuring mojo )", output):
        head = part.partition("\n")[0]
        if not re.search(rf"\(.\) basedir = {re.escape(str(module))}\s*$", part, re.MULTILINE):
            continue
        # A further execution compiles something else besides, e.g. classes for newer Java.
        if ":testCompile" in head:
            test = part if not test or "{execution: default-testCompile}" in part else test
        elif ":compile" in head:
            main = part if not main or "{execution: default-compile}" in part else main
        elif "surefire" in head and ":test" in head:
            running = part
    return main, test, running


def _command_line(mojo: str) -> list[str]:
    """What javac was given."""
    line = _COMMAND_LINE.search(mojo)
    return line[1].split() if line else []


def _maven_processors(mojo: str, command: Sequence[str]) -> tuple[Path, ...]:
    named = _given(command, "-processorpath", "--processor-path")
    jars = named or [path for path in _paths(mojo, "compilePath", "classpathElements") if path.is_file()]
    return with_processors(jars)


def _given(command: Sequence[str], *names: str) -> list[Path]:
    """The paths that an option was given."""
    for name, value in pairwise(command):
        if name in names:
            return [Path(item) for item in value.split(":") if Path(item).exists()]
    return []


def _paths(text: str, *names: str) -> list[Path]:
    """The first of the named lists that the debug listing has."""
    lists = {name: items for name, items in _LIST.findall(text)}
    for name in names:
        if name in lists:
            return [Path(item) for item in lists[name].split(", ") if item]
    return []


# -- Gradle ---------------------------------------------------------------------------------------


def _gradle(root: Path, module: Path) -> Project:
    command = _command(root, "gradlew", "gradle", "Gradle", "apt-get install gradle")
    _refuse_old_gradle(root, command)
    script = root / ".nl2fix-init.gradle"
    script.write_text(_GRADLE)
    top = top_of(root, "gradle", module)
    project = ":" + ":".join(module.relative_to(top).parts) if module != top else ""
    goals = ["-q", "--console=plain", _SHORT_LIFE, *_NO_STORE, "-I", str(script), f"{project}:nl2fixDescribe"]
    try:
        output = _first_that_works([*command, "--offline", *goals], [*command, *goals], top)
    except Nl2fixError as error:
        if "nl2fixDescribe" not in str(error):
            raise
        raise _undescribed(root, module) from error
    return _read_gradle(root, module, output)


def _undescribed(root: Path, module: Path) -> Nl2fixError:
    name = "the project" if module == root else module.relative_to(root).as_posix()
    return Nl2fixError(
        f"Gradle did not describe {name}: it has no java plugin, or this Gradle cannot read it"
    )


def _read_gradle(root: Path, module: Path, output: str) -> Project:
    """What our task printed."""
    facts: dict[str, list[str]] = {}
    for line in output.splitlines():
        if line.startswith(f"nl2fix:{module}:"):
            key, _, value = line.removeprefix(f"nl2fix:{module}:").partition("=")
            facts.setdefault(key, []).append(value)
    if "classes" not in facts:
        raise _undescribed(root, module)

    def paths(key: str) -> tuple[Path, ...]:
        return tuple(Path(item) for item in facts.get(key, ()) if Path(item).exists())

    made_here = {*paths("classes"), *paths("test_classes")}
    variables = dict(pair.split("=", 1) for pair in facts.get("environment", ()))
    return Project(
        root=root,
        module=module,
        tool="gradle",
        sources=paths("sources"),
        tests=paths("tests"),
        classes=paths("classes"),
        test_classes=paths("test_classes"),
        libraries=tuple(p for p in paths("libraries") if p not in made_here),
        level=facts["level"][0],
        encoding=facts["encoding"][0],
        processors=() if "-proc:none" in facts.get("javac", ()) else with_processors(paths("processors")),
        options=arguments.of_javac(facts.get("javac", ())),
        jvm_arguments=arguments.of_java(facts.get("java", ())),
        environment=tuple(surroundings.paired(surroundings.allowed(variables))),
    )


def _refuse_old_gradle(root: Path, command: Sequence[str]) -> None:
    """Refuse a Gradle that stands in for the wrapper's and is too old: that took minutes to find out."""
    settings = root / "gradle/wrapper/gradle-wrapper.properties"
    if Path(command[0]).is_relative_to(root) or not settings.is_file():
        return
    wanted = _WANTED.search(settings.read_text(encoding="utf-8", errors="replace"))
    there = _GRADLE_VERSION.search(run([*command, "--version"], root)[1])
    if wanted and there and int(wanted[1]) - int(there[1]) >= _BEHIND:
        why = f"the project asks for Gradle {wanted[1]}, here is {there[0]}"
        raise ToolFails(f"the project's build fails before any edit{_stood_in(command, root)}: {why}")


# -- plain folders --------------------------------------------------------------------------------


def _plain(
    root: Path, file: Path, classpath: Sequence[Path], environment: Environment, tell: Callable[[str], None]
) -> Project:
    place = plain.layout(root, file)
    name = sha256_text(str(place.sources))[:12]
    classes, tests = root / f".nl2fix/{name}/classes", root / f".nl2fix/{name}/test-classes"
    found = plain.shelved(place, root, (*place.jars, *classpath))
    libraries = with_runner((*place.jars, *classpath, *found))
    done = plain.compile_all(place, classes, tests, libraries, environment, tell=tell)
    plain.copy_resources(place, classes, tests)
    return Project(
        **vars(done),
        root=root,
        module=place.module,
        tool="plain",
        sources=place.sources,
        tests=place.tests,
        classes=(classes, *place.resources),
        test_classes=(tests, *place.test_resources),
        libraries=libraries,
        encoding="UTF-8",
        found=found,
    )


# -- processes ------------------------------------------------------------------------------------


def _command(root: Path, wrapper: str, name: str, tool: str, install: str) -> list[str]:
    script, installed = root / wrapper, shutil.which(name)
    if script.is_file():
        script.chmod(0o755)
        if installed is None or _works(script):
            return [str(script)]
    if installed is None:
        raise UsageError(f"{tool} is not installed and the project has no {wrapper}; {install}")
    return [installed]


def _works(wrapper: Path) -> bool:
    """Whether a wrapper can be run: its jar is there, and what it downloads can be had."""
    try:
        return run([str(wrapper), "--version"], wrapper.parent, seconds=WRAPPER_SECONDS)[0] == 0
    except (OSError, Nl2fixError):
        return False


def _first_that_works(
    offline: Sequence[str], online: Sequence[str], folder: Path, less: Sequence[str] = ()
) -> str:
    """Output of the first command that succeeds; the last one's error line when none does.

    ``less``: what is tried offline, too, where that may lack only what runs tests. Nothing is downloaded that
    mends nothing, or from a host that nobody knows.
    """
    code, output = run(offline, folder)
    unknown = hosts.unknown(output, folder) if code else ""
    if code and less and (_RUNNER in _first_error(output) or (unknown and not _UNREAD.search(output))):
        code, output = run(less, folder)
    if code and not unknown and _MENDED_ONLINE.search("\n".join(_MARKED.findall(output)) or output):
        code, output = run(online, folder)
    if not code:
        return output
    failure = ToolFails if _is_of_all(output) else Nl2fixError
    why = _first_error(output) + (f"; {unknown} is an unknown host" if unknown else "")
    raise failure(f"the project's build fails before any edit{_stood_in(online, folder)}: {why}")


def _stood_in(command: Sequence[str], folder: Path) -> str:
    """That an installed tool was used, where the project has a wrapper."""
    used = Path(command[0])
    wrapper = folder / f"{used.name}w"
    return f" with {used}, since {wrapper.name} does not run here" if wrapper.is_file() else ""


def _is_of_all(output: str) -> bool:
    """Whether a build failed before it came to what is peculiar to a module, as their parent is not."""
    begun = _BEGUN.findall(output)
    return len(begun) <= 1 and all("[ pom ]" in line for line in begun) and not _OF_ONE.search(output)


def _first_error(output: str) -> str:
    """The first line marked as an error that is no mere headline, else what Gradle says went wrong."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if _ERROR.match(line) and not line.endswith((":", _EXECUTING))]
    if not errors and _WRONG in lines:
        at = lines.index(_WRONG) + 1
        errors = [" ".join(takewhile(lambda line: not line.startswith("* "), lines[at : at + 2]))]
    if not errors:
        errors = [_THROWN.sub("", after) for line, after in pairwise(lines) if line.endswith(_EXECUTING)]
    told = _MARKS.sub("", (errors or lines or ["no output"])[0])
    return _CHAIN.sub("", told).removesuffix(" -> [Help 1]")[:300]


def run(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str] | None = None,
    seconds: float | None = None,
) -> tuple[int, str]:
    """Exit code and output; the whole process group is killed when it takes too long or we are.

    ``seconds`` is ``TIMEOUT`` unless told otherwise.
    """
    seconds = TIMEOUT if seconds is None else seconds
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        env={**os.environ, **(environment or {})},
    )
    try:
        raw, _ = process.communicate(timeout=seconds)
    except BaseException as error:
        with suppress(ProcessLookupError):  # it may have ended meanwhile
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        if isinstance(error, subprocess.TimeoutExpired):
            raise Nl2fixError(f"{command[0]} took longer than {seconds:g} s") from error
        raise
    return process.returncode, _COLOURS.sub("", raw.decode("utf-8", "replace"))
