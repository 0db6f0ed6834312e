"""The screens that every game of the registry has: set-up, play, one question at a time,
following.

Begin with ``ordering.py``: how a key becomes a command, an order and an entry of the journal.
``screen.py`` divides the screen among its parts and paints them; ``questions.py`` asks one thing
at a time in large letters; ``follow.py`` is a play screen that takes no orders; ``setup.py`` is
the form that every game begins with. What a key means, what is asked and what stands on the board
is the game's: nothing here names a game, and no rule is decided here.
"""
