"""The records that flow from stage to stage. All are immutable and hold no hidden information.

The reference fix and the tests of a problem are not part of ``Problem``: they stay with the suite
(``Suite.reference``) and the validator, so nothing that builds prompts or proposes edits can see them.
"""

from __future__ import annotations

import copyreg
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

EMPTY: Mapping[str, str] = MappingProxyType({})


def _fixed(items: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(items)


copyreg.pickle(MappingProxyType, lambda view: (_fixed, (dict(view),)))  # so that records can be sent


def sha256_text(text: str) -> str:
    """Hex SHA-256 of the UTF-8 bytes of a text; lone surrogates are kept distinct, never an error."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def fingerprint(identity: Mapping[str, str]) -> str:
    """Hash of a validator's identity of a problem: key of its verdicts."""
    return sha256_text(json.dumps(identity, sort_keys=True))


class Span(NamedTuple):
    """Half-open range of character (not byte) offsets in a file's text."""

    start: int
    end: int


_HEADING = 100
"""Characters of an instruction that stand for a title."""


def is_count(value: object) -> bool:
    """Whether this may be a number of tokens: none known, or one that any table can hold."""
    if value is None:
        return True
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


class SourceFile(NamedTuple):
    """One file of a problem: path relative to the project's root, with forward slashes, and whole text."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Problem:
    """One editing task: code before the edit and the texts that ask for it.

    The simple case is a region of one file. Further files may be edited too (``editable``), or be shown
    and stay as they are (``shown``).
    """

    id: str
    """Unique inside its suite, e.g. ``Math-2``."""
    suite: str
    project: str
    """Group for per-project tables and for clustering in statistics."""
    language: str
    """Name of the language in the language registry."""
    path: str
    """Path of the edited file, relative to the project's root, with forward slashes."""
    text: str
    """Whole text of the file before the edit."""
    region: Span
    """The part of ``text`` that a candidate replaces."""
    entity: str
    """What stands in the region, in the language's own notation, e.g. ``parse(String, int)``."""
    visible: str
    """The region as a model may see it (comments that could leak the fix removed)."""
    instructions: Mapping[str, str]
    """Kind → text. Known kinds: ``title``, ``description``, ``lazy``, ``descriptive``, ``linter``."""
    metadata: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    """Facts for people. ``lacks`` says why no model can be asked yet: its code is found by preparing;
    ``tests`` names the instruction that is the hidden tests' own code, where models are shown it."""
    editable: tuple[SourceFile, ...] = ()
    """Further files that a candidate may replace, before the edit."""
    shown: tuple[SourceFile, ...] = ()
    """Files that a model sees and no candidate may change."""
    layout: bool = False
    """Whether white space is part of the task: an answered file keeps its own last lines and line ends."""

    @property
    def files(self) -> dict[str, str]:
        """Path → text before the edit of every file that may be edited, the problem's own first."""
        return {self.path: self.text, **{file.path: file.text for file in self.editable}}

    @property
    def before(self) -> str:
        """The region's text exactly as it stands in the file."""
        return self.text[self.region.start : self.region.end]

    @property
    def alone(self) -> bool:
        """Whether no more is known of the program than the region to edit."""
        return self.before == self.text

    @property
    def told(self) -> list[str]:
        """What asks for the edit, but for the hidden tests' own code."""
        return [text for kind, text in self.instructions.items() if kind != self.metadata.get("tests")]

    @property
    def title(self) -> str:
        return self.instructions.get("title", "")

    @property
    def heading(self) -> str:
        """The title, or what an instruction without one begins with (headings apart), for lists."""
        if self.title:
            return self.title
        lines = next(iter(self.told), "").splitlines()
        words = next((line for line in lines if line.strip() and not line.startswith("#")), "").strip()
        return words if len(words) <= _HEADING else f"{words[:_HEADING].rstrip()} …"

    @property
    def description(self) -> str:
        return self.instructions.get("description", "")


Scope = Literal["region", "file"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """Code that replaces the problem's region (or, with scope ``file``, the whole of its file).

    ``others`` replace further editable files, whole. A candidate that leaves the problem's own file alone
    has the region's code before the edit.
    """

    code: str
    scope: Scope = "region"
    others: tuple[SourceFile, ...] = ()

    @property
    def sha256(self) -> str:
        """Hash of the code, and of the other files where there are some."""
        if not self.others:
            return sha256_text(self.code)
        return sha256_text(json.dumps([self.code, *self.others]))

    @property
    def key(self) -> str:
        """Identity inside one problem: the hash, marked when it is a whole file or several files."""
        marks = ("file:" if self.scope == "file" else "") + ("files:" if self.others else "")
        return marks + self.sha256

    @property
    def local(self) -> bool:
        """Whether it edits nothing but the region."""
        return self.scope == "region" and not self.others

    def apply(self, problem: Problem) -> str:
        """The problem's own file after the edit; ``changes.edited_files`` gives all of them."""
        if self.scope == "file":
            return self.code
        return problem.text[: problem.region.start] + self.code + problem.text[problem.region.end :]


def candidate_from_file(problem: Problem, edited: str) -> Candidate:
    """A candidate for an edited whole file; reduced to the region when nothing else changed."""
    head, tail = problem.text[: problem.region.start], problem.text[problem.region.end :]
    fits = len(edited) >= len(head) + len(tail) and edited.startswith(head) and edited.endswith(tail)
    if fits:
        return Candidate(edited[len(head) : len(edited) - len(tail)])
    return Candidate(edited, "file")


def candidate_from_files(problem: Problem, edited: Mapping[str, str]) -> Candidate:
    """A candidate for edited whole files by path; a file that is not named stays as it is.

    Equal edits give equal candidates. ``KeyError`` for a path that the problem does not let be edited.
    """
    files = problem.files
    unknown = next((path for path in edited if path not in files), None)
    if unknown is not None:
        raise KeyError(unknown)
    main = candidate_from_file(problem, edited.get(problem.path, problem.text))
    changed = (
        SourceFile(p, edited.get(p, text)) for p, text in problem.editable if edited.get(p, text) != text
    )
    return replace(main, others=tuple(changed))


Role = Literal["system", "user", "assistant"]


class Message(NamedTuple):
    role: Role
    content: str


PromptShape = Literal["chat", "completion", "edit"]


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that a model can be asked to call."""

    name: str
    does: str
    """What it does, for the model."""
    parameters: Mapping[str, Any]
    """JSON schema of its arguments."""

    @property
    def json(self) -> str:
        """As ``Prompt.tools`` holds it."""
        return json.dumps({"name": self.name, "description": self.does, "parameters": self.parameters})


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked, rendered.

    ``followups`` are further user turns sent one by one, each after the model's answer to the turn
    before; the last answer is the completion.
    """

    messages: tuple[Message, ...]
    followups: tuple[str, ...] = ()
    shape: PromptShape = "chat"
    stop: tuple[str, ...] = ()
    template_sha256: str = ""
    notes: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    """What the strategy recorded about it: example chosen, what was cut to fit, …"""
    overlong: str = ""
    """Why the prompt cannot fit the model's context and must not be sent; empty when it can."""
    prefix: str = ""
    """Start of the answer that the prompt's text already ends with; models put it before what they add."""
    tools: tuple[str, ...] = ()
    """Functions the model must answer with, each a JSON object ``{name, description, parameters}``."""
    share_turns: bool = False
    """All turns before the last are answered once and shared by every sample."""

    @property
    def sha256(self) -> str:
        content = (self.shape, self.messages, self.followups, self.stop, self.prefix, self.tools)
        return sha256_text(json.dumps((*content, self.share_turns)))


@dataclass(frozen=True, slots=True)
class Sampling:
    """How answers are drawn. Temperature is unitless, ``max_tokens`` counts the model's tokens.

    What a model thinks before it answers counts, too, hence the ample default.
    """

    temperature: float = 0.8
    top_p: float = 1.0
    max_tokens: int = 16384
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Request:
    """Ask a model for the given sample numbers (0-based) of one problem."""

    problem: Problem
    prompt: Prompt
    samples: tuple[int, ...]
    sampling: Sampling = Sampling()
    attempt: int = 1
    """1 for first answers; 2 when the prompt carries the failing test of the first (aider's tries)."""


ABSENT = "absent"
"""``finish`` of what a recording does not hold: no sample, so it counts nowhere."""
EXHAUSTED = "exhausted"
"""``finish`` of a sample for which there was nothing left."""
TEMPLATE = "template"
"""In ``extra``: which template a generator made it of. Who proposes nothing twice votes for nothing."""
CUT = "length"
"""``finish`` of an answer that reached its limit of tokens."""
CUT_OFF = "cut off at the token limit (sampling.max_tokens)"
"""What is told of it before all else that is wrong with it."""


@dataclass(frozen=True, slots=True)
class Completion:
    """One raw answer of a model.

    Either ``text`` (to be read by an edit format) or ``code`` (replaces the region exactly) is set;
    neither means that the model gave no answer, and ``finish`` says why.
    """

    problem: str
    sample: int
    attempt: int = 1
    text: str | None = None
    code: str | None = None
    finish: str = "stop"
    """``stop``, ``length``, ``content_filter``, ``empty``, ``exhausted`` (nothing left), ``absent``, …"""
    logprob: float | None = None
    """Sum of the natural-log probabilities of the answer's tokens, where the model gives them."""
    logprob_tokens: int | None = None
    prompt_tokens: int | None = None
    """Of the request, at its first answer; 0 at its others, so that sums are what was paid for."""
    completion_tokens: int | None = None
    """Of this answer; a share by length where the model counted those of a whole request only."""
    seconds: float | None = None
    prompt_sha256: str = ""
    transcript: tuple[Message, ...] = ()
    """The turns before the last answer, where there was more than one."""
    extra: Mapping[str, str] = field(default_factory=lambda: EMPTY)

    @property
    def cut_off(self) -> bool:
        """It reached its limit of tokens amid what it said."""
        return self.finish == CUT and (self.text is not None or self.code is not None)

    def told(self, reason: str) -> str:
        """Why there is no edit in it, or none that compiles."""
        return f"{CUT_OFF}: {reason}" if self.cut_off else reason


class Outcome(Enum):
    """What validation found. ``plausible`` implies that the candidate compiled."""

    PLAUSIBLE = "plausible"
    WRONG = "wrong"
    UNCOMPILABLE = "uncompilable"
    TIMEOUT = "timeout"
    NO_EDIT = "no_edit"


Stage = Literal["extract", "build", "trigger", "regression", "confirm", "done"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a verdict is what it is. Times are wall seconds."""

    stage: Stage = "extract"
    """Where the candidate failed; ``done`` when it passed everything."""
    built: bool = False
    tests_run: int = 0
    tests_expected: int = 0
    """Number of tests of the baseline; equal to ``tests_run`` for every plausible candidate.

    Unless it mends what kept tests from being made on the baseline.
    """
    failing_test: str | None = None
    message: str | None = None
    """Compiler message, first failure or reason for no edit; shortened, never parsed again."""
    build_sha256: str | None = None
    """Hash of the build's output; equal builds share one verdict."""
    build_seconds: float = 0.0
    test_seconds: float = 0.0
    confirmed: bool = False
    """All tests were run again from a fresh start and passed."""
    suspicious: str | None = None
    """What the edit newly reaches for that no fix needs (frames, limits, open memory, …), on one line;
    its verdict deserves a look, as its code could have tampered with what judged it."""
    output: str | None = None
    """First lines of what the tests printed, where they print and failed."""
    mended: tuple[str, ...] = ()
    """Tests that may fail, as they do in the baseline, and that passed."""
    published: bool | None = None
    """Whether it passes by the benchmark's own, published verdict; ``None`` where ours is the same."""


@dataclass(frozen=True, slots=True)
class Verdict:
    outcome: Outcome
    evidence: Evidence = Evidence()

    @property
    def plausible(self) -> bool:
        return self.outcome is Outcome.PLAUSIBLE


NO_END = "does not end"
"""What is told of a call that was stopped."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What a program did when its edited unit was called: one entry for each call of its problem."""

    digests: tuple[str, ...]
    """Equal where what happened looks alike from outside; empty for a call that was not made."""
    told: tuple[str, ...]
    """The same in short words: ``3``, ``throws java.lang.ArithmeticException``."""

    def __post_init__(self) -> None:
        if len(self.digests) != len(self.told):
            raise ValueError(
                f"{len(self.digests)} calls, of {len(self.told)} of which it is told what happened"
            )

    @property
    def sha256(self) -> str:
        return sha256_text(" ".join(self.digests))


class Stated(NamedTuple):
    """An example that a text states of the edited unit, which is among the calls that are observed."""

    call: int
    """Number of the call (0-based)."""
    outcome: str
    """What is to come of it, as written: ``[2, 3]``, ``throws IllegalArgumentException``."""
    source: Literal["comment", "issue"]
    """Where it stands: beside the code, or in the text that asks for the edit."""


INSTRUMENT = 4
"""The one there is now. Raised when equal behaviour gets other digests than before."""


@dataclass(frozen=True, slots=True)
class Observation:
    """The calls by which programs of a problem are observed, and what the unedited program did on them.

    No calls: the unit cannot be called, for want of a receiver or of arguments.
    """

    calls: tuple[str, ...]
    """As people read them: ``mean(2, 4)``."""
    dropped: int
    """Calls left out because two runs of the unedited program did not do the same on them."""
    unedited: Behaviour
    stated: tuple[Stated, ...] = ()
    """Examples that code and issue state; none comes from tests."""
    instrument: int = 1
    """By which it was made; what different ones tell is not compared."""
    most: int = 0
    """How many calls were asked for; 0 where an earlier version made it."""

    def __post_init__(self) -> None:
        if len(self.calls) != len(self.unedited.digests):
            raise ValueError(
                f"{len(self.calls)} calls, of which the unedited program did {len(self.unedited.digests)}"
            )
        if beyond := [each.call for each in self.stated if not 0 <= each.call < len(self.calls)]:
            raise ValueError(f"an example of call {beyond[0]}, of {len(self.calls)}")


BEYOND = "another value, beyond what is shown of it"
"""Where two results differ behind what is kept of them in words."""


class Change(NamedTuple):
    """A call on which two programs do different things."""

    call: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.call}: {BEYOND if self.before == self.after else f'{self.before} → {self.after}'}"


@dataclass(frozen=True, slots=True)
class OnTests:
    """What calls that tests make of what a candidate edits show. Hidden where the tests are hidden."""

    dropped: int
    """Left out because two runs of one program did not do the same on them."""
    changes: tuple[Change, ...]
    """The first ones, from the unedited program to this one."""
    beside: int = 0
    """With equal values here and in the reference; where there is none, in the unedited program."""
    apart: Change | None = None
    """The first one on which they differ, from the reference to this one."""
    against: Change | None = None
    """The first one, of a test that passes before, which that test makes no more or on which this does else.

    Of tests as they are: their copies may meet the fault. Nothing where no test is known to meet it.
    """
    late: bool = False
    """Whether a limit of time struck, so that another machine may hear others."""
    did: str = ""
    """Equal for programs that did the same on all calls of the unedited program; empty: they made none."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A distinct candidate of one problem with the samples that drew it, as a ranker sees it."""

    candidate: Candidate
    samples: tuple[int, ...]
    logprob: float | None = None
    """Best mean log-probability per token among its samples, where the model gives them."""
    proposed: bool = False
    """Whether a generator proposed it, of whose distinct proposals none is a vote for another."""
    built: bool | None = None
    """Whether it compiled; ``None`` when not known. Test outcomes are never part of an entry."""
    build_sha256: str | None = None
    behaviour: Behaviour | None = None
    """What it did where it was observed. No test and no reference takes part in that."""


@dataclass(frozen=True, slots=True)
class Pool:
    """All distinct candidates of one problem, in order of first draw."""

    problem: Problem
    entries: tuple[Entry, ...]
    unedited_build: str | None = None
    """Hash of the unedited program's build, where it is known."""
    unedited_behaviour: Behaviour | None = None
    """What the unedited program did, where it was observed."""
    stated: tuple[Stated, ...] = ()
    """Examples that code and issue state of the calls on which it was."""


class Draw(NamedTuple):
    """What one sample turned out to be: a candidate's key, or the reason why there is none."""

    sample: int
    candidate: str | None
    reason: str | None


class Failure(NamedTuple):
    """Infrastructure that broke; not a verdict."""

    stage: str
    problem: str
    candidate: str
    message: str


class RankerRecord(NamedTuple):
    """Who put candidates in order."""

    key: str
    """Equal where settings are, whatever a ranker calls itself."""
    kind: str
    """Name of the component."""
    label: str
    """For people."""


def ranker_record(kind: str, options: Mapping[str, Any], label: str) -> RankerRecord:
    """The record of a ranker made with these options."""
    if not options:
        return RankerRecord(kind, kind, label)
    text = json.dumps(options, sort_keys=True, default=str)
    return RankerRecord(f"{kind}-{hashlib.sha256(text.encode()).hexdigest()[:12]}", kind, label)
