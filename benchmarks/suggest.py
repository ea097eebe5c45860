"""Suggestions on real projects, asked for as a developer would who knows only what went wrong.

    python benchmarks/suggest.py CLONES [--fresh] [--work DIR] [--only NAME] [--again] [--n 100] [--out FILE]

``CLONES`` has a git repository, bare or not, of each project's name. A bug is one of the project's own
history (the project before a commit that mends one method, with that commit's tests; the issue is its
message), or is planted by one textual replacement. No method, test, jar or build tool is named: what builds
need lies on the machine. Tests that fail because of the bug are those that pass with the real fix.

Each project is measured once: what is known of it is kept in ``--work`` and taken from there next time,
unless ``--again`` is given. So is what was found of one that is given up before its end, which is asked
again. ``--out`` (``page.md`` in ``--work``) is a page of all that are known.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import shutil
import subprocess
import tarfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from itertools import islice
from pathlib import Path

import ended
from settled import settled

from nl2fix import pipeline
from nl2fix.core.config import Environment
from nl2fix.core.engine import Quiet
from nl2fix.core.errors import Nl2fixError, UsageError
from nl2fix.core.files import write_atomically
from nl2fix.core.protocols import Counts
from nl2fix.core.records import Candidate, Problem, Verdict
from nl2fix.languages.java import JAVA
from nl2fix.mutation import propose
from nl2fix.mutation.proposals import applied
from nl2fix.suggestion import api, deciding
from nl2fix.suggestion.deciding import Trial
from nl2fix.suggestion.localisation import report, target
from nl2fix.suggestion.localisation.localise import Place
from nl2fix.suggestion.localisation.report import IssueReport
from nl2fix.suggestion.localisation.surefire import FailedTest
from nl2fix.suggestion.output.result import SuggestResult
from nl2fix.suggestion.setup import Choices, Prepared, Setup
from nl2fix.validation.jvm.validator import JvmValidator

ROOT = Path(__file__).resolve().parent.parent
DRAWABLE = 2000
"""Proposals of the offline model among which the real fix is looked for."""


@dataclass(frozen=True)
class Bug:
    """A bug of a real project."""

    project: str
    commit: str
    """That mends it, or before which it is planted."""
    file: str = ""
    """With the planted bug; empty for one of the history."""
    old: str = ""
    new: str = ""
    issue: str = ""
    """What somebody who met a planted bug would write."""


BUGS = (
    Bug("nanohttpd", "6bed46385e"),
    Bug("juniversalchardet", "36d5963dfc"),
    Bug("thumbnailator", "896979091f"),
    Bug("objenesis", "b5da971ef7"),
    Bug("big-math", "64a4703659"),
    Bug("expiringmap", "7eafef7b5a"),
    Bug("geohash-java", "2b45dc9eae"),
    Bug("zxcvbn4j", "764e6b8f7a"),
    Bug("commons-suncalc", "4c0f64c5c2"),
    Bug("jsemver", "661489630a"),
    Bug("la4j", "1229fcf1be"),
    Bug("plexus-interpolation", "fda9e90b91"),
    Bug("autolink-java", "51a53ab974"),
    Bug("plexus-classworlds", "6cff36d2d2"),
    Bug("simplemagic", "dad3591eec"),
    Bug(
        project="jheaps",
        commit="658ab034d2",
        file="src/main/java/org/jheaps/array/DaryArrayHeap.java",
        old="new DaryArrayHeap<K>(d, array.length);\n\n"
        "        System.arraycopy(array, 0, h.array, 1, array.length);\n        h.size = array.length;\n\n"
        "        for (int i = array.length / d; i > 0; i--) {",
        new="new DaryArrayHeap<K>(d, array.length);\n\n"
        "        System.arraycopy(array, 0, h.array, 1, array.length);\n        h.size = array.length;\n\n"
        "        for (int i = array.length / d; i > 1; i--) {",
        issue="""A d-ary heap made from an array has a wrong minimum

