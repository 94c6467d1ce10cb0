"""Puts the steps in their order, for any face; there is no terminal here and nobody to ask."""
