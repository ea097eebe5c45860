"""Validation: workspaces, sandboxes and the validators that judge candidates in them."""
