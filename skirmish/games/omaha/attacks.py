"""Fire and assault orders: legality, the odds, and the effect on the targets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar

from msgspec.structs import replace

from skirmish.games.omaha import combat, orders
from skirmish.games.omaha.combat import AssaultOn, FireAt
from skirmish.games.omaha.orders import OmahaOrder, rolls_of
from skirmish.games.omaha.ruleset import FOES, FORTIFICATION
from skirmish.games.omaha.state import DECK, NAVY, AnyEvent, AttackResolved, OmahaState
from skirmish.games.omaha.units import Mark, is_ranger, rated, spent, why_not_together
from skirmish.tabletop.companion.counters import Counter, named
from skirmish.tabletop.companion.events import CounterSet, MapSeen, Task, pair
from skirmish.tabletop.companion.numbers import Numbers
from skirmish.tabletop.companion.result_table import Resolved, least, odds
from skirmish.tabletop.refusal import nonsense

SOFT, HARD, BOTH = "soft", "hard", "both"
Needs = list[tuple[tuple[Counter, ...], tuple[str, ...]]]
Result = tuple[dict[str, Any], list[Counter], list[Task]]


def why_not_attacking(unit: Counter, *, fires: bool) -> str:
    """The rules forbid units that have just landed to move and to fire, but not to assault."""
    why = spent(unit, landed=fires and unit.kind != "armor")
    return f"{unit.name} {why}." if why else ""


def why_not_combining(state: OmahaState, units: Sequence[Counter], *, fire: bool) -> str:
    """Why these may not attack together, as far as the names of their hexes show it; empty if they
    may. "Units belonging to the same company that are either stacked together or in adjacent hexes
    may combine"; each of the hexes of an assault is beside the defenders' instead."""
    why = why_not_together(units, fire=fire)
    if why or not fire:
        return why
    places = list(dict.fromkeys(unit.place or unit.id for unit in units))
    linked = places[:1]
    for place in linked:
        for near in places:
            if near not in linked and state.may_adjoin(place, near):
                linked.append(near)
    for place in places:
        if place not in linked:
            return f"{place} is not beside {linked[0]}; a company combines in hexes side by side."
    return ""


def never_fires_far(state: OmahaState, unit: Counter) -> bool:
    """The solitaire Germans "will not fire on American units in excess of their counter's printed
    range"."""
    return state.setup.solitaire and unit.side == "german"


def reach_of(state: OmahaState, unit: Counter) -> int:
    """How many hexes it can fire: twice its printed range, and always at an adjacent hex."""
    printed = max(unit.rating("range"), 1)
    if never_fires_far(state, unit):
        return printed
    return 2 * printed


def of_kind(units: Sequence[Counter], aim: str) -> tuple[Counter, ...]:
    return tuple(one for one in units if (one.kind == "armor") == (aim == HARD))


def _refuse(bad: object, code: str, text: str) -> None:
    if bad:
        raise nonsense(code, text)


