"""The rules of each game, a package each. Games never import one another.

Begin with the ``game`` module of a package; ``docs/a-game-of-five-rules.md`` explains the smallest
game that is possible, and ``plastic`` is the largest. A game consists of its orders, its events,
its state, and what is shown of the state. It opens no file and reads no clock, and its dice and
cards come only from the sources in its state. Whatever two games need belongs to ``tabletop``. A
screen that must know something about a game asks the game.
"""
