"""The gaps in the rules of WWII Plastic Skirmish (P1, P2, ...): each is a question with possible
answers, of which the players of a battle choose one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

import msgspec

from skirmish.tabletop import rulings
from skirmish.tabletop.data_file import Problem, read

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
    """When a ruling matters: of each list that is not empty at least one thing must be there."""

    units: tuple[str, ...] = ()
    """Ids or tags of units of a side."""
    against: tuple[str, ...] = ()
    """Ids or tags of units of its enemy."""
    works: tuple[str, ...] = ()
    """Ids of works of a side."""
    nations: tuple[str, ...] = ()
    """Ids of nations of a side."""
    option: str | None = None
    """An optional rule that must be on."""
    chance: Literal["deck", "die"] | None = None
    """What a side must draw from."""
    breaks: bool = False
    """Whether it matters only where armies have a break point."""
    game: Literal["basic", "scenario"] | None = None
    """Whether it matters only in a battle of two armies, or only in a scenario."""
    settled: Literal["armies", "options"] | None = None
    """Where it is settled, so that set-up does not ask: when armies are built, or by the optional
    rules."""


class PlasticRuling(rulings.Ruling, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One gap, with its question and its answers."""

    id: Annotated[str, msgspec.Meta(pattern=r"^P\d+$")]
    topic: Topic
    scenarios: tuple[int, ...] = ()
    """The numbers of the scenarios that it concerns; empty if it concerns all battles."""
    needs: Needs = Needs()


class RulingsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``data/plastic/rulings.toml``, in which each ruling is a table ``[[ruling]]``."""

    format: Literal[1]
    ruling: tuple[PlasticRuling, ...]


RETIRED = ("P16", "P21", "P40")
"""Gaps that the text itself resolves: bullets are the fire of a "MG or Rifle Guy", so there is no
cover against cannon (P16); repeat fire is at "a new guy", never at a model (P21); halftracks are
not among the "Tanks, AA Tanks, and Armored Cars" of the limit (P40). Stored answers to them
are still accepted, so no other ruling gets their numbers."""


class PlasticRulingBook(rulings.RulingBook[PlasticRuling], frozen=True):
    """All rulings by id, in the order of the file."""

    @property
    def retired(self) -> tuple[str, ...]:
        """The ids of rulings that are no more, answers to which are accepted and ignored."""
        return RETIRED

    def about(self, topics: Iterable[str]) -> list[PlasticRuling]:
        """The rulings of these topics."""
        wanted = set(topics)
        return [ruling for ruling in self.rulings.values() if ruling.topic in wanted]


def read_rulings(raw: Mapping[str, Any]) -> PlasticRulingBook:
    """The rulings of ``plastic/rulings.toml``, whose content is ``raw``; raises DataError with all
    that is wrong in the file."""

    def problems(file: RulingsFile) -> Iterable[Problem]:
        return rulings.problems_of(file.ruling)

    file = read(raw, RulingsFile, "plastic/rulings.toml", problems)
    return PlasticRulingBook({ruling.id: ruling for ruling in file.ruling})
