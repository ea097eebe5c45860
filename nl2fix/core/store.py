"""The run store: one folder per run, safe against kill -9 at any moment.

``run.json`` holds the configuration (written once, atomically), ``run.sqlite`` the records, with the
problems as first sampled and the prompts as sent, so that a run opens anywhere. Every record has a
natural key, so writing it twice changes nothing, and each stage finds what is missing by asking for it.
Whoever reads is told where a record stands in the place of another, or names one that is not there.

References stand in a table of their own. Nothing that builds prompts or proposes edits is given a
store (checked by import-linter), so none of it can read them.
"""

from __future__ import annotations

import json
import re
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, TypeVar

from nl2fix.core import serial
from nl2fix.core.database import connect, connect_to_read, why
from nl2fix.core.errors import DataError, StorageError, UsageError
from nl2fix.core.locks import locked
from nl2fix.core.manifest import FORMAT, merged, read_manifest, refusal, refuse_other, write_manifest
from nl2fix.core.records import (
    Behaviour,
    Candidate,
    Completion,
    Draw,
    Failure,
    Observation,
    OnTests,
    Problem,
    Prompt,
    RankerRecord,
    Verdict,
    ranker_record,
)

_SCHEMA = """
CREATE TABLE IF NOT EXISTS problems(problem TEXT PRIMARY KEY, place INTEGER, body TEXT NOT NULL)
    WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS prompts(sha256 TEXT PRIMARY KEY, template TEXT, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS asked(problem TEXT PRIMARY KEY, sha256 TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS solutions(problem TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS identity(problem TEXT, aspect TEXT, value TEXT NOT NULL,
    PRIMARY KEY(problem, aspect)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS completions(problem TEXT, sample INTEGER, attempt INTEGER, body TEXT NOT NULL,
    PRIMARY KEY(problem, sample, attempt)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS draws(problem TEXT, sample INTEGER, attempt INTEGER, candidate TEXT, reason TEXT,
    PRIMARY KEY(problem, sample, attempt)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS candidates(problem TEXT, candidate TEXT, body TEXT NOT NULL,
    PRIMARY KEY(problem, candidate)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS verdicts(problem TEXT, candidate TEXT, body TEXT NOT NULL,
    PRIMARY KEY(problem, candidate)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS observations(problem TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS behaviours(problem TEXT, sha256 TEXT, body TEXT NOT NULL,
    PRIMARY KEY(problem, sha256)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS observed(problem TEXT, candidate TEXT, behaviour TEXT,
    PRIMARY KEY(problem, candidate)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS solved(problem TEXT PRIMARY KEY, behaviour TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS on_tests(problem TEXT, candidate TEXT, body TEXT,
    PRIMARY KEY(problem, candidate)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS failures(stage TEXT, problem TEXT, candidate TEXT, message TEXT NOT NULL,
    PRIMARY KEY(stage, problem, candidate)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS excluded(problem TEXT PRIMARY KEY, reason TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rankings(ranker TEXT, problem TEXT, candidates TEXT NOT NULL,
    PRIMARY KEY(ranker, problem)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rankers(ranker TEXT PRIMARY KEY, kind TEXT NOT NULL, label TEXT NOT NULL)
    WITHOUT ROWID;
"""

_OBSERVED = ("observations", "behaviours", "observed", "solved", "on_tests")
"""Tables that runs of before they were there lack."""

T = TypeVar("T")

_HASH = re.compile(r"[0-9a-f]{64}")