After DaryArrayHeap.heapify(3, array) the heap's findMin() is the first element of the array, although there
are smaller ones. Inserting the elements one by one works.
""",
    ),
    Bug(
        project="patricia-trie",
        commit="350da0813d",
        file="src/main/java/org/ardverk/collection/StringKeyAnalyzer.java",
        old="if (bitIndex >= lengthInBits(key)) {",
        new="if (bitIndex > lengthInBits(key)) {",
        issue="""StringIndexOutOfBoundsException when one key begins with another

A trie of strings that has "ab" cannot take "a" any more, or be asked for it: charAt is called with
the length.
""",
    ),
    Bug(
        project="jchronic",
        commit="81b4ba8671",
        file="src/main/java/com/mdimension/jchronic/repeaters/RepeaterWeek.java",
        old="int direction = (pointer == Pointer.PointerType.FUTURE) ? 1 : -1;\n      _currentWeekStart",
        new="int direction = (pointer != Pointer.PointerType.FUTURE) ? 1 : -1;\n      _currentWeekStart",
        issue="""The week after next is in the past

Asked for the next week, the repeater is right the first time. Asked again it goes back a week instead of one
further, and for past weeks it is the other way round.
""",
    ),
    Bug(
        project="compress-lzf",
        commit="7a8ddc8d92",
        file="src/main/java/com/ning/compress/lzf/LZFChunk.java",
        old="headerBuffer[3] = (byte) (len >> 8);",
        new="headerBuffer[3] = (byte) (len >> 7);",
        issue="""What cannot be compressed does not come back from a stream

A few kilobytes of random bytes written to LZFOutputStream cannot be read with LZFInputStream: the block is
said to be corrupt or too short. Text is no problem, nor are blocks encoded without a stream.
""",
    ),
    Bug(
        project="JavaFastPFOR",
        commit="182c6d2147",
        file="src/main/java/me/lemire/integercompression/DeltaZigzagEncoding.java",
        old="int n = (value >>> 1) ^",
        new="int n = (value >> 1) ^",
        issue="""Delta zigzag: large differences are decoded wrongly

Numbers near Integer.MAX_VALUE or MIN_VALUE come back as others after encoding and decoding. Small ones of
either sign are right.
""",
    ),
    Bug("FastCSV", "9d4b178072"),
    Bug("mp3agic", "14a738beb8"),
    Bug("pcollections", "3f11587e79"),
    Bug("word-wrap", "f9ce0935d5"),
    Bug("jwks-rsa-java", "05e5bd4360"),
    Bug("URL-Detector", "173c6dbb5d"),
    Bug("jjson", "400185e1ac"),
    Bug("cli-parser", "2323da8697"),
    Bug("eo-yaml", "2314c24d7a"),
    Bug("tape", "deaf63711b"),
    Bug("jmock-library", "a34df7df08"),
    Bug("XChart", "3550ab78c5"),
    Bug("json-patch", "1ec9bbbca3"),
    Bug("airline", "d381105e3c"),
    Bug("toml4j", "b7d3b34619"),
    Bug("openapi-diff", "60e6a9f347"),
    Bug("indriya", "6f74c8d2c2"),
    Bug("RSyntaxTextArea", "0e9d8d3372"),
    Bug(
        project="docopt.java",
        commit="c3f65a503d",
        file="src/main/java/org/docopt/Docopt.java",
        old="if (o.getArgCount() != 0) {",
        new="if (o.getArgCount() == 0) {",
        issue="""A short option with an argument is not read

With "-p PATH" in the usage, "prog -p home/" is refused, as is "prog -phome/". Long options are right, and so
are short ones that take nothing where they stand last.
""",
    ),
    Bug(
        project="dictomaton",
        commit="b23b48ba03",
        file="src/main/java/eu/danieldk/dictomaton/DictionaryBuilder.java",
        old="return len1 - len2;",
        new="return len2 - len1;",
        issue="""A word cannot be added after one it begins with

