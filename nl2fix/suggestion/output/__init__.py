"""What suggestions are to others: records, files, reviews, and the one place that writes to a work tree."""
