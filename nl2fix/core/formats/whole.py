"""Edit format ``whole``: the answer holds every edited file, whole, in a fenced block.

The fence, the first line of code or the line before, as aider writes it, may name the file. In a problem of
one file a block without a name counts, too, where none that is named changes it; and so does a bare file
without a fence. Of several blocks for one file the last counts that looks like that file and changes it
(``choice``); blocks named for other files never do. Line ends and the blank lines at the end are those of
the file before the edit, unless white space is part of the task (``Problem.layout``).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from nl2fix.core.formats.blocks import Block, NoEdit, answer, blocks, file_named, telling_cuts
from nl2fix.core.formats.choice import chosen_file, in_language, looks_like_file, unedited_test
from nl2fix.core.formats.faults import text_faults
from nl2fix.core.formats.names import is_file
from nl2fix.core.protocols import Language, Sees
from nl2fix.core.records import Candidate, Problem, PromptShape, Tool, candidate_from_files


class Whole:
    """Reads edited files out of a completion; satisfies ``EditFormat``."""

    name = "whole"
    sees: Sees = "file"
    shapes: tuple[PromptShape, ...] = ("chat", "completion", "edit")
    tool: Tool | None = None
    ask = """\
{% if others %}
Answer with every file that changes, whole, every line of it: for each the path of the file on a line \
of its own, and under it all of the fixed file in one fenced code block. Leave out files that stay as \
they are.
{% else %}
Answer with the whole fixed file `{{ path }}` in one fenced code block, every line of it.
{% endif %}
"""
    answer = "{{ fixed | fenced(fence) }}\n"

    @telling_cuts
    def extract(self, completion: str, problem: Problem, language: Language) -> Candidate:
        """The candidate; raises ``NoEdit`` when there is no block and the answer is no such file."""
        written = blocks(completion)
        if not written:
            return candidate_of_files(problem, {problem.path: _bare(answer(completion), problem, language)})
        texts = _codes(written, problem, language)
        if not texts:
            raise NoEdit("other_file", f"no block of the answer names one of {', '.join(problem.files)}")
        chosen = {path: chosen_file(codes, path, problem, language) for path, codes in texts.items()}
        return candidate_of_files(problem, chosen)

    def faults(self, completion: str, problem: Problem) -> frozenset[str]:
        """Pathologies of an answer; never fails."""
        return text_faults(completion, problem)


def _codes(written: Sequence[Block], problem: Problem, language: Language) -> dict[str, list[str]]:
    """The codes for each file; those without a name are the problem's own where no others can be meant."""
    paths = _paths(written, problem)
    texts: dict[str, list[str]] = {}
    for block, path in zip(written, paths, strict=True):
        if path is not None and (file := file_named(path, problem)) is not None:
            texts.setdefault(file, []).append(block.code)
    unedited = unedited_test(problem.path, problem, language)
    own = texts.get(problem.path, [])
    if (problem.editable and (texts or len(written) > 1)) or not all(map(unedited, own)):
        return texts
    nameless = [block for block, path in zip(written, paths, strict=True) if path is None]
    codes = [block.code for block in in_language(nameless, language)]
    if any(paths):
        codes = [code for code in codes if looks_like_file(code, problem, language)]
    return {problem.path: own + codes} if own or codes else {}


def _paths(written: Sequence[Block], problem: Problem) -> list[str | None]:
    """The path that names each block; a first line that a file has, too, is a line of it and no name."""
    heads = {_first_line(text) for text in problem.files.values()}
    paths = (block.above if _headed(block, heads) else block.path for block in written)
    return [path if is_file(path, problem.files) else None for path in paths]


def _headed(block: Block, heads: Collection[str]) -> bool:
    return not block.told and _first_line(block.code) in heads


def _first_line(text: str) -> str:
    return text.lstrip().partition("\n")[0].rstrip()


def _bare(text: str, problem: Problem, language: Language) -> str:
    if not text.strip():
        raise NoEdit("empty", "the answer is empty")
    if len(text) > 4 * len(problem.text) + 10_000 or not _is_file(text, problem, language):
        raise NoEdit("no_code", "the answer has no fenced block and is not the file itself")
    return text


def _is_file(text: str, problem: Problem, language: Language) -> bool:
    """A problem of a whole file names no unit to look for; prose, then, is what does not read as code."""
    if problem.entity:
        return language.locate(text, problem.entity) is not None
    return language.syntax_error(text) is None


def candidate_of_files(problem: Problem, texts: Mapping[str, str]) -> Candidate:
    """A candidate for answered files, with the line ends and last lines of the files before."""
    return candidate_from_files(problem, {path: _native(problem, path, text) for path, text in texts.items()})


def _native(problem: Problem, path: str, code: str) -> str:
    before = problem.files[path]
    if not code.strip():
        raise NoEdit("empty", f"the answered file is empty: {path}")
    if problem.layout:
        return code if code.endswith("\n") else code + "\n"
    if "\r\n" in before and "\r\n" not in code:
        code = code.replace("\n", "\r\n")
    return code.rstrip() + before[len(before.rstrip()) :]
