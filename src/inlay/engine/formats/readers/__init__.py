"""One reader for each edit format."""
