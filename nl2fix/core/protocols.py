"""What the parts of a run look like to the core. Implementations are plain classes, no base class."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeVar, runtime_checkable

from nl2fix.core.records import (
    Behaviour,
    Candidate,
    Completion,
    Draw,
    Failure,
    Observation,
    OnTests,
    Pool,
    Problem,
    Prompt,
    PromptShape,
    RankerRecord,
    Request,
    Span,
    Tool,
    Verdict,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")
R = TypeVar("R")


class Language(Protocol):
    """What the core must know of a programming language, and no more."""

    name: str
    title: str
    """What people call it, e.g. ``Java``."""
    fences: tuple[str, ...]
    """Info strings of fenced code blocks that hold this language, lower case, preferred first."""

    def tokens(self, code: str) -> list[str]:
        """Lexical tokens without white space and comments; never fails on malformed code."""
        ...

    def strip_comments(self, code: str) -> str:
        """The code without comments; token sequence and remaining formatting unchanged."""
        ...

    def locate(self, text: str, entity: str) -> Span | None:
        """Where ``entity`` stands in a whole file; ``None`` when it is not there exactly once."""
        ...

    def extract(self, text: str, entity: str, context: str | None = None) -> str | None:
        """The unit named ``entity``, with helpers that come along, out of a fragment of code.

        The fragment may be the bare unit, several units, or a whole file or class. ``context`` is
        the whole file before the edit: what it has already does not come along. ``None`` when
        nothing in the fragment can replace the unit.
        """
        ...

    def signature(self, text: str, entity: str) -> str | None:
        """The head of ``entity`` in a whole file, up to where its body begins, opening mark included."""
        ...

    def adopt_imports(self, text: str, fragment: str) -> str:
        """``text``, a whole file, with the imports of ``fragment`` that it uses and lacks."""
        ...

    def only_declares(self, code: str) -> bool:
        """Whether a fragment holds declarations of types, functions or imports, and nothing else."""
        ...

    def syntax_error(self, text: str) -> str | None:
        """One line on the first syntax error of a whole file; ``None`` when it reads well."""
        ...


Sees = Literal["unit", "file"]


class EditFormat(Protocol):
    """How a completion encodes an edit, and all that others must know of it."""

    name: str

    @property
    def sees(self) -> Sees:
        """What the prompt shows as code, and what a worked example's answer is made of."""
        ...

    @property
    def shapes(self) -> tuple[PromptShape, ...]:
        """Shapes of prompts that can ask for it."""
        ...

    @property
    def tool(self) -> Tool | None:
        """The function that the model must answer with; ``None`` for formats in text."""
        ...

    @property
    def ask(self) -> str:
        """Template of the words that ask for it, with the variables of ``prompts/README.md``."""
        ...

    @property
    def answer(self) -> str:
        """Template of a worked example's answer; ``code`` is the code before, ``fixed`` after the edit."""
        ...

    def faults(self, completion: str, problem: Problem) -> frozenset[str]:
        """Names of what is wrong with an answer besides the edit, as in ``PATHOLOGIES``; never fails."""
        ...

    def extract(self, completion: str, problem: Problem, language: Language) -> Candidate:
        """The candidate in a completion; raises ``NoEdit`` with the reason when there is none."""
        ...


class Progress(Protocol):
    """Told about finished units of long work; the command line draws it, the core never prints."""

    def __call__(self, done: int, total: int, label: str) -> None: ...


class Counts(NamedTuple):
    """How far the work is. Samples count answers, candidates distinct ones."""

    sampled: int = 0
    samples: int = 0
    """To be sampled as far as is known, with those sampled before."""
    judged: int = 0
    candidates: int = 0
    """To be judged as far as is known; more may be drawn."""
    failed: int = 0
    """Candidates that got no verdict because infrastructure broke."""


