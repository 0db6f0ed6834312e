"""Checks, fire and dispatch points as pure functions: every modifier with its reason, the number
that is needed, the exact chances, the result. Queries of other programs use the same functions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import replace

from skirmish.games.gts.ruleset import (
    ARMORED,
    ASSAULTED,
    CAP,
    MISS,
    TERRAIN,
    GtsRules,
    GtsTables,
    Mode,
    Points,
)
from skirmish.tabletop.companion.result_table import Shift, Sum
from skirmish.tabletop.data_file import DataError, Problem, Strict, question, suggest
from skirmish.tabletop.presets import PresetBook

ROLLS = range(10)
HIGHEST = 9
Rating = Annotated[int, msgspec.Meta(ge=-30, le=30)]
Count = Annotated[int, msgspec.Meta(ge=0, le=99)]
Roll = Annotated[int, msgspec.Meta(ge=0, le=9)]
Barrage = Literal["light", "heavy"]
Zone = Literal["", "to_zone", "left"]
DIRECT_RANGE = 3
"""In hexes, of indirect high explosive, coastal batteries and dedicated artillery."""
NEAREST = 4
"""Hexes from an indirect firer that is no mortar to its target, at least."""
SIGHT, NIGHT_SIGHT = 8, {"two": 2, "three": 3}
GUNS = ("green", "orange", "black", "brown")
"""The colors of units that never assault."""
TERRAIN_VALUES = ("hill", "hill_armored", "ridge", "ridge_armored")
"""Modifiers that are terrain, as woods are."""
CHECK_MARKERS = ("suppressed", "step_loss", "improved", "entrenched", "bocage", "hero")


class CheckOf(Strict, frozen=True, kw_only=True):
    """A troop quality check; ``more``: Men at Work and Rallying markers, or the defenses of a
    bravery check."""

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
    """``near``: an enemy was adjacent as the action began; ``park``: in an artillery park."""

    column: bool = False
    cohesion: Literal[0, 1, 2] = 0
    step_loss: bool = False
    entrenched: bool = False
    bocage: bool = False
    suppressed: bool = False
    barrage: Barrage | None = None
    near: bool = False
    park: bool = False


class Target(Strict, frozen=True, kw_only=True):
    defense: Rating = 0
    armored: bool = False
    terrain: str = ""
    column: bool = False
    ip: bool = False
    entrenched: bool = False
    hill: bool = False
    ridge: bool = False


class ShotOf(Strict, frozen=True, kw_only=True):
    """A shot at one unit. ``range`` is in hexes, None: nobody says how many, which changes nothing;
    ``max_range`` is the longest, None: the counter prints none. ``mass``: the steps in the hex of
    the target, None: not counted. ``plain``: no modifier counts; ``empty``: at an empty hex."""

    mode: Mode
    color: str
    rating: Rating
    company_bonus: bool = False
    range: Count | None = None
    max_range: Count | None = None
    target: Target = Target()
    mass: Count | None = None
    firer: Firer = Firer()
    night: bool = False
    fog: bool = False
    rain: bool = False
    zone: Zone = ""
    running: bool = False
    counter_battery: bool = False
    plain: bool = False
    empty: bool = False

    @property
    def hexes(self) -> int:
        return 1 if self.range is None else self.range

    @property
    def direct(self) -> bool:
        return self.mode in ("direct", "op")


def text_of(total: Sum) -> str:
    """``5, woods -2, mass +1: 4 or less``."""
    return f"{total.reasons}: {needed(total.needs)}"


def needed(number: int) -> str:
    return "0" if number <= 0 else f"{min(number, HIGHEST - 1)} or less"


def passes(needs: int, roll: int, *, literal: bool = False) -> bool:
    """0 passes and 9 fails, whatever is needed."""
    return roll == 0 or (roll < HIGHEST and no_more(roll, needs, literal=literal))


def no_more(roll: int, number: int, *, literal: bool = False) -> bool:
    return roll < number or (roll == number and not literal)


def pass_chance(needs: int, *, literal: bool = False) -> Fraction:
    return Fraction(sum(passes(needs, roll, literal=literal) for roll in ROLLS), len(ROLLS))


# ------------------------------------------------------------------ troop quality


def check_sum(tables: GtsTables, rules: GtsRules, asked: CheckOf, *, added: str = "markers") -> Sum:
    fixed = [Shift("out of command", -1)] * asked.out_of_command
    fixed += [Shift(added, asked.more)] * bool(asked.more)
    ids = [f"check_{name}" for name in CHECK_MARKERS if getattr(asked, name)]
    ids += ["check_cohesion_2"] * (asked.cohesion == 2)
    ids += [f"check_{asked.barrage}_barrage"] * (asked.barrage is not None)
    total = tables.sum(asked.rating, ids, rules.name)
    return replace(total, lines=(*fixed, *total.lines))


# ------------------------------------------------------------------ fire


def fire_sum(tables: GtsTables, rules: GtsRules, shot: ShotOf) -> Sum:
    """The modified fire rating."""
    if shot.plain:
        return Sum(rating=shot.rating)
    target = shot.target
    lines: list[Shift] = []
    missing: list[str] = []
    if target.defense and not shot.empty:
        lines.append(Shift("defense", target.defense))
    for id in _counted(shot):
        modes = rules.values[id].modes
        if modes and shot.mode not in modes:
            continue
        value = tables.values.get(id)
        if value is None:
            missing.append(id)
        elif id == "each_hex":
            lines.append(Shift("range", value * (shot.hexes - 1)))
        elif id in TERRAIN_VALUES:
            lines += _of_terrain(shot, rules.name(id), value)
        else:
            lines.append(Shift(rules.name(id), value))
    if target.terrain and not shot.empty:
        id = f"{TERRAIN}{target.terrain}"
        if target.armored:
            id += ARMORED
        if id in tables.values:
            lines += _of_terrain(shot, target.terrain, tables.values[id])
        else:
            missing.append(id)
    return Sum(rating=shot.rating, lines=tuple(lines), missing=tuple(missing))


def _of_terrain(shot: ShotOf, name: str, value: int) -> list[Shift]:
    """The line of a terrain, hills and ridges included. What terrain takes off the rating does not
    count for a target in column, nor in the fire of those who are assaulted."""
    spared = value < 0 and (shot.target.column or shot.mode == "defense")
    if value == 0 or spared:
        return []
    return [Shift(name, value)]


def _of_firer(shot: ShotOf) -> Iterator[tuple[bool, str]]:
    firer = shot.firer
    yield shot.company_bonus, "company_bonus"
    yield firer.column, "firer_column"
    yield bool(firer.cohesion), f"cohesion_{firer.cohesion}"
    yield firer.step_loss, "step_loss"
    yield firer.entrenched, "firer_entrenched"
    yield firer.bocage, "bocage"
    yield firer.barrage is not None, f"{firer.barrage}_barrage"
    yield firer.suppressed and shot.mode in ASSAULTED, "assault_suppressed"


def _counted(shot: ShotOf) -> list[str]:
    """The ids of all modifiers that the facts call for."""
    target, hard = shot.target, "_armored" * shot.target.armored
    found = [*_of_firer(shot)]
    found += [(shot.night, "night"), (shot.fog, "fog"), (shot.rain, "rain")]
    found += [(shot.zone == "to_zone", "zone_to_zone"), (shot.zone == "left", "zone_left")]
    found += [(shot.running, "running"), (shot.counter_battery, "counter_battery")]
    if not shot.empty:
        found += [(target.column, "target_column"), (target.ip, "improved")]
        found += [(target.entrenched, "entrenched")]
        found += [(target.hill, f"hill{hard}"), (target.ridge, f"ridge{hard}")]
        if target.armored or target.entrenched:
            longest = shot.max_range or 1
            far = "farthest" if shot.hexes >= longest else "between"
            found.append((shot.hexes > 1, far))
        else:
            found.append((shot.hexes > 1, "each_hex"))
        if shot.mass is not None:
            mass = next((one for one in (8, 6, 4) if shot.mass >= one), 0)
            found.append((not shot.mass or bool(mass), f"mass_{mass}"))
    return [id for on, id in found if on]


# ------------------------------------------------------------------ what the charts allow


class FireBar(msgspec.Struct, frozen=True, kw_only=True):
    """Why a shot is not allowed. One that is not ``firm`` follows from a marker that the players
    may not have entered, so that they may overrule it."""

    code: str
    text: str
    firm: bool = True


def reach(rules: GtsRules, shot: ShotOf) -> int | None:
    """The longest range in hexes of this fire; None: nothing is known of it."""
    if shot.mode in ASSAULTED:
        return 1
    if shot.mode == "indirect":
        return shot.max_range
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
    return NIGHT_SIGHT[rules.rulings["G27"]] if dark else SIGHT


def bars(
    rules: GtsRules, shot: ShotOf, name: str, *, kind: str = "", ship: bool = False
) -> Iterator[FireBar]:
    """Why the flow charts do not allow a shot of a unit that is called ``name``, in their order.
    ``kind`` is the color of its fire rating where it fires with its assault rating. A ``ship``
    fires at any distance up to its range."""
    if shot.plain:
        return
    # The second shot of an assault has no fire rating that would forbid it.
    if shot.color == "green" and not kind and shot.mode in ("direct", "op", "defense"):
        text = "A mortar with a green rating fires indirectly only."
        yield FireBar(code="indirect_only", text=text)
    yield from _bars_of_firer(rules, shot, name, kind or shot.color)
    yield from _bars_of_range(rules, shot, name, ship=ship)


def _bars_of_firer(rules: GtsRules, shot: ShotOf, name: str, kind: str) -> Iterator[FireBar]:
    mode, firer = shot.mode, shot.firer
    if firer.suppressed and mode not in ASSAULTED and rules.rulings["G26"] == "no":
        yield FireBar(code="suppressed", text=f"{name} is suppressed.")
    if mode == "indirect" and not rules.colors[kind].indirect:
        yield FireBar(code="no_indirect", text=f"{name} has no indirect fire.")
    if mode != "indirect" and shot.empty:
        yield FireBar(code="empty_hex", text="Only indirect fire is aimed at an empty hex.")
    if mode != "assault":
        return
    if kind in GUNS:
        yield FireBar(code="never_assaults", text=no_assault(kind))
    if firer.entrenched:
        text = f"{name} is entrenched; it does not assault."
        yield FireBar(code="entrenched", text=text, firm=False)
    if firer.barrage == "heavy":
        text = f"{name} is under a heavy barrage; it does not assault."
        yield FireBar(code="heavy_barrage", text=text, firm=False)
    if firer.suppressed:
        text = f"{name} is suppressed; it leaves the assault."
        yield FireBar(code="suppressed", text=text, firm=False)


def _bars_of_range(rules: GtsRules, shot: ShotOf, name: str, *, ship: bool) -> Iterator[FireBar]:
    hexes = shot.range
    if hexes is None:
        return
    if shot.mode in ASSAULTED and hexes > 1:
        yield FireBar(code="not_adjacent", text="An assault is fought between adjacent hexes.")
        return
    far_only = shot.mode == "indirect" and not rules.colors[shot.color].mortar and not ship
    if far_only and hexes < NEAREST:
        text = f"Indirect fire reaches no nearer than {NEAREST} hexes, but for mortars."
        yield FireBar(code="too_near", text=text)
    longest = reach(rules, shot)
    if longest is not None and hexes > longest:
        text = f"{hexes} hexes are beyond the range of {name}, {longest}."
        yield FireBar(code="too_far", text=text)
    seen = sight(rules, dark=shot.night or shot.fog or shot.rain)
    if shot.direct and hexes > seen:
        text = f"Nothing is seen farther than {seen} hexes away now."
        yield FireBar(code="out_of_sight", text=text)


def no_assault(color: str) -> str:
    return f"A unit with a rating in {color} does not assault."


# ------------------------------------------------------------------ the result


class Shot(msgspec.Struct, frozen=True, kw_only=True):
    """The expected or actual result of a shot. ``table`` and ``row`` name its column on the fire
    table; ``result`` is None before the roll, and for a cell that is not typed in."""

    sum: Sum
    table: str
    color: str
    chances: dict[str, Fraction]
    roll: int | None = None
    hit: bool | None = None
    result: str | None = None


def fire(tables: GtsTables, rules: GtsRules, shot: ShotOf, roll: int | None = None) -> Shot:
    """A shot; without a ``roll`` only its chances, as far as the cells are known."""
    entrenched = shot.target.entrenched and shot.mode != "op"
    table = tables.armored if shot.target.armored or entrenched else tables.unarmored
    direct = rules.colors[shot.color].direct if shot.mode != "indirect" else ""
    column = direct or shot.color
    at, total = table.index(column), fire_sum(tables, rules, shot)
    chances: dict[str, Fraction] = {}
    for one in ROLLS:
        hits = passes(total.needs, one, literal=rules.literal) and not shot.empty
        name = (table.cell(at, one) or "?") if hits else MISS
        chances[name] = chances.get(name, Fraction(0)) + Fraction(1, len(ROLLS))
    order = [*rules.results, "?"]
    sorted_ = {one: chances[one] for one in order if one in chances}
    found = Shot(sum=total, table=table.id, color=column, chances=sorted_)
    if roll is None:
        return found
    hit = not shot.empty and passes(total.needs, roll, literal=rules.literal)
    result = table.cell(at, roll) if hit else MISS
    return replace(found, roll=roll, hit=hit, result=result)


def barrage(tables: GtsTables, rules: GtsRules, shot: ShotOf) -> Barrage:
    """The marker that indirect fire leaves, unless the roll was a 9: it depends on the rating with
    the firer's own markers and the company bonus."""
    total = tables.sum(shot.rating, [id for on, id in _of_firer(shot) if on], rules.name)
    return "light" if no_more(total.needs, 5, literal=rules.literal) else "heavy"


