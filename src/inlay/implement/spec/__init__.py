"""Design documents: reading and template."""
