"""The command line; each module but the shared ones is a command."""
