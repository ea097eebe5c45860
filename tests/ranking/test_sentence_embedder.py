"""sentence-transformers with a tiny model made here; skipped where the extra is not installed."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import UsageError
from nl2fix.ranking.chunks import TextCutWarning
from nl2fix.ranking.embedders import make

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
    from sentence_transformers import SentenceTransformer, models
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
    word = models.Transformer(str(folder), max_seq_length=16)
    whole = SentenceTransformer(modules=[word, models.Pooling(word.get_word_embedding_dimension())])
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
