"""The state of a game of Omaha and what is asked of it: who stands where, who is due, who leads.

Below it are the events of this game; those of every companion game are in ``tabletop.companion``.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from msgspec.structs import replace

from skirmish.games.omaha.combat import factors_text, shift_text
from skirmish.games.omaha.ruleset import FOES, FORTIFICATION, CompanyDue, OmahaSetup, Side
from skirmish.games.omaha.units import Mark
from skirmish.tabletop.chance import Source
from skirmish.tabletop.companion.asking import HEX
from skirmish.tabletop.companion.counters import Counter, Register
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.events import AnyTableEvent
from skirmish.tabletop.companion.modifiers import Shift
from skirmish.tabletop.companion.table_state import TableEvent, TableState, Track

NAVY, DECK = "navy", "deck"
"""The ids of the track of naval gunfire and of the cup of action cards."""


AttackKind = Literal["fire", "assault"]


class CardDrawn(NamedTuple):
    """An action card by its id, and the turn in which it was drawn."""

    card: str
    turn: int


class AirAttack(NamedTuple):
    """An attack with the air power of a side, in a turn."""

    side: str
    turn: int


class ShotMade(NamedTuple):
    """A shot of one unit."""

    turn: int
    phase: int
    """The index of the phase."""
    place: str
    """The hex from which it was fired."""
    target: str
    """The hex at which it was fired, or the id of a unit whose hex is not recorded."""
    aim: str
    """The kind of target that was fired at in that hex, or the id of a single tank."""


class OmahaState(TableState, frozen=True, kw_only=True):
    """One game, as it stands."""

    setup: OmahaSetup
    drawn: tuple[CardDrawn, ...] = ()
    """The action cards that were drawn, with their turns."""
    bombed: tuple[AirAttack, ...] = ()
    """The attacks with air power, by side and turn."""
    shots: tuple[ShotMade, ...] = ()
    """The shots of this game so far."""

    # ------------------------------------------------------------------ who and where

    @property
    def side(self) -> Side:
        """The active side; the Americans at set-up."""
        if self.sequence.phase_at(self.position).side == "german":
            return "german"
        return "us"

    @property
    def shooter(self) -> Side | None:
        """The side that may fire now: the active one in its fire phase, and the other one while the
        active one moves; None if neither may."""
        if self.sequence.allows(self.position, "fire"):
            return self.side
        if self.sequence.allows(self.position, "op_fire"):
            return FOES[self.side]
        return None

    def units(self, side: str = "", place: str = "", flag: str = "") -> tuple[Counter, ...]:
        """The units on the map that match all the arguments given."""
        on_the_map = []
        for unit in self.counters.where(side=side, place=place, flag=flag):
            is_eliminated = unit.steps == 0
            if not is_eliminated and not unit.has(Mark.WAITING):
                on_the_map.append(unit)
        return tuple(on_the_map)

    def in_play(self, ids: tuple[str, ...]) -> tuple[Counter, ...]:
        """The units with these ids that are not eliminated; unknown ids are left out."""
        counters = self.counters.counters
        return tuple(counters[id] for id in ids if id in counters and counters[id].steps)

    def at_target(self, target: str, side: str) -> tuple[Counter, ...]:
        """The units of a side in a hex. A target may also be the id of a single unit, whose hex is
        not recorded."""
        # For an empty place ``units`` would return those of all hexes.
        if target:
            in_hex = self.units(side, target)
            if in_hex:
                return in_hex
        return tuple(unit for unit in self.units(side) if unit.id == target)

    def targets_of(self, side: str) -> tuple[str, ...]:
        """The targets that a side offers, each once: the hexes of its units, and the ids of those
        whose hex is not recorded."""
        targets = [unit.place or unit.id for unit in self.units(side)]
        return tuple(dict.fromkeys(targets))

    def may_adjoin(self, first: str, second: str) -> bool:
        """Whether two hexes may be beside each other: by the distance that was counted on the map,
        otherwise by their names. The letters are rows, and K1 is beside K2; which hexes of the next
        row it touches only the map shows."""
        counted = self.distance(first, second)
        if counted is not None:
            return counted == 1
        if not (HEX.fullmatch(first) and HEX.fullmatch(second)):
            return True
        rows = abs(ord(first[0]) - ord(second[0]))
        columns = abs(int(first[1:]) - int(second[1:]))
        return rows < 2 and columns < 2 and first != second

    # ------------------------------------------------------------------ arrivals and support

    def turn_of_arrival(self, arrival: CompanyDue) -> int | None:
        """The turn in which a company arrives; None if that is not known yet."""
        turn_of_card = None
        for card, turn in self.drawn:
            if card == arrival.event:
                turn_of_card = turn
                break  # a second card of the same kind brings nobody
        comes_only_by_card = arrival.turn == 0
        if comes_only_by_card:
            return turn_of_card
        if turn_of_card is None:
            return arrival.turn
        # "The 2/916 enters two turns early". M17: whether a card drawn too late for that does
        # nothing, or brings it as early as is still possible.
        two_turns_early = arrival.turn - 2
        is_too_late = turn_of_card > two_turns_early
        if is_too_late and self.setup.ruled("M17", "nothing"):
            return arrival.turn
        turn_by_card = max(turn_of_card, two_turns_early)
        # A card drawn after the company has arrived does not make it arrive later.
        return min(turn_by_card, arrival.turn)

    def air_attacks_left(self, side: str) -> int:
        """The attacks with air power that a side has left in this turn."""
        turn = self.position.turn
        # Each card of air power (``us_air``, ``german_air``) is good for one attack, in the turn in
        # which it was drawn.
        cards = self.drawn.count(CardDrawn(f"{side}_air", turn))
        return cards - self.bombed.count(AirAttack(side, turn))

    def may_come(self, company: str) -> bool:
        """Whether units of a company may come onto the map now, in the turn of their arrival or
        later; those that land come "after the American's disruption Removal Phase". A company that
        the scenario does not name may come at any time."""
        arrival = self.setup.scenario.arrival(company)
        if arrival is None:
            return True
        turn, present_turn = self.turn_of_arrival(arrival), self.position.turn
        if turn is None:
            return False
        is_before_landings = self.phase_id in ("card", "us_recovery")
        comes_this_turn = turn == present_turn
        # The first wave is ashore from the beginning; later ones wait for the phase of landings.
        is_later_wave = arrival.lands and present_turn > 1
        if is_later_wave and comes_this_turn and is_before_landings:
            return False
        return turn <= present_turn

    def lands(self, company: str) -> bool:
        """Whether units of a company that arrive now land from the sea: the first wave on turn 1,
        and later the reinforcements that are due, even if they have waited."""
        arrival, turn = self.setup.scenario.arrival(company), self.position.turn
        if arrival is None or not arrival.lands:
            return False
        if turn == 1:
            return True
        # No card changes the turn of those that land, so that the printed one counts. What is left
        # of the first wave does not land again: it has been ashore since turn 1.
        return 1 < arrival.turn <= turn

    def entered(self, arrival: CompanyDue) -> tuple[Counter, ...]:
        """The units of an arrival, even those that have been eliminated since; empty until all that
        were typed in have arrived."""
        units = []
        for unit in self.counters.where(side=arrival.side):
            if self._belongs(unit, arrival):
                if unit.has(Mark.WAITING):
                    return ()
                units.append(unit)
        return tuple(units)

    def _belongs(self, unit: Counter, arrival: CompanyDue) -> bool:
        """Whether a unit of the same side comes with an arrival. If the arrival stands for
        ``several`` companies, such as all German infantry, all units of its kind come with it,
        except those whose company has an arrival of its own."""
        if not arrival.several:
            return unit.group == arrival.company
        arrival_of_company = self.setup.scenario.arrival(unit.group)
        return arrival_of_company in (None, arrival) and unit.kind == arrival.kind

    def due(self) -> tuple[CompanyDue, ...]:
        """The companies that arrive this turn, and those of earlier turns that are not on the map
        yet."""
        arrivals = self.setup.scenario.arrivals
        return tuple(arrival for arrival in arrivals if self.is_due(arrival))

    def is_due(self, arrival: CompanyDue) -> bool:
        """Whether a company arrives this turn, or has been waiting since an earlier one."""
        turn, present_turn = self.turn_of_arrival(arrival), self.position.turn
        if turn is None or turn > present_turn:
            return False
        if turn == present_turn == 1 and self.phase_id != "setup":
            # Who begins on the map has been set up before; only a card still brings anybody.
            return arrival.event != ""
        if turn == present_turn:
            return True
        if self.counters.where(group=arrival.company, flag=Mark.WAITING):
            return True
        # Reinforcements wait (M15), even if nobody has typed them in yet.
        is_reinforcement = arrival.turn != 1
        return is_reinforcement and not self.entered(arrival)

    # ------------------------------------------------------------------ victory

    def points(self, side: str) -> int:
        """The victory points of the hexes that a side controls."""
        points = 0
        for place, worth in self.setup.scenario.victory.items():
            if self.control.get(place) == side:
                points += worth
        return points

    def result(self) -> str:
        """The result if the game ended now."""
        us, german = self.points("us"), self.points("german")
        for ending in self.setup.scenario.results:
            if us >= ending.least:
                return ending.text
        # The scenario has no results of its own: the side with more points wins.
        if us == german:
            return "draw"
        if us > german:
            return "American victory"
        return "German victory"


# ------------------------------------------------------------------ events


class EveningOpened(TableEvent, frozen=True, kw_only=True, tag="opened"):
    """The set-up, with the units that the scenario names and the shuffled deck, if there is one."""

    setup: OmahaSetup
    counters: tuple[Counter, ...] = ()
    dice: Source
    deck: Cup | None = None

    def apply(self, state: OmahaState | None) -> OmahaState:
        setup, scenario = self.setup, self.setup.scenario
        # M24: whether the defender controls the victory hexes from the beginning.
        holder: str = scenario.holder
        if setup.ruled("M24", "nobody"):
            holder = ""
        cups, tracks = {}, {}
        if self.deck:
            cups[DECK] = self.deck
        if scenario.navy:
            packets = setup.tables.numbers.packets
            tracks[NAVY] = Track(id=NAVY, name="Naval gunfire", value=packets, high=packets)
        return OmahaState(
            setup=setup,
            sequence=setup.sequence,
            dice=self.dice,
            counters=Register({unit.id: unit for unit in self.counters}),
            cups=cups,
            tracks=tracks,
            control=dict.fromkeys(scenario.victory, holder),
            ground=dict.fromkeys(scenario.fortifications, (FORTIFICATION,)),
        )

    def narrate(self, state: OmahaState) -> str:
        return f"{self.setup.scenario.title} begins."


class TurnCard(TableEvent, frozen=True, kw_only=True, tag="turn_card"):
    """The action card of a turn, by its id."""

    card: str

    def apply(self, state: OmahaState) -> OmahaState:
        return replace(state, drawn=(*state.drawn, CardDrawn(self.card, state.position.turn)))

    def narrate(self, state: OmahaState) -> str:
        card = state.setup.card(self.card)
        text = f"{card.title}: {card.text}"
        arrivals = state.setup.scenario.arrivals
        brings_units = any(arrival.event == self.card for arrival in arrivals)
        if brings_units and any(drawn.card == self.card for drawn in state.drawn):
            text += " It was drawn before; nothing more comes."
        return text


class AttackResolved(TableEvent, frozen=True, kw_only=True, tag="resolved"):
    """A shot or an assault, with its result."""

    kind: AttackKind
    attackers: tuple[str, ...] = ()
    """The ids of the units that attacked."""
    target: str = ""
    """The hex attacked, or the id of a unit whose hex is not recorded."""
    aim: str = ""
    """The kind of target that was fired at, or the id of a single tank; empty for an assault."""
    text: str = ""
    """Who attacks whom, as the sentence of the journal begins."""
    value: str = ""
    """The factors of fire, or the odds of an assault: they give the column before shifts."""
    column: str = ""
    """The column after all shifts."""
    shifts: tuple[Shift, ...] = ()
    """The shifts from the column of the value."""
    roll: int = 0
    result: str = ""
    """What the table says at the roll."""
    mark: str = Mark.FIRED
    """The marker that the attackers get."""
    naval: int = 0
    """How many packets of the navy were spent."""
    air: str = ""
    """The side whose air power was spent; empty if none was."""
    against: tuple[str, ...] = ()
    """The units that opportunity fire was aimed at, hit or not: they get its marker."""

    def apply(self, state: OmahaState) -> OmahaState:
        counters, shots, tracks = state.counters, state.shots, state.tracks
        present = state.position
        for unit in state.in_play(self.attackers):
            counters = counters.with_counter(unit.marked(self.mark))
            shot = ShotMade(present.turn, present.phase, unit.place, self.target, self.aim)
            shots = (*shots, shot)
        for unit in state.in_play(self.against):
            # Taken from ``counters``, since it may have been marked above as an attacker.
            counters = counters.with_counter(counters[unit.id].marked(Mark.SHOT_AT))
        if self.naval and NAVY in tracks:
            tracks = tracks | {NAVY: tracks[NAVY].moved(-self.naval)}
        bombed = state.bombed
        if self.air:
            bombed = (*bombed, AirAttack(self.air, present.turn))
        return replace(state, counters=counters, shots=shots, tracks=tracks, bombed=bombed)

    def narrate(self, state: OmahaState) -> str:
        return f"{self.text} {self.way_to_column(state)} Roll {self.roll}: {self.meaning(state)}"

    def way_to_column(self, state: OmahaState) -> str:
        """How the column was found, in words: the value and its shifts."""
        tables = state.setup.tables
        value = self.value
        if self.kind == "fire":
            value = factors_text(value)
        shifts = "".join(f", {shift_text(tables, shift)}" for shift in self.shifts)
        return f"{value}{shifts}: column {self.column}."

    def meaning(self, state: OmahaState) -> str:
        """The result with its effect: ``DR. The defenders lose a step each and retreat one
        hex.``"""
        return f"{self.result}. {self.effect(state)}".strip()

    def effect(self, state: OmahaState) -> str:
        """The effect of the result, in a sentence; empty if the table has none."""
        table = state.setup.tables.assault
        if self.kind == "fire":
            table = state.setup.tables.fire
        return table.results.get(self.result, "")


AnyEvent: TypeAlias = EveningOpened | TurnCard | AttackResolved | AnyTableEvent
