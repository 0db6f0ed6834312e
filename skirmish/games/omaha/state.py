"""The state of a game of Omaha, its open questions, and its events."""

from __future__ import annotations

from typing import TypeAlias

from msgspec.structs import replace

from skirmish.games.omaha.combat import factors, shift_text
from skirmish.games.omaha.ruleset import FOES, CompanyDue, OmahaSetup, Side
from skirmish.games.omaha.units import Mark
from skirmish.tabletop.chance import Source
from skirmish.tabletop.companion.asking import HEX
from skirmish.tabletop.companion.counters import Counter, Register
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.events import AnyTableEvent, TableEvent, TableState, Track
from skirmish.tabletop.companion.result_table import Shift

NAVY, DECK = "navy", "deck"


class OmahaState(TableState, frozen=True, kw_only=True):
    """``drawn``: the action cards with their turns; ``bombed``: the attacks with air power, by side
    and turn. ``shots``: the turn and phase of each shot, from which hex at what."""

    setup: OmahaSetup
    drawn: tuple[tuple[str, int], ...] = ()
    bombed: tuple[tuple[str, int], ...] = ()
    shots: tuple[tuple[int, int, str, str, str], ...] = ()

    # ------------------------------------------------------------------ who and where

    @property
    def side(self) -> Side:
        """The active side; the Americans at set-up."""
        return "german" if self.sequence.at(self.position).side == "german" else "us"

    @property
    def shooter(self) -> Side | None:
        if self.sequence.allows(self.position, "fire"):
            return self.side
        return FOES[self.side] if self.sequence.allows(self.position, "op_fire") else None

    def units(self, side: str = "", place: str = "", flag: str = "") -> tuple[Counter, ...]:
        """The units on the map that match all the arguments given."""
        found = self.counters.where(side=side, place=place, flag=flag)
        return tuple(one for one in found if one.steps and not one.has(Mark.WAITING))

    def of(self, ids: tuple[str, ...]) -> tuple[Counter, ...]:
        known = self.counters.counters
        return tuple(known[id] for id in ids if id in known and known[id].steps)

    def at_target(self, target: str, side: str) -> tuple[Counter, ...]:
        """The units in a hex, or the named one in an unrecorded hex."""
        here = self.units(side, target) if target else ()
        return here or tuple(one for one in self.units(side) if one.id == target)

    def hexes(self, side: str) -> tuple[str, ...]:
        """The hexes of a side's units; the id of a unit in an unrecorded hex."""
        return tuple(dict.fromkeys(one.place or one.id for one in self.units(side)))

    def may_adjoin(self, first: str, second: str) -> bool:
        """Whether two hexes may be beside each other: by the distance that was counted, else by
        their names. The letters are rows, and K1 is beside K2; which of two hexes of the next row
        it touches only the map shows."""
        known = self.distance(first, second)
        if known is not None:
            return known == 1
        if not (HEX.fullmatch(first) and HEX.fullmatch(second)):
            return True
        rows = abs(ord(first[0]) - ord(second[0]))
        columns = abs(int(first[1:]) - int(second[1:]))
        return rows < 2 and columns < 2 and first != second

    # ------------------------------------------------------------------ the evening

    def arrives(self, arrival: CompanyDue) -> int | None:
        """The turn of an arrival; None if not known yet."""
        drawn = next((turn for id, turn in self.drawn if id == arrival.event), None)
        if drawn is None:
            return arrival.turn or None
        early = arrival.turn - 2
        if arrival.turn and drawn > early and self.setup.ruled("M17", "nothing"):
            return arrival.turn
        return min(max(drawn, early), arrival.turn or drawn)

    def air(self, side: str) -> int:
        """The attacks with air power that a side has left in this turn."""
        turn = self.position.turn
        return self.drawn.count((f"{side}_air", turn)) - self.bombed.count((side, turn))

    def may_come(self, company: str) -> bool:
        """Whether a company is due; reinforcements land after the Americans' recovery."""
        arrival, now = self.setup.scenario.arrival(company), self.position.turn
        turn = self.arrives(arrival) if arrival else 0
        lands = arrival is not None and arrival.lands and turn == now > 1
        return turn is not None and turn <= now - (lands and self.now in ("card", "us_recovery"))

    def lands(self, company: str) -> bool:
        """Whether units of a company arriving now land from the sea."""
        arrival, now = self.setup.scenario.arrival(company), self.position.turn
        return arrival is not None and arrival.lands and (now == 1 or 1 < arrival.turn <= now)

    def entered(self, arrival: CompanyDue) -> tuple[Counter, ...]:
        """Its units, eliminated ones included; empty while some have not arrived."""
        group = "" if arrival.several else arrival.company
        units = [
            one
            for one in self.counters.where(side=arrival.side, group=group)
            if self.setup.scenario.arrival(one.group) in (None, arrival)
            and (group or one.kind == arrival.kind)
        ]
        return () if any(one.has(Mark.WAITING) for one in units) else tuple(units)

    def due(self) -> tuple[CompanyDue, ...]:
        """The companies of this turn, and those of earlier turns that are not on the map yet."""
        return tuple(one for one in self.setup.scenario.arrivals if self.is_due(one))

    def is_due(self, arrival: CompanyDue) -> bool:
        turn, now = self.arrives(arrival), self.position.turn
        if turn is None or turn > now:
            return False
        if turn == now:
            return now > 1 or self.now == "setup" or bool(arrival.event)
        if self.counters.where(group=arrival.company, flag=Mark.WAITING):
            return True
        # Reinforcements wait (M15), also while nobody has typed them in.
        reinforces = arrival.turn != 1
        return reinforces and not self.entered(arrival)

    def points(self, side: str) -> int:
        victory = self.setup.scenario.victory
        return sum(points for place, points in victory.items() if self.control.get(place) == side)

    def result(self) -> str:
        """The result if the game ended now."""
        us, german = self.points("us"), self.points("german")
        for ending in self.setup.scenario.results:
            if us >= ending.least:
                return ending.text
        return "American victory" if us > german else "German victory" if german > us else "draw"


