"""Checks, fire and dispatch points as pure functions: every modifier with its reason, the number
that is needed, the exact chances, the result. Queries of other programs use the same functions.

Boxes such as D1 or I14 are those of the charts in ``data/gts/charts.toml``, rulings such as G1
those in ``data/gts/rulings.toml``; other names are headings of the rules summary.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import replace

from skirmish.games.gts.ruleset import (
    ARMORED,
    ASSAULT_MODES,
    CAP,
    MISS,
    TERRAIN,
    GtsRules,
    GtsTables,
    Mode,
    Points,
)
from skirmish.tabletop.companion.result_table import Shift, Sum
from skirmish.tabletop.data_file import DataError, Problem, Strict, read_single_question, suggest
from skirmish.tabletop.presets import PresetBook

ROLLS = range(10)
"""All rolls of the die; a 0 is 0, not 10."""
HIGHEST_ROLL = 9
"""The highest roll."""
Rating = Annotated[int, msgspec.Meta(ge=-30, le=30)]
Count = Annotated[int, msgspec.Meta(ge=0, le=99)]
Roll = Annotated[int, msgspec.Meta(ge=0, le=9)]
Barrage = Literal["light", "heavy"]
Zone = Literal["", "to_zone", "left"]
"""How a target of opportunity fire moved: from one fire zone into another, or out of them."""
DIRECT_RANGE = 3
"""The range of direct fire, in hexes, of indirect high explosive, coastal batteries and dedicated
artillery."""
LEAST_INDIRECT_RANGE = 4
"""Hexes from an indirect firer that is no mortar to its target, at least (I2)."""
LIGHT_BARRAGE = 5
"""The highest rating whose indirect fire leaves a light barrage (I14)."""
MASSES = (8, 6, 4)
"""The steps in the hex of a target from which each modifier for mass counts, the highest first."""
SIGHT = 8
"""How many hexes are seen by day."""
NIGHT_SIGHT = {"two": 2, "three": 3}
"""How many hexes are seen at night, by the answers to ruling G27."""
NEVER_ASSAULT = ("green", "orange", "black", "brown")
"""The colors of units that never assault (A2)."""
ARMORED_SUFFIX = "_armored"
"""The end of the id of a modifier of hills and ridges that counts for armored targets. Those of
terrain end with ``ARMORED``, which has a space."""
TERRAIN_VALUES = ("hill", "hill_armored", "ridge", "ridge_armored")
"""Modifiers of the rules that count as terrain, as woods do."""
CHECK_MARKERS = ("suppressed", "step_loss", "improved", "entrenched", "bocage", "hero")
"""The fields of ``CheckFacts`` that are markers, each with a modifier of its name."""


class CheckFacts(Strict, frozen=True, kw_only=True):
    """What counts in a troop quality check. ``more``: what else is added to the rating, 1 for each
    Men at Work or Rallying marker, or the difference of the defenses in a bravery check."""

    rating: Rating
    out_of_command: bool = False
    suppressed: bool = False
    cohesion: Literal[0, 1, 2] = 0
    step_loss: bool = False
    improved: bool = False
    entrenched: bool = False
    bocage: bool = False
    barrage: Barrage | None = None
    hero: bool = False
    more: Rating = 0


class Firer(Strict, frozen=True, kw_only=True):
    """What markers and the hex say of a unit that fires."""

    column: bool = False
    cohesion: Literal[0, 1, 2] = 0
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
    """What its counter, its markers and the hex say of a unit that is fired at."""

    defense: Rating = 0
    armored: bool = False
    """Whether its defense rating is on black."""
    terrain: str = ""
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
    """In hexes; None: nobody says how many, which changes nothing."""
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
    """Whether no modifier counts."""
    empty: bool = False
    """Whether it is at an empty hex."""

    @property
    def hexes(self) -> int:
        """Its range; 1 where nobody gave one."""
        if self.range is None:
            return 1
        return self.range

    @property
    def direct(self) -> bool:
        """Whether it is direct fire; opportunity fire is."""
        return self.mode in ("direct", "op")


# ------------------------------------------------------------------ the die


def text_of(total: Sum) -> str:
    """``5, woods -2, mass +1: 4 or less``."""
    return f"{total.reasons}: {needed(total.needs)}"


def needed(number: int) -> str:
    """The rolls that are good enough: a 0 always is, a 9 never."""
    if number <= 0:
        return "0"
    return f"{min(number, HIGHEST_ROLL - 1)} or less"


def passes(needs: int, roll: int, *, literal: bool = False) -> bool:
    """0 passes and 9 fails, whatever is needed (Making a Troop Quality Check; D8 and D9)."""
    if roll == 0:
        return True
    if roll == HIGHEST_ROLL:
        return False
    return is_within(roll, needs, literal=literal)


def is_within(roll: int, number: int, *, literal: bool = False) -> bool:
    """Whether a roll is “<” a number as the summary prints it. The scan lost the line under the
    sign, so it is read as “no more than”; ``literal``: ruling G1 reads it to the letter."""
    if literal:
        return roll < number
    return roll <= number


def pass_chance(needs: int, *, literal: bool = False) -> Fraction:
    """The chance of ``passes``."""
    passing = [roll for roll in ROLLS if passes(needs, roll, literal=literal)]
    return Fraction(len(passing), len(ROLLS))


# ------------------------------------------------------------------ troop quality


def check_sum(
    tables: GtsTables, rules: GtsRules, facts: CheckFacts, *, added: str = "markers"
) -> Sum:
    """The modified troop quality. ``added``: what ``more`` is, in the words of the explanation."""
    fixed = []
    if facts.out_of_command:
        fixed.append(Shift("out of command", -1))
    if facts.more:
        fixed.append(Shift(added, facts.more))
    ids = [f"check_{name}" for name in CHECK_MARKERS if getattr(facts, name)]
    # A single cohesion hit does not change a check.
    if facts.cohesion == 2:
        ids.append("check_cohesion_2")
    if facts.barrage is not None:
        ids.append(f"check_{facts.barrage}_barrage")
    total = tables.sum(facts.rating, ids, rules.name)
    return replace(total, lines=(*fixed, *total.lines))


# ------------------------------------------------------------------ fire


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
        return [Shift("range", value * (shot.hexes - 1))]
    if id not in TERRAIN_VALUES and not id.startswith(TERRAIN):
        return [Shift(name, value)]
    # What terrain takes off the rating, hills and ridges included, does not count for a target in
    # column (Other Actions), nor in the fire of those who are assaulted (A15).
    gives_no_protection = shot.target.column or shot.mode == "defense"
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
        modes = rules.values[id].modes
        if not modes or shot.mode in modes:
            counted.append(id)
    # The terrain of a hex is no modifier of the rules but one of the card, and counts in all fire.
    if shot.target.terrain and not shot.empty:
        counted.append(_terrain_modifier(shot.target))
    return counted


def _terrain_modifier(target: Target) -> str:
    """The id of the modifier of the target's hex."""
    id = f"{TERRAIN}{target.terrain}"
    if target.armored:
        id += ARMORED
    return id


