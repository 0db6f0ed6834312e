"""Skirmish: the program at the edge of a table of plastic soldiers.

From below: ``tabletop`` (what every game needs), ``games`` (their rules), ``resources``,
``registry`` and ``library`` (their data), ``store`` and ``session`` (a game that is played and
stored), ``sheets``, ``web``, ``cli`` and ``app`` (paper, phones, lines, screens). A module imports
only from below itself. CONTRIBUTING has the layers, and follows one shot through all of them.
"""

__version__ = "1.0.0"
