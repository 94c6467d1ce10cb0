"""What a change set would break; `run` is the front door."""

from inlay.engine.checks.run_checks import DECIDABLE, run, unchecked

__all__ = ["DECIDABLE", "run", "unchecked"]
