"""Fire and assault as orders: whether the rules allow them, their odds, and what they do.

``Attack`` is what both have in common: it is checked, resolved on its table with the number drawn,
and recorded in one event. ``Fire`` ("Fire Combat", "Opportunity Fire", "Naval Gunfire Support") and
``Assault`` ("Close Assault") add what is theirs. The M numbers are the rulings of
``data/omaha/rulings.toml``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

from msgspec.structs import replace

from skirmish.games.omaha import combat, orders
from skirmish.games.omaha.combat import AssaultOn, FireAt
from skirmish.games.omaha.orders import OmahaOrder, rolls_of
from skirmish.games.omaha.ruleset import FOES, FORTIFICATION
from skirmish.games.omaha.state import DECK, NAVY, AnyEvent, AttackResolved, OmahaState, ShotMade
from skirmish.games.omaha.units import Mark, is_ranger, rated, why_done, why_not_together
from skirmish.tabletop.companion.counter_events import CounterSet
from skirmish.tabletop.companion.counters import Counter, named
from skirmish.tabletop.companion.events import MapSeen
from skirmish.tabletop.companion.numbers import Numbers
from skirmish.tabletop.companion.result_table import Resolved, least_value, odds
from skirmish.tabletop.companion.table_state import Task, pair
from skirmish.tabletop.refusal import nonsense

SOFT, HARD, BOTH = "soft", "hard", "both"
"""The kinds of target in a hex. Naval guns that fire alone bombard both at once."""
ON_FOOT = ("infantry", "engineers")
"""The kinds that count as infantry in "infantry against armor without any infantry"."""


class RatingsNeeded(NamedTuple):
    """The printed ratings, by name, that an attack needs of these units."""

    units: tuple[Counter, ...]
    names: tuple[str, ...]


class FactorTerm(NamedTuple):
    """Factors of fire that are added up, and whose they are, in words."""

    why: str
    value: Fraction


class Outcome(NamedTuple):
    """What an attack did: its event, the counters as they are afterwards, the open questions."""

    event: AttackResolved
    counters: list[Counter]
    tasks: list[Task]


# ------------------------------------------------------------------ who may attack


def why_not_attacking(unit: Counter, *, fires: bool) -> str:
    """Why a unit attacks nobody, as a sentence; empty if it may. Units that have just landed "may
    not move or fire on the turn that they are placed", "armor units may fire"; the text does not
    forbid any of them to assault."""
    landing_counts = fires and unit.kind != "armor"
    why = why_done(unit, landed=landing_counts)
    if not why:
        return ""
    return f"{unit.name} {why}."


def why_not_combining(state: OmahaState, units: Sequence[Counter], *, fire: bool) -> str:
    """Why these may not attack together, as far as the names of their hexes show it; empty if they
    may. "Units belonging to the same company that are either stacked together or in adjacent hexes
    may combine"; each of the hexes of an assault is beside the defenders' instead."""
    why = why_not_together(units, fire=fire)
    if why or not fire:
        return why
    places = list(dict.fromkeys(unit.place or unit.id for unit in units))
    # The list grows while it is walked: every hex that is linked may link others.
    linked = places[:1]
    for place in linked:
        for neighbour in places:
            if neighbour not in linked and state.may_adjoin(place, neighbour):
                linked.append(neighbour)
    for place in places:
        if place not in linked:
            return f"{place} is not beside {linked[0]}; a company combines in hexes side by side."
    return ""


def never_fires_far(state: OmahaState, unit: Counter) -> bool:
    """The solitaire Germans "will not fire on American units in excess of their counter's printed
    range"."""
    return state.setup.solitaire and unit.side == "german"


def printed_range(unit: Counter) -> int:
    """The range printed on a unit, in hexes; at least 1, since "you may always fire at adjacent
    units"."""
    return max(unit.rating("range"), 1)


def reach_of(state: OmahaState, unit: Counter) -> int:
    """The longest range of a unit in hexes: "up to twice their printed range"."""
    if never_fires_far(state, unit):
        return printed_range(unit)
    return 2 * printed_range(unit)


def of_kind(units: Sequence[Counter], aim: str) -> tuple[Counter, ...]:
    """The hard targets (armor) among the units, or the soft ones (everything else)."""
    if aim == HARD:
        return tuple(unit for unit in units if unit.kind == "armor")
    return tuple(unit for unit in units if unit.kind != "armor")


