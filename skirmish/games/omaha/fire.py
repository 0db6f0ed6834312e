"""Fire as an order: "Fire Combat", "Opportunity Fire" and "Naval Gunfire Support" of the rules.

The M numbers are the rulings of ``data/omaha/rulings.toml``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import ClassVar, NamedTuple

from msgspec.structs import replace

from skirmish.games.omaha import combat, orders
from skirmish.games.omaha.attacks import (
    Attack,
    Outcome,
    RatingsNeeded,
    extended_range,
    printed_range,
    reach_of,
    why_not_attacking,
    why_not_combining,
)
from skirmish.games.omaha.combat import FireAt
from skirmish.games.omaha.orders import rolls_of
from skirmish.games.omaha.ruleset import FOES, Side
from skirmish.games.omaha.state import NAVY, AnyEvent, OmahaState, ShotMade
from skirmish.games.omaha.units import Mark, rated
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.events import MapSeen
from skirmish.tabletop.companion.result_table import Resolved
from skirmish.tabletop.companion.table_state import distance_key
from skirmish.tabletop.refusal import nonsense

SOFT, HARD, BOTH = "soft", "hard", "both"
"""The kinds of target in a hex. Naval guns that fire alone bombard both at once."""


class FactorTerm(NamedTuple):
    """A number of factors in the sum of fire, and its source in words."""

    source: str
    factors: Fraction


def of_kind(units: Sequence[Counter], aim: str) -> tuple[Counter, ...]:
    """The hard targets (armor) among the units, or the soft ones (everything else)."""
    if aim == HARD:
        return tuple(unit for unit in units if unit.kind == "armor")
    return tuple(unit for unit in units if unit.kind != "armor")


class Fire(Attack, frozen=True, kw_only=True, tag="fire"):
    """Fire at the units of a hex."""

    aim: str = ""
    """Soft or hard targets of the hex, both (naval guns only), or the id of a tank (M2). If empty,
    ``aimed_at`` chooses."""
    distances: Mapping[str, int] = {}
    """How many hexes the target is away, by the hex that fires."""
    seen: Mapping[str, int] = {}
    """The hexes that the first attacker sees, each with its distance in hexes."""
    naval: int = 0
    """How many packets of naval gunfire are in it."""
    air: bool = False
    """Whether it has the air power of a card."""

    VERB: ClassVar[str] = "fires at"
    VERB_OF_SEVERAL: ClassVar[str] = "fire at"

    # ------------------------------------------------------------------ at whom

    def is_op_fire(self, state: OmahaState) -> bool:
        """Whether it is opportunity fire: the side that fires is not the active one. True also
        while neither may fire; then ``check`` refuses the order."""
        return state.shooter != state.side

    def exposed_units(self, state: OmahaState) -> tuple[Counter, ...]:
        """The units of the hex that fire can hit. "If firing on a hex that contains both moving and
        non-moving targets", opportunity fire "affects only the moving targets"."""
        # While nobody may fire, ``check`` refuses the order. The units may be asked for all the
        # same, and are then those that American fire would hit.
        shooter = state.shooter or "us"
        in_hex = rated(state.at_target(self.target, FOES[shooter]), self.ratings)
        moving = tuple(unit for unit in in_hex if unit.has(Mark.MOVING))
        if moving and self.is_op_fire(state):
            return moving
        return in_hex

    def aimed_at(self, state: OmahaState) -> str:
        """The kind of target, or the id of a tank. Hard targets are the aim only if they were
        chosen or if there are no others. Naval guns that fire alone bombard everything."""
        if not self.attackers:
            return BOTH
        if self.aim:
            return self.aim
        if of_kind(self.exposed_units(state), SOFT):
            return SOFT
        return HARD

    def is_hard(self, state: OmahaState) -> bool:
        """Whether armor piercing factors count: the aim is armor, or one tank."""
        return self.aimed_at(state) not in (SOFT, BOTH)

    def targets(self, state: OmahaState) -> tuple[Counter, ...]:
        units, aim = self.exposed_units(state), self.aimed_at(state)
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
        """How many hexes a unit is from the target. A distance that nobody has given counts as 1;
        only an order from a file lacks one, since the command asks for each."""
        if unit.place in self.distances:
            return self.distances[unit.place]
        if not unit.place:
            return 1
        counted = state.distance(unit.place, self.target)
        if counted is None:
            return 1
        return counted

    # ------------------------------------------------------------------ the sum

    def terms(self, state: OmahaState) -> list[FactorTerm]:
        """The numbers of factors that are added up, each with its source."""
        factors_of_packet = state.setup.tables.numbers.packet
        terms = [self._factors_of(state, unit) for unit in self.attacking_units(state)]
        if self.naval:
            terms.append(FactorTerm("naval gunfire", Fraction(self.naval * factors_of_packet)))
        if self.air:
            # A card of air power is +6 HE, as much as a packet of the navy.
            terms.append(FactorTerm("air power", Fraction(factors_of_packet)))
        if self.is_hard(state):
            # M2: of several tanks the best armor counts, unless one of them was chosen.
            # Without targets, which ``check`` refuses, there is no armor.
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
        # M3: whether each half is rounded down, or only the sum (``resolved``).
        if state.setup.ruled("M3", "down"):
            factors = Fraction(int(factors))
        return FactorTerm(f"{unit.name}, half beyond its range", factors)

    def arithmetic(self, state: OmahaState, resolved: Resolved) -> str:
        """``6 (1/B) + 6 (naval gunfire) = 12 factors``."""
        text = ""
        for source, factors in self.terms(state):
            number = f"{float(abs(factors)):g} ({source})"
            if factors < 0:
                text += f" - {number}"
            elif text:
                text += f" + {number}"
            else:
                text = number  # the first number has no plus
        # Without a unit in play the sum is that of armor alone, and begins with its minus.
        text = text.strip()
        # The value by which fire finds its column is the number of factors.
        return f"{text} = {combat.factors_text(resolved.value)}"

    # ------------------------------------------------------------------ the rules

    def check(self, state: OmahaState) -> None:
        firing, shooter = self.attacking_units(state), state.shooter
        if shooter is None:
            raise nonsense("no_fire_now", "Nobody fires in this phase.")
        for unit in firing:
            self._check_unit(state, unit)
        why = why_not_combining(state, firing, fire=True)
        if why:
            raise nonsense("not_together", why)
        if not firing and not self.naval:
            raise nonsense("nobody", "Nobody fires.")
        self._check_support(state, shooter)
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
        why = why_not_attacking(unit, fire=True)
        if why:
            raise nonsense("cannot_fire", why)
        hexes = self.distance(state, unit)
        longest = extended_range(unit)
        if hexes > longest:
            raise nonsense("out_of_range", f"{unit.name} reaches {longest} hexes, not {hexes}.")
        if hexes > reach_of(state, unit):
            text = f"{unit.name} never fires beyond its range of {printed_range(unit)}."
            raise nonsense("solitaire_range", text)
        # "Units in the same hex, firing at the same target, must combine their firepower. Note,
        # however, that hard and soft targets are considered different targets."
        # Opportunity fire has a limit of its own (``check``).
        present = state.position
        shot = ShotMade(present.turn, present.phase, unit.place, self.target, self.aimed_at(state))
        # Of units in unrecorded hexes it is not known whether they share one.
        hex_has_fired = unit.place != "" and shot in state.shots
        if hex_has_fired and not self.is_op_fire(state):
            text = "has fired at that already; units of a hex that fire at one target must combine."
            raise nonsense("must_combine", f"{unit.place} {text}")

    def _check_support(self, state: OmahaState, shooter: Side) -> None:
        """Raises Refused for naval gunfire or air power that the side which fires does not have
        now, or that does not harm the target."""
        packets_left = 0
        if NAVY in state.tracks:
            packets_left = state.tracks[NAVY].value
        # M14: the navy supports attacks of the American fire phase, not op fire or assaults.
        navy_can_fire = state.phase_id == "us_fire" and self.naval <= packets_left
        if self.naval and not navy_can_fire:
            text = f"Naval gunfire has {packets_left} packets left in the American fire phase."
            raise nonsense("no_navy", text)
        if self.naval and self.is_hard(state):
            text = "Naval gunfire is high explosive: it bombards tanks by itself."
            raise nonsense("navy_apart", text)
        # Air power adds high explosive factors, and they do nothing to armor.
        none_is_left = state.air_attacks_left(shooter) < 1
        if self.air and (none_is_left or self.is_hard(state)):
            raise nonsense("no_air", "There is no air power for this attack.")

    # ------------------------------------------------------------------ the result

    def resolved(self, state: OmahaState, roll: int | None) -> Resolved:
        exact_sum = sum(term.factors for term in self.terms(state))
        factors = int(exact_sum)  # a half is dropped (M3)
        firing = self.attacking_units(state)
        shot = FireAt(
            factors=max(factors, 0),
            # "One right if ANY of the attacking units are adjacent to the defending units."
            adjacent=any(self.distance(state, unit) == 1 for unit in firing),
            op_fire=self.is_op_fire(state),
            terrain=self.unfortified_terrain(state),
            fortification=self.is_fortified(state),
            crest=self.crest,
        )
        return combat.fire(state.setup.tables, state.setup.rulings, shot, roll, rolls_of(state))

    def outcome(self, state: OmahaState, resolved: Resolved) -> Outcome:
        targets = self.targets(state)
        op_fire = self.is_op_fire(state)
        counters, tasks = self._losses(state, targets, resolved.result)
        # In opportunity fire the event marks all who were fired at (``against``). A counter that
        # has changed replaces the marked one, so it needs the marker as well.
        counters = [unit.marked(Mark.SHOT_AT, op_fire) for unit in counters]
        against: tuple[str, ...] = ()
        if op_fire:
            against = tuple(unit.id for unit in targets)
        air = ""
        if self.air:
            air = state.shooter or ""
        event = replace(
            self.event(state, resolved, "fire"),
            aim=self.aimed_at(state),
            naval=self.naval,
            air=air,
            against=against,
        )
        return Outcome(event, counters, tasks)

    def _losses(
        self, state: OmahaState, targets: Sequence[Counter], result: str
    ) -> orders.LossesTaken:
        """The units after a result, ``D`` or ``L1`` to ``L3``, and the questions who loses
        steps."""
        if result == "D":
            return orders.LossesTaken(orders.after_disruption(targets), [])
        if not result.startswith("L"):
            return orders.LossesTaken([], [])
        # In a bombardment of both kinds, tanks "consider all Loss results to be Disrupted".
        bombarded: tuple[Counter, ...] = ()
        if self.aimed_at(state) == BOTH:
            bombarded = of_kind(targets, HARD)
        losing = [unit for unit in targets if unit not in bombarded]
        steps_lost = int(result.removeprefix("L"))
        losses = orders.after_losses(losing, steps_lost)
        units = [*losses.units, *orders.after_disruption(bombarded)]
        return orders.LossesTaken(units, losses.tasks)

    def map_events(self, state: OmahaState) -> list[AnyEvent]:
        # What any attack records of the map, and the distances that the player has counted.
        events = super().map_events(state)
        distances = {}
        for distance in self._counted_distances(state):
            # Between hexes that nobody has written down no distance is recorded.
            is_hex = distance.target not in state.counters.counters
            if distance.start and is_hex:
                distances[distance_key(distance.start, distance.target)] = distance.hexes
        if distances:
            events.append(MapSeen(distances=distances))
        return events

    def _counted_distances(self, state: OmahaState) -> list[_CountedDistance]:
        """The distances that the player has counted for this order."""
        places = [unit.place for unit in self.attacking_units(state)]
        counted: list[_CountedDistance] = []
        for place in places:
            if place in self.distances:
                counted.append(_CountedDistance(place, self.target, self.distances[place]))
        # The player was asked only what the first hex sees.
        if places:
            for hex_seen, hexes in self.seen.items():
                counted.append(_CountedDistance(places[0], hex_seen, hexes))
        return counted


class _CountedDistance(NamedTuple):
    """How many hexes it is from one hex to another, as a player has counted."""

    start: str
    """The hex from which it was counted; empty if nobody has written it down."""
    target: str
    """A hex, or the id of a unit in an unrecorded one."""
    hexes: int
