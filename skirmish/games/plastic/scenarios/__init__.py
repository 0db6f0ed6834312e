"""Scenarios as data: what a file may say, and everything that can be wrong with it."""
