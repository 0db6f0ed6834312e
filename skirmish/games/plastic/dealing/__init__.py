"""Deals battles: a theme and a seed give a table, two forces and what they fight for.

Begin with ``deal``. ``themes`` reads what themes and regions say, and ``wishes`` holds what is
asked before a deal; ``proposals`` chooses what the players left open, and ``codes`` writes it as a
few letters. ``choosing`` then chooses everything that the seed decides: it has ``table`` lay the
table (``squares`` knows what lies on which square inch) and ``forces`` choose the figures.
``writing`` makes a scenario of it, and ``names`` finds room for its labels.
"""
