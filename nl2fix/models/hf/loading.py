"""A causal language model and its tokenizer from a local folder, with an adapter where there is one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from nl2fix.core.errors import Nl2fixError, UsageError, first_line

ADAPTER = "adapter_config.json"
NEEDS = "pip install 'nl2fix[hf]'"
_MEMORY = ("out of memory", "allocate memory", "not enough memory", "ALLOC_FAILED")


class Loaded(NamedTuple):
    """What answers: objects of transformers."""

    model: Any
    tokenizer: Any
    context: int
    """Tokens that prompt and answer may have together."""


def library() -> Any:
    """The package transformers, with torch there too; ``UsageError`` where it is not."""
    try:
        import torch  # noqa: F401 - transformers imports without it, and then has no models
        import transformers
    except ImportError as error:
        raise UsageError(f"a local model needs transformers and torch ({error}): {NEEDS}") from None
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    return transformers


def load(folder: Path, *, adapter: Path | None = None, device: str = "auto", dtype: str = "auto") -> Loaded:
    """Load a folder; one that holds an adapter alone names its base model.

    ``UsageError``, on one line, for what is no such folder, or whose parts do not belong together.
    """
    base, adapter = _base_and_adapter(folder, adapter)
    tokenizer = load_tokenizer(folder if (folder / "tokenizer_config.json").is_file() else base)
    model = load_model(base, dtype)
    fitting(model, tokenizer, folder)
    if adapter is not None:
        model = _with_adapter(model, adapter)
    model = _put(model, folder, chosen_device(device), dtype)
    longest = getattr(model.config, "max_position_embeddings", None) or tokenizer.model_max_length
    return Loaded(model, tokenizer, int(min(longest, 1 << 30)))


def parts_of(folder: Path, adapter: Path | None) -> list[Path]:
    """All folders that are read."""
    return sorted({folder, *(part for part in _base_and_adapter(folder, adapter) if part is not None)})


def _base_and_adapter(folder: Path, adapter: Path | None) -> tuple[Path, Path | None]:
    if (folder / ADAPTER).is_file():
        return _base_of(folder), adapter or folder
    return folder, adapter


def load_tokenizer(folder: Path) -> Any:
    """The tokenizer of a folder, padding on the left, where answers do not begin."""
    transformers, place = library(), _there(folder)
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(place, local_files_only=True)
    except Exception as error:  # noqa: BLE001  (the reader of tokenizers raises bare Exception)
        raise UsageError(f"{folder} has no tokenizer that can be read ({one_line(error)})") from None
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    tokenizer.padding_side = "left"
    return tokenizer


def load_model(folder: Path, dtype: str, **how: Any) -> Any:
    """The model of a folder; ``how`` are further arguments of ``from_pretrained``."""
    transformers, place = library(), _there(folder)
    try:
        return transformers.AutoModelForCausalLM.from_pretrained(
            place, dtype=dtype, local_files_only=True, **how
        )
    except Exception as error:  # noqa: BLE001  (the reader of weights raises bare Exception)
        if out_of_memory(error):
            raise _too_large(folder, dtype) from None
        raise UsageError(f"{folder} has no model that can be read ({one_line(error)})") from None


def _put(model: Any, folder: Path, device: str, dtype: str) -> Any:
    """The model on its device: its weights are read by the processor, so a GPU is full only here."""
    try:
        return model.to(device).eval()
    except (RuntimeError, AssertionError) as error:  # the latter where torch was built without GPUs
        if out_of_memory(error):
            raise _too_large(folder, dtype) from None
        raise UsageError(f"{folder} cannot be put on {device} ({one_line(error)})") from None


def _too_large(folder: Path, dtype: str) -> Nl2fixError:
    ways = "set dtype to bfloat16, or take a smaller model"
    return Nl2fixError(f"out of memory while loading {folder} as {dtype}: {ways}")


def out_of_memory(error: BaseException) -> bool:
    """Whether memory was too small, a GPU's or the machine's."""
    return isinstance(error, MemoryError) or any(words in str(error) for words in _MEMORY)


def fitting(model: Any, tokenizer: Any, folder: Path) -> None:
    """Refuse a tokenizer that has tokens the model does not know."""
    rows = model.get_input_embeddings().weight.shape[0]
    if len(tokenizer) > rows:
        raise UsageError(
            f"{folder}: the tokenizer has {len(tokenizer)} tokens, the model {rows}; it is another model's"
        )


def present(folder: Path) -> None:
    """``UsageError`` where a folder holds neither a model nor an adapter."""
    if not any((Path(_there(folder)) / name).is_file() for name in ("config.json", ADAPTER)):
        raise UsageError(f"{folder} holds no model (no config.json)")


def chosen_device(wanted: str) -> str:
    """``auto`` is the GPU where there is one."""
    import torch

    if wanted != "auto":
        return wanted
    return "cuda" if torch.cuda.is_available() else "cpu"


def _there(folder: Path) -> str:
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder; a local model is a folder of transformers' files")
    return str(folder)


def _base_of(folder: Path) -> Path:
    try:
        base = json.loads((folder / ADAPTER).read_text(encoding="utf-8"))["base_model_name_or_path"]
        return Path(base)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{folder / ADAPTER} names no base model ({one_line(error)})") from None


def _with_adapter(model: Any, adapter: Path) -> Any:
    try:
        from peft import PeftModel
    except ImportError as error:
        raise UsageError(f"an adapter needs peft ({error}): {NEEDS}") from None
    try:
        return PeftModel.from_pretrained(model, _there(adapter))
    except Exception as error:  # noqa: BLE001  (the reader of weights raises bare Exception)
        raise UsageError(f"{adapter} is no adapter of this model ({one_line(error)})") from None


def one_line(error: BaseException) -> str:
    """The first line of what an error says, no more than 200 characters of it."""
    first = first_line(error)
    return first if len(first) <= 200 else f"{first[:199]}…"
