"""Git commands and what they print."""
