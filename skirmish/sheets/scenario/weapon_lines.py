"""What a scenario sheet tells of each weapon of the scenario: who fires it, how far, what kills,
and what changes that. Every figure is that of a shot which the rules of the game resolve; none is
written here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.pack import one_shot
from skirmish.games.plastic.odds.rounding import percent
from skirmish.games.plastic.rules.catalog import Catalog, UnitType, Weapon
from skirmish.games.plastic.rules.firing_table import NONE, weapons_with_holders
from skirmish.games.plastic.rules.shot import Aim, Circumstances, Shot, ranks_that_hit
from skirmish.games.plastic.rules.shot import aim as aim_by_rules
from skirmish.games.plastic.scenarios.happenings import AskAtSetup, DrawTable
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets import inks
from skirmish.sheets.inks import SideInk
from skirmish.sheets.scenario.forces import proposed_units

OUT_OF_CONTACT = Circumstances(distance=1)
"""An inch is in range of every weapon, and nothing that a sheet tells of a weapon changes with the
distance."""
FROM_BEHIND = Circumstances(distance=1, rear=True)
"""Out of contact, from behind the target."""
IN_CONTACT = Circumstances(touching=True, phase=4)
"""In contact, in phase 4, one of the two in which those who touch fight."""


class KillChance(NamedTuple):
    """What kills one kind of target; both texts are empty where the weapon may not fire at it."""

    ranks: str
    """The ranks of the cards that hit, such as ``A-5``."""
    share: str
    """The share of the cards of a fresh deck that hit, such as ``42%``."""
    only_touching: bool = False
    """Whether the weapon may fire at it only in contact."""


class KillChances(NamedTuple):
    """What a weapon needs at each kind of target, in the order of the columns of the strip."""

    guys: KillChance
    tanks: KillChance
    pillboxes: KillChance
    unarmored: KillChance


class WeaponHolder(NamedTuple):
    """A unit that has a weapon."""

    unit: UnitType
    look: SideInk
    """That of its side; black if both sides have the unit."""


class StripLine(NamedTuple):
    """A weapon, the units that have it, of which there is at least one, and what the strip tells of
    it."""

    weapon: Weapon
    holders: Sequence[WeaponHolder]
    chances: KillChances
    in_cover: str
    """In words, what cover changes."""
    repeat: str
    """At whom repeat fire may go on: ``6″ of last man``, or a dash for nobody."""
    op_fire: str
    """``yes``, as every weapon may fire in the enemy's turn; ``pins`` if that fire pins."""

    @property
    def shooter(self) -> UnitType:
        """The first holder, for whom the shots are resolved."""
        return self.holders[0].unit


def weapon_lines(
    scenario: Scenario,
    catalog: Catalog,
    rulings: Mapping[str, str],
    looks: Mapping[str, SideInk],
) -> list[StripLine]:
    """A line for each weapon of both sides, in the order of the rules. ``looks``: the look of each
    side."""
    holders = _holders_by_weapon(scenario, catalog, rulings, looks)
    shots = TypicalShots(catalog, rulings)
    lines = []
    for weapon in catalog.weapons.values():
        if weapon.id in holders:
            lines.append(_strip_line(weapon, holders[weapon.id], shots))
    return lines


def _holders_by_weapon(
    scenario: Scenario,
    catalog: Catalog,
    rulings: Mapping[str, str],
    looks: Mapping[str, SideInk],
) -> dict[str, list[WeaponHolder]]:
    """The units that have each weapon, by its id: each unit once, even if both sides have it."""
    # The look of each unit by its id, for each weapon by its id.
    looks_by_weapon: dict[str, dict[str, SideInk]] = {}
    for side in scenario.order_of_play():
        units = [catalog.units[unit_id] for unit_id in unit_ids_of(scenario, side)]
        for weapon, units_with_it in weapons_with_holders(units, catalog, rulings):
            look_by_unit = looks_by_weapon.setdefault(weapon.id, {})
            for unit in units_with_it:
                look = looks[side]
                # The other side has it, too: black is neither's ink, and the symbol is solid or
                # hollow as that of the side that moves second.
                if unit.id in look_by_unit:
                    look = SideInk(inks.BLACK, look.solid)
                look_by_unit[unit.id] = look
    holders = {}
    for weapon_id, look_by_unit in looks_by_weapon.items():
        holders[weapon_id] = [
            WeaponHolder(catalog.units[unit_id], look) for unit_id, look in look_by_unit.items()
        ]
    return holders


