"""The field simulator: commanders against one another, to test and tune them. Users never see it.

Groups stand in cells of six inches, and move as ``paths`` of the commander says. Each shot is
judged by the rules, with a card of a deck. Left out is what only a real table can show: places
within a group, facing, hidden units. Barbed wire lies before the ground that decides.

Begin with ``battle``: it places the groups of a scenario, plays turn by turn, phase by phase, and
says who has won. ``commanders`` are those that can lead a side. ``forces`` holds the groups of both
sides. ``moving`` carries out what a group is ordered to do, ``waiting_fire`` is the fire of the
side whose enemy moves, and ``shots`` judges each shot. ``happenings`` are what a scenario adds to
the rules.
"""
