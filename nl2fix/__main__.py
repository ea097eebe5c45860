"""The command ``nl2fix``, and ``python -m nl2fix``: what comes before anything of it is loaded."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any, NoReturn


def main() -> NoReturn:
    """Run the command line; Ctrl-C while it is loaded is told in the line that it is told in later."""
    _open_streams()
    loading = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if loading:  # else whoever started it wants it to go on
        signal.signal(signal.SIGINT, _stop)
    from nl2fix.cli.main import main as command

    if loading:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    command()


def _open_streams() -> None:
    """What was closed leads nowhere; the next file opened would else be taken for it."""
    for name, mode in {"stdin": "r", "stdout": "w", "stderr": "w"}.items():
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
            os.set_inheritable(getattr(sys, name).fileno(), True)


def _stop(*_: Any) -> NoReturn:
    """End at once: an import may drop what is raised in it."""
    os.write(2, b"nl2fix: stopped\n")
    os._exit(130)


if __name__ == "__main__":
    main()
