"""Which rulings players should look at before a battle: those with a choice that can matter in it,
and those that a scenario's footnotes name."""

from __future__ import annotations

import re
from collections.abc import Collection

from skirmish.games.plastic.battle.names import row_named
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.rules.rulings import Needs, PlasticRuling, PlasticRulingBook
from skirmish.games.plastic.scenarios.scenario import Scenario

_RULING_ID = re.compile(r"\bP\d+\b")
"""The id of a ruling as a footnote cites it: ``P71``."""


def rulings_that_matter(book: PlasticRulingBook, setup: Setup) -> list[PlasticRuling]:
    """The rulings with a choice that can matter in this battle."""
    scenario_number = None
    if setup.scenario is not None:
        scenario_number = setup.scenario.number
    rulings = []
    for ruling in book.rulings.values():
        has_choice = len(ruling.answers) > 1
        played_here = not ruling.scenarios or scenario_number in ruling.scenarios
        if has_choice and played_here and _meets_needs(setup, ruling.needs):
            rulings.append(ruling)
    return rulings


def rulings_in_footnotes(scenario: Scenario) -> frozenset[str]:
    """The rulings that a scenario's footnotes cite, which players settle first."""
    names: set[str] = set()
    for note in scenario.footnotes:
        names.update(_RULING_ID.findall(note.text))
    return frozenset(names)


def _meets_needs(setup: Setup, needs: Needs) -> bool:
    """Whether the battle has everything without which a ruling cannot matter."""
    # What is settled with the armies or the options is not asked again at set-up.
    if needs.settled:
        return False
    return _game_meets(setup, needs) and _sides_meet(setup, needs) and _units_meet(setup, needs)


def _game_meets(setup: Setup, needs: Needs) -> bool:
    """Whether this is the kind of game that a ruling is about, basic or scenario, played with the
    option that it is about."""
    game = "basic"
    if setup.scenario is not None:
        game = "scenario"
    if needs.game not in (None, game):
        return False
    if not needs.option:
        return True
    is_option_on: bool = getattr(setup.options, needs.option)
    return is_option_on


def _sides_meet(setup: Setup, needs: Needs) -> bool:
    """Whether the sides have what a ruling is about: a way to draw, a break point, traits of
    nations, works."""
    kinds_of_source = {side.source.kind for side in setup.sides}
    if needs.chance and needs.chance not in kinds_of_source:
        return False
    has_break_point = any(side.breaks for side in setup.sides)
    if needs.breaks and not has_break_point:
        return False
    # Traits of nations only count where nationalities are played.
    nations: set[str] = set()
    if setup.options.nationalities:
        nations = {side.nation for side in setup.sides if side.nation}
    works: set[str] = set()
    for side in setup.sides:
        works.update(side.works)
    return _has_any(nations, needs.nations) and _has_any(works, needs.works)


def _units_meet(setup: Setup, needs: Needs) -> bool:
    """Whether a side has the units that a ruling is about, and its enemy has those that they act
    against."""
    if not needs.units:
        return True
    first_side, second_side = setup.sides
    first = _units_and_tags(setup, first_side.id)
    second = _units_and_tags(setup, second_side.id)
    for own, enemy in ((first, second), (second, first)):
        if _has_any(own, needs.units) and _has_any(enemy, needs.against):
            return True
    return False


def _has_any(there: Collection[str], needed: Collection[str]) -> bool:
    """Whether at least one of the ids ``needed`` is there; True if none is needed."""
    if not needed:
        return True
    return not set(needed).isdisjoint(there)


def _units_and_tags(setup: Setup, side: str) -> set[str]:
    """The units of a side and their tags, in every row that it may ever have."""
    units_and_tags: set[str] = set()
    for key in setup.letters:
        row = row_named(key)
        if row is not None and row.side == side:
            units_and_tags.add(row.unit)
            units_and_tags.update(setup.unit(row.unit).tags)
    return units_and_tags
