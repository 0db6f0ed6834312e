"""Scenarios as data: their file format and its checks."""
