"""The command line: parsing and display only."""
