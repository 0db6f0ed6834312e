"""The Grand Tactical Series as the program plays it: set-up, what can be done, the board, what is
due, the owner's file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from skirmish.games.gts import commands as gts_commands
from skirmish.games.gts import ruleset, units
from skirmish.games.gts import state as gts_state
from skirmish.games.gts.activation import transferable_leaders, units_able_to_act
from skirmish.games.gts.events import (
    AnyEvent,
    Checked,
    ChitBought,
    ChitPlayed,
    ChitSet,
    DivisionSet,
    Fact,
    GtsOpened,
    ShotFired,
    TablesTaken,
)
from skirmish.games.gts.ledgers import ledger_sheet, ledger_table, mug_facts
from skirmish.games.gts.orders import GtsOrder, GtsRecord
from skirmish.games.gts.questions import answer
from skirmish.games.gts.rolls import sum_text
from skirmish.games.gts.rules_page import card_sheet, rules_page
from skirmish.games.gts.ruleset import GtsRules, GtsTables, OwnersFile
from skirmish.games.gts.state import GtsState
from skirmish.games.gts.units import MARKER_SIGNS, RATINGS, TRAITS, Marker
from skirmish.tabletop.chance import Source
from skirmish.tabletop.commands import Command
from skirmish.tabletop.companion.counters import Counter, named
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.roster import marker_ticks
from skirmish.tabletop.companion.sequence import TurnSequence
from skirmish.tabletop.companion.table_game import StateSheet, TableGame
from skirmish.tabletop.companion.table_orders import AnyTableOrder, TableOrder
from skirmish.tabletop.data_file import read, resolved
from skirmish.tabletop.game import PLAYERS, Seed, Verdict, Viewer
from skirmish.tabletop.journal import Play
from skirmish.tabletop.journal_codec import union_of_tagged
from skirmish.tabletop.page import (
    Block,
    Facts,
    Mug,
    Page,
    Paragraph,
    Tone,
    Tracks,
)
from skirmish.tabletop.presets import PresetBook, read_presets
from skirmish.tabletop.set_up_form import Field
from skirmish.tabletop.slots import AnswerRow, Number, form_choice

# Choices of the set-up form: for each answer its value, its label and what it means.
SCOPES = (
    AnswerRow("whole", "the whole game", "The turn from A to L, chits, points, fire."),
    AnswerRow("mug", "the mug and the points only", "Chits drawn by one key, and the ledgers."),
    AnswerRow("fire", "fire and checks only", "No chits, no turn."),
)
"""How much of the game is played with the program."""
CHANCE = (
    AnswerRow("program", "the program rolls and draws"),
    AnswerRow("own", "your own die and your own mug", "You type what you roll and draw."),
)
"""Who rolls the die and draws the chits."""
TABLES = (
    AnswerRow(
        "blank", "typed in from your card", "A result is asked for the first time it is needed."
    ),
    AnswerRow(
        "community", "community values", "From players of the online module: check your card."
    ),
)
"""What of the owner's card is known as the game begins."""
UNITS_ON_SCREEN = 20
"""The most units of a side that are shown beside the commands."""
ALL_UNITS = 0
"""In place of such a number: there is no limit."""
NOTES_SHOWN = 5
"""The last notes of the players that are shown below the board."""
SIDES = (("allied", "Allied"), ("german", "German"))
"""The sides: ids and names."""
MOST_TURNS_OF_GAME = 400
"""The most turns that a game may be set up with, above those of any campaign."""
PAPER_UNITS = 22
"""The lines for units on the sheet of ledgers, which then fills a page of A4."""

