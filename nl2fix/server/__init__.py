"""A small local web page for one run or one suggestion session."""
