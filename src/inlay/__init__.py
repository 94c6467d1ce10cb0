"""Inlay sets a language model's edits into a repository: flush, exactly where they belong, or not at all."""