def _firer_modifiers(shot: ShotFacts) -> Iterator[str]:
    """The ids of the modifiers of who fires: its company bonus and its markers."""
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
    armored_ending = ""
    if target.armored:
        armored_ending = ARMORED_SUFFIX
    if target.column:
        yield "target_column"
    if target.ip:
        yield "improved"
    if target.entrenched:
        yield "entrenched"
    if target.hill:
        yield f"hill{armored_ending}"
    if target.ridge:
        yield f"ridge{armored_ending}"


def _range_modifiers(shot: ShotFacts) -> Iterator[str]:
    """The id of the modifier of the range. Against a soft target each hex counts; against a hard
    one it only matters whether the range is the longest of the firer or a shorter one."""
    if shot.hexes <= 1:
        return
    if not (shot.target.armored or shot.target.entrenched):
        yield "each_hex"
    elif shot.hexes >= (shot.max_range or 1):
        yield "farthest"
    else:
        yield "between"


def _mass_modifiers(shot: ShotFacts) -> Iterator[str]:
    """A hex without a step has a modifier of its own; from 1 to 3 steps there is none."""
    if shot.mass is None:
        return
    if shot.mass == 0:
        yield "mass_0"
        return
    for least in MASSES:
        if shot.mass >= least:
            yield f"mass_{least}"
            return


# ------------------------------------------------------------------ what the charts allow


