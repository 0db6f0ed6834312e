"""Which rulings hold where the reference is opened: those of a battle, of an army, or the usual."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from skirmish import library
from skirmish.store.settings import Settings


class InForce(msgspec.Struct, frozen=True, kw_only=True):
    """The rulings that hold where the reference was opened: ``answers`` by id, ``whose`` they are,
    and the number of the ``scenario`` if one is fought."""

    answers: Mapping[str, str]
    whose: str
    scenario: int | None = None


def in_force_on(screens: Iterable[object], settings: Settings) -> InForce:
    """The rulings of the topmost screen that has any (its ``in_force``), such as a battle's; else
    those that the player likes."""
    for screen in reversed(list(screens)):
        in_force = getattr(screen, "in_force", None)
        if isinstance(in_force, InForce):
            return in_force
    liked = library.rulings().liked(settings.rulings)
    whose = "as in your settings" if liked else "at their defaults"
    return InForce(answers=liked, whose=whose)