class RunStore:
    """Records of one run. One process writes at a time, in any thread; any number may read."""

    def __init__(self, folder: Path, *, writable: bool = False, new: bool = False) -> None:
        self.folder = folder
        if not new:
            read_manifest(folder)
            _check_there(folder / "run.sqlite")
        self._lock = _lock(folder) if writable else ExitStack()
        self._db = _connect(folder / "run.sqlite", writable)
        self._writing = threading.RLock()

    @classmethod
    def create(cls, folder: Path, manifest: Mapping[str, Any]) -> RunStore:
        """Open a run for writing, making it when it is new.

        An existing run must have been made with the same ``settings`` and ``identity``; otherwise
        ``UsageError`` names what differs. Its scope stays as it is until ``widen``.
        """
        _make_folder(folder)
        new = not (folder / "run.json").exists()
        content = {"format": FORMAT, "identity": {}, **manifest}
        if not new:
            refuse_other(folder, read_manifest(folder), content)
        store = cls(folder, writable=True, new=new)
        if new:
            store._refuse_orphans()
            write_manifest(folder, content)
        return store

    def _refuse_orphans(self) -> None:
        """What a database holds without a manifest nobody knows the model and the settings of."""
        tables = ("problems", "completions")
        if any(True for table in tables for _ in self._read(f"SELECT 1 FROM {table} LIMIT 1")):
            self.close()
            gone = f"{self.folder / 'run.json'}, which said of what the answers there are, is gone"
            raise DataError(f"{gone}; choose another folder")

    @property
    def manifest(self) -> dict[str, Any]:
        return read_manifest(self.folder)

    def widen(self, scope: Mapping[str, Any]) -> None:
        """Go on over these problems and samples too; what else may change between calls is as given."""
        stored = self.manifest
        write_manifest(self.folder, {**stored, "scope": merged(stored.get("scope", {}), scope)})

    def note(self, facts: Mapping[str, Any]) -> None:
        """Add to what the manifest tells of the run's origin, for people; nothing is decided by it."""
        stored = self.manifest
        write_manifest(self.folder, {**stored, "origin": {**stored.get("origin", {}), **facts}})

    def close(self) -> None:
        self._db.close()
        self._lock.close()

    def __enter__(self) -> RunStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- problems and what they depend on ---------------------------------------------------------

    def add_problems(self, problems: Sequence[Problem]) -> None:
        """Store problems in the given order, behind those there are; a problem once stored stays."""
        ((last,),) = self._read("SELECT COALESCE(MAX(place), -1) FROM problems")
        rows = [(p.id, last + 1 + i, serial.dumps(p)) for i, p in enumerate(problems)]
        with self._transaction():
            self._db.executemany("INSERT OR IGNORE INTO problems VALUES(?,?,?)", rows)

    def problems(self, ids: Sequence[str] = ()) -> list[Problem]:
        """The problems as first sampled, in the suite's order; those with the given ids, if any are given."""
        stored = []
        for ident, body in self._read("SELECT problem, body FROM problems ORDER BY place"):
            problem = self._record(Problem, body)
            self._check(problem.id == ident, f"problem {ident} is stored as another, {problem.id}")
            stored.append(problem)
        return [problem for problem in stored if problem.id in ids] if ids else stored

    def set_references(self, references: Mapping[str, Candidate]) -> None:
        """Keep the hidden reference of each problem (by id), for reports."""
        rows = [(problem, serial.dumps(reference)) for problem, reference in references.items()]
        with self._transaction():
            self._db.executemany("INSERT OR REPLACE INTO solutions VALUES(?,?)", rows)

    def references(self) -> dict[str, Candidate]:
        """Hidden references by problem; never to be shown to what builds prompts or proposes edits."""
        rows = self._read("SELECT problem, body FROM solutions ORDER BY problem")
        return {problem: self._record(Candidate, body) for problem, body in rows}

    def replace_problem(self, problem: Problem) -> None:
        """Store a problem in place of what was known of it; what was read and judged by that goes."""
        with self._transaction():
            self._db.execute(
                "UPDATE problems SET body=? WHERE problem=?", (serial.dumps(problem), problem.id)
            )
            for table in ("draws", "candidates", "verdicts", "rankings", *_OBSERVED):
                self._db.execute(f"DELETE FROM {table} WHERE problem=?", (problem.id,))

    def add_prompt(self, problem: str, prompt: Prompt, attempt: int = 1) -> None:
        """Store a rendered prompt, once; all first answers to a problem have the same."""
        values = (prompt.sha256, prompt.template_sha256, serial.dumps(prompt))
        with self._transaction():
            self._db.execute("INSERT OR IGNORE INTO prompts VALUES(?,?,?)", values)
            if attempt == 1:
                self._db.execute("INSERT OR IGNORE INTO asked VALUES(?,?)", (problem, prompt.sha256))

    def prompt(self, sha256: str) -> Prompt | None:
        """A stored prompt, by the hash that completions name."""
        rows = self._read("SELECT body FROM prompts WHERE sha256=?", (sha256,))
        return next((self._record(Prompt, body) for (body,) in rows), None)

    def asked(self, problem: str) -> Prompt | None:
        """What a model was asked for first answers; ``None`` when it was not."""
        query = "SELECT body FROM prompts JOIN asked USING(sha256) WHERE problem=?"
        rows = self._read(query, (problem,))
        return next((self._record(Prompt, body) for (body,) in rows), None)

    def hold(self, identities: Mapping[str, Mapping[str, str]]) -> None:
        """Note what verdicts depend on: problem → aspect (``runtime``, ``time limit``, …) → value.

        ``UsageError`` names the aspects that are no longer what they were, and nothing is noted.
        """
        if changed := self.changes(identities):
            raise UsageError(refusal(self.folder, [_described(name, each) for name, each in changed.items()]))
        rows = [(p, aspect, value) for p, aspects in identities.items() for aspect, value in aspects.items()]
        with self._transaction():
            self._db.executemany("INSERT OR IGNORE INTO identity VALUES(?,?,?)", rows)

    def changes(self, identities: Mapping[str, Mapping[str, str]]) -> dict[str, list[Change]]:
        """What of this is not as it was noted, by aspect; of problems of which nothing was, nothing."""
        changed: dict[str, list[Change]] = {}
        for problem, aspects in identities.items():
            held = self.identity(problem)
            for aspect, value in aspects.items():
                was = held.get(aspect, "not known" if held else value)
                if was != value:
                    changed.setdefault(aspect, []).append(Change(problem, was, value))
        return changed

    def identity(self, problem: str) -> dict[str, str]:
        """What the verdicts of a problem depend on, by aspect; empty before validation."""
        return dict(self._read("SELECT aspect, value FROM identity WHERE problem=?", (problem,)))

    def forget(self, problem: str) -> None:
        """Take back what was noted by ``hold``, as nothing depends on it yet."""
        self._write("DELETE FROM identity WHERE problem=?", (problem,))

    # -- completions ------------------------------------------------------------------------------

    def add_completion(self, completion: Completion) -> None:
        """Store an answer; the first one stored for a sample stays."""
        key = (completion.problem, completion.sample, completion.attempt)
        self._write("INSERT OR IGNORE INTO completions VALUES(?,?,?,?)", (*key, serial.dumps(completion)))

    @property
    def has_answers(self) -> bool:
        """Whether the model has answered anything."""
        return any(self._read("SELECT 1 FROM completions LIMIT 1"))

    def missing_samples(self, problem: str, n: int, attempt: int = 1) -> tuple[int, ...]:
        """Sample numbers below ``n`` that have no answer yet."""
        rows = self._read("SELECT sample FROM completions WHERE problem=? AND attempt=?", (problem, attempt))
        have = {row[0] for row in rows}
        return tuple(i for i in range(n) if i not in have)

    def completion(self, problem: str, sample: int, attempt: int = 1) -> Completion | None:
        rows = self._read(
            "SELECT problem, sample, attempt, body FROM completions"
            " WHERE problem=? AND sample=? AND attempt=?",
            (problem, sample, attempt),
        )
        return next((self._completion(*row) for row in rows), None)

    def completions(self, problem: str | None = None) -> Iterator[Completion]:
        """All answers (of one problem), in order of problem, sample and attempt; flat memory."""
        where, values = ("WHERE problem=?", (problem,)) if problem is not None else ("", ())
        columns = "problem, sample, attempt"
        for row in self._read(f"SELECT {columns}, body FROM completions {where} ORDER BY {columns}", values):
            yield self._completion(*row)

    def _completion(self, problem: str, sample: int, attempt: int, body: str) -> Completion:
        completion = self._record(Completion, body)
        own = (completion.problem, completion.sample, completion.attempt)
        self._check(own == (problem, sample, attempt), f"an answer to {problem} is stored as another")
        return completion

    def unread(self) -> Iterator[Completion]:
        """Answers from which no candidate was extracted yet.

        Each is read alone: a query left open while its rows are worked on keeps the database's log growing.
        """
        query = (
            "SELECT problem, sample, attempt FROM completions c "
            "WHERE NOT EXISTS (SELECT 1 FROM draws d WHERE "
            "d.problem=c.problem AND d.sample=c.sample AND d.attempt=c.attempt) "
            "ORDER BY problem, sample, attempt"
        )
        for key in list(self._read(query)):
            completion = self.completion(*key)
            if completion is not None:
                yield completion

    # -- candidates -------------------------------------------------------------------------------

    def add_draw(self, completion: Completion, candidate: Candidate | None, reason: str | None) -> bool:
        """Store what a completion contains in one transaction; whether its candidate is new."""
        key = (completion.problem, completion.sample, completion.attempt)
        name, new = candidate.key if candidate else None, False
        with self._transaction():
            if candidate:
                row = (completion.problem, name, serial.dumps(candidate))
                added = self._db.execute("INSERT OR IGNORE INTO candidates VALUES(?,?,?)", row)
                new = added.rowcount == 1
            self._db.execute("INSERT OR IGNORE INTO draws VALUES(?,?,?,?,?)", (*key, name, reason))
        return new

    def draws(self, problem: str, attempt: int = 1) -> list[Draw]:
        """One per sample, in order of samples."""
        query = (
            "SELECT d.sample, d.candidate, d.reason, c.candidate FROM draws d "
            "LEFT JOIN candidates c ON c.problem=d.problem AND c.candidate=d.candidate "
            "WHERE d.problem=? AND d.attempt=? ORDER BY d.sample"
        )
        draws = []
        for sample, key, reason, stored in self._read(query, (problem, attempt)):
            what = f"a candidate of {problem} that sample {sample} drew is not there"
            self._check(key == stored, what)
            draws.append(Draw(sample, key, reason))
        return draws

    def candidates(self, problem: str) -> dict[str, Candidate]:
        """Distinct candidates by key."""
        rows = self._read("SELECT candidate, body FROM candidates WHERE problem=?", (problem,))
        return {key: self._candidate(problem, key, body) for key, body in rows}

    def candidate(self, problem: str, key: str) -> Candidate:
        rows = self._read("SELECT body FROM candidates WHERE problem=? AND candidate=?", (problem, key))
        return next(self._candidate(problem, key, body) for (body,) in rows)

    def _candidate(self, problem: str, key: str, body: str) -> Candidate:
        candidate = self._record(Candidate, body)
        self._check(candidate.key == key, f"a candidate of {problem} is stored as another")
        return candidate

    # -- verdicts ---------------------------------------------------------------------------------

    def add_verdict(self, problem: str, candidate: str, verdict: Verdict) -> None:
        """Store a verdict; a failure noted earlier for the same candidate is mended by it."""
        with self._transaction():
            self._db.execute(
                "INSERT OR REPLACE INTO verdicts VALUES(?,?,?)",
                (problem, candidate, serial.dumps(verdict)),
            )
            self._db.execute(
                "DELETE FROM failures WHERE stage='validate' AND problem=? AND candidate=?",
                (problem, candidate),
            )

    def verdicts(self, problem: str) -> dict[str, Verdict]:
        """Verdicts by candidate key."""
        rows = self._read("SELECT candidate, body FROM verdicts WHERE problem=?", (problem,))
        return {key: self._record(Verdict, body) for key, body in rows}

    def unjudged(self, problem: str) -> list[Candidate]:
        """Distinct candidates without verdict, in order of first draw."""
        query = (
            "SELECT c.candidate, c.body, MIN(d.attempt * 1000000000 + d.sample) AS first FROM candidates c "
            "JOIN draws d ON d.problem=c.problem AND d.candidate=c.candidate "
            "WHERE c.problem=? AND NOT EXISTS "
            "(SELECT 1 FROM verdicts v WHERE v.problem=c.problem AND v.candidate=c.candidate) "
            "GROUP BY c.candidate ORDER BY first"
        )
        rows = self._read(query, (problem,))
        return [self._candidate(problem, key, body) for key, body, _ in rows]

    # -- behaviour --------------------------------------------------------------------------------

    def set_observation(self, problem: str, observation: Observation) -> None:
        """Store what the unedited program does; what was known of others by other calls goes."""
        with self._transaction():
            for table in _OBSERVED:
                self._db.execute(f"DELETE FROM {table} WHERE problem=?", (problem,))
            body = serial.dumps(observation)
            self._db.execute("INSERT INTO observations VALUES(?,?)", (problem, body))

    def observation(self, problem: str) -> Observation | None:
        """The calls by which a problem's programs were observed; ``None`` where they were not."""
        if not self._observes:
            return None
        rows = self._read("SELECT body FROM observations WHERE problem=?", (problem,))
        return next((self._record(Observation, body) for (body,) in rows), None)

    def add_behaviours(self, problem: str, behaviours: Mapping[str, Behaviour | None]) -> None:
        """Store what candidates did, by key; equal behaviour once."""
        with self._transaction():
            for key, behaviour in behaviours.items():
                row = (problem, key, self._keep_behaviour(problem, behaviour))
                self._db.execute("INSERT OR REPLACE INTO observed VALUES(?,?,?)", row)

    def behaviours(self, problem: str) -> dict[str, Behaviour | None]:
        """What candidates did, by key; ``None`` of one that could not be observed."""
        if not self._observes:
            return {}
        query = (
            "SELECT o.candidate, o.behaviour, b.body, (SELECT body FROM observations WHERE problem=:problem) "
            "FROM observed o LEFT JOIN behaviours b ON b.problem=o.problem AND b.sha256=o.behaviour "
            "WHERE o.problem=:problem"
        )
        rows = list(self._read(query, {"problem": problem}))
        calls = self._calls(rows[0][3]) if rows else 0
        stored = {sha256: body for _, sha256, body, _ in rows}
        by_hash = {key: self._behaviour(problem, key, body, calls) for key, body in stored.items()}
        return {key: by_hash[sha256] for key, sha256, *_ in rows}

    def _calls(self, observation: str | None) -> int:
        return len(self._record(Observation, observation).calls) if observation else 0

    def _behaviour(self, problem: str, sha256: str | None, body: str | None, calls: int) -> Behaviour | None:
        """What is stored under a hash, of as many calls as were asked for."""
        if sha256 is None:
            return None
        self._check(body is not None, f"a behaviour of {problem} that was observed is not there")
        behaviour = self._record(Behaviour, body or "")
        self._check(behaviour.sha256 == sha256, f"a behaviour of {problem} is stored as another")
        made = len(behaviour.digests)
        self._check(
            made == calls, f"a behaviour of {problem} is by {made} calls, not by the {calls} there are"
        )
        return behaviour

    def set_reference_behaviour(self, problem: str, behaviour: Behaviour | None) -> None:
        """Keep what the hidden reference did, for reports."""
        with self._transaction():
            row = (problem, self._keep_behaviour(problem, behaviour))
            self._db.execute("INSERT OR REPLACE INTO solved VALUES(?,?)", row)

    def reference_behaviours(self) -> dict[str, Behaviour | None]:
        """What hidden references did, by problem; as little for the eyes of models and rankers as they."""
        if not self._observes:
            return {}
        query = (
            "SELECT s.problem, s.behaviour, b.body, o.body FROM solved s "
            "LEFT JOIN behaviours b ON b.problem=s.problem AND b.sha256=s.behaviour "
            "LEFT JOIN observations o ON o.problem=s.problem ORDER BY s.problem"
        )
        rows = self._read(query)
        return {p: self._behaviour(p, sha256, body, self._calls(seen)) for p, sha256, body, seen in rows}

    def set_on_tests(self, problem: str, seen: Mapping[str, OnTests | None]) -> None:
        """Keep what calls of tests show of candidates, by key; nothing of one that could not be observed."""
        rows = [(problem, key, serial.dumps(each) if each else None) for key, each in seen.items()]
        with self._transaction():
            self._db.executemany("INSERT OR REPLACE INTO on_tests VALUES(?,?,?)", rows)

    def on_tests(self, problem: str) -> dict[str, OnTests | None]:
        """What calls of tests show, by key; as little for the eyes of models and rankers as the tests."""
        if "on_tests" not in self._tables:
            return {}
        rows = self._read("SELECT candidate, body FROM on_tests WHERE problem=?", (problem,))
        return {k: None if body is None else self._record(OnTests, body) for k, body in rows}

    def _keep_behaviour(self, problem: str, behaviour: Behaviour | None) -> str | None:
        if behaviour is None:
            return None
        row = (problem, behaviour.sha256, serial.dumps(behaviour))
        self._db.execute("INSERT OR IGNORE INTO behaviours VALUES(?,?,?)", row)
        return behaviour.sha256

    @cached_property
    def _observes(self) -> bool:
        """Whether the file has the tables; it gets them when it is first opened for writing."""
        return "solved" in self._tables

    @cached_property
    def _tables(self) -> frozenset[str]:
        return frozenset(name for (name,) in self._read("SELECT name FROM sqlite_master"))

    # -- failures, exclusions, rankings -----------------------------------------------------------

    def add_failure(self, failure: Failure) -> None:
        self._write("INSERT OR REPLACE INTO failures VALUES(?,?,?,?)", failure)

    def failures(self) -> list[Failure]:
        return [Failure(*row) for row in self._read("SELECT * FROM failures ORDER BY stage, problem")]

    def set_excluded(self, reasons: Mapping[str, str], checked: Sequence[str]) -> None:
        """Replace the exclusions of the checked problems by ``reasons`` (problem → why)."""
        with self._transaction():
            self._db.executemany("DELETE FROM excluded WHERE problem=?", [(p,) for p in checked])
            self._db.executemany("INSERT INTO excluded VALUES(?,?)", list(reasons.items()))

    def excluded(self) -> dict[str, str]:
        """Problems left out of every denominator, with the reason."""
        return dict(self._read("SELECT problem, reason FROM excluded ORDER BY problem"))

    def set_ranking(self, ranker: RankerRecord, problem: str, candidates: Sequence[str]) -> None:
        """Store an order; one that was stored under the ranker's label, as runs once did, goes."""
        with self._transaction():
            self._db.execute("INSERT OR REPLACE INTO rankers VALUES(?,?,?)", ranker)
            self._db.execute(
                "DELETE FROM rankings WHERE ranker=? AND problem=? "
                "AND ranker NOT IN (SELECT ranker FROM rankers)",
                (ranker.label, problem),
            )
            self._db.execute(
                "INSERT OR REPLACE INTO rankings VALUES(?,?,?)",
                (ranker.key, problem, json.dumps(list(candidates))),
            )

    def ranking(self, key: str, problem: str) -> list[str] | None:
        """Candidate keys, best first, by the ranker of that key."""
        rows = self._read("SELECT candidates FROM rankings WHERE ranker=? AND problem=?", (key, problem))
        return next((list(self._record(tuple[str, ...], body)) for (body,) in rows), None)

    def rankers(self) -> list[RankerRecord]:
        """The rankers that were run, in the order of the run's settings where known."""
        rows = self._read("SELECT * FROM rankers") if "rankers" in self._tables else ()
        recorded = {key: RankerRecord(key, kind, label) for key, kind, label in rows}
        keys = [key for (key,) in self._read("SELECT DISTINCT ranker FROM rankings ORDER BY ranker")]
        wanted = [
            ranker_record(setting["name"], setting.get("options", {}), "")
            for setting in self.manifest.get("scope", {}).get("rankers", ())
        ]

        def place(ranker: RankerRecord) -> int:
            same = (i for i, w in enumerate(wanted) if w.key == ranker.key)
            alike = (i for i, w in enumerate(wanted) if w.kind == ranker.kind)
            return next(same, next(alike, len(wanted)))

        return sorted([recorded.get(key) or _labelled(key) for key in keys], key=place)

    # -- plumbing ---------------------------------------------------------------------------------

    def _record(self, kind: Callable[..., T], body: str) -> T:
        try:
            return serial.read(kind, body)
        except DataError as error:
            raise DataError(f"{self.folder}/run.sqlite: {error}") from error

    def _check(self, fits: bool, otherwise: str) -> None:
        """``DataError`` where records do not fit each other."""
        if not fits:
            raise DataError(f"{self.folder}/run.sqlite: {otherwise}; restore the file from a copy")

    def _read(self, query: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> Iterator[Any]:
        try:
            for row in self._db.execute(query, values):  # noqa: UP028 - closes no cursor after the database
                yield row
        except sqlite3.Error as error:
            told = why(error, self.folder / "run.sqlite")
            told = told.partition(" with text ")[0]  # which goes on with all of the damaged text
            raise DataError(f"{self.folder}/run.sqlite cannot be read: {told}") from error

    def _write(self, query: str, values: Sequence[Any]) -> None:
        with self._transaction():
            self._db.execute(query, values)

    def _transaction(self) -> _Transaction:
        return _Transaction(self.folder, self._db, self._writing)


class _Transaction:
    """What is written inside is there whole or not at all.

    No generator: one that Ctrl-C leaves in the middle is ended once the database is closed, and complains.
    """

    def __init__(self, folder: Path, database: sqlite3.Connection, writing: threading.RLock) -> None:
        self._folder, self._database, self._writing = folder, database, writing

    def __enter__(self) -> None:
        self._writing.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._database.__exit__(kind, error, trace)
        except sqlite3.Error as refused:
            raise self._unwritten(refused) from refused
        finally:
            self._writing.release()
        if isinstance(error, sqlite3.Error):
            raise self._unwritten(error) from error

    def _unwritten(self, error: sqlite3.Error) -> StorageError:
        file = self._folder / "run.sqlite"
        return StorageError(f"{file} cannot be written: {why(error, file)}")


class Change(NamedTuple):
    """One aspect of one problem that is no longer what it was."""

    problem: str
    was: str
    now: str


def _described(aspect: str, changes: Sequence[Change]) -> str:
    """``runtime of Math-2 and 3 more (JDK 17 → JDK 8)``; hashes say nothing to a reader."""
    first, more = changes[0], len(changes) - 1
    values = "" if _HASH.fullmatch(first.now) else f" ({first.was} → {first.now})"
    return f"{aspect} of {first.problem}{f' and {more} more' if more else ''}{values}"


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make {folder}: {error.strerror}; choose another --out") from error


def _labelled(label: str) -> RankerRecord:
    """A ranker of a run that was ranked when orders were stored under labels, ``kind(details)+changes``."""
    return RankerRecord(label, label.partition("(")[0].partition("+")[0], label)


def _lock(folder: Path) -> ExitStack:
    held = ExitStack()
    try:
        held.enter_context(locked(folder / "lock", wait=False, mode=0o666))
    except BlockingIOError:
        raise UsageError(f"another nl2fix is working on {folder}; wait for it or stop it") from None
    except OSError as error:
        reason = f"{folder} cannot be written ({error.strerror})"
        raise DataError(f"{reason}; copy it to a folder of your own and work on that") from error
    return held


def _check_there(file: Path) -> None:
    """A run that has a manifest had a database; a new one in its place would be a run without answers."""
    log = file.with_name(f"{file.name}-wal")
    if not any(one.exists() and one.stat().st_size for one in (file, log)):
        raise DataError(f"{file}, which held the run's answers and verdicts, is gone; choose another folder")


def _connect(file: Path, writable: bool) -> sqlite3.Connection:
    try:
        return connect(file, _SCHEMA, threads=True) if writable else connect_to_read(file)
    except (OSError, sqlite3.Error) as error:
        raise DataError(f"{file} cannot be opened: {why(error, file)}") from error
