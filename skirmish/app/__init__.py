"""The full-screen app. Screens hold no rules; they query the game for what is allowed.

Begin with ``application.py`` (global keys, the start), then ``host.py`` (what a screen sees of
the app, and how it opens another by name), ``turns.py`` (how a key travels) and ``guard.py`` (what
happens where something fails). ``play`` has the screens of every game, ``battle`` how the flagship
is painted, ``armies``, ``scenarios``, ``reference`` and ``settings`` an area each. A screen never
imports the application, nor a screen that lies above it; what is heavy is imported inside the
function that needs it.
"""
