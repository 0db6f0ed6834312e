"""How a battle of the flagship is painted. What its keys do is declared by the game
(``games.plastic.commands``).

Begin with ``screen.py``: the battle screen, which is that of every game (``app.play.game_screen``)
with two forces as its board, the cursor on rows and what-ifs, one question at a time, the
summary, and the battle as onlookers see it. ``header.py`` has the lines above and below: clock,
tabs, who fires, the strip of keys. ``forces.py`` paints the rows of the two sides. Nothing is
decided here: whether somebody may fire, and with what chance, is asked of the game.
"""
