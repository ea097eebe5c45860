"""Prompt strategies: how a problem becomes messages, rendered from the templates of ``prompts/``."""
