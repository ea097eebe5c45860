"""Judges candidates by a build command and a test command; satisfies ``Validator`` and ``Session``.

A candidate is built in a sandbox of its own that gives back one file, the built program, and nothing else.
That file alone goes into another sandbox and is tested, so neither sources nor tests nor other candidates
lie beside it. The tests' code reads a word from standard input when its last check is done and prints it;
plausible is what ended well and printed that word as a line, twice, with two words drawn by us. So an
early exit, whatever its status, is no pass. Code that shares a process with its tests could read the word
itself: so what passed is built once more, with tests of which one must fail, and passes no more. (An edit
that newly names what reading the word takes is marked suspicious all the same.)

Candidates of equal text share one verdict, and so do those whose built programs are equal.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import secrets
import shutil
import tarfile
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from nl2fix.core import outside
from nl2fix.core.changes import edited_files
from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError
from nl2fix.core.files import extract
from nl2fix.core.records import Candidate, Evidence, Outcome, Problem, Verdict, fingerprint, sha256_text
from nl2fix.sandboxes.choose import WhenNeeded
from nl2fix.sandboxes.once import CommandBounds, Finished, run
from nl2fix.sandboxes.sandbox import Limits
from nl2fix.sandboxes.settings import of

BUILD_SECONDS = 120.0
"""Processor time that a build may take."""
TEST_SECONDS = 10.0
"""Processor time that tests may take unless the user says otherwise."""
WALL_FACTOR, WALL_SECONDS = 3.0, 60.0
"""Wall time is allowed beyond processor time, as the machine may be busy."""
BUILT_BYTES = 128 << 20
"""Largest built program, and largest cache of a build tool."""
PROCESSES = 128
TEST = "tests"
"""Id of the one test, the program as a whole."""
CACHE = "NL2FIX_CACHE"
BUILT = "program"
"""Name of the file that a build makes."""
_MESSAGE = 500
_UNMET = "tests of which one must fail did not fail with this program"
_EMPTY = b"#!/bin/sh\n"
"""A program that does nothing."""
_SIGKILL = 128 + 9
# Begins a script whose first argument is processor seconds. `ended STATUS` ends it with a command's status,
# or with that of a command out of time: the Go runtime lets the signal pass and is killed a second later, and
# a compiler's driver tells in words only what ended the compiler. Out of time is what ran for two thirds of
# it: the kernel ends a process by whole ticks, and one that shares its processor has not run for all of each.
_LIMITED = """
seconds="$1"; shift
ulimit -S -t "$seconds"; ulimit -H -t "$((seconds+1))"
ended() {
  times > .times; { read -r _; read -r user system; } < .times
  [ "$(($(tenths "$user") + $(tenths "$system")))" -lt "$((seconds*20/3-2))" ] || exit 152
  exit "$1"
}
tenths() {
  whole="${1#*m}"; part="${whole#*.}"
  echo "$((${1%%m*}*600 + ${whole%%.*}*10 + ${part%"${part#?}"}))"
}
"""
# Arguments: processor seconds, the build. Its words go to standard error, the program to standard output.
_BUILD = f"""
{_LIMITED}
exec 3>&1 1>&2
/bin/sh -ec "$1" </dev/null 3>&- || ended $?
[ -f {BUILT} ] || {{ echo "the build made no {BUILT}"; exit 1; }}
exec base64 -w 0 {BUILT} 1>&3
"""
_TEST = f"""
{_LIMITED}
chmod u+x {BUILT}; "$@" || {{ status=$?; [ $status = {_SIGKILL} ] && ended $status; exit $status; }}
"""
# Arguments: the build. Gives back what it put into the cache, as an archive.
_FILL = """
mkdir "$NL2FIX_CACHE"; exec 3>&1 1>&2
/bin/sh -ec "$1" </dev/null 3>&- || exit 1
tar -C "$NL2FIX_CACHE" -c . | base64 -w 0 1>&3
"""


@dataclass(frozen=True)
class CommandProgram:
    """What a suite says of one problem."""

    runtime: str
    """Kind of runtime that builds it; its absence ends the run with one line."""
    assemble: Callable[[Mapping[str, str]], Mapping[str, str]]
    """Edited files (path → text) → all files to build, tests among them."""
    build: str
    """Shell command that makes the file ``program`` in the folder of the files."""
    test: tuple[str, ...] = (f"./{BUILT}",)
    """Command that tests it; reads a word and prints it after its last check."""
    environment: Mapping[str, str] | None = None
    """Variables for the build."""
    refuses: Callable[[Mapping[str, str]], str | None] = lambda files: None
    """Why edited files are wrong without being run, if they are."""
    challenge: Callable[[Mapping[str, str]], Mapping[str, str]] | None = None
    """As ``assemble``, but with tests that no honest program passes."""
    caches: bool = False
    """Whether builds share work: the folder ``$NL2FIX_CACHE`` is empty and writable for a build of the
    unedited program, and read-only, with what that build left there, for all others."""


class CommandValidator:
    """Thread-safe; keeps no process."""

    def __init__(
        self,
        environment: Environment,
        programs: Callable[[Problem], CommandProgram],
        suspicious: Callable[[Problem, Candidate], str | None] = lambda problem, candidate: None,
    ) -> None:
        """``suspicious`` says what an edit newly reaches for, if anything."""
        self._environment, self._programs = environment, outside.giving(CommandProgram, programs)
        self._sandbox = WhenNeeded(environment)
        self._settings = of(environment)
        self.suspicious = suspicious
        self._lock = threading.Lock()

    def identity(self, problem: Problem) -> dict[str, str]:
        """Files, commands, the tools inside, and limits."""
        program = self._programs(problem)
        ways = (program.assemble, program.challenge)
        files = [sorted(way(problem.files).items()) for way in ways if way is not None]
        commands = [program.build, program.test, sorted((program.environment or {}).items())]
        return {
            "code": sha256_text(json.dumps([problem.files, problem.region])),
            "tests": sha256_text(json.dumps(files)),
            "commands": sha256_text(json.dumps([commands, _BUILD, _TEST])),
            "runtime": self._sandbox().runtime(program.runtime).identity,
            "limits": f"{self._limits()}, build {BUILD_SECONDS:g} s, tests {self._seconds():g} s",
        }

    def fingerprint(self, problem: Problem) -> str:
        return fingerprint(self.identity(problem))

    @contextmanager
    def session(self, problem: Problem) -> Iterator[CommandSession]:
        yield CommandSession(self, problem, self._programs(problem))

    def close(self) -> None:
        """End what is under way."""
        self._sandbox.close()

    def build(
        self, program: CommandProgram, files: Mapping[str, str], unedited: Mapping[str, str]
    ) -> Finished:
        """Build; standard output is the built program in base 64."""
        bounds = self._bounds(BUILD_SECONDS, BUILT_BYTES * 2)
        runtime = self._sandbox().runtime(program.runtime)
        script = ["/bin/sh", "-c", _BUILD, "sh", str(int(BUILD_SECONDS)), program.build]
        variables, mounts = dict(program.environment or {}), list(runtime.mounts)
        if program.caches:
            mounts.append(self._cache(program, unedited, runtime.identity))
            variables[CACHE] = str(mounts[-1])
        return run(self._sandbox(), script, files, bounds, read_only=mounts, environment=variables)

    def test(self, program: CommandProgram, built: bytes) -> tuple[Finished, bool]:
        """Run the tests once; whether they ran to their end and all held."""
        word, seconds = secrets.token_hex(16), self._seconds()
        script = ["/bin/sh", "-c", _TEST, "sh", str(max(1, round(seconds))), *program.test]
        mounts = self._sandbox().runtime(program.runtime).mounts
        bounds = self._bounds(seconds, 1 << 20)
        ended = run(self._sandbox(), script, {BUILT: built}, bounds, read_only=mounts, stdin=f"{word}\n")
        return ended, ended.status == 0 and word in ended.stdout.splitlines()

    def _cache(self, program: CommandProgram, unedited: Mapping[str, str], runtime: str) -> Path:
        """What builds share, made by a build of the unedited program."""
        key = sha256_text(json.dumps([runtime, program.build]))[:16]
        path = (self._environment.cache / "builds" / f"{program.runtime}-{key}").resolve()
        with self._lock:
            if path.is_dir():
                return path
            bounds = self._bounds(5 * BUILD_SECONDS, BUILT_BYTES * 2)
            variables = {**(program.environment or {}), CACHE: "/tmp/cache"}
            script = ["/bin/sh", "-c", _FILL, "sh", program.build]
            mounts = self._sandbox().runtime(program.runtime).mounts
            ended = run(self._sandbox(), script, unedited, bounds, read_only=mounts, environment=variables)
            if ended.status != 0:
                why = _last(ended.stderr)
                raise InfrastructureError(f"cannot fill the cache of {program.runtime}: {why}")
            _unpack(base64.b64decode(ended.stdout), path)
        return path

    def _seconds(self) -> float:
        return self._settings.timeout or TEST_SECONDS

    def _limits(self) -> Limits:
        return Limits(memory_mb=self._settings.memory, processes=PROCESSES, cpus=2.0, scratch_mb=512)

    def _bounds(self, seconds: float, output: int) -> CommandBounds:
        return CommandBounds(WALL_SECONDS + WALL_FACTOR * seconds, output, self._limits())


class CommandSession:
    """Judges candidates of one problem."""

    def __init__(self, validator: CommandValidator, problem: Problem, program: CommandProgram) -> None:
        self._validator, self._problem, self._program = validator, problem, program
        self._by_text: dict[str, Verdict] = {}
        self._by_build: dict[str, Verdict] = {}

    def validate(self, candidate: Candidate) -> Verdict:
        files = {**self._problem.files, **edited_files(self._problem, candidate)}
        key = sha256_text(json.dumps(sorted(files.items())))
        if key not in self._by_text:
            self._by_text[key] = self._judge(files)
        verdict = self._by_text[key]
        reason = self._validator.suspicious(self._problem, candidate)
        return replace(verdict, evidence=replace(verdict.evidence, suspicious=reason)) if reason else verdict

    def _judge(self, files: Mapping[str, str]) -> Verdict:
        program = self._program
        if (reason := program.refuses(files)) is not None:
            return Verdict(Outcome.WRONG, Evidence("trigger", failing_test=TEST, message=reason))
        unedited = program.assemble(self._problem.files)
        ended = self._built(program.assemble(files), unedited)
        if ended.status != 0:
            return _not_built(ended)
        built = base64.b64decode(ended.stdout)
        sha = hashlib.sha256(built).hexdigest()
        if sha not in self._by_build:
            self._by_build[sha] = self._tested(files, built, sha)
        verdict = self._by_build[sha]
        return replace(verdict, evidence=replace(verdict.evidence, build_seconds=ended.seconds))

    def _tested(self, files: Mapping[str, str], built: bytes, sha: str) -> Verdict:
        first, passed = self._run(built)
        verdict = _verdict(first, passed, "trigger", sha)
        if not passed:
            return verdict
        second, again = self._run(built)
        if not again:
            return _verdict(second, again, "confirm", sha)
        if not self._meets_challenge(files):
            evidence = replace(verdict.evidence, stage="confirm", message=_UNMET, suspicious=_UNMET)
            return Verdict(Outcome.WRONG, evidence)
        return replace(verdict, evidence=replace(verdict.evidence, confirmed=True))

    def _meets_challenge(self, files: Mapping[str, str]) -> bool:
        """Whether it fails tests that it must fail; in doubt there is no verdict."""
        program = self._program
        if program.challenge is None:
            return True
        doomed, unedited = program.challenge(files), program.assemble(self._problem.files)
        ended = self._built(doomed, unedited)
        if ended.status != 0:
            raise InfrastructureError(f"tests that must fail cannot be built: {_first_error(ended.stderr)}")
        return not self._run(base64.b64decode(ended.stdout))[1]

    def _built(self, files: Mapping[str, str], unedited: Mapping[str, str]) -> Finished:
        build, program = self._validator.build, self._program
        return _undisturbed(
            lambda: build(program, files, unedited), lambda: build(program, unedited, unedited)
        )

    def _run(self, built: bytes) -> tuple[Finished, bool]:
        passed = False

        def once() -> Finished:
            nonlocal passed
            ended, passed = self._validator.test(self._program, built)
            return ended

        return _undisturbed(once, lambda: self._validator.test(self._program, _EMPTY)[0]), passed


def _unpack(archive: bytes, folder: Path) -> None:
    """Make a folder of an archive, whole or not at all."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        with tarfile.open(fileobj=io.BytesIO(archive)) as members:
            extract(members, unfinished)
        unfinished.chmod(0o755)
        unfinished.rename(folder)
    except OSError as error:
        if not folder.is_dir():  # else another process was faster
            raise InfrastructureError(f"cannot write {folder}: {error.strerror}") from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _undisturbed(attempt: Callable[[], Finished], harmless: Callable[[], Finished]) -> Finished:
    """An attempt that was neither killed from outside nor stopped by the clock on the wall, which others
    share: what either does twice is its own fault, unless what is ``harmless`` is killed, too.
    """
    ended = attempt()
    if ended.status == _SIGKILL or ended.overrun == "time":
        ended = attempt()
    if ended.status == _SIGKILL and harmless().status == _SIGKILL:
        raise InfrastructureError("commands are killed, even harmless ones: too little memory?")
    return ended


def _not_built(ended: Finished) -> Verdict:
    late = ended.late
    message = "the build did not end within its time" if late else _first_error(ended.stderr)
    evidence = Evidence("build", message=message[:_MESSAGE], build_seconds=ended.seconds)
    return Verdict(Outcome.TIMEOUT if late else Outcome.UNCOMPILABLE, evidence)


def _verdict(ended: Finished, passed: bool, stage: str, sha: str) -> Verdict:
    evidence = Evidence(
        stage="done" if passed else "confirm" if stage == "confirm" else "trigger",
        built=True,
        tests_run=int(passed or ended.status not in (0, None)),
        tests_expected=1,
        failing_test=None if passed else TEST,
        message=None if passed else _why(ended),
        build_sha256=sha,
        test_seconds=ended.seconds,
    )
    if passed:
        return Verdict(Outcome.PLAUSIBLE, evidence)
    return Verdict(Outcome.TIMEOUT if ended.late else Outcome.WRONG, evidence)


def _why(ended: Finished) -> str:
    if ended.overrun == "output":
        return "printed without end"
    if ended.late:
        return "the tests did not end within their time"
    if ended.status == 0:
        return "ended before the tests' last check"
    return _last(ended.stderr) or _last(ended.stdout) or f"ended with status {ended.status}"


def _first_error(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip() and line[0] != "#"]
    errors = (line for line in lines if "error" in line.lower())
    return next(errors, lines[0] if lines else "the build failed")


def _last(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return " / ".join(lines[-3:])[:_MESSAGE]
