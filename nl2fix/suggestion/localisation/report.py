"""The issue a developer brings: a file, standard input or a tracker's page, and the traces in it."""

from __future__ import annotations

import codecs
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from nl2fix.core.errors import DataError, UsageError

_FRAME = re.compile(
    r"^(?P<before>[^\n]*?\bat\s+|[^\S\n]*)(?:[\w.$@+-]*/){0,2}(?P<owner>(?:[\w$]+\.)*[\w$]+)\.(?P<method><init>|<clinit>|[\w$]+)"
    r"\((?P<file>[\w$-]+\.java)(?::(?P<line>\d+))?\)",
    re.MULTILINE,
)
"""As JVMs write it, with the names of loader and module, and behind what logs and quotes put before it."""
_NUMBERS = r"#?(?P<first>\d+)(?:\s*(?:-|–|to|and)\s*#?L?(?P<last>\d+))?"
_LINES = (
    re.compile(
        r"\b(?P<file>[A-Z]\w*)(?:\.java(?:#L|:)|(?:\.java)?[`'\")*\]]*[\s,(]+(?:(?:on|at|in)\s+)?[Ll]ines?\s+)"
        + _NUMBERS
    ),
    re.compile(
        rf"\b[Ll]ines?\s+{_NUMBERS}\s*(?:\(|(?:in|of)\s+(?:the\s+)?(?:(?:class|file)\s+)?)"
        r"[`'\"*(\[]*(?P<file>[A-Z]\w*)"
    ),
)
"""``Foo.java:12``, ``…/Foo.java#L12-L14``, ``Foo, line 12`` and ``lines 12 and 13 of Foo``."""
_CAUSE = re.compile(r"\bCaused by: ")
_MORE = re.compile(r"\W*\d+ (?:more|common frames omitted)\W*")
_HEADING = re.compile(r"^\s*#+\s*")
_FENCED = re.compile(
    r"```.*?(?:```|\Z)|\{(?P<mark>code|noformat)\b[^}\n]*\}.*?\{(?P=mark)\}|<pre>.*?</pre>", re.DOTALL
)
_CODE_LINE = re.compile(
    r"^(?: {4,}\S.*|\t.*|.*[;{}][^\S\n]*|[^\S\n]*(?://|@\w|import |public |private ).*)$", re.MULTILINE
)
"""What stands for itself as code does."""
_ADDRESSES = re.compile(r"(?:<?https?://\S+\s+)*<?https?://\S+")
LARGEST = 1_000_000
"""Characters an issue may have; what is longer is a log, not an issue."""
TITLE_LENGTH = 200
"""Characters of a first line that is taken as the title."""


@dataclass(frozen=True, slots=True)
class IssueReport:
    """What the developer says is wrong."""

    title: str
    description: str
    key: str = ""
    """What its tracker calls it, ``CLI-265`` or ``12``; empty where that is known from its title at most."""

    @property
    def text(self) -> str:
        return f"{self.title}\n{self.description}".strip()


@dataclass(frozen=True, slots=True)
class Frame:
    """One line of a stack trace, innermost first in a report."""

    owner: str
    """Binary class name, e.g. ``org.acme.Foo$Inner``."""
    method: str
    """Method name; ``<init>`` for constructors."""
    file: str
    line: int | None


@dataclass(frozen=True, slots=True)
class NamedLines:
    """Lines of a source that an issue names, as they were in some version of it."""

    file: str
    """Without ``.java``."""
    first: int
    last: int


def parse(text: str) -> IssueReport:
    """First non-empty line as title (a Markdown heading loses its marks), the rest as description."""
    if len(text) > LARGEST:
        raise UsageError(
            f"the issue has {len(text)} characters, more than {LARGEST}; leave in what tells the bug"
        )
    stripped = text.strip().lstrip("\ufeff")
    if not stripped:
        raise UsageError("the issue is empty; give a title and, better, what happens and what should")
    if _ADDRESSES.fullmatch(stripped):
        raise UsageError(
            "the issue is nothing but an address; give what is written there, which --issue-url ADDRESS "
            "reads from GitHub, GitLab or Jira"
        )
    first, _, rest = stripped.partition("\n")
    title = _HEADING.sub("", first).strip() or first.strip()
    if len(title) > TITLE_LENGTH:
        return IssueReport(title[:TITLE_LENGTH].rsplit(" ", 1)[0], stripped)
    return IssueReport(title, rest.strip())


