"""What the parts of a scenario may name: its sides, their units, the marks of its map, rulings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from skirmish.games.plastic.rules.catalog import Catalog, UnitType, together
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.scenario_part import Moment
from skirmish.tabletop.data_file import Problem, suggest


class UnitOwner(NamedTuple):
    """Whose unit a field of a scenario names, and how many of it that asks for."""

    side: str
    contingent: str | None
    """None: any of the side."""
    need: int


def owner_of(holders: Sequence[Any]) -> UnitOwner:
    """Whose unit a field names by the parts around it, the nearest first. The nearest that names a
    side, and perhaps a contingent, says whose it is; the nearest of all may say how many it
    needs."""
    # Parts of many types have these fields, under these names.
    with_side = next(holder for holder in holders if hasattr(holder, "side"))
    contingent = getattr(with_side, "contingent", None)
    return UnitOwner(with_side.side, contingent, getattr(holders[0], "need", 1))


class Names(msgspec.Struct, frozen=True, kw_only=True):
    """What the parts of a scenario may name. ``forces`` is side -> contingent -> unit -> maximum,
    in the order of play; ``last`` is the end of the battle, after which no moment may come, None
    without a clock; ``by_kind`` has the names of each kind that a field may refer to; ``rulings``
    are the ids of all rulings, in their order."""

    units: Mapping[str, UnitType]
    forces: Mapping[str, Mapping[str, Mapping[str, int]]]
    last: Moment | None
    by_kind: Mapping[str, Collection[str]]
    rulings: Sequence[str]

    def unit_problems(
        self, key: str, unit: str, owner: UnitOwner, *, enemy: bool
    ) -> Iterator[Problem]:
        """A unit that its owner does not have, or too few of it. With ``enemy`` it is the unit of
        the owner's enemy."""
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
            force: Mapping[str, int] = self.strength(side)
        else:
            who = f"the contingent {owner.contingent}"
            force = contingents[owner.contingent]
        have = force.get(unit, 0)
        if not have:
            yield Problem(key, f"{who} has no {unit}; {suggest(unit, force)}")
        elif have < owner.need:
            asked = self.units[unit].named(owner.need)
            yield Problem(key, f"{asked} asked for, but {who} has only {have}.")

    def _enemy_of(self, side: str) -> str:
        """The other side; the side itself where a wrong file has no other."""
        for enemy in self.forces:
            if enemy != side:
                return enemy
        return side

    def strength(self, side: str) -> dict[str, int]:
        """All units of a side, each contingent at its largest."""
        return together(self.forces[side].values())

    def moment_problems(self, key: str, moment: Moment) -> Iterator[Problem]:
        """A moment must still be played. Moments are compared by turn, then by order of play."""
        last = self.last
        if last is None or not {moment.side, last.side} <= self.forces.keys():
            return
        order = list(self.forces)
        if (moment.turn, order.index(moment.side)) > (last.turn, order.index(last.side)):
            message = f"{moment} comes after the end, {last}; name that or an earlier."
            # Not reported where the end itself is wrong (``measured_by``).
            yield Problem(key, message, measured_by="ends_after")


def names_of(scenario: Scenario, catalog: Catalog, book: PlasticRulingBook) -> Names:
    """What the parts of this scenario may name."""
    sound_variants = []
    for variant in scenario.variants:
        # What is wrong with the others is reported by ``_variant_problems``.
        if variant.of in catalog.units and variant.ranges.keys() <= catalog.weapons.keys():
            sound_variants.append(variant)
    changed = catalog.with_variants(sound_variants)
    forces: dict[str, dict[str, dict[str, int]]] = {}
    # In the order of play, by which moments of the same turn are compared.
    for side in sorted(scenario.sides, key=lambda side: side.id != scenario.moves_first):
        forces[side.id] = {part.id: part.most_units() for part in side.contingents}
    by_kind: dict[str, Collection[str]] = {
        "side": forces,
        "nation": catalog.nations,
        "unit": changed.units,
        "own unit": changed.units,
        "enemy unit": changed.units,
        "guy or unit": ("guy", *changed.units),
        "work": changed.works,
        "weapon": catalog.weapons,
        "ruling": book.rulings,
        "footnote": [note.mark for note in scenario.footnotes],
        "rule": [rule.name for rule in scenario.special_rules],
    }
    if scenario.map is not None:
        # Without a map, letters and marks mean places that the players agree on.
        by_kind |= {"zone": scenario.map.letters, "mark": scenario.map.marked}
    return Names(
        units=changed.units,
        forces=forces,
        last=scenario.ends_after,
        by_kind=by_kind,
        rulings=list(book.rulings),
    )


def repeated_words(key: str, words: Iterable[str]) -> Iterator[Problem]:
    """Each word that stands there more than once."""
    for word, times in Counter(words).items():
        if times > 1:
            yield Problem(key, f"{word!r} stands there twice; each may stand there once.")
