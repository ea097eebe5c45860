"""Validation of Python programs: a candidate's file and a test script run in one interpreter.

``Program`` is the contract with suites, ``PythonValidator`` the validator. ``server`` runs inside the
sandbox: warm, it forks once per candidate; ``client`` is our end of it.
"""

from nl2fix.validation.python.validator import Program, PythonValidator

__all__ = ["Program", "PythonValidator"]
