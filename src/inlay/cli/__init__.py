"""The command line: commands, one file each; `main.py` maps every ending to an exit code."""