def read(file: Path) -> IssueReport:
    """The issue in a text file."""
    try:
        return parsed(file.read_bytes(), f"the issue {file}")
    except OSError as error:
        raise UsageError(f"cannot read the issue {file}: {error.strerror}") from error


def parsed(raw: bytes, name: str = "the issue") -> IssueReport:
    """The issue in bytes: UTF-8, what their mark says (as PowerShell's ``>`` writes), or else ISO-8859-1."""
    marks = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
    encoding = next((told for mark, told in marks.items() if raw.startswith(mark)), "utf-8")
    if encoding != "utf-16" and b"\0" in raw:
        raise UsageError(f"{name} is no text (byte {raw.index(0)})")
    try:
        return parse(raw.decode(encoding))
    except UnicodeDecodeError as error:
        if encoding == "utf-16":
            raise UsageError(f"{name} begins as UTF-16 and is none (byte {error.start})") from error
        return parse(raw.decode("iso-8859-1"))


def frames(text: str) -> list[Frame]:
    """The stack frames in a text, in their order; of an exception those of its last cause first.

    That is what was thrown; who wrapped it comes behind.
    """
    traces: list[list[list[Frame]]] = []
    end = 0
    for m in _FRAME.finditer(text):
        between, end = text[end : m.end("before")], m.end()
        if traces and _CAUSE.search(between):
            traces[-1].append([])
        elif not traces or not _goes_on(between.removesuffix(m["before"])):
            traces.append([[]])
        line = int(m["line"]) if m["line"] else None
        traces[-1][-1].append(Frame(m["owner"], m["method"], m["file"], line))
    return [frame for trace in traces for part in reversed(trace) for frame in part]


def named_lines(text: str) -> list[NamedLines]:
    """The lines that a text names beside stack frames."""
    found = [match for how in _LINES for match in how.finditer(without_frames(text))]
    return [NamedLines(m["file"], int(m["first"]), int(m["last"] or m["first"])) for m in found]


def _goes_on(between: str) -> bool:
    """Whether nothing between two frames tells of another exception."""
    return not re.search(r"\w", between) or _MORE.fullmatch(between) is not None


def prose_and_code(text: str) -> tuple[str, str]:
    """What a text says, and the code in it that stands for itself."""
    code = list[str]()

    def taken(found: re.Match[str]) -> str:
        code.append(found[0])
        return "\n"

    prose = _CODE_LINE.sub(taken, _FENCED.sub(taken, text))
    return prose, "\n".join(code)


def without_frames(text: str) -> str:
    """A text without the stack frames in it."""
    return _FRAME.sub(lambda frame: re.sub(r"\bat\s+$", "", frame["before"]), text)


def download(url: str) -> IssueReport:
    """The issue behind a tracker's URL, as it is today, a company's own Jira, GitHub or GitLab included."""
    from nl2fix.trackers import known
    from nl2fix.trackers.polite import Client, Gone

    try:
        reference = known.parse(url)
    except DataError as error:
        raise UsageError(str(error)) from None
    with tempfile.TemporaryDirectory() as raw:
        token = known.token_of(reference)
        client = Client(reference.tracker, known.base_of(reference), Path(raw), token)
        try:
            issue = known.read(reference, client.get)
        except Gone as error:
            unknown = "" if token else "; one that is not public wants a key (docs/suggest.md)"
            raise DataError(f"{url}: {reference.tracker} has no such issue{unknown}") from error
    return IssueReport(issue.title, issue.description, reference.issue)
