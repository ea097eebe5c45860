"""Tables and figures of the studies this benchmark repeats."""
