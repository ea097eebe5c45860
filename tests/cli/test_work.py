"""Commands that do work: a whole run on a suite that needs no machine, and input that is refused."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from nl2fix.core import results
from nl2fix.core.config import Environment
from nl2fix.core.store import RunStore
from tests.cli import words
from tests.cli.test_look import nl2fix, refused

WORDS = ("--suite", "tests.cli.words:make", "--model", "tests.cli.words:model", "--set", "format=method")


def refusals(tmp_path: Path, *arguments: object) -> list[object]:
    return ["run", "--out", tmp_path / "run", *arguments]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--suite", "exampels"], ["unknown suite 'exampels'", "did you mean 'examples'"]),
        (["--model", "mutatoin"], ["unknown model 'mutatoin'", "did you mean 'mutation'"]),
        (["--bugs", "nothing-like-this"], ["no bug 'nothing-like-this'"]),
        (["--bugs", ","], ["--bugs names no problem"]),
        (["--prompt", "zero-shot"], ["unknown prompt strategy 'zero-shot'", "did you mean 'zero_shot'"]),
        (["--format", "dif"], ["unknown edit format 'dif'", "did you mean 'diff'"]),
        (["--ranker", "cosin"], ["unknown ranker 'cosin'", "did you mean 'cosine'"]),
        (["--set", "n"], ["KEY=VALUE"]),
        (["--set", "n=3", "--n", "4"], ["--n and --set n differ; give one of them"]),
        (["--sandbox", "none", "--set", "sandbox.name=docker"], ["--sandbox and --set sandbox.name differ"]),
        (["--set", "n=many"], ["n of the settings must be an integer"]),
        (["--set", "sampling.temprature=1"], ["'temprature'", "did you mean 'temperature'"]),
        (["--sandbox", "chroot"], ["chroot"]),
        (["--set", "model.nam=1"], ["'nam'"]),
        (["--set", "environment.jobs=0"], ["environment.jobs must be 1 to"]),
        (["--set", "sandbox.memory=5"], ["sandbox.memory must be 128 to 1048576 (MiB), not 5"]),
        (["--set", "environment.image=x"], ["environment.image is now sandbox.image"]),
        (["--set", "environment.concurrency=3"], ["environment.concurrency is now model.concurrency"]),
        (["--timeout", "-5"], ["sandbox.timeout must be at least 0"]),
        (["--timeout", "nan"], ["sandbox.timeout must be a finite number"]),
        (["--temperature", "nan"], ["sampling.temperature must be a finite number"]),
        (["--temperature", "-1"], ["sampling.temperature must be 0 to"]),
        (["--set", "sampling.top_p=2"], ["sampling.top_p must be 0 to 1"]),
        (["--n", "99999999999999999999"], ["n must be 1 to"]),
        (
            ["--model", "openai:x", "--base-url", "http://host:99999/v1"],
            ["base_url of model openai must be an address"],
        ),
        (
            ["--model", "openai:x", "--base-url", "http://[::1/v1"],
            ["base_url of model openai must be an address"],
        ),
        (["--model", "hf:no-such-folder"], ["a local model"]),
        (["--model", "json:__name__"], ["'json:__name__' is no factory"]),
        (["--out", ""], ["--out", "an empty path names nothing"]),
        (["--sandbox", ""], ["--sandbox names nothing; leave it out for the default"]),
        (["--cluster", ""], ["--cluster names nothing; leave it out for the default"]),
        (["--store", ""], ["--store names nothing; leave it out for the default"]),
    ],
)
def test_bad_input_is_one_line(tmp_path: Path, arguments: list[str], words: list[str]) -> None:
    refused(nl2fix(*refusals(tmp_path, *arguments)), 2, *words)
    assert not (tmp_path / "run").exists(), "nothing was done: nothing is left behind"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--data", "x"], "suite examples takes no --data; leave it out or choose another suite"),
        (["--defects4j", "x"], "suite examples takes no --defects4j; leave it out or choose another suite"),
        (["--base-url", "x"], "model mutation takes no --base-url; leave it out or choose another model"),
        (["--set", "suite.data=x"], "unknown key 'data' in suite examples"),
    ],
)
def test_an_option_that_a_part_does_not_take_is_told_as_typed(
    tmp_path: Path, arguments: list[str], words: str
) -> None:
    """ "unknown key 'data'" told whoever typed ``--data`` of a key."""
    refused(nl2fix("run", *arguments, "--out", tmp_path / "run"), 2, words)


@pytest.mark.parametrize("command", ["gold", "prepare", "suites"])
def test_two_suites_are_refused(command: str) -> None:
    """The one behind ``--suite`` was dropped without a word."""
    refused(nl2fix(command, "examples", "--suite", "linter"), 2, "not both 'examples' and --suite 'linter'")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sutie = 'examples'", ["unknown setting 'sutie'", "did you mean 'suite'"]),
        ("[sampling]\ntop_q = 1", ["unknown key 'top_q'", "did you mean 'top_p'"]),
        ("environment.cache = ''", ["environment.cache is empty"]),
        ("[environment]\njob = 1", ["unknown key 'job'", "did you mean 'jobs'"]),
        ("sandbox = 3", ["sandbox must be a name or a table"]),
        ("n = 'ten'", ["n of the settings must be an integer"]),
        ("n = ", ["no valid TOML"]),
        ("\xff", ["no valid TOML"]),
        (f"n = {'[' * 9000}", ["nested too deeply"]),
    ],
)
def test_a_bad_settings_file_is_one_line(tmp_path: Path, text: str, words: list[str]) -> None:
    file = tmp_path / "run.toml"
    file.write_bytes(text.encode("latin-1"))
    refused(nl2fix(*refusals(tmp_path, "--config", file)), 2, *words)


def test_a_missing_settings_file_is_one_line(tmp_path: Path) -> None:
    refused(nl2fix(*refusals(tmp_path, "--config", tmp_path / "no.toml")), 2, "cannot read")


def test_settings_without_end_are_one_line(tmp_path: Path) -> None:
    """A device was read until the memory was full."""
    refused(nl2fix(*refusals(tmp_path, "--config", "/dev/zero")), 2, "it is no file of settings")


def test_numbers_out_of_range_are_refused(tmp_path: Path) -> None:
    for arguments in (["--n", "0"], ["--tries", "3"], ["--jobs", "0"], ["--temperature", "hot"]):
        done = nl2fix(*refusals(tmp_path, *arguments))
        assert done.returncode == 2
        assert arguments[0] in done.stderr
        assert "Traceback" not in done.stderr


def test_a_file_where_the_run_should_be(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("mine")
    done = nl2fix("sample", *WORDS, "--n", 2, "--out", tmp_path / "run")
    refused(done, 2, "choose another --out")
    assert (tmp_path / "run").read_text() == "mine"


def test_a_run_from_start_to_report_and_on(tmp_path: Path) -> None:
    folder, cache = tmp_path / "run", tmp_path / "cache"
    first = nl2fix("run", *WORDS, "--n", 4, "--ranker", "vote", "--out", folder, "--cache", cache, "--json")
    assert first.returncode == 0, first.stderr
    data = json.loads(first.stdout)
    assert data["samples"] == 8
    assert data["outcomes"] == {"plausible": 4, "uncompilable": 2, "no_edit": 2}
    assert (folder / "report.html").is_file()
    more = nl2fix("run", *WORDS, "--n", 8, "--ranker", "vote", "--out", folder, "--cache", cache, "--json")
    assert json.loads(more.stdout)["samples"] == 16
    other = nl2fix("run", *WORDS, "--n", 8, "--seed", 7, "--out", folder, "--cache", cache)
    refused(other, 2, "other settings (sampling)", "choose another --out")


def test_a_run_ranks_by_the_default_and_knows_the_unedited_build(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    done = nl2fix("run", *WORDS, "--n", 2, "--out", folder, "--cache", tmp_path / "cache", "--json")
    assert done.returncode == 0, done.stderr
    names = [row["label"] for row in json.loads(done.stdout)["ranked"]]
    assert names == ["vote", "vote", "cosine(hashing-4096-3)", "cosine(hashing-4096-3)"]
    with RunStore(folder) as store:
        [problem, _] = words.make({}, Environment(cache=tmp_path)).problems()
        assert results.pool(store, problem).unedited_build == hashlib.sha256(b"wrong").hexdigest()


def test_stages_one_by_one(tmp_path: Path) -> None:
    folder, cache = tmp_path / "run", ("--cache", tmp_path / "cache")
    sampled = nl2fix("sample", *WORDS, "--n", 4, "--out", folder, *cache, "--json")
    assert sampled.returncode == 0, sampled.stderr
    assert json.loads(sampled.stdout)["samples"] == 8
    assert json.loads(nl2fix("report", folder, *cache, "--json").stdout)["samples"] == 0
    validated = nl2fix("validate", folder, *cache, "--json")
    assert json.loads(validated.stdout)["fixed"] == 2
    ranked = nl2fix("rank", folder, "--ranker", "vote", *cache, "--json")
    assert [(row["ranker"], row["k"]) for row in json.loads(ranked.stdout)] == [("vote", 1), ("vote", 5)]


def test_gold_and_prepare(tmp_path: Path) -> None:
    cache = ("--cache", tmp_path / "cache")
    prepared = nl2fix("prepare", "tests.cli.words:make", *cache, "--json")
    assert json.loads(prepared.stdout) == {"prepared": 2, "errors": {}}
    gold = nl2fix("gold", "tests.cli.words:make", *cache, "--json")
    assert gold.returncode == 0, gold.stderr
    assert json.loads(gold.stdout)["sound"] == 2
    unsound = nl2fix("gold", "tests.cli.words:make", "--set", "suite.broken=true", *cache)
    assert unsound.returncode == 1
    assert "1 of 2 problems fail gold" in unsound.stderr
