"""Reports: HTML, terminal, exports."""