"aim" after "a" is refused: the sequences are said not to be in lexicographic order. They are.
""",
    ),
)

FRESH = (
    Bug("language-detector", "ec9ef54"),
    Bug("jline2", "6a820b4"),
    Bug("jwordsplitter", "3e92f99"),
    Bug("functionaljava", "fe19604"),
    Bug("parsington", "065bea2"),
    Bug("jettison", "395f862"),
    Bug("java-algorithms-implementation", "edf84c5"),
    Bug("bytes-java", "8574b3e"),
    Bug("jandex", "78fe4dff"),
    Bug("commons-functor", "f72ca72"),
    Bug(
        project="uncommons-maths",
        commit="b7ba13aea7",
        file="core/src/java/main/org/uncommons/maths/random/DiehardInputGenerator.java",
        old="new File(args[1]);",
        new="new File(args[2]);",
        issue="""DiehardInputGenerator cannot be started

I run it as its usage says, with the class name of a random number generator and the name of the output file.
There should be a file of random numbers for the DIEHARD tests. Instead it ends with an
ArrayIndexOutOfBoundsException, and nothing is written.
""",
    ),
    Bug(
        project="java-multibase",
        commit="02bd088f2e",
        file="src/main/java/io/ipfs/multibase/Multibase.java",
        old="return new Base32(true).decode(rest);",
        new="return new Base32(false).decode(rest);",
        issue="""Base32 hex does not come back

What Multibase.encode(Base.Base32Hex, data) gives is not decoded to the same bytes: Multibase.decode of it
has other ones, 21 where I had put in 26. It is the same with padding. In upper case it is right, and so is
base32 without hex.
""",
    ),
    Bug(
        project="user-agent-utils",
        commit="7f95451429",
        file="src/main/java/eu/bitwalker/useragentutils/Browser.java",
        old="        if (agentString != null) {\n            String agentLowercaseString",
        new="        if (agentString == null) {\n            String agentLowercaseString",
        issue="""Every browser is unknown

Browser.parseUserAgentString(agent) gives UNKNOWN for whatever I ask, Internet Explorer and Firefox among
them. It does not help to pass a list of browsers of my own. A UserAgent made of the same text has the right
browser.
""",
    ),
    Bug(
        project="nbvcxz",
        commit="8ecc8a6915",
        file="src/main/java/me/gosimple/nbvcxz/matching/match/SequenceMatch.java",
        old="firstChar == 'a' || firstChar == '1'",
        new="firstChar == 'a' && firstChar == '1'",
        issue="""Sequences like 1234 and abcd are rated too well

Of the password "1234" the sequence that is found has an entropy of 5.3 bits, where it used to be 3. "abcd"
is taken to be as good as "fghi", though nobody has to guess where it begins. Other sequences are as before.
""",
    ),
    Bug(
        project="uuid-creator",
        commit="3f41c3e6ed",
        file="src/main/java/com/github/f4b6a3/uuid/codec/UrnCodec.java",
        old="if (!isUuidUrn(urn)) {",
        new="if (isUuidUrn(urn)) {",
        issue="""A URN cannot be decoded

UrnCodec.INSTANCE.decode("urn:uuid:d258283b-00ff-43fe-b944-7dabf56a09d5") throws an InvalidUuidException. The
text is what encode had given me. A plain UUID, which is no URN, is taken without complaint.
""",
    ),
    Bug(
        project="commonmark-java",
        commit="b89e72fdb2",
        file="commonmark/src/main/java/org/commonmark/internal/IndentedCodeBlockParser.java",
        old="BlockContinue.atColumn(state.getColumn() + Parsing",
        new="BlockContinue.atColumn(state.getColumn() - Parsing",
        issue="""Indented code keeps its indentation from the second line on

Rendered to HTML, the first line of an indented code block is right, but all others still have the four
spaces in front. With includeSourceSpans(IncludeSourceSpans.BLOCKS) such a document cannot be parsed at all:
an IndexOutOfBoundsException says "beginIndex -1 must be >= 0".
""",
    ),
    Bug(
        project="simplezip",
        commit="7a8cab8997",
        file="src/main/java/com/j256/simplezip/format/ZipFileHeader.java",
        old="|| compressedSize < 0) {",
        new="|| compressedSize < 1) {",
        issue="""An empty file is not read as empty

