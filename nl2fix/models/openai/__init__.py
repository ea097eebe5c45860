"""Model ``openai``: any server that speaks OpenAI's protocol (OpenAI, vLLM, llama.cpp, Ollama, …)."""

from __future__ import annotations

from nl2fix.models.openai.model import OpenAIModel, make
from nl2fix.models.openai.settings import OpenAIConfig

__all__ = ["OpenAIConfig", "OpenAIModel", "make"]
