"""Omaha as the shell uses it: set-up, the board, what is due, the rules.

Phases, counters, places that count and notes are those of every companion game (``TableGame``).
The questions of the set-up form are in ``set_up``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from skirmish.games.omaha import ruleset
from skirmish.games.omaha.commands import commands
from skirmish.games.omaha.commands.phase import prompt
from skirmish.games.omaha.orders import OmahaOrder
from skirmish.games.omaha.questions import answer
from skirmish.games.omaha.ruleset import (
    KINDS,
    SIDES,
    OmahaFile,
    OmahaSetup,
    OmahaTables,
)
from skirmish.games.omaha.set_up import (
    cards_of,
    chosen_scenario,
    sequence_of_answers,
    set_up_fields,
    shuffled_deck,
)
from skirmish.games.omaha.sheet import sheet_of, tables_of, terrain_of
from skirmish.games.omaha.state import (
    NAVY,
    AnyEvent,
    AttackResolved,
    EveningOpened,
    OmahaState,
)
from skirmish.games.omaha.units import MARK_SIGNS, PRINTED, RATINGS, Mark, new_units
from skirmish.tabletop.chance import Source
from skirmish.tabletop.commands import Command
from skirmish.tabletop.companion.asking import HexSlot
from skirmish.tabletop.companion.counters import Counter, Register, named
from skirmish.tabletop.companion.explained import explained_blocks
from skirmish.tabletop.companion.roster import TickColumn, marker_ticks
from skirmish.tabletop.companion.table_game import StateSheet, TableGame
from skirmish.tabletop.companion.table_orders import AnyTableOrder, TableOrder
from skirmish.tabletop.game import PLAYERS, Seed, Verdict, Viewer
from skirmish.tabletop.journal import Play
from skirmish.tabletop.journal_codec import union_of_tagged
from skirmish.tabletop.page import (
    Block,
    Facts,
    Heading,
    Page,
    Paragraph,
    Step,
    Steps,
    Tone,
    Tracks,
)
from skirmish.tabletop.presets import PresetBook, read_presets
from skirmish.tabletop.set_up_form import Field
from skirmish.tabletop.slots import Slot

PAPER_UNITS = 28
"""Lines for the units of each side on a sheet: those of the Americans fill a page below the
turns."""
WINS_NOTHING = ("NE", "AR", "AE")
"""Results without effect, or that only hurt the attacker."""


EXAMPLE = (
    ("c a", "1/352, 2/352", "J7"),
    ("c b", "88", "K1"),
    ("c d", "1/B", "L8"),
    ("c d", "2/B", "L9"),
    ("c h", "1/A", "L10"),
)
"""What is typed for the example on an empty board, a line for each order: ``c a``, new units of the
first company in the list; their names; their hex."""


class OmahaGame(TableGame[OmahaState, TableOrder, AnyEvent]):
    """The companion of Omaha. ``revision`` identifies the tables, the scenarios and the rulings."""

    id = "omaha"
    name = "Omaha: Battle for the Beach"
    order = union_of_tagged(OmahaOrder) | AnyTableOrder
    event = AnyEvent
    sides = tuple(SIDES.items())
    ratings: ClassVar[tuple[str, ...]] = RATINGS
    kinds = tuple(KINDS)
    place_noun: ClassVar[str] = "Hex"
    place: ClassVar[Slot] = HexSlot(name="place", text="In which hex is it?")
    markers: ClassVar[tuple[str, ...]] = (Mark.FIRED, Mark.DISRUPTED, Mark.LANDED, Mark.WAITING)
    more_markers: ClassVar[tuple[str, ...]] = Mark.PASSING
    signs: ClassVar[Mapping[str, str]] = MARK_SIGNS

    def __init__(
        self, tables: OmahaTables, file: OmahaFile, book: PresetBook, revision: str = ""
    ) -> None:
        self.tables = tables
        self.file = file
        self.book = book
        self.revision = revision

    def completed(self, event: AnyEvent) -> AnyEvent:
        if not isinstance(event, EveningOpened):
            return event
        rulings = self.book.completed(event.setup.rulings)
        return replace(event, setup=replace(event.setup, rulings=rulings))

    def upcast(self, order: Any, events: Any) -> tuple[Any, Any]:
        """The entry as it would be written today. In the first hours of this game, on 22 November
        2026, a scenario had a text of rules, which is now part of its text, and the kind of a task
        had another key."""
        for event in events:
            event.get("setup", {}).get("scenario", {}).pop("rules", None)
            for task in event.get("tasks", ()):
                if "task" in task:
                    task["kind"] = task.pop("task")
        return order, events

    # ------------------------------------------------------------------ set-up

    def fields(self, answers: Mapping[str, Any]) -> tuple[Field, ...]:
        return set_up_fields(self.file, self.book, answers)

    def open(self, answers: Mapping[str, Any], seed: Seed) -> Sequence[AnyEvent]:
        scenario = chosen_scenario(self.file, answers)
        setup = OmahaSetup(
            tables=self.tables,
            cards=cards_of(self.file, scenario),
            scenario=scenario,
            sequence=sequence_of_answers(self.file, answers),
            rulings=self.book.answered(self.book.chosen(answers)),
            chance=answers.get("chance", "die"),
            revision=self.revision,
            solitaire=answers.get("players", "solitaire") == "solitaire",
        )
        # Seeds are asked for in a fixed order, the deck's first: a given seed is a given game.
        # Where the players draw and roll there is neither.
        deck = None
        dice = Source("die", seed=None)
        if setup.chance != "own":
            deck = shuffled_deck(setup.cards, answers, seed)
            dice = Source("die", seed())
        units = tuple(new_units(Register(), scenario, self.tables.numbers.steps))
        return [EveningOpened(setup=setup, counters=units, deck=deck, dice=dice)]

    def title(self, state: OmahaState) -> str:
        return f"Omaha: {state.setup.scenario.title}"

    # ------------------------------------------------------------------ what can be done

    def players(self, state: OmahaState) -> Mapping[str, str]:
        # Alone, the player leads the Americans, and the Germans belong to nobody at the table.
        return {id: name for id, name in self.sides if id == "us" or not state.setup.solitaire}

    def own_commands(self, state: OmahaState) -> Iterator[Command[Any]]:
        return commands(state)

    def prompt(self, state: OmahaState) -> Command[Any] | None:
        return prompt(state)

    # ------------------------------------------------------------------ the board

    def headline(self, state: OmahaState) -> str:
        us, german = state.points("us"), state.points("german")
        if state.ended:
            result = state.result()
        elif us > german:
            result = "Americans ahead"
        elif german > us:
            result = "Germans ahead"
        else:
            result = "level"
        return f"{super().headline(state)}, {us}:{german} ({result})"

    def verdict(
        self, play: Play[OmahaState, TableOrder, AnyEvent], viewer: Viewer = PLAYERS
    ) -> Verdict | None:
        if play.ends_with_void:
            return None
        # Narrated in the state before the entry, as in the journal.
        before = play.state_before
        for event in play.live[-1].events:
            if isinstance(event, AttackResolved):
                reason = f"{event.effect(before)} Roll {event.roll}. {event.sum(before)}"
                tone: Tone = "good"
                if event.result in WINS_NOTHING:
                    tone = ""
                return Verdict(text=event.result, reason=reason, tone=tone)
        return None

    def page(self, state: OmahaState, viewer: Viewer = PLAYERS) -> Page:
        return Page(self.title(state), tuple(self._board(state)), about=(self.headline(state),))

    def _board(self, state: OmahaState) -> Iterator[Block]:
        """What the board shows; at set-up the list of what is missing comes before the units."""
        turns = self.turn_track(state)
        if turns:
            yield Tracks(turns)
        yield Facts(tuple(self._facts(state)))
        checklist = self._checklist(state)
        stacks = self.stacks(state, self._hex_of, no_stack="Off the map")
        if state.phase_id == "setup":
            yield from checklist
            yield from stacks
        else:
            yield from stacks
            yield from checklist

    def example_lines(self, state: OmahaState) -> Sequence[Sequence[str]]:
        return EXAMPLE

    @staticmethod
    def _hex_of(unit: Counter) -> str:
        return unit.place

    def full_steps(self, unit: Counter) -> int:
        return self.tables.numbers.steps

    def _facts(self, state: OmahaState) -> Iterator[tuple[str, str]]:
        """Who holds which hexes, what supports the sides this turn, and the notes."""
        for side, name in SIDES.items():
            held = [hex_id for hex_id, holder in state.control.items() if holder == side]
            yield f"{name} hexes", ", ".join(held) or "none"
        if state.phase_id == "us_fire" and NAVY in state.tracks:
            left = state.tracks[NAVY].value * state.setup.tables.numbers.packet
            yield "Naval gunfire", f"{left} factors left"
        for drawn in state.drawn:
            if drawn.turn == state.position.turn:
                yield "Action card", state.setup.card(drawn.card).title
        for side, name in SIDES.items():
            attacks = state.air_attacks_left(side)
            if attacks > 0:
                packet = state.setup.tables.numbers.packet  # a card of air power is one, too
                yield f"{name} air power", f"+{packet} HE, {attacks} left"
        for turn, text in state.notes:
            yield f"Turn {turn}", text

    def _checklist(self, state: OmahaState) -> Iterator[Block]:
        """The arrivals of this turn, ticked once they are on the map."""
        due = state.due()
        if not due or state.ended:
            return
        if state.phase_id == "setup":
            yield Heading("Set-up")
            yield Paragraph(state.setup.scenario.text)
        else:
            yield Heading("Reinforcements")
        steps = []
        for arrival in due:
            title = f"{arrival.company} ({SIDES[arrival.side]})"
            count = len(state.entered(arrival))
            if count:
                steps.append(Step(title, "done", f"{count} entered"))
            else:
                steps.append(Step(title, "next", arrival.where))
        yield Steps(tuple(steps))

    def answer(self, line: bytes) -> dict[str, Any]:
        """Answers a query in JSON. Raises DataError."""
        return answer(self.tables, self.book, line)

    def new_from_file(self, state: OmahaState, unit: Counter) -> Counter:
        """A unit as it is entered from a file: with all its steps and no markers, in the hex that
        the file gives. Without a hex, or before its company is due, it waits off the map."""
        bare = replace(unit, two_sided=True, steps=self.tables.numbers.steps, flags=())
        if not unit.place or not state.may_come(unit.group):
            return replace(bare, place="", flags=(Mark.WAITING,))
        return bare.marked(Mark.LANDED, state.lands(unit.group))

    def is_listed(self, state: OmahaState, unit: Counter) -> bool:
        """Eliminated units are not shown, and units off the map only once they are due."""
        if not unit.steps:
            return False
        return state.may_come(unit.group) or not unit.has(Mark.WAITING)

    def due(self, play: Play[OmahaState, TableOrder, AnyEvent], viewer: Viewer = PLAYERS) -> Page:
        """The companies still to arrive in this turn."""
        state = play.state
        names = [arrival.company for arrival in state.due() if not state.entered(arrival)]
        if not names:
            return Page("")
        return Page("", (Paragraph(", ".join(names), lead="Still to come:"),))

    def sheets(self) -> tuple[StateSheet[OmahaState], ...]:
        return (StateSheet("sheet", "The play sheet", self._sheet),)

    def _sheet(self, state: OmahaState) -> Page:
        """The play sheet, with a box for each step and each marker of a unit."""
        steps = self.tables.numbers.steps

        def steps_lost(unit: Counter) -> int:
            # Steps typed in by hand may be more than are printed.
            return max(steps - unit.steps, 0)

        ticks = (
            TickColumn("Lost", steps, steps_lost),
            marker_ticks("Fired", Mark.FIRED),
            marker_ticks("Disr.", Mark.DISRUPTED),
        )
        roster = self.roster(state, PRINTED, ticks, least_rows=PAPER_UNITS)
        return sheet_of(state, self.title(state), self.file.explained, roster)

    def summary(self, play: Play[OmahaState, TableOrder, AnyEvent]) -> Page:
        state = play.state
        losses = []
        for side, name in SIDES.items():
            lost = [unit for unit in state.counters.where(side=side) if not unit.steps]
            if lost:
                losses.append((f"{name} units lost", named(lost)))
        blocks = (Facts(tuple(losses)), *self.roster(state, PRINTED))
        return Page(self.title(state), blocks, about=(self.headline(state),))

    def rules(self, state: OmahaState | None = None) -> Page:
        """The sequence of a turn, the tables, and the rulings with the answers of this game."""
        rulings: Mapping[str, str] = self.book.defaults()
        if state is not None:
            rulings = state.setup.rulings
        phases = [Paragraph(phase.text, lead=f"{phase.name}.") for phase in self.file.phases]
        tables: list[Block] = []
        for table_blocks in tables_of(self.tables, rulings):
            tables += table_blocks
        blocks = (
            *self.book.differing(rulings),
            Heading("A turn"),
            *phases,
            *explained_blocks(self.file.explained),
            *tables,
            *terrain_of(self.tables),
            *self.book.blocks(rulings),
        )
        return Page(f"The rules of {self.name}", blocks)


def game(tables: Mapping[str, Any], revision: str) -> OmahaGame:
    """The game out of its files."""
    book = read_presets(tables["rulings"], "omaha/rulings.toml")
    return OmahaGame(
        ruleset.read_tables(tables["tables"]), ruleset.read_game(tables["game"]), book, revision
    )
