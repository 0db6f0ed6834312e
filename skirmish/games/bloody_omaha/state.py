"""The state of a game of Bloody Omaha, and its events.

What an owner has not typed in yet is unknown and never guessed: a square without a line has no
tokens and is not clear either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec.structs import force_setattr, replace

from skirmish.games.bloody_omaha import earlier, ruleset
from skirmish.games.bloody_omaha.owned import (
    BloodyTables,
    OwnersGame,
    SquarePrinted,
    blank_tables,
    lines_problem,
)
from skirmish.games.bloody_omaha.ruleset import BEACH, CHANNEL, BloodyRules
from skirmish.tabletop.chance import Source
from skirmish.tabletop.companion import happened, typed_facts
from skirmish.tabletop.companion.counters import Counter, Register
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.events import AnyTableEvent
from skirmish.tabletop.companion.hand import DECK, HandState
from skirmish.tabletop.companion.score import Scoring
from skirmish.tabletop.companion.sequence import SequencePhase, TurnSequence
from skirmish.tabletop.companion.squares import shortest_way
from skirmish.tabletop.companion.table_state import TableEvent, Track
from skirmish.tabletop.companion.typed_lines import TypedLines

INITIATIVE, ENGINEERS = "initiative", "engineers"
"""The ids of two tracks: points of initiative, and engineer assets."""
RATING = " rating"
"""The end of the ids of two more tracks, ``initiative rating`` and ``engineers rating``. To these
ratings the points on the other two return each turn."""
STRONGPOINT, ENCOUNTER = "strongpoint", "encounter"
BAGS: tuple[str, ...] = (STRONGPOINT, ENCOUNTER)
"""The cups of German tokens. A token that lies face down has the name of its bag."""
LINES_OF_BAG = {STRONGPOINT: "strongpoints", ENCOUNTER: "encounters"}
"""The kind of lines in which an owner types the tokens of a bag."""
GAP = "gap"
"""What ``ground`` has of a beach whose obstacle the engineers have blown."""
TANK = "tank"
"""The ``kind`` of the counters that are tanks."""
RANGERS = "rangers"
"""The ``group`` of the Rangers; the groups of other units are divisions, such as ``29th``."""
DISRUPTED, FLIPPED = "disrupted", "other side"
"""Both show the back of a counter, with its lower strength. The other side without disruption is a
marker that an owner puts on by hand."""
DRIFTED, LANDING, LANDED = "drifted", "landing", "landed"
"""Markers of a unit that has rolled for drift, of one that has reached the beach and not yet rolled
there, and of one that has rolled there this turn."""


class BloodySetup(msgspec.Struct, frozen=True, kw_only=True):
    """What a game begins with and never changes."""

    rules: BloodyRules
    revision: str = ""
    """The revision of the data, for the rules page."""


class PathStep(NamedTuple):
    """A step of the search for a path: a square, and whether an exit was passed on the way to it.
    With and without an exit are two steps: from one beach to another, a way goes inland through an
    exit and may come back over the beach that it started from."""

    square: str
    passed_exit: bool


class BloodyState(HandState, frozen=True, kw_only=True):
    """One game, as it stands. Of ``TableState`` the ``ground`` holds the tokens of squares that
    changed since the start (``strongpoint`` and ``encounter`` face down, with their value face up)
    and the gaps of beaches."""

    setup: BloodySetup
    owned: OwnersGame
    tables: BloodyTables
    gone: tuple[str, ...] = ()
    """The bags of the tokens that left the map."""

    @property
    def rules(self) -> BloodyRules:
        """The rules that the game was opened with."""
        return self.setup.rules

    # What ``LinedState`` asks of a game: its kinds of lines, and what holds for each of them.

    @property
    def kinds(self) -> dict[str, TypedLines]:
        return self.rules.lines

    def lines_needed(self, id: str) -> int:
        """How many lines of a kind the printed game has."""
        # Of a kind without a count, such as the number of turns, there is one line.
        return self.rules.counts.get(self.kinds[id].count_name, 1)

    def with_implied_lines(self, id: str, lines: tuple[str, ...], text: str) -> tuple[str, ...]:
        """Squares that a list does not name are hedgerow. A line by itself is no list: it corrects
        one square."""
        if id != "squares" or len(text.split()) < 2:
            return lines
        line_by_number = {self.kinds[id].matched(line)["name"]: line for line in lines}
        numbers = self.rules.board.land.names
        return tuple(line_by_number.get(number, f"H{number}") for number in numbers)

    def why_not_lines(self, id: str, lines: tuple[str, ...]) -> str:
        return lines_problem(self.rules, id, lines)

    def typed_event(self, id: str, text: str) -> LinesTyped:
        """The event of the lines that were typed. Raises Refused."""
        return LinesTyped(lines={id: self.merged_for_order(id, text)})

    def codes(self, table: str) -> Mapping[str, str]:
        """The results that a cell of this table may hold, with their keys."""
        # A table of random events has no rule of its own and takes any text.
        rule = self.rules.tables.get(table)
        if rule is None:
            return {}
        return rule.keys

    def why_skipped(self, phase: SequencePhase, turn: int) -> str:
        if phase.id == "event" and not self.exposed():
            return "nobody is beside a German token"
        return ""

    # ------------------------------------------------------------------ the map

    def square(self, square: str) -> SquarePrinted | None:
        """What is printed on a square inland; None: not typed in yet. The southernmost row is all
        hedgerow (H31 to H40), so nobody types it in."""
        if square.isdigit() and int(square) >= self.rules.southern:
            return SquarePrinted()
        return self.owned.printed_squares.get(square)

    def terrain(self, square: str) -> str:
        """The kind of a square, which names its table of random events; empty if it is not typed
        in yet."""
        if square.startswith(CHANNEL):
            return "channel"
        if square.startswith(BEACH):
            return "beach"
        printed = self.square(square)
        if printed is None:
            return ""
        return printed.kind

    def near(self, square: str) -> tuple[str, ...]:
        """The squares to which a unit may go from a square: they share a side or an arrow."""
        arrows = self.owned.squares_by_beach
        beaches = [beach for beach, squares in arrows.items() if square in squares]
        return (*self.rules.board.beside(square), *arrows.get(square, ()), *beaches)

    def tokens(self, square: str) -> tuple[str, ...]:
        """The German tokens on a square, each as its bag, with its value behind if it lies face
        up."""
        printed = self.square(square)
        # The ground has what is left on squares where something has happened; of a square that is
        # not typed in, nothing else is known.
        if square in self.ground or printed is None:
            return tuple(token for token in self.ground.get(square, ()) if token != GAP)
        # The tokens that a game begins with (4.1).
        if printed.kind != "strongpoint":
            return (ENCOUNTER,)
        # A strongpoint in a town has a token of each bag.
        if printed.town:
            return BAGS
        return (STRONGPOINT,)

    def numbered_tokens(self, square: str) -> list[str]:
        """The German tokens on a square that lie face up with a number."""
        return [token for token in self.tokens(square) if value_of(token).isdigit()]

    def why_not_entered(self, square: str) -> str:
        """Why nobody moves there; empty if units may (8.1.a)."""
        if self.numbered_tokens(square):
            return f"The tokens on {square} have to be attacked."
        return ""

    def mines(self, square: str) -> list[str]:
        """The tokens on a square that are mines face up."""
        return [token for token in self.tokens(square) if value_of(token) == ruleset.MINES]

    def workplaces(self) -> tuple[str, ...]:
        """Beaches with an obstacle, and squares with mines face up (8.5)."""
        beaches = [beach for beach in self.rules.board.beaches if not self.has_gap(beach)]
        minefields = [square for square in self.ground if self.mines(square)]
        return (*beaches, *minefields)

    def has_gap(self, beach: str) -> bool:
        """Whether the engineers have blown a gap through its obstacle."""
        return GAP in self.ground.get(beach, ())

    def is_clear(self, square: str) -> bool:
        """Whether no German tokens are there (2.4); a beach has none. A square that is not typed in
        is not clear."""
        is_inland = square.isdigit()
        if is_inland and self.square(square) is None:
            return False
        return not self.tokens(square)

    def strongpoint_beside(self, square: str) -> bool:
        """Whether an adjacent strongpoint square is not cleared (6.5.a, 8.5.a)."""
        for neighbour in self.near(square):
            if self.terrain(neighbour) == "strongpoint" and not self.is_clear(neighbour):
                return True
        return False

    def path(self, start: str, end: str) -> tuple[str, ...]:
        """The shortest way over cleared squares, without diagonals; it leaves a beach by a cleared
        exit, as vehicles do (3.2.d, 8.3). Empty if there is none."""

        def steps_after(step: PathStep) -> Iterator[PathStep]:
            for square in self.near(step.square):
                if not self.is_clear(square):
                    continue
                printed = self.square(square)
                is_inland = printed is not None
                is_exit = printed is not None and bool(printed.exit)
                # A beach leads to other beaches, and inland only by an exit.
                leaves_beach = step.square.startswith(BEACH) and is_inland
                if leaves_beach and not is_exit:
                    continue
                yield PathStep(square, step.passed_exit or is_exit)

        # 8.3: a way that starts on a beach must pass an exit, even if it ends on another beach. No
        # other way has to: it counts from its start as one that has passed an exit.
        needs_no_exit = start == end or not start.startswith(BEACH)
        steps = shortest_way(PathStep(start, needs_no_exit), PathStep(end, True), steps_after)
        return tuple(step.square for step in steps)

    def why_no_path(self, start: str, end: str) -> str:
        """Why a tank cannot go there (8.3); empty if it can."""
        if self.path(start, end):
            return ""
        return "No path of cleared squares leads there, from a beach through a cleared exit."

    # ------------------------------------------------------------------ units

    def units(self, place: str = "") -> tuple[Counter, ...]:
        """The units in play without tanks: those on a square, or with an empty ``place`` those that
        are anywhere."""
        counters = self.counters.where(place=place)
        return tuple(unit for unit in counters if unit.steps and unit.kind != TANK)

    def at_sea(self) -> tuple[Counter, ...]:
        """The units on squares of the Channel."""
        return tuple(unit for unit in self.units() if unit.place.startswith(CHANNEL))

    def ashore(self) -> tuple[Counter, ...]:
        """The units on beaches and inland: those that take part in the activation phase."""
        board = self.rules.board
        squares = (*board.beaches, *board.land.names)
        return tuple(unit for unit in self.units() if unit.place in squares)

    def tanks(self, unit: Counter | None = None) -> tuple[Counter, ...]:
        """All tanks in play, or those with a unit: its id is their ``group``."""
        group = ""  # matches all tanks
        if unit:
            group = unit.id
        tanks = self.counters.where(kind=TANK, group=group)
        return tuple(tank for tank in tanks if tank.steps)

    def strength(self, unit: Counter) -> int:
        """The strength of a unit, on the side of its counter that is up."""
        if unit.has(DISRUPTED) or unit.has(FLIPPED):
            return unit.rating("disrupted")
        return unit.rating("strength")

    def meets_others(self, unit: Counter) -> bool:
        """Whether a unit of another division is on its beach (6.5.a). Rangers hinder nobody, and
        nobody hinders them (O16)."""
        if unit.group == RANGERS:
            return False
        # Units that have not rolled there yet do not count. By the answer "together" (O17) all
        # others that landed this turn do not count either.
        absent = {LANDING}
        if self.rules.ruled("O17", "together"):
            absent.add(LANDED)
        for unit_there in self.units(unit.place):
            is_present = absent.isdisjoint(unit_there.flags)
            if is_present and unit_there.group not in (unit.group, RANGERS):
                return True
        return False

    def exposed(self) -> tuple[str, ...]:
        """The squares of units for which a random event may be rolled: in the First Wave (6.4), or
        beside a German token. A beach whose arrows are not typed in counts as beside one."""
        board = self.rules.board
        unknown_beaches = set(board.beaches) - set(self.owned.squares_by_beach)
        always_exposed = {*board.first_wave, *unknown_beaches}
        places = dict.fromkeys(unit.place for unit in self.units())  # each once
        exposed = []
        for place in places:
            if place in always_exposed or self.uncleared_beside(place):
                exposed.append(place)
        return tuple(exposed)

    def uncleared_beside(self, square: str) -> tuple[str, ...]:
        """The adjacent squares (``near``) that are not clear of tokens, or not typed in yet."""
        return tuple(neighbour for neighbour in self.near(square) if not self.is_clear(neighbour))

    # ------------------------------------------------------------------ points

    def cleared(self) -> Iterator[ruleset.ClearSquare]:
        """The squares inland without a token."""
        for number in self.rules.board.land.names:
            printed = self.square(number)
            if printed is not None and self.is_clear(number):
                yield ruleset.ClearSquare(int(number), printed.town, printed.exit)

    def score(self) -> Scoring:
        """The points so far, by their sources, and the result that they make (2.2, 2.3)."""
        counts = {
            "gaps": len([beach for beach in self.rules.board.beaches if self.has_gap(beach)]),
            "strongpoints": self.gone.count(STRONGPOINT),
            "encounters": self.gone.count(ENCOUNTER),
            # 2.3.f: a unit that is still in the Reinforcements box brings a point.
            "reinforcements": len(self.units(ruleset.RESERVE)),
        }
        return ruleset.scored(self.rules, counts, self.cleared())


def bag_of(token: str) -> str:
    """The bag that a token came out of, whether it lies face down or not."""
    bag, _, _ = token.partition(" ")
    return bag


def value_of(token: str) -> str:
    """The value of a token; empty for one that lies face down."""
    _, _, value = token.partition(" ")
    return value


# ------------------------------------------------------------------ events


class BloodyOpened(TableEvent, frozen=True, kw_only=True, tag="opened"):
    """A game begins, with what the owner has typed in before."""

    setup: BloodySetup
    owned: OwnersGame
    tables: BloodyTables
    dice: Source
    seeds: tuple[int, ...] = ()
    """Those of the bags, then of the deck; empty where the owner draws from his own."""

    def apply(self, state: BloodyState | None) -> BloodyState:
        rules = self.setup.rules
        # Points and ratings begin at 1, and no rating falls below it (7.3, 7.4).
        tracks = {}
        for id, name in ((INITIATIVE, "Initiative"), (ENGINEERS, "Engineers")):
            tracks[id] = Track(id=id, name=name, value=1)
            tracks[id + RATING] = Track(id=id + RATING, name=f"{name} rating", value=1, low=1)
        cups = {}
        seeds = iter(self.seeds)
        for id in (*BAGS, DECK):
            # A cup without a seed is one from which the owner draws himself.
            cups[id] = Cup(id=id, seed=next(seeds, None))
        tanks = {}
        for number in range(1, rules.counts["tanks"] + 1):
            id = f"tank-{number}"
            tanks[id] = Counter(id=id, name=f"Tank {number}", side="us", kind=TANK)
        empty = BloodyState(
            setup=self.setup,
            owned=OwnersGame(),
            tables=self.tables,
            dice=self.dice,
            tracks=tracks,
            cups=cups,
            sequence=TurnSequence(phases=rules.phases),
            counters=Register(tanks),
        )
        lines = {id: self.owned.lines(id) for id in rules.lines}
        return LinesTyped(lines=lines, tables=self.tables).apply(empty)

    def narrate(self, state: BloodyState) -> str:
        return f"The game begins ({self.setup.rules.label})."


class LinesTyped(TableEvent, frozen=True, kw_only=True, tag="lines"):
    """The owner has typed in all lines of some kinds, or has read them from a file."""

    lines: dict[str, tuple[str, ...]]
    """The lines by the ids of their kinds."""
    tables: BloodyTables | None = None
    """The tables of the file; None where it has none, or there is no file."""

    def __post_init__(self) -> None:
        # The journals of early versions have other ids for some kinds. The struct is frozen, and
        # only ``force_setattr`` can change it.
        force_setattr(self, "lines", earlier.renamed(self.lines))

    def apply(self, state: BloodyState) -> BloodyState:
        owned = state.owned.with_lines(self.lines)
        if self.tables is not None:
            tables = self.tables
        elif owned.columns == state.owned.columns:
            tables = state.tables
        else:
            # With other columns nothing of the attack table holds any more.
            tables = replace(state.tables, attack=blank_tables(state.rules, owned).attack)
        turns = 0  # not typed in
        if owned.turns:
            turns = int(owned.turns[0])
        return replace(
            state,
            owned=owned,
            tables=tables,
            counters=_counters(state, owned),
            cups={id: self._filled(cup, state.rules, owned) for id, cup in state.cups.items()},
            sequence=replace(state.sequence, turns=turns),
        )

    def _filled(self, cup: Cup, rules: BloodyRules, owned: OwnersGame) -> Cup:
        """The deck or the bag with everything that it holds, known or not. The deck of a game that
        is played without cards is empty, and stays so until a card is typed in."""
        if cup.id == DECK:
            no_card_is_known = not owned.options_of
            # These lines say nothing of the deck, so they do not fill an empty one.
            if no_card_is_known and DECK not in self.lines:
                return cup
            return cup.holding(owned.options_of, rules.counts[DECK])
        tokens = LINES_OF_BAG[cup.id]
        return cup.holding(owned.lines(tokens), rules.counts[tokens])

    def narrate(self, state: BloodyState) -> str:
        names = [state.rules.lines[id].name for id in self.lines]
        if self.tables is not None:
            names.append("the tables")
        return f"Typed in: {', '.join(names)}."


def _counters(state: BloodyState, owned: OwnersGame) -> Register:
    """The counters with the units of the lines; those that are new stand on their squares."""
    register = _with_tanks(state.counters, owned)
    units = {unit.name: unit for unit in register if unit.kind != TANK}
    for line in owned.units:
        typed = _unit_of(line)
        unit = units.get(typed.name)
        if unit is None:
            unit = replace(typed, id=register.new_id(typed.name))
        # A unit that is known stays where it is, with its markers and steps.
        unit = replace(unit, group=typed.group, kind=typed.kind, ratings=typed.ratings)
        # Before the game begins a line puts its unit where it says; later units have moved. A unit
        # without steps is eliminated and stands nowhere.
        if state.phase_id == "setup" and unit.steps:
            unit = replace(unit, place=typed.place)
        register = register.with_counter(unit)
    return register


def _with_tanks(register: Register, owned: OwnersGame) -> Register:
    """The counters with both strengths of the tanks, as far as they are typed in."""
    for number, line in enumerate(owned.tanks, 1):
        front, back = line.split("/")
        tank = register.counters.get(f"tank-{number}")
        if tank:
            ratings: dict[str, int | None] = {"strength": int(front), "disrupted": int(back)}
            register = register.with_counter(replace(tank, ratings=ratings))
    return register


def _unit_of(line: str) -> Counter:
    """The unit of a line, without an id: ``Able, 29th, bn 6/3, C5``."""
    name, group, strengths, place = [part.strip() for part in line.split(",")]
    kind = "company"
    if strengths.startswith("bn"):
        kind = "battalion"
    strength, _, disrupted = strengths.removeprefix("bn ").partition("/")
    ratings: dict[str, int | None] = {"strength": int(strength), "disrupted": int(disrupted)}
    return Counter(
        id="", name=name, side="us", place=place, group=group, kind=kind, ratings=ratings
    )


class BloodyHappened(happened.Happened, frozen=True, kw_only=True, tag="happened"):
    """What an order did to units and squares."""

    gone: tuple[str, ...] = ()
    """The bags of the tokens that left the map."""

    def apply(self, state: BloodyState) -> BloodyState:
        after: BloodyState = super().apply(state)
        return replace(after, gone=(*state.gone, *self.gone))


class WaveMoved(TableEvent, frozen=True, kw_only=True, tag="wave"):
    """Every unit at sea goes one square forward (6.3). Those that reach a beach have to roll there
    (6.5)."""

    def apply(self, state: BloodyState) -> BloodyState:
        register = state.counters
        for unit in state.at_sea():
            place = state.rules.board.forward(unit.place)
            # Without that mark it rolls for drift again in the next turn, if it is still at sea.
            moved = replace(unit.marked(DRIFTED, on=False), place=place)
            moved = moved.marked(LANDING, on=place.startswith(BEACH))
            register = register.with_counter(moved)
        return replace(state, counters=register)

    def narrate(self, state: BloodyState) -> str:
        if not state.at_sea():
            return ""
        return "All units at sea go one square forward."


TypedEvent: TypeAlias = typed_facts.CellTyped | typed_facts.ValuesTyped
"""What the owner typed in besides lines."""
AnyEvent: TypeAlias = (
    BloodyOpened | LinesTyped | BloodyHappened | WaveMoved | TypedEvent | AnyTableEvent
)
