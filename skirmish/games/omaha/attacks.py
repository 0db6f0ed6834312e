"""What fire and assaults have in common: who may attack, and with whom; the order ``Attack``.

An attack is checked, resolved on its table with the number drawn, and recorded in one event.
``Fire`` and ``Assault``, each in a module of its own, say how.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

from skirmish.games.omaha import orders
from skirmish.games.omaha.orders import OmahaOrder
from skirmish.games.omaha.ruleset import FOES, FORTIFICATION
from skirmish.games.omaha.state import (
    DECK,
    AnyEvent,
    AttackKind,
    AttackResolved,
    OmahaState,
)
from skirmish.games.omaha.units import rated, why_not_act, why_not_together
from skirmish.tabletop.companion.counter_events import CounterSet
from skirmish.tabletop.companion.counters import Counter, named
from skirmish.tabletop.companion.events import MapSeen
from skirmish.tabletop.companion.numbers import Numbers
from skirmish.tabletop.companion.result_table import Resolved
from skirmish.tabletop.companion.table_state import Task
from skirmish.tabletop.refusal import nonsense


class RatingsNeeded(NamedTuple):
    """Units, and the names of the printed ratings that an attack needs of each of them."""

    units: tuple[Counter, ...]
    names: tuple[str, ...]


class Outcome(NamedTuple):
    """What an attack did: its event, the counters as they are afterwards, the open questions."""

    event: AttackResolved
    counters: list[Counter]
    tasks: list[Task]


# ------------------------------------------------------------------ who may attack


def why_not_attacking(unit: Counter, *, fire: bool) -> str:
    """Why a unit may not attack, as a sentence; empty if it may. Units that have just landed "may
    not move or fire on the turn that they are placed", but "armor units may fire". The text does
    not forbid them to assault."""
    landing_counts = fire and unit.kind != "armor"
    why = why_not_act(unit, landing_counts=landing_counts)
    if not why:
        return ""
    return f"{unit.name} {why}."


def why_not_combining(state: OmahaState, units: Sequence[Counter], *, fire: bool) -> str:
    """Why these units may not attack together, as far as the names of their hexes show it; empty if
    they may. "Units belonging to the same company that are either stacked together or in adjacent
    hexes may combine". In an assault each of the hexes is beside that of the defenders instead."""
    why = why_not_together(units, fire=fire)
    if why or not fire:
        return why
    # A unit in a hex that nobody has recorded stands for its hex.
    places = list(dict.fromkeys(unit.place or unit.id for unit in units))
    linked = _linked_to_first(state, places)
    for place in places:
        if place not in linked:
            return f"{place} is not beside {places[0]}; a company combines in hexes side by side."
    return ""


def _linked_to_first(state: OmahaState, places: Sequence[str]) -> list[str]:
    """Those of the hexes that are linked to the first of them, directly or by others between."""
    linked = [*places[:1]]
    # The list grows while the loop goes through it, so that the new ones link others in turn.
    for place in linked:
        for neighbour in places:
            if neighbour not in linked and state.may_adjoin(place, neighbour):
                linked.append(neighbour)
    return linked


def never_fires_far(state: OmahaState, unit: Counter) -> bool:
    """Whether a unit never fires beyond its printed range. The solitaire Germans "will not fire on
    American units in excess of their counter's printed range"."""
    return state.setup.solitaire and unit.side == "german"


def printed_range(unit: Counter) -> int:
    """The range printed on a unit, in hexes; at least 1, since "you may always fire at adjacent
    units"."""
    return max(unit.rating("range"), 1)


def extended_range(unit: Counter) -> int:
    """The longest range that the rules allow, in hexes: "up to twice their printed range"."""
    return 2 * printed_range(unit)


def reach_of(state: OmahaState, unit: Counter) -> int:
    """The longest range of a unit in this game, in hexes: the solitaire Germans never use the
    extended range."""
    if never_fires_far(state, unit):
        return printed_range(unit)
    return extended_range(unit)


# ------------------------------------------------------------------ an attack