A ZIP made by java.util.zip has a stored file of no bytes. After readFileHeader, readFileDataPart of
ZipFileInput should give -1 at once, but it gives 73 bytes. The header says that the compressed size is
4294967295; so does one of ZipFileHeader.builder() where I leave it at 0, and it has a Zip64 field nobody
set.
""",
    ),
    Bug(
        project="essentials",
        commit="a129506eb6",
        file="java-essentials/src/main/java/org/greenrobot/essentials/io/IoUtils.java",
        old="if (read == -1) {\n                break;\n            }\n            checksum",
        new="if (read != -1) {\n                break;\n            }\n            checksum",
        issue="""The checksum of a file is always that of nothing

After FileUtils.updateChecksum(file, checksum) a Murmur3F has only zeros, whatever is in the file, and other
checksums are as if nothing had been read. When I read the bytes myself and update it with them the value is
right.
""",
    ),
    Bug(
        project="java-petitparser",
        commit="f04696b6c4",
        file="petitparser-core/src/main/java/org/petitparser/parser/combinators/ChoiceParser.java",
        old="failure = failure == null ?",
        new="failure = failure != null ?",
        issue="""NullPointerException where no alternative fits

Alternatives that are joined with or(new FailureJoiner.SelectFarthest(), ...) throw a NullPointerException
when I parse something that none of them takes. There should be the failure that got farthest. With
SelectFirst the result is null. or(...) without a joiner is all right.
""",
    ),
    Bug(
        project="cal10n",
        commit="db338cf47a",
        file="cal10n-api/src/main/java/ch/qos/cal10n/verifier/AbstractMessageKeyVerifier.java",
        old="if (localeNameArray == null ||",
        new="if (localeNameArray != null ||",
        issue="""Verifying all locales finds an error that is not there

verifyAllLocales() of a MessageKeyVerifier gives one error, that the enum has no annotation with locale data.
It has one, and verify(locale) finds nothing wrong for each of its locales. For an enum that really has none
I get a NullPointerException and not that error.
""",
    ),
)
"""Twenty more, taken by rule; see ``suggest.md``."""


@dataclass(frozen=True)
class Known:
    """Where a bug is and what mends it, and what a developer knows."""

    folder: Path
    """The project with the bug."""
    mended: Path
    """The project without it."""
    file: str
    entity: str
    after: str
    """The method as it should be."""
    asked: IssueReport


@dataclass(frozen=True)
class Row:
    """What was measured; seconds of the clock."""

    project: str
    commit: str
    method: str
    source: str
    works: str
    """``yes``, or why it does not."""
    prepare: float | None = None
    """Until the first candidate could be judged, from nothing: build, tests, method."""
    first: float | None = None
    """From then on until the first suggestion, other methods that were tried before it included."""
    whole: float | None = None
    by_text: int | None = None
    """Place of the right method by the issue alone."""
    by_test: int | None = None
    """The same with the failing tests known."""
    chosen: bool = False
    """Whether edits of the right method are suggested, or worked on where none passes; no method is named."""
    failing: int | None = None
    """Tests that fail because of the bug and reach the method's file."""
    drawn: int | None = None
    """Which proposal of the offline model is the real fix."""
    fixes: int | None = None
    """Rank of the first suggestion that makes all of these pass."""
    right: int | None = None
    """Rank of the real fix, by its tokens, by the issue alone."""
    untouched: bool = True
    """Whether the work tree stayed as it was."""
    load: float = 0.0
    """Average when it was done, the higher of both parts."""


def git(repo: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(repo), *arguments], capture_output=True, check=True).stdout


# -- the bug --------------------------------------------------------------------------------------


def known(bug: Bug, clones: Path, work: Path) -> Known:
    """The bug, put in its place the first time."""
    clone, folder, mended = clones / bug.project, work / bug.project, work / "mended" / bug.project
    if not (folder / ".git").is_dir() or not (mended / ".git").is_dir():
        put(bug, clone, folder, mended)
    file, entity, after = changed(folder, mended)
    message = bug.issue or git(clone, "log", "-1", "--format=%B", bug.commit).decode("utf-8", "replace")
    return Known(folder, mended, file, entity, after, report.parse(message.strip()))