# A command of the example is its key and the answers. Those for a division are its side, its name,
# its command and dispatch ratings, and its command and dispatch points.
_ALLIED_DIVISION = ("D", "Allied", "82nd", "4", "5", "6", "3")
_GERMAN_DIVISION = ("D", "German", "406", "2", "3", "2", "1")
# Those for a chit are its kind, its division, its name, and how many units its leader may attach.
_FORMATION_CHITS = (
    ("C", "formation", "82nd", "505", "1"),
    ("C", "formation", "406", "Becker", "1"),
)
EXAMPLES: Mapping[str, Sequence[Sequence[str]]] = {
    "whole": (
        _ALLIED_DIVISION,
        _GERMAN_DIVISION,
        *_FORMATION_CHITS,
        # Those for a unit are its side, its formation, its name, its steps and its hex.
        ("c", "Allied", "505", "A/505", "2", "J7"),
        ("c", "Allied", "505", "B/505", "2", "J8"),
        ("c", "German", "Becker", "1/Becker", "2", "J9"),
    ),
    "mug": (_ALLIED_DIVISION, _GERMAN_DIVISION, *_FORMATION_CHITS),
    "fire": (
        ("c", "Allied", "A/505", "2", "J7"),
        ("c", "Allied", "B/505", "2", "J8"),
        ("c", "German", "1/Becker", "2", "J9"),
    ),
}
"""What is typed for the example on an empty board, by the scope of the game."""


