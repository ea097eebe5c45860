"""Programming languages: locate and replace units, strip comments, tokenise, check syntax."""
