"""Suggestions for bugs of a project's own history: what was fixed once, asked for again.

    python benchmarks/suggest_history.py REPO… [--limit 3] [--n 100] [--out FILE]

``REPO`` is a git repository, bare or not. From its newest commits those are taken that name an issue or say
that they fix something, change the code of exactly one method, and come with tests. The project is put back
before such a commit, with its tests in place, and ``suggest`` is asked by somebody who knows only the
commit's message (the issue's text is not in a repository), with no option given: offline mutation model.
Where no test fails before the fix, the row says so.

The table: does it work at once; place of the right method when none is named; tests that fail today; rank of
the first suggestion that makes one pass; rank of the one with the real fix's tokens; seconds to the first.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import subprocess
import tarfile
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from nl2fix.core.config import Environment
from nl2fix.core.engine import Quiet
from nl2fix.core.errors import Nl2fixError
from nl2fix.core.protocols import Counts
from nl2fix.core.records import Candidate, Problem, Sampling, Verdict
from nl2fix.languages.java import JAVA
from nl2fix.suggestion import api, localise, report, target
from nl2fix.suggestion.setup import Choices, Setup

_BUG = re.compile(r"\b[A-Z]{2,}-\d+\b|#\d+\b|\bfix", re.IGNORECASE)
_COMMIT, _FIELD = "\x01commit\x02", "\x02field\x01"
"""What stands before a commit and between its parts; a message may have any letter."""
_SAYING = 2
"""Words that a message's first line needs besides what any issue says, to say where the bug is."""
_DULL = re.compile(
    r"checkstyle|javadoc|typo|sonar|pmd|spotbugs|deprecat|format|refactor|rename", re.IGNORECASE
)


@dataclass(frozen=True)
class Fix:
    """A commit that mends one method."""

    repo: Path
    commit: str
    message: str
    file: str
    entity: str
    after: str
    """The method's code behind it."""
    tests: tuple[str, ...] = ()
    """Classes of the tests that come with it."""

    @property
    def told(self) -> str:
        """Its message, and which tests fail without it."""
        return "\n".join((self.message, "", *(f"{test} fails" for test in self.tests)))


@dataclass(frozen=True)
class Row:
    """What became of one."""

    fix: Fix
    words: int | None
    """Place of the right method by the message alone, with nothing built or run."""
    alone: int | None
    """The same once the tests have run."""
    place: int | None
    """The same where the failing test class is named, too."""
    failing: int
    rank: int | None
    """Of the first suggestion that makes a failing test pass."""
    true_rank: int | None
    """Of the suggestion whose tokens are those of the real fix."""
    judged: int
    prepared: float
    first: float | None


def git(repo: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(repo), *arguments], capture_output=True, check=True).stdout


def fixes(repo: Path) -> Iterator[Fix]:
    """Single-method fixes with tests, the newest first."""
    form = f"--format={_COMMIT}%H{_FIELD}%B{_FIELD}"
    log = git(repo, "log", "--no-merges", "-n", "6000", form, "--name-only").decode("utf-8", "replace")
    for entry in log.split(_COMMIT)[1:]:
        commit, message, names = entry.split(_FIELD)
        java = [name for name in names.split() if name.endswith(".java")]
        tests = [name for name in java if "/test/" in name]
        main = [name for name in java if name not in tests]
        if len(main) == 1 and tests and _BUG.search(message) and not _DULL.search(message):
            found = changed_method(repo, commit, main[0])
            if found is not None and len(localise.telling(_first(message))) >= _SAYING:
                yield Fix(repo, commit, message.strip(), main[0], *found, tuple(Path(t).stem for t in tests))


def _first(message: str) -> str:
    return message.strip().partition("\n")[0]


def is_whole(fix: Fix) -> bool:
    """Whether a repository that may lack large files has all of the project before the fix."""
    command = ["git", "-C", str(fix.repo), "archive", "--output", os.devnull, f"{fix.commit}^"]
    return subprocess.run(command, capture_output=True).returncode == 0


def changed_method(repo: Path, commit: str, file: str) -> tuple[str, str] | None:
    """Entity and new code of the only method whose tokens a commit changes; ``None`` where more changes."""
    try:
        texts = [git(repo, "show", f"{rev}:{file}").decode() for rev in (f"{commit}^", commit)]
    except (subprocess.CalledProcessError, UnicodeDecodeError):
        return None
    old, new = (JAVA.entities(text) for text in texts)
    if old.keys() != new.keys():
        return None
    after = {entity: texts[1][span.start : span.end] for entity, span in new.items()}
    for entity, span in old.items():
        mended = texts[0][: span.start] + after[entity] + texts[0][span.end :]
        if JAVA.tokens(mended) == JAVA.tokens(texts[1]):
            same = JAVA.tokens(after[entity]) == JAVA.tokens(texts[0][span.start : span.end])
            return None if same else (entity, after[entity])
    return None


