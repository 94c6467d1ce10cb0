"""Taxes."""

RATE = 0.2
