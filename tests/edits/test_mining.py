"""From repositories, rows and runs to a dataset, and what is left out on the way."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from nl2fix.core.errors import DataError, Nl2fixError, UsageError
from nl2fix.edits.folder import new_dataset, read_pairs
from nl2fix.edits.mining import Mined, full_card, mine, repository_source, rows_source
from nl2fix.edits.pair import EditPair
from nl2fix.edits.settings import MiningConfig
from tests.edits.histories import MIT, History, pair

BEFORE = (
    "def mean(values):\n    return sum(values) / len(values)\n\n\ndef most(values):\n    return max(values)\n"
)
AFTER = BEFORE.replace("    return sum", "    if not values:\n        return None\n    return sum")
MESSAGE = "Return nothing for the mean of no values"


def mined(
    tmp_path: Path, *sources: Path, form: Any = "jsonl", **settings: Any
) -> tuple[Mined, list[EditPair]]:
    config = MiningConfig(**{"least_tokens": 0, **settings})
    made = [
        rows_source(place, config) if place.is_file() else repository_source(place, config)
        for place in sources
    ]
    folder = tmp_path / "set"
    with new_dataset(folder, form) as writer:
        found = mine(made, config, None, writer, lambda done, total, label: None)
        writer.finish(full_card(found, made, config, ()))
    return found, list(read_pairs(folder))


def reasons(folder: Path) -> dict[str, str]:
    """Reason of what was removed → its path or detail."""
    lines = (folder / "removed.jsonl").read_text().splitlines()
    return {row["reason"]: row["path"] or row["detail"] for row in map(json.loads, lines)}


@pytest.fixture
def history(tmp_path: Path) -> History:
    made = History(tmp_path / "repo-of-ours")
    made.commit("Start with two functions of statistics", {"stats.py": BEFORE, "LICENSE": MIT})
    return made


def test_a_commit_becomes_a_pair(history: History, tmp_path: Path) -> None:
    commit = history.commit(f"{MESSAGE}\n\nAs STAT-12 asks for.", {"stats.py": AFTER})
    found, [pair] = mined(tmp_path, history.folder)
    assert (pair.before, pair.after, pair.message) == (BEFORE, AFTER, MESSAGE)
    assert (pair.origin, pair.revision, pair.path) == ("repo-of-ours", str(commit), "stats.py")
    assert (pair.language, pair.license, pair.issues) == ("python", "mit", ("STAT-12",))
    assert found.reasons == Counter({"first commit": 1})


def test_issues_are_those_of_the_repository_that_was_cloned(history: History, tmp_path: Path) -> None:
    history.git.remotes.create("origin", "git@github.com:google/Gson.git")
    history.commit(f"{MESSAGE}\n\nCloses issue #12.", {"stats.py": AFTER})
    _, [pair] = mined(tmp_path, history.folder)
    assert pair.issues == ("repo-of-ours#12", "gson#12")


@pytest.mark.parametrize("folder", ["repo", "repo/.git", "repo.git"])
def test_a_repository_has_the_name_of_its_folder(tmp_path: Path, folder: str) -> None:
    """One whose folder is called ``repo`` had that of the folder around it, and so had its issues."""
    history = History(tmp_path / folder.removesuffix("/.git"), bare=folder == "repo.git")
    history.commit("Start with two functions of statistics", {"stats.py": BEFORE, "LICENSE": MIT})
    history.commit(f"{MESSAGE}\n\nCloses issue #12.", {"stats.py": AFTER})
    _, [pair] = mined(tmp_path, tmp_path / folder)
    assert (pair.origin, pair.issues) == ("repo", ("repo#12",))


def test_a_commit_becomes_a_pair_of_methods(history: History, tmp_path: Path) -> None:
    history.commit(MESSAGE, {"stats.py": AFTER})
    history.commit("Write both of the functions anew", {"stats.py": AFTER.replace("values", "all_values")})
    history.commit(
        "Write a note at the end", {"stats.py": AFTER.replace("values", "all_values") + "\nNOTE = 'x' * 12\n"}
    )
    found, [pair] = mined(tmp_path, history.folder, unit="method")
    assert pair.entity == "mean"
    assert pair.after.startswith("def mean(values):\n    if not values:")
    assert pair.after.endswith("len(values)")
    assert found.reasons == {
        "first commit": 1,
        "edit changes several methods": 1,
        "edit changes no method": 1,
    }


def test_java_methods_are_found_inside_their_classes(tmp_path: Path) -> None:
    history = History(tmp_path / "java", bare=True)
    code = "class A {\n    int one() {\n        return 1;\n    }\n"
    code += "\n    int two(int n) {\n        return n;\n    }\n}\n"
    history.commit("Start with a class of numbers", {"A.java": code})
    history.commit(
        "Return twice the number of two",
        {"A.java": code.replace("return n", "return n + n * 1L > 0 ? 2 : n")},
    )
    _, [pair] = mined(tmp_path, history.folder, unit="method")
    assert pair.entity == "two(int)"
    assert pair.before == "int two(int n) {\n        return n;\n    }"


def test_what_cannot_become_a_pair_is_counted_by_reason(history: History, tmp_path: Path) -> None:
    history.commit(MESSAGE, {"stats.py": AFTER, "other.py": "a = 1\n"})
    history.commit("Add a picture of all the things", {"pic.py": b"\x00\x01\x02" * 40})
    history.commit("Write the text in another encoding", {"latin.py": "name = 'é'\n".encode("latin-1")})
    history.commit("Add a file of very many lines", {"long.py": "a = 1\n" * 100_000})
    history.commit("Add a word to the read-me file", {"README.md": "words"})
    history.commit("wip", {"stats.py": BEFORE})
    history.link("Update the library to its newest version", "lib", "1" * 40)
    history.commit("Remove the file that nobody wants", {"other.py": None})
    tree = history.git.index.write_tree()
    side = history.git.create_commit(None, history.who, history.who, "Start elsewhere", tree, [])
    history.commit("Merge branch of somebody into this", {}, [history.git.head.target, side])
    _, pairs = mined(tmp_path, history.folder)
    assert pairs == []
    gone = reasons(tmp_path / "set")
    assert gone["commit changes several files"] == "2"
    assert gone["file is binary"] == "pic.py"
    assert gone["file is not in UTF-8"] == "latin.py"
    assert gone["file is too long"] == "long.py"
    assert gone["before or after is blank"] == "other.py"
    assert {"no file in a language wanted", "submodule", "merge commit", "first commit"} <= gone.keys()
    assert "message too short or too long" in gone


def test_a_shallow_clone_says_where_it_ends(history: History, tmp_path: Path) -> None:
    cut = history.commit(MESSAGE, {"stats.py": AFTER})
    last = history.commit("Return no mean of no values", {"stats.py": AFTER + "\n\nMORE = most([1, 2, 3])\n"})
    parent = history.git[cut].parent_ids[0]
    hidden = history.folder / ".git" / "objects" / str(parent)[:2] / str(parent)[2:]
    hidden.unlink()
    (history.folder / ".git" / "shallow").write_text(f"{cut}\n")
    found, pairs = mined(tmp_path, history.folder)
    assert [pair.revision for pair in pairs] == [str(last)]
    assert found.reasons == {"parent is missing, the clone is shallow": 1}


def test_nothing_is_found_in_an_empty_repository(tmp_path: Path) -> None:
    History(tmp_path / "empty")
    with pytest.raises(DataError, match="has no commit"):
        repository_source(tmp_path / "empty", MiningConfig())


def test_a_folder_without_a_repository_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no git repository"):
        repository_source(tmp_path, MiningConfig())


def row(number: int = 0, **others: Any) -> dict[str, Any]:
    return {
        "commit": f"c{number}",
        "old_file": "stats.py",
        "new_file": "stats.py",
        "old_contents": BEFORE,
        "new_contents": AFTER + f"\n\ndef f{number}():\n    return {[number * k for k in range(90)]}\n",
        "subject": MESSAGE,
        "message": MESSAGE + "\n\nCloses #3",
        "lang": "Python",
        "license": "MIT",
        "repos": "a/b",
        **others,
    }


def write_rows(file: Path, rows: list[dict[str, Any]]) -> Path:
    if file.suffix == ".parquet":
        pyarrow = pytest.importorskip("pyarrow")
        from pyarrow import parquet

        parquet.write_table(pyarrow.Table.from_pylist(rows), file)
    else:
        file.write_text("\n".join(map(json.dumps, rows)))
    return file


@pytest.mark.parametrize("name", ["data.jsonl", "data.parquet"])
@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_rows_of_commitpack_become_pairs(tmp_path: Path, name: str, form: str) -> None:
    if form == "parquet":
        pytest.importorskip("pyarrow")
    file = write_rows(tmp_path / name, [row(), row(1, license="gpl-3.0"), row(2, lang="Ruby")])
    found, [pair] = mined(tmp_path, file, form=form)
    assert (pair.revision, pair.license, pair.issues, pair.language) == ("c0", "mit", ("b#3",), "python")
    assert found.reasons == {"licence is not allowed": 1, "no file in a language wanted": 1}


def test_near_duplicates_are_kept_once(tmp_path: Path) -> None:
    rows = [row(1), row(2), row(1, commit="again", new_contents=row(1)["new_contents"] + "# x\n")]
    found, pairs = mined(tmp_path, write_rows(tmp_path / "a.jsonl", rows))
    assert [pair.revision for pair in pairs] == ["c1", "c2"]
    assert found.reasons == {"duplicate of an earlier pair": 1}
    (tmp_path / "more").mkdir()
    _, pairs = mined(tmp_path / "more", tmp_path / "a.jsonl", similarity=0.0)
    assert len(pairs) == 3


def test_rows_may_be_screened_like_commits(tmp_path: Path) -> None:
    file = write_rows(
        tmp_path / "a.jsonl", [row(), row(1, subject="wip"), row(2, subject="Fix the stats of no values")]
    )
    found, _ = mined(tmp_path, file, screen="all", most_tokens=0)
    assert found.reasons == {"message too short or too long": 1, "message names the file": 1}


def test_a_row_that_lacks_a_field_is_left_out_and_a_foreign_file_refused(tmp_path: Path) -> None:
    lacking = row(1)
    del lacking["old_contents"]
    found, pairs = mined(tmp_path, write_rows(tmp_path / "a.jsonl", [row(), lacking]))
    assert len(pairs) == 1
    assert found.reasons == {"row lacks a field": 1}
    foreign = write_rows(tmp_path / "b.jsonl", [{"text": "words"}])
    with pytest.raises(
        DataError, match=r"b.jsonl, line 1: no text old_contents, new_contents, instruction or"
    ):
        mined(tmp_path / "other", foreign)


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_a_file_without_rows_is_refused(tmp_path: Path, content: str) -> None:
    """It gave a dataset of nothing without a word."""
    file = tmp_path / "a.jsonl"
    file.write_text(content)
    with pytest.raises(DataError, match=r"a\.jsonl: holds no rows; is this a file of CommitPack"):
        mined(tmp_path, file)
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    file = write_rows(tmp_path / "a.jsonl", [row()])
    file.write_text(file.read_text() + "\n{damaged")
    with pytest.raises(Nl2fixError, match="line 2"):
        mined(tmp_path, file)
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_what_a_kill_left_is_taken_away_and_nobody_elses(tmp_path: Path) -> None:
    left = tmp_path / ".set.unfinished"
    left.mkdir()
    (left / "pairs.parquet").write_bytes(b"half")
    with new_dataset(tmp_path / "set", "jsonl") as writer:
        writer.add(pair())
        again = new_dataset(tmp_path / "set", "jsonl")
        with pytest.raises(UsageError, match="set is being made by another process"), again:
            pass
    assert [path.name for path in tmp_path.iterdir()] == ["set"]
    assert [*read_pairs(tmp_path / "set")] == [pair()]
    assert not (tmp_path / "set" / "pairs.parquet").exists()


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    with pytest.raises(UsageError, match="is there already"):
        mined(tmp_path, write_rows(tmp_path / "a.jsonl", [row()]))


def test_a_dataset_of_somebody_else_is_refused_by_row_and_field(tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl").write_text('{"language": "python", "before": "", "after": ""}\n')
    with pytest.raises(DataError, match=r"line 1: no text message"):
        list(read_pairs(tmp_path))
    with pytest.raises(UsageError, match="holds no dataset"):
        list(read_pairs(tmp_path / "none"))


def test_the_card_counts_what_editpackft_counts(tmp_path: Path) -> None:
    rows = [
        row(1),
        row(2, subject="Add a list of numbers to it"),
        row(3, subject="Add another list at the end"),
    ]
    mined(tmp_path, write_rows(tmp_path / "a.jsonl", rows))
    card = json.loads((tmp_path / "set" / "card.json").read_text())
    assert card["pairs"] == 3
    assert card["initial verbs"] == 2
    assert card["most frequent verbs"] == {"add": 2, "return": 1}
    assert card["nouns"]["add"] == {"list": 2}
    assert card["lines"]["mean"] == pytest.approx((6 + 12) / 2)
    assert sum(count for *_, count in card["histograms"]["tokens"]["bins"]) == 3