def put_back(fix: Fix, folder: Path) -> None:
    """The project before the fix, with the fix's tests."""
    with tarfile.open(fileobj=io.BytesIO(git(fix.repo, "archive", f"{fix.commit}^"))) as tar:
        tar.extractall(folder, filter="data")
    names = git(fix.repo, "diff", "--name-only", "--diff-filter=AM", f"{fix.commit}^", fix.commit).decode()
    for name in names.split():
        if "/test/" in name:
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(git(fix.repo, "show", f"{fix.commit}:{name}"))


class _First(Quiet):
    """Notes when the first suggestion was there."""

    at: float | None = None

    def judged(self, problem: Problem, candidate: Candidate, verdict: Verdict, counts: Counts) -> None:
        if verdict.plausible and self.at is None:
            self.at = time.monotonic()


def measured(fix: Fix, n: int, environment: Environment) -> Row:
    """Raises ``Nl2fixError`` where it does not work at once."""
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top) / fix.repo.name
        put_back(fix, folder)
        asked, wanted = report.parse(fix.told), (folder / fix.file, fix.entity)
        start = time.monotonic()
        setup = Setup(folder, Choices(), environment, lambda _: None)
        words, alone, place = (
            _place(folder, text, wanted, with_setup)
            for text, with_setup in ((fix.message, None), (fix.message, setup), (fix.told, setup))
        )
        prepared = setup.prepare(target.at(*wanted), asked)
        ready = time.monotonic()
        with api.started(folder, prepared, api.SuggestConfig(n=n, top=n), environment) as session:
            watch = _First()
            result = session.run(n, Sampling(), environment.jobs, watch)
    tokens = JAVA.tokens(fix.after)
    return Row(
        fix,
        words,
        alone,
        place,
        len(prepared.failing),
        next((s.rank for s in result.suggestions if s.fixes), None),
        next((s.rank for s in result.suggestions if JAVA.tokens(s.code) == tokens), None),
        result.judged,
        ready - start,
        None if watch.at is None else watch.at - ready,
    )


COLUMNS = (
    *("project", "commit", "method fixed"),
    *("words", "message", "with test", "failing", "fixes", "true", "judged", "prepare", "first", "load"),
)
HEAD = """# Suggestions for bugs of a project's own history

Made by `benchmarks/suggest_history.py`: what was fixed once, asked for again by the commit's message and the
name of the test class that fails, with no option given. Offline mutation model, n = {n}, 2 jobs. *Words*:
place of the right method by the message alone, nothing built; *message*: once the tests have run; *with
test*: where the failing test class is named, too. *Failing*: tests that fail today and reach the file.
*Fixes*: rank of the first suggestion that makes one pass. *True*: rank of the suggestion with the real fix's
tokens. Seconds: *prepare* from nothing, *first* suggestion once prepared. *Load*: average when the row was
done.

"""


def _place(folder: Path, text: str, wanted: tuple[Path, str], setup: Setup | None) -> int | None:
    places = api.places(folder, report.parse(text), 50, setup=setup)
    return next((i for i, p in enumerate(places, 1) if (p.file, p.entity) == wanted), None)


def line(row: Row) -> str:
    fix = row.fix
    cells = [
        name_of(fix),
        fix.commit[:10],
        f"`{Path(fix.file).stem}#{fix.entity}`",
        *(
            "–" if value is None else value
            for value in (row.words, row.alone, row.place, row.failing, row.rank, row.true_rank)
        ),
        row.judged,
        f"{row.prepared:.0f}",
        "–" if row.first is None else f"{row.first:.0f}",
        f"{os.getloadavg()[0]:.0f}",
    ]
    return f"| {' | '.join(map(str, cells))} |"


def heading() -> str:
    marks = ["---" if place < 3 else "---:" for place in range(len(COLUMNS))]
    return f"| {' | '.join(COLUMNS)} |\n|{'|'.join(marks)}|\n"


def name_of(fix: Fix) -> str:
    """The repository's name, whatever a bare one is called."""
    folder = fix.repo.resolve()
    return folder.parent.name.rpartition("+")[2] if folder.name in ("repo", ".git") else folder.stem


def tried(fix: Fix, n: int, environment: Environment) -> str:
    """A line of the table; what does not work says why."""
    try:
        return line(measured(fix, n, environment))
    except Nl2fixError as error:
        why = " ".join(str(error).split()).rpartition("; without ")[2][:150].replace("|", "/")
        what = f"`{Path(fix.file).stem}#{fix.entity}`"
        return (
            f"| {name_of(fix)} | {fix.commit[:10]} | {what} | does not work: {why}{' |' * (len(COLUMNS) - 3)}"
        )


def main() -> None:
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("repos", type=Path, nargs="+")
    parser.add_argument("--limit", type=int, default=3, help="bugs of each repository")
    parser.add_argument("--n", type=int, default=100)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    arguments = parser.parse_args()
    lines = []
    with tempfile.TemporaryDirectory() as work:
        environment = Environment(cache=Path(work), jobs=2)
        for repo in arguments.repos:
            whole = (fix for fix in fixes(repo) if is_whole(fix))
            for fix in islice(whole, arguments.limit):
                lines.append(tried(fix, arguments.n, environment))
                print(lines[-1], flush=True)
                head = HEAD.format(n=arguments.n) + heading()
                arguments.out.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
