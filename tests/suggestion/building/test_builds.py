"""Maven and Gradle are the real ones of the machine, with what its package manager installed for them."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path

import psutil
import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import Nl2fixError, UsageError
from nl2fix.suggestion.building import builds
from tests.conftest import missing
from tests.suggestion.conftest import BRIEF, JARS, PAGER, processor, write

NO_CACHE = Environment(cache=Path("/nonexistent"))
"""Maven and Gradle need none."""
MAVEN_REPO = Path("/usr/share/maven-repo/org/apache/maven/plugins")
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  {parent}
  <groupId>org.acme</groupId><artifactId>{name}</artifactId><version>1</version>
  <packaging>{packaging}</packaging>
  {modules}
  <properties>
    <maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies><dependency>
    <groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version><scope>test</scope>
  </dependency>{dependency}</dependencies>
  <build><plugins>
    <plugin><artifactId>maven-compiler-plugin</artifactId><version>{compiler}</version>
      <executions>{executions}</executions>
      <configuration>{configuration}</configuration></plugin>
    <plugin><artifactId>maven-resources-plugin</artifactId><version>{resources}</version></plugin>
  </plugins></build>
</project>
"""


def version(plugin: str) -> str:
    folder = MAVEN_REPO / plugin
    found = sorted(p.name for p in folder.glob("*") if p.is_dir()) if folder.is_dir() else []
    if not found or shutil.which("mvn") is None:
        missing("Maven is not installed: apt-get install maven libmaven-compiler-plugin-java junit4")
    return found[-1]


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Builds of a few classes."""
    words = " ".join(BRIEF)
    monkeypatch.setenv("MAVEN_OPTS", f"{words} -Dmaven.repo.local=/usr/share/maven-repo")
    monkeypatch.setenv("GRADLE_OPTS", f"{words} '-Dorg.gradle.jvmargs={words}'")


@pytest.fixture
def maven() -> dict[str, str]:
    return {
        "compiler": version("maven-compiler-plugin"),
        "resources": version("maven-resources-plugin"),
        "parent": "",
        "modules": "",
        "dependency": "",
        "configuration": "",
        "executions": "",
        "packaging": "jar",
        "name": "pager",
    }


def test_maven_tells_class_path_and_level(repo: Path, maven: dict[str, str]) -> None:
    (repo / "pom.xml").write_text(POM.format(**maven))
    project = builds.build(repo, repo / PAGER, (), NO_CACHE)
    assert project.tool == "maven"
    assert project.sources == (repo / "src/main/java",)
    assert project.tests == (repo / "src/test/java",)
    assert (project.classes[0] / "examples/pages/Pager.class").is_file()
    assert (project.test_classes[0] / "examples/pages/PagerTest.class").is_file()
    assert any("junit" in jar.name for jar in project.libraries)
    assert all(jar.exists() for jar in project.libraries)
    assert (project.level, project.encoding) == ("8", "UTF-8")


def test_a_further_execution_of_the_compiler_is_not_taken_for_the_project_s(
    repo: Path, maven: dict[str, str]
) -> None:
    """Its source folder stood for the project's: libraries compile newer classes besides."""
    executions = (
        "<execution><id>newer</id><phase>process-classes</phase><goals><goal>compile</goal></goals>"
        "<configuration><compileSourceRoots><root>${project.basedir}/src/main/java9</root></compileSourceRoots>"
        "</configuration></execution>"
    )
    (repo / "pom.xml").write_text(POM.format(**{**maven, "executions": executions}))
    write(repo, "src/main/java9/examples/pages/Newer.java", "package examples.pages; class Newer { }")
    project = builds.build(repo, repo / PAGER, (), NO_CACHE)
    assert project.sources == (repo / "src/main/java",)


MADE = "package examples.pages; @made.Make class Extra { int one = new made.ExtraMade().one(); }"