class FireBar(msgspec.Struct, frozen=True, kw_only=True):
    """Why a shot is not allowed. One that is not ``firm`` follows from a marker that the players
    may not have entered, so that they may overrule it."""

    code: str
    text: str
    firm: bool = True


def reach(rules: GtsRules, shot: ShotFacts) -> int | None:
    """The longest range in hexes of this fire, by the rule “Direct Fire Range”; None: nothing is
    known of it."""
    if shot.mode in ASSAULT_MODES:
        return 1
    if shot.mode == "indirect":
        return shot.max_range
    # Beside an enemy, and under a barrage outside a park, a unit fires at the next hex only.
    firer = shot.firer
    barraged = firer.barrage is not None and not firer.park
    if firer.near or barraged:
        return 1
    if rules.colors[shot.color].direct:
        return DIRECT_RANGE
    # A unit without a printed range has one of 1.
    return max(shot.max_range or 1, 1)


def sight(rules: GtsRules, *, dark: bool) -> int:
    """How many hexes are seen; ``dark``: at night, in rain or in fog."""
    if dark:
        return NIGHT_SIGHT[rules.rulings["G27"]]
    return SIGHT


def bars(
    rules: GtsRules, shot: ShotFacts, name: str, *, fire_color: str = "", ship: bool = False
) -> Iterator[FireBar]:
    """Why the flow charts do not allow a shot of a unit that is called ``name``, in their order.
    ``fire_color`` is the color of its fire rating where it fires with its assault rating. A
    ``ship`` fires at any distance up to its range."""
    if shot.plain:
        return
    # D1. The second shot of an assault has no fire rating that would forbid it.
    uses_fire_rating = not fire_color
    if shot.color == "green" and uses_fire_rating and shot.mode in ("direct", "op", "defense"):
        text = "A mortar with a green rating fires indirectly only."
        yield FireBar(code="indirect_only", text=text)
    yield from _bars_of_firer(rules, shot, name, fire_color or shot.color)
    yield from _bars_of_range(rules, shot, name, ship=ship)


def _bars_of_firer(
    rules: GtsRules, shot: ShotFacts, name: str, fire_color: str
) -> Iterator[FireBar]:
    """What the unit itself and its markers do not allow."""
    mode = shot.mode
    firer = shot.firer
    if firer.suppressed and mode not in ASSAULT_MODES and not rules.suppressed_may_fire:
        yield FireBar(code="suppressed", text=f"{name} is suppressed.")
    if mode == "indirect" and not rules.colors[fire_color].indirect:
        yield FireBar(code="no_indirect", text=f"{name} has no indirect fire.")
    if mode != "indirect" and shot.empty:
        yield FireBar(code="empty_hex", text="Only indirect fire is aimed at an empty hex.")
    if mode != "assault":
        return
    # A2, what each assaulting unit has to meet.
    if fire_color in NEVER_ASSAULT:
        yield FireBar(code="never_assaults", text=no_assault(fire_color))
    if firer.entrenched:
        text = f"{name} is entrenched; it does not assault."
        yield FireBar(code="entrenched", text=text, firm=False)
    if firer.barrage == "heavy":
        text = f"{name} is under a heavy barrage; it does not assault."
        yield FireBar(code="heavy_barrage", text=text, firm=False)
    if firer.suppressed:
        text = f"{name} is suppressed; it leaves the assault."
        yield FireBar(code="suppressed", text=text, firm=False)


def _bars_of_range(rules: GtsRules, shot: ShotFacts, name: str, *, ship: bool) -> Iterator[FireBar]:
    """What the distance does not allow; nothing if nobody has said how far it is."""
    hexes = shot.range
    if hexes is None:
        return
    if shot.mode in ASSAULT_MODES and hexes > 1:
        yield FireBar(code="not_adjacent", text="An assault is fought between adjacent hexes.")
        return
    is_mortar = rules.colors[shot.color].mortar
    reaches_far_only = shot.mode == "indirect" and not is_mortar and not ship
    if reaches_far_only and hexes < LEAST_INDIRECT_RANGE:
        text = (
            f"Indirect fire reaches no nearer than {LEAST_INDIRECT_RANGE} hexes, but for mortars."
        )
        yield FireBar(code="too_near", text=text)
    longest = reach(rules, shot)
    if longest is not None and hexes > longest:
        text = f"{hexes} hexes are beyond the range of {name}, {longest}."
        yield FireBar(code="too_far", text=text)
    # Indirect fire has spotters, who may see farther from a hill (Line of Sight).
    farthest = sight(rules, dark=shot.night or shot.fog or shot.rain)
    if shot.direct and hexes > farthest:
        text = f"Nothing is seen farther than {farthest} hexes away now."
        yield FireBar(code="out_of_sight", text=text)


