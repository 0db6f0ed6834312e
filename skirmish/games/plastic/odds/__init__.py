"""Exact chances of one shot and of whole volleys: integers inside, fractions out."""
