"""The weapons of a scenario on one strip: who fires them, how far, what kills, what changes that.

Every figure is that of a shot which the rules of the game resolve; none is written here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.pack import one_shot
from skirmish.games.plastic.odds.rounding import percent
from skirmish.games.plastic.rules.catalog import Catalog, UnitType, Weapon
from skirmish.games.plastic.rules.firing_table import NONE, fired_by
from skirmish.games.plastic.rules.shot import (
    Aim,
    Circumstances,
    Shot,
    aim,
    may_be_hull_down,
    ranks_that_hit,
    target_kind,
)
from skirmish.games.plastic.scenarios.scenario import AskAtSetup, DrawTable, Scenario
from skirmish.sheets import inks
from skirmish.sheets.inks import SideInk
from skirmish.sheets.layout.drawing import Canvas, Drawing, rule
from skirmish.sheets.layout.flow import Flowable
from skirmish.sheets.layout.fonts import BOLD, LABEL, MEDIUM
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.symbols import Symbol
from skirmish.sheets.layout.text import (
    PlacedLine,
    fitted,
    paragraph,
    shrunk,
    write,
    write_all,
)
from skirmish.sheets.paper import ROW, STEP

_FAR = Circumstances(distance=1)
_BEHIND = Circumstances(distance=1, rear=True)
_TOUCHING = Circumstances(touching=True, phase=4)
_COLUMNS = {
    "": 0.0,
    "fired by": 0.118,
    "range": 0.275,
    "guys": 0.375,
    "tanks": 0.462,
    "pillboxes": 0.549,
    "unarmored": 0.645,
    "in cover": 0.74,
    "repeat fire": 0.828,
    "op fire": 0.935,
}
"""Where the columns begin, as shares of the width."""
_TARGETS = ("guys", "tanks", "pillboxes", "unarmored")
"""The columns of chances, in the order of those of a line."""
_TITLE = Style(LABEL, 7.2, 7.2, ink=inks.QUIET)
_NUMBER = Style(BOLD, 8.4, 8.4)
_WORDS = Style(MEDIUM, 8, 8)
_SHARE = Style(MEDIUM, 7, 7, ink=inks.QUIET)
_METRIC = _SHARE._replace(size=7.4)
_SIGN_STEP = 13.4
"""Points from the symbol of a unit to the next."""
_NAMED_BY_STRIP = {"tank", "tiger", "pillbox"}
"""Tags of armored units that have a column or a sentence of their own."""
_LEAST_NAME = 6.6
"""The smallest type size of a weapon's name."""


class KillChance(NamedTuple):
    """The ranks that kill one kind of target, ``A-5``, and the share of a fresh deck that does;
    ``touching``: only in contact. Both are empty where the weapon may not fire at it."""

    needs: str
    share: str
    touching: bool = False


class WeaponHolder(NamedTuple):
    """A unit that has a weapon, in the ink of its side; in black if both sides have it."""

    unit: UnitType
    look: SideInk


class StripLine(NamedTuple):
    """A weapon with the units that have it, and its figures: against guys, tanks, pillboxes and
    unarmored models."""

    weapon: Weapon
    holders: Sequence[WeaponHolder]
    chances: Sequence[KillChance]
    in_cover: str
    repeat: str
    op_fire: str

    @property
    def shooter(self) -> UnitType:
        """The first of them, for whom the shots are resolved."""
        return self.holders[0].unit


def weapon_lines(
    scenario: Scenario,
    catalog: Catalog,
    rulings: Mapping[str, str],
    looks: Mapping[str, SideInk],
) -> list[StripLine]:
    """The weapons of both sides in the order of the rules."""
    holders: dict[str, dict[str, SideInk]] = {}
    for side in scenario.order_of_play():
        units = [catalog.units[unit] for unit in units_of(scenario, side)]
        for weapon, units_with_it in fired_by(units, catalog, rulings):
            look_of_unit = holders.setdefault(weapon.id, {})
            for unit in units_with_it:
                look = looks[side]
                if unit.id in look_of_unit:
                    # Both sides have it: in the ink of neither.
                    look = SideInk(inks.BLACK, look.solid)
                look_of_unit[unit.id] = look
    table = _ShotTable(catalog, rulings)
    lines = []
    for weapon in catalog.weapons.values():
        if weapon.id in holders:
            looks_of_units = holders[weapon.id].items()
            have_it = [WeaponHolder(catalog.units[unit], look) for unit, look in looks_of_units]
            lines.append(table.line(weapon, have_it))
    return lines


