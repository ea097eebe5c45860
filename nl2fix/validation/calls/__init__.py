"""Calls by which edits are observed, whatever the language: their values, how drawn, which are kept."""
