"""Commit messages: rules, diffs in pieces, check, draft, amend, rewrite."""