def units_of(scenario: Scenario, side: str) -> list[str]:
    """The units a side may have: of its contingents, of what is settled, of what it draws."""
    units: dict[str, None] = {}  # a set that keeps the order
    for contingent in scenario.side(side).contingents:
        units.update(dict.fromkeys(contingent.most()))
    for happening in scenario.happenings:
        match happening:
            case AskAtSetup(side=own, proposal=dict(counts)) if own == side:
                units.update(dict.fromkeys(counts))
            case DrawTable(side=own) if own == side:
                for row in happening.rows:
                    units.update(dict.fromkeys(row.units or {}))
    return list(units)


def scenario_units(scenario: Scenario, catalog: Catalog) -> list[UnitType]:
    """The units of both sides, each once."""
    ids: list[str] = []
    for side in scenario.order_of_play():
        ids += units_of(scenario, side)
    return [catalog.units[id] for id in dict.fromkeys(ids)]


class _ShotTable:
    """Resolves shots at one target of each kind."""

    def __init__(self, catalog: Catalog, rulings: Mapping[str, str]) -> None:
        self.catalog, self.rulings = catalog, rulings
        self.deck = packs.fresh(rulings)
        self.guy = self._target(lambda unit: unit.is_guy)
        self.tank = self._target(lambda unit: "tank" in unit.tags)
        self.pillbox = self._target(lambda unit: "pillbox" in unit.tags)
        self.unarmored = self._target(lambda unit: unit.kind == "unarmored")

    def _target(self, is_such: Callable[[UnitType], bool]) -> UnitType:
        return next(unit for unit in self.catalog.units.values() if is_such(unit))

    def line(self, weapon: Weapon, holders: Sequence[WeaponHolder]) -> StripLine:
        shooter = holders[0].unit
        targets = self.guy, self.tank, self.pillbox, self.unarmored
        chances = [self._chance(shooter, weapon, target) for target in targets]
        cover = "no help"
        if self._is_helped_by_cover(shooter, weapon):
            cover = "black misses"
        repeat = NONE
        if weapon.guys and not weapon.guys.touch:
            repeat_fire = self._aim(shooter, weapon, self.guy, _FAR).repeat
            if repeat_fire:
                repeat = f"{repeat_fire.within}″ of {repeat_fire.of} man"
        op_fire = "yes"
        if weapon.pins:
            op_fire = "pins"
        return StripLine(weapon, holders, chances, cover, repeat, op_fire)

    def _chance(self, shooter: UnitType, weapon: Weapon, target: UnitType) -> KillChance:
        kill = weapon.against(target.kind)
        if kill is None:
            return KillChance("", "")
        circumstances = _FAR
        if kill.touch:
            circumstances = _TOUCHING
        shot = self._aim(shooter, weapon, target, circumstances)
        share = f"{percent(one_shot(shot, self.deck).hit)}%"
        return KillChance(ranks_that_hit(shot.needs), share, kill.touch)

    def _is_helped_by_cover(self, shooter: UnitType, weapon: Weapon) -> bool:
        covered = Circumstances(distance=1, cover=True)
        for target in (self.guy, self.unarmored, self.tank):
            kill = weapon.against(target.kind)
            if kill and not kill.touch:
                return bool(self._aim(shooter, weapon, target, covered).saves)
        return False

    def behind_a_tank(self, shooter: UnitType, weapon: Weapon) -> str:
        """What is needed from behind a tank, if that differs."""
        if weapon.armored is None or weapon.armored.touch:
            return ""
        ahead = self._aim(shooter, weapon, self.tank, _FAR).needs
        behind = self._aim(shooter, weapon, self.tank, _BEHIND).needs
        if behind == ahead:
            return ""
        return ranks_that_hit(behind)

    def at_heavier(self, shooter: UnitType, weapon: Weapon, target: UnitType) -> str:
        """What is needed at a model with more armor than a tank, such as a Tiger, from ahead and
        from behind; empty for others."""
        if weapon.armored is None or weapon.armored.touch or target.kind != "armored":
            return ""
        needs = self._aim(shooter, weapon, target, _FAR).needs
        if needs >= self._aim(shooter, weapon, self.tank, _FAR).needs:
            return ""
        behind = self._aim(shooter, weapon, target, _BEHIND).needs
        return f"{ranks_that_hit(needs)}, from behind {ranks_that_hit(behind)}"

    def in_contact(self, shooter: UnitType, weapon: Weapon) -> str:
        """What is needed at guys in contact, if that differs."""
        if weapon.guys is None or weapon.guys.touch:
            return ""
        far = self._aim(shooter, weapon, self.guy, _FAR)
        near = self._aim(shooter, weapon, self.guy, _TOUCHING)
        if near.needs == far.needs and bool(near.repeat) == bool(far.repeat):
            return ""
        words = ranks_that_hit(near.needs)
        if far.repeat and not near.repeat:
            words += ", once"
        return words

    def _aim(
        self, shooter: UnitType, weapon: Weapon, target: UnitType, circumstances: Circumstances
    ) -> Aim:
        # Traits of nations are optional, and a line of the strip is for both sides.
        shot = Shot(shooter=shooter, weapon=weapon, target=target, at=circumstances, nation=None)
        return aim(shot, self.catalog, self.rulings)


