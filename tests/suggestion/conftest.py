"""A small Java repository of the user's own, with a bug and a clean git history."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from nl2fix.core.resources import shared  # noqa: F401 - the shipped files must be reachable

BUGS = Path(__file__).parents[2] / "nl2fix/suites/examples/bugs"
JUNIT = Path(__file__).parents[2] / "nl2fix/suites/junit"
JARS = sorted(JUNIT.glob("*.jar"))
BRIEF = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
"""For JVMs that soon end, of compilers and builds: they take half the processor time."""


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """The pager project: its last page may be empty."""
    folder = tmp_path / "pager"
    shutil.copytree(BUGS / "pager-last-page" / "src", folder / "src")
    git(folder, "init", "-q")
    commit(folder)
    return folder


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=t", "-c", "user.email=t@t")
    subprocess.run(["git", "-C", str(folder), *who, *arguments], check=True, capture_output=True)


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "state")


ISSUE = (BUGS / "pager-last-page" / "issue.md").read_text()
PAGER = "src/main/java/examples/pages/Pager.java"


def write(root: Path, path: str, text: str) -> Path:
    """A file below a folder."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def processor(root: Path) -> Path:
    """A jar with an annotation processor: ``@made.Make class X`` makes a class ``made.XMade``."""
    folder = root / "processor"
    write(folder, "made/Make.java", "package made; public @interface Make { }")
    source = write(folder, "made/Maker.java", MAKER)
    into = folder / "classes"
    sources = [str(source), str(folder / "made/Make.java")]
    subprocess.run(
        ["javac", *(f"-J{word}" for word in BRIEF), "-proc:none", "-d", into, *sources], check=True
    )
    write(into, "META-INF/services/javax.annotation.processing.Processor", "made.Maker\n")
    return Path(shutil.make_archive(str(root / "maker"), "zip", into)).rename(root / "maker.jar")


MAKER = """package made;
import java.io.Writer;
import java.util.Set;
import javax.annotation.processing.*;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.*;
@SupportedAnnotationTypes("made.Make")
public class Maker extends AbstractProcessor {
    @Override public SourceVersion getSupportedSourceVersion() { return SourceVersion.latest(); }
    @Override public boolean process(Set<? extends TypeElement> types, RoundEnvironment round) {
        for (Element element : round.getElementsAnnotatedWith(Make.class)) {
            String name = element.getSimpleName() + "Made";
            Filer filer = processingEnv.getFiler();
            try (Writer out = filer.createSourceFile("made." + name, element).openWriter()) {
                out.write("package made; public class " + name + " { public int one() { return 1; } }");
            } catch (java.io.IOException error) {
                throw new IllegalStateException(error);
            }
            try (Writer out = filer.createResource(
                    javax.tools.StandardLocation.CLASS_OUTPUT, "", "META-INF/" + name).openWriter()) {
                out.write("made");
            } catch (java.io.IOException error) {
                throw new IllegalStateException(error);
            }
        }
        return false;
    }
}
"""
