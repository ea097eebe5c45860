"""What the functions of unedited Python programs do on generated inputs, recorded once and kept."""

from __future__ import annotations

import json
import threading
from typing import NamedTuple

from nl2fix.core.config import Environment
from nl2fix.core.files import write_atomically
from nl2fix.core.records import Problem, sha256_text
from nl2fix.sandboxes.settings import of
from nl2fix.validation.lint import inputs
from nl2fix.validation.lint.desk import Desk

VERSION = 1
"""Raised when the same program would be recorded differently."""


class Recording(NamedTuple):
    """Tests of a program that its unedited code passes."""

    script: str
    """Assertions to put behind it; empty when nothing could be recorded."""
    functions: frozenset[str]
    """Those that they call."""


class Recorded:
    """Records programs when first asked for. Thread-safe."""

    def __init__(self, environment: Environment, desk: Desk) -> None:
        self._folder = environment.cache / "lint"
        self._python, self._desk = of(environment).python, desk
        self._lock = threading.Lock()
        self._known: dict[str, Recording] = {}

    def of(self, problem: Problem) -> Recording:
        """The recording of a problem's unedited file; the same in every run with the same interpreter."""
        runtime = self._desk.sandbox().runtime("python", self._python)
        parts = (VERSION, inputs.HELPER, inputs.recorder("", ()), runtime.identity, problem.text)
        key = sha256_text(json.dumps(parts))
        with self._lock:
            if key not in self._known:
                self._known[key] = self._kept(key, problem.text)
            return self._known[key]

    def _kept(self, key: str, text: str) -> Recording:
        file = self._folder / f"{key}.json"
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
            return Recording(data["script"], frozenset(data["functions"]))
        except (OSError, ValueError, KeyError, TypeError):
            made = self._record(text)
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, json.dumps({"script": made.script, "functions": sorted(made.functions)}))
        return made

    def _record(self, text: str) -> Recording:
        """Run the calls twice, under different hash seeds; what differs is no test."""
        tried = inputs.calls(text)
        if not tried:
            return Recording("", frozenset())
        runtime = self._desk.sandbox().runtime("python", self._python)
        program = {"record.py": inputs.recorder(text, tried)}
        printed = []
        for seed in ("1", "2"):
            command = ["/usr/bin/env", f"PYTHONHASHSEED={seed}", str(runtime.program), "-s", "record.py"]
            printed.append(self._desk.run(command, program, runtime).stdout)
        seen = inputs.read(tried, *printed)
        return Recording(inputs.script(seen), inputs.tested(seen))