def weapon_notes(
    lines: Sequence[StripLine],
    units: Sequence[UnitType],
    catalog: Catalog,
    rulings: Mapping[str, str],
    style: Style,
) -> Flowable:
    """What the strip has no column for: contact, hull down, a tank's rear."""
    table = _ShotTable(catalog, rulings)
    sentences = []
    if any(chance.touching for line in lines for chance in line.chances):
        sentences.append("* Only touching (phases 3, 4).")
    if any(may_be_hull_down(unit, rulings) and not unit.water_move for unit in units):
        sentences.append(
            "Hull down (vehicle or cannon behind works, wall, crest): black misses, any weapon."
        )
    for line in lines:
        sentences += _notes_on_weapon(line, _units_on_strip(lines), table)
    sentences += _shared_notes("In contact with guys", lines, table.in_contact)
    if any("tank" in unit.tags for unit in units):
        sentences += _shared_notes(
            "From behind the line of a tank's rear", lines, table.behind_a_tank
        )
    return paragraph(" ".join(sentences), style)


def _notes_on_weapon(
    line: StripLine, targets: Sequence[UnitType], table: _ShotTable
) -> Iterator[str]:
    """What is true of one weapon alone: its chances at heavy models, and its two ranges."""
    for target in targets:
        needed = table.at_heavier(line.shooter, line.weapon, target)
        if needed:
            yield f"{line.weapon.name} at {target.short}: {needed}."
    reach = _reach(line.weapon)
    if reach != line.weapon.range:
        yield f"{line.weapon.name}: {reach}″ at guys, {line.weapon.range}″ at models."


def _shared_notes(
    lead: str, lines: Sequence[StripLine], needed_by: Callable[[UnitType, Weapon], str]
) -> Iterator[str]:
    """A sentence for each number that is needed, with all weapons that need it."""
    weapons: dict[str, list[str]] = {}
    for line in lines:
        needed = needed_by(line.shooter, line.weapon)
        if needed:
            weapons.setdefault(needed, []).append(line.weapon.name.lower())
    for needed, names in weapons.items():
        yield f"{lead}, {listed(names)}: {needed}."


