"""Python programs given as plain source texts → what a suite needs to prepare and judge them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

from nl2fix.core.config import Environment
from nl2fix.core.protocols import Progress
from nl2fix.core.records import Problem
from nl2fix.validation.python import PythonValidator
from nl2fix.validation.python.programs import Programs


class PlainPython:
    """Measures the programs of one suite and makes their validator."""

    def __init__(self, environment: Environment, program: Programs) -> None:
        """``program`` gives a problem's tests and reference."""
        self._environment, self._program = environment, program

    def prepare(self, problems: Sequence[Problem], jobs: int, progress: Progress) -> dict[str, str]:
        """As ``Suite.prepare``: run every reference once."""
        with closing(self.validator()) as validator:
            return validator.prepare(problems, jobs, progress)

    def validator(self) -> PythonValidator:
        return PythonValidator(self._environment, self._program)
