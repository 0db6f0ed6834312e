"""Boards drawn as pictures, in place of the gauges of a game's page.

The registry names a game's panel in its line (``panel``); ``app/play`` calls the function ``panel``
of that module with the state, the columns and whether there is room between the lines. A panel only
paints: it reads from the state's question what may be chosen, and a click presses the key.
"""
