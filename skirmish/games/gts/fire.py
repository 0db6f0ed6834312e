"""The orders of fire: who may fire at whom, the shot with its rolls, what becomes of the target;
and attacks on beach defenses."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
from msgspec.structs import replace

from skirmish.games.gts import combat
from skirmish.games.gts import state as happened
from skirmish.games.gts.combat import (
    Shot,
    ShotOf,
    Target,
    Zone,
    check_sum,
    pass_chance,
    passes,
)
from skirmish.games.gts.orders import GtsOrder, dice, inflicted, taking, typed_values, unit_of
from skirmish.games.gts.ruleset import MISS, GtsTables, Mode
from skirmish.games.gts.state import AnyEvent, GtsState
from skirmish.games.gts.units import Marker, barrage_on, busy, check_of, firing, steps_of
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.events import MapSeen, Task, TasksSet, counters_set
from skirmish.tabletop.companion.result_table import Sum, mixed
from skirmish.tabletop.refusal import nonsense

COMPANY = 2
"""Steps of a unit that may have the company bonus."""
DIRECT_RANGE = 3
"""Of indirect high explosive, coastal batteries and dedicated artillery."""
NEAREST = 4
"""Hexes from an indirect firer that is no mortar to its target, at least."""
SIGHT, NIGHT_SIGHT = 8, {"two": 2, "three": 3}
Printed = dict[str, Any]
"""What was read off a counter: ratings, its ``color``, and whether its defense is ``armored``."""


class Shoot(GtsOrder, frozen=True, kw_only=True, tag="shoot"):
    """One shot. ``firer`` and ``target`` are units; without a firer ``color`` and ``rating`` are
    given (nests, obstacles, ships), without a target ``defense``, or an ``empty`` hex is the aim,
    at ``place`` if it is written down.

    ``mass``: the steps in the hex, None: as far as they are entered. ``assault_rating``: it fires
    with that one. ``bonus``: the company bonus, None: that of the first shot in an assault, else it
    is rolled.
    ``out`` of command: for the checks of the firer. ``printed`` by unit and ``values`` are typed
    for this shot, ``numbers`` are the player's own rolls in their order: the check of opportunity
    fire, that of the company bonus, the shot."""

    firer: str = ""
    target: str = ""
    mode: Mode = "direct"
    range: int = 1
    color: str = ""
    rating: int = 0
    defense: int = 0
    armored: bool = False
    empty: bool = False
    mass: int | None = None
    terrain: str = ""
    hill: bool = False
    ridge: bool = False
    bocage: bool = False
    zone: Zone = ""
    running: bool = False
    counter_battery: bool = False
    near: bool = False
    place: str = ""
    plain: bool = False
    assault_rating: bool = False
    bonus: bool | None = None
    out: bool = False
    printed: dict[str, Printed] = msgspec.field(default_factory=dict)
    values: dict[str, int] = msgspec.field(default_factory=dict)
    numbers: tuple[int, ...] = ()

    # -------------------------------------------------------------- who and what

    def unit(self, state: GtsState, id: str) -> Counter | None:
        """A unit with what was just read off its counter."""
        if not id:
            return None
        one, read = unit_of(state, id), dict(self.printed.get(id, {}))
        color, armored = str(read.pop("color", one.kind)), read.pop("armored", False)
        traits = tuple(dict.fromkeys((*one.traits, *["armored"] * bool(armored))))
        ratings = one.ratings | {name: int(value) for name, value in read.items()}
        return replace(one, kind=color, traits=traits, ratings=ratings)

    def tables(self, state: GtsState) -> GtsTables:
        return state.tables.with_values(self.values)

    def shot(self, state: GtsState, bonus: bool = False) -> ShotOf:
        firer, target = self.unit(state, self.firer), self.unit(state, self.target)
        facing = Target(defense=self.defense, armored=self.armored, terrain=self.terrain)
        mass = self.mass
        if target is not None:
            facing = Target(
                defense=target.rating("defense"),
                armored="armored" in target.traits,
                terrain=self.terrain,
                column=target.has(Marker.COLUMN),
                ip=target.has(Marker.IMPROVED),
                entrenched=target.has(Marker.ENTRENCHED),
                hill=self.hill,
                ridge=self.ridge,
            )
            mass = state.mass(target) if mass is None else mass
        color, rating = self.color, self.rating
        if firer is not None:
            color = firer.kind
            rating = firer.rating("assault" if self.assault_rating else "fire")
        standing = replace(firing(firer), bocage=self.bocage) if firer else combat.Firer()
        if firer and firer.has(Marker.SUPPRESSED) and self.mode in ("assault", "defense"):
            standing = replace(standing, suppressed=True)
        return ShotOf(
            mode=self.mode,
            color=color,
            rating=rating,
            company_bonus=bonus,
            range=self.range,
            max_range=self.reach(state),
            target=facing,
            mass=mass,
            firer=standing,
            night=state.night,
            fog=state.weather == "fog",
            rain=state.weather == "rain",
            zone=self.zone,
            running=self.running,
            counter_battery=self.counter_battery,
            plain=self.plain,
            empty=self.empty,
        )

    def reach(self, state: GtsState) -> int:
        """The longest range in hexes."""
        firer = self.unit(state, self.firer)
        if firer is None or self.mode in ("assault", "defense"):
            return max(self.range, 1)
        printed = max(firer.rating("range"), 1)
        if self.mode == "indirect":
            return printed
        if self.near or (barrage_on(firer) and not firer.has(Marker.PARK)):
            return 1
        return DIRECT_RANGE if state.rules.colors[firer.kind].direct else printed

    def sight(self, state: GtsState) -> int:
        dark = state.night or state.weather in ("fog", "rain")
        return NIGHT_SIGHT[state.rules.rulings["G27"]] if dark else SIGHT

    def why_not(self, state: GtsState) -> str:
        """Why the shot is not allowed; empty if it is."""
        firer, rules = self.unit(state, self.firer), state.rules
        if firer is None or self.plain:
            return ""
        color = rules.colors[firer.kind]
        assaulted = self.mode in ("assault", "defense")
        if firer.has(Marker.SUPPRESSED) and not assaulted and rules.rulings["G26"] == "no":
            return f"{firer.name} is suppressed."
        if self.mode == "indirect":
            if not color.indirect:
                return f"{firer.name} has no indirect fire."
            if not color.mortar and self.range < NEAREST:
                return f"Indirect fire reaches no nearer than {NEAREST} hexes, but for mortars."
        elif firer.kind == "green" and not self.assault_rating:
            return "A mortar with a green rating fires indirectly only."
        if self.mode == "assault" and color.indirect and firer.kind != "purple":
            return f"A unit with a rating in {firer.kind} does not assault."
        if self.range > self.reach(state):
            return f"{self.range} hexes are beyond the range of {firer.name}, {self.reach(state)}."
        if self.mode in ("direct", "op") and self.range > self.sight(state):
            return f"Nothing is seen farther than {self.sight(state)} hexes away now."
        return ""

    def needs(self, state: GtsState) -> list[tuple[str, tuple[str, ...]]]:
        """The units with what is not read off their counters yet: ratings, and ``color`` and
        ``armored``."""
        found = []
        if self.firer:
            one = unit_of(state, self.firer)
            names = ["assault" if self.assault_rating else "fire"]
            names += ["range"] * (self.mode not in ("assault", "defense"))
            names += ["tq"] * bool(self.mode == "op" or self.company(state))
            missing = [*(["color"] if not one.kind else []), *one.missing(names)]
            found += [(one.id, tuple(missing))] if missing else []
        if self.target and not self.plain:
            one = unit_of(state, self.target)
            if one.missing(["defense"]):
                found.append((one.id, ("defense", "armored")))
        return found

    # -------------------------------------------------------------- checks and chances

    def known(self, state: GtsState) -> bool | None:
        """The company bonus, if it is not rolled for."""
        first = state.bonuses.get(self.firer) if self.mode in ("assault", "defense") else None
        return first if self.bonus is None else self.bonus

    def company(self, state: GtsState) -> bool:
        """Whether the company bonus is checked for."""
        if not self.firer or self.plain or self.mode == "op" or self.known(state) is not None:
            return False
        return steps_of(unit_of(state, self.firer)) == COMPANY

    def check(self, state: GtsState) -> Sum | None:
        """The firer's check of its troop quality, for opportunity fire or the company bonus."""
        if not self.firer or not (self.mode == "op" or self.company(state)):
            return None
        firer = self.unit(state, self.firer)
        assert firer is not None
        return check_sum(self.tables(state), state.rules, check_of(firer, out=self.out))

    def missing(self, state: GtsState) -> tuple[str, ...]:
        """The modifiers and terrain that the card has yet to give."""
        tables, rules = self.tables(state), state.rules
        sums = [combat.fire_sum(tables, rules, self.shot(state, bool(self.known(state))))]
        if self.company(state):
            sums.append(combat.fire_sum(tables, rules, self.shot(state, True)))
        if check := self.check(state):
            sums.append(check)
        return tuple(dict.fromkeys(id for one in sums for id in one.missing))

    def weighed(self, state: GtsState) -> tuple[Shot, dict[str, Fraction]]:
        """The shot before its roll, without the company bonus if that is rolled, and the chance of
        every result with all checks. Raises Refused."""
        if why := self.why_not(state):
            raise nonsense("no_fire", why)
        tables, rules = self.tables(state), state.rules
        plain = combat.fire(tables, rules, self.shot(state, bool(self.known(state))))
        check = self.check(state)
        if check is None:
            return plain, plain.chances
        chance = pass_chance(check.needs, literal=rules.literal)
        if self.mode == "op":
            return plain, mixed(chance, plain.chances, {MISS: Fraction(1)})
        with_bonus = combat.fire(tables, rules, self.shot(state, True))
        return plain, mixed(chance, with_bonus.chances, plain.chances)

    # -------------------------------------------------------------- the shot

    def text(self, state: GtsState) -> str:
        """``1/505 fires at A/21``."""
        firer, target = self.unit(state, self.firer), self.unit(state, self.target)
        who = firer.name if firer else f"A {self.color} rating of {self.rating}"
        hex_ = f"the empty hex {self.place}" if self.place else "an empty hex"
        what = target.name if target else hex_ if self.empty else "its target"
        verb = "takes opportunity fire" if self.mode == "op" else "fires"
        return f"{who} {verb} at {what}"

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        if self.missing(state):
            raise nonsense("no_value", "A modifier of your card is missing.")
        self.weighed(state)
        firer, numbers = self.unit(state, self.firer), dice(state, self.numbers)
        found: list[AnyEvent] = [*typed_values(self.values)]
        read = [one for id in (self.firer, self.target) if (one := self.unit(state, id))]
        found += counters_set(state, read)
        bonus, check = bool(self.known(state)), self.check(state)
        if firer and self.mode in ("direct", "indirect"):
            found += taking(state, firer, "fire")
        if firer and check is not None:
            roll = numbers.number()
            passed = passes(check.needs, roll, literal=state.rules.literal)
            why = "opportunity fire" if self.mode == "op" else "company bonus"
            checked = happened.Checked(unit=firer.id, why=why, sum=check, roll=roll, passed=passed)
            found.append(checked)
            if self.mode == "op" and not passed:
                return [*numbers.events, *found, *counters_set(state, [_spent(firer, self.mode)])]
            bonus = passed and self.mode != "op"
        roll = numbers.number()
        shot = combat.fire(self.tables(state), state.rules, self.shot(state, bonus), roll)
        return [*numbers.events, *found, *self._settled(state, shot, roll, bonus)]

    def _settled(self, state: GtsState, shot: Shot, roll: int, bonus: bool) -> list[AnyEvent]:
        firer, target = self.unit(state, self.firer), self.unit(state, self.target)
        indirect = self.mode == "indirect"
        marker = ""
        if indirect and roll != combat.HIGHEST:
            marker = combat.barrage(self.tables(state), state.rules, self.shot(state, bonus))
        fired = happened.ShotFired(
            text=self.text(state),
            sum=shot.sum,
            firer=self.firer,
            bonus=bonus if self.company(state) and self.mode in ("assault", "defense") else None,
            roll=roll,
            hit=bool(shot.hit),
            result=shot.result or "",
            barrage=marker,
        )
        units: dict[str, Counter] = {}
        if firer:
            units[firer.id] = _spent(firer, self.mode, missed=indirect and roll == combat.HIGHEST)
        others: tuple[str, ...] = ()
        if target and indirect and firer and not state.rules.colors[firer.kind].mortar:
            others = tuple(one.id for one in state.stack(target) if one.id != target.id)
        for there in state.stack(target) if target and marker else ():
            one = units.get(there.id, target if target and there.id == target.id else there)
            heavy = marker == "heavy" or one.has(Marker.HEAVY)
            units[one.id] = one.marked(Marker.HEAVY, heavy).marked(Marker.LIGHT, not heavy)
        tasks: list[Task] = []
        if shot.hit and shot.result is None:
            hurt = (target.id, *others) if target else ()
            column, table = shot.color, shot.table
            tasks = [Task(kind="look_up", units=hurt, table=table, column=column, roll=roll)]
        elif target and shot.hit:
            after = units.get(target.id, target)
            units[target.id], tasks = inflicted(after, shot.result or "", others)
        asked = [TasksSet(tasks=tuple(tasks))] if tasks else []
        falls = []
        if self.empty and self.place and marker:
            heavy = marker == "heavy" or Marker.HEAVY in state.ground.get(self.place, ())
            falls = [MapSeen(ground={self.place: (Marker.HEAVY if heavy else Marker.LIGHT,)})]
        return [fired, *counters_set(state, units.values()), *falls, *asked]


def _spent(firer: Counter, mode: str, *, missed: bool = False) -> Counter:
    """The firer after its shot: acted, its park on the fired side, out of contact after a 9."""
    if mode == "op":
        return firer.marked(Marker.FIRED_OP)
    if mode in ("assault", "defense"):
        return firer
    after = busy(firer)
    if mode == "indirect" and after.has(Marker.PARK):
        after = after.marked(Marker.FIRED_PARK)
    if missed and after.has(Marker.CONTACT) and after.kind in ("orange", "black"):
        after = after.marked(Marker.CONTACT, False).marked(Marker.PENDING)
    return after
