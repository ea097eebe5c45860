"""The errors a user may see. Each is one line that says what happened and how to mend it."""

from __future__ import annotations


class Nl2fixError(Exception):
    """Work failed; the command ends with exit code 1 and this one line."""

    exit_code = 1


class UsageError(Nl2fixError):
    """The user asked for something that cannot be; the command ends with exit code 2."""

    exit_code = 2


class DataError(Nl2fixError):
    """A file from outside is missing, truncated or not what it should be."""


class StorageError(DataError):
    """What we keep cannot be written, as on a full disk: no trouble of one problem, the command ends."""


class InfrastructureError(Nl2fixError):
    """A sandbox, worker or service broke. Retried, listed apart, never counted as a verdict."""


class LimitReached(Nl2fixError):
    """The run stopped at the user's limit of tokens or money; everything paid for is stored."""


class Interrupted(Nl2fixError):
    """The user stopped the run; everything finished so far is stored."""

    exit_code = 130


def first_line(error: BaseException) -> str:
    """The first line of what an error says, or its name where it says nothing."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
