"""Rankers and embedders."""
