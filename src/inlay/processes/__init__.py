"""Starting programs: tests, checks, the user's editor."""
