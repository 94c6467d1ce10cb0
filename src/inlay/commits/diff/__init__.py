"""Diffs of commits as git writes them: read, split and packed to what a model can take."""