def put(bug: Bug, clone: Path, folder: Path, mended: Path) -> None:
    """The project with the bug and without it, each a repository of its own."""
    for place in (folder, mended):
        shutil.rmtree(place, ignore_errors=True)
        with tarfile.open(fileobj=io.BytesIO(git(clone, "archive", bug.commit))) as tar:
            tar.extractall(place, filter="data")
    if bug.file:
        plant(bug, folder)
    else:
        unmend(bug, clone, folder)
    for place in (folder, mended):
        git(place, "init", "-q")
        git(place, "add", "-A")
        git(place, "-c", "user.name=n", "-c", "user.email=e@example.org", "commit", "-q", "-m", "as it is")


def plant(bug: Bug, folder: Path) -> None:
    file = folder / bug.file
    text = file.read_bytes().decode()
    if text.count(bug.old) != 1:
        raise UsageError(f"{bug.file} has {bug.old!r} {text.count(bug.old)} times, not once")
    file.write_bytes(text.replace(bug.old, bug.new).encode())


def unmend(bug: Bug, clone: Path, folder: Path) -> None:
    """Put back what a commit changed, all but its tests."""
    names = git(clone, "diff", "--name-only", f"{bug.commit}^", bug.commit).decode().split()
    for name in names:
        if name.endswith(".java") and not target.is_test(folder, folder / name):
            (folder / name).write_bytes(git(clone, "show", f"{bug.commit}^:{name}"))


def changed(folder: Path, mended: Path) -> tuple[str, str, str]:
    """File, entity and right code of the only method that differs."""
    differing = [
        file.relative_to(folder)
        for file in target.java_files(folder)
        if file.read_bytes() != (mended / file.relative_to(folder)).read_bytes()
    ]
    [name] = differing
    old, new = ((place / name).read_bytes().decode() for place in (folder, mended))
    before, after = JAVA.entities(old), JAVA.entities(new)
    for entity, span in before.items():
        right = new[after[entity].start : after[entity].end] if entity in after else ""
        if JAVA.tokens(old[: span.start] + right + old[span.end :]) == JAVA.tokens(new):
            return name.as_posix(), entity, right
    raise UsageError(f"{name}: not one method differs")


# -- measuring ------------------------------------------------------------------------------------


