"""Deals battles: a theme and a seed give a table, two forces and what they fight for.

Begin with ``deal``. Before a deal, ``wishes`` has what players are asked, ``themes`` the data of
themes and regions, ``proposals`` chooses what the players left open, and ``codes`` writes a deal as
a code of a few letters.

Then ``choosing`` chooses everything that the seed decides. It has ``table`` lay the table (where
``squares`` knows what lies on which square inch) and ``forces`` choose the figures. ``writing``
makes a scenario of the result, with ``starting_places`` (where groups begin), ``victory_terms``,
``happenings`` and ``map_writing``; ``names`` finds room for the labels on the map.
"""
