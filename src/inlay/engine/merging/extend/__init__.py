"""Adds new members to the classes and modules that exist."""
