"""Which of the open questions can matter in a battle, so that players are asked no others."""

from __future__ import annotations

import re
from collections.abc import Collection

from skirmish.games.plastic.battle.names import row_named
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.rules.rulings import Needs, Ruling, RulingBook
from skirmish.games.plastic.scenarios.scenario import Scenario

_RULING = re.compile(r"\bP\d+\b")


def concerning(book: RulingBook, setup: Setup) -> list[Ruling]:
    """The rulings that leave a choice and can change something in this battle as it is set up,
    reinforcements that may be drawn included; in the order of the book."""
    number = setup.scenario.number if setup.scenario else None
    return [
        ruling
        for ruling in book.rulings.values()
        if len(ruling.answers) > 1
        and (not ruling.scenarios or number in ruling.scenarios)
        and _has(setup, ruling.needs)
    ]


def footnoted(scenario: Scenario) -> frozenset[str]:
    """The rulings that a scenario's footnotes name: there its text contradicts itself or is lost,
    and players settle it first."""
    return frozenset(name for note in scenario.footnotes for name in _RULING.findall(note.text))


def _has(setup: Setup, needs: Needs) -> bool:
    if needs.settled:
        return False
    if needs.game and needs.game != ("scenario" if setup.scenario else "basic"):
        return False
    if needs.option and not getattr(setup.options, needs.option):
        return False
    if needs.chance and all(side.source.kind != needs.chance for side in setup.sides):
        return False
    if needs.breaks and not any(side.breaks for side in setup.sides):
        return False
    nations = {side.nation for side in setup.sides if setup.options.nationalities}
    if needs.nations and nations.isdisjoint(needs.nations):
        return False
    works = {work for side in setup.sides for work in side.works}
    if needs.works and works.isdisjoint(needs.works):
        return False
    return not needs.units or any(
        _meets(_traits(setup, one.id), needs.units)
        and _meets(_traits(setup, setup.enemy_of(one.id).id), needs.against)
        for one in setup.sides
    )


def _meets(traits: Collection[str], wanted: Collection[str]) -> bool:
    return not wanted or any(word in traits for word in wanted)


def _traits(setup: Setup, side: str) -> set[str]:
    """The ids and tags of all units that a side has or may yet draw. Every contingent has a row of
    riflemen for broken weapons; riflemen matter to no ruling by themselves."""
    found: set[str] = set()
    for key in setup.letters:
        row = row_named(key)
        if row and row.side == side:
            found |= {row.unit, *setup.unit(row.unit).tags}
    return found
