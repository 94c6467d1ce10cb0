"""All files or none: write set, journal, swap, rollback, undo."""
