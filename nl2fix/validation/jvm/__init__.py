"""The Java side of validation: a small worker program (``java/``, compiled on first use) and its client."""
