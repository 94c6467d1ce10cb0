"""Tables of plain values, aligned for people."""

from grille.table import Column, Rule, Style, Table, TableError, UnknownColumn

__all__ = ["Column", "Rule", "Style", "Table", "TableError", "UnknownColumn"]