class TypicalShots:
    """Resolves shots by the rules of the game, at one target of each kind that has a column."""

    def __init__(self, catalog: Catalog, rulings: Mapping[str, str]) -> None:
        self.catalog, self.rulings = catalog, rulings
        self.deck = packs.fresh(rulings)
        # The first unit of each kind in the rules stands for all of its kind.
        units = catalog.units.values()
        self.guy = next(unit for unit in units if unit.is_guy)
        self.tank = next(unit for unit in units if "tank" in unit.tags)
        self.pillbox = next(unit for unit in units if "pillbox" in unit.tags)
        self.unarmored = next(unit for unit in units if unit.kind == "unarmored")

    def aim(
        self, shooter: UnitType, weapon: Weapon, target: UnitType, circumstances: Circumstances
    ) -> Aim:
        """What a shot needs, and what would save its target."""
        # Traits of nations are left out: they are optional, and a line of the strip is for both
        # sides.
        shot = Shot(
            shooter=shooter,
            weapon=weapon,
            target=target,
            circumstances=circumstances,
            nation=None,
        )
        return aim_by_rules(shot, self.catalog, self.rulings)

    def chances(self, shooter: UnitType, weapon: Weapon) -> KillChances:
        """What kills targets of each kind."""
        return KillChances(
            guys=self._chance(shooter, weapon, self.guy),
            tanks=self._chance(shooter, weapon, self.tank),
            pillboxes=self._chance(shooter, weapon, self.pillbox),
            unarmored=self._chance(shooter, weapon, self.unarmored),
        )

    def _chance(self, shooter: UnitType, weapon: Weapon, target: UnitType) -> KillChance:
        """What kills such a target: in contact, if the weapon may fire at it only there; else from
        afar."""
        kill = weapon.against(target.kind)
        if kill is None:  # the weapon may not fire at it
            return KillChance("", "")
        circumstances = OUT_OF_CONTACT
        if kill.touch:
            circumstances = IN_CONTACT
        aimed = self.aim(shooter, weapon, target, circumstances)
        share = f"{percent(one_shot(aimed, self.deck).hit)}%"
        return KillChance(ranks_that_hit(aimed.needs), share, only_touching=kill.touch)

    def is_helped_by_cover(self, shooter: UnitType, weapon: Weapon) -> bool:
        """Whether cover can save a target of the weapon from afar. The target is a guy if the
        weapon may fire at guys, since they are the ones who take cover; else another that it may
        fire at."""
        covered = Circumstances(distance=1, cover=True)
        # One of each kind: a pillbox is armored, as a tank is.
        for target in (self.guy, self.unarmored, self.tank):
            kill = weapon.against(target.kind)
            if kill and not kill.touch:
                return bool(self.aim(shooter, weapon, target, covered).saves)
        return False


def _strip_line(weapon: Weapon, holders: Sequence[WeaponHolder], shots: TypicalShots) -> StripLine:
    """The figures of a weapon, as its first holder fires it."""
    shooter = holders[0].unit
    in_cover = "no help"
    if shots.is_helped_by_cover(shooter, weapon):
        in_cover = "black misses"
    repeat = NONE  # the dash of the firing table, here for a weapon without repeat fire
    if weapon.guys and not weapon.guys.touch:
        repeat_fire = shots.aim(shooter, weapon, shots.guy, OUT_OF_CONTACT).repeat
        if repeat_fire:
            repeat = f"{repeat_fire.within}″ of {repeat_fire.of} man"
    op_fire = "yes"
    if weapon.pins:
        op_fire = "pins"
    chances = shots.chances(shooter, weapon)
    return StripLine(weapon, holders, chances, in_cover, repeat, op_fire)


def unit_ids_of(scenario: Scenario, side: str) -> list[str]:
    """The ids of the units that a side may have: those of its contingents, those that the proposed
    answers to the questions of set-up add, and those that it may draw."""
    ids: list[str] = []
    for contingent in scenario.side(side).contingents:
        ids += contingent.most_units().keys()
    for happening in scenario.happenings:
        if isinstance(happening, AskAtSetup) and happening.side == side:
            ids += proposed_units(happening).keys()
        if isinstance(happening, DrawTable) and happening.side == side:
            for row in happening.rows:
                if row.units:  # the other rows bring no units of their own
                    ids += row.units.keys()
    return _each_once(ids)


def scenario_units(scenario: Scenario, catalog: Catalog) -> list[UnitType]:
    """The units of both sides, each once."""
    ids: list[str] = []
    for side in scenario.order_of_play():
        ids += unit_ids_of(scenario, side)
    return [catalog.units[unit_id] for unit_id in _each_once(ids)]


def _each_once(ids: Iterable[str]) -> list[str]:
    """The ids in the order in which each comes first."""
    return list(dict.fromkeys(ids))


def reach_of(weapon: Weapon) -> int:
    """The range of a weapon in inches; of one that has another range at guys, that at guys."""
    if weapon.guys and weapon.guys.range:
        return weapon.guys.range
    return weapon.range
