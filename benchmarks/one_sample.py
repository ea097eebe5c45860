"""One sample a bug, as a leaderboard judges: ``nl2fix run`` as a whole, and plain Defects4J with its set-up.

    python benchmarks/one_sample.py --config FILE --bugs Cli-5,Csv-2,… [--set KEY=VALUE …]

Ours is one ``nl2fix run`` over all bugs, one job, that replays one answer a bug, the first proposal of the
mutation baseline: reading the suite, prompts, judging with every JVM start, observing where examples are
stated, ranking and tables. Bugs are prepared and gold is in the cache, the samples' verdicts are not. The
plain way checks each bug out, writes the same edit, compiles and runs the relevant tests. Figures are CPU
seconds of all processes started. What preparing takes once for all models is in ``gold.md``, not among ours.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import ended
from gold import suite_of
from spent import spent

from nl2fix import mutation
from nl2fix.cli.flags import gather
from nl2fix.core.records import Candidate, Problem, Prompt, Request
from nl2fix.suites.defects4j.suite import Nl2fixSuite


def edits(problems: Sequence[Problem]) -> dict[str, Candidate]:
    """The first proposal of the mutation baseline for each bug that it has one for."""
    requests = [Request(problem, Prompt(()), (0,)) for problem in problems]
    answers = mutation.Mutation().complete(requests)
    return {answer.problem: Candidate(answer.code) for answer in answers if answer.code is not None}


def ours(arguments: Sequence[str], chosen: Mapping[str, Candidate]) -> float:
    """CPU seconds of the whole command."""
    common = ["--suite", "nl2fix", "--bugs", ",".join(chosen), "--jobs", "1", *arguments]
    command = [sys.executable, "-m", "nl2fix"]
    subprocess.run([*command, "gold", *common], check=True, stdout=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory() as folder:
        answers = Path(folder) / "answers.jsonl"
        rows = ({"problem": bug, "candidate": candidate.code} for bug, candidate in chosen.items())
        answers.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        asked = ["--model", f"replay:{answers}", "--n", "1", "--out", f"{folder}/run"]
        whole = [*command, "run", *common, *asked]
        return spent(lambda: subprocess.run(whole, check=True, stdout=subprocess.DEVNULL)).cpu


def plain(suite: Nl2fixSuite, problem: Problem, candidate: Candidate) -> float:
    """CPU seconds of check-out, compilation and relevant tests."""
    text = candidate.apply(problem)
    installation = suite.installation()
    project, _, number = problem.id.rpartition("-")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "work"

        def judge() -> None:
            installation.check_out(project, int(number), "b", work)
            (work / problem.path).write_text(text, encoding="utf-8", errors="replace")
            if installation.builds(work):
                installation.test(work)

        return spent(judge).cpu


def main() -> None:
    ended.by_sigterm()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--config", type=Path, required=True)
    parser.add_argument("--bugs", required=True)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    options = parser.parse_args()
    suite = suite_of(gather({"config_file": options.config, "assignments": options.set, "suite": "nl2fix"}))
    bugs = options.bugs.split(",")
    problems = [problem for problem in suite.problems() if problem.id in bugs]
    chosen = edits(problems)
    given = ["--config", str(options.config), *(f"--set={setting}" for setting in options.set)]
    mine = ours(given, chosen)
    print(f"ours: {mine:.1f} s for {len(chosen)} bugs, {mine / len(chosen):.2f} s each", flush=True)
    theirs = 0.0
    for problem in problems:
        if problem.id in chosen:
            cost = plain(suite, problem, chosen[problem.id])
            theirs += cost
            print(f"{problem.id}: plain {cost:.1f} s", flush=True)
    print(f"plain: {theirs / len(chosen):.2f} s each; ratio {theirs / mine:.1f}")


if __name__ == "__main__":
    main()
