"""What the fields of the form are called, and which of their answers mean something to the program.
The names are options of the command line, and the answers are stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

Answers = Mapping[str, Any]
"""The answers of the form by the names of their fields: ids or words, but for the questions of a
scenario, which may be answered with a number or with numbers of units."""

BATTLE = "battle"
"""Which battle: the number of a scenario, ``ARMIES`` or ``EVENING``."""
ARMIES, EVENING = "armies", "first_evening"
"""Answers to ``BATTLE``: the basic game; the battle for newcomers."""
FIRST_ARMY, SECOND_ARMY = "first", "second"
"""The two armies of the basic game. A battle calls its sides ``first`` and ``second`` as well, but
by who moves first: if the second army does, its side is ``first``."""
WHO_IS_FIRST = "who"
"""Who sets up and moves first in the basic game: ``FIRST_ARMY``, ``SECOND_ARMY`` or ``LOTS``."""
LOTS = "lots"
"""The answer to ``WHO_IS_FIRST`` by which the armies draw for it."""
LOADS = "loads"
"""Who starts aboard."""
PRESET = "preset"
"""Which optional rules are played."""
OWN = "own"
"""The answer to ``PRESET`` where the switches are set one by one."""
YES, NO = "yes", "no"
LEDGER = "ledger"
"""An answer to ``draws_field``: the program draws nothing and judges no shot."""
A_PLAYER = "player"
"""The answer to who commands a side where a player does; other answers are temperaments."""
ALOUD = "aloud"
"""The answer to what becomes of the plan of the program's commander: the players hear it."""
NO_QUALITY, AS_LISTED = "none", ""
"""Answers to the force quality of a side: it is not played; it is that of the army list."""


def yes_or_no(is_on: bool) -> str:
    """The answer of a switch."""
    if is_on:
        return YES
    return NO


def list_field(contingent: str, index: int) -> str:
    """The field for one of a contingent's choices of lists; ``index``: which of them, from 0."""
    return f"{contingent}:{index}"


def question_field(id: str) -> str:
    """The field for a question of the scenario."""
    return f"ask:{id}"


def switch_field(option: str) -> str:
    """The field that switches an optional rule."""
    return f"option:{option}"


def draws_field(side: str) -> str:
    """The field for who draws for a side."""
    return f"draws:{side}"


def quality_field(side: str) -> str:
    """The field for the force quality of a side."""
    return f"quality:{side}"


def player_field(side: str) -> str:
    """The field for the player of a side."""
    return f"player:{side}"


def plan_field(side: str) -> str:
    """The field for whether the program says the plan of a side aloud."""
    return f"plan:{side}"


def commander_field(side: str) -> str:
    """The field for who commands a side: a player, or the program."""
    return f"commander:{side}"


class HiddenMen(NamedTuple):
    """The field for how many men a happening of the scenario hides."""

    happening_index: int

    @property
    def name(self) -> str:
        """The name of the field: ``hidden:0``."""
        return f"hidden:{self.happening_index}"

    @classmethod
    def named(cls, name: str) -> Self | None:
        """The field with that name; None for another field."""
        if not name.startswith("hidden:"):
            return None
        return cls(int(name.removeprefix("hidden:")))


class SealedNote(NamedTuple):
    """The field for what a side wrote about where its men hide."""

    side: str

    @property
    def name(self) -> str:
        """The name of the field: ``seal:german``."""
        return f"seal:{self.side}"

    @classmethod
    def named(cls, name: str) -> Self | None:
        """The field with that name; None for another field."""
        if not name.startswith("seal:"):
            return None
        return cls(name.removeprefix("seal:"))