class Observer(Protocol):
    """Told what happens, one call at a time, from whichever thread it happens in."""

    def sampled(self, completion: Completion, counts: Counts) -> None:
        """An answer was read and is stored."""
        ...

    def judged(self, problem: Problem, candidate: Candidate, verdict: Verdict, counts: Counts) -> None:
        """A candidate has its verdict, and it is stored."""
        ...

    def failed(self, problem: str, message: str, counts: Counts) -> None:
        """Infrastructure broke under a candidate of ``problem``, or under the model (empty)."""
        ...


class Sink(Protocol):
    """Where the records of the work go, and what is still to be done. Thread-safe."""

    def add_completion(self, completion: Completion) -> None: ...

    def unread(self) -> Iterator[Completion]:
        """Answers from which no candidate was read yet."""
        ...

    def add_draw(self, completion: Completion, candidate: Candidate | None, reason: str | None) -> bool:
        """What an answer contains; whether its candidate was not known before."""
        ...

    def unjudged(self, problem: str) -> list[Candidate]:
        """Distinct candidates without verdict, in order of first draw."""
        ...

    def candidate(self, problem: str, key: str) -> Candidate: ...

    def add_verdict(self, problem: str, candidate: str, verdict: Verdict) -> None: ...

    def add_failure(self, failure: Failure) -> None: ...


class Records(Protocol):
    """The records of some work, to be looked at."""

    def completions(self, problem: str) -> Iterator[Completion]:
        """All answers, in order of sample and attempt."""
        ...

    def draws(self, problem: str, attempt: int = 1) -> list[Draw]:
        """One per sample, in order of samples."""
        ...

    def candidates(self, problem: str) -> dict[str, Candidate]:
        """Distinct candidates by key."""
        ...

    def verdicts(self, problem: str) -> dict[str, Verdict]:
        """Verdicts by candidate key."""
        ...

    def observation(self, problem: str) -> Observation | None:
        """The calls by which its programs were observed; ``None`` where they were not."""
        ...

    def behaviours(self, problem: str) -> dict[str, Behaviour | None]:
        """What candidates did on them, by key; ``None`` of one that could not be observed."""
        ...


class Observations(Records, Protocol):
    """Records that observing adds to."""

    def set_observation(self, problem: str, observation: Observation) -> None:
        """Keep what the unedited program does; what was known of others by other calls goes."""
        ...

    def add_behaviours(self, problem: str, behaviours: Mapping[str, Behaviour | None]) -> None:
        """Keep what candidates did, by key."""
        ...


class Suite(Protocol):
    """A named set of problems with the means to prepare and validate them."""

    name: str

    def problems(self) -> Sequence[Problem]:
        """All problems, in a stable order."""
        ...

    def reference(self, problem: Problem) -> Candidate:
        """The hidden reference edit."""
        ...

    def prepare(self, problems: Sequence[Problem], jobs: int, progress: Progress) -> dict[str, str]:
        """Make ready what validation needs; returns problem id → one-line error for those that failed.

        Already prepared problems are left as they are.
        """
        ...

    def validator(self) -> Validator:
        """A new validator for this suite's problems; the caller closes it."""
        ...


class Validator(Protocol):
    """Judges candidates. Thread-safe: sessions of different problems may run at once."""

    def identity(self, problem: Problem) -> dict[str, str]:
        """All that a verdict depends on besides the candidate, by aspect: ``runtime``, ``time limit``, …

        Values are short texts or hashes. Verdicts are kept under the hash of all of them, and a run goes on
        only while they stay what they were.
        """
        ...

    def session(self, problem: Problem) -> AbstractContextManager[Session]:
        """Resources to judge many candidates of one problem (a warm worker, a container, …)."""
        ...

    def close(self) -> None:
        """Release what outlives sessions."""
        ...


class Session(Protocol):
    """Judges candidates of one problem one after the other."""

    def validate(self, candidate: Candidate) -> Verdict:
        """The verdict; raises ``InfrastructureError`` when no verdict could be reached."""
        ...


