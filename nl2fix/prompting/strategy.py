"""What all strategies share: a folder of templates, a shape, an edit format and a context budget.

A strategy's folder in ``prompts/`` holds, by shape,

- chat: ``system.j2`` (optional), ``user.j2``, further turns ``then_1.j2``, ``then_2.j2``, …, and a
  constant worked example ``example_user.j2`` with ``example_answer.j2`` (optional);
- completion: ``completion.j2``, the text the model goes on with;
- edit: ``edit.j2``, the instruction that goes with the code.

``formats/FORMAT.j2`` asks for an edit format, ``answers/FORMAT.j2`` shows an example's answer in it: both
are the edit format's own, unless the user's folder has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, takewhile
from pathlib import Path
from typing import Any, Literal

from nl2fix.core.config import Environment
from nl2fix.core.errors import UsageError
from nl2fix.core.formats import edit_format
from nl2fix.core.records import (
    EMPTY,
    Candidate,
    Message,
    Problem,
    Prompt,
    PromptShape,
    Role,
    Sampling,
    SourceFile,
)
from nl2fix.core.tokens import counter
from nl2fix.languages import language
from nl2fix.languages.capabilities import HasSkeleton, require
from nl2fix.prompting.budget import Budget, fit
from nl2fix.prompting.templates import RETRY, WHICH_METHOD, Templates

FENCE_STOP = ("```",)


@dataclass(frozen=True)
class Settings:
    """Options every strategy has."""

    shape: PromptShape = "chat"
    """``chat``, ``completion`` (the prompt ends with the method's signature) or ``edit``."""
    format: str = "method"
    """The edit format the prompt asks for."""
    instruction: str = "issue"
    """``issue`` (title and description) or another kind of instruction the suite has, e.g. ``lazy``."""
    context: int = 0
    """Tokens the model takes, prompt and answer together; 0 means unlimited."""
    answer_tokens: int = Sampling().max_tokens
    """Tokens kept free for the answer (the sampling's ``max_tokens``)."""
    tokenizer: str = ""
    """Tokenizer to count with: a ``tokenizer.json``, a model folder or name; empty means an estimate."""
    stop: tuple[str, ...] = ()
    """Stop words; empty means those of the shape."""
    surroundings: Literal["method", "skeleton", "file"] = "method"
    """What is shown of the file: the method, the rest of its class without bodies besides, or all of it."""
    dir: Path | None = None
    """Folder with the user's own templates, looked in first."""


@dataclass(frozen=True)
class Example:
    """A worked example: another problem and its reference edit."""

    problem: Problem
    fixed: Candidate
    code: str
    """The fixed region as shown, without comments."""


Examples = Callable[[Problem], Sequence[Example]]


@dataclass(frozen=True)
class Recipe:
    """What sets one strategy apart from the others."""

    name: str
    title_only: bool = False
    share_turns: bool = False
    shape: PromptShape | None = None
    """Fixed shape, whatever the settings say."""
    stop: tuple[str, ...] = FENCE_STOP
    """Stop words of the completion shape."""
    signature: bool = True
    """The completion shape ends with the method's signature (formats ``method``)."""
    variables: Mapping[str, Any] = field(default_factory=lambda: EMPTY)
    """What its templates see besides the problem."""


class TemplateStrategy:
    """Renders problems by the templates in ``prompts/NAME/``."""

    def __init__(
        self, recipe: Recipe, settings: Settings, environment: Environment, examples: Examples | None = None
    ) -> None:
        self.name = recipe.name
        self._recipe, self._settings = recipe, settings
        self._shape: PromptShape = recipe.shape or settings.shape
        self._format = edit_format(settings.format, environment)
        self._templates = Templates(settings.dir, self._format)
        self._examples = examples
        if 0 < settings.context <= settings.answer_tokens:
            raise UsageError(
                f"prompt.context {settings.context} leaves no room beside answers of "
                f"{settings.answer_tokens} tokens; lower sampling.max_tokens (--max-tokens)"
            )
        self._budget = Budget(settings.context, settings.answer_tokens, counter(settings.tokenizer))
        self._tools = () if self._format.tool is None else (self._format.tool.json,)
        self._check()
        read = (self.name, "formats", "answers", "parts")
        self._templates.check_used(*read, RETRY, WHICH_METHOD)
        self._hash = self._templates.sha256(*read)

    def _check(self) -> None:
        needed = {"chat": "user", "completion": "completion", "edit": "edit"}[self._shape]
        if not self._templates.has(f"{self.name}/{needed}"):
            raise UsageError(
                f"strategy {self.name!r} has no shape {self._shape!r} (prompts/{self.name}/{needed}.j2)"
            )
        if self._shape not in self._format.shapes:
            raise UsageError(
                f"shape {self._shape!r} cannot ask for format {self._format.name!r}; "
                f"use {' or '.join(self._format.shapes)}"
            )

    def render(self, problem: Problem) -> Prompt:
        """The prompt, cut to fit the context where that is needed; its notes say what was done."""
        view = self._view(problem)
        shown = [] if self._examples is None else self._examples(problem)
        named = [(example.problem.id, self._example_view(example)) for example in shown]

        def build(examples: Sequence[Mapping[str, Any]], description: str) -> Prompt:
            return self._build({**view, "description": description, "examples": examples})

        return fit(build, named, view["description"], self._budget)

    def answer(self, problem: Problem, fixed: Candidate) -> str | None:
        """What a model should answer to ``render(problem)`` to make this edit, in the edit format asked for.

        ``None`` where the prompt begins the answer with a signature that the edit changes.
        """
        if self._shape == "edit":
            raise UsageError("prompts of shape 'edit' have no answer to learn from; use chat or completion")
        view = self._example_view(Example(problem, fixed, fixed.code))
        if self._shape == "chat":
            return self._templates.render(f"answers/{self._format.name}", {**view, "examples": ()})
        prefix = view["signature"] if self._recipe.signature and self._format.sees == "unit" else ""
        fixed_code: str = view["fixed"]
        return fixed_code[len(prefix) :] if fixed_code.startswith(prefix) else None

    # -- variables --------------------------------------------------------------------------------

    def _view(self, problem: Problem) -> dict[str, Any]:
        """The variables of one problem; hidden parts (reference, tests) are not among them."""
        title, description = self._texts(problem)
        spoken = language(problem.language)
        return {
            "title": title,
            "description": description,
            "instructions": dict(problem.instructions),
            "code": self._code(problem),
            "method": problem.visible,
            "signature": spoken.signature(Candidate(problem.visible).apply(problem), problem.entity) or "",
            "entity": problem.entity,
            "path": problem.path,
            "language": problem.language,
            "language_title": spoken.title,
            "fence": next(iter(spoken.fences), ""),
            "project": problem.project,
            "format": self._format.name,
            "sees": "file" if self._whole else "unit",
            "skeleton": self._skeleton(problem),
            "others": [_file(file) for file in problem.editable],
            "shown": [_file(file) for file in problem.shown],
            **self._recipe.variables,
        }

    @property
    def _whole(self) -> bool:
        return self._format.sees == "file" or self._settings.surroundings == "file"

    def _skeleton(self, problem: Problem) -> str:
        if self._settings.surroundings != "skeleton" or self._whole:
            return ""
        able = require(language(problem.language), HasSkeleton, "for skeletons")
        return able.skeleton(problem.text)

    def _texts(self, problem: Problem) -> tuple[str, str]:
        kind = self._settings.instruction
        if kind != "issue":
            if kind not in problem.instructions:
                kinds = ", ".join(sorted(problem.instructions))
                raise UsageError(f"{problem.id} has no instruction {kind!r}; it has: {kinds}")
            return "", problem.instructions[kind].strip()
        title, description = problem.title.strip(), problem.description.strip()
        if self._recipe.title_only and title:
            return title, ""
        if not title and not description:
            return "", next(iter(problem.instructions.values()), "").strip()
        return title, description

    def _code(self, problem: Problem) -> str:
        """What the model sees of the code: the method, or the file with the method as it may be seen."""
        if not self._whole:
            return problem.visible
        return Candidate(problem.visible).apply(problem)

    def _example_view(self, example: Example) -> dict[str, Any]:
        whole = self._format.sees == "file"
        fixed = Candidate(example.code, example.fixed.scope).apply(example.problem) if whole else example.code
        return {**self._view(example.problem), "fixed": fixed}

    # -- messages ---------------------------------------------------------------------------------

    def _build(self, variables: Mapping[str, Any]) -> Prompt:
        stop = self._settings.stop
        make = {"chat": self._chat, "completion": self._completion, "edit": self._edit}[self._shape]
        return make(variables, stop)

    def _text(self, name: str, variables: Mapping[str, Any]) -> str:
        return self._templates.render(f"{self.name}/{name}", variables)

    def _chat(self, variables: Mapping[str, Any], stop: tuple[str, ...]) -> Prompt:
        turns: list[tuple[Role, str]] = []
        if self._has("system"):
            turns.append(("system", self._text("system", variables)))
        if self._has("example_user"):
            turns.append(("user", self._text("example_user", variables)))
            turns.append(("assistant", self._text("example_answer", variables)))
        for example in reversed(variables["examples"]):
            shown = {**example, "examples": ()}
            turns.append(("user", self._text("user", shown)))
            turns.append(("assistant", self._templates.render(f"answers/{self._format.name}", shown)))
        turns.append(("user", self._text("user", variables)))
        followups = tuple(self._text(f"then_{i}", variables) for i in self._turns())
        return Prompt(
            tuple(Message(role, text.strip("\n")) for role, text in turns),
            followups,
            stop=stop,
            template_sha256=self._hash,
            tools=self._tools,
            share_turns=self._recipe.share_turns,
        )

    def _completion(self, variables: Mapping[str, Any], stop: tuple[str, ...]) -> Prompt:
        prefix = ""
        if self._recipe.signature and self._format.sees == "unit":
            prefix = variables["signature"]
        text = self._text("completion", {**variables, "prefix": prefix})
        return Prompt(
            (Message("user", text),),
            shape="completion",
            stop=stop or self._recipe.stop,
            template_sha256=self._hash,
            prefix=prefix,
        )

    def _edit(self, variables: Mapping[str, Any], stop: tuple[str, ...]) -> Prompt:
        """Two messages: the code, and the instruction what to change in it."""
        messages = (Message("user", variables["code"]), Message("user", self._text("edit", variables)))
        return Prompt(messages, shape="edit", stop=stop, template_sha256=self._hash)

    def _has(self, name: str) -> bool:
        return self._templates.has(f"{self.name}/{name}")

    def _turns(self) -> Iterable[int]:
        return takewhile(lambda i: self._has(f"then_{i}"), count(1))


def _file(file: SourceFile) -> dict[str, str]:
    return {"path": file.path, "code": file.text}
