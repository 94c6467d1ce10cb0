"""Text as lines: differences, excerpts and words."""