class Attack(OmahaOrder, frozen=True, kw_only=True):
    """``target``: a hex, or the id of a unit in an unrecorded hex. ``ground``: the target's
    terrain, None: as recorded; ``ratings``: read off counters for this attack, by unit; ``number``:
    the owner's card or die; ``why``: the reason for the solitaire German's choice."""

    attackers: tuple[str, ...] = ()
    target: str
    ground: tuple[str, ...] | None = None
    crest: bool = False
    ratings: Mapping[str, dict[str, int]] = {}
    number: int = 0
    why: str = ""

    VERBS: ClassVar[tuple[str, str]] = ("assaults", "assault")

    @property
    def acting(self) -> tuple[str, ...]:
        return self.attackers

    def us(self, state: OmahaState) -> tuple[Counter, ...]:
        return rated(state.of(self.attackers), self.ratings)

    def foes(self, state: OmahaState) -> tuple[Counter, ...]:
        return rated(state.at_target(self.target, FOES[state.side]), self.ratings)

    def needs(self, state: OmahaState) -> Needs:
        """The missing ratings."""
        return [((*self.us(state), *self.foes(state)), ("ca",))]

    def stands_in(self, state: OmahaState) -> tuple[str, ...]:
        return state.ground.get(self.target, ()) if self.ground is None else self.ground

    def standing(self, state: OmahaState) -> dict[str, Any]:
        """The target's terrain, as parameters of the tables."""
        ground = self.stands_in(state)
        terrain = tuple(one for one in ground if one != FORTIFICATION)
        fortified = FORTIFICATION in ground
        return {"terrain": terrain, "fortification": fortified, "crest": self.crest}

    def text(self, state: OmahaState) -> str:
        """``1/B/116 fires at J7 (1/916 and 2/916)``."""
        us, foes = self.us(state), self.foes(state)
        names = named(us) if us else "Naval gunfire"
        at = named(foes) if foes and self.target == foes[0].id else f"{self.target} ({named(foes)})"
        return f"{names} {self.VERBS[len(us) > 1]} {at}"

    def sum(self, state: OmahaState, found: Resolved) -> str:
        return found.value.replace(":", " against ")

    def weighed(self, state: OmahaState, roll: int | None = None) -> Resolved:
        """The odds. Raises Refused."""
        self.check(state)
        found = self.resolved(state, roll)
        _refuse(found.why, found.why, found.text)
        return found

    def check(self, state: OmahaState) -> None:
        raise NotImplementedError

    def resolved(self, state: OmahaState, roll: int | None) -> Resolved:
        raise NotImplementedError

    def result(self, state: OmahaState, found: Resolved) -> Result:
        """The event's own fields, and the resulting counters and questions."""
        raise NotImplementedError

    def carry_out(self, state: OmahaState) -> list[AnyEvent]:
        self.weighed(state)
        numbers = Numbers(state, DECK, (self.number,) if self.number else ())
        found = self.weighed(state, numbers.number(cards=state.setup.chance == "cards"))
        fields, after, tasks = self.result(state, found)
        why = f", {self.why}" if self.why else ""
        event = AttackResolved(
            **fields,
            column=found.column,
            shifts=found.shifts,
            roll=found.roll or 0,
            result=found.result,
            value=found.value,
            target=self.target,
            attackers=self.attackers,
            text=f"{self.text(state)}{why}:",
        )
        typed = rated(state.of(tuple(self.ratings)), self.ratings)
        entered: list[AnyEvent] = [CounterSet(counter=one) for one in typed]
        settled = orders.settled(state, after, tasks)
        return [*entered, *self.observed(state), *numbers.events, event, *settled]

    def observed(self, state: OmahaState) -> list[AnyEvent]:
        """What the attack reveals of the map."""
        if self.ground is None or self.target in state.counters.counters:
            return []
        known = state.ground.get(self.target, ()) == self.ground
        return [] if known else [MapSeen(ground={self.target: self.ground})]