class GtsGame(TableGame[GtsState, TableOrder, AnyEvent]):
    """The companion of the Grand Tactical Series."""

    id = "gts"
    name = "Grand Tactical Series"
    order = union_of_tagged(GtsOrder) | AnyTableOrder
    event = AnyEvent
    sides = SIDES
    ratings: ClassVar[tuple[str, ...]] = RATINGS
    place_noun: ClassVar[str] = "Hex"
    lettered: ClassVar[bool] = True
    put_back_cup: ClassVar[str] = gts_state.MUG
    markers: ClassVar[tuple[str, ...]] = Marker.TYPED
    signs: ClassVar[Mapping[str, str]] = MARKER_SIGNS
    program_markers: ClassVar[tuple[str, ...]] = (
        Marker.RALLYING,
        Marker.AT_WORK,
        Marker.WITH_LEADER,
    )

    def __init__(
        self, rules: GtsRules, community: GtsTables, book: PresetBook, revision: str = ""
    ) -> None:
        """``community``: the tables with the values of the online module; ``revision`` identifies
        the data."""
        # The rules as the files have them, with the default rulings. A game keeps the rules that it
        # began with.
        self.rules_file = rules
        self.community = community
        self.book = book
        self.revision = revision
        # The kind of a unit is the color of its fire rating, empty until somebody reads it off.
        self.kinds = ("", *rules.colors)
        self.traits = (*TRAITS, *(f"{units.ASSAULT_COLOR}{color}" for color in rules.colors))

    def completed(self, event: AnyEvent) -> AnyEvent:
        if not isinstance(event, GtsOpened):
            return event
        # The rulings and modifiers that did not exist when the game began are added to its own.
        stored = event.setup.rules
        values = dict(stored.values)
        for id, value in self.rules_file.values.items():
            values.setdefault(id, value)
        rulings = self.book.completed(stored.rulings)
        rules = replace(stored, rulings=rulings, values=values)
        return replace(event, setup=replace(event.setup, rules=rules))

    # ------------------------------------------------------------------ set-up

    def fields(self, answers: Mapping[str, Any]) -> tuple[Field, ...]:
        scope = form_choice("scope", "What do you play?", SCOPES, "What is played")
        text = "Where do the fire table and the modifiers come from?"
        tables = form_choice("tables", text, TABLES, "Tables")
        about_tables = "The rules summary prints neither. Every cell can be changed in the game."
        chance = form_choice("chance", "Who rolls and draws?", CHANCE, "Dice and mug")
        fields = [Field(slot=scope), Field(slot=tables, help=about_tables), Field(slot=chance)]
        if answers.get("scope", "whole") == "whole":
            turns = Number(
                name="turns",
                text="How many turns? 0: as many as you play.",
                default=0,
                high=MOST_TURNS_OF_GAME,
                shown_for_zero="as many as you play",
            )
            fields.append(Field(slot=turns))
        return (*fields, *self.book.fields())

    def open(self, answers: Mapping[str, Any], seed: Seed) -> Sequence[AnyEvent]:
        # The die and the mug have a seed each, so that a roll does not change the next chit. Where
        # the players roll and draw there is none.
        dice_seed = mug_seed = None
        if answers.get("chance") != "own":
            dice_seed, mug_seed = seed(), seed()
        tables = self.community.blank()
        if answers.get("tables") == "community":
            tables = self.community
        rulings = self.book.answered(self.book.chosen(answers))
        setup = gts_state.GtsSetup(
            # The explanations are for readers of the rules page, and are not stored with a game.
            rules=replace(self.rules_file, rulings=rulings, explained=()),
            sides=dict(SIDES),
            scope=answers.get("scope", "whole"),
            revision=self.revision,
        )
        opened = GtsOpened(
            setup=setup,
            tables=tables,
            sequence=TurnSequence(phases=self.rules_file.phases, turns=answers.get("turns", 0)),
            dice=Source("die", dice_seed),
            mug=Cup(id=gts_state.MUG, seed=mug_seed),
        )
        return [opened]

    def title(self, state: GtsState) -> str:
        names = ", ".join(state.divisions)
        if not names:
            return self.name
        return f"{self.name}: {names}"

    # ------------------------------------------------------------------ what can be done

    def own_commands(self, state: GtsState) -> Iterator[Command[Any]]:
        return gts_commands.commands(state)

    def sides_of(
        self, state: GtsState, command_or_order: Command[Any] | TableOrder
    ) -> Collection[str]:
        """An order about points or chits belongs to the side of its division, if that is entered;
        all others as in every companion game."""
        if isinstance(command_or_order, GtsOrder):
            division = state.divisions.get(command_or_order.of_division(state))
            if division is not None:
                return (division.side,)
        return super().sides_of(state, command_or_order)

    def prompt(self, state: GtsState) -> Command[Any] | None:
        if state.ended:
            return None
        return gts_commands.prompt(state)

    # ------------------------------------------------------------------ the board

    def headline(self, state: GtsState) -> str:
        if state.setup.scope == "fire":
            return "Fire and checks"
        if state.setup.scope == "mug":
            headline = f"The mug: {state.mug.inside} left"
        else:
            headline = super().headline(state)
        if not state.chit or state.ended:
            return headline
        return f"{headline}, {state.chit}"

    def turn(self, state: GtsState) -> int:
        # A part of the game that is played alone has no turns, which 0 stands for.
        if state.setup.scope != "whole":
            return 0
        return state.position.turn

    def verdict(
        self, play: Play[GtsState, TableOrder, AnyEvent], viewer: Viewer = PLAYERS
    ) -> Verdict | None:
        """The last shot, check or chit of the last order."""
        if play.ends_with_void:
            return None
        before = play.state_before
        for event in reversed(play.live[-1].events):
            verdict = _verdict_of(before, event)
            if verdict is not None:
                return verdict
        return None

    def narrate(self, state: GtsState, event: AnyEvent, viewer: Viewer = PLAYERS) -> str:
        """A chit set aside is named to its owner only."""
        if isinstance(event, ChitBought) and event.aside and viewer == event.side:
            return event.narrate_to_owner()
        return super().narrate(state, event, viewer)

    def page(self, state: GtsState, viewer: Viewer = PLAYERS) -> Page:
        return self._page(state, viewer, most_units=ALL_UNITS)

    def board(self, state: GtsState, viewer: Viewer = PLAYERS) -> Page:
        return self._page(state, viewer, most_units=UNITS_ON_SCREEN)

    def _page(self, state: GtsState, viewer: Viewer, *, most_units: int) -> Page:
        """The page of a state, with at most so many units of a side."""
        blocks = tuple(self._page_blocks(state, viewer, most_units))
        return Page(self.name, blocks, about=(self.headline(state),))

    def example_lines(self, state: GtsState) -> Sequence[Sequence[str]]:
        if state.divisions or state.chits:
            return ()
        return EXAMPLES[state.setup.scope]

    def example_board(self, state: GtsState) -> Iterator[Block]:
        if state.setup.scope != "fire":
            yield from ledger_table(state)
        yield from self._unit_blocks(state, ALL_UNITS)

    def rank(self, state: GtsState, unit: Counter) -> int:
        """First who may act, then who has a marker, then the others."""
        if unit.id in units_able_to_act(state):
            return 0
        # A unit that has acted and has no other marker is of no interest until the next turn.
        has_other_marker = any(flag != Marker.ACTED for flag in unit.flags)
        if has_other_marker:
            return 1
        return 2

    def _page_blocks(self, state: GtsState, viewer: Viewer, most_units: int) -> Iterator[Block]:
        """The turn, as far as this scope has one, then the units and the last notes."""
        tracks = self.turn_track(state)
        if tracks:
            yield Tracks(tracks)
        facts: list[tuple[str, str]] = []
        if state.setup.scope != "fire":
            yield from ledger_table(state)
            facts += mug_facts(state, viewer)
        if state.setup.scope != "mug":
            facts += _condition_facts(state)
        # While there are chits in the mug, it is drawn beside the facts.
        if state.mug_is_filled:
            yield Mug(state.mug.inside, tuple(facts))
        else:
            yield Facts(tuple(facts))
        yield from self.chart_blocks(state)
        yield from self._unit_blocks(state, most_units)
        # Only the last notes are shown: a long game has many, and the journal has them all.
        notes = [(f"Turn {turn}", text) for turn, text in state.notes[-NOTES_SHOWN:]]
        yield Facts(tuple(notes))

    def _unit_blocks(self, state: GtsState, most_units: int) -> Iterator[Block]:
        """The units by their formations, which chits activate; by hexes as long as no formation is
        known."""
        if any(unit.group for unit in state.units()):
            yield from self.stacks(
                state,
                _formation_of,
                no_stack="No formation",
                note_of=_hex_of,
                most_units=most_units,
            )
        else:
            yield from self.stacks(state, _hex_of, no_stack="Off the map", most_units=most_units)

    def due(self, play: Play[GtsState, TableOrder, AnyEvent], viewer: Viewer = PLAYERS) -> Page:
        """Who must move out of an entry hex, who has not acted, which leaders may change units, and
        who is suppressed."""
        state = play.state
        able = units_able_to_act(state)
        entering = [unit for unit in able.values() if unit.has(Marker.ENTRY_HEX)]
        idle: Collection[Counter] = ()
        leaders: Collection[Counter] = ()
        # Leaders change units after all actions of the chit. What is left of the turn is of
        # interest then, too.
        if not able:
            idle, leaders = state.idle(), transferable_leaders(state)
        reminders: tuple[tuple[str, Collection[Counter]], ...] = (
            ("Move out of their entry hexes first:", entering),
            ("Not acted under this chit:", able.values()),
            ("May change to another unit, with M:", leaders),
            ("Not acted this turn:", idle),
            ("Suppressed:", state.units(flag=Marker.SUPPRESSED)),
        )
        rows = []
        for lead, reminded in reminders:
            if reminded:
                rows.append(Paragraph(f"{named(reminded)}.", lead=lead))
        return Page("", tuple(rows))

    # ------------------------------------------------------------------ queries and files

    def answer(self, line: bytes) -> dict[str, Any]:
        """Answers a query of another program, a line of JSON. Raises DataError."""
        return answer(self.community, self.rules_file, self.book, line)

    def typed(self, state: GtsState) -> OwnersFile:
        """All that the owner has typed in so far, as a file for his next game."""
        # The chit of a division comes with it.
        chits = tuple(chit for chit in state.chits.values() if chit.kind != "division")
        return OwnersFile(division=tuple(state.divisions.values()), chit=chits, tables=state.tables)

    def taken(self, state: GtsState, raw: Mapping[str, Any], file: str) -> GtsRecord:
        """The order that takes in what of an owner's file the game does not have yet. Raises
        DataError."""
        owned = resolved(read(raw, OwnersFile, file), file, side=state.setup.sides)
        divisions = dict(state.divisions)
        facts: list[Fact] = []
        for division in owned.division:
            if divisions.get(division.name) != division:
                facts.append(DivisionSet(division=division))
            divisions[division.name] = division
        for chit in owned.chit:
            if chit.name not in state.chits:
                facts.append(ChitSet(chit=chit.completed_from(divisions.get(chit.division))))
        if owned.tables and owned.tables != state.tables:
            tables = ruleset.checked_tables(owned.tables, self.rules_file, file)
            facts.append(TablesTaken(tables=tables))
        return GtsRecord(facts=tuple(facts))

    # ------------------------------------------------------------------ paper and rules

    def sheets(self) -> tuple[StateSheet[GtsState], ...]:
        ledgers = StateSheet("ledgers", "Ledgers and register", self._ledger_sheet)
        return (ledgers, StateSheet("card", "The tables of your card", self._card_sheet))

    def _ledger_sheet(self, state: GtsState) -> Page:
        ticks = (
            marker_ticks("Supp.", Marker.SUPPRESSED),
            marker_ticks("Coh.", Marker.ONE_HIT, Marker.TWO_HITS),
            marker_ticks("Acted", Marker.ACTED),
        )
        roster = self.roster(state, RATINGS, ticks, least_rows=PAPER_UNITS)
        return ledger_sheet(self.name, state, roster)

    def _card_sheet(self, state: GtsState) -> Page:
        return card_sheet(self.name, self.rules_file, state.tables)

    def rules(self, state: GtsState | None = None) -> Page:
        return rules_page(self.name, self.rules_file, self.book, state)


