"""Slips, one module for each family; a new one is a decorated function in the module it belongs to."""

from bench.slips import (
    bytes_,
    characters,
    elision,
    envelope,
    escapes,
    indentation,
    misquotes,
    pairs,
    places,
    several,
    syntax,
    whitespace,
    whole,
)
from bench.slips.registry import SLIPS, Slip

__all__ = [
    "SLIPS",
    "Slip",
    "bytes_",
    "characters",
    "elision",
    "envelope",
    "escapes",
    "indentation",
    "misquotes",
    "pairs",
    "places",
    "several",
    "syntax",
    "whitespace",
    "whole",
]
