"""The state directory: lock, atomic write, secrets."""
