"""Skirmish: the program at the edge of a table of plastic soldiers."""

__version__ = "0.1.0"