def strip_aside(units: Iterable[UnitType], rulings: Mapping[str, str]) -> str:
    """What the figures are, and for which other models the columns hold: ``... · as tanks:
    Halftrack · unarmored: Truck``."""
    parts = ["kills on these ranks; share of a fresh deck"]
    armored, unarmored = [], []
    for unit in units:
        kind = target_kind(unit, rulings)
        if kind == "unarmored":
            unarmored.append(unit.short)
        elif kind == "armored" and not _NAMED_BY_STRIP.intersection(unit.tags):
            armored.append(unit.short)
    if armored:
        parts.append(f"as tanks: {', '.join(armored)}")
    if unarmored:
        parts.append(f"unarmored: {', '.join(unarmored)}")
    return " · ".join(parts)


def _units_on_strip(lines: Sequence[StripLine]) -> list[UnitType]:
    """The units that have any of the weapons, each once."""
    units = {}
    for line in lines:
        for holder in line.holders:
            units[holder.unit.id] = holder.unit
    return list(units.values())


def listed(names: Iterable[str]) -> str:
    """``Rifle, Mortar and Cannon``"""
    *first, last = names
    if not first:
        return last
    return f"{', '.join(first)} and {last}"


def _reach(weapon: Weapon) -> int:
    """Its range in inches; at guys where that is another."""
    if weapon.guys and weapon.guys.range:
        return weapon.guys.range
    return weapon.range


def _in_centimetres(inches: int) -> str:
    """At 2.5 cm to the inch, halves rounded up."""
    return f"{int(inches * 2.5 + 0.5)} cm"


class WeaponStrip(Drawing):
    """The strip below its head; a row a weapon, ``pitch`` points high."""

    def __init__(self, lines: Sequence[StripLine], pitch: float = 0.9 * ROW) -> None:
        self.lines, self.pitch = tuple(lines), pitch

    def height_at(self, width: float) -> float:
        return 2 * STEP + 1 + len(self.lines) * self.pitch

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        for title, share in _COLUMNS.items():
            write(canvas, x + share * width, top - 6.4, title, _TITLE)
        level = top - 2 * STEP - 1
        for line in self.lines:
            rule(canvas, x, x + width, level, 0.3, ink=inks.FAINT)
            self._paint_line(canvas, x, level - self.pitch / 2, width, line)
            level -= self.pitch
        rule(canvas, x, x + width, level, 0.3, ink=inks.FAINT)

    def _paint_line(
        self, canvas: Canvas, x: float, middle: float, width: float, line: StripLine
    ) -> None:
        begins = {title: x + share * width for title, share in _COLUMNS.items()}
        base = middle - 2.9
        # A long name is set smaller before it is cut.
        room = begins["fired by"] - x - 3
        name = shrunk(line.weapon.name, _NUMBER, room, _LEAST_NAME)
        write(canvas, x, base, fitted(line.weapon.name, name, room), name)
        self._paint_holders(canvas, begins["fired by"], middle, begins["range"], line.holders)
        lines = [
            PlacedLine(begins["range"], base, f"{_reach(line.weapon)}″", _NUMBER),
            PlacedLine(begins["range"] + 17, base, _in_centimetres(_reach(line.weapon)), _METRIC),
        ]
        for target, chance in zip(_TARGETS, line.chances, strict=True):
            begin = begins[target]
            needs = chance.needs or NONE
            if chance.touching:
                needs += "*"
            lines.append(PlacedLine(begin, base, needs, _NUMBER))
            lines.append(PlacedLine(begin + 22, base, chance.share, _SHARE))
        lines += [
            PlacedLine(begins["in cover"], base, line.in_cover, _WORDS),
            PlacedLine(begins["repeat fire"], base, line.repeat, _WORDS),
            PlacedLine(begins["op fire"], base, line.op_fire, _WORDS),
        ]
        write_all(canvas, lines)

    def _paint_holders(
        self,
        canvas: Canvas,
        x: float,
        middle: float,
        end: float,
        holders: Sequence[WeaponHolder],
    ) -> None:
        """The symbols of the units that have a weapon, as many as there is room for."""
        most = int((end - x) / _SIGN_STEP)
        for number, (unit, look) in enumerate(holders[:most]):
            canvas.saveState()
            canvas.translate(x + 6 + number * _SIGN_STEP, middle)
            canvas.scale(0.92, 0.92)
            Symbol(unit, look.ink, solid=look.solid).draw(canvas)
            canvas.restoreState()
