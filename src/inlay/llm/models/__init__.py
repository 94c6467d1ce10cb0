"""From a name to an open model."""