def test_maven_tells_annotation_processors_and_arguments(repo: Path, maven: dict[str, str]) -> None:
    jar = processor(repo.parent)
    dependency = (
        "<dependency><groupId>made</groupId><artifactId>maker</artifactId><version>1</version>"
        f"<scope>system</scope><systemPath>{jar}</systemPath></dependency>"
    )
    configuration = "<parameters>true</parameters><compilerArgs><arg>-Ahow=well</arg></compilerArgs>"
    (repo / "pom.xml").write_text(
        POM.format(**{**maven, "dependency": dependency, "configuration": configuration})
    )
    write(repo, "src/main/java/examples/pages/Extra.java", MADE)
    for _ in range(2):  # the second time everything is up to date
        project = builds.build(repo, repo / PAGER, (), NO_CACHE)
        assert jar in project.processors
        assert project.options == ("-parameters", "-Ahow=well")
        assert (project.classes[0] / "made/ExtraMade.class").is_file()


def test_a_wrapper_that_cannot_run_gives_way_to_the_installed_tool(repo: Path, maven: dict[str, str]) -> None:
    (repo / "pom.xml").write_text(POM.format(**maven))
    (repo / "mvnw").write_text("#!/bin/sh\nexec java -cp .mvn/wrapper/maven-wrapper.jar Missing\n")
    assert (
        builds.build(repo, repo / PAGER, (), NO_CACHE).classes[0] / "examples/pages/Pager.class"
    ).is_file()
    (repo / "mvnw").write_text("#!/no/such/shell\n")
    assert builds.build(repo, repo / PAGER, (), NO_CACHE).tool == "maven"


def test_a_module_of_a_maven_reactor_is_built_with_what_it_needs(repo: Path, maven: dict[str, str]) -> None:
    module = reactor(repo, maven, maven)
    project = builds.build(repo, module / PAGER, (), NO_CACHE)
    assert project.module == module
    assert (project.classes[0] / "examples/pages/Pager.class").is_file()


ADDED = """<additionalClasspathElements>
  <additionalClasspathElement>../engine/target/classes</additionalClasspathElement>
  <additionalClasspathElement>${project.basedir}/extra, ${project.basedir}/none</additionalClasspathElement>
</additionalClasspathElements>"""


@pytest.mark.parametrize("tool", ["plain", "maven"])
def test_what_surefire_adds_to_the_class_path_is_there(
    repo: Path, cache: Path, maven: dict[str, str], tool: str
) -> None:
    """In janino's module of tests all failed: what they find by its name alone no pom depends on."""
    parts = {
        **maven,
        "packaging": "pom",
        "modules": "<modules><module>app</module><module>engine</module></modules>",
    }
    write(repo, "pom.xml", POM.format(**parts))
    parent = "<parent><groupId>org.acme</groupId><artifactId>pager</artifactId><version>1</version></parent>"
    for name in ("app", "engine"):
        write(repo, f"{name}/pom.xml", POM.format(**{**maven, "parent": parent, "name": name}))
    configured = f"<configuration>{ADDED}</configuration>"
    surefire = f"<plugin><artifactId>maven-surefire-plugin</artifactId>{configured}</plugin>"
    pom = repo / "app/pom.xml"
    pom.write_text(pom.read_text().replace("</plugins>", f"{surefire}</plugins>"))
    shutil.move(repo / "src", repo / "app/src")
    write(repo, "engine/src/main/java/engine/Engine.java", "package engine; public class Engine { }")
    write(repo, "app/extra/extra.txt", "")
    project = builds.build(repo, repo / "app" / PAGER, JARS, Environment(cache=cache), tool)
    path = (*project.classes, *project.libraries)
    assert any((folder / "engine/Engine.class").is_file() for folder in path)
    assert repo / "app/extra" in path and repo / "app/none" not in path


def test_a_build_that_fails_is_one_line(repo: Path, maven: dict[str, str]) -> None:
    (repo / "pom.xml").write_text(POM.format(**maven))
    (repo / PAGER).write_text("package examples.pages; class Pager { int x = nothing; }")
    with pytest.raises(Nl2fixError, match=r"build fails before any edit: \S+\.java:\S+ ") as raised:
        builds.build(repo, repo / PAGER, (), NO_CACHE)
    assert "\n" not in str(raised.value)


def reactor(repo: Path, top: dict[str, str], core: dict[str, str]) -> Path:
    """The project as the only module of a Maven build."""
    module = repo / "core"
    module.mkdir()
    shutil.move(repo / "src", module / "src")
    modules = {"packaging": "pom", "modules": "<modules><module>core</module></modules>", "name": "top"}
    (repo / "pom.xml").write_text(POM.format(**{**top, **modules}))
    parent = "<parent><groupId>org.acme</groupId><artifactId>top</artifactId><version>1</version></parent>"
    (module / "pom.xml").write_text(POM.format(**{**core, "parent": parent}))
    return module


