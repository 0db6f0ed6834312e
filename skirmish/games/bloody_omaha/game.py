"""Bloody Omaha as the shell uses it: set-up, the board, points, paper, rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil
from typing import Any, ClassVar, NamedTuple

from msgspec.structs import replace

from skirmish.games.bloody_omaha import commands, earlier, orders, ruleset
from skirmish.games.bloody_omaha import state as bloody
from skirmish.games.bloody_omaha.orders import BloodyOrder, BloodyRecord
from skirmish.games.bloody_omaha.owned import OwnersFile, OwnersGame, blank_tables
from skirmish.games.bloody_omaha.questions import answer
from skirmish.games.bloody_omaha.state import AnyEvent, BloodyState
from skirmish.tabletop.chance import Source
from skirmish.tabletop.commands import Command
from skirmish.tabletop.companion.counters import Counter, named
from skirmish.tabletop.companion.events import TasksSet
from skirmish.tabletop.companion.hand import DECK
from skirmish.tabletop.companion.lines_orders import TypeIn
from skirmish.tabletop.companion.roster import BLANK_NAME, boxes
from skirmish.tabletop.companion.sequence import SequencePhase
from skirmish.tabletop.companion.squares import by_place
from skirmish.tabletop.companion.table_game import StateSheet, TableGame
from skirmish.tabletop.companion.table_orders import AnyTableOrder, TableOrder
from skirmish.tabletop.companion.table_state import Task
from skirmish.tabletop.data_file import Problem, read
from skirmish.tabletop.game import PLAYERS, Seed, Viewer
from skirmish.tabletop.journal import Play
from skirmish.tabletop.journal_codec import union_of_tagged
from skirmish.tabletop.page import (
    Beside,
    Block,
    BoardKey,
    CounterStack,
    Facts,
    Heading,
    KeySign,
    Note,
    Page,
    Paragraph,
    Picture,
    Square,
    SquareBoard,
    SquareGround,
    Stacks,
    Table,
    Token,
    TokenMarker,
    TrackLine,
    Tracks,
    table,
)
from skirmish.tabletop.presets import PresetBook, read_presets
from skirmish.tabletop.set_up_form import Field
from skirmish.tabletop.slots import AnswerRow, Slot, form_choice

CHANCE = (
    AnswerRow("program", "the program rolls, draws, turns up tokens"),
    AnswerRow("own", "your own die, deck and tokens", "You type what you roll, draw and turn up."),
)
"""Who rolls and draws: each answer with its label and a note."""
TYPED_IN_BEFORE = (
    AnswerRow(
        "last", "as in your last game", "Tokens, units, cards, map and tables as you typed them."
    ),
    AnswerRow("blank", "nothing yet", "Each thing is asked when it is needed."),
)
"""What of the printed game is typed in as the game begins."""
NOTES_ON_BOARD = 5
"""The last notes of the players that are shown below the board."""
TOKEN_SIGNS = {"strongpoint": "#", "encounter": "?", ruleset.MINES: "m", ruleset.EVENT: "e"}
"""The sign of a token: face down by its bag, face up by what it is."""
OFF_MAP = {ruleset.RESERVE: "Reserve", "": "Not placed"}
"""The headings of units that are not on the map, by their place."""
UNIT_SIGN, TANK_SIGN, DISRUPTED_SIGN = "u", "t", "✗"
"""The signs of what stands on a square. Before the first two comes their number, ``2u``; a single
tank has none."""
SEA_SIGN, OBSTACLE_SIGN, GAP_SIGN, CLEAR_SIGN, UNKNOWN_SIGN = "~", "X", "=", "·", "-"
"""The signs of squares that have no letter; ``KEY`` says what each means."""


class SquareLook(NamedTuple):
    """How a square is drawn: its colour, by its ``ground``, and its sign."""

    ground: SquareGround
    sign: str


LOOKS: dict[str, SquareLook] = {
    "hedgerow": SquareLook("hedge", "H"),
    "town": SquareLook("town", "T"),
    "strongpoint": SquareLook("strong", "S"),
}
"""How the kinds of squares inland look. A square with an exit shows its name in place of the
sign."""
KEY: tuple[KeySign, ...] = (
    KeySign(SEA_SIGN, "sea", "sea"),
    KeySign(OBSTACLE_SIGN, "beach with an obstacle", "beach"),
    KeySign(GAP_SIGN, "beach with a gap", "beach"),
    KeySign("H", "hedgerow", "hedge"),
    KeySign("T", "town", "town"),
    KeySign("S", "strongpoint, or the name of its exit", "strong"),
    KeySign(UNKNOWN_SIGN, "not typed in", "blank"),
    KeySign("#", "strongpoint token"),
    KeySign("?", "encounter token"),
    KeySign("m", "mines"),
    KeySign("e", "event"),
    KeySign(CLEAR_SIGN, "clear"),
    KeySign("2u", "units"),
    KeySign("t", "tank, below with its strength"),
    KeySign(DISRUPTED_SIGN, "disrupted"),
)
"""Every sign of the board, explained once."""
MAP = "map"
"""The picture of the squares on the play sheet."""
ON_PAPER = "round tokens: encounters; square ones: strongpoints; heavy frames: units with strength"
"""The key of the map on the play sheet."""
PAPER_TURNS = 12
"""The boxes for turns on a sheet, as long as nobody has typed in how many there are."""
PAPER_BONUSES = {"towns_and_exits": 20, "southern_row": 10}
"""How many boxes these two sources of points have. The southern row has ten squares. How many towns
stand outside strongpoints is not in the rules, so 20 is only a number that leaves room: it is twice
that of the five towns in strongpoints and the five exits."""


class BloodyGame(TableGame[BloodyState, TableOrder, AnyEvent]):
    """The companion of Bloody Omaha. ``last`` is the owner's last game, whose typed lines and
    tables the next one may begin with; None if he has typed in nothing."""

    id, name = "bloody_omaha", "Bloody Omaha"
    order = union_of_tagged(BloodyOrder) | BloodyRecord | TypeIn | AnyTableOrder
    event = AnyEvent
    sides = (("us", "American"),)
    ratings: ClassVar[tuple[str, ...]] = ("strength", "disrupted")
    kinds = ("company", "battalion", bloody.TANK)
    place_noun: ClassVar[str] = "Square"
    place: ClassVar[Slot] = commands.PLACE
    markers: ClassVar[tuple[str, ...]] = (bloody.DISRUPTED, bloody.FLIPPED)
    has_memory: ClassVar[bool] = True
    wide: ClassVar[bool] = True

    def __init__(self, rules: ruleset.BloodyRules, book: PresetBook, revision: str = "") -> None:
        self.rules_file = rules
        self.book = book
        self.revision = revision
        self.last: BloodyState | None = None

    def completed(self, event: AnyEvent) -> AnyEvent:
        # A game that began before a ruling existed gets the default answer to it.
        if not isinstance(event, bloody.BloodyOpened):
            return event
        rules = event.setup.rules
        rules = replace(rules, rulings=self.book.completed(rules.rulings))
        return replace(event, setup=replace(event.setup, rules=rules))

    def upcast(self, order: Any, events: Any) -> tuple[Any, Any]:
        return earlier.upcast(order, events, self.rules_file)

    # ------------------------------------------------------------------ set-up

    def remembering(self, last: BloodyState) -> BloodyGame:
        """The game for an owner who has typed something in before; the same game if he has not."""
        nothing = OwnersGame()
        tables_are_blank = last.tables == blank_tables(last.rules, nothing)
        if last.owned == nothing and tables_are_blank:
            return self
        game = BloodyGame(self.rules_file, self.book, self.revision)
        game.last = last
        return game

    def fields(self, answers: Mapping[str, Any]) -> tuple[Field, ...]:
        fields = [
            Field(slot=form_choice("chance", "Who rolls and draws?", CHANCE, "Dice and tokens"))
        ]
        if self.last:
            text = "What is typed in of the printed game?"
            fields.append(Field(slot=form_choice("holds", text, TYPED_IN_BEFORE, "Printed game")))
        return (*fields, *self.book.fields())

    def open(self, answers: Mapping[str, Any], seed: Seed) -> Sequence[AnyEvent]:
        rules = self._rules(answers)
        owned = OwnersGame()
        tables = blank_tables(rules, owned)
        if self.last and answers.get("holds") != "blank":
            owned, tables = self.last.owned, self.last.tables
        dice_seed = None
        seeds: tuple[int, ...] = ()
        if answers.get("chance") != "own":
            dice_seed = seed()
            seeds = (seed(), seed(), seed())  # one for each of the two bags, and the deck
        opened = bloody.BloodyOpened(
            setup=bloody.BloodySetup(rules=rules, revision=self.revision),
            owned=owned,
            tables=tables,
            dice=Source("die", dice_seed),
            seeds=seeds,
        )
        # A task for each kind of lines and each table that is not typed in yet.
        tasks = tuple(Task(kind="enter", place=id) for id in opened.apply(None).missing())
        if not tasks:
            return [opened]
        return [opened, TasksSet(tasks=tasks)]

    def _rules(self, answers: Mapping[str, Any]) -> ruleset.BloodyRules:
        """The rules of a new game. Two rulings are about the map itself: where east is (O31), and
        which row is beside the beach (O32)."""
        rulings = self.book.answered(self.book.chosen(answers))
        # The step in the numbers of the squares that leads east.
        east = -1
        if rulings["O31"] == "rising":
            east = 1
        numbers_begin_at_beach = rulings["O32"] == "low"
        board = replace(self.rules_file.board, landward=numbers_begin_at_beach, east=east)
        return replace(self.rules_file, rulings=rulings, board=board)

    # ------------------------------------------------------------------ what can be done

    def own_commands(self, state: BloodyState) -> Iterator[Command[Any]]:
        return commands.commands(state)

    def prompt(self, state: BloodyState) -> Command[Any] | None:
        if state.ended:
            return None
        return commands.prompt(state)

    def due(self, play: Play[BloodyState, TableOrder, AnyEvent], viewer: Viewer = PLAYERS) -> Page:
        """Who still has to roll, and who is disrupted."""
        state = play.state
        if state.ended:
            return Page("")
        disrupted = [unit for unit in state.units() if unit.has(bloody.DISRUPTED)]
        reminders = (("Still to roll:", orders.pending(state)), ("Disrupted:", disrupted))
        lines = []
        for lead, units in reminders:
            if units:
                lines.append(Paragraph(f"{named(units)}.", lead=lead))
        return Page("", tuple(lines))

    # ------------------------------------------------------------------ the board

    def headline(self, state: BloodyState) -> str:
        headline = f"{super().headline(state)}, {state.score().summed()}"
        if state.ended:
            return headline
        return f"{headline} so far"

    def page(self, state: BloodyState, viewer: Viewer = PLAYERS) -> Page:
        # Only the last ones, so that they do not fill the board; the journal has all of them.
        last_notes = state.notes[-NOTES_ON_BOARD:]
        notes = Facts(tuple((f"Turn {turn}", text) for turn, text in last_notes))
        return Page(self.name, (*self._board(state), notes), about=(self.headline(state),))

    def _board(self, state: BloodyState) -> Iterator[Block]:
        """Tracks, points and the result so far, the map with its key, the hand, the units."""
        yield Tracks((*self.turn_track(state), *self._points_left(state)))
        facts = []
        if state.plays_cards:
            deck = f"{len(state.deck.unseen)} left, {len(state.deck.drawn)} discarded"
            facts.append(("Deck", deck))
        facts.append(("Points", state.score().listed()))
        result = self._result(state)
        wanted = state.score().wanted()
        if wanted and not state.ended:
            result += f"; {wanted}"
        facts.append(("Result", result))
        yield Facts(tuple(facts))
        yield self.square_board(state)
        yield BoardKey(KEY)
        yield Note(f"{state.rules.label.capitalize()}.")
        if state.hand:
            yield Facts((("Hand", state.hand_line),))
        yield from self._units(state)

    def _points_left(self, state: BloodyState) -> Iterator[TrackLine]:
        """What is left of initiative and engineers."""
        for id in (bloody.INITIATIVE, bloody.ENGINEERS):
            points = state.tracks[id].value
            rating = state.tracks[id + bloody.RATING].value
            # The line ends at the rating; players may have set the points higher by hand.
            yield TrackLine(id.capitalize(), points, low=0, high=max(rating, points))

    def _result(self, state: BloodyState) -> str:
        """The result so far, and the exits that are clear: ``Marginal; clear exits: D1 E3``."""
        exits = " ".join(square.exit for square in state.cleared() if square.exit)
        return f"{state.score().tier.capitalize()}; clear exits: {exits or 'none'}"

    def square_board(self, state: BloodyState) -> SquareBoard:
        """The map with the north above: the sea, then the beaches, then the squares inland; so the
        west is at the left."""
        board = state.rules.board
        sea = board.sea.rows
        if board.landward:
            # The rows count from the beach, which is below the sea.
            sea = sea[::-1]
        rows = []
        for names in (*sea, board.beaches, *board.land.rows):
            from_west = names
            if board.east < 0:
                from_west = names[::-1]
            rows.append(tuple(self._square(state, name) for name in from_west))
        return SquareBoard("The beach and the squares inland", tuple(rows))

    def _units(self, state: BloodyState) -> Iterator[Block]:
        """The units by their squares, those farthest inland first; last, who is eliminated."""
        board = state.rules.board
        order = (*board.land.names, *board.beaches, *board.sea.names, ruleset.RESERVE)
        stacks = []
        for place, units in by_place(state.units(), order).items():
            counters = tuple(self._counter(state, unit) for unit in units)
            stacks.append(CounterStack(OFF_MAP.get(place, place), counters))
        lost = [counter.name for counter in state.counters if not counter.steps]
        if stacks or lost:
            yield Heading("Units")
        if stacks:
            yield Stacks(tuple(stacks), party=0)  # all units are of the only side
        if lost:
            yield Facts((("Eliminated", ", ".join(lost)),))

    def _square(self, state: BloodyState, name: str) -> Square:
        """A square with what it is, the tokens that lie there, and who stands there."""
        counters = []
        units = len(state.units(name))
        if units:
            counters.append(f"{units}{UNIT_SIGN}")
        tanks = len([tank for tank in state.tanks() if tank.place == name])
        if tanks == 1:
            counters.append(TANK_SIGN)
        elif tanks > 1:
            counters.append(f"{tanks}{TANK_SIGN}")
        look = self._look(state, name)
        signs = (look.sign, *self._token_signs(state, name))
        return Square(name, look.ground, signs, tuple(counters))

    def _look(self, state: BloodyState, name: str) -> SquareLook:
        """How a square is drawn, by what it is."""
        if name in state.rules.board.beaches:
            if state.has_gap(name):
                return SquareLook("beach", GAP_SIGN)
            return SquareLook("beach", OBSTACLE_SIGN)
        if not name.isdigit():
            return SquareLook("sea", SEA_SIGN)
        printed = state.square(name)
        if printed is None:
            return SquareLook("blank", UNKNOWN_SIGN)
        look = LOOKS[printed.kind]
        if printed.exit:
            return SquareLook(look.ground, printed.exit)
        return look

    def _token_signs(self, state: BloodyState, name: str) -> Iterator[str]:
        """The signs of the tokens on a square inland, or that it is clear; none at sea, on a beach
        and on a square that is not typed in."""
        if state.square(name) is None:
            return
        tokens = state.tokens(name)
        for token in tokens:
            # A token that lies face down has no value, and shows its bag.
            word = bloody.value_of(token) or bloody.bag_of(token)
            yield TOKEN_SIGNS.get(word, word)
        if not tokens:
            yield CLEAR_SIGN

    @staticmethod
    def _counter(state: BloodyState, unit: Counter) -> Token:
        """How a unit is shown: ``Able, 29th 4/2`` with its markers and tanks. (A ``Token`` of a
        page is any counter; the German tokens lie on squares, and are shown there.)"""
        group = unit.group
        if unit.kind == "battalion":
            group += " battalion"
        strengths = "/".join(str(unit.ratings.get(name, "–")) for name in BloodyGame.ratings)
        markers = []
        if unit.has(bloody.DISRUPTED):
            markers.append(TokenMarker(DISRUPTED_SIGN, bloody.DISRUPTED))
        for tank in state.tanks(unit):
            strength = state.strength(tank)
            markers.append(TokenMarker(f"{TANK_SIGN}{strength}", f"tank {strength}"))
        return Token(unit.name, aside=f"{group} {strengths}", markers=tuple(markers))

    # ------------------------------------------------------------------ in and out

    def answer(self, line: bytes) -> dict[str, Any]:
        """Answers a question about points in JSON. Raises DataError."""
        return answer(self.rules_file, self.book, line)

    def typed(self, state: BloodyState) -> OwnersFile:
        """Everything that the owner has typed in so far, as a file for his next game."""
        lines = {id: state.owned.lines(id) for id in state.rules.lines}
        return OwnersFile(tables=state.tables).with_lines(lines)

    def taken(self, state: BloodyState, raw: Mapping[str, Any], file: str) -> BloodyRecord:
        """The order that takes a file. Raises DataError."""

        def problems(owned: OwnersFile) -> Iterator[Problem]:
            yield from state.file_problems(owned)
            yield from owned.table_problems()

        owned = read(raw, OwnersFile, file, problems)
        if owned.tables is None:
            return BloodyRecord(file=owned)
        tables = owned.tables.checked(state.codes, file)
        return BloodyRecord(file=replace(owned, tables=tables))

    # ------------------------------------------------------------------ paper and rules

    def sheets(self) -> tuple[StateSheet[BloodyState], ...]:
        play_sheet = StateSheet("sheet", "The play sheet", self._sheet)
        return (play_sheet, StateSheet("tables", "Your tables", self._tables))

    def _sheet(self, state: BloodyState) -> Page:
        """Tracks and points to be ticked, the map, the units or lines for them, a record of turns,
        and what is needed to play on without the rules."""
        boxes_column = 1
        tracks = table(["", ""], self._box_rows(state), written=True, counted_column=boxes_column)
        blocks: list[Block] = [Heading("Tracks and points"), tracks]
        blocks += [Heading("Map", aside=ON_PAPER), Picture(MAP), *self._units(state)]
        if not state.units():
            # Empty lines for all units, in two tables side by side.
            half = (_lines_for_units(ceil(state.rules.counts["units"] / 2)),)
            blocks += [Heading("Units"), Beside(half, half)]
        # The record of a game that has begun goes on from its present turn.
        first_turn = max(state.position.turn, 1)
        last_turn = state.sequence.turns or PAPER_TURNS
        turns = [(str(turn), "", "", "") for turn in range(first_turn, last_turn + 1)]
        if turns and not state.ended:
            log = table(["Turn", "Cards", "Events", "Points"], turns, written=True)
            blocks += [Heading("Turn by turn"), log]
        # The set-up is a phase of the program only.
        played = tuple(phase for phase in state.rules.phases if phase.id != "setup")
        modifiers_and_results = (*_modifiers(state.rules), *_results(state.rules))
        blocks.append(Beside(tuple(_turn(played)), modifiers_and_results))
        return Page(self.name, tuple(blocks), about=(state.rules.label,))

    def _box_rows(self, state: BloodyState) -> list[tuple[str, str]]:
        """The tracks and the sources of points, each with its boxes, of which those that count so
        far are ticked."""
        turns = state.sequence.turns or PAPER_TURNS
        turns_over = state.position.turn
        if not state.ended:
            turns_over -= 1
        rows = [("Turn", boxes(turns, turns_over))]
        for id in (bloody.INITIATIVE, bloody.ENGINEERS):
            rating = state.tracks[id + bloody.RATING].value
            # On the sheet of an empty game nothing is ticked, not even what every game begins with.
            ticked = 0
            if state.units():
                ticked = rating
            # A rating rises by 1 each turn, so it needs about as many boxes as there are turns.
            rows.append((id.capitalize(), boxes(max(turns, rating), ticked)))
        # Each source has as many boxes as the times that it can bring points.
        counts = state.rules.counts
        boxes_by_source = counts | PAPER_BONUSES | {"reinforcements": counts["reserves"]}
        # The sources of the score are in the order of the points of the rules.
        points = zip(state.rules.points.items(), state.score().sources, strict=True)
        for (id, points_each), source in points:
            text = f"{source.label.capitalize()}, {points_each} each"
            times_scored = source.value // points_each
            rows.append((text, boxes(boxes_by_source[id], times_scored)))
        return rows

    def _tables(self, state: BloodyState) -> Page:
        """The printed tables and cards as far as they are typed in, with room for the rest."""
        cards = []
        for name, options in state.owned.options_of.items():
            texts = [f"{option.text} ({option.when})" for option in options]
            cards.append((name, "; ".join(texts)))
        while len(cards) < state.rules.counts[DECK]:
            cards.append((BLANK_NAME, ""))
        about = (state.rules.label, "As its owner typed it in; nothing of it comes with Skirmish.")
        card_table = table(["Card", "Options"], cards, written=True)
        no_modifiers: dict[str, dict[str, str]] = {}
        blocks = (*state.tables.blocks(no_modifiers, blank=""), Heading("Cards"), card_table)
        return Page(self.name, blocks, about=about)

    def rules(self, state: BloodyState | None = None) -> Page:
        """The turn, the modifiers, the results, and the gaps."""
        rules = self.rules_file
        if state:
            rules = state.rules
        blocks: list[Block] = [*self.book.differing(rules.rulings), *_turn(rules.phases)]
        blocks += [*_modifiers(rules), *_results(rules)]
        about = (rules.label, "What it does not print is typed in by its owner.")
        blocks += self.book.blocks(rules.rulings)
        return Page(f"The rules of {self.name}", tuple(blocks), about=about)


def _lines_for_units(lines: int) -> Table:
    """A table to write units into."""
    rows = []
    for _ in range(lines):
        rows.append((BLANK_NAME, "", "", boxes(1)))
    return table(["Unit", "Strength", "Square", "Disr."], rows, written=True)


def _turn(phases: Iterable[SequencePhase]) -> Iterator[Block]:
    """What is done in each phase."""
    yield Heading("A turn")
    for phase in phases:
        yield Paragraph(phase.text, lead=f"{phase.name}.")


def _modifiers(rules: ruleset.BloodyRules) -> Iterator[Block]:
    """What is added to the rolls on each table."""
    yield Heading("Modifiers")
    for id, modifiers in rules.modifiers.items():
        text = ", ".join(modifiers.lines(ruleset.REASONS))
        yield Paragraph(f"{text}.", lead=f"{rules.tables[id].title}:")


def _results(rules: ruleset.BloodyRules) -> Iterator[Block]:
    """How many exits and points each result needs."""
    yield Heading("Results")
    rows = [(tier.name, str(tier.exits), str(tier.points)) for tier in rules.tiers.values()]
    yield table(["", "Exits", "Points"], rows, numbers=(1, 2))


def game(tables: Mapping[str, Any], revision: str) -> BloodyGame:
    """The game out of its files."""
    book = read_presets(tables["rulings"], "bloody_omaha/rulings.toml")
    return BloodyGame(ruleset.read_rules(tables["game"], book), book, revision)
