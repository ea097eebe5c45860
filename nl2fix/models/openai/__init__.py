"""Model ``openai``: any server that speaks OpenAI's protocol (OpenAI, vLLM, llama.cpp, Ollama, …)."""

from __future__ import annotations

from nl2fix.models.openai.model import OpenAIConfig, OpenAIModel, make

__all__ = ["OpenAIConfig", "OpenAIModel", "make"]
