"""`python -m inlay` is the command line."""

from inlay.cli.main import main

main()
