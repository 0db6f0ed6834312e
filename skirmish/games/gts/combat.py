"""Troop quality checks and shots as pure functions: every modifier with its reason, the number that
is needed, the exact chances, the result.

Boxes such as D1 or I14 are those of the charts in ``data/gts/charts.toml``, rulings such as G1
those in ``data/gts/rulings.toml``; other names are headings of the rules summary.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.games.gts.rolls import ROLLS, is_within, passes
from skirmish.games.gts.ruleset import (
    ASSAULT_MODES,
    MISS,
    GtsRules,
    GtsTables,
    Mode,
    is_terrain,
    terrain_id,
)
from skirmish.tabletop.companion.modifiers import Shift, Sum
from skirmish.tabletop.companion.result_table import ResultTable
from skirmish.tabletop.data_file import Strict

Rating = Annotated[int, msgspec.Meta(ge=-30, le=30)]
Count = Annotated[int, msgspec.Meta(ge=0, le=99)]
"""The numbers that a question may give, far beyond any that is printed."""
Barrage = Literal["light", "heavy"]
Zone = Literal["", "to_zone", "left"]
"""How a target of opportunity fire moved: from one fire zone into another, or out of them; empty if
it did neither."""
HIGHEST_RATING_OF_LIGHT_BARRAGE = 5
"""The highest rating whose indirect fire leaves a light barrage (I14)."""
MASSES = (8, 6, 4)
"""The steps in the hex of a target from which each modifier for mass counts, the highest first."""
HIGH_GROUND_MODIFIERS = ("hill", "hill_armored", "ridge", "ridge_armored")
"""Modifiers of the rules that count as terrain, as woods do."""


class CheckFacts(Strict, frozen=True, kw_only=True):
    """What counts in a troop quality check."""

    rating: Rating
    out_of_command: bool = False
    suppressed: bool = False
    cohesion: Literal[0, 1, 2] = 0
    """Its cohesion hits."""
    step_loss: bool = False
    improved: bool = False
    """Whether it is in an improved position."""
    entrenched: bool = False
    bocage: bool = False
    barrage: Barrage | None = None
    hero: bool = False
    more: Rating = 0
    """What else is added to the rating: 1 for each Men at Work or Rallying marker, or the
    difference of the defenses in a bravery check."""


class Firer(Strict, frozen=True, kw_only=True):
    """A unit that fires, as far as its markers and its hex count."""

    column: bool = False
    cohesion: Literal[0, 1, 2] = 0
    """Its cohesion hits."""
    step_loss: bool = False
    entrenched: bool = False
    bocage: bool = False
    suppressed: bool = False
    barrage: Barrage | None = None
    near: bool = False
    """Whether an enemy was adjacent as the action began."""
    park: bool = False
    """Whether it is in an artillery park."""


class Target(Strict, frozen=True, kw_only=True):
    """A unit that is fired at, as far as its counter, its markers and its hex count."""

    defense: Rating = 0
    """Its defense rating, which is added to the rating of the shot."""
    armored: bool = False
    """Whether its defense rating is on black."""
    terrain: str = ""
    """The name of its terrain on the owner's card; empty for open ground."""
    column: bool = False
    ip: bool = False
    """Whether it is in an improved position."""
    entrenched: bool = False
    hill: bool = False
    ridge: bool = False


class ShotFacts(Strict, frozen=True, kw_only=True):
    """A shot at one unit."""

    mode: Mode
    color: str
    rating: Rating
    company_bonus: bool = False
    range: Count | None = None
    """In hexes; None: nobody has said how many. Then no distance counts."""
    max_range: Count | None = None
    """The longest range in hexes; None: the counter prints none."""
    target: Target = Target()
    mass: Count | None = None
    """The steps in the hex of the target; None: nobody has counted them."""
    firer: Firer = Firer()
    night: bool = False
    fog: bool = False
    rain: bool = False
    zone: Zone = ""
    running: bool = False
    """Whether the target runs from an assault."""
    counter_battery: bool = False
    plain: bool = False
    """Whether no modifier counts, as in the fire of obstacles or of the sea at landing craft."""
    empty: bool = False
    """Whether it is at an empty hex."""

    @property
    def hexes(self) -> int:
        """Its range; 1 where nobody gave one."""
        if self.range is None:
            return 1
        return self.range

    @property
    def max_hexes(self) -> int:
        """Its longest range; 1 where the counter prints none, which a question may also give as 0.
        So the rules have it for direct fire."""
        return self.max_range or 1

    @property
    def direct(self) -> bool:
        """Whether it is direct fire; opportunity fire is."""
        return self.mode in ("direct", "op")


# ------------------------------------------------------------------ troop quality


def check_sum(
    tables: GtsTables, rules: GtsRules, facts: CheckFacts, *, added: str = "markers"
) -> Sum:
    """The modified troop quality. ``added``: what ``more`` is, in the words of the explanation."""
    # These two are printed in the rules; all others stand on the card.
    printed = []
    if facts.out_of_command:
        printed.append(Shift("out of command", -1))
    if facts.more:
        printed.append(Shift(added, facts.more))
    total = tables.sum(facts.rating, [*_check_modifiers(facts)], rules.name)
    return replace(total, lines=(*printed, *total.lines))


