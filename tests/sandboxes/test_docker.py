"""What is particular to docker; what all sandboxes share is in ``test_sandbox``."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.sandboxes.docker import LABEL, Docker, _remove
from nl2fix.sandboxes.sandbox import Launch
from tests.conftest import IMAGE


def test_engine_off_is_one_clear_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nothing.sock")
    with pytest.raises(UsageError, match=r"does not answer.*systemctl start docker") as caught:
        Docker(IMAGE)
    assert "\n" not in str(caught.value)


@pytest.mark.docker
def test_a_missing_image_tells_how_to_build_it() -> None:
    with pytest.raises(UsageError, match=r"no Docker image 'nl2fix-nowhere'.*make image"):
        Docker("nl2fix-nowhere")


@pytest.mark.docker
def test_the_jdk_is_the_image_s(docker: Docker) -> None:
    home = docker.runtime("java").home
    with pytest.raises(UsageError, match=r"image nl2fix-java .* has no JDK in /usr/lib/jvm/of-the-host"):
        docker.runtime("java", "/usr/lib/jvm/of-the-host")
    process = docker.start(Launch([str(home / "bin" / "javac"), "-version"]))
    out = process.stdout.read().decode()
    process.kill()
    assert "javac" in out + process.stderr_tail()


@pytest.mark.docker
def test_containers_are_gone_after_their_workers(docker: Docker) -> None:
    killed = docker.start(Launch(["/bin/sleep", "1000"]))
    finished = docker.start(Launch(["/bin/true"]))
    while finished.poll() is None:
        time.sleep(0.02)
    killed.kill()
    assert killed.poll() == 137
    assert containers(str(os.getpid())) == []


@pytest.mark.docker
def test_a_container_that_the_engine_cannot_remove_at_once_is_removed(
    docker: Docker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen on a busy machine: "unable to remove filesystem: directory not empty" cost a verdict."""
    from docker.errors import APIError
    from requests import Response

    from docker import APIClient

    remove, busy = APIClient.remove_container, Response()
    busy.status_code = 500
    asked: list[str] = []

    def removed(api: APIClient, identifier: str, **how: bool) -> None:
        asked.append(identifier)
        if len(asked) <= 2:
            raise APIError("unable to remove filesystem", busy)
        remove(api, identifier, **how)

    monkeypatch.setattr(APIClient, "remove_container", removed)
    process = docker.start(Launch(["/bin/sleep", "1000"]))
    process.kill()
    assert process.poll() == 137
    assert containers(str(os.getpid())) == []


@pytest.mark.docker
def test_what_the_engine_is_removing_already_is_waited_for(
    docker: Docker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A container was there still when its end, met by another's call, had been told as done."""
    from docker.errors import APIError
    from requests import Response

    from docker import APIClient

    remove, removing = APIClient.remove_container, Response()
    removing.status_code = 409
    begun: list[threading.Timer] = []

    def removed(api: APIClient, identifier: str, **how: bool) -> None:
        if not begun:
            begun.append(threading.Timer(0.5, remove, (api, identifier), how))
            begun[0].start()
            raise APIError("removal is already in progress", removing)
        if begun[0].is_alive():
            raise APIError("removal is already in progress", removing)
        remove(api, identifier, **how)

    process = docker.start(Launch(["/bin/sleep", "1000"]))
    monkeypatch.setattr(APIClient, "remove_container", removed)
    (identifier,) = containers(str(os.getpid()))
    _remove(docker._client.api, identifier)
    assert containers(str(os.getpid())) == []
    process.kill()


@pytest.mark.docker
def test_an_overlaid_folder_outside_of_tmp_takes_writes(docker: Docker) -> None:
    """The engine makes such a working directory before it mounts anything there."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as made:
        folder = Path(made)
        folder.chmod(0o755)
        (folder / "file").write_text("before\n")
        script = ["/bin/sh", "-c", "echo after >> file; cat file"]
        process = docker.start(Launch(script, overlay=[folder], working_directory=folder))
        assert process.stdout.read() == b"before\nafter\n", process.stderr_tail()
        process.kill()
        assert (folder / "file").read_text() == "before\n"


def containers(owner: str) -> list[str]:
    """Ids of all containers, running or not, whose label names an owner."""
    import docker as sdk

    client = sdk.from_env()
    try:
        found = client.api.containers(all=True, filters={"label": LABEL})
        return [c["Id"] for c in found if str(c["Labels"][LABEL]).startswith(f"{owner}@")]
    finally:
        client.close()


@pytest.mark.docker
@pytest.mark.parametrize("worker", ["/bin/cat", "trap '' HUP TERM; sleep 1000"])
def test_what_a_killed_run_left_is_removed_by_the_next(worker: str) -> None:
    run = (
        "import time; from nl2fix.sandboxes.docker import Docker; "
        "from nl2fix.sandboxes.sandbox import Launch; "
        f"p = Docker({IMAGE!r}).start(Launch(['/bin/sh', '-c', {worker!r}])); "
        "print('up', flush=True); time.sleep(100)"
    )
    parent = subprocess.Popen([sys.executable, "-c", run], stdout=subprocess.PIPE)
    assert parent.stdout and parent.stdout.readline() == b"up\n"
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    Docker(IMAGE).close()
    assert containers(str(parent.pid)) == []


@pytest.mark.docker
def test_containers_of_a_living_run_are_left_alone(docker: Docker) -> None:
    process = docker.start(Launch(["/bin/cat"]))
    Docker(IMAGE).close()
    process.stdin.write(b"alive\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"alive\n"
    process.kill()


@pytest.mark.docker
@pytest.mark.skipif(os.getuid() != 0, reason="only root shows what another user cannot read")
def test_a_folder_the_container_cannot_read_tells_how_to_mend_it(docker: Docker, folder: Path) -> None:
    folder.chmod(0o700)
    with pytest.raises(InfrastructureError, match="chmod -R o\\+rX"):
        docker.start(Launch(["/bin/true"], read_only=[folder]))


@pytest.mark.docker
def test_java_runs_inside(docker: Docker, folder: Path) -> None:
    source = 'System.out.println(System.getProperty("user.name"));'
    source = f"class Hi {{ public static void main(String[] a) {{ {source} }} }}"
    (folder / "Hi.java").write_text(source)
    home = docker.runtime("java").home
    script = f"cd /tmp && {home}/bin/javac -d . {folder}/Hi.java && {home}/bin/java -Xshare:auto Hi"
    process = docker.start(Launch(["/bin/sh", "-c", script], read_only=[folder]))
    assert process.stdout.read() == b"nl2fix\n"
    process.kill()


@pytest.mark.docker
def test_a_toolchain_that_the_image_lacks_is_told_with_how_to_build_it_in(docker: Docker) -> None:
    with pytest.raises(UsageError, match=r"no rustc in image .*`make image TOOLCHAINS=.rustc.`") as caught:
        docker.runtime("rust")
    assert "\n" not in str(caught.value)