class Fire(Attack, frozen=True, kw_only=True, tag="fire"):
    """``aim``: soft or hard targets of the hex, both (naval guns only), or the id of a tank (M2).
    ``distances``: in hexes, from each firing hex; ``seen``: all hexes that the first of them sees.
    ``naval``: packets; ``air``: the +6 of a card."""

    aim: str = ""
    distances: Mapping[str, int] = {}
    seen: Mapping[str, int] = {}
    naval: int = 0
    air: bool = False

    VERBS: ClassVar[tuple[str, str]] = ("fires at", "fire at")

    def there(self, state: OmahaState) -> tuple[Counter, ...]:
        """The units in the hex that fire can reach: during op fire only moving ones."""
        here = rated(state.at_target(self.target, FOES[state.shooter or "us"]), self.ratings)
        moving = tuple(one for one in here if one.has(Mark.MOVING))
        return moving if moving and state.shooter != state.side else here

    def aimed(self, state: OmahaState) -> str:
        """The kind of target: hard only if chosen or if there is nothing else."""
        if not self.attackers:
            return BOTH
        return self.aim or (SOFT if of_kind(self.there(state), SOFT) else HARD)

    def hard(self, state: OmahaState) -> bool:
        return self.aimed(state) not in (SOFT, BOTH)

    def foes(self, state: OmahaState) -> tuple[Counter, ...]:
        there, aim = self.there(state), self.aimed(state)
        if aim not in (SOFT, HARD, BOTH):
            return tuple(one for one in there if one.id == aim)
        return there if aim == BOTH else of_kind(there, aim)

    def needs(self, state: OmahaState) -> Needs:
        hard = self.hard(state)
        found = [(self.us(state), ("ap" if hard else "he", "range"))]
        return [*found, *([(self.foes(state), ("armor",))] if hard else [])]

    def distance(self, state: OmahaState, unit: Counter) -> int:
        known = state.distance(unit.place, self.target) if unit.place else None
        return self.distances.get(unit.place, known or 1)

    def parts(self, state: OmahaState) -> list[tuple[str, Fraction]]:
        """The terms of the factors, each with its reason."""
        numbers, found = state.setup.tables.numbers, list[tuple[str, Fraction]]()
        hard = self.hard(state)
        for unit in self.us(state):
            factors = Fraction(unit.rating("ap" if hard else "he"))
            why = unit.name
            if self.distance(state, unit) > max(unit.rating("range"), 1):
                factors, why = factors / 2, f"{why}, half beyond its range"
                factors = Fraction(int(factors)) if state.setup.ruled("M3", "down") else factors
            found.append((why, factors))
        if self.naval:
            found.append(("naval gunfire", Fraction(self.naval * numbers.packet)))
        if self.air:
            found.append(("air power", Fraction(numbers.packet)))
        if hard:
            armor = max((one.rating("armor") for one in self.foes(state)), default=0)
            found.append(("the target's armor", Fraction(-armor)))
        return found

    def sum(self, state: OmahaState, found: Resolved) -> str:
        parts = [
            f"{'+' if value >= 0 else '-'} {float(abs(value)):g} ({why})"
            for why, value in self.parts(state)
        ]
        return f"{' '.join(parts).removeprefix('+ ')} = {combat.factors(found.value)}"

    def check(self, state: OmahaState) -> None:
        """Raises Refused for illegal fire."""
        firers, aim, own = self.us(state), self.aimed(state), state.shooter == state.side
        at = state.position
        _refuse(state.shooter is None, "no_fire_now", "Nobody fires in this phase.")
        for unit in firers:
            why, reach = why_not_attacking(unit, fires=True), max(unit.rating("range"), 1)
            far, never = self.distance(state, unit), f"never fires beyond its range of {reach}"
            alone = unit.side == "german" and state.setup.solitaire
            again = (at.turn, at.phase, unit.place, self.target, aim) in state.shots
            text = "has fired at that already; units of a hex that fire at one target must combine."
            _refuse(unit.side != state.shooter, "wrong_side", f"{unit.name} does not fire now.")
            _refuse(why, "cannot_fire", why)
            text_far = f"{unit.name} reaches {2 * reach} hexes, not {far}."
            _refuse(far > 2 * reach, "out_of_range", text_far)
            _refuse(alone and far > reach, "solitaire_range", f"{unit.name} {never}.")
            _refuse(unit.place and again and own, "must_combine", f"{unit.place} {text}")
        why = why_not_combining(state, firers, fire=True)
        _refuse(why, "not_together", why)
        self._check_naval(state, bool(firers))
        foes = self.foes(state)
        _refuse(not foes, "no_target", f"There is no {aim} target.")
        shot_at = not own and any(one.has(Mark.SHOT_AT) for one in foes)
        text = "They were fired at in this hex; once in each that they enter."
        _refuse(shot_at, "fired_at", text)

    def _check_naval(self, state: OmahaState, joined: bool) -> None:
        left = state.tracks[NAVY].value if NAVY in state.tracks else 0
        navy, hard = self.naval, self.hard(state)
        no_navy = navy and (state.now != "us_fire" or navy > left)
        text = f"Naval gunfire has {left} packets left in the American fire phase."
        apart = "Naval gunfire is high explosive: it bombards tanks by itself."
        no_air = self.air and (state.air(state.shooter or "") < 1 or hard)
        _refuse(not joined and not navy, "nobody", "Nobody fires.")
        _refuse(no_navy, "no_navy", text)
        _refuse(navy and hard, "navy_apart", apart)
        _refuse(no_air, "no_air", "There is no air power for this attack.")

    def resolved(self, state: OmahaState, roll: int | None) -> Resolved:
        shot = FireAt(
            factors=max(int(sum(value for _, value in self.parts(state))), 0),
            adjacent=any(self.distance(state, one) == 1 for one in self.us(state)),
            op_fire=state.shooter != state.side,
            **self.standing(state),
        )
        return combat.fire(state.setup.tables, state.setup.rulings, shot, roll, rolls_of(state))

    def result(self, state: OmahaState, found: Resolved) -> Result:
        hit, after, tasks = self.foes(state), list[Counter](), list[Task]()
        op_fire = state.shooter != state.side
        fields = {
            "kind": "fire",
            "aim": self.aimed(state),
            "naval": self.naval,
            "air": state.shooter or "" if self.air else "",
            "against": tuple(one.id for one in hit) if op_fire else (),
        }
        apart = [one for one in hit if self.aimed(state) == BOTH and one.kind == "armor"]
        if found.result == "D":
            after = orders.disrupted(hit)
        elif found.result.startswith("L"):
            soft = [one for one in hit if one not in apart]
            after, tasks = orders.lost(soft, int(found.result[1]))
            after += orders.disrupted(apart)
        return fields, [one.marked(Mark.SHOT_AT, op_fire) for one in after], tasks

    def observed(self, state: OmahaState) -> list[AnyEvent]:
        places = [one.place for one in self.us(state)]
        pairs = [(one, self.target, self.distances[one]) for one in places if one in self.distances]
        pairs += [(one, at, far) for one in places[:1] for at, far in self.seen.items()]
        units = state.counters.counters
        far = {pair(one, at): far for one, at, far in pairs if one and at not in units}
        return [*super().observed(state), *([MapSeen(distances=far)] if far else [])]