def test_maven_that_fails_at_the_parent_fails_for_all_modules(repo: Path, maven: dict[str, str]) -> None:
    """A plug-in that could not be had was looked for once more for each of eight modules."""
    early = "<execution><phase>validate</phase><goals><goal>compile</goal></goals></execution>"
    module = reactor(repo, {**maven, "compiler": "0", "executions": early}, maven)
    with pytest.raises(builds.ToolFails, match="maven-compiler-plugin:0 or one of its dependencies"):
        builds.build(repo, module / PAGER, (), NO_CACHE)


@pytest.mark.parametrize("lacks", ["plug-in", "code"])
def test_maven_that_fails_at_a_module_may_do_for_others(
    repo: Path, maven: dict[str, str], lacks: str
) -> None:
    module = reactor(repo, maven, {**maven, "compiler": "0"} if lacks == "plug-in" else maven)
    if lacks == "code":
        (module / PAGER).write_text("package examples.pages; class Pager { int x = nothing; }")
    with pytest.raises(Nl2fixError) as raised:
        builds.build(repo, module / PAGER, (), NO_CACHE)
    assert not isinstance(raised.value, builds.ToolFails)


def test_a_pom_that_maven_cannot_read_is_told(repo: Path) -> None:
    (repo / "pom.xml").write_text("<project><oops>")
    with pytest.raises(Nl2fixError, match=r"build fails before any edit: Non-\w+ POM"):
        builds.build(repo, repo / PAGER, (), NO_CACHE)


@pytest.mark.parametrize(
    ("script", "message", "all_modules"),
    [
        ("apply plugin: 'jav'\n", "A problem occurred .* > Plugin with id 'jav' not found", True),
        ("apply plugin: 'java'\n", r"\S+PagerTest\.java:\d+: error: ", False),
    ],
)
def test_what_went_wrong_in_gradle_is_told(repo: Path, script: str, message: str, all_modules: bool) -> None:
    if shutil.which("gradle") is None:
        missing("Gradle is not installed: apt-get install gradle")
    (repo / "build.gradle").write_text(script)
    with pytest.raises(Nl2fixError, match=f"build fails before any edit: {message}") as raised:
        builds.build(repo, repo / PAGER, (), NO_CACHE)
    assert isinstance(raised.value, builds.ToolFails) == all_modules


def test_that_the_installed_tool_stood_in_for_a_wrapper_is_told(repo: Path) -> None:
    """Debian's Gradle 4.4 read RoaringBitmap's settings otherwise; "* Try:" ended what was told."""
    if shutil.which("gradle") is None:
        missing("Gradle is not installed: apt-get install gradle")
    (repo / "build.gradle").write_text("throw new IllegalStateException('too old')\n")
    (repo / "gradlew").write_text("#!/bin/sh\nexit 1\n")
    with pytest.raises(Nl2fixError) as raised:
        builds.build(repo, repo / PAGER, (), NO_CACHE)
    assert f"edit with {shutil.which('gradle')}, since gradlew does not run here: " in str(raised.value)
    assert "too old" in str(raised.value) and "* " not in str(raised.value)


def test_a_gradle_module_that_is_not_java_is_told_without_our_task(repo: Path) -> None:
    """``Task 'nl2fixDescribe' not found in root project`` told nobody anything."""
    (repo / "build.gradle").write_text("apply plugin: 'base'\n")
    script = (
        '[ "$1" = --version ] && exit 0\n'
        "printf '* What went wrong:\\nTask %s not found in root project.\\n' \"'nl2fixDescribe'\"\nexit 1\n"
    )
    write(repo, "gradlew", f"#!/bin/sh\n{script}")
    with pytest.raises(Nl2fixError, match=r"^Gradle did not describe the project: it has no java plugin, or"):
        builds.build(repo, repo / PAGER, (), NO_CACHE)


