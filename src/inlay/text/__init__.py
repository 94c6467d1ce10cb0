"""Lines, differences of two texts, excerpts."""
