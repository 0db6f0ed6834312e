"""The gaps in the rules and how they are filled, to read at the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual.binding import Binding, BindingType

from skirmish import library
from skirmish.app.play.pages import PageScreen
from skirmish.games.plastic.reference import rulings_page


class RulingsScreen(PageScreen):
    """Every ruling with the answer in force: those of a battle, or the usual ones."""

    TOPIC: ClassVar[str] = "rulings"
    EXTRA = "The rulings are"
    HELP = "The answers in force here. Set-up chooses them for a battle, the settings for all."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("G", "app.pop_screen", show=False, tooltip="Close the list", id="rulings.close"),
    ]

    def __init__(self, answers: Mapping[str, str], scenario: int | None = None) -> None:
        super().__init__(lambda: rulings_page(library.rulings(), answers, scenario))
