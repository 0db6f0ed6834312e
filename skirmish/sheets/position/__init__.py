"""The sheet of a battle in progress, for finishing it on paper.

Its front has the moment on top, the turns left, both sides beside one another, and below them the
rules of the scenario and what is still to come; its back has the map, to draw on. Begin with
``sheet``."""
