"""What every game at a table needs, and no game in particular: no files, no screen, no clock, no
global random numbers.

Begin with ``game`` (what a game is for everything above it) and ``journal`` (orders become events,
and events the state). Then ``commands`` and ``slots`` (how a player puts an order together, key by
key), ``chance`` (decks and dice as a part of the state) and ``page`` (what is read, for every
medium). ``data_file`` reads and checks what stands in ``data/``; ``companion`` is the kit for board
games. No code here names a game, a screen or a file.
"""
