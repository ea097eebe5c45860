"""Folders in the temporary directory that go with their process: at its end, or when the next one starts."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from nl2fix.core.locks import locked

_NEW = 60.0
"""Seconds: younger folders may not be locked yet."""


class Scratch:
    """A new folder, named ``PREFIX…``, locked as long as this object lives.

    What killed processes left with the same prefix is removed first.
    """

    def __init__(self, prefix: str, mode: int = 0o700) -> None:
        sweep(prefix)
        self.path = Path(tempfile.mkdtemp(prefix=prefix))
        self.path.chmod(mode)
        self._lock = ExitStack()
        self._lock.enter_context(locked(self.path))

    def close(self) -> None:
        """Remove it with all that is in it."""
        self._lock.close()
        shutil.rmtree(self.path, ignore_errors=True)


def sweep(prefix: str) -> None:
    """Remove our folders of this prefix that no living process holds."""
    for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        with contextlib.suppress(OSError):  # somebody else's, or just being removed
            about = folder.lstat()
            if _ours(about) and time.time() - about.st_mtime > _NEW:
                with locked(folder, wait=False):
                    pass
                shutil.rmtree(folder)


def _ours(about: os.stat_result) -> bool:
    """A folder of this user's; where files have no owners, the temporary directory is the user's own."""
    return stat.S_ISDIR(about.st_mode) and (not hasattr(os, "getuid") or about.st_uid == os.getuid())