class Watch(Quiet):
    """Tells of each edit that passes."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell

    def judged(self, problem: Problem, candidate: Candidate, verdict: Verdict, counts: Counts) -> None:
        if verdict.plausible:
            self._tell()


def measured(row: Row | None, bug: Bug, clones: Path, work: Path, n: int) -> Row:
    """What is not yet known of a project: first its preparation, then what is suggested."""
    there = known(bug, clones, work)
    cache = work / "cache" / bug.project
    environment = Environment(cache=cache, jobs=os.cpu_count() or 1)
    if row is None:
        shutil.rmtree(cache, ignore_errors=True)
        method = f"{Path(there.file).stem}#{there.entity}"
        row = Row(bug.project, bug.commit, method, "planted" if bug.file else "history", "yes")
    try:
        if row.prepare is None:
            row = prepared(there, row, environment)
        else:
            config = api.SuggestConfig(n=n, top=n)
            row = asked(there, row, environment, config, partial(keep, kept_in(work, bug)))
    except Nl2fixError as error:
        row = replace(row, works=" ".join(str(error).split())[:200])
    clean = row.untouched and not git(there.folder, "status", "--porcelain")
    return replace(row, untouched=clean, load=max(row.load, os.getloadavg()[1]))


def prepared(there: Known, row: Row, environment: Environment) -> Row:
    """From nothing until a candidate of the right method can be judged; its place; what draws it."""
    begun = time.monotonic()
    setup = Setup(there.folder, Choices(), environment, say)
    by_text = places(there, setup)
    ready = setup.prepare(target.at(there.folder / there.file, there.entity), there.asked)
    took = time.monotonic() - begun
    mended = fix(there, ready).evidence.mended
    failed = [FailedTest(test) for test in mended]
    return replace(
        row,
        prepare=took,
        by_text=place_of(there, by_text),
        by_test=place_of(there, places(there, setup, failed)),
        failing=len(mended),
        drawn=drawn(there, ready.problem),
    )


def fix(there: Known, ready: Prepared) -> Verdict:
    """What the tests say of the real fix."""
    with (
        closing(JvmValidator(lambda _: ready.folder, ready.workers)) as validator,
        validator.session(ready.problem) as session,
    ):
        return settled(session, Candidate(there.after))


def drawn(there: Known, problem: Problem) -> int | None:
    """Which proposal of the offline model is the real fix."""
    right = JAVA.tokens((there.mended / there.file).read_bytes().decode())
    proposals = enumerate(islice(propose(problem), DRAWABLE), 1)
    return next((i for i, p in proposals if JAVA.tokens(applied(problem.text, p.edits)) == right), None)


def places(there: Known, setup: Setup, failed: Sequence[FailedTest] = ()) -> list[Place]:
    return api.places(there.folder, there.asked, 100, failed, setup)


def place_of(there: Known, found: Sequence[Place]) -> int | None:
    wanted = there.folder / there.file, there.entity
    return next((i for i, p in enumerate(found, 1) if (p.file, p.entity) == wanted), None)


def asked(
    there: Known, row: Row, environment: Environment, config: api.SuggestConfig, tell: Callable[[Row], None]
) -> Row:
    """The same again as a command would do it, by the issue alone; ``tell`` hears what there is meanwhile."""
    begun, judging = time.monotonic(), 0.0
    setup = Setup(there.folder, Choices(), environment, say)
    model = pipeline.make_model(config.model, environment)
    passing = list[SuggestResult]()

    def work(trial: Trial) -> SuggestResult:
        nonlocal judging
        ready = deciding.prepared(setup, trial, there.asked)
        judging = judging or time.monotonic()
        with api.started(setup, ready, config.of(trial), model, trial) as session:
            watch = Watch(lambda: tell(seen(session.result())))
            result = api.search(session, ready, config, trial, jobs=environment.jobs, observer=watch)
        if trial.tests and result.suggestions:
            passing.append(result)
        return result

    def seen(result: SuggestResult) -> Row:
        nonlocal row
        row = row if row.first is not None else replace(row, first=time.monotonic() - judging)
        shown = deciding.together([*passing, result], config.top)
        return suggested(there, row, shown)

    found = places(there, setup)
    result = deciding.decided(found, work, say, config.insists, hung=setup.hung, soon=True, top=config.top)
    return replace(suggested(there, row, result), whole=time.monotonic() - begun)


def suggested(there: Known, row: Row, result: SuggestResult) -> Row:
    """A row with what is suggested."""
    right = JAVA.tokens(there.after)
    shown, edited = result.suggestions, (there.file, there.entity)
    return replace(
        row,
        chosen=any((at.file, at.method) == edited for at in (result.where, *map(result.at, shown))),
        fixes=next((s.rank for s in shown if s.fixes and len(s.fixes) >= (row.failing or 1)), None),
        right=next((s.rank for s in shown if JAVA.tokens(s.code) == right), None),
    )


def say(line: str) -> None:
    print(f"  {line}", flush=True)


# -- the page -------------------------------------------------------------------------------------

HEAD = """# Suggestions on real projects

