"""The user's project, copied and compiled: by its build tool, or without; its test classes and jars."""
