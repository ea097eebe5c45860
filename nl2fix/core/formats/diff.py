"""Edit formats ``diff`` and ``udiff``: the lines that change, as search and replace blocks or unified diffs.

    path/of/File            (optional, also inside a fence)
    <<<<<<< ORIGINAL        (or SEARCH)
    lines as they are
    =======
    lines as they should be
    >>>>>>> UPDATED         (or REPLACE)

Either form is read whichever was asked for. Each block, or hunk, replaces the one place where its lines
stand: exactly, else with blanks at line ends and indentation ignored, the replacement moved to the
indentation found. The one place inside the edited unit goes before others; where several are left only the
line number of a hunk can decide, otherwise nothing is edited. A hunk that only adds lines goes where its
header says, ``-N,0`` being after line N; after ``--- /dev/null`` it is all of the file. Other counts of
hunks are not looked at. Edits
apply one after the other, to the file as the model saw it (comments of the unit removed), else to the file
as it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from nl2fix.core.formats.blocks import NoEdit, file_named, telling_cuts
from nl2fix.core.formats.faults import text_faults, whole_file_in
from nl2fix.core.formats.places import Replacement, replaced
from nl2fix.core.formats.replacements import hunks, replacements
from nl2fix.core.protocols import Language, Sees
from nl2fix.core.records import Candidate, Problem, PromptShape, Span, Tool, candidate_from_files

_ASK_BLOCKS = """\
Answer with the changes only. For each place that changes write one block of this form, with the path \
of the file on the line before it:

{{ path }}
```{{ fence }}
<<<<<<< ORIGINAL
lines of the code as they are now
=======
lines as they should be
>>>>>>> UPDATED
```

The lines under ORIGINAL must repeat the code above exactly, white space included, and must be enough \
to tell the place from every other.
"""
_ANSWER_BLOCKS = """\
{{ path }}
```{{ fence }}
<<<<<<< ORIGINAL
{{ code }}
=======
{{ fixed }}
>>>>>>> UPDATED
```
"""
_ASK_HUNKS = """\
Answer with the changes only, as one unified diff in a fenced block:

```diff
--- a/{{ path }}
+++ b/{{ path }}
@@ @@
 a line that stays
-a line as it is now
+the line as it should be
 another line that stays
```

Start a new hunk with `@@ @@` for each place that changes; line numbers are not needed. The lines that \
stay and those that go must repeat the code above exactly, white space included, and must be enough to \
tell the place from every other.
"""
_ANSWER_HUNKS = """\
```diff
--- a/{{ path }}
+++ b/{{ path }}
@@ @@
{% for line in code.splitlines() %}
-{{ line }}
{% endfor %}
{% for line in fixed.splitlines() %}
+{{ line }}
{% endfor %}
```
"""


class Diff:
    """Applies search and replace blocks; satisfies ``EditFormat``."""

    name = "diff"
    sees: Sees = "unit"
    shapes: tuple[PromptShape, ...] = ("chat",)
    tool: Tool | None = None
    ask = _ASK_BLOCKS
    answer = _ANSWER_BLOCKS

    @telling_cuts
    def extract(self, completion: str, problem: Problem, language: Language) -> Candidate:
        """The candidate; raises ``NoEdit`` when a block is malformed, or matches nothing or twice."""
        return apply_all(_edits(completion, problem), problem)

    def faults(self, completion: str, problem: Problem) -> frozenset[str]:
        """Pathologies of an answer; never fails."""
        try:
            searched = [block.search for block in _edits(completion, problem)]
        except NoEdit:
            searched = []
        return text_faults(completion, problem) | whole_file_in(searched, problem)


class Udiff(Diff):
    """``Diff`` with unified diffs asked for."""

    name = "udiff"
    ask = _ASK_HUNKS
    answer = _ANSWER_HUNKS


def _edits(completion: str, problem: Problem) -> list[Replacement]:
    edits = replacements(completion, problem.files) or hunks(completion, problem.files)
    if not edits:
        raise NoEdit("no_code", "the answer has no <<<<<<< ORIGINAL block and no hunk of a unified diff")
    return edits


def apply_all(edits: Sequence[Replacement], problem: Problem) -> Candidate:
    """The files with all edits applied; edits of files that are not the problem's are left out."""
    by_file: dict[str, list[Replacement]] = {}
    path: str | None = problem.path
    for edit in edits:
        path = path if edit.path is None else file_named(edit.path, problem)
        if path is not None:
            by_file.setdefault(path, []).append(edit)
    if not by_file:
        named = ", ".join(sorted({edit.path or "" for edit in edits}))
        raise NoEdit("other_file", f"the answer edits {named or 'nothing'}, not {', '.join(problem.files)}")
    of_problem = by_file.pop(problem.path, [])
    files = problem.files
    texts = {path: replaced(several, files[path], None, path) for path, several in by_file.items()}
    if of_problem:
        texts[problem.path] = _own(of_problem, problem)
    return candidate_from_files(problem, texts)


def _own(edits: Sequence[Replacement], problem: Problem) -> str:
    """The problem's own file with edits applied as the model saw it, else as it is."""
    seen = Candidate(problem.visible).apply(problem)
    region = Span(problem.region.start, problem.region.start + len(problem.visible))
    try:
        return replaced(edits, seen, region, problem.path)
    except NoEdit as reason:
        if seen == problem.text or reason.kind != "no_match":
            raise
        return replaced(edits, problem.text, problem.region, problem.path)
