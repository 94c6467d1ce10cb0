"""A configuration that cannot be read for certain, so that it is not read at all."""


class ConfigUnreadable(Exception):
    """Says what is there that is not understood; never leaves this package."""
