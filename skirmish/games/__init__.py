"""The rules of each game, a package each. Games never import one another.

Begin with the ``game`` module of one; ``docs/a-game-of-five-rules.md`` has the smallest, and
``plastic`` is the flagship. A game is orders, events, a state and what is shown of it; it opens no
file, asks no clock, and has its dice and cards from the sources in its state only. What two games
need belongs to ``tabletop``, and what a screen needs to know of one game it asks that game.
"""