class Attack(OmahaOrder, frozen=True, kw_only=True):
    """An attack by units, or by naval gunfire alone."""

    attackers: tuple[str, ...] = ()
    target: str
    """A hex, or the id of a unit in a hex that nobody has recorded."""
    ground: tuple[str, ...] | None = None
    """The terrain of the target; None: as it is recorded."""
    crest: bool = False
    """Whether an attacker attacks across a crest."""
    ratings: Mapping[str, dict[str, int]] = {}
    """What was read off counters for this attack, by unit."""
    number: int = 0
    """The number of the owner's card or die; 0: the program draws."""
    why: str = ""
    """The reason why the solitaire German chose this target; empty for players."""

    # The verbs, and what the methods below do, are right for an assault; ``Fire`` overrides what
    # differs. Methods that only raise NotImplementedError are written by both.
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
        """The ratings that are read off the counters before the attack is resolved."""
        both_sides = (*self.attacking_units(state), *self.targets(state))
        return [RatingsNeeded(both_sides, ("ca",))]  # close assault

    def ground_at_target(self, state: OmahaState) -> tuple[str, ...]:
        """The terrain of the target, as it was given for this attack or as it is recorded."""
        if self.ground is None:
            return state.ground.get(self.target, ())
        return self.ground

    def unfortified_terrain(self, state: OmahaState) -> tuple[str, ...]:
        """The terrain of the target without its fortification, which has a field of its own on the
        tables."""
        return tuple(id for id in self.ground_at_target(state) if id != FORTIFICATION)

    def is_fortified(self, state: OmahaState) -> bool:
        """Whether there is a fortification at the target."""
        return FORTIFICATION in self.ground_at_target(state)

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
        """The sums by which the column is found: ``8 against 4``. The tables write them ``8:4``."""
        return resolved.value.replace(":", " against ")

    # ------------------------------------------------------------------ the rules

    def weighed(self, state: OmahaState, roll: int | None = None) -> Resolved:
        """The attack on its table with the chances of every result, or with a ``roll`` the result.
        Raises Refused if the rules or the table do not allow it."""
        self.check(state)
        resolved = self.resolved(state, roll)
        if resolved.refusal_code:
            raise nonsense(resolved.refusal_code, resolved.refusal_text)
        return resolved

    def check(self, state: OmahaState) -> None:
        """Raises Refused for an attack that the rules do not allow."""
        raise NotImplementedError

    def resolved(self, state: OmahaState, roll: int | None) -> Resolved:
        """The attack on its table, whether the table allows it or not. Raises Refused where the
        rules forbid its odds, which are known only here."""
        raise NotImplementedError

    def outcome(self, state: OmahaState, resolved: Resolved) -> Outcome:
        """What the result does to the units."""
        raise NotImplementedError

    # ------------------------------------------------------------------ carried out

    def carry_out(self, state: OmahaState) -> list[AnyEvent]:
        # Only to have an attack that is not allowed refused before a card is drawn for it.
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
        settled = orders.outcome_events(state, outcome.counters, outcome.tasks)
        return [*entered, *self.map_events(state), *numbers.events, outcome.event, *settled]

    def event(self, state: OmahaState, resolved: Resolved, kind: AttackKind) -> AttackResolved:
        """The event of the attack, with how its column was found. Fire and assaults add the fields
        that only they have."""
        text = self.text(state)
        if self.why:
            text = f"{text}, {self.why}"
        return AttackResolved(
            kind=kind,
            column=resolved.column,
            shifts=resolved.shifts,
            roll=resolved.roll or 0,
            result=resolved.result,
            value=resolved.value,
            target=self.target,
            attackers=self.attackers,
            text=f"{text}:",  # the journal goes on with the sum, the roll and the result
        )

    def map_events(self, state: OmahaState) -> list[AnyEvent]:
        """The events that record the terrain given for this attack, so that nobody is asked for it
        again. That of an unrecorded hex cannot be recorded."""
        in_unrecorded_hex = self.target in state.counters.counters
        if self.ground is None or in_unrecorded_hex:
            return []
        if state.ground.get(self.target, ()) == self.ground:
            return []
        return [MapSeen(ground={self.target: self.ground})]
