"""The rulings that apply on the current screen, and a page of all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, Protocol, runtime_checkable

import msgspec
from textual.binding import BindingType

from skirmish import library
from skirmish.app.binding import keys
from skirmish.app.page_screen import PageScreen
from skirmish.games.plastic.reference.rulings import rulings_page
from skirmish.store.settings import Settings


class InForce(msgspec.Struct, frozen=True, kw_only=True):
    """The rulings that apply."""

    answers: Mapping[str, str]
    """By the ids of the rulings; one without an answer is at its default."""
    origin: str
    """Where they are from, to stand behind "rulings": ``as in your settings``."""
    scenario: int | None = None
    """The number of the scenario that is fought; None: it is not about one."""


@runtime_checkable
class ShowsRulings(Protocol):
    """A screen with rulings of its own, such as that of a battle or an army."""

    @property
    def in_force(self) -> InForce:
        """The rulings by which the reference answers, and where these are from."""


def in_force_on(screens: Iterable[object], settings: Settings) -> InForce:
    """The rulings of the topmost screen that has any (``in_force``), such as a battle; else those
    in the player's settings."""
    for screen in reversed(list(screens)):
        if isinstance(screen, ShowsRulings):
            return screen.in_force
    other_than_default = library.rulings().preferred_answers(settings.rulings)
    origin = "at their defaults"
    if other_than_default:
        origin = "as in your settings"
    return InForce(answers=other_than_default, origin=origin)


class RulingsScreen(PageScreen):
    """All rulings with the answers that apply; ``scenario`` is the number of the one fought."""

    TOPIC: ClassVar[str] = "rulings"
    FAILURE = "The rulings are not available"
    HELP = "The answers in force here. Set-up chooses them for a battle, the settings for all."
    # Each row: id, keys, action, label at the foot, words of the help.
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "rulings", ("close", "G", "app.pop_screen", "", "Close the list")
    )

    def __init__(self, answers: Mapping[str, str], scenario: int | None = None) -> None:
        super().__init__(lambda: rulings_page(library.rulings(), answers, scenario))
