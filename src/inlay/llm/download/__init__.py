"""Downloads models that run on this machine."""
