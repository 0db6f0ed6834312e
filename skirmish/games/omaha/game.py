"""Omaha as the app and the command line use it: set-up, the board, what is due, the rules.

Phases, counters, places that count and notes are those of every companion game (``TableGame``).
The questions of the set-up form, and what their answers give, stand below the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from skirmish.games.omaha import ruleset
from skirmish.games.omaha.commands import commands
from skirmish.games.omaha.commands.phase import prompt as command_due
from skirmish.games.omaha.orders import OmahaOrder
from skirmish.games.omaha.questions import answer as answer_question
from skirmish.games.omaha.ruleset import (
    KINDS,
    SIDES,
    ActionCard,
    OmahaFile,
    OmahaScenario,
    OmahaSetup,
    OmahaTables,
    sequence_of,
)
from skirmish.games.omaha.sheet import sheet_of, tables_of, terrain_of
from skirmish.games.omaha.state import (
    DECK,
    NAVY,
    AnyEvent,
    AttackResolved,
    EveningOpened,
    OmahaState,
)
from skirmish.games.omaha.units import MARK_SIGNS, PRINTED, RATINGS, Mark, with_scenario_units
from skirmish.tabletop.chance import Source
from skirmish.tabletop.commands import Command
from skirmish.tabletop.companion.asking import HexSlot
from skirmish.tabletop.companion.counters import Counter, Register, named
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.explained import explained_blocks
from skirmish.tabletop.companion.roster import TickColumn, marker_ticks
from skirmish.tabletop.companion.sequence import TurnSequence
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
from skirmish.tabletop.set_up_form import Field, Fold
from skirmish.tabletop.slots import AnswerRow, Number, Slot, UnfitAnswer, Words, form_choice

PAPER_UNITS = 28
"""The fewest lines for the units of each side on a sheet: with so many, those of the Americans fill
the page below the track of turns."""
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
NUMBERS_OF_CARDS = ("1", "2", "3", "4", "5", "6", "?")
"""What an owner may type for a card; the question mark: its number cannot be told."""
LONGEST_CARD_NUMBERS = 120
"""The most characters that may be typed for the cards of a kind."""
LONGEST_QUOTED = 20
"""How many characters of a wrong number an error quotes."""
MOST_TURNS = 30
"""The most turns that a game may have."""
DIE_FOR_UNKNOWN = "Where a card's number is not known, the die gives it."
# Choices of the set-up form: the answer, its name, and what it means.
CHANCE = (
    AnswerRow("die", "the program rolls a die", "Events come from the program's deck."),
    AnswerRow("cards", "the program draws every number", DIE_FOR_UNKNOWN),
    AnswerRow("own", "your own cards or die, typed in", "You type what you draw or roll."),
)
FIRST_TO_MOVE = (AnswerRow("us", "the Americans"), AnswerRow("german", "the Germans"))
WHO_PLAYS = (
    AnswerRow("solitaire", "you, against Germans of the program", "It chooses their targets."),
    AnswerRow("two", "two players"),
)


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
    program_markers: ClassVar[tuple[str, ...]] = Mark.PASSING
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
        rulings_chosen = self.book.chosen(answers)
        setup = OmahaSetup(
            tables=self.tables,
            cards=cards_of(self.file, scenario),
            scenario=scenario,
            sequence=sequence_of_answers(self.file, answers),
            rulings=self.book.answered(rulings_chosen),
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
        units = with_scenario_units(Register(), scenario, self.tables.numbers.steps)
        return [EveningOpened(setup=setup, counters=tuple(units), deck=deck, dice=dice)]

    def title(self, state: OmahaState) -> str:
        return f"Omaha: {state.setup.scenario.title}"

    # ------------------------------------------------------------------ what can be done

    def players(self, state: OmahaState) -> Mapping[str, str]:
        # Alone, the player leads the Americans, and the Germans belong to nobody at the table.
        return {id: name for id, name in self.sides if id == "us" or not state.setup.solitaire}

    def own_commands(self, state: OmahaState) -> Iterator[Command[Any]]:
        return commands(state)

    def prompt(self, state: OmahaState) -> Command[Any] | None:
        return command_due(state)

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
                reason = f"{event.effect(before)} Roll {event.roll}. {event.way_to_column(before)}"
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
            hexes = [hex_id for hex_id, holder in state.control.items() if holder == side]
            yield f"{name} hexes", ", ".join(hexes) or "none"
        factors_of_packet = state.setup.tables.numbers.packet
        if state.phase_id == "us_fire" and NAVY in state.tracks:
            factors_left = state.tracks[NAVY].value * factors_of_packet
            yield "Naval gunfire", f"{factors_left} factors left"
        for drawn in state.drawn:
            if drawn.turn == state.position.turn:
                yield "Action card", state.setup.card(drawn.card).title
        for side, name in SIDES.items():
            attacks = state.air_attacks_left(side)
            if attacks > 0:
                # A card of air power has as many factors as a packet of the navy.
                yield f"{name} air power", f"+{factors_of_packet} HE, {attacks} left"
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
            entered = state.entered(arrival)
            if entered:
                steps.append(Step(title, "done", f"{len(entered)} entered"))
            else:
                steps.append(Step(title, "next", arrival.where))
        yield Steps(tuple(steps))

    def answer(self, line: bytes) -> dict[str, Any]:
        """Answers a question of another program, a line of JSON. Raises DataError."""
        return answer_question(self.tables, self.book, line)

    def new_from_file(self, state: OmahaState, unit: Counter) -> Counter:
        """A unit as it is entered from a file: with all its steps and no markers, in the hex that
        the file gives. Without a hex, or before its company is due, it waits off the map."""
        fresh = replace(unit, two_sided=True, steps=self.tables.numbers.steps, flags=())
        if not unit.place or not state.may_come(unit.group):
            return replace(fresh, place="", flags=(Mark.WAITING,))
        return fresh.marked(Mark.LANDED, state.lands(unit.group))

    def is_listed(self, state: OmahaState, unit: Counter) -> bool:
        """Eliminated units are not shown, and units off the map only once they are due."""
        is_eliminated = unit.steps == 0
        if is_eliminated:
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


# ---------------------------------------------------------------------- the set-up form


def set_up_fields(
    file: OmahaFile, book: PresetBook, answers: Mapping[str, Any]
) -> tuple[Field, ...]:
    """The questions of the set-up form, by the answers so far."""
    rows = []
    for listed in file.scenarios:
        rows.append(AnswerRow(listed.id, listed.title, listed.about))
    scenario = chosen_scenario(file, answers)
    fields = [
        Field(slot=form_choice("scenario", "Which scenario is it?", rows)),
        Field(slot=form_choice("players", "Who plays?", WHO_PLAYS)),
        Field(slot=form_choice("chance", "Where do the numbers come from?", CHANCE)),
        _turns_field(scenario),
    ]
    if not scenario.states_its_length:
        # For such a scenario the text does not say who moves first either.
        first = form_choice("first", "Who moves first?", FIRST_TO_MOVE)
        fields.append(Field(slot=first, help="The text does not say who moves first."))
    fields += book.fields()
    deck = Fold("deck", "The action cards", "The numbers of your cards; ? where you cannot tell.")
    for card in cards_of(file, scenario):
        fields.append(_card_field(card, deck))
    return tuple(fields)


def _turns_field(scenario: OmahaScenario) -> Field:
    """The question how long the game is. The text has ten turns, or eleven "if you feel the Allies'
    challenge is too great"; for Vierville it gives no length."""
    about = "The text gives no length for this scenario."
    if scenario.states_its_length:
        about = f"{scenario.longest} turns are easier for the Americans."
    text = "How many turns are played?"
    slot = Number(name="turns", text=text, low=1, high=MOST_TURNS, default=scenario.turns)
    return Field(slot=slot, help=about)


