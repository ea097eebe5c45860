"""Training by TRL's ``SFTTrainer``: transformers and accelerate below, peft for adapters.

TRL rather than a loop of our own for what it has tested: packing, masks of the loss, adapters, and every
way of transformers to use several GPUs. It is given token sequences, so prompts are those of evaluation.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Sequence
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from nl2fix.core.errors import Nl2fixError, UsageError
from nl2fix.core.protocols import Progress
from nl2fix.core.records import sha256_text
from nl2fix.edits.pair import EditPair
from nl2fix.edits.training import record
from nl2fix.edits.training.examples import Example, make_examples
from nl2fix.edits.training.settings import TrainingConfig
from nl2fix.models.hf.loading import (
    chosen_device,
    fitting,
    load_model,
    load_tokenizer,
    one_line,
    out_of_memory,
)
from nl2fix.prompting.strategy import TemplateStrategy

TOKENIZER = ("*token*", "vocab*", "merges.txt", "chat_template*", "*.model", "*.tiktoken")
"""Files of a tokenizer, which are taken over as they are: transformers would write them as its version does,
and readers of another version (vLLM's) may not know the class that it names."""
NEEDS = "pip install 'nl2fix[edits-train]'"


class Lesson(NamedTuple):
    """What is to be learned, by whom."""

    base: Path
    """Folder of the model to begin with."""
    pairs: Sequence[EditPair]
    dataset: str
    """Hash of the dataset."""
    strategy: TemplateStrategy


class Trained(NamedTuple):
    """What came of a training."""

    examples: int
    left_out: dict[str, int]
    steps: int
    losses: list[tuple[int, float]]
    """Step and mean loss since the one before."""
    tokens: int
    """Of the examples, once."""
    seconds: float
    """Of this call; a continued training took longer."""
    tokens_per_second: float | None
    """Trained in this call; ``None`` when there was nothing left to do."""


def train(lesson: Lesson, config: TrainingConfig, folder: Path, progress: Progress) -> Trained:
    """Train a model, which is in ``folder`` then; the same call continues after a kill.

    ``UsageError`` for what cannot be, ``Nl2fixError`` with what to change where memory is too small.
    """
    _libraries()
    tokenizer = load_tokenizer(lesson.base)
    made = make_examples(lesson.pairs, lesson.strategy, tokenizer, config.context)
    identity = {
        **config.identity(),
        "base model": record.weights_sha256(lesson.base),
        "dataset": lesson.dataset,
        "tokenizer or prompts": sha256_text(str([example.tokens for example in made.examples])),
    }
    tokens = sum(len(example.tokens) for example in made.examples)
    if record.finished(folder, identity):
        recorded = record.read(folder)["result"]
        curve = [(int(step), float(loss)) for step, loss in recorded["losses"]]
        return Trained(len(made.examples), made.left_out, recorded["steps"], curve, tokens, 0.0, None)
    started = time.monotonic()
    try:
        trainer = _trainer(lesson.base, tokenizer, made.examples, config, folder)
        trainer.add_callback(_told(progress))
        if leads():
            record.begin(folder, identity)
        done = _trained(trainer, lesson.base, config, folder)
    except (RuntimeError, MemoryError) as error:
        if not out_of_memory(error):
            raise
        raise Nl2fixError(_too_small(config)) from None
    seconds = time.monotonic() - started
    rate = tokens * config.epochs * done.share / seconds if done.share else None
    result = Trained(len(made.examples), made.left_out, done.steps, done.losses, tokens, seconds, rate)
    if leads():
        finished = {"finished": True, "settings": asdict(config), "result": result._asdict()}
        record.write(folder, {**record.read(folder), **finished, "base": str(lesson.base)})
    return result


def leads() -> bool:
    """Whether this process writes and tells, of those that a launcher may have started."""
    return os.environ.get("RANK", "0") == "0"


class _Done(NamedTuple):
    steps: int
    losses: list[tuple[int, float]]
    share: float
    """Of all steps, done in this call."""


def _libraries() -> Any:
    try:
        import datasets  # noqa: F401
        import trl
    except ImportError as error:
        raise UsageError(f"training needs trl and datasets ({error}): {NEEDS}") from None
    return trl


def _too_small(config: TrainingConfig) -> str:
    ways = ["--set per_device=1"] if config.per_device > 1 else []
    ways += [] if config.checkpointing else ["--set checkpointing=true"]
    on_gpu = config.device == "auto" and chosen_device("auto") != "cpu"
    less = {"full": "lora", "lora": "qlora" if on_gpu else None, "qlora": None}[config.method]
    others = [f"--set method={less}"] if less else []
    others.append(f"--set context={config.context // 2}")
    # These make another training, which the folder would refuse.
    ways.append(f"into another folder {', '.join(others)}")
    return (
        f"out of memory with {config.per_device} sequences of {config.context} tokens: try {'; '.join(ways)}"
    )


def _trainer(
    base: Path, tokenizer: Any, examples: Sequence[Example], config: TrainingConfig, folder: Path
) -> Any:
    import datasets
    import transformers

    transformers.set_seed(config.seed)
    columns = {
        "input_ids": [example.tokens for example in examples],
        "completion_mask": [[0] * e.prompt + [1] * (len(e.tokens) - e.prompt) for e in examples],
    }
    if config.loss == "all":
        del columns["completion_mask"]
    arguments = _arguments(config, folder)
    trainer = _libraries().SFTTrainer(
        model=_model(base, tokenizer, config),
        args=arguments,
        train_dataset=datasets.Dataset.from_dict(columns),
        processing_class=tokenizer,
        peft_config=_adapter(config),
    )
    # It would print its own words among the command's output.
    trainer.remove_callback(transformers.PrinterCallback)
    return trainer


def _trained(trainer: Any, base: Path, config: TrainingConfig, folder: Path) -> _Done:
    checkpoint = record.last_checkpoint(folder)
    before = int(checkpoint.name.split("-")[1]) if checkpoint else 0
    trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    _save(trainer, base, config, folder)
    steps = trainer.state.global_step
    return _Done(steps, record.losses(trainer.state.log_history), (steps - before) / steps if steps else 0.0)


def _model(base: Path, tokenizer: Any, config: TrainingConfig) -> Any:
    import torch

    dtype, how = held_type(config), {}
    if config.method == "qlora":
        from transformers import BitsAndBytesConfig

        if chosen_device(config.device) == "cpu" or find_spec("bitsandbytes") is None:
            lacking = "a GPU" if chosen_device(config.device) == "cpu" else "bitsandbytes"
            raise UsageError(f"method qlora needs {lacking}, which is not here; use --set method=lora")
        how["quantization_config"] = BitsAndBytesConfig(
            load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=getattr(torch, dtype)
        )
    model = load_model(base, dtype, **how)
    fitting(model, tokenizer, base)
    return model


def held_type(config: TrainingConfig) -> str:
    """The type that weights are held in; they are computed with in that of ``config.dtype``."""
    import torch

    if config.method == "full" and config.dtype != "bfloat16":
        return "float32"  # a step of 2e-5 is less than bfloat16 can add to most weights
    if config.dtype != "auto":
        return config.dtype
    on_gpu = config.device != "cpu" and torch.cuda.is_available() and torch.cuda.is_bf16_supported()
    return "bfloat16" if on_gpu else "float32"


def _adapter(config: TrainingConfig) -> Any:
    if config.method == "full":
        return None
    from peft import LoraConfig

    return LoraConfig(
        r=config.rank,
        lora_alpha=config.alpha,
        lora_dropout=config.dropout,
        target_modules="all-linear",
        task_type="CAUSAL_LM",
    )


def _arguments(config: TrainingConfig, folder: Path) -> Any:
    import torch

    on_gpu = config.device == "auto" and torch.cuda.is_available()
    devices = int(os.environ.get("WORLD_SIZE", torch.cuda.device_count() if on_gpu else 1))
    gathered, rest = divmod(config.batch, config.per_device * devices)
    if rest or not gathered:
        raise UsageError(
            f"batch {config.batch} is no multiple of per_device {config.per_device} on {devices} devices"
        )
    try:
        return _libraries().SFTConfig(
            output_dir=str(folder / record.CHECKPOINTS),
            num_train_epochs=config.epochs,
            learning_rate=config.learning_rate,
            lr_scheduler_type=config.schedule,
            warmup_steps=config.warmup_steps,
            per_device_train_batch_size=config.per_device,
            gradient_accumulation_steps=gathered,
            gradient_checkpointing=config.checkpointing,
            max_length=config.context if config.packing else None,
            packing=config.packing,
            completion_only_loss=config.loss == "answer",
            bf16=on_gpu and config.dtype in ("auto", "bfloat16"),
            fp16=on_gpu and config.dtype == "float16",
            use_cpu=not on_gpu,
            use_cache=True,  # TRL keeps none, but this is written into the model's settings
            seed=config.seed,
            data_seed=config.seed,
            save_strategy="steps",
            save_steps=config.save_steps,
            save_total_limit=config.keep,
            logging_steps=1 / (20 * max(config.epochs, 1)),
            report_to=[],
            disable_tqdm=True,
            deepspeed=None if config.deepspeed is None else str(config.deepspeed),
            **({"fsdp": config.fsdp} if config.fsdp else {}),
        )
    except (ImportError, OSError, ValueError) as error:
        raise UsageError(f"these settings cannot be trained with: {one_line(error)}") from None


def _told(progress: Progress) -> Any:
    """A callback that tells steps and the last loss."""
    import transformers

    class Told(transformers.TrainerCallback):
        """Tells how far a training is."""

        label = ""

        def on_log(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            logs = kwargs.get("logs") or {}
            if "loss" in logs:
                self.label = f"loss {float(logs['loss']):.3f}"

        def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            # A training that goes on from here does not know the losses since the last that was logged.
            control.should_log = control.should_log or control.should_save
            if state.is_world_process_zero:
                progress(state.global_step, state.max_steps, self.label)

    return Told()


def _save(trainer: Any, base: Path, config: TrainingConfig, folder: Path) -> None:
    """The whole model into the folder; of an adapter, the adapter too, or alone where it cannot be merged."""
    merged = config.method == "lora"
    if config.method == "full" and not (config.deepspeed or config.fsdp):
        trainer.model.to(_written(base))
    trainer.save_model(str(folder / "adapter" if merged else folder))
    if leads():
        if merged:
            trainer.accelerator.unwrap_model(trainer.model).merge_and_unload().save_pretrained(str(folder))
        for pattern in TOKENIZER:
            for file in base.glob(pattern):
                shutil.copy(file, folder)


def _written(base: Path) -> Any:
    """The type of the base model's weights, so that both answer alike fast; float32 where it says none."""
    import torch
    import transformers

    if not (base / "config.json").is_file():  # an adapter's folder
        return torch.float32
    told = transformers.AutoConfig.from_pretrained(str(base), local_files_only=True).dtype
    return torch.float32 if told is None else told
