"""What a sandbox says of the tools inside: the real ones, by a line that differs where they do."""

from __future__ import annotations

import sys
import venv
from pathlib import Path

import pytest

from nl2fix.core.errors import UsageError
from nl2fix.sandboxes.bubblewrap import Bubblewrap
from nl2fix.sandboxes.docker import Docker
from nl2fix.sandboxes.none import Unprotected
from nl2fix.sandboxes.once import run
from nl2fix.sandboxes.sandbox import Runtime, Sandbox
from tests.sandboxes.test_jdk import fake


@pytest.mark.parametrize("kind", ["java", "python"])
def test_what_it_names_runs_inside_and_is_what_it_says(sandbox: Sandbox, kind: str) -> None:
    runtime = sandbox.runtime(kind)
    ask = "-version" if kind == "java" else "--version"
    ended = run(sandbox, [str(runtime.program), ask], {}, read_only=runtime.mounts)
    told = ended.stdout + ended.stderr
    assert runtime.version in told
    assert runtime.version in runtime.identity
    assert sandbox.runtime(kind) is runtime


def test_a_program_that_is_missing_is_named_with_its_package(sandbox: Sandbox) -> None:
    with pytest.raises(
        UsageError, match=r"no /no/node in .*(apt-get install |TOOLCHAINS=.)nodejs.* or name another"
    ) as error:
        sandbox.runtime("node", "/no/node")
    assert "\n" not in str(error.value)


def test_an_unknown_kind_gets_the_nearest(sandbox: Sandbox) -> None:
    with pytest.raises(UsageError, match="unknown kind of runtime 'pyton'; did you mean 'python'"):
        sandbox.runtime("pyton")


@pytest.mark.parametrize("make", [Bubblewrap, Unprotected])
@pytest.mark.filterwarnings("ignore:no sandbox")
def test_two_jdks_of_this_machine_differ(
    make: type[Bubblewrap | Unprotected], tmp_path: Path, bubblewrap: Bubblewrap
) -> None:
    one, two = fake(tmp_path / "one"), fake(tmp_path / "two", 'JAVA_VERSION="17.0.2"\n')
    same = fake(tmp_path / "same")
    sandbox = make()
    identities = [sandbox.runtime("java", str(home)).identity for home in (one, two, same)]
    assert identities[0] != identities[1]
    assert identities[0] == identities[2]
    assert sandbox.runtime("java", str(one)).mounts == ((one,) if make is Bubblewrap else ())
    sandbox.close()


def test_the_system_that_is_shown_counts_not_ours(tmp_path: Path, bubblewrap: Bubblewrap) -> None:
    """With ``--root`` the JDK of this machine went into the keys."""
    fake(tmp_path / "usr/lib/jvm/java-8", 'JAVA_VERSION="1.8.0_504"\n')
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/os-release").write_text('ID=x\nPRETTY_NAME="Old System 7"\n')
    other = Bubblewrap(tmp_path)
    runtime = other.runtime("java")
    assert (runtime.home, runtime.feature, runtime.mounts) == (Path("/usr/lib/jvm/java-8"), 8, ())
    assert "1.8.0_504" in runtime.identity and "Old System 7" in runtime.identity
    assert runtime.identity != bubblewrap.runtime("java").identity
    other.close()


@pytest.mark.docker
def test_two_images_differ(docker: Docker, other_image: str) -> None:
    other = Docker(other_image)
    theirs = other.runtime("java")
    assert theirs.version == "99.0.1"
    assert theirs.identity != docker.runtime("java").identity
    assert other.runtime("python").identity != docker.runtime("python").identity
    other.close()


def test_an_interpreter_with_packages_is_another(bubblewrap: Bubblewrap) -> None:
    bare, ours = bubblewrap.runtime("python"), bubblewrap.runtime("python", sys.executable)
    assert "packages" in ours.identity and "packages" not in bare.identity
    check = [str(ours.program), "-c", "import numpy, sys; print(numpy.add(1, 2), sys.version.split()[0])"]
    ended = run(bubblewrap, check, {}, read_only=ours.mounts)
    assert ended.stdout.split() == ["3", ours.version], ended
    with pytest.raises(UsageError, match="/bin/true is no Python interpreter"):
        bubblewrap.runtime("python", "/bin/true")


@pytest.mark.parametrize("named", ["..", "link to its folder", "link to it", "name alone"])
def test_an_interpreter_is_found_inside_however_it_is_named(
    bubblewrap: Bubblewrap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    """``../venv/bin/python``, a home that is a link and ``python3`` ended in the error of a worker."""
    venv.create(tmp_path / "venv")
    (tmp_path / "here").mkdir()
    (tmp_path / "link").symlink_to("venv")
    (tmp_path / "here" / "mine").symlink_to(Path(sys.executable).resolve())
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("PATH", f"{tmp_path}/venv/bin:/usr/bin:/bin")
    wanted = {
        "..": "../venv/bin/python",
        "link to its folder": f"{tmp_path}/link/bin/python",
        "link to it": f"{tmp_path}/here/mine",
        "name alone": "python",
    }[named]
    runtime = bubblewrap.runtime("python", wanted)
    asked = [str(runtime.program), "-c", "import sys; print(sys.prefix != sys.base_prefix)"]
    ended = run(bubblewrap, asked, {}, read_only=runtime.mounts)
    assert ended.stdout.strip() == str(named != "link to it"), ended


@pytest.mark.parametrize(
    ("version", "feature"), [("1.8.0_504", 8), ("17.0.19", 17), ("21", 21), ("25-ea", 25), ("", 0)]
)
def test_feature_versions(version: str, feature: int) -> None:
    assert Runtime(Path("/"), Path("/"), version, "").feature == feature
