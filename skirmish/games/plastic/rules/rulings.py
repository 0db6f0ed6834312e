"""The gaps in the rules of WWII Plastic Skirmish."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

import msgspec

from skirmish.tabletop import rulings
from skirmish.tabletop.data_file import read

Topic = Literal["army", "shot", "check", "turn", "movement", "works", "battle", "scenario"]


TOPICS: dict[Topic, str] = {
    "army": "Armies",
    "shot": "Shots",
    "check": "Checks",
    "turn": "The turn",
    "movement": "Movement",
    "works": "Works",
    "battle": "The battle",
    "scenario": "Scenarios",
}


class Needs(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Requirements for a ruling to matter: one thing of each given list must be present. ``units``
    are ids or tags of a side, ``against`` those of its enemy. ``settled`` elsewhere: not asked at
    set-up."""

    units: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    works: tuple[str, ...] = ()
    nations: tuple[str, ...] = ()
    option: str | None = None
    chance: Literal["deck", "die"] | None = None
    breaks: bool = False
    game: Literal["basic", "scenario"] | None = None
    settled: Literal["armies", "options"] | None = None


class PlasticRuling(rulings.Ruling, frozen=True, forbid_unknown_fields=True, kw_only=True):
    id: Annotated[str, msgspec.Meta(pattern=r"^P\d+$")]
    topic: Topic
    scenarios: tuple[int, ...] = ()
    needs: Needs = Needs()


class RulingsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal[1]
    ruling: tuple[PlasticRuling, ...]


RETIRED = ("P16", "P21", "P40")
"""Gaps that the text itself resolves."""


class PlasticRulingBook(rulings.RulingBook[PlasticRuling], frozen=True):
    @property
    def retired(self) -> tuple[str, ...]:
        return RETIRED

    def about(self, topics: Iterable[str]) -> list[PlasticRuling]:
        wanted = set(topics)
        return [ruling for ruling in self.rulings.values() if ruling.topic in wanted]


def read_rulings(raw: Mapping[str, Any]) -> PlasticRulingBook:
    file = "plastic/rulings.toml"
    found = read(raw, RulingsFile, file, lambda found: rulings.problems_of(found.ruling)).ruling
    return PlasticRulingBook({ruling.id: ruling for ruling in found})
