"""A run contains what it measured, and goes on only as what it was."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from nl2fix.core.store import RunStore
from nl2fix.pipeline.contents import contents
from tests.cli.test_look import nl2fix
from tests.conftest import SmallDisk, fill
from tests.pipeline.conftest import Place

BUG = "1_run_lengths"
PYTHON = (
    *("--suite", "canitedit", "--model", "replay:answers.jsonl", "--bugs", BUG, "--n", 1),
    *("--ranker", "vote", "--out", "run", "--cache", "cache"),
)


def test_a_finished_run_opens_where_neither_suite_nor_model_is(place: Place, tmp_path: Path) -> None:
    assert place.run()[0] == 0
    shutil.move(place.folder / "run", tmp_path / "moved")
    shutil.rmtree(place.folder)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for command in (
        ("report", "--json"),
        ("show", "O-1", "--json"),
        ("export",),
        ("compare", "--html", "c.html"),
        ("study", "--out", "study"),
        ("record", "--to", "answers.jsonl"),
        ("rank", "--ranker", "vote", "--json"),
    ):
        done = nl2fix(command[0], tmp_path / "moved", *command[1:], cwd=elsewhere)
        assert done.returncode == 0, done.stderr
    rows = [
        json.loads(line) for line in nl2fix("export", tmp_path / "moved", cwd=elsewhere).stdout.splitlines()
    ]
    assert len(rows) == 6
    assert (elsewhere / "answers.jsonl").read_text().count("\n") == 6


def test_a_run_holds_problems_prompts_and_references(place: Place) -> None:
    place.run()
    with RunStore(place.folder / "run") as store:
        first, second = store.problems()
        assert (first.id, second.id, first.title) == ("O-1", "O-2", "one() is not one")
        assert store.references()["O-2"].code == "int one() { return 1; }"
        for completion in store.completions("O-1"):
            prompt = store.prompt(completion.prompt_sha256)
            assert prompt is not None
            assert "one() is not one" in prompt.messages[-1].content
            assert prompt.template_sha256
        assert store.identity("O-1")["runtime"] == "JDK 17"


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("title", "one() is a lie", "issue text of O-1"),
        ("code", "int one() { return 22; }", "code of O-1"),
        ("runtime", "JDK 8", "runtime of O-1 and 1 more (JDK 17 → JDK 8)"),
    ],
)
def test_going_on_with_another_suite_or_runtime_is_refused_by_name(
    place: Place, name: str, text: str, words: str
) -> None:
    place.run()
    place.noted("asked")
    place.say(name, text)
    status, line = place.run(n=4)
    assert status == 2
    assert words in line
    assert "--fork run" in line
    assert place.noted("asked") == []
    assert json.loads((place.folder / "run" / "run.json").read_text())["scope"]["n"] == 3


def test_going_on_with_other_templates_is_refused_by_name(place: Place) -> None:
    place.run()
    templates = place.folder / "mine" / "zero_shot"
    templates.mkdir(parents=True)
    (templates / "user.j2").write_text("Mend {{ code }}")
    status, line = place.run("--prompt-dir", "mine", n=4)
    assert (status, "templates of zero_shot" in line) == (2, True)


def test_going_on_with_another_version_is_refused_by_name(place: Place) -> None:
    place.run()
    file = place.folder / "run" / "run.json"
    manifest = json.loads(file.read_text())
    manifest["identity"]["tree-sitter"] = "0.1"
    file.write_text(json.dumps(manifest))
    status, line = place.run(n=4)
    assert status == 2
    assert "tree-sitter (0.1 → " in line


@pytest.mark.parametrize("n", [3, 4], ids=["finished", "to be gone on with"])
def test_going_on_with_weights_trained_again_is_refused_by_name(place: Place, n: int) -> None:
    place.say("weights", "0.25 0.50")
    assert place.run()[0] == 0
    assert place.run()[0] == 0
    place.noted("asked")
    place.say("weights", "0.25 0.75")
    status, line = place.run(n=n)
    assert (status, "run was made with other weights of the model; choose" in line) == (2, True)
    assert place.noted("asked") == []
    place.say("weights", "0.25 0.50")
    assert place.run(n=n)[0] == 0


def test_a_fork_takes_over_no_answers_of_other_weights(place: Place) -> None:
    place.say("weights", "0.25 0.50")
    place.run()
    place.noted("asked")
    assert place.run("--fork", "run", out="same")[0] == 0
    assert place.noted("asked") == []
    place.say("weights", "0.25 0.75")
    assert place.run("--fork", "run", out="other")[0] == 0
    assert len(place.noted("asked")) == 6


def test_going_on_with_another_recording_is_refused_by_name(place: Place) -> None:
    def go_on(number: int) -> tuple[int, str]:
        line = json.dumps({"problem": "O-1", "candidate": f"int one() {{ return {number}; }}"})
        (place.folder / "answers.jsonl").write_text(line)
        return place.run("--model", "replay:answers.jsonl", "--bugs", "O-1", n=1)

    assert go_on(1)[0] == 0
    assert go_on(1)[0] == 0
    status, line = go_on(7)
    assert (status, "run was made with other recorded answers of the model; choose" in line) == (2, True)


def test_a_recording_that_could_not_be_read_may_be_mended(place: Place) -> None:
    """The run was of the unreadable one from then on, and refused any that could be read."""
    asked = ("--model", "replay:answers.jsonl", "--bugs", "O-1")
    answer = json.dumps({"problem": "O-1", "candidate": "int one() { return 1; }"}) + "\n"
    place.say("answers.jsonl", "")
    status, line = place.run(*asked, n=1)
    assert (status, "holds no answers" in line) == (1, True)
    place.say("answers.jsonl", answer)
    assert place.run(*asked, n=1)[0] == 0


@pytest.mark.parametrize(
    ("recorded", "reason"),
    [
        ("", "holds no answers"),
        ("\n\n", "holds no answers"),
        ('{"problem": "O-1", "candidate": ""}\n{', "line 2: no JSON"),
        ('{"problem": "O-1", "candidate": "", "sample": null}\n', "holds no answers"),
    ],
)
def test_a_recording_without_answers_leaves_no_folder(place: Place, recorded: str, reason: str) -> None:
    place.say("answers.jsonl", recorded)
    status, line = place.run("--model", "replay:answers.jsonl", "--bugs", "O-1", n=1)
    assert (status, reason in line) == (1, True)
    assert not (place.folder / "run").exists()


def test_a_large_file_is_read_again_when_it_was_written_again(tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    file.write_bytes(bytes(1 << 24))
    first, written = contents({"weights": [file]}, tmp_path / "cache"), file.stat().st_mtime_ns
    remembered = (tmp_path / "cache" / "digests.json").read_text()
    assert contents({"weights": [file]}, tmp_path / "cache") == first
    with file.open("r+b") as stream:
        stream.write(b"trained")
    os.utime(file, ns=(written, written))
    assert contents({"weights": [file]}, tmp_path / "cache") != first
    assert (tmp_path / "cache" / "digests.json").read_text() != remembered
    for damaged in ('{"%s": 5}', '{"%s": []}', "[]", "{"):
        (tmp_path / "cache" / "digests.json").write_text(damaged.replace("%s", str(file)))
        assert contents({"weights": [file]}, tmp_path / "cache") != first, "a damaged cache ended the run"


def test_going_on_asks_and_judges_only_what_is_missing(place: Place) -> None:
    place.run()
    place.noted("asked")
    assert place.run(n=4)[0] == 0
    assert sorted(place.noted("asked")) == ["O-1 3", "O-2 3"]
    manifest = json.loads((place.folder / "run" / "run.json").read_text())
    assert manifest["scope"]["n"] == 4


def test_asking_for_fewer_samples_keeps_those_of_the_run_and_says_so(place: Place) -> None:
    """The run had only pass@1 from then on, and a leaderboard said that it had two samples a problem."""
    place.run(n=5)
    place.noted("asked")
    done = place.told(n=2)
    assert "run is a run of 5 samples a problem and stays one; fewer (2) need another --out" in done.stderr
    assert place.noted("asked") == []
    numbers = json.loads(nl2fix("report", "run", "--json", cwd=place.folder).stdout)
    assert sorted(numbers["pass_at"]) == ["1", "5"]
    assert json.loads((place.folder / "run" / "run.json").read_text())["scope"]["n"] == 5


def test_going_on_with_more_problems_is_told_before_they_are_asked(place: Place) -> None:
    """A forgotten --bugs widened a run of a few problems to the whole suite without a word."""
    assert "problem" not in place.told("--bugs", "O-2").stderr
    done = place.told()
    assert "run had 1 problem and has 2 from now on" in done.stderr
    assert done.stderr.index("from now on") < done.stderr.index("sample:")
    assert "from now on" not in place.told("--bugs", "O-1").stderr


def test_a_fork_takes_over_answers_of_equal_prompts_only(place: Place) -> None:
    place.run()
    place.noted("asked")
    place.say("title", "one() is a lie")
    status, line = place.run("--fork", "run", out="fork")
    assert status == 0, line
    assert sorted(place.noted("asked")) == ["O-1 0", "O-1 1", "O-1 2"]
    with RunStore(place.folder / "fork") as store:
        assert [p.title for p in store.problems()] == ["one() is a lie", "one() is three"]
        assert len(list(store.completions())) == 6


@pytest.mark.parametrize(("runtime", "again"), [("JDK 17", False), ("JDK 8", True)])
def test_a_fork_takes_over_verdicts_of_equal_fingerprints_only(
    place: Place, runtime: str, again: bool
) -> None:
    place.run()
    shutil.rmtree(place.folder / "cache")
    place.noted("judged")
    place.noted("asked")
    place.say("runtime", runtime)
    assert place.run("--fork", "run", out="fork")[0] == 0
    assert place.noted("asked") == []
    assert ("int one() { return 0; }" in place.noted("judged")) == again


def test_a_fork_in_the_folder_of_its_run_is_refused(place: Place) -> None:
    place.run()
    status, line = place.run("--fork", "run")
    assert (status, "a folder of its own" in line) == (2, True)


def test_a_run_that_could_judge_nothing_fails(place: Place) -> None:
    place.say("full", "")
    status, line = place.run()
    assert status == 1
    assert "the disk is full" in line


@pytest.mark.parametrize("limit", ["timeout", "memory"])
def test_going_on_with_another_limit_is_refused_by_name(measured_python: Path, limit: str) -> None:
    done = nl2fix("run", *PYTHON, "--set", f"sandbox.{limit}=777", cwd=measured_python)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    line = done.stderr.strip().splitlines()[-1]
    assert f"limits of {BUG}" in line
    assert "777" in line
    assert "--fork run" in line


@pytest.fixture(scope="module")
def measured_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a run of one Python problem, judged with the limits of the settings' defaults, lies."""
    folder = tmp_path_factory.mktemp("limits")
    (folder / "answers.jsonl").write_text(json.dumps({"problem": BUG, "completion": "no code"}))
    done = nl2fix("run", *PYTHON, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_a_recording_with_too_few_answers_is_told_in_one_line(place: Place) -> None:
    answers = [("O-1", 1), ("O-1", 2), ("O-1", 3), ("O-2", 1)]
    lines = [json.dumps({"problem": p, "candidate": f"int one() {{ return {n}; }}"}) for p, n in answers]
    (place.folder / "answers.jsonl").write_text("\n".join(lines))
    chosen = ("--suite", "outside:suite", "--model", "replay:answers.jsonl", "--n", 3)
    where = ("--ranker", "vote", "--out", "run", "--cache", "cache")
    done = nl2fix("run", *chosen, *where, cwd=place.folder)
    assert done.returncode == 0, done.stderr
    told = " ".join(done.stdout.split())
    assert "fewer samples than asked for, left out of pass@k for larger k: O-2 (1)" in told
    numbers = json.loads(nl2fix("report", "run", "--json", cwd=place.folder).stdout)
    assert numbers["short"] == {"O-2": 1}
    assert numbers["pass_at"]["1"] == pytest.approx((1 / 3 + 1) / 2)


def test_a_recording_of_another_suite_is_told_before_anything_is_prepared(place: Place) -> None:
    """All problems were prepared and checked first, which takes an hour for Defects4J's."""
    (place.folder / "answers.jsonl").write_text('{"problem": "Math-3", "completion": "int one() {}"}')
    chosen = ("--suite", "outside:suite", "--model", "replay:answers.jsonl", "--out", "run")
    done = nl2fix("run", *chosen, "--cache", "cache", cwd=place.folder)
    assert done.returncode == 2
    assert done.stderr.strip() == (
        "nl2fix: model replay has answers to Math-3, but to none of the problems asked for (O-1, …); "
        "choose the suite that was recorded"
    )
    assert not (place.folder / "run").exists()


def test_a_run_of_which_no_problem_can_be_judged_leaves_no_folder(place: Place) -> None:
    """With what was wrong mended (the path of Defects4J, say), the folder refused the settings as others."""
    place.say("full", "")
    status, line = place.run()
    assert (status, "none of 2 problems can be judged" in line) == (1, True)
    assert not (place.folder / "run").exists()
    (place.folder / "full").unlink()
    assert place.run("--prompt", "issue_title")[0] == 0


def test_a_prompt_strategy_that_gives_no_prompt_is_told(place: Place) -> None:
    """It was an internal error: what it had given has no hash."""
    render = 'def render(self, problem): return f"Mend {problem.id}"'
    place.say("mute.py", f'class Mute:\n    name = "mute"\n    {render}\n')
    status, line = place.run("--prompt", "mute:Mute")
    told = "prompt strategy mute gives 'Mend O-1' as prompt of O-1, not a Prompt"
    assert (status, told in line) == (1, True)


@pytest.mark.parametrize("command", ["run", "sample"])
def test_samples_that_a_model_leaves_out_without_a_word_are_a_failure(place: Place, command: str) -> None:
    """The run ended with exit status 0 and a table of no bug."""
    place.say("half.py", HALF)
    chosen = ("--suite", "outside:suite", "--model", "half:Half", "--n", 2, "--bugs", "O-1,O-2")
    done = nl2fix(command, *chosen, "--out", "run", "--cache", "cache", cwd=place.folder)
    assert done.returncode == 1
    line = "nl2fix: model half:Half gave no answer to 2 samples; run the same command again"
    assert done.stderr.strip().splitlines()[-1] == line


HALF = """
from nl2fix import Completion

class Half:
    name = "half"

    def complete(self, requests):
        for request in requests:
            yield Completion(request.problem.id, request.samples[0], text="no code")
"""
"""A model that answers the first sample of each problem, if it is asked for several."""


def test_answers_to_problems_that_the_suite_lacks_are_told(place: Place) -> None:
    names = ["O-1", "O-2", "O-l", "O-l", "Math-3"]
    lines = [json.dumps({"problem": name, "candidate": "int one() { return 1; }"}) for name in names]
    (place.folder / "answers.jsonl").write_text("\n".join(lines))
    chosen = ("--suite", "outside:suite", "--model", "replay:answers.jsonl", "--n", 1)
    where = ("--ranker", "vote", "--out", "run", "--cache", "cache")
    done = nl2fix("run", *chosen, "--bugs", "O-1", *where, cwd=place.folder)
    assert done.returncode == 0, done.stderr
    told = " ".join(done.stderr.split())
    assert "answers to 2 problems that suite 'outside' does not have count nowhere (Math-3, O-l)" in told


def test_answers_beyond_the_samples_asked_for_are_told(place: Place) -> None:
    """A recording of more answers than ``--n`` lost the rest of them without a word."""
    line = json.dumps({"problem": "O-1", "candidate": "int one() { return 1; }"})
    (place.folder / "answers.jsonl").write_text("\n".join([line] * 3))
    chosen = ("--suite", "outside:suite", "--model", "replay:answers.jsonl", "--bugs", "O-1")
    where = ("--ranker", "vote", "--cache", "cache")
    done = nl2fix("run", *chosen, "--n", 2, "--out", "two", *where, cwd=place.folder)
    assert "up to 3 answers to a problem are there, the first 2 count; --n 3 takes all" in done.stderr
    done = nl2fix("run", *chosen, "--n", 3, "--out", "three", *where, cwd=place.folder)
    assert done.returncode == 0, done.stderr
    assert "answers to a problem" not in done.stderr


def test_a_sample_that_a_recording_lacks_is_not_asked_for_again(place: Place) -> None:
    line = json.dumps({"problem": "O-1", "candidate": "int one() { return 4; }"})
    (place.folder / "answers.jsonl").write_text(line)
    chosen = ("--suite", "outside:suite", "--model", "replay:answers.jsonl", "--bugs", "O-1", "--n", 2)
    where = ("--tries", 2, "--ranker", "vote", "--out", "run", "--cache", "cache")
    done = nl2fix("run", *chosen, *where, cwd=place.folder)
    assert done.returncode == 0, done.stderr
    with RunStore(place.folder / "run") as store:
        assert [c.sample for c in store.completions("O-1") if c.attempt == 2] == [0]


@pytest.fixture
def full_disk(small_disk: SmallDisk) -> Path:
    """A small disk of its own without a free byte."""
    disk = small_disk("256k")
    fill(disk)
    return disk


def test_a_full_disk_below_the_cache_is_one_line_and_a_failure(place: Place, full_disk: Path) -> None:
    status, line = place.run("--cache", full_disk)
    assert status != 0
    assert str(full_disk) in line
    assert "delete" not in line
    assert "full" in line or "No space left" in line
    (full_disk / "filling").unlink()
    assert place.run("--cache", full_disk)[0] == 0


def test_a_full_disk_below_the_run_is_one_line_and_a_failure(place: Place, full_disk: Path) -> None:
    status, line = place.run(out=str(full_disk / "run"))
    assert status != 0
    assert str(full_disk) in line
    assert "the disk is full" in line
    (full_disk / "filling").unlink()


@pytest.mark.parametrize("size", ["20k", "60k", "132k"])
def test_a_disk_that_fills_while_a_run_goes_is_called_full(
    place: Place, small_disk: SmallDisk, size: str
) -> None:
    disk = small_disk(size)
    for where in (("--cache", disk / "cache"), ("--out", disk / "run")):
        status, line = place.run(*where, n=300)
        assert status == 1
        assert str(disk) in line
        assert "the disk is full" in line or "No space left" in line