class Assault(Attack, frozen=True, kw_only=True, tag="assault"):
    def check(self, state: OmahaState) -> None:
        attackers, defenders = self.us(state), self.foes(state)
        now = state.sequence.allows(state.position, "assault")
        _refuse(not now, "no_assault_now", "Nobody assaults in this phase.")
        nobody = not attackers or not defenders
        _refuse(nobody, "nobody", "Name attackers and a hex with an enemy.")
        for unit in attackers:
            why, across = why_not_attacking(unit, fires=False), self.crest and not is_ranger(unit)
            text = f"{unit.name} is no Ranger; only Rangers assault across a crest."
            _refuse(unit.side != state.side, "wrong_side", f"{unit.name} does not assault now.")
            _refuse(why, "cannot_assault", why)
            _refuse(across, "crest", text)
        why = why_not_combining(state, attackers, fire=False)
        _refuse(why, "not_together", why)

    def resolved(self, state: OmahaState, roll: int | None) -> Resolved:
        attackers, defenders = self.us(state), self.foes(state)
        attack = sum(one.rating("ca") for one in attackers)
        defense = sum(one.rating("ca") for one in defenders)
        on_foot, kinds = {"infantry", "engineers"}, {one.kind for one in defenders}
        against = "armor" in kinds and not kinds & on_foot
        asked = AssaultOn(
            attack=attack,
            defense=defense,
            disrupted=any(one.has(Mark.DISRUPTED) for one in defenders),
            infantry_against_armor=against and any(one.kind in on_foot for one in attackers),
            **self.standing(state),
        )
        setup, wanted = state.setup, state.setup.tables.numbers.solitaire_odds
        alone = setup.solitaire and state.side == "german"
        text = f"is less than {wanted}, at which the solitaire German assaults."
        few = alone and odds(attack, defense) < least(wanted)
        _refuse(few, "solitaire_odds", f"{attack}:{defense} {text}")
        return combat.assault(setup.tables, setup.rulings, asked, roll, rolls_of(state))

    def result(self, state: OmahaState, found: Resolved) -> Result:
        attackers, defenders = self.us(state), self.foes(state)
        beaten = {"D": defenders, "A": attackers}.get(found.result[0], ())
        lose = {"R": 1, "E": 9}.get(found.result[1:], 0)
        bare = [one.marked(Mark.ASSAULTED) if one in attackers else one for one in beaten]
        after = [replace(one, steps=max(one.steps - lose, 0)) for one in bare]
        tasks = [Task(kind="retreat", units=(one.id,)) for one in after if one.steps]
        taken = beaten is defenders and self.target not in state.counters.counters
        only = state.side == "german" and state.setup.solitaire
        if beaten and taken and (self.target in state.control or not only):
            tasks.append(Task(kind="advance", units=self.attackers, place=self.target))
        return {"kind": "assault", "mark": Mark.ASSAULTED}, after, tasks
