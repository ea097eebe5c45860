"""From a source tree to a study with both verdicts, as a user goes: lint-problems, run, study."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

CODE = "def double(x) :\n  return x*2\n"
GOOD = "def double(x):\n    return x*2\n"
ANSWERS = (
    f"```python\n{GOOD}```",
    "```python\n# nothing to see here\n```",
    f"```python\n{GOOD.replace('double', 'twice')}```",
    f"```python\n{CODE.rstrip()}  # noqa\n```",
    "I would rather not.",
)


def nl2fix(cache: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "nl2fix", *map(str, arguments)]
    environment = {"PATH": "/usr/bin:/bin", "NL2FIX_CACHE": str(cache)}
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def test_problems_are_made_answered_and_counted_by_both_verdicts(tmp_path: Path) -> None:
    cache, data, run = tmp_path / "cache", tmp_path / "made.jsonl", tmp_path / "run"
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "double.py").write_text(CODE)
    (tmp_path / "tree" / "broken.py").write_text("def f(:\n")
    made = nl2fix(cache, "lint-problems", tmp_path / "tree", "--linter", "flake8", "--out", data)
    assert made.returncode == 0, made.stderr
    assert "1 problem written" in made.stderr and "left out: broken.py: flake8: SyntaxError" in made.stderr
    replay = tmp_path / "answers.jsonl"
    replay.write_text("".join(json.dumps({"problem": "double.py", "completion": a}) + "\n" for a in ANSWERS))
    asked = ("--prompt", "linter", "--format", "whole", "--n", len(ANSWERS), "--jobs", 1, "--out", run)
    done = nl2fix(cache, "run", "--suite", "linter", "--data", data, "--model", f"replay:{replay}", *asked)
    assert done.returncode == 0, done.stderr
    assert "published verdict" in done.stdout
    studied = nl2fix(cache, "study", run, "--out", tmp_path / "study", "--json")
    (row,) = next(t for t in json.loads(studied.stdout) if t["name"] == "verdicts")["rows"]
    shares = [round(row[f"pass@1 {kind}"], 9) for kind in ("published", "ours", "gap")]
    assert shares == [0.6, 0.2, 0.4]


def test_where_nothing_is_a_problem_the_reasons_are_told_and_no_link_leads_elsewhere(tmp_path: Path) -> None:
    """Files were said to be left out, not why; and a link's target would have been published."""
    tree = tmp_path / "tree"
    tree.mkdir()
    (tmp_path / "secret.py").write_text(CODE)
    (tree / "link.py").symlink_to(tmp_path / "secret.py")
    (tree / "latin.py").write_bytes(b"x = '\xe4'\n")
    (tree / "marked.py").write_bytes(b"\xef\xbb\xbfx = 1\n")
    done = nl2fix(tmp_path / "c", "lint-problems", tree, "--linter", "flake8", "--out", tmp_path / "o")
    assert done.stderr.splitlines() == [
        "left out: latin.py: not in UTF-8",
        "left out: link.py: links to what is elsewhere",
        f"nl2fix: no problem in {tree}: 1 file clean, 2 left out",
    ]


def test_where_there_is_nothing_to_look_at_no_file_is_called_clean(tmp_path: Path) -> None:
    tree, rows = tmp_path / "tree", tmp_path / "rows.jsonl"
    (tree / ".hidden").mkdir(parents=True)
    (tree / ".hidden" / "a.py").write_text(CODE)
    (tree / "A.java").write_text("class A {}")
    rows.write_text("")
    for source, lacking in ((tree, "no file in .py (hidden ones aside)"), (rows, "no program")):
        done = nl2fix(tmp_path / "c", "lint-problems", source, "--linter", "flake8", "--out", tmp_path / "o")
        assert (done.returncode, done.stderr) == (
            2,
            f"nl2fix: nothing to look at: {source} holds {lacking}\n",
        )
        assert not (tmp_path / "o").exists()


def test_wrong_arguments_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    for arguments, reason in (
        (["--linter", "flak8"], "unknown linter 'flak8'"),
        (["--linter", "flake8", "--setting", "x=1"], "unknown key 'x' in the settings of flake8"),
        (["--linter", "flake8", "--setting", "x"], "--setting wants KEY=VALUE, not 'x'"),
        (["--linter", "checkstyle", "--setting", "checks=@none.xml"], "cannot read none.xml: No such file"),
        (["--linter", "flake8"], "no problem in"),
    ):
        done = nl2fix(tmp_path / "c", "lint-problems", tmp_path, "--out", tmp_path / "o", *arguments)
        assert done.returncode == 2 and reason in done.stderr and done.stderr.count("\n") == 1
        assert not (tmp_path / "o").exists()