def no_assault(color: str) -> str:
    """The sentence for a unit of one of ``NEVER_ASSAULT``."""
    return f"A unit with a rating in {color} does not assault."


# ------------------------------------------------------------------ the result


class ShotOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The expected or actual result of a shot. ``table`` and ``color`` name its column on the fire
    table; ``result`` is None before the roll, and for a cell that is not typed in."""

    sum: Sum
    table: str
    color: str
    chances: dict[str, Fraction]
    roll: int | None = None
    hit: bool | None = None
    result: str | None = None


UNKNOWN = "?"
"""Stands among chances for the cells that are not typed in."""


def fire(
    tables: GtsTables, rules: GtsRules, shot: ShotFacts, roll: int | None = None
) -> ShotOutcome:
    """A shot; without a ``roll`` only its chances, as far as the cells are known (D6 to D10)."""
    # G7: an entrenched unit counts as armored, but not against opportunity fire.
    entrenched = shot.target.entrenched and shot.mode != "op"
    table = tables.unarmored
    if shot.target.armored or entrenched:
        table = tables.armored
    color = shot.color
    # D10: indirect high explosive that fires directly uses the yellow row.
    if shot.mode != "indirect" and rules.colors[color].direct:
        color = rules.colors[color].direct
    column = table.index(color)
    total = fire_sum(tables, rules, shot)

    def hits(number: int) -> bool:
        return not shot.empty and passes(total.needs, number, literal=rules.literal)

    # Begun with 0 for each result, so that the chances stand in the order of the rules.
    counts = dict.fromkeys([*rules.results, UNKNOWN], 0)
    for number in ROLLS:
        result = MISS
        if hits(number):
            result = table.cell(column, number) or UNKNOWN
        counts[result] = counts.get(result, 0) + 1
    chances = {result: Fraction(count, len(ROLLS)) for result, count in counts.items() if count}
    expected = ShotOutcome(sum=total, table=table.id, color=color, chances=chances)
    if roll is None:
        return expected
    hit = hits(roll)
    result_of_roll: str | None = MISS
    if hit:
        result_of_roll = table.cell(column, roll)
    return replace(expected, roll=roll, hit=hit, result=result_of_roll)


def barrage(tables: GtsTables, rules: GtsRules, shot: ShotFacts) -> Barrage:
    """The marker that indirect fire leaves, unless the roll was a 9: it depends on the rating with
    the firer's own markers and the company bonus (I14)."""
    total = tables.sum(shot.rating, _firer_modifiers(shot), rules.name)
    if is_within(total.needs, LIGHT_BARRAGE, literal=rules.literal):
        return "light"
    return "heavy"


# ------------------------------------------------------------------ points


def dispatch_points(
    held: int, dispatch: int, roll: int, *, last: bool = False, literal: bool = False
) -> tuple[Shift, ...]:
    """The dispatch points that a roll brings a division when its chit is played, each with its
    reason. ``held``: the points that it has, before anything is gained (G9); ``dispatch``: its
    rating; ``last``: the last turn before night."""
    within_held = is_within(roll, held, literal=literal)
    within_rating = is_within(roll, dispatch, literal=literal)
    lines = [
        Shift("no more than the points held", int(within_held)),
        Shift("no more than the dispatch rating", int(within_rating)),
        Shift("a 0", int(roll == 0)),
        Shift("a 9", -int(roll == HIGHEST_ROLL)),
        Shift("the last turn before night", 2 * int(last)),
    ]
    return tuple(line for line in lines if line.value)


def gained(held: int, points: int, *, lost: bool = False) -> int:
    """What is added to the points ``held``: at most up to the cap. Less than nothing takes a point
    away only where a 9 does so (``lost``, ruling G10), and never one that nobody holds."""
    least = 0
    if lost:
        least = -held
    return min(max(points, least), CAP - held)


# ------------------------------------------------------------------ other programs


