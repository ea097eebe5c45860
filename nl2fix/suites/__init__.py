"""Suites: each module declares problems and how to prepare them; none computes metrics."""
