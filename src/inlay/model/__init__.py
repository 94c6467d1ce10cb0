"""The nouns of the pipeline: frozen dataclasses, no I/O."""
