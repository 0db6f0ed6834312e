"""Omaha: Battle for the Beach. Its owner has map and counters in front of him."""