class PointsFacts(Strict, frozen=True, kw_only=True):
    """A roll for dispatch points of a division that has so many ``held``."""

    held: Points
    dispatch: Points
    last_turn_before_night: bool = False


class GtsQuestion(Strict, frozen=True, kw_only=True):
    """A question of another program: exactly one of ``tq``, ``fire`` and ``points``. Without a
    ``roll`` the answer holds chances. ``tables``: the community's, or none, with which nothing is
    known of the card. ``rulings``: the answers that differ from the default, by ruling."""

    tq: CheckFacts | None = None
    fire: ShotFacts | None = None
    points: PointsFacts | None = None
    roll: Roll | None = None
    tables: Literal["community", "none"] = "none"
    rulings: dict[str, str] = msgspec.field(default_factory=dict)


def answer(community: GtsTables, rules: GtsRules, book: PresetBook, line: bytes) -> dict[str, Any]:
    """Answers a line of JSON; raises DataError."""
    asked = read_single_question(line, GtsQuestion, ("tq", "fire", "points"))
    problems = [*book.problems(asked.rulings)]
    if problems:
        raise DataError("question", problems)
    rules = replace(rules, rulings=book.answered(asked.rulings))
    tables = community.blank()
    if asked.tables == "community":
        tables = community
    if asked.points is not None:
        return _answer_points(asked.points, asked.roll, rules)
    if asked.tq is not None:
        return _answer_check(tables, rules, asked.tq, asked.roll)
    assert asked.fire is not None
    return _answer_fire(tables, rules, asked.fire, asked.roll)


def _answer_points(asked: PointsFacts, roll: int | None, rules: GtsRules) -> dict[str, Any]:
    """The answer to a question about dispatch points. Raises DataError."""
    if roll is None:
        raise DataError("question", [Problem("roll", "is missing; a number from 0 to 9.")])
    last, held = asked.last_turn_before_night, asked.held
    lines = dispatch_points(held, asked.dispatch, roll, last=last, literal=rules.literal)
    gain = sum(line.value for line in lines)
    points = gained(held, gain, lost=rules.point_lost)
    return {"gained": points, "lines": [[line.label, line.value] for line in lines]}


def _answer_check(
    tables: GtsTables, rules: GtsRules, asked: CheckFacts, roll: int | None
) -> dict[str, Any]:
    """The answer to a question about a troop quality check. Raises DataError."""
    total = check_sum(tables, rules, asked)
    _refuse_missing(total, tables)
    reply: dict[str, Any] = {"needs": total.needs}
    if roll is None:
        reply["chance"] = str(pass_chance(total.needs, literal=rules.literal))
    else:
        reply["passed"] = passes(total.needs, roll, literal=rules.literal)
    return reply


def _answer_fire(
    tables: GtsTables, rules: GtsRules, shot: ShotFacts, roll: int | None
) -> dict[str, Any]:
    """The answer to a question about a shot. Raises DataError."""
    if shot.color not in rules.colors:
        text = f"{shot.color!r} is none; {suggest(shot.color, rules.colors)}"
        raise DataError("question", [Problem("fire.color", text)])
    first_bar = next(bars(rules, shot, "the firer"), None)
    if first_bar is not None:
        sentence = first_bar.text[0].upper() + first_bar.text[1:]
        return {"legal": False, "why": first_bar.code, "says": sentence}
    outcome = fire(tables, rules, replace(shot, max_range=reach(rules, shot)), roll)
    total = outcome.sum
    _refuse_missing(total, tables)
    lines = [[line.label, line.value] for line in total.lines]
    reply: dict[str, Any] = {"legal": True, "needs": total.needs, "lines": lines}
    if roll is None:
        reply["chances"] = {name: str(chance) for name, chance in outcome.chances.items()}
    else:
        reply |= {"hit": outcome.hit, "result": outcome.result}
    return reply


def _refuse_missing(total: Sum, tables: GtsTables) -> None:
    """Raises DataError where a modifier is needed that the tables lack."""
    if not total.missing:
        return
    name = total.missing[0].removeprefix(TERRAIN).removesuffix(ARMORED)
    text = f'{name} is on your card only; with "tables": "community" it has a value.'
    if tables.values:
        text = f"{name!r} is no terrain of these tables; {suggest(name, tables.terrains)}"
    raise DataError("question", [Problem("tables", text)])