@runtime_checkable
class Vouching(Protocol):
    """A session whose workers serve many candidates, and that checks now and then that they are sound."""

    def doubted(self) -> Sequence[Candidate]:
        """Those validated since the last call whose verdicts do not stand; they are to be validated again.

        Asked before verdicts are kept; plausible ones always stand. Usually nothing, for one control run.
        """
        ...


@runtime_checkable
class Estimating(Protocol):
    """A validator that knows beforehand about how long it takes. Optional; decides the order of work only."""

    def expected_seconds(self, problem: Problem) -> float:
        """Of the clock, for a candidate as most are; above 0."""
        ...


class Witness(Protocol):
    """Observes what edits of one problem do."""

    def unedited(self) -> Observation:
        """The calls that are made of every program, and what the unedited one does. Asked first."""
        ...

    def behaviours(self, candidates: Sequence[Candidate]) -> Sequence[Behaviour | None]:
        """What each does on these calls; ``None`` where it does not compile or ends what it runs in."""
        ...


@runtime_checkable
class HearsTests(Protocol):
    """A witness that can also see what tests call. Optional."""

    def on_tests(
        self, candidates: Sequence[Candidate], reference: Candidate | None = None
    ) -> Sequence[OnTests | None]:
        """What calls of tests show of each; ``None`` where it does not compile."""
        ...


@runtime_checkable
class Observing(Protocol):
    """A validator that can also observe. Optional."""

    def witness(self, problem: Problem, most: int) -> AbstractContextManager[Witness]:
        """Resources to observe many candidates of one problem, on at most ``most`` calls."""
        ...

    def states(self, problem: Problem) -> bool:
        """Whether a problem's texts seem to state examples that its witness can call. Cheap."""
        ...


class Slice(NamedTuple):
    """Some candidates of one problem that are judged together elsewhere."""

    problem: Problem
    identity: Mapping[str, str]
    """As ``Validator.identity``: who judges them elsewhere must be the same."""
    candidates: Sequence[Candidate]


class Returned(NamedTuple):
    """What became of a slice, by candidate key."""

    verdicts: Mapping[str, Verdict]
    failures: Mapping[str, str]
    """Those without a verdict, and why."""


class Crew(Protocol):
    """Judges on other machines: slices go out, what became of them comes back."""

    @property
    def judges(self) -> int:
        """How many slices can be judged at once now."""
        ...

    def hand_out(self, task: Slice, back: Callable[[Returned], None]) -> None:
        """Have a slice judged; waits while enough is under way, and raises what ended the work.

        ``back`` is called once for each slice, one call at a time, in a thread of the crew's.
        """
        ...

    def wait(self) -> None:
        """Until everything has come back; raises what ended the work."""
        ...

    def stop(self) -> None:
        """Take back what is under way; who waits is let go."""
        ...


class Spread(Protocol):
    """Has work done elsewhere, many pieces at once."""

    def __call__(self, function: Callable[[T], R], work: Sequence[T]) -> Generator[tuple[T, R]]:
        """Each piece of work with what the function makes of it, as it comes; raises what that raised.

        Function and pieces must be such as can be sent. Closing it takes back what is under way.
        """
        ...


class Verdicts(Protocol):
    """Verdicts that are known, by the fingerprint of all they depend on and the candidate. Thread-safe."""

    def get(self, fingerprint: str, candidate: str) -> Verdict | None: ...
    def put(self, fingerprint: str, verdicts: Mapping[str, Verdict]) -> None: ...


class Carried(NamedTuple):
    """A prepared problem as files from which it can be judged on any machine. Hidden references are none."""

    anchor: Path
    """Folder that holds them all."""
    parts: tuple[str, ...]
    """Files and folders below it."""
    main: str
    """That of them which is the prepared problem."""
    opener: str
    """``package.module:function``, called as ``(environment, folders, shares, places)``, gives the validator.
    ``places`` gives a problem's own folder below ``folders``, which hold all with equal ``shares``."""
    shares: bool
    """Whether code under test may see other prepared problems."""
    together: tuple[Path, ...] = ()
    """``folders`` where nothing was carried."""
    cache: Path = Path()
    tools: tuple[str, ...] = ()
    """Files below the cache that any machine can make, but at a cost."""


