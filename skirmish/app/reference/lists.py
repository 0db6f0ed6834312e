"""The lists of the rules, and the field for the words looked for: what keys do while one of them
has the keyboard. What they lead to is the screen's."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from skirmish.games.plastic.reference import Paragraph


def _hidden(key: str, action: str, name: str, tells: str) -> Binding:
    return Binding(key, f"screen.{action}", show=False, id=f"rules.sign_{name}", tooltip=tells)


def title(paragraph: Paragraph) -> Option:
    """A line of the contents."""
    return Option(f"  {paragraph.title}", id=paragraph.id)


class Contents(OptionList):
    """The titles. Page keys turn the rule beside them, which is what is being read."""

    BINDINGS: ClassVar[list[BindingType]] = [
        _hidden("pagedown", "read(1)", "read-on", "Scroll down the rule"),
        _hidden("pageup", "read(-1)", "read-back", "Scroll up the rule"),
        _hidden("right,tab", "links", "to-links", "Go to See also"),
        _hidden("enter", "links", "take", "Go to See also"),
    ]


class Links(OptionList):
    """Where else to look."""

    BINDINGS: ClassVar[list[BindingType]] = [
        _hidden("left,tab", "back", "from-links", "Back to the contents"),
        _hidden("pagedown", "read(1)", "links-read-on", "Scroll down the rule"),
        _hidden("pageup", "read(-1)", "links-read-back", "Scroll up the rule"),
    ]


class Sought(Input):
    """The words looked for. Up and down choose among what was found."""

    BINDINGS: ClassVar[list[BindingType]] = [
        _hidden("down", "choose(1)", "next-found", "Next result"),
        _hidden("up", "choose(-1)", "found-before", "Previous result"),
        _hidden("pagedown", "read(1)", "found-read-on", "Scroll down the rule"),
        _hidden("pageup", "read(-1)", "found-read-back", "Scroll up the rule"),
    ]
