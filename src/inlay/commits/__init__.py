"""Commit messages: check, draft, amend."""