def test_gradle_tells_class_path_and_level(repo: Path) -> None:
    if shutil.which("gradle") is None:
        missing("Gradle is not installed: apt-get install gradle")
    jars = ", ".join(f"'{jar}'" for jar in JARS)
    (repo / "build.gradle").write_text(
        f"apply plugin: 'java'\nsourceCompatibility = 1.8\ndependencies {{ testCompile files({jars}) }}\n"
    )
    project = builds.build(repo, repo / PAGER, (), NO_CACHE)
    assert project.tool == "gradle"
    assert (repo / "src/main/java") in project.sources
    assert any((folder / "examples/pages/Pager.class").is_file() for folder in project.classes)
    assert set(JARS) <= set(project.libraries)
    assert project.level == "1.8"


def test_what_gradle_adds_to_the_class_path_of_tests_is_there(repo: Path) -> None:
    if shutil.which("gradle") is None:
        missing("Gradle is not installed: apt-get install gradle")
    jars = ", ".join(f"'{jar}'" for jar in JARS)
    added = "test { classpath += files('extra') + project(':engine').sourceSets.main.output }"
    write(repo, "settings.gradle", "include 'app', 'engine'\n")
    write(repo, "engine/build.gradle", "apply plugin: 'java'\n")
    write(repo, "engine/src/main/java/engine/Engine.java", "package engine; public class Engine { }")
    dependencies = f"dependencies {{ testCompile files({jars}) }}"
    write(
        repo,
        "app/build.gradle",
        f"apply plugin: 'java'\nevaluationDependsOn(':engine')\n{dependencies}\n{added}\n",
    )
    write(repo, "app/extra/extra.txt", "")
    shutil.move(repo / "src", repo / "app/src")
    project = builds.build(repo, repo / "app" / PAGER, (), NO_CACHE)
    assert any((folder / "engine/Engine.class").is_file() for folder in project.libraries)
    assert repo / "app/extra" in project.libraries


