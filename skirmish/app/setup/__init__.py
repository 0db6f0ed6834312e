"""A battle before it begins."""