# ------------------------------------------------------------------ points


def dispatch_points(
    held: int, dispatch: int, roll: int, *, last: bool = False, literal: bool = False
) -> tuple[Shift, ...]:
    """What a roll brings with so many points ``held``; ``last``: the last turn before night."""
    few, less = (no_more(roll, one, literal=literal) for one in (held, dispatch))
    found = [
        Shift("no more than the points held", int(few)),
        Shift("no more than the dispatch rating", int(less)),
        Shift("a 0", int(roll == 0)),
        Shift("a 9", -int(roll == HIGHEST)),
        Shift("the last turn before night", 2 * last),
    ]
    return tuple(one for one in found if one.value)


def gained(held: int, points: int, *, lost: bool = False) -> int:
    """What is added to the points ``held``: at most up to the cap. Less than nothing takes a point
    away only where a 9 does so (``lost``), and never one that nobody holds."""
    least = -held if lost else 0
    return min(max(points, least), CAP - held)


# ------------------------------------------------------------------ other programs


class PointsOf(Strict, frozen=True, kw_only=True):
    held: Points
    dispatch: Points
    last_turn_before_night: bool = False


class GtsQuestion(Strict, frozen=True, kw_only=True):
    """Exactly one of ``tq``, ``fire`` and ``points``. Without a roll the answer holds chances;
    ``tables``: the community's, else nothing is known of the card; ``rulings`` differ from the
    default."""

    tq: CheckOf | None = None
    fire: ShotOf | None = None
    points: PointsOf | None = None
    roll: Roll | None = None
    tables: Literal["community", "none"] = "none"
    rulings: dict[str, str] = msgspec.field(default_factory=dict)


