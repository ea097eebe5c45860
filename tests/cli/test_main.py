"""The outermost boundary: what a user sees of errors and warnings."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def test_a_warning_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "noisy.py").write_text(
        "import warnings\nfrom nl2fix.suites.examples import make as examples\n"
        "def make(options, environment):\n"
        "    warnings.warn('first\\nsecond', UserWarning)\n"
        "    warnings.warn('for developers', DeprecationWarning)\n"
        "    return examples(options, environment)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "always", "-m", "nl2fix", "suites", "noisy:make"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines() == ["nl2fix: warning: first second"]
