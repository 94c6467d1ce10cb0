"""One rule for each kind of content that must not be written."""
