"""The lists of the rules, and the field for the words looked for: what keys do while one of them
has the keyboard. What they lead to is the screen's."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Input, OptionList


class Contents(OptionList):
    """The titles. Page keys turn the rule beside them, which is what is being read."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pagedown,space", "screen.read(1)", "Read on", key_display="PgDn"),
        Binding("pageup", "screen.read(-1)", show=False),
        Binding("right,tab", "screen.links", show=False),
        Binding("enter", "screen.links", show=False),
    ]


class Links(OptionList):
    """Where else to look."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,tab", "screen.back", show=False),
        Binding("pagedown,space", "screen.read(1)", show=False),
        Binding("pageup", "screen.read(-1)", show=False),
    ]


class Sought(Input):
    """The words looked for. Up and down choose among what was found."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "screen.choose(1)", show=False),
        Binding("up", "screen.choose(-1)", show=False),
        Binding("pagedown", "screen.read(1)", show=False),
        Binding("pageup", "screen.read(-1)", show=False),
    ]