# ------------------------------------------------------------------ what both have in common


class Attack(OmahaOrder, frozen=True, kw_only=True):
    """An attack by units or by what supports them."""

    attackers: tuple[str, ...] = ()
    target: str
    """A hex, or the id of a unit in a hex that nobody has recorded."""
    ground: tuple[str, ...] | None = None
    """The terrain of the target; None: as recorded."""
    crest: bool = False
    """Whether an attacker attacks across a crest."""
    ratings: Mapping[str, dict[str, int]] = {}
    """What was read off counters for this attack, by unit."""
    number: int = 0
    """The owner's card or die; 0: the program draws."""
    why: str = ""
    """The reason for the choice of the solitaire German."""

    VERB: ClassVar[str] = "assaults"
    VERB_OF_SEVERAL: ClassVar[str] = "assault"

    @property
    def acting(self) -> tuple[str, ...]:
        return self.attackers

    # ------------------------------------------------------------------ who and where

    def attacking_units(self, state: OmahaState) -> tuple[Counter, ...]:
        """The attackers, with the ratings that were read off their counters for this attack."""
        return rated(state.in_play(self.attackers), self.ratings)

    def targets(self, state: OmahaState) -> tuple[Counter, ...]:
        """The units that the attack is aimed at."""
        return rated(state.at_target(self.target, FOES[state.side]), self.ratings)

    def ratings_needed(self, state: OmahaState) -> list[RatingsNeeded]:
        """What is read off the counters before the attack is resolved."""
        both_sides = (*self.attacking_units(state), *self.targets(state))
        return [RatingsNeeded(both_sides, ("ca",))]

    def ground_at_target(self, state: OmahaState) -> tuple[str, ...]:
        """The terrain of the target, as it was given for this attack or as it is recorded."""
        if self.ground is None:
            return state.ground.get(self.target, ())
        return self.ground

    def terrain_of_tables(self, state: OmahaState) -> dict[str, Any]:
        """The target's terrain, as parameters of ``combat.Ground``."""
        ground = self.ground_at_target(state)
        terrain = tuple(id for id in ground if id != FORTIFICATION)
        fortified = FORTIFICATION in ground
        return {"terrain": terrain, "fortification": fortified, "crest": self.crest}

    # ------------------------------------------------------------------ in words

    def text(self, state: OmahaState) -> str:
        """``1/B/116 fires at J7 (1/916 and 2/916)``."""
        attackers, targets = self.attacking_units(state), self.targets(state)
        names = "Naval gunfire"
        if attackers:
            names = named(attackers)
        verb = self.VERB
        if len(attackers) > 1:
            verb = self.VERB_OF_SEVERAL
        whom = f"{self.target} ({named(targets)})"
        if targets and self.target == targets[0].id:
            whom = named(targets)  # in a hex that was not written down
        return f"{names} {verb} {whom}"

    def arithmetic(self, state: OmahaState, resolved: Resolved) -> str:
        """What the column is found by: ``8 against 4``; as a value they are written ``8:4``."""
        return resolved.value.replace(":", " against ")

    # ------------------------------------------------------------------ the rules

    def weighed(self, state: OmahaState, roll: int | None = None) -> Resolved:
        """The odds, or with a ``roll`` the result. Raises Refused."""
        self.check(state)
        resolved = self.resolved(state, roll)
        if resolved.why:
            raise nonsense(resolved.why, resolved.text)
        return resolved

    def check(self, state: OmahaState) -> None:
        """Raises Refused for an attack that the rules do not allow."""
        raise NotImplementedError

    def resolved(self, state: OmahaState, roll: int | None) -> Resolved:
        """The attack on its table, legal or not. Raises Refused where its odds, which are known
        only here, forbid it."""
        raise NotImplementedError

    def outcome(self, state: OmahaState, resolved: Resolved) -> Outcome:
        """What the result does."""
        raise NotImplementedError

    # ------------------------------------------------------------------ carried out

    def carry_out(self, state: OmahaState) -> list[AnyEvent]:
        # An attack that is not allowed is refused before a card is drawn for it.
        self.weighed(state)
        typed: tuple[int, ...] = ()
        if self.number:
            typed = (self.number,)
        numbers = Numbers(state, DECK, typed)
        number = numbers.number(cards=state.setup.chance == "cards")
        resolved = self.weighed(state, number)
        outcome = self.outcome(state, resolved)

        newly_rated = rated(state.in_play(tuple(self.ratings)), self.ratings)
        entered: list[AnyEvent] = [CounterSet(counter=unit) for unit in newly_rated]
        settled = orders.settled(state, outcome.counters, outcome.tasks)
        return [*entered, *self.observed(state), *numbers.events, outcome.event, *settled]

    def event(self, state: OmahaState, resolved: Resolved, **own: Any) -> AttackResolved:
        """The attack with its derivation; ``own``: what fire and assault add to it."""
        text = self.text(state)
        if self.why:
            text = f"{text}, {self.why}"
        return AttackResolved(
            **own,
            column=resolved.column,
            shifts=resolved.shifts,
            roll=resolved.roll or 0,
            result=resolved.result,
            value=resolved.value,
            target=self.target,
            attackers=self.attackers,
            text=f"{text}:",
        )

    def observed(self, state: OmahaState) -> list[AnyEvent]:
        """What the attack reveals of the map, so that nobody is asked for it again."""
        in_unrecorded_hex = self.target in state.counters.counters
        if self.ground is None or in_unrecorded_hex:
            return []
        if state.ground.get(self.target, ()) == self.ground:
            return []
        return [MapSeen(ground={self.target: self.ground})]


