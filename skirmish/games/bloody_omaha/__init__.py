"""Bloody Omaha: what the printed game holds is typed in by its owner."""
