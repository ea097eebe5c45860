"""Bug reports: trackers, the pairing of Defects4J bugs with their issues, and statistics over both."""
