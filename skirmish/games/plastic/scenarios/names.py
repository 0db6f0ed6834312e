"""What the parts of a scenario may name: its sides, their units, the marks of its map, rulings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from skirmish.games.plastic.rules.catalog import Catalog, UnitType, total_counts
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.scenario_part import Moment
from skirmish.tabletop.data_file import Problem, suggest


class UnitOwner(NamedTuple):
    """The side or contingent that must have the unit which a field names."""

    side: str
    contingent: str | None
    """None: any contingent of the side may have it."""
    need: int
    """How many of the unit are needed."""


def owner_of(around: Sequence[Any]) -> UnitOwner:
    """Who must have the unit that a field names; ``around`` are the parts around the field, the
    nearest first. The nearest part that names a side, and perhaps a contingent, says who; the
    nearest of all may say how many are needed."""
    # Parts of many types have these fields, always under these names.
    with_side = next(part for part in around if hasattr(part, "side"))
    contingent = getattr(with_side, "contingent", None)
    need = getattr(around[0], "need", 1)
    return UnitOwner(with_side.side, contingent, need)


class Names(msgspec.Struct, frozen=True, kw_only=True):
    """What the parts of a scenario may name."""

    units: Mapping[str, UnitType]
    """All units by their ids, with the variants of the scenario."""
    forces: Mapping[str, Mapping[str, Mapping[str, int]]]
    """How many of each unit there can be, by side, contingent and unit; the sides in the order of
    play."""
    end: Moment | None
    """The end of the battle, after which no moment may come; None without a clock."""
    by_kind: Mapping[str, Collection[str]]
    """The names of each kind that a field may refer to."""
    rulings: Sequence[str]
    """The ids of all rulings, in their order."""

    def unit_problems(
        self, key: str, unit: str, owner: UnitOwner, *, enemy: bool
    ) -> Iterator[Problem]:
        """A unit that its owner does not have, or has too few of. With ``enemy`` the owner's enemy
        must have it."""
        side = owner.side
        if enemy:
            side = self._enemy_of(owner.side)
        contingents = self.forces.get(side, {})
        # A wrong side or contingent is a problem of its own.
        if not contingents:
            return
        if owner.contingent is not None and owner.contingent not in contingents:
            return
        if owner.contingent is None:
            who = f"the {side} side"
            force: Mapping[str, int] = self.most_units(side)
        else:
            who = f"the contingent {owner.contingent}"
            force = contingents[owner.contingent]
        count = force.get(unit, 0)
        if not count:
            yield Problem(key, f"{who} has no {unit}; {suggest(unit, force)}")
        elif count < owner.need:
            needed = self.units[unit].named(owner.need)
            yield Problem(key, f"{needed} asked for, but {who} has only {count}.")

    def _enemy_of(self, side: str) -> str:
        """The other side; in a wrong file with no other one, the side itself."""
        for enemy in self.forces:
            if enemy != side:
                return enemy
        return side

    def most_units(self, side: str) -> dict[str, int]:
        """How many of each unit a side can have, whatever its contingents choose."""
        return total_counts(self.forces[side].values())

    def moment_problems(self, key: str, moment: Moment) -> Iterator[Problem]:
        """A moment after the end of the battle. Moments are compared by turn, then by order of
        play."""
        end = self.end
        if end is None:
            return
        order_of_play = list(self.forces)
        if moment.side not in order_of_play or end.side not in order_of_play:
            # The wrong side is a problem of its own.
            return
        moment_in_order = (moment.turn, order_of_play.index(moment.side))
        end_in_order = (end.turn, order_of_play.index(end.side))
        if moment_in_order > end_in_order:
            message = f"{moment} comes after the end, {end}; name that or an earlier."
            # Where ``ends_after`` has a problem of its own, this one is not reported.
            yield Problem(key, message, measured_by="ends_after")


def names_of(scenario: Scenario, catalog: Catalog, book: PlasticRulingBook) -> Names:
    """What the parts of this scenario may name."""
    sound_variants = []
    for variant in scenario.variants:
        # What is wrong with the others is a problem of its own.
        if variant.of in catalog.units and variant.ranges.keys() <= catalog.weapons.keys():
            sound_variants.append(variant)
    own_catalog = catalog.with_variants(sound_variants)
    forces: dict[str, dict[str, dict[str, int]]] = {}
    for side_id in scenario.order_of_play():
        contingents = scenario.side(side_id).contingents
        forces[side_id] = {part.id: part.most_units() for part in contingents}
    by_kind: dict[str, Collection[str]] = {
        "side": forces,
        "nation": catalog.nations,
        "unit": own_catalog.units,
        "own unit": own_catalog.units,
        "enemy unit": own_catalog.units,
        "guy or unit": ("guy", *own_catalog.units),
        "work": own_catalog.works,
        "weapon": catalog.weapons,
        "ruling": book.rulings,
        "footnote": [note.mark for note in scenario.footnotes],
        "rule": [rule.name for rule in scenario.special_rules],
    }
    if scenario.map is not None:
        # Without a map, any letter or mark may be named: the players agree on what it means.
        by_kind |= {"zone": scenario.map.zone_letters, "mark": scenario.map.mark_letters}
    return Names(
        units=own_catalog.units,
        forces=forces,
        end=scenario.ends_after,
        by_kind=by_kind,
        rulings=list(book.rulings),
    )


def repeated_words(key: str, words: Iterable[str]) -> Iterator[Problem]:
    """Each of the words at ``key`` that stands there more than once."""
    for word, times in Counter(words).items():
        if times > 1:
            yield Problem(key, f"{word!r} stands there twice; each may stand there once.")
