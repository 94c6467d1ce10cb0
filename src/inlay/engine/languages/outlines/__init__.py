"""A text seen as scopes and their members, by the parser of its language."""
