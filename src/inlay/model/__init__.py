"""The nouns: frozen dataclasses, no I/O."""