# ------------------------------------------------------------------ fire


class Fire(Attack, frozen=True, kw_only=True, tag="fire"):
    """Fire at the units of a hex."""

    aim: str = ""
    """Soft or hard targets of the hex, both (naval guns only), or the id of a tank (M2)."""
    distances: Mapping[str, int] = {}
    """By hex that fires, how many hexes it is from the target."""
    seen: Mapping[str, int] = {}
    """All hexes that the first attacker sees, each with its distance from his hex."""
    naval: int = 0
    """How many packets of naval fire."""
    air: bool = False
    """Whether it has the +6 of a card."""

    VERB: ClassVar[str] = "fires at"
    VERB_OF_SEVERAL: ClassVar[str] = "fire at"

    # ------------------------------------------------------------------ at whom

    def is_op_fire(self, state: OmahaState) -> bool:
        """Whether it is fire in the other side's movement."""
        return state.shooter != state.side

    def in_reach(self, state: OmahaState) -> tuple[Counter, ...]:
        """The units of the hex that fire can hit. "If firing on a hex that contains both moving and
        non-moving targets", opportunity fire "affects only the moving targets"."""
        # ``check`` refuses fire where nobody may fire; asked before that, these are the targets of
        # Americans.
        shooter = state.shooter or "us"
        in_hex = rated(state.at_target(self.target, FOES[shooter]), self.ratings)
        moving = tuple(unit for unit in in_hex if unit.has(Mark.MOVING))
        if moving and self.is_op_fire(state):
            return moving
        return in_hex

    def aimed_at(self, state: OmahaState) -> str:
        """The kind of target, or the id of a tank; hard only if that was chosen or if there is
        nothing else. Naval guns that fire alone bombard everything in the hex."""
        if not self.attackers:
            return BOTH
        if self.aim:
            return self.aim
        if of_kind(self.in_reach(state), SOFT):
            return SOFT
        return HARD

    def is_hard(self, state: OmahaState) -> bool:
        """Whether armor piercing factors count: the aim is armor, or one tank."""
        return self.aimed_at(state) not in (SOFT, BOTH)

    def targets(self, state: OmahaState) -> tuple[Counter, ...]:
        units, aim = self.in_reach(state), self.aimed_at(state)
        if aim == BOTH:
            return units
        if aim in (SOFT, HARD):
            return of_kind(units, aim)
        return tuple(unit for unit in units if unit.id == aim)

    def ratings_needed(self, state: OmahaState) -> list[RatingsNeeded]:
        firing = self.attacking_units(state)
        if self.is_hard(state):
            armor = RatingsNeeded(self.targets(state), ("armor",))
            return [RatingsNeeded(firing, ("ap", "range")), armor]
        return [RatingsNeeded(firing, ("he", "range"))]

    def distance(self, state: OmahaState, unit: Counter) -> int:
        """How many hexes a unit is from the target. A distance that nobody has given counts as 1:
        the command asks for each, so that only an order from elsewhere, such as a file, lacks
        one."""
        if unit.place in self.distances:
            return self.distances[unit.place]
        counted = None
        if unit.place:
            counted = state.distance(unit.place, self.target)
        return counted or 1

    # ------------------------------------------------------------------ the sum

    def terms(self, state: OmahaState) -> list[FactorTerm]:
        """The factors that are added up, each with its reason."""
        packet = state.setup.tables.numbers.packet
        terms = [self._factors_of(state, unit) for unit in self.attacking_units(state)]
        if self.naval:
            terms.append(FactorTerm("naval gunfire", Fraction(self.naval * packet)))
        if self.air:
            # A card of air power is +6 HE, as much as a packet of the navy.
            terms.append(FactorTerm("air power", Fraction(packet)))
        if self.is_hard(state):
            # M2: of several tanks the best armor counts, unless one of them was chosen.
            armor = max((unit.rating("armor") for unit in self.targets(state)), default=0)
            terms.append(FactorTerm("the target's armor", Fraction(-armor)))
        return terms

    def _factors_of(self, state: OmahaState, unit: Counter) -> FactorTerm:
        """What a unit adds: its printed factors, halved beyond its range."""
        rating = "he"
        if self.is_hard(state):
            rating = "ap"
        factors = Fraction(unit.rating(rating))
        if self.distance(state, unit) <= printed_range(unit):
            return FactorTerm(unit.name, factors)
        # "Units may attack at up to twice their printed range, but halve their firepower."
        factors = factors / 2
        if state.setup.ruled("M3", "down"):
            factors = Fraction(int(factors))
        return FactorTerm(f"{unit.name}, half beyond its range", factors)

    def arithmetic(self, state: OmahaState, resolved: Resolved) -> str:
        """``6 (1/B) + 6 (naval gunfire) = 12 factors``."""
        text = ""
        for why, value in self.terms(state):
            sign = "+"
            if value < 0:
                sign = "-"
            text += f" {sign} {float(abs(value)):g} ({why})"
        # The first number stands without a plus, but keeps a minus. The value of fire is the number
        # of its factors.
        return f"{text.removeprefix(' + ').strip()} = {combat.factors(resolved.value)}"

    # ------------------------------------------------------------------ the rules

    def check(self, state: OmahaState) -> None:
        firing = self.attacking_units(state)
        if state.shooter is None:
            raise nonsense("no_fire_now", "Nobody fires in this phase.")
        for unit in firing:
            self._check_unit(state, unit)
        why = why_not_combining(state, firing, fire=True)
        if why:
            raise nonsense("not_together", why)
        if not firing and not self.naval:
            raise nonsense("nobody", "Nobody fires.")
        self._check_support(state)
        targets = self.targets(state)
        if not targets:
            raise nonsense("no_target", f"There is no {self.aimed_at(state)} target.")
        # "The moving unit/s may only be attacked once per hex that it enters."
        if self.is_op_fire(state) and any(unit.has(Mark.SHOT_AT) for unit in targets):
            text = "They were fired at in this hex; once in each that they enter."
            raise nonsense("fired_at", text)

    def _check_unit(self, state: OmahaState, unit: Counter) -> None:
        """Raises Refused for a unit that does not fire, or not at this target."""
        if unit.side != state.shooter:
            raise nonsense("wrong_side", f"{unit.name} does not fire now.")
        why = why_not_attacking(unit, fires=True)
        if why:
            raise nonsense("cannot_fire", why)
        printed, hexes = printed_range(unit), self.distance(state, unit)
        if hexes > 2 * printed:
            raise nonsense("out_of_range", f"{unit.name} reaches {2 * printed} hexes, not {hexes}.")
        if hexes > reach_of(state, unit):
            text = f"{unit.name} never fires beyond its range of {printed}."
            raise nonsense("solitaire_range", text)
        # "Units in the same hex, firing at the same target, must combine their firepower. Note,
        # however, that hard and soft targets are considered different targets."
        present = state.position
        shot = ShotMade(present.turn, present.phase, unit.place, self.target, self.aimed_at(state))
        if unit.place and shot in state.shots and not self.is_op_fire(state):
            text = "has fired at that already; units of a hex that fire at one target must combine."
            raise nonsense("must_combine", f"{unit.place} {text}")

    def _check_support(self, state: OmahaState) -> None:
        """Raises Refused for naval gunfire or air power that there is not."""
        packets_left = 0
        if NAVY in state.tracks:
            packets_left = state.tracks[NAVY].value
        # M14: the navy supports attacks of the American fire phase, not op fire or assaults.
        navy_fires_now = state.phase_id == "us_fire" and self.naval <= packets_left
        if self.naval and not navy_fires_now:
            text = f"Naval gunfire has {packets_left} packets left in the American fire phase."
            raise nonsense("no_navy", text)
        if self.naval and self.is_hard(state):
            text = "Naval gunfire is high explosive: it bombards tanks by itself."
            raise nonsense("navy_apart", text)
        # Air power adds high explosive factors, and they do nothing to armor.
        none_is_left = state.air_attacks_left(state.shooter or "") < 1
        if self.air and (none_is_left or self.is_hard(state)):
            raise nonsense("no_air", "There is no air power for this attack.")

    # ------------------------------------------------------------------ the result

    def resolved(self, state: OmahaState, roll: int | None) -> Resolved:
        factors = int(sum(value for _, value in self.terms(state)))
        firing = self.attacking_units(state)
        shot = FireAt(
            factors=max(factors, 0),
            # "One right if ANY of the attacking units are adjacent to the defending units."
            adjacent=any(self.distance(state, unit) == 1 for unit in firing),
            op_fire=self.is_op_fire(state),
            **self.terrain_of_tables(state),
        )
        return combat.fire(state.setup.tables, state.setup.rulings, shot, roll, rolls_of(state))

    def outcome(self, state: OmahaState, resolved: Resolved) -> Outcome:
        targets = self.targets(state)
        op_fire = self.is_op_fire(state)
        counters, tasks = self._losses(state, targets, resolved.result)
        # The event marks all who were fired at in opportunity fire (``against``); the counters that
        # changed replace those, and need the marker as well. After other fire they have none.
        counters = [unit.marked(Mark.SHOT_AT, op_fire) for unit in counters]
        against: tuple[str, ...] = ()
        if op_fire:
            against = tuple(unit.id for unit in targets)
        air = ""
        if self.air:
            air = state.shooter or ""
        event = self.event(
            state,
            resolved,
            kind="fire",
            aim=self.aimed_at(state),
            naval=self.naval,
            air=air,
            against=against,
        )
        return Outcome(event, counters, tasks)

    def _losses(
        self, state: OmahaState, targets: Sequence[Counter], result: str
    ) -> orders.LossesTaken:
        """The units after ``D`` or ``L1`` to ``L3``, and who chooses the losses."""
        if result == "D":
            return orders.LossesTaken(orders.disrupted(targets), [])
        if not result.startswith("L"):
            return orders.LossesTaken([], [])
        # In a bombardment of both kinds, tanks "consider all Loss results to be Disrupted".
        bombarded: tuple[Counter, ...] = ()
        if self.aimed_at(state) == BOTH:
            bombarded = of_kind(targets, HARD)
        losing = [unit for unit in targets if unit not in bombarded]
        steps_lost = int(result.removeprefix("L"))
        losses = orders.lost(losing, steps_lost)
        units = [*losses.units, *orders.disrupted(bombarded)]
        return orders.LossesTaken(units, losses.tasks)

    def observed(self, state: OmahaState) -> list[AnyEvent]:
        places = [unit.place for unit in self.attacking_units(state)]
        counted: dict[tuple[str, str], int] = {}
        for place in places:
            if place in self.distances:
                counted[place, self.target] = self.distances[place]
        for place in places[:1]:  # what the first hex sees was asked for it alone
            for hex_seen, hexes in self.seen.items():
                counted[place, hex_seen] = hexes
        distances = {}
        for (place, hex_seen), hexes in counted.items():
            # Nothing lies between hexes that were not written down.
            if place and hex_seen not in state.counters.counters:
                distances[pair(place, hex_seen)] = hexes
        events = super().observed(state)
        if distances:
            events.append(MapSeen(distances=distances))
        return events