@runtime_checkable
class Carrying(Protocol):
    """A validator whose prepared problems are files. Optional: others are made anew on each node."""

    def carried(self, problem: Problem) -> Carried: ...


@runtime_checkable
class Made(Protocol):
    """A suite that knows which files preparing makes. Optional: others prepare all on one machine."""

    def made(self, problems: Sequence[Problem]) -> dict[str, list[Path]]:
        """Problem id → files and folders, hidden ones too; without those that are not prepared.

        An empty list where preparing makes none: there is nothing that another machine could do.
        """
        ...


class PromptStrategy(Protocol):
    """How a problem becomes messages."""

    name: str

    def render(self, problem: Problem) -> Prompt: ...


class Model(Protocol):
    """Whatever answers a prompt."""

    name: str

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Yield one completion per asked sample, in any order, as they arrive.

        ``requests`` may be lazy and must be consumed only as fast as answers are produced. Closing
        the iterator cancels what is under way.
        """
        ...


class Needs(NamedTuple):
    """What preparing problems and judging samples of them takes, roughly."""

    disk_mb: int
    """At its peak, MiB."""
    cpu_seconds: float


@runtime_checkable
class Foreseeing(Protocol):
    """A suite that knows what its problems take; what a dry run asks of it. Optional."""

    def needs(self, problems: Sequence[Problem], samples: int, jobs: int) -> Needs:
        """What is still to be prepared of these problems, and judging ``samples`` of each."""
        ...


@runtime_checkable
class Checked(Protocol):
    """A model that can tell before any work whether it could be asked. Optional."""

    def check(self) -> None:
        """Raise ``UsageError`` where it could not, e.g. for want of a key or a library."""
        ...


@runtime_checkable
class Answered(Protocol):
    """A model whose answers are there already. Optional."""

    def problems(self) -> Mapping[str, int]:
        """Problem → how many answers to it are there; ``DataError`` where they cannot be read."""
        ...


@runtime_checkable
class Computing(Model, Protocol):
    """A model that computes answers in its process: as well on a node of a cluster as here. Optional."""

    def hampered(self) -> str | None:
        """Why that takes much longer than it need: unasked, on a processor; ``None`` where it does not."""
        ...

    def identity(self) -> dict[str, str]:
        """All that answers depend on besides settings and prompt, by aspect: ``model``, versions, …

        Asked before the first prompt; the model need not be loaded for it.
        """
        ...

    def pieces(self, requests: Iterable[Request]) -> Iterator[Sequence[Request]]:
        """The requests, cut into what is answered together, wherever that is. Lazy."""
        ...


@runtime_checkable
class Filed(Protocol):
    """A model whose answers come from files, which may change under its name. Optional."""

    def files(self) -> Mapping[str, Sequence[Path]]:
        """All files that answers depend on, by aspect: ``weights``, ``recorded answers``, …

        A run goes on only while their contents stay what they were; what is not on this machine is left out.
        """
        ...


@runtime_checkable
class Priced(Protocol):
    """A model that costs money; what a dry run asks of it. Optional."""

    together: int
    """Most samples one request asks for."""

    def cost(self, prompt: int, answer: int) -> float | None:
        """Money for so many tokens of prompts and answers; ``None`` where no price is set."""
        ...


class Embedder(Protocol):
    """Turns texts into vectors."""

    name: str
    """Identifies model and settings: vectors of equal names may be compared and cached."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Array of shape ``(len(texts), dimensions)``."""
        ...


class Ranker(Protocol):
    """Puts the distinct candidates of each problem in order. Deterministic; never sees outcomes."""

    name: str
    """For people."""

    def rank(self, pools: Sequence[Pool]) -> list[list[int]]:
        """For each pool the indices into its entries, best first; every index exactly once."""
        ...


@runtime_checkable
class Recorded(Protocol):
    """A ranker that was made from settings."""

    record: RankerRecord
