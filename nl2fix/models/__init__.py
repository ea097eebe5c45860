"""Models: whatever answers a prompt."""
