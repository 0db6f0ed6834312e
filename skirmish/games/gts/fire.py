"""The orders of fire: who may fire at whom, the shot with its rolls, what becomes of the target."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import msgspec
from msgspec.structs import replace

from skirmish.games.gts import combat, orders, units
from skirmish.games.gts import state as happened
from skirmish.games.gts.actions import inflicted
from skirmish.games.gts.combat import ShotFacts, ShotOutcome
from skirmish.games.gts.orders import GtsOrder, unit_of
from skirmish.games.gts.ruleset import ASSAULTED, MISS, GtsTables, Mode
from skirmish.games.gts.state import AnyEvent, GtsState
from skirmish.games.gts.units import Marker, assault_color
from skirmish.tabletop.companion import events
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.events import Task, counters_set, evolved
from skirmish.tabletop.companion.result_table import Sum, mixed
from skirmish.tabletop.companion.typed_tables import typed_values
from skirmish.tabletop.refusal import nonsense, reason

COMPANY = 2
"""Steps of a unit that may have the company bonus."""
SPOTTED = 6
"""A ship fires at what an Allied unit sees on a roll of no more."""
Printed = dict[str, Any]
"""What was read off a counter: ratings, its ``color``, that of its assault rating
(``assault_color``), and whether its defense is ``armored``."""


class Shoot(GtsOrder, frozen=True, kw_only=True, tag="shoot"):
    """One shot. ``firer`` and ``target`` are units; ``facts`` what their counters do not show, the
    color and rating of nests, obstacles and other firers that are no units, the defense of a target
    that is none.

    ``place``: the hex of an empty target. ``near``: an enemy was adjacent as the action began.
    ``sees``: the battery or ship sees its target itself. ``box`` and ``beach``: the range box of a
    ship, and whose telephone lines it may cut. ``assault_rating``: it fires with that one.
    ``bonus``: the company bonus, None: that of the first shot in an assault, else it is rolled, or
    passed for a command point (``spend``). ``out`` of command: the firer. ``printed`` by unit and
    ``values`` are typed for this shot, ``numbers`` are the player's own rolls in their order: that
    of opportunity fire, of the company bonus or of a ship's spotting, then the shot."""

    firer: str = ""
    target: str = ""
    facts: ShotFacts = ShotFacts(mode="direct", color="", rating=0)
    place: str = ""
    near: bool = False
    sees: bool = False
    box: int = 0
    beach: str = ""
    assault_rating: bool = False
    bonus: bool | None = None
    spend: bool = False
    out: bool = False
    printed: dict[str, Printed] = msgspec.field(default_factory=dict)
    values: dict[str, int] = msgspec.field(default_factory=dict)
    numbers: tuple[int, ...] = ()

    @property
    def acting(self) -> tuple[str, ...]:
        return (self.firer,)

    @property
    def mode(self) -> Mode:
        return self.facts.mode

    # -------------------------------------------------------------- who and what

    def unit(self, state: GtsState, id: str) -> Counter | None:
        """A unit with what was just read off its counter."""
        if not id:
            return None
        one, read = unit_of(state, id), dict(self.printed.get(id, {}))
        color, assault = str(read.pop("color", one.kind)), read.pop("assault_color", "")
        new = ["armored"] * bool(read.pop("armored", False))
        new += [units.ASSAULT + assault] * bool(assault)
        traits = tuple(dict.fromkeys((*one.traits, *new)))
        ratings = one.ratings | {name: int(value) for name, value in read.items()}
        return replace(one, kind=color, traits=traits, ratings=ratings)

    def ship(self, state: GtsState) -> bool:
        return bool(self.firer) and "ship" in unit_of(state, self.firer).traits

    def tables(self, state: GtsState) -> GtsTables:
        return state.tables.with_values(self.values)

    def shot(self, state: GtsState, bonus: bool = False) -> ShotFacts:
        """The facts of the shot with what the counters show."""
        facts = self._with_sky(state, replace(self.facts, company_bonus=bonus))
        facts = self._with_target(state, facts)
        return self._with_firer(state, facts)

    def _with_sky(self, state: GtsState, facts: ShotFacts) -> ShotFacts:
        fog, rain = state.weather == "fog", state.weather == "rain"
        return replace(facts, night=state.night, fog=fog, rain=rain)

    def _with_target(self, state: GtsState, facts: ShotFacts) -> ShotFacts:
        target = self.unit(state, self.target)
        if target is None:
            return facts
        facing = replace(
            facts.target,
            defense=target.rating("defense"),
            armored="armored" in target.traits,
            column=target.has(Marker.COLUMN),
            ip=target.has(Marker.IMPROVED),
            entrenched=target.has(Marker.ENTRENCHED),
        )
        mass = state.mass(target) if facts.mass is None else facts.mass
        return replace(facts, target=facing, mass=mass)

    def _with_firer(self, state: GtsState, facts: ShotFacts) -> ShotFacts:
        firer = self.unit(state, self.firer)
        if firer is None:
            # Nests, obstacles and what is no unit reach as far as their players say.
            return replace(facts, max_range=facts.hexes)
        rating, color = "fire", firer.kind
        if self.assault_rating:
            rating, color = "assault", assault_color(firer) or firer.kind
        standing = replace(
            units.firing(firer),
            bocage=facts.firer.bocage,
            suppressed=firer.has(Marker.SUPPRESSED),
            near=self.near,
            park=firer.has(Marker.PARK),
        )
        printed = max(firer.rating("range"), 1)
        if self.mode == "indirect":
            printed -= self.box
        given = {"color": color, "rating": firer.rating(rating), "firer": standing}
        facts = replace(facts, **given, max_range=printed)
        if self.mode in ASSAULTED:
            return facts
        return replace(facts, max_range=combat.reach(state.rules, facts))

    # -------------------------------------------------------------- whether it is allowed

    def _bars(self, state: GtsState) -> Iterator[combat.FireBar]:
        """What the charts have against the shot of a unit."""
        firer = self.unit(state, self.firer)
        if firer is None:
            return
        kind = firer.kind if self.assault_rating else ""
        shot, ship = self.shot(state), self.ship(state)
        yield from combat.bars(state.rules, shot, firer.name, kind=kind, ship=ship)

    def why_not(self, state: GtsState) -> str:
        """Why the shot is not allowed; empty if it is."""
        firer = self.unit(state, self.firer)
        if firer is None or self.facts.plain:
            return ""
        rating = "assault" if self.assault_rating else "fire"
        if firer.ratings.get(firer.printed(rating), 0) is None:
            return f"{firer.name} has no {rating} rating."
        for bar in self._bars(state):
            if bar.firm:
                return bar.text
        if self.spend:
            return orders.why_not_spend(state, firer, out=self.out)
        return ""

    def advice(self, state: GtsState) -> str:
        """What speaks against the shot as far as markers are entered: players may know better."""
        firer, target = self.unit(state, self.firer), self.unit(state, self.target)
        if target is not None and target.has(Marker.ENTRY):
            return f"{target.name} is in an entry hex; nobody fires at it there."
        if firer is None or self.facts.plain:
            return ""
        for bar in self._bars(state):
            if not bar.firm:
                return bar.text
        name, indirect = firer.name, self.mode == "indirect"
        park = indirect and firer.kind == "orange" and not self.ship(state)
        coast = indirect and firer.kind == "black"
        contact = firer.has(Marker.CONTACT)
        first = self.mode == "defense" and not self.assault_rating
        colored = self.mode == "defense" and assault_color(firer) not in ("", "white")
        return reason(
            (indirect and firer.has(Marker.ENTRY), f"{name} is in an entry hex."),
            (park and not firer.has(Marker.PARK),
             f"{name} fires indirectly only from an artillery park; A creates one."),
            (park and not contact, f"{name} is in contact with no leader."),
            (coast and self.out, f"{name} is out of command."),
            (coast and not self.sees and not contact,
             f"{name} neither sees its target nor is in contact with a leader."),
            (first and firer.has(Marker.SUPPRESSED),
             f"{name} is suppressed; it fires once, with its assault rating."),
            (first and colored,
             f"The assault rating of {name} is colored; it is used for both shots."),
        )  # fmt: skip

    def needs(self, state: GtsState) -> list[tuple[str, tuple[str, ...]]]:
        """The units with what is not read off their counters yet: ratings, and ``color``,
        ``assault_color`` and ``armored``."""
        found = []
        if self.firer:
            one = unit_of(state, self.firer)
            names = ["assault" if self.assault_rating else "fire"]
            names += ["range"] * (self.mode not in ASSAULTED)
            names += ["tq"] * (self.mode == "op" or self.company(state))
            missing = [*["color"] * (not one.kind), *one.missing(names)]
            missing += ["assault_color"] * (self.assault_rating and not assault_color(one))
            found += [(one.id, tuple(missing))] if missing else []
        if self.target and not self.facts.plain:
            one = unit_of(state, self.target)
            if one.missing(["defense"]):
                found.append((one.id, ("defense", "armored")))
        return found

    # -------------------------------------------------------------- checks and chances

    def two_steps(self, state: GtsState) -> bool:
        """Whether the firer may have the company bonus."""
        fires = self.firer and not self.facts.plain and self.mode != "op"
        return bool(fires) and units.steps_of(unit_of(state, self.firer)) == COMPANY

    def known(self, state: GtsState) -> bool | None:
        """The company bonus, if it is not rolled for."""
        if self.spend:
            return True
        first = state.bonuses.get(self.firer) if self.mode in ASSAULTED else None
        return first if self.bonus is None else self.bonus

    def company(self, state: GtsState) -> bool:
        """Whether the company bonus is checked for."""
        return self.known(state) is None and self.two_steps(state)

    def stops(self, state: GtsState) -> str:
        """The roll without which there is no shot, empty if there is none."""
        spotted = self.mode == "indirect" and self.ship(state) and not self.sees
        return "opportunity fire" if self.mode == "op" else "spotting" * spotted

    def check(self, state: GtsState) -> Sum | None:
        """The firer's check of its troop quality, for opportunity fire or the company bonus; or the
        roll of a ship that does not see its target."""
        firer, stops = self.unit(state, self.firer), self.stops(state)
        if stops == "spotting":
            return Sum(rating=SPOTTED)
        if firer is None or not (stops or self.company(state)):
            return None
        asked = units.check_of(firer, out=self.out)
        return combat.check_sum(self.tables(state), state.rules, asked)

    def missing(self, state: GtsState) -> tuple[str, ...]:
        """The modifiers and terrain that the card has yet to give."""
        tables, rules = self.tables(state), state.rules
        sums = [combat.fire_sum(tables, rules, self.shot(state, bool(self.known(state))))]
        if self.company(state):
            sums.append(combat.fire_sum(tables, rules, self.shot(state, True)))
        if check := self.check(state):
            sums.append(check)
        return tuple(dict.fromkeys(id for one in sums for id in one.missing))

    def weighed(self, state: GtsState) -> tuple[ShotOutcome, dict[str, Fraction]]:
        """The shot before its roll, without the company bonus if that is rolled, and the chance of
        every result with all checks. Raises Refused."""
        if why := self.why_not(state):
            raise nonsense("no_fire", why)
        self.advise(self.advice(state))
        tables, rules = self.tables(state), state.rules
        plain = combat.fire(tables, rules, self.shot(state, bool(self.known(state))))
        check = self.check(state)
        if check is None:
            return plain, plain.chances
        chance = combat.pass_chance(check.needs, literal=rules.literal)
        if self.stops(state):
            return plain, mixed(chance, plain.chances, {MISS: Fraction(1)})
        with_bonus = combat.fire(tables, rules, self.shot(state, True))
        return plain, mixed(chance, with_bonus.chances, plain.chances)

    # -------------------------------------------------------------- the shot

    def text(self, state: GtsState) -> str:
        """``1/505 fires at A/21``."""
        firer, target = self.unit(state, self.firer), self.unit(state, self.target)
        who = firer.name if firer else f"A rating of {self.facts.rating} in {self.facts.color}"
        hex_ = f"the empty hex {self.place}" if self.place else "an empty hex"
        what = target.name if target else hex_ if self.facts.empty else "its target"
        verb = "takes opportunity fire" if self.mode == "op" else "fires"
        return f"{who} {verb} at {what}"

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        if self.missing(state):
            raise nonsense("no_value", "A modifier of your card is missing.")
        self.weighed(state)
        firer, numbers = self.unit(state, self.firer), orders.dice(state, self.numbers)
        found: list[AnyEvent] = [*typed_values(self.values)]
        read = [one for id in (self.firer, self.target) if (one := self.unit(state, id))]
        found += counters_set(state, read)
        bonus, check, stops = bool(self.known(state)), self.check(state), self.stops(state)
        if firer and self.mode in ("direct", "indirect"):
            found += self.taken(state, firer, "fire", out=self.out)
        if firer and self.spend:
            found += orders.paid(evolved(state, found), firer, "company bonus")
        if firer and check is not None:
            rolled = self.rolled(state, firer, stops or "company bonus", check, numbers)
            found.append(rolled)
            if stops and not rolled.passed:
                return [*numbers.events, *found, *counters_set(state, [self._spent(firer)])]
            bonus = rolled.passed and not stops
        roll = numbers.number()
        shot = combat.fire(self.tables(state), state.rules, self.shot(state, bonus), roll)
        return [*numbers.events, *found, *self._settled(state, shot, roll, bonus)]

    def _settled(
        self, state: GtsState, shot: ShotOutcome, roll: int, bonus: bool
    ) -> list[AnyEvent]:
        firer, target = self.unit(state, self.firer), self.unit(state, self.target)
        indirect, highest = self.mode == "indirect", roll == combat.HIGHEST
        marker: combat.Barrage | None = None
        if indirect and not highest:
            marker = combat.barrage(self.tables(state), state.rules, self.shot(state, bonus))
        assaulted = self.mode in ASSAULTED and self.two_steps(state)
        fired = happened.ShotFired(
            text=self.text(state),
            sum=shot.sum,
            firer=self.firer,
            bonus=bonus if assaulted and self.firer not in state.bonuses else None,
            roll=roll,
            hit=bool(shot.hit),
            result=shot.result or "",
            barrage=marker or "",
        )
        after: dict[str, Counter] = {}
        if firer:
            after[firer.id] = self._spent(firer, missed=indirect and highest)
        stack = state.stack(target) if target else ()
        for there in stack:
            one = target if target and there.id == target.id else there
            if marker:
                heavy = marker == "heavy" or one.has(Marker.HEAVY)
                one = one.marked(Marker.HEAVY, heavy).marked(Marker.LIGHT, not heavy)
            after[one.id] = one if indirect else units.broken_up(one)
        others: tuple[str, ...] = ()
        if target and indirect and firer and not state.rules.colors[firer.kind].mortar:
            spread = [unit for unit in stack if unit.id != target.id]
            others = tuple(unit.id for unit in spread if not units.leads(unit))
        tasks: list[Task] = []
        runs = "running" * self.facts.running
        if shot.hit and shot.result is None:
            hurt = (target.id, *others) if target else ()
            tasks = [Task(kind="look_up", units=hurt, table=shot.table, column=shot.color,
                          roll=roll, place=runs)]  # fmt: skip
        elif target and shot.hit:
            hit = after.get(target.id, target)
            after[target.id], tasks = inflicted(hit, shot.result or "", others, runs)
        asked: list[AnyEvent] = [events.TasksSet(tasks=tuple(tasks))] if tasks else []
        here, line = target.place if target else self.place, f"{self.beach} phone lines"
        if here and marker and Marker.HEAVY not in state.ground.get(here, ()):
            asked.append(events.MapSeen(ground={here: (f"{marker} barrage",)}))
        if roll == 0 and line in state.tracks and self.ship(state):
            asked.append(events.TrackSet(track=line, value=0, why="a 0 cuts them"))
        return [fired, *counters_set(state, after.values()), *asked]

    def _spent(self, firer: Counter, *, missed: bool = False) -> Counter:
        """The firer after its shot: acted, its park on the fired side, out of contact after a 9 or
        where a battery used its own eyes."""
        if self.mode == "op":
            return firer.marked(Marker.FIRED_OP)
        if self.mode in ASSAULTED:
            return firer
        after = units.busy(firer)
        if self.mode == "indirect" and after.has(Marker.PARK):
            after = after.marked(Marker.FIRED_PARK)
        own_eyes = self.mode == "indirect" and self.sees and firer.kind == "black"
        if own_eyes or (missed and firer.kind in ("orange", "black")):
            after = units.out_of_contact(after)
        return after
