"""One rule for each way in which a quote may differ from the file."""
