"""`--root` for the commands about commits."""

from inlay.cli.options import ROOT

__all__ = ["ROOT"]