def test_no_gradle_daemon_of_ours_stays(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process of 300 MB was left for three hours."""
    if shutil.which("gradle") is None:
        missing("Gradle is not installed: apt-get install gradle")
    home = str(tmp_path / "gradle")
    monkeypatch.setenv("GRADLE_USER_HOME", home)
    jars = ", ".join(f"'{jar}'" for jar in JARS)
    (repo / "build.gradle").write_text(
        f"apply plugin: 'java'\ndependencies {{ testCompile files({jars}) }}\n"
    )
    builds.build(repo, repo / PAGER, (), NO_CACHE)
    daemons = [each for each in psutil.process_iter() if _of_gradle(each, home)]
    assert daemons
    assert psutil.wait_procs(daemons, timeout=120)[1] == []


def _of_gradle(process: psutil.Process, home: str) -> bool:
    try:
        return bool(process.environ().get("GRADLE_USER_HOME") == home)
    except psutil.Error:
        return False


def test_gradle_tells_annotation_processors_and_arguments(repo: Path) -> None:
    if shutil.which("gradle") is None:
        missing("Gradle is not installed: apt-get install gradle")
    jar = processor(repo.parent)
    jars = ", ".join(f"'{path}'" for path in JARS)
    (repo / "build.gradle").write_text(
        f"""apply plugin: 'java'
dependencies {{ compileOnly files('{jar}'); testCompile files({jars}) }}
compileJava.options.compilerArgs << '-parameters' << '-Xlint:all'
test {{ jvmArgs '-Xmx1g', '--add-opens=java.base/java.lang=ALL-UNNAMED'; systemProperty 'who', 'me'
       environment 'WHO', 'you' }}
"""
    )
    write(repo, "src/main/java/examples/pages/Extra.java", MADE)
    project = builds.build(repo, repo / PAGER, (), NO_CACHE)
    assert project.processors == (jar,)
    assert project.options == ("-parameters",)
    assert project.jvm_arguments == ("-Dwho=me", "--add-opens=java.base/java.lang=ALL-UNNAMED")
    assert project.environment == ("WHO=you",)


def test_plain_folders_by_their_usual_names(repo: Path, cache: Path) -> None:
    (repo / "lib").mkdir()
    shutil.copy(JARS[0], repo / "lib")
    project = builds.build(repo, repo / PAGER, JARS[1:], Environment(cache=cache))
    assert project.tool == "plain"
    assert project.sources == (repo / "src/main/java",)
    assert project.tests == (repo / "src/test/java",)
    assert project.libraries == (repo / "lib" / JARS[0].name, *JARS[1:])


@pytest.mark.parametrize(
    ("file", "output"), [("pom.xml", "target/test-classes"), ("build.gradle", "build/resources/test")]
)
def test_resources_that_a_test_opens_where_the_build_puts_them_are_there(
    repo: Path, cache: Path, file: str, output: str
) -> None:
    """Ten tests of java-diff-utils failed for want of files below ``target/test-classes``."""
    (repo / file).touch()
    write(repo, "src/test/resources/pages/list.txt", "1")
    builds.build(repo, repo / PAGER, JARS, Environment(cache=cache), "plain")
    assert (repo / output / "pages/list.txt").read_text() == "1"


def test_a_missing_tool_is_told_with_the_command_that_installs_it(
    repo: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (repo / "pom.xml").write_text("<project/>")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="Maven is not installed and the project has no mvnw; apt-get"):
        builds.build(repo, repo / PAGER, (), NO_CACHE)


def test_a_command_that_hangs_is_killed_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builds, "TIMEOUT", 0.5)
    with pytest.raises(Nl2fixError, match="took longer"):
        builds.run(["sh", "-c", "sleep 60 & sleep 60"], tmp_path)


def test_an_interrupted_command_that_ends_by_itself_is_an_interruption(tmp_path: Path) -> None:
    """Ctrl-C while Maven ended was told as "No such process"."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(KeyboardInterrupt):
            builds.run(["sleep", "0.2"], tmp_path)  # within the time that it is given after an interruption
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def has_runner() -> bool:
    """Whether Maven can run tests here, without which it does not begin."""
    return (MAVEN_REPO / "maven-surefire-plugin").is_dir()


def counted(repo: Path, tool: str) -> Path:
    """A wrapper that runs the installed tool and keeps what it was asked for, a line each."""
    calls = repo / "calls"
    write(repo, f"{tool}w", f'#!/bin/sh\n[ "$1" = --version ] || echo "$@" >> {calls}\nexec {tool} "$@"\n')
    return calls


CENTRAL = """<{0}><{1}><id>central</id><url>https://{2}/maven2</url></{1}></{0}>
<dependencies>"""


def looked_for_at(host: str, pom: str) -> str:
    """A pom whose plug-ins are looked for at a host."""
    return pom.replace("<dependencies>", CENTRAL.format("pluginRepositories", "pluginRepository", host), 1)


@pytest.mark.parametrize("lacks", ["code", "plug-in", "runner"])
def test_maven_is_asked_again_only_for_what_that_may_mend(
    repo: Path, maven: dict[str, str], lacks: str
) -> None:
    """It was asked three times for code that does not compile, and a parent that could not be had."""
    runner = "<plugin><artifactId>maven-surefire-plugin</artifactId><version>0</version></plugin>"
    pom = POM.format(**{**maven, **({"compiler": "0"} if lacks == "plug-in" else {})})
    pom = pom.replace("<plugins>", f"<plugins>{runner if lacks == 'runner' else ''}")
    (repo / "pom.xml").write_text(looked_for_at("localhost:9", pom))
    calls = counted(repo, "mvn")
    if lacks == "runner":
        assert builds.build(repo, repo / PAGER, (), NO_CACHE).tool == "maven"
    else:
        if lacks == "code":
            (repo / PAGER).write_text("package examples.pages; class Pager { int x = nothing; }")
        with pytest.raises(Nl2fixError):
            builds.build(repo, repo / PAGER, (), NO_CACHE)
    asked = [(call.split()[0] == "-o", call.split()[-1]) for call in calls.read_text().splitlines()]
    assert [goal for offline, goal in asked if not offline] == ["test-compile"] * (lacks == "plug-in")
    assert len(asked) == (1 if lacks == "code" and has_runner() else 2)


def test_maven_is_not_asked_to_download_from_a_host_that_nobody_knows(
    repo: Path, maven: dict[str, str]
) -> None:
    """Without a network it took as long again to fail."""
    parent = "<parent><groupId>no.such</groupId><artifactId>parent</artifactId><version>1</version></parent>"
    for lacks in ({"compiler": "0"}, {"parent": parent}):
        pom = looked_for_at("nowhere.invalid", POM.format(**{**maven, **lacks}))
        (repo / "pom.xml").write_text(pom)
        calls = counted(repo, "mvn")
        with pytest.raises(Nl2fixError, match=r"; \S+ is an unknown host$"):
            builds.build(repo, repo / PAGER, (), NO_CACHE)
        asked = [call.split()[0] for call in calls.read_text().splitlines()]
        assert asked == ["-o"] * (1 if "parent" in lacks else 2)
        calls.unlink()


def test_gradle_that_is_asked_for_what_no_download_mends_is_asked_once(repo: Path) -> None:
    if shutil.which("gradle") is None:
        missing("Gradle is not installed: apt-get install gradle")
    (repo / "build.gradle").write_text("apply plugin: 'jav'\n")
    calls = counted(repo, "gradle")
    with pytest.raises(Nl2fixError, match="Plugin with id 'jav' not found"):
        builds.build(repo, repo / PAGER, (), NO_CACHE)
    assert [call.split()[0] for call in calls.read_text().splitlines()] == ["--offline"]


def test_a_gradle_that_is_far_too_old_is_not_tried(repo: Path) -> None:
    """Debian's Gradle 4.4 took a minute and a half to fail at Rhino's build, which is for Gradle 9."""
    if shutil.which("gradle") is None:
        missing("Gradle is not installed: apt-get install gradle")
    (repo / "build.gradle").write_text("apply plugin: 'java'\n")
    (repo / "gradlew").write_text("#!/bin/sh\nexit 1\n")
    wanted = "distributionUrl=https\\://services.gradle.org/distributions/gradle-99.4.0-bin.zip\n"
    write(repo, "gradle/wrapper/gradle-wrapper.properties", wanted)
    with pytest.raises(builds.ToolFails, match=r"the project asks for Gradle 99, here is Gradle \d"):
        builds.build(repo, repo / PAGER, (), NO_CACHE)


@pytest.mark.parametrize("version", ["", "\x1b[0m\x1b[0mApache Maven 3.8.7\n"])
@pytest.mark.parametrize("mark", ["[ERROR] ", "org.apache.maven.cli.internal.ExtensionException: "])
def test_a_headline_of_maven_s_is_not_the_error(repo: Path, mark: str, version: str) -> None:
    """Of mybatis it was Maven's version, between colours: with ``-X`` the cause is a stack trace's."""
    (repo / "pom.xml").write_text("<project/>")
    head = f"{version}[\x1b[1;31mERROR\x1b[m] Error executing Maven."
    wrapper = f"{head}\n{mark}Extension a:b:1 could not be resolved\n    at o.a.MavenCli.main (MavenCli.java)"
    (repo / "mvnw").write_text(f"#!/bin/sh\n[ \"$1\" = --version ] && exit 0\necho '{wrapper}'\nexit 1\n")
    with pytest.raises(Nl2fixError, match=r"before any edit: Extension a:b:1 could not be resolved$"):
        builds.build(repo, repo / PAGER, (), NO_CACHE)


def test_a_folder_that_is_part_of_a_project_names_the_project(tmp_path: Path) -> None:
    """In a module Maven lacked its parent, and in ``src/main`` there were no tests: neither told why."""
    module, plain, other = tmp_path / "shop/web", tmp_path / "shop/tools", tmp_path / "shop/web/src/main"
    for name in ("shop/web/pom.xml", "shop/web/src/main/A.java", "shop/tools/A.java", "pom.xml"):
        write(tmp_path, name, "<project/>")
    parts = (module, plain, other)
    assert not any(map(builds.project_around, parts)), "what no work tree holds together is told nothing of"
    (tmp_path / ".git").mkdir()
    found = [builds.project_around(folder) for folder in (*parts, tmp_path)]
    assert found == [None, tmp_path, module, None]
    write(tmp_path, "pom.xml", "<project><modules><module>shop/other</module></modules></project>")
    assert builds.project_around(module) is None, "it stands by itself among another's files"
    write(tmp_path, "shop/settings.gradle", "include ':web', ':core'")
    assert builds.project_around(module) == tmp_path / "shop"
    (tmp_path / "shop/settings.gradle").unlink()
    write(tmp_path, "pom.xml", "<project><modules><module>shop/web</module></modules></project>")
    assert builds.project_around(module) == tmp_path
