"""WWII Plastic Skirmish, the flagship: armies, shots, battles, scenarios.

Begin with ``rules``: the numbers (``catalog``) and one shot (``shot``). ``battle`` is the game that
is played: orders, events, state. ``commands`` is what players type, ``odds`` what they may expect,
``scenarios`` what is in a scenario file. ``board``, ``row_words``, ``verdict`` and ``due`` word
what a battle's screen shows; ``game`` offers all of it to the rest of the program.

Nothing here reads a file or a clock or draws at random by itself: files arrive as mappings, and
what is drawn comes from the ``Source`` of the state.
"""