def _card_field(card: ActionCard, deck: Fold) -> Field:
    """The question which numbers are on the owner's cards of a kind: no public text gives them."""
    slot = Words(
        name=f"card_{card.id}",
        label=card.title,
        default=card.numbers,
        longest=LONGEST_CARD_NUMBERS,
        text=f"Which numbers are on the cards “{card.title}”?",
        read=_card_numbers,
    )
    text = f"{card.text} {card.garbled} A number for each card, or ?."
    return Field(slot=slot, fold=deck, help=text)


def _card_numbers(text: str) -> str:
    """The numbers with spaces between them. Raises UnfitAnswer."""
    words = text.replace(",", " ").split()
    for word in words:
        if word not in NUMBERS_OF_CARDS:
            begun = word[:LONGEST_QUOTED]
            raise UnfitAnswer(f"{begun} is no number of a card: 1 to 6, or ?.")
    return " ".join(words)


# ---------------------------------------------------------------------- what its answers give


def chosen_scenario(file: OmahaFile, answers: Mapping[str, Any]) -> OmahaScenario:
    """The scenario chosen so far; the first until one is."""
    chosen = answers.get("scenario", file.scenarios[0].id)
    return next(scenario for scenario in file.scenarios if scenario.id == chosen)


def sequence_of_answers(file: OmahaFile, answers: Mapping[str, Any]) -> TurnSequence:
    """The phases of the game, by its length and the side that moves first."""
    turns = answers.get("turns", chosen_scenario(file, answers).turns)
    return sequence_of(file.phases, turns, answers.get("first", "us"))


def cards_of(file: OmahaFile, scenario: OmahaScenario) -> tuple[ActionCard, ...]:
    """The kinds of card that are in the deck of a scenario."""
    return tuple(card for card in file.cards if card.id not in scenario.without)


def shuffled_deck(
    cards: Sequence[ActionCard], answers: Mapping[str, Any], seed: Seed
) -> Cup | None:
    """The deck with the numbers that were typed in; None where there is no card at all."""
    chits: list[str] = []
    for card in cards:
        chits += card.chits(answers.get(f"card_{card.id}", card.numbers))
    if not chits:
        return None
    # Sorted, so that the same cards and the same seed are the same deck.
    return Cup(id=DECK, unseen=tuple(sorted(chits)), seed=seed())


# ---------------------------------------------------------------------- the game for the registry


def game(tables: Mapping[str, Any], revision: str) -> OmahaGame:
    """The game, from the contents of its data files by their names."""
    book = read_presets(tables["rulings"], "omaha/rulings.toml")
    omaha_tables = ruleset.read_tables(tables["tables"])
    file = ruleset.read_game(tables["game"])
    return OmahaGame(omaha_tables, file, book, revision)
