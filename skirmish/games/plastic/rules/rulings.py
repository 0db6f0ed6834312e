"""The gaps in the rules of WWII Plastic Skirmish: what each is about, and where it matters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

import msgspec

from skirmish.tabletop import rulings
from skirmish.tabletop.reading import read

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
"""What they are called, in the order in which they are listed."""


class Needs(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Without what a ruling cannot matter in a battle. All that is given must hold, of each list
    one thing: ``units`` (ids or tags) of a side, ``against`` those of its enemy, ``works``,
    ``nations`` where these are played, an optional rule, cards or dice, a break point, the kind of
    game. What is ``settled`` elsewhere is no question when a battle begins."""

    units: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    works: tuple[str, ...] = ()
    nations: tuple[str, ...] = ()
    option: str | None = None
    chance: Literal["deck", "die"] | None = None
    breaks: bool = False
    game: Literal["basic", "scenario"] | None = None
    settled: Literal["armies", "options"] | None = None


class Ruling(rulings.Ruling, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One gap, with its topic and the scenarios it concerns; none named: all play."""

    id: Annotated[str, msgspec.Meta(pattern=r"^P\d+$")]
    topic: Topic
    scenarios: tuple[int, ...] = ()
    needs: Needs = Needs()


class RulingsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """data/plastic/rulings.toml."""

    format: Literal[1]
    ruling: tuple[Ruling, ...]


RETIRED = ("P16", "P21", "P40")
"""Gaps that the text itself answers."""


class RulingBook(rulings.RulingBook[Ruling], frozen=True):
    """All rulings by id, in the order of the file."""

    @property
    def retired(self) -> tuple[str, ...]:
        return RETIRED

    def about(self, topics: Iterable[str]) -> list[Ruling]:
        wanted = set(topics)
        return [ruling for ruling in self.rulings.values() if ruling.topic in wanted]


def read_rulings(raw: Mapping[str, Any]) -> RulingBook:
    """The file of rulings; raises DataError for double ids and defaults that are no answer."""
    file = "plastic/rulings.toml"
    return RulingBook(rulings.by_id(read(raw, RulingsFile, file).ruling, file))
