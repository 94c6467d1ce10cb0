"""`--json` for the commands about commits."""

from inlay.cli.options import JSON

__all__ = ["JSON"]
