"""Commands and prompts as data: what can be done now, and which answers are still missing.

A ``command`` is a key, a label and slots; a prompt is a command that is already open because the
game goes on only with the player's decision. The slots give the keys of the screen, the line of
missing answers, the disabled options with their reason, and the lines of ``skirmish play``.

A ``draft`` is a command that is being put together. ``keys`` has what a key does to it, ``lines``
what a line of words does, and ``board_rows`` what it has to do with the rows of the board.
``unfinished`` restores the draft that an earlier session left.
"""

from __future__ import annotations

from skirmish.tabletop.commands.board_rows import chosen_rows, offered_rows, with_row
from skirmish.tabletop.commands.command import (
    Answers,
    Command,
    Forecast,
    OnOff,
    Toggle,
    cycling_toggle,
    on_off_toggles,
)
from skirmish.tabletop.commands.draft import Draft
from skirmish.tabletop.commands.keys import begin_with_key, command_of, pressed
from skirmish.tabletop.commands.lines import read, read_words
from skirmish.tabletop.commands.unfinished import half_typed

__all__ = [
    "Answers",
    "Command",
    "Draft",
    "Forecast",
    "OnOff",
    "Toggle",
    "begin_with_key",
    "chosen_rows",
    "command_of",
    "cycling_toggle",
    "half_typed",
    "offered_rows",
    "on_off_toggles",
    "pressed",
    "read",
    "read_words",
    "with_row",
]
