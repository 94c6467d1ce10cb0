"""Taxes by country."""

RATES = {"at": 0.20, "de": 0.19}
