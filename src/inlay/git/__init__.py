"""Everything that is asked of git, and the only code besides `processes` that starts programs."""
