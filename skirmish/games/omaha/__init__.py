"""Omaha: Battle for the Beach. The player has the map and the counters of the printed game.

``ruleset`` is what the text states as data (tables, phases, cards, scenarios, read from
``data/omaha``), ``units`` what a counter is in this game, ``combat`` the two tables as pure
functions. ``state`` is an evening and its events. ``orders`` (the turn, units, losses), ``fire``
and ``assault`` (with ``attacks``, what these two have in common) turn what players want into these
events. ``commands`` asks for the orders, ``questions`` answers other programs; ``game`` is what the
shell uses, ``sheet`` what is printed. Begin with ``fire.Fire.check``, beside the chapter "Fire
Combat" of the rules.

There is no map in the program: hexes are names, and what lies between them is asked for once and
remembered. The printed ratings are the owner's, typed in when they first matter; none may be
committed. Nothing here reads a file, a clock or a random number: every number drawn is in an event.
"""