def _check_modifiers(facts: CheckFacts) -> Iterator[str]:
    """The ids of the modifiers of a check that stand on the card."""
    if facts.suppressed:
        yield "check_suppressed"
    if facts.step_loss:
        yield "check_step_loss"
    if facts.improved:
        yield "check_improved"
    if facts.entrenched:
        yield "check_entrenched"
    if facts.bocage:
        yield "check_bocage"
    if facts.hero:
        yield "check_hero"
    # A single cohesion hit does not change a check.
    if facts.cohesion == 2:
        yield "check_cohesion_2"
    if facts.barrage is not None:
        yield f"check_{facts.barrage}_barrage"


# ------------------------------------------------------------------ the modifiers of fire


def fire_sum(tables: GtsTables, rules: GtsRules, shot: ShotFacts) -> Sum:
    """The modified fire rating, with the modifiers that the owner's card has yet to give."""
    if shot.plain:
        return Sum(rating=shot.rating)
    lines: list[Shift] = []
    missing: list[str] = []
    if shot.target.defense and not shot.empty:
        lines.append(Shift("defense", shot.target.defense))
    for id in _counted_modifiers(rules, shot):
        value = tables.values.get(id)
        if value is None:
            missing.append(id)
        else:
            lines += _modifier_lines(rules, shot, id, value)
    return Sum(rating=shot.rating, lines=tuple(lines), missing=tuple(missing))


def _modifier_lines(rules: GtsRules, shot: ShotFacts, id: str, value: int) -> list[Shift]:
    """The line of one modifier; none where it does not count after all."""
    name = rules.name(id)
    if id == "each_hex":
        # The value is for each hex beyond the first.
        return [Shift("range", value * (shot.hexes - 1))]
    if id not in HIGH_GROUND_MODIFIERS and not is_terrain(id):
        return [Shift(name, value)]
    # What terrain takes off the rating, hills and ridges included, does not count for a target in
    # column (Other Actions), nor in the fire of those who are assaulted (A15).
    gives_no_protection = shot.target.column or shot.mode == "defense"
    # A terrain with the value 0 has no modifier, and so no line either.
    if value == 0 or (value < 0 and gives_no_protection):
        return []
    return [Shift(name, value)]


def _counted_modifiers(rules: GtsRules, shot: ShotFacts) -> list[str]:
    """The ids of all modifiers that the facts call for and that count in this kind of fire."""
    ids = [*_firer_modifiers(shot), *_condition_modifiers(shot)]
    if not shot.empty:
        ids += [*_target_modifiers(shot), *_range_modifiers(shot), *_mass_modifiers(shot)]
    counted = []
    for id in ids:
        # A modifier of which the data name no mode counts in all fire.
        modes = rules.values[id].modes
        if not modes or shot.mode in modes:
            counted.append(id)
    # The terrain of a hex is no modifier of the rules but one of the card, and counts in all fire.
    if shot.target.terrain and not shot.empty:
        counted.append(terrain_id(shot.target.terrain, armored=shot.target.armored))
    return counted


def _firer_modifiers(shot: ShotFacts) -> Iterator[str]:
    """The ids of the modifiers of the firer: its company bonus and its markers."""
    firer = shot.firer
    if shot.company_bonus:
        yield "company_bonus"
    if firer.column:
        yield "firer_column"
    if firer.cohesion:
        yield f"cohesion_{firer.cohesion}"
    if firer.step_loss:
        yield "step_loss"
    if firer.entrenched:
        yield "firer_entrenched"
    if firer.bocage:
        yield "bocage"
    if firer.barrage is not None:
        yield f"{firer.barrage}_barrage"
    # Only for the shots of an assault (A15): elsewhere a suppressed unit does not fire.
    if firer.suppressed and shot.mode in ASSAULT_MODES:
        yield "assault_suppressed"


def _condition_modifiers(shot: ShotFacts) -> Iterator[str]:
    """The ids of the modifiers of light, weather and the occasion of the shot."""
    if shot.night:
        yield "night"
    if shot.fog:
        yield "fog"
    if shot.rain:
        yield "rain"
    if shot.zone == "to_zone":
        yield "zone_to_zone"
    if shot.zone == "left":
        yield "zone_left"
    if shot.running:
        yield "running"
    if shot.counter_battery:
        yield "counter_battery"


def _target_modifiers(shot: ShotFacts) -> Iterator[str]:
    """The ids of the modifiers of the target: its markers, a hill or a ridge."""
    target = shot.target
    if target.column:
        yield "target_column"
    if target.ip:
        yield "improved"
    if target.entrenched:
        yield "entrenched"
    for high_ground, is_there in (("hill", target.hill), ("ridge", target.ridge)):
        if is_there and target.armored:
            yield f"{high_ground}_armored"
        elif is_there:
            yield high_ground


