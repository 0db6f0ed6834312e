"""Omaha: Battle for the Beach. The player has the map and the counters of the printed game."""