# ------------------------------------------------------------------ what the board shows


def _formation_of(unit: Counter) -> str:
    return unit.group


def _hex_of(unit: Counter) -> str:
    return unit.place


def _condition_facts(state: GtsState) -> Iterator[tuple[str, str]]:
    """Light and weather, the numbers of beaches, barrages on hexes."""
    yield "Conditions", f"{gts_state.LIGHTS[state.light]}, {state.weather}"
    for beach in state.beaches:
        numbers = []
        # The tracks of a beach begin with its name: ``Utah nests``.
        beginning = f"{beach} "
        for track in state.tracks.values():
            if track.id.startswith(beginning):
                numbers.append(f"{track.name.removeprefix(beginning)} {track.value}")
        yield beach, ", ".join(numbers)
    for hex_id, barrages in state.ground.items():
        if barrages:  # one at most; none once the turn of the barrage is over
            yield f"Hex {hex_id}", barrages[0]


def _verdict_of(before: GtsState, event: AnyEvent) -> Verdict | None:
    """The verdict on a shot, a check or a chit that was drawn; None for any other event."""
    if isinstance(event, ShotFired):
        return _verdict_of_shot(before, event)
    if isinstance(event, Checked):
        reason = event.narrate(before)
        if event.passed:
            return Verdict(text="passed", reason=reason, tone="good")
        return Verdict(text="failed", reason=reason, tone="bad")
    # An empty chit is the end of the activations.
    if isinstance(event, ChitPlayed) and event.chit:
        chit = before.chits.get(event.chit)
        rule = ""
        if chit is not None:
            rule = before.rules.kinds[chit.kind].text
        return Verdict(text=event.chit, reason=rule)
    return None


def _verdict_of_shot(before: GtsState, shot: ShotFired) -> Verdict:
    """The verdict on a shot: good if it hit. Where the owner has yet to look its result up, it is
    called a hit, and has no effect to name."""
    needed = sum_text(shot.sum, literal=before.rules.less_than_is_literal)
    reason = f"{shot.effect(before)} {needed}. Roll {shot.roll}.".strip()
    tone: Tone = ""
    if shot.hit:
        tone = "good"
    return Verdict(text=shot.result or "hit", reason=reason, tone=tone)


def game(tables: Mapping[str, Any], revision: str) -> GtsGame:
    """The game, made of its data files by their names."""
    book = read_presets(tables["rulings"], "gts/rulings.toml")
    rules = ruleset.read_rules(tables["game"], tables["charts"], book)
    file = "gts/community.toml"
    community = ruleset.checked_tables(read(tables["community"], GtsTables, file), rules, file)
    return GtsGame(rules, community, book, revision)