def answer(community: GtsTables, rules: GtsRules, book: PresetBook, line: bytes) -> dict[str, Any]:
    """Answers a line of JSON; raises DataError."""
    asked = question(line, GtsQuestion, ("tq", "fire", "points"))
    if problems := [*book.problems(asked.rulings)]:
        raise DataError("question", problems)
    rules = replace(rules, rulings=book.answered(asked.rulings))
    tables = community if asked.tables == "community" else community.blank()
    if asked.points is not None:
        return _points(asked.points, asked.roll, rules)
    if asked.tq is not None:
        total = check_sum(tables, rules, asked.tq)
        _typed(total, tables)
        reply: dict[str, Any] = {"needs": total.needs}
        if asked.roll is None:
            return reply | {"chance": str(pass_chance(total.needs, literal=rules.literal))}
        return reply | {"passed": passes(total.needs, asked.roll, literal=rules.literal)}
    assert asked.fire is not None
    return _fire(tables, rules, asked.fire, asked.roll)


def _points(asked: PointsOf, roll: int | None, rules: GtsRules) -> dict[str, Any]:
    if roll is None:
        raise DataError("question", [Problem("roll", "is missing; a number from 0 to 9.")])
    last, held = asked.last_turn_before_night, asked.held
    lines = dispatch_points(held, asked.dispatch, roll, last=last, literal=rules.literal)
    points = gained(held, sum(one.value for one in lines), lost=rules.point_lost)
    return {"gained": points, "lines": [[one.label, one.value] for one in lines]}


