"""Training by TRL's ``SFTTrainer``: transformers and accelerate below, peft for adapters.

TRL rather than a loop of our own for what it has tested: packing, masks of the loss, adapters, and every
way of transformers to use several GPUs. It is given token sequences, so prompts are those of evaluation.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from nl2fix.core.errors import Nl2fixError, UsageError
from nl2fix.core.protocols import Progress
from nl2fix.edits.pair import EditPair
from nl2fix.edits.training import record
from nl2fix.edits.training.examples import Example, make_examples
from nl2fix.edits.training.settings import TrainingConfig
from nl2fix.models.hf.loading import chosen_device, fitting, load_model, load_tokenizer, out_of_memory
from nl2fix.prompting.strategy import TemplateStrategy

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
    identity = {**config.identity(), "base": str(lesson.base), "dataset": lesson.dataset}
    finished = record.claim(folder, identity)
    tokens = sum(len(example.tokens) for example in made.examples)
    if finished:
        recorded = record.read(folder)["result"]
        curve = [(int(step), float(loss)) for step, loss in recorded["losses"]]
        return Trained(len(made.examples), made.left_out, recorded["steps"], curve, tokens, 0.0, None)
    started = time.monotonic()
    try:
        done = _trained(lesson.base, made.examples, config, folder, progress)
    except (RuntimeError, MemoryError) as error:
        if not out_of_memory(error):
            raise
        raise Nl2fixError(_too_small(config)) from None
    seconds = time.monotonic() - started
    rate = tokens * config.epochs * done.share / seconds if done.share else None
    result = Trained(len(made.examples), made.left_out, done.steps, done.losses, tokens, seconds, rate)
    recorded = {
        **record.read(folder),
        "finished": True,
        "settings": asdict(config),
        "result": result._asdict(),
    }
    record.write(folder, recorded)
    return result


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
    ways += [f"--set method={less}"] if less else []
    ways.append(f"--set context={config.context // 2}")
    return (
        f"out of memory with {config.per_device} sequences of {config.context} tokens: try {', '.join(ways)}"
    )


def _trained(
    base: Path, examples: Sequence[Example], config: TrainingConfig, folder: Path, progress: Progress
) -> _Done:
    import datasets
    import transformers

    transformers.set_seed(config.seed)
    tokenizer = load_tokenizer(base)
    checkpoint = record.last_checkpoint(folder)
    model = _model(base, tokenizer, config)
    columns = {
        "input_ids": [example.tokens for example in examples],
        "completion_mask": [[0] * e.prompt + [1] * (len(e.tokens) - e.prompt) for e in examples],
    }
    if config.loss == "all":
        del columns["completion_mask"]
    trainer = _libraries().SFTTrainer(
        model=model,
        args=_arguments(config, folder, len(examples)),
        train_dataset=datasets.Dataset.from_dict(columns),
        processing_class=tokenizer,
        peft_config=_adapter(config),
        callbacks=[_told(progress)],
    )
    before = int(checkpoint.name.split("-")[1]) if checkpoint else 0
    trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    _save(trainer, tokenizer, config, folder)
    steps = trainer.state.global_step
    return _Done(steps, record.losses(trainer.state.log_history), (steps - before) / steps if steps else 0.0)


def _model(base: Path, tokenizer: Any, config: TrainingConfig) -> Any:
    import torch

    dtype, how = config.dtype, {}
    if dtype == "auto":
        on_gpu = config.device != "cpu" and torch.cuda.is_available() and torch.cuda.is_bf16_supported()
        dtype = "bfloat16" if on_gpu else "float32"
    if config.method == "qlora":
        from transformers import BitsAndBytesConfig

        if chosen_device("auto") == "cpu":
            raise UsageError("method qlora needs a GPU and bitsandbytes; use --set method=lora")
        how["quantization_config"] = BitsAndBytesConfig(
            load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=getattr(torch, dtype)
        )
    model = load_model(base, dtype, **how)
    fitting(model, tokenizer, base)
    return model


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


def _arguments(config: TrainingConfig, folder: Path, examples: int) -> Any:
    import torch

    devices = max(torch.cuda.device_count() if config.device == "auto" else 1, 1)
    gathered = max(config.batch // (config.per_device * devices), 1)
    steps = math.ceil(examples / config.batch)
    on_gpu = config.device == "auto" and torch.cuda.is_available()
    return _libraries().SFTConfig(
        output_dir=str(folder / record.CHECKPOINTS),
        num_train_epochs=config.epochs,
        learning_rate=config.learning_rate,
        lr_scheduler_type=config.schedule,
        warmup_steps=config.warmup_steps,
        per_device_train_batch_size=config.per_device,
        gradient_accumulation_steps=gathered,
        gradient_checkpointing=config.checkpointing,
        max_length=None,
        packing=config.packing,
        completion_only_loss=config.loss == "answer",
        bf16=on_gpu and config.dtype in ("auto", "bfloat16"),
        fp16=on_gpu and config.dtype == "float16",
        use_cpu=not on_gpu,
        seed=config.seed,
        data_seed=config.seed,
        save_strategy="steps",
        save_steps=config.save_steps,
        save_total_limit=config.keep,
        logging_steps=max(1, steps // 20),
        report_to=[],
        disable_tqdm=True,
        deepspeed=None if config.deepspeed is None else str(config.deepspeed),
        **({"fsdp": config.fsdp} if config.fsdp else {}),
    )


def _told(progress: Progress) -> Any:
    """A callback that tells steps and the last loss."""
    import transformers

    class Told(transformers.TrainerCallback):  # type: ignore[misc]
        """Tells how far a training is."""

        label = ""

        def on_log(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            logs = kwargs.get("logs") or {}
            if "loss" in logs:
                self.label = f"loss {float(logs['loss']):.3f}"

        def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            if state.is_world_process_zero:
                progress(state.global_step, state.max_steps, self.label)

    return Told()


def _save(trainer: Any, tokenizer: Any, config: TrainingConfig, folder: Path) -> None:
    """The whole model into the folder; of an adapter, the adapter too, or alone where it cannot be merged."""
    if config.method == "full":
        trainer.save_model(str(folder))
    elif config.method == "qlora":
        trainer.model.save_pretrained(str(folder))
    else:
        trainer.model.save_pretrained(str(folder / "adapter"))
        trainer.accelerator.unwrap_model(trainer.model).merge_and_unload().save_pretrained(str(folder))
    tokenizer.save_pretrained(str(folder))
