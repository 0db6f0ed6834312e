"""How a battle of the flagship is painted. What its keys do is declared by the game
(``games.plastic.commands``). Nothing is decided here: whether somebody may fire, and with what
chance, is asked of the game.

Begin with ``screen.py``: the full screen, on which arrows walk and pages turn. How it looks is in
``board_screen.py``: the screen of every game (``app.play.game_screen``) with two sides as board.
It is put together from:

* ``header.py``: the lines above and below, which are clock, tabs, who fires, the strip of keys;
* ``forces.py``: the rows of both sides;
* ``columns.py``, ``map_panel.py``, ``standing.py``: room for the map of a scenario, the map, and
  what stands below it;
* ``draft_lines.py``: the shot that is being put together, with its what-ifs;
* ``strip.py``: the casualty strip.

The other screens of a battle: ``questions.py`` asks one question at a time (``ordering.py`` has
what both screens that take orders share), ``follow.py`` is for onlookers, ``summary.py`` for
afterwards.
"""