def _fire(tables: GtsTables, rules: GtsRules, shot: ShotOf, roll: int | None) -> dict[str, Any]:
    if shot.color not in rules.colors:
        text = f"{shot.color!r} is none; {suggest(shot.color, rules.colors)}"
        raise DataError("question", [Problem("fire.color", text)])
    bar = next(bars(rules, shot, "the firer"), None)
    if bar is not None:
        says = bar.text[0].upper() + bar.text[1:]
        return {"legal": False, "why": bar.code, "says": says}
    found = fire(tables, rules, replace(shot, max_range=reach(rules, shot)), roll)
    _typed(found.sum, tables)
    lines = [[one.label, one.value] for one in found.sum.lines]
    reply: dict[str, Any] = {"legal": True, "needs": found.sum.needs, "lines": lines}
    if roll is None:
        return reply | {"chances": {name: str(one) for name, one in found.chances.items()}}
    return reply | {"hit": found.hit, "result": found.result}


def _typed(total: Sum, tables: GtsTables) -> None:
    """Raises DataError where a modifier is needed that the tables lack."""
    if not total.missing:
        return
    name = total.missing[0].removeprefix(TERRAIN).removesuffix(ARMORED)
    text = f'{name} is on your card only; with "tables": "community" it has a value.'
    if tables.values:
        text = f"{name!r} is no terrain of these tables; {suggest(name, tables.terrains)}"
    raise DataError("question", [Problem("tables", text)])
