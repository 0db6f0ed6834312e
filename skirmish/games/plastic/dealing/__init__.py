"""Deals battles: a theme and a seed give a table, two forces and what they fight for.

Begin with ``deal``. What players are asked before a deal is in ``wishes``; the data of
themes and regions is in ``themes`` and ``regions``, the terrain that players may own in
``terrain``. ``proposals`` chooses what the players left open, and ``codes`` writes a deal as a code
of a few letters.

Then ``choosing`` chooses everything that the seed decides: the table (``best_table``), the last
turn (``clock``) and the ``forces``, whose figures are chosen by a ``recruiter``.

A table is laid by the builders for ``waters``, ``roads``, ``villages``, ``ground`` and ``fields``;
the head of ``feature_builder`` says how. ``table`` is what they lay; ``squares`` records what lies
on which square inch.

``writing`` makes a scenario of the result, with ``starting_places`` (where groups begin),
``victory_terms``, ``happenings`` and ``map_writing``. For the words on the map, ``names`` has the
names of places, and ``labels`` finds room among the ``map_obstacles``.
"""
