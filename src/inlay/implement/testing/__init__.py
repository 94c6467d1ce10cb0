"""Running tests and reading their results."""