def _range_modifiers(shot: ShotFacts) -> Iterator[str]:
    """The id of the modifier of the range. Against a soft target each hex counts; against a hard
    one it only matters whether the range is the longest of the firer or a shorter one."""
    if shot.hexes <= 1:
        return
    # Here an entrenched target is a hard one in opportunity fire, too. Only the half of the fire
    # table differs there (G7).
    is_hard = shot.target.armored or shot.target.entrenched
    if not is_hard:
        yield "each_hex"
    elif shot.hexes >= shot.max_hexes:
        yield "farthest"
    else:
        yield "between"


def _mass_modifiers(shot: ShotFacts) -> Iterator[str]:
    """The id of the modifier of the steps in the target's hex. A hex without a step has one of its
    own; from 1 to 3 steps there is none."""
    if shot.mass is None:
        return
    if shot.mass == 0:
        yield "mass_0"
        return
    for least in MASSES:
        if shot.mass >= least:
            yield f"mass_{least}"
            return


# ------------------------------------------------------------------ the result of fire


class ShotOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The expected or actual result of a shot."""

    sum: Sum
    table: str
    """The id of the half of the fire table that it uses: ``armored`` or ``unarmored``."""
    color: str
    """The color under which its result stands: a row of the printed table, a column of ours."""
    chances: dict[str, Fraction]
    """The chance of each result; ``UNKNOWN`` stands for all that are not typed in."""
    roll: int | None = None
    """None before the roll."""
    hit: bool | None = None
    """None before the roll."""
    result: str | None = None
    """None before the roll, and for a cell that is not typed in."""


UNKNOWN = "?"
"""Stands among chances for the cells that are not typed in."""


def fire(
    tables: GtsTables, rules: GtsRules, shot: ShotFacts, roll: int | None = None
) -> ShotOutcome:
    """A shot; without a ``roll`` only its chances, as far as the cells are known (D6 to D10)."""
    total = fire_sum(tables, rules, shot)
    column = _FireColumn(
        table=_half_of_table(tables, shot),
        color=_column_color(rules, shot),
        needs=total.needs,
        may_hit=not shot.empty,
        literal=rules.less_than_is_literal,
    )
    expected = ShotOutcome(
        sum=total,
        table=column.table.id,
        color=column.color,
        chances=column.chances([*rules.results, UNKNOWN]),
    )
    if roll is None:
        return expected
    return replace(expected, roll=roll, hit=column.hits(roll), result=column.result(roll))


def _half_of_table(tables: GtsTables, shot: ShotFacts) -> ResultTable:
    """The half of the fire table for the target of a shot."""
    # G7: an entrenched unit counts as armored, but not against opportunity fire.
    entrenched = shot.target.entrenched and shot.mode != "op"
    if shot.target.armored or entrenched:
        return tables.armored
    return tables.unarmored


def _column_color(rules: GtsRules, shot: ShotFacts) -> str:
    """The color of the column in which the result of a shot stands."""
    # D10: indirect high explosive that fires directly uses the results of yellow.
    if shot.mode == "indirect":
        return shot.color
    color_of_direct_fire = rules.colors[shot.color].color_of_direct_fire
    return color_of_direct_fire or shot.color


class _FireColumn(NamedTuple):
    """The results of one color on one half of the fire table, for a shot that needs a number."""

    table: ResultTable
    color: str
    needs: int
    may_hit: bool
    """False at an empty hex, where nobody is hit."""
    literal: bool
    """Whether ruling G1 reads “<” to the letter."""

    def hits(self, roll: int) -> bool:
        """Whether a roll hits."""
        return self.may_hit and passes(self.needs, roll, literal=self.literal)

    def result(self, roll: int) -> str | None:
        """The result of a roll; None for a cell that is not typed in."""
        if not self.hits(roll):
            return MISS
        return self.table.cell(self.table.index_of_column(self.color), roll)

    def chances(self, order: Iterable[str]) -> dict[str, Fraction]:
        """The chance of each result that is possible, in this order."""
        counts = dict.fromkeys(order, 0)
        for roll in ROLLS:
            result = self.result(roll) or UNKNOWN
            # A result that the order does not name comes last.
            counts[result] = counts.get(result, 0) + 1
        return {result: Fraction(count, len(ROLLS)) for result, count in counts.items() if count}


def barrage(tables: GtsTables, rules: GtsRules, shot: ShotFacts) -> Barrage:
    """The marker that indirect fire leaves, by the rating with the firer's own markers and the
    company bonus (I14). After a roll of 9 there is none, and this is not asked."""
    modified_rating = tables.sum(shot.rating, _firer_modifiers(shot), rules.name).needs
    literal = rules.less_than_is_literal
    if is_within(modified_rating, HIGHEST_RATING_OF_LIGHT_BARRAGE, literal=literal):
        return "light"
    return "heavy"
