"""``nl2fix suggest``: ranked, compiled, tested patches for a method of your own Java project."""
