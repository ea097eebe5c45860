"""What benchmarks of Defects4J's bugs are asked: of which bugs, and how these are prepared and tested."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from nl2fix.cli.flags import gather


def arguments(about: str | None, *, some_bugs: bool = False) -> argparse.ArgumentParser:
    """A parser that has these; ``some_bugs``: which bugs must be said."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--config", type=Path)
    parser.add_argument("--defects4j", type=Path)
    parser.add_argument("--bugs", required=some_bugs)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    return parser


def settings(options: argparse.Namespace, **more: object) -> dict[str, Any]:
    """Settings of the suite ``nl2fix`` as they were asked for."""
    given = {"config_file": options.config, "assignments": options.set, "defects4j": options.defects4j}
    return gather({**given, "suite": "nl2fix", **more})
