"""Similarity of revisions and excess code."""
