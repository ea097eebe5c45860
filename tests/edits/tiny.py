"""A model of a few hundred thousand to a few million weights and its tokenizer, made here from texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs torch and transformers (extra edits-train)")
transformers = pytest.importorskip("transformers", reason="needs torch and transformers (extra edits-train)")

torch.set_num_threads(1)  # so small matrices gain nothing by more, and wait long on a busy machine


def tokenizer(texts: Iterable[str]) -> Any:
    """One token for each word, sign, line end and run of blanks of the texts; other characters one by one."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers

    pattern = r"\n|[ \t]+|\w+|[^\w\s]"
    words = sorted({word for text in texts for word in re.findall(pattern, text)})
    named = ["<unk>", "<pad>", "<s>", "</s>", *words]
    made = Tokenizer(models.WordLevel({word: place for place, word in enumerate(named)}, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.Split(Regex(pattern), "isolated")
    made.decoder = decoders.Fuse()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, unk_token="<unk>", pad_token="<pad>", bos_token="<s>", eos_token="</s>"
    )


def make(
    folder: Path, texts: Iterable[str], *, width: int = 128, layers: int = 4, context: int = 256
) -> Path:
    """A Llama of random weights in a folder."""
    torch.manual_seed(0)
    spoken = tokenizer(texts)
    config = transformers.LlamaConfig(
        vocab_size=len(spoken),
        hidden_size=width,
        intermediate_size=4 * width,
        num_hidden_layers=layers,
        num_attention_heads=width // 32,
        num_key_value_heads=width // 32,
        # Heads as wide, and turning as fast, as it takes to find a token a few dozen places back.
        rope_parameters={"rope_type": "default", "rope_theta": 1000.0},
        max_position_embeddings=context,
        bos_token_id=spoken.bos_token_id,
        eos_token_id=spoken.eos_token_id,
        pad_token_id=spoken.pad_token_id,
    )
    model = transformers.LlamaForCausalLM(config)
    model.save_pretrained(folder)
    spoken.save_pretrained(folder)
    return folder
