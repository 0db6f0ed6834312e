"""The screens that every game of the registry has: set-up, play, one question at a time,
following.

Begin with ``ordering.py``: how a key becomes a command, an order and an entry of the journal;
``journal_cursor.py`` is how the player walks back through that. ``game_parts.py`` paints the parts
of a game's screen, ``game_screen.py`` divides the screen among them, and ``screen.py`` adds the
commands of every game. ``open_question.py`` words one question at a time, and ``questions.py`` asks
it in large letters. ``follow.py`` is a play screen that takes no orders.

``games.py`` lists what can be played and continued. ``setup.py`` is the form that every game begins
with, and ``setup_lines.py`` words its lines; ``launch.py`` leads from both to the game. What a key
means, what is asked and what stands on the board is decided by the game: nothing here names a game,
and no rule is decided here.
"""