# ------------------------------------------------------------------ assault


class Assault(Attack, frozen=True, kw_only=True, tag="assault"):
    """A close assault on a hex beside all the attackers."""

    def check(self, state: OmahaState) -> None:
        attackers, defenders = self.attacking_units(state), self.targets(state)
        if not state.sequence.allows(state.position, "assault"):
            raise nonsense("no_assault_now", "Nobody assaults in this phase.")
        if not attackers or not defenders:
            raise nonsense("nobody", "Name attackers and a hex with an enemy.")
        for unit in attackers:
            if unit.side != state.side:
                raise nonsense("wrong_side", f"{unit.name} does not assault now.")
            why = why_not_attacking(unit, fires=False)
            if why:
                raise nonsense("cannot_assault", why)
            # "Non-Ranger units may not Close Assault across crest hex sides."
            if self.crest and not is_ranger(unit):
                text = f"{unit.name} is no Ranger; only Rangers assault across a crest."
                raise nonsense("crest", text)
        why = why_not_combining(state, attackers, fire=False)
        if why:
            raise nonsense("not_together", why)

    def resolved(self, state: OmahaState, roll: int | None) -> Resolved:
        attackers, defenders = self.attacking_units(state), self.targets(state)
        attack = sum(unit.rating("ca") for unit in attackers)
        defense = sum(unit.rating("ca") for unit in defenders)
        self._check_solitaire_odds(state, attack, defense)
        assault = AssaultOn(
            attack=attack,
            defense=defense,
            disrupted=any(unit.has(Mark.DISRUPTED) for unit in defenders),
            infantry_against_armor=_is_infantry_against_armor(attackers, defenders),
            **self.terrain_of_tables(state),
        )
        setup = state.setup
        return combat.assault(setup.tables, setup.rulings, assault, roll, rolls_of(state))

    def _check_solitaire_odds(self, state: OmahaState, attack: int, defense: int) -> None:
        """Raises Refused: solitaire Germans "will Close Assault adjacent American forces only if
        the German forces can amass 3-1 odds"."""
        if not state.setup.solitaire or state.side != "german":
            return
        least_odds = state.setup.tables.numbers.solitaire_odds
        if odds(attack, defense) < least_value(least_odds):
            text = f"is less than {least_odds}, at which the solitaire German assaults."
            raise nonsense("solitaire_odds", f"{attack}:{defense} {text}")

    def outcome(self, state: OmahaState, resolved: Resolved) -> Outcome:
        attackers, defenders = self.attacking_units(state), self.targets(state)
        beaten: tuple[Counter, ...] = ()
        defenders_beaten = resolved.result in ("DR", "DE")
        if defenders_beaten:
            beaten = defenders
        elif resolved.result in ("AR", "AE"):
            beaten = attackers

        eliminated = resolved.result in ("DE", "AE")
        counters, tasks = [], []
        for unit in beaten:
            steps = max(unit.steps - 1, 0)
            if eliminated:
                steps = 0
            after = replace(unit, steps=steps)
            if unit in attackers:
                # The event marks the attackers; a changed counter replaces that.
                after = after.marked(Mark.ASSAULTED)
            counters.append(after)
            if after.steps:
                tasks.append(Task(kind="retreat", units=(after.id,)))
        if defenders_beaten and self._may_advance(state):
            tasks.append(Task(kind="advance", units=self.attackers, place=self.target))
        event = self.event(state, resolved, kind="assault", mark=Mark.ASSAULTED)
        return Outcome(event, counters, tasks)

    def _may_advance(self, state: OmahaState) -> bool:
        """Whether the attackers may occupy the hex: it is written down, and the solitaire "German
        forces will not advance after Close Assault except to gain control of a victory hex"."""
        if self.target in state.counters.counters:
            return False
        victory_hexes_only = state.side == "german" and state.setup.solitaire
        return self.target in state.control or not victory_hexes_only


def _is_infantry_against_armor(attackers: Sequence[Counter], defenders: Sequence[Counter]) -> bool:
    """The shift of the assault table where "attackers include infantry and defenders are armor
    without any infantry"."""
    kinds = {unit.kind for unit in defenders}
    if "armor" not in kinds or not kinds.isdisjoint(ON_FOOT):
        return False
    return any(unit.kind in ON_FOOT for unit in attackers)
