from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.core.records import Candidate
from nl2fix.sandboxes.bubblewrap import Bubblewrap
from nl2fix.sandboxes.choose import WhenNeeded, choose
from nl2fix.sandboxes.once import run
from nl2fix.sandboxes.sandbox import Launch, Sandbox
from nl2fix.suites.humanevalfix import make as make_suite
from tests.conftest import IMAGE
from tests.suites.samples import PYTHON_ROWS, write_rows


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine with neither bubblewrap nor an engine; returns the only folder of ``PATH``."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/no-engine.sock")
    return tmp_path


def test_bubblewrap_comes_first(bubblewrap: Bubblewrap, tmp_path: Path) -> None:
    sandbox = choose(Environment(cache=tmp_path))
    assert sandbox.name == bubblewrap.name
    sandbox.close()


def test_one_that_is_made_while_it_is_closed_is_closed(bubblewrap: Bubblewrap, tmp_path: Path) -> None:
    """It stayed open, and what was started in it went on."""
    sought, found = Event(), Event()

    def slowly(environment: Environment) -> Sandbox:
        sought.set()
        assert found.wait(60)
        return choose(environment)

    needed = WhenNeeded(Environment(cache=tmp_path), slowly)
    with ThreadPoolExecutor(2) as pool:
        made = pool.submit(needed)
        assert sought.wait(60)
        closed = pool.submit(needed.close)
        found.set()
        closed.result(60)
        with pytest.raises(InfrastructureError, match="closed"):
            made.result(60).start(Launch(["true"]))
    with pytest.raises(InfrastructureError, match="closed"):
        needed().start(Launch(["true"]))


@pytest.mark.docker
def test_docker_serves_where_bubblewrap_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    sandbox = choose(Environment(cache=tmp_path))
    assert sandbox.name == "docker"
    sandbox.close()


@pytest.mark.usefixtures("bare")
def test_with_neither_both_ways_out_are_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        choose(Environment(cache=tmp_path))
    line = str(caught.value)
    assert "apt-get install bubblewrap" in line
    assert "systemctl start docker" in line
    assert "\n" not in line


@pytest.mark.usefixtures("bare")
def test_what_was_asked_for_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Docker engine does not answer"):
        choose(Environment(cache=tmp_path).having("sandbox", name="docker"))
    with pytest.raises(UsageError, match="bubblewrap is not installed"):
        choose(Environment(cache=tmp_path).having("sandbox", name="bubblewrap"))


def test_none_only_by_name_and_with_a_warning(tmp_path: Path) -> None:
    with pytest.warns(RuntimeWarning, match="no sandbox"):
        assert choose(Environment(cache=tmp_path).having("sandbox", name="none")).name == "none"


@pytest.mark.parametrize(
    ("environment", "line"),
    [
        ({"name": "none", "root": Path("/nonexistent")}, "sandbox none has no setting 'root'"),
        ({"name": "none", "image": "nl2fix-java"}, "sandbox none has no setting 'image'"),
        ({"name": "bubblewrap", "image": "nl2fix-java"}, "sandbox bubblewrap has no setting 'image'"),
        ({"name": "docker", "root": Path("/")}, "sandbox docker has no setting 'root'"),
        ({"image": "nl2fix-java", "root": Path("/")}, "give one of them"),
        ({"root": Path("/nonexistent")}, "/nonexistent is not the root folder of a system"),
    ],
)
def test_a_setting_that_a_sandbox_lacks_is_refused_by_name(
    environment: dict[str, Any], line: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=line) as caught:
        choose(Environment(cache=tmp_path).having("sandbox", **environment))
    assert "\n" not in str(caught.value)


@pytest.mark.docker
def test_an_image_decides_for_docker(bubblewrap: Bubblewrap, tmp_path: Path) -> None:
    sandbox = choose(Environment(cache=tmp_path).having("sandbox", image=IMAGE))
    assert sandbox.name == "docker" != bubblewrap.name
    sandbox.close()


OUTSIDE = """
from nl2fix.sandboxes.process import LocalProcess, spawn
from nl2fix.sandboxes.runtimes import Known, of_host
from nl2fix.sandboxes.settings import refuse
from pathlib import Path

class Unshared:
    name, keeps_writes_apart, shows = "unshared", False, (Path("/"),)
    mend = "install {}"

    def __init__(self):
        self.runtimes = Known(lambda kind, wanted: of_host(kind, wanted, self.shows, "unshared"))

    def start(self, launch):
        flags = ["--user", "--map-root-user", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
        moved = ["/usr/bin/env", "-C", str(launch.working_directory), *launch.command]
        environment = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", **launch.environment}
        return LocalProcess(spawn(["unshare", *flags, *moved], None, environment), None, launch.limits)

    def runtime(self, kind, wanted=""):
        return self.runtimes.get(kind, wanted)

    def close(self):
        pass

def make(options, environment):
    refuse("unshared", options)
    return Unshared()
"""


@pytest.mark.usefixtures("bubblewrap")  # the same name spaces are needed
def test_a_sandbox_from_outside_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "outside.py").write_text(OUTSIDE)
    monkeypatch.syspath_prepend(tmp_path)
    environment = Environment(cache=tmp_path).having("sandbox", name="outside:make")
    with pytest.raises(UsageError, match="sandbox unshared has no setting 'image'"):
        choose(environment.having("sandbox", image="x"))
    sandbox = choose(environment)
    ended = run(sandbox, ["/bin/sh", "-c", "ls /proc | grep -c '^[0-9]'; cat here"], {"here": "file"})
    assert (ended.status, ended.stdout.split("\n")[1]) == (0, "file")
    assert int(ended.stdout.split("\n")[0]) < 10
    sandbox.close()
    suite = make_suite({"data": str(write_rows(tmp_path / "data.jsonl", *PYTHON_ROWS))}, environment)
    problem = suite.problems()[0]
    validator = suite.validator()
    with validator.session(problem) as session:
        assert session.validate(suite.reference(problem)).plausible
        assert not session.validate(Candidate(problem.before)).plausible
    assert validator.identity(problem)
    validator.close()


def test_an_unknown_name_gets_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="did you mean 'bubblewrap'"):
        choose(Environment(cache=tmp_path).having("sandbox", name="bublewrap"))


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap")
def test_the_jdk_is_this_machine_s(bubblewrap: Bubblewrap) -> None:
    assert (bubblewrap.runtime("java").home / "bin" / "javac").is_file()


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap")
def test_the_jdk_of_another_system_is_the_named_one_or_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("java-11", "java-8"):
        javac = tmp_path / "usr/lib/jvm" / name / "bin/javac"
        javac.parent.mkdir(parents=True)
        javac.touch()

    def home(wanted: str = "") -> str:
        other = Bubblewrap(tmp_path)
        try:
            return str(other.runtime("java", wanted).home)
        finally:
            other.close()

    monkeypatch.delenv("JAVA_HOME", raising=False)
    assert home() == "/usr/lib/jvm/java-11"
    monkeypatch.setenv("JAVA_HOME", "/usr/lib/jvm/java-8")
    assert home() == "/usr/lib/jvm/java-8"
    assert home("/usr/lib/jvm/java-11") == "/usr/lib/jvm/java-11"
    monkeypatch.setenv("JAVA_HOME", "/opt/of-this-machine-only")
    assert home() == "/usr/lib/jvm/java-11"
    with pytest.raises(UsageError, match=r"no JDK in .*/java-17"):
        home("/usr/lib/jvm/java-17")
