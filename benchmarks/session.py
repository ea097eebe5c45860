"""The README's picture of a session: what ``nl2fix suggest`` shows in a terminal, as an SVG.

    python benchmarks/session.py [--out docs/session.svg]

Runs the real command on a copy of a shipped example, on a terminal of its own, and draws what stands there
at the end. Made again whenever what the command shows changes.
"""

from __future__ import annotations

import argparse
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import ended
from rich.console import Console
from rich.text import Text

BUG = "pager-last-page"
SHOWN = "nl2fix suggest --method 'Pager#pageCount()' --issue issue.md --top 3"
COLUMNS = 108
_FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""Fonts from elsewhere: the viewer's own will do."""
ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "nl2fix/suites/examples/bugs" / BUG
JARS = sorted((ROOT / "nl2fix/suites/junit").glob("*.jar"))


def session(folder: Path) -> str:
    """What the command writes to a terminal, colours included."""
    project = folder / "pager"
    shutil.copytree(EXAMPLE / "src", project / "src")
    shutil.copy(EXAMPLE / "issue.md", project)
    command = [sys.executable, "-m", "nl2fix", "suggest", "--method", "Pager#pageCount()", "--top", "3"]
    command += ["--issue", "issue.md", "--classpath", os.pathsep.join(map(str, JARS))]
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": str(COLUMNS), "TERM": "xterm-256color"}
    surroundings["FORCE_COLOR"] = "1"
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command, cwd=project, env=surroundings, stdout=theirs, stderr=subprocess.PIPE
    ) as run:
        os.close(theirs)
        told = b"" if run.stderr is None else run.stderr.read()
        shown = _all(ours)
    if run.returncode:
        raise SystemExit(told.decode())
    heads = [line for line in told.decode().splitlines() if not line.startswith(("sample:", "validate:"))]
    return "\n".join([f"$ {SHOWN}", *heads, shown])


def _all(handle: int) -> str:
    """All that was written to a terminal whose other end is closed."""
    parts = []
    while True:
        try:
            part = os.read(handle, 1 << 16)
        except OSError:  # Linux tells the end so
            break
        if not part:
            break
        parts.append(part)
    os.close(handle)
    return b"".join(parts).decode().replace("\r\n", "\n")


def main() -> None:
    ended.by_sigterm()
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=ROOT / "docs/session.svg")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        text = session(Path(folder))
    with Path(os.devnull).open("w") as nowhere:
        console = Console(record=True, width=COLUMNS, file=nowhere)
        console.print(Text.from_ansi(text))
    drawn = console.export_svg(title="nl2fix suggest", unique_id="session")
    arguments.out.write_text(_FONT.sub("", drawn), encoding="utf-8")


if __name__ == "__main__":
    main()
