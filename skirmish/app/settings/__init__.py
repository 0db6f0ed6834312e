"""The player's settings and key map."""
