"""The state of a game of Bloody Omaha, and its events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

import msgspec
from msgspec.structs import force_setattr, replace

from skirmish.games.bloody_omaha import earlier, ruleset
from skirmish.games.bloody_omaha.ruleset import BEACH, CHANNEL, BloodyRules, OwnersGame
from skirmish.tabletop.chance import Source
from skirmish.tabletop.companion import typed_tables, unfolding
from skirmish.tabletop.companion.counters import Counter, Register
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.events import AnyTableEvent, TableEvent, Track
from skirmish.tabletop.companion.hand import DECK, HandState
from skirmish.tabletop.companion.score import Scoring
from skirmish.tabletop.companion.sequence import SequencePhase, TurnSequence
from skirmish.tabletop.companion.squares import shortest
from skirmish.tabletop.companion.typed_lines import TypedLines

INITIATIVE, ENGINEERS = "initiative", "engineers"
RATING = " rating"
"""Behind the name of a track: what it returns to each turn."""
BAGS: tuple[str, ...] = ("strongpoint", "encounter")
GAP, TANK, RANGERS = "gap", "tank", "rangers"
DISRUPTED, FLIPPED = "disrupted", "other side"
DRIFTED, LANDING, LANDED = "drifted", "landing", "landed"
"""Has rolled for drift; has reached the beach and not rolled; has rolled there this turn."""


class BloodySetup(msgspec.Struct, frozen=True, kw_only=True):
    rules: BloodyRules
    revision: str = ""


class BloodyState(HandState, frozen=True, kw_only=True):
    """``ground`` holds the tokens of squares that changed since the start: ``strongpoint`` and
    ``encounter`` face down, with their value face up; and the gaps of beaches. ``gone``: the bags
    of tokens that left the map."""

    setup: BloodySetup
    owned: OwnersGame
    tables: ruleset.BloodyTables
    gone: tuple[str, ...] = ()

    @property
    def rules(self) -> BloodyRules:
        return self.setup.rules

    @property
    def kinds(self) -> dict[str, TypedLines]:
        return self.rules.lines

    def whole(self, id: str) -> int:
        return self.rules.counts.get(self.kinds[id].most, 1)

    def whole_list(self, id: str, lines: tuple[str, ...], text: str) -> tuple[str, ...]:
        """Squares that a list does not name are hedgerow."""
        if id != "squares" or len(text.split()) < 2:
            return lines
        known = {self.kinds[id].matched(one)["name"]: one for one in lines}
        return tuple(known.get(at, f"H{at}") for at in self.rules.board.land.names)

    def why_not_lines(self, id: str, lines: tuple[str, ...]) -> str:
        return ruleset.problem(self.rules, id, lines)

    def typed(self, id: str, text: str) -> LinesTyped:
        return LinesTyped(lines={id: self.taken(id, text)})

    def codes(self, table: str) -> Mapping[str, str]:
        rule = self.rules.tables.get(table)
        return rule.keys if rule else {}

    def why_skipped(self, phase: SequencePhase, turn: int) -> str:
        nobody = phase.id == "event" and not self.exposed()
        return "nobody is beside a German token" if nobody else ""

    # ------------------------------------------------------------------ the map

    def square(self, square: str) -> ruleset.SquarePrinted | None:
        """What is printed on a square inland; None: not typed in yet."""
        if square.isdigit() and int(square) >= self.rules.southern:
            return ruleset.SquarePrinted()
        return self.owned.square.get(square)

    def terrain(self, square: str) -> str:
        here = self.square(square)
        printed = here.kind if here else ""
        return {CHANNEL: "channel", BEACH: "beach"}.get(square[:1], printed)

    def near(self, square: str) -> tuple[str, ...]:
        """The squares that share a side with it, or an arrow."""
        arrows = self.owned.arrow
        beaches = (beach for beach, to in arrows.items() if square in to)
        return (*self.rules.board.beside(square), *arrows.get(square, ()), *beaches)

    def tokens(self, square: str) -> tuple[str, ...]:
        """The German tokens on it: a bag, and behind it the value of one that lies face up."""
        here = self.square(square)
        if square in self.ground or here is None:
            return tuple(one for one in self.ground.get(square, ()) if one != GAP)
        if here.kind != "strongpoint":
            return BAGS[1:]
        return BAGS if here.town else BAGS[:1]

    def numbers(self, square: str) -> list[str]:
        """Of these the ones with a number."""
        return [one for one in self.tokens(square) if value_of(one).isdigit()]

    def why_not_entered(self, square: str) -> str:
        return f"The tokens on {square} have to be attacked." if self.numbers(square) else ""

    def mines(self, square: str) -> list[str]:
        return [one for one in self.tokens(square) if value_of(one) == ruleset.MINES]

    def workplaces(self) -> tuple[str, ...]:
        """Beaches with an obstacle, and squares with mines face up."""
        beaches = [one for one in self.rules.board.beaches if not self.has_gap(one)]
        return (*beaches, *filter(self.mines, self.ground))

    def has_gap(self, beach: str) -> bool:
        return GAP in self.ground.get(beach, ())

    def is_clear(self, square: str) -> bool:
        """Whether no German tokens are there; a beach has none."""
        known = not square.isdigit() or self.square(square) is not None
        return known and not self.tokens(square)

    def strongpoint_beside(self, square: str) -> bool:
        """Whether an adjacent strongpoint square is not cleared."""
        strong = (one for one in self.near(square) if self.terrain(one) == "strongpoint")
        return not all(map(self.is_clear, strong))

    def path(self, start: str, end: str) -> tuple[str, ...]:
        """The shortest way over cleared squares, without diagonals; it leaves a beach by a cleared
        exit, as vehicles do (3.2.d, 8.3). Empty if there is none."""

        def after(at: tuple[str, bool]) -> Iterator[tuple[str, bool]]:
            for one in filter(self.is_clear, self.near(at[0])):
                here = self.square(one)
                if here is None or here.exit or not at[0].startswith(BEACH):
                    yield one, at[1] or bool(here and here.exit)

        first = (start, start == end or not start.startswith(BEACH))
        return tuple(at for at, _ in shortest(first, (end, True), after))

    def why_no_path(self, start: str, end: str) -> str:
        none = "No path of cleared squares leads there, from a beach through a cleared exit."
        return "" if self.path(start, end) else none

    # ------------------------------------------------------------------ units

    def units(self, place: str = "") -> tuple[Counter, ...]:
        found = self.counters.where(place=place)
        return tuple(one for one in found if one.steps and one.kind != TANK)

    def at_sea(self) -> tuple[Counter, ...]:
        return tuple(one for one in self.units() if one.place.startswith(CHANNEL))

    def ashore(self) -> tuple[Counter, ...]:
        board, units = self.rules.board, self.units()
        return tuple(one for one in units if one.place in (*board.beaches, *board.land.names))

    def tanks(self, unit: Counter | None = None) -> tuple[Counter, ...]:
        """All of them, or those with a unit."""
        found = self.counters.where(kind=TANK, group=unit.id if unit else "")
        return tuple(one for one in found if one.steps)

    def strength(self, unit: Counter) -> int:
        back = unit.has(DISRUPTED) or unit.has(FLIPPED)
        return unit.rating("disrupted" if back else "strength")

    def meets_others(self, unit: Counter) -> bool:
        """Whether a unit of another division is on its beach; Rangers bother nobody."""
        spared = (unit.group, RANGERS)
        early = (LANDING, LANDED) if self.rules.ruled("O17", "together") else (LANDING,)
        others = [one for one in self.units(unit.place) if one.group not in spared]
        return unit.group != RANGERS and any(not {*early} & {*one.flags} for one in others)

    def exposed(self) -> tuple[str, ...]:
        """The squares of units in the First Wave, or beside a token for all that is known."""
        board, places = self.rules.board, [one.place for one in self.units()]
        near = {*board.first_wave, *board.beaches} - {*self.owned.arrow}
        return tuple(dict.fromkeys(one for one in places if one in near or self.beside(one)))

    def beside(self, square: str) -> tuple[str, ...]:
        """The squares beside one on which tokens lie, those not typed in yet included."""
        return tuple(one for one in self.near(square) if not self.is_clear(one))

    def cleared(self) -> Iterator[ruleset.ClearSquare]:
        for number in self.rules.board.land.names:
            here = self.square(number)
            if here is not None and self.is_clear(number):
                yield ruleset.ClearSquare(int(number), here.town, here.exit)

    def score(self) -> Scoring:
        counts = {
            "gaps": sum(map(self.has_gap, self.rules.board.beaches)),
            "strongpoints": self.gone.count("strongpoint"),
            "encounters": self.gone.count("encounter"),
            "reinforcements": len(self.units(ruleset.RESERVE)),
        }
        return ruleset.scored(self.rules, counts, self.cleared())


def value_of(token: str) -> str:
    """Of a token; empty for one that lies face down."""
    return token.partition(" ")[2]


# ------------------------------------------------------------------ events


class BloodyOpened(TableEvent, frozen=True, kw_only=True, tag="opened"):
    """With what the owner has typed in before. ``seeds``: of the bags and of the deck; none: his
    own."""

    setup: BloodySetup
    owned: OwnersGame
    tables: ruleset.BloodyTables
    dice: Source
    seeds: tuple[int, ...] = ()

    def apply(self, state: BloodyState | None) -> BloodyState:
        tracks, seeds, rules = {}, iter(self.seeds), self.setup.rules
        for id, name in ((INITIATIVE, "Initiative"), (ENGINEERS, "Engineers")):
            tracks[id] = Track(id=id, name=name, value=1)
            tracks[id + RATING] = Track(id=id + RATING, name=f"{name} rating", value=1, low=1)
        tanks = [
            Counter(id=f"tank-{at}", name=f"Tank {at}", side="us", kind=TANK)
            for at in range(1, rules.counts["tanks"] + 1)
        ]
        found = BloodyState(
            setup=self.setup,
            owned=OwnersGame(),
            tables=self.tables,
            dice=self.dice,
            tracks=tracks,
            cups={id: Cup(id=id, seed=next(seeds, None)) for id in (*BAGS, DECK)},
            sequence=TurnSequence(phases=rules.phases),
            counters=Register({one.id: one for one in tanks}),
        )
        lines = {id: self.owned.lines(id) for id in rules.lines}
        return LinesTyped(lines=lines, tables=self.tables).apply(found)

    def narrate(self, state: BloodyState) -> str:
        return f"The game begins ({self.setup.rules.label})."


class LinesTyped(TableEvent, frozen=True, kw_only=True, tag="lines"):
    """All lines about some of the things that the printed game holds, by their ids; out of a file
    the ``tables``, too."""

    lines: dict[str, tuple[str, ...]]
    tables: ruleset.BloodyTables | None = None

    def __post_init__(self) -> None:
        force_setattr(self, "lines", earlier.renamed(self.lines))

    def apply(self, state: BloodyState) -> BloodyState:
        before, owned = state.owned, state.owned.with_lines(self.lines)
        tables = self.tables or state.tables
        if self.tables is None and owned.columns != before.columns:
            tables = replace(tables, attack=ruleset.blank_tables(state.rules, owned).attack)
        turns = int(owned.turns[0]) if owned.turns else 0
        return replace(
            state,
            owned=owned,
            tables=tables,
            counters=_counters(state, owned),
            cups={id: self._filled(cup, state.rules, owned) for id, cup in state.cups.items()},
            sequence=replace(state.sequence, turns=turns),
        )

    def _filled(self, cup: Cup, rules: BloodyRules, owned: OwnersGame) -> Cup:
        """A deck that the game is played without stays empty until a card is typed in."""
        if cup.id == DECK:
            played = owned.card or DECK in self.lines
            return cup.holding(owned.card, rules.counts[DECK]) if played else cup
        return cup.holding(owned.lines(f"{cup.id}s"), rules.counts[f"{cup.id}s"])

    def narrate(self, state: BloodyState) -> str:
        names = [state.rules.lines[id].name for id in self.lines]
        return f"Typed in: {', '.join(names + ['the tables'] * (self.tables is not None))}."


def _counters(state: BloodyState, owned: OwnersGame) -> Register:
    """With all units of the lines, new ones on their squares."""
    register = state.counters
    for at, line in enumerate(owned.tanks, 1):
        front, back = map(int, line.split("/"))
        if tank := register.counters.get(f"tank-{at}"):
            ratings = {"strength": front, "disrupted": back}
            register = register.with_counter(replace(tank, ratings=ratings))
    known = {one.name: one for one in register if one.kind != TANK}
    for line in owned.units:
        name, group, strengths, box = (part.strip() for part in line.split(","))
        strength, _, disrupted = strengths.removeprefix("bn ").partition("/")
        new = Counter(id=register.new_id(name), name=name, side="us", place=box)
        one = replace(
            known.get(name, new),
            group=group,
            kind="battalion" if strengths.startswith("bn") else "company",
            ratings={"strength": int(strength), "disrupted": int(disrupted)},
        )
        register = register.with_counter(
            replace(one, place=box) if state.now == "setup" and one.steps else one
        )
    return register


class BloodyHappened(unfolding.Happened, frozen=True, kw_only=True, tag="happened"):
    """``gone``: the bags of the tokens that left the map."""

    gone: tuple[str, ...] = ()

    def apply(self, state: BloodyState) -> BloodyState:
        after: BloodyState = super().apply(state)
        return replace(after, gone=(*state.gone, *self.gone))


class WaveMoved(TableEvent, frozen=True, kw_only=True, tag="wave"):
    """Every unit at sea goes one square forward; those that reach a beach have to roll there."""

    def apply(self, state: BloodyState) -> BloodyState:
        register = state.counters
        for one in state.at_sea():
            to = state.rules.board.forward(one.place)
            after = one.marked(DRIFTED, False).marked(LANDING, to.startswith(BEACH))
            register = register.with_counter(replace(after, place=to))
        return replace(state, counters=register)

    def narrate(self, state: BloodyState) -> str:
        return "All units at sea go one square forward." if state.at_sea() else ""


Fact: TypeAlias = typed_tables.CellTyped | typed_tables.ValuesTyped
AnyEvent: TypeAlias = BloodyOpened | LinesTyped | BloodyHappened | WaveMoved | Fact | AnyTableEvent
