"""nl2fix: benchmark and tool for fixing bugs from plain-language issue reports."""

__version__ = "0.1.0"