Made by `benchmarks/suggest.py`: {count} projects with one bug each, of their own history (the issue is the
commit's message) or planted. No method, test, jar or build tool is named. Offline mutation model, n = {n}
({more} where a failing test must pass), {cores} cores, seconds of the clock. *Prepare*: from nothing until
a candidate could be judged. *First*: from then on to the first suggestion. *All*: from the command, given
again, to the last verdict of all methods tried. *Text*, *test*: place of the right method by the issue
alone and with the failing tests known. *Failing*: tests that fail because of the bug. *Chosen*: whether
edits of the right method are suggested, or where none passes whether it is worked on. *Drawn*: which of the
model's proposals is the real fix, of {drawable}; – none. *Fixes*: rank of the first suggestion that makes
all failing tests pass. *Right*: rank of the real fix, by its tokens; all three with nothing but the issue.
*Load*: average when a row was done.
Rows without *all* were not asked to the end: what had been found by then stands there. {untouched}

"""
COLUMNS = (
    *("project", "bug", "source", "works at once"),
    *("prepare", "first", "all", "text", "test", "failing", "chosen", "drawn", "fixes", "right", "load"),
)


def page(rows: Sequence[Row], n: int) -> str:
    touched = [row.project for row in rows if not row.untouched]
    head = HEAD.format(
        count=len(rows),
        n=n,
        more=n * api.INSISTED,
        cores=os.cpu_count(),
        drawable=DRAWABLE,
        untouched=f"Work trees changed: {', '.join(touched) or 'none'}.",
    )
    marks = ["---" if i < 4 else "---:" for i in range(len(COLUMNS))]
    table = [f"| {' | '.join(COLUMNS)} |", f"|{'|'.join(marks)}|", *map(line, rows)]
    return head + "\n".join([*table, "", *summary(rows)]) + "\n"


def summary(rows: Sequence[Row]) -> list[str]:
    """What the table comes to."""
    works = [row for row in rows if row.works == "yes"]
    tested, asked = [row for row in works if row.failing], [row for row in works if row.whole is not None]
    mendable = [row for row in asked if row.failing and row.drawn]
    return [
        f"- Works at once: {len(works)} of {len(rows)}.",
        f"- Right method by the issue alone: {first_places([row.by_text for row in works])}; "
        f"with the failing tests known: {first_places([row.by_test for row in tested])}.",
        f"- Asked to the end: {len(asked)}; worked on the right method: {sum(row.chosen for row in asked)}; "
        f"of {len(mendable)} whose fix is drawn and that have a failing test, a suggestion that makes all of "
        f"these pass came first in {sum(row.fixes == 1 for row in mendable)}, the real fix in "
        f"{sum(row.right == 1 for row in mendable)}.",
    ]


def first_places(places: Sequence[int | None]) -> str:
    found = [place for place in places if place is not None]
    one, three, five = (sum(place <= most for place in found) for most in (1, 3, 5))
    return f"first in {one} of {len(places)}, among the first three in {three}, the first five in {five}"


def line(row: Row) -> str:
    bug = f"{row.commit} `{row.method}`"
    times = ("–" if value is None else f"{value:.0f}" for value in (row.prepare, row.first, row.whole))
    chosen = None if row.whole is None and row.first is None else "yes" if row.chosen else "no"
    numbers = (
        "–" if value is None else str(value)
        for value in (row.by_text, row.by_test, row.failing, chosen, row.drawn, row.fixes, row.right)
    )
    works = row.works.replace("|", "/")
    return f"| {' | '.join((row.project, bug, row.source, works, *times, *numbers, f'{row.load:.0f}'))} |"


def kept_in(work: Path, bug: Bug) -> Path:
    return work / "rows" / f"{bug.project}-{bug.commit}.json"


def kept(file: Path) -> Row | None:
    """A row measured before, unless it is of another table."""
    if not file.is_file():
        return None
    data = json.loads(file.read_text(encoding="utf-8"))
    return Row(**data) if data.keys() == {each.name for each in fields(Row)} else None


def keep(file: Path, row: Row) -> None:
    """Whole or not at all, as who is given up ends at any point."""
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, json.dumps(asdict(row), indent=1))


def main() -> None:
    ended.by_sigterm()
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("clones", type=Path)
    parser.add_argument("--work", type=Path, default=ROOT / "runs/suggest")
    parser.add_argument("--only", default="")
    parser.add_argument("--fresh", action="store_true", help="the second list")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--n", type=int, default=100)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    bugs = FRESH if options.fresh else BUGS
    work, wanted = options.work.absolute(), [bug for bug in bugs if options.only in bug.project]
    out = options.out or work / "page.md"
    for bug in wanted if options.again else ():
        kept_in(work, bug).unlink(missing_ok=True)
    for stage in ("prepared", "asked"):
        for bug in wanted:
            row = kept(kept_in(work, bug))
            if row is None or (stage == "asked" and row.works == "yes" and row.whole is None):
                print(bug.project, stage, flush=True)
                row = measured(row, bug, options.clones.absolute(), work, options.n)
                keep(kept_in(work, bug), row)
                print(line(row), flush=True)
            rows = [row for each in bugs if (row := kept(kept_in(work, each))) is not None]
            out.write_text(page(rows, options.n), encoding="utf-8")


if __name__ == "__main__":
    main()
