"""A run is served wherever its folder lies."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

from tests.pipeline.conftest import Place, place

__all__ = ["place"]


def test_a_moved_run_is_served_where_neither_suite_nor_plug_in_is(place: Place, tmp_path: Path) -> None:
    assert place.run()[0] == 0
    moved = shutil.move(place.folder / "run", tmp_path / "moved")
    shutil.rmtree(place.folder)
    command = [sys.executable, "-m", "nl2fix", "serve", str(moved)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            with urllib.request.urlopen(address, timeout=60) as answer:
                page = answer.read().decode()
        finally:
            server.send_signal(signal.SIGINT)
        _, said = server.communicate()
    assert (server.returncode, said) == (0, ""), "Ctrl-C is how it ends"
    assert "O-1" in page
    assert "O-2" in page
