"""The command line: one file per command, and main.py as the only place that catches everything."""