# ------------------------------------------------------------------ events


class EveningOpened(TableEvent, frozen=True, kw_only=True, tag="opened"):
    setup: OmahaSetup
    counters: tuple[Counter, ...] = ()
    dice: Source
    deck: Cup | None = None

    def apply(self, state: OmahaState | None) -> OmahaState:
        setup, scenario = self.setup, self.setup.scenario
        nobody = scenario.holder == "" or setup.ruled("M24", "nobody")
        most = setup.tables.numbers.packets
        navy = Track(id=NAVY, name="Naval gunfire", value=most, high=most)
        return OmahaState(
            setup=setup,
            sequence=setup.sequence,
            dice=self.dice,
            counters=Register({one.id: one for one in self.counters}),
            cups={DECK: self.deck} if self.deck else {},
            tracks={NAVY: navy} if scenario.navy else {},
            control=dict.fromkeys(scenario.victory, "" if nobody else scenario.holder),
            ground=dict.fromkeys(scenario.fortifications, ("fortification",)),
        )

    def narrate(self, state: OmahaState) -> str:
        return f"{self.setup.scenario.title} begins."


class TurnCard(TableEvent, frozen=True, kw_only=True, tag="turn_card"):
    """The action card of a turn, by its id."""

    card: str

    def apply(self, state: OmahaState) -> OmahaState:
        return replace(state, drawn=(*state.drawn, (self.card, state.position.turn)))

    def narrate(self, state: OmahaState) -> str:
        card = state.setup.card(self.card)
        once = any(one.event == self.card for one in state.setup.scenario.arrivals)
        again = once and any(id == self.card for id, _ in state.drawn)
        return f"{card.title}: {card.text}{' It was drawn before; nothing more comes.' * again}"


class AttackResolved(TableEvent, frozen=True, kw_only=True, tag="resolved"):
    """A shot or an assault: ``value`` and ``column`` with the shifts between them, ``result`` of
    the ``roll``. ``mark`` is set on the attackers."""

    kind: str
    attackers: tuple[str, ...] = ()
    target: str = ""
    aim: str = ""
    text: str = ""
    value: str = ""
    column: str = ""
    shifts: tuple[Shift, ...] = ()
    roll: int = 0
    result: str = ""
    mark: str = Mark.FIRED
    naval: int = 0
    air: str = ""
    against: tuple[str, ...] = ()

    def apply(self, state: OmahaState) -> OmahaState:
        counters, shots, tracks = state.counters, state.shots, state.tracks
        at = state.position
        for unit in state.of(self.attackers):
            counters = counters.with_counter(unit.marked(self.mark))
            shots = (*shots, (at.turn, at.phase, unit.place, self.target, self.aim))
        for unit in state.of(self.against):
            counters = counters.with_counter(counters[unit.id].marked(Mark.SHOT_AT))
        if self.naval and NAVY in tracks:
            tracks = tracks | {NAVY: tracks[NAVY].moved(-self.naval)}
        bombed = (*state.bombed, (self.air, at.turn)) if self.air else state.bombed
        return replace(state, counters=counters, shots=shots, tracks=tracks, bombed=bombed)

    def narrate(self, state: OmahaState) -> str:
        return f"{self.text} {self.sum(state)} Roll {self.roll}: {self.meaning(state)}"

    def sum(self, state: OmahaState) -> str:
        """The derivation of the column."""
        tables = state.setup.tables
        found = factors(self.value) if self.kind == "fire" else self.value
        shifts = "".join(f", {shift_text(tables, one)}" for one in self.shifts)
        return f"{found}{shifts}: column {self.column}."

    def meaning(self, state: OmahaState) -> str:
        tables = state.setup.tables
        table = tables.fire if self.kind == "fire" else tables.assault
        return f"{self.result}. {table.results.get(self.result, '')}".strip()


AnyEvent: TypeAlias = EveningOpened | TurnCard | AttackResolved | AnyTableEvent
