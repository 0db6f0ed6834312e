"""The class that the games played at a table with counters derive from: the sequence of play,
tracks, notes, and counters that are entered and corrected by hand.

A game has orders and events of its own beside ``AnyTableOrder`` and ``AnyTableEvent``, and commands
of its own (``own_commands``) beside those of ``table_commands``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from msgspec.structs import replace

from skirmish.tabletop.command_pages import answers_in_words
from skirmish.tabletop.commands import Command, Draft, read
from skirmish.tabletop.companion.counter_rows import AllowedOnCounters, merged, read_rows
from skirmish.tabletop.companion.counters import LONGEST_NAME, Counter
from skirmish.tabletop.companion.events import CupRefilled, Drawn, Rolled
from skirmish.tabletop.companion.happened import large_result
from skirmish.tabletop.companion.roster import RosterColumns, TickColumn
from skirmish.tabletop.companion.sequence import Position
from skirmish.tabletop.companion.table_commands import (
    chart_commands,
    control_command,
    counter_commands,
    jump_command,
    note_command,
    put_back_command,
    track_command,
)
from skirmish.tabletop.companion.table_orders import (
    AgendaOrder,
    NextPhase,
    TableOrder,
    TakeCounters,
)
from skirmish.tabletop.companion.table_state import TableState
from skirmish.tabletop.form import SetupForm
from skirmish.tabletop.game import PLAYERS, Anyway, Document, Game, Verdict, Viewer
from skirmish.tabletop.journal import Play
from skirmish.tabletop.page import (
    Beside,
    Block,
    BoardKey,
    CounterStack,
    Facts,
    Heading,
    Items,
    KeySign,
    Note,
    Page,
    Paragraph,
    Party,
    Stacks,
    Steps,
    Token,
    TokenMarker,
    TrackLine,
    table,
)
from skirmish.tabletop.presets import PresetBook
from skirmish.tabletop.slots import SPACE, Slot, Words

S = TypeVar("S", bound=TableState)
O = TypeVar("O")  # noqa: E741  (an order; S, O, E read as one)
E = TypeVar("E")
CHART_BOXES = 4
"""How many boxes of an open flow chart the page shows: those answered last, and the present one."""
SIDE_PARTIES: tuple[Party, Party] = (0, 1)
"""The marks by which pages show what belongs to the first side of a game and to the second."""


class StateSheet(NamedTuple, Generic[S]):
    """A document that shows a state. Printed empty, it shows the state in which a game begins."""

    id: str
    title: str
    build: Callable[[S], Page]


class _UnitsListed(NamedTuple):
    """The counters of a side that the board lists, and how many are left out."""

    units: list[Counter]
    left_out: int


def _place_of(unit: Counter) -> str:
    """The place of a counter; empty off the map."""
    return unit.place


def _no_note(unit: Counter) -> str:
    """Nothing stands behind the name of a counter."""
    return ""


class TableGame(Game[S, O, E]):
    """A game with a ``TableState``: phases, turn, headline, page and the commands of every table.

    A game derives from it, sets the class variables below, and writes ``open`` and
    ``own_commands``; every other method has an answer that fits many games.
    """

    ratings: ClassVar[tuple[str, ...]] = ()
    """The names of the numbers that are printed on counters."""
    markers: ClassVar[tuple[str, ...]] = ()
    """The markers that players may set and remove by hand."""
    program_markers: ClassVar[tuple[str, ...]] = ()
    """The markers that only the program sets. Of those with a number or a name behind them this
    lists the words before it."""
    signs: ClassVar[Mapping[str, str]] = {}
    """The signs of markers on the board, in the order of its key; others are spelled out."""
    # Of the next two, a game may set those of its own data when it is made.
    traits: tuple[str, ...] = ()
    """What may be printed on counters beside their ratings."""
    kinds: tuple[str, ...] = ()
    """The kinds of counters; empty if counters have no kind."""
    put_back_cup: ClassVar[str] = ""
    """The id of the cup into which players may put chits back; empty if there is none."""
    lettered: ClassVar[bool] = False
    """Whether every counter has letters (``Register.codes``), on the board, in rosters and as its
    key in all questions."""
    place_noun: ClassVar[str] = "Place"
    """What a place is called: hex, square, box."""
    place: ClassVar[Slot] = Words(name="place", text="Where is it?", longest=LONGEST_NAME)
    """The question where a counter is."""

    book: PresetBook
    """The rulings of the game, which the set-up asks for."""
    revision: str = ""
    """The revision of the game's data. The set-up of a stored game has the one with which it
    began."""

    # ------------------------------------------------------------------ what a game may answer

    def own_commands(self, state: S) -> Iterable[Command[Any]]:
        """The commands of the game itself; those of every table come behind them."""
        return (Command(label="Next phase", word="next", key=SPACE, make=NextPhase),)

    def sheets(self) -> tuple[StateSheet[S], ...]:
        """The documents that can also be printed empty."""
        return ()

    def is_listed(self, state: S, unit: Counter) -> bool:
        """Whether the board lists a counter; by default, while it has steps left."""
        return bool(unit.steps)

    def full_steps(self, unit: Counter) -> int:
        """The steps that a counter has before it loses any; 0 where nobody knows."""
        return 0

    def rank(self, state: S, unit: Counter) -> int:
        """How soon the board lists a counter among very many; the lowest number comes first."""
        return 0

    def new_from_file(self, state: S, unit: Counter) -> Counter:
        """A counter that a file brings into this game, as it enters it."""
        return unit

    def example_lines(self, state: S) -> Sequence[Sequence[str]]:
        """The orders of the example: for each the key of its command, then one answer after the
        other. Without any there is no example."""
        return ()

    def example_board(self, state: S) -> Iterator[Block]:
        """The part of the board that the example is about."""
        return self.stacks(state, _place_of, no_stack="Off the map")

    # ------------------------------------------------------------------ play

    def follow(self, changed: str, answers: Mapping[str, Any]) -> Mapping[str, Any]:
        """All answers of the set-up form after one got a new value; a preset sets all rulings."""
        return self.book.follow(changed, answers)

    def has_rules_of(self, state: Any) -> bool:
        """Whether a game was begun with the data of today."""
        # A game whose set-up stores no revision has data that never change.
        stored_revision = getattr(state.setup, "revision", self.revision)
        return bool(stored_revision == self.revision)

    def turn(self, state: S) -> int:
        """The number of the turn."""
        return state.position.turn

    def commands(self, state: S) -> tuple[Command[Any], ...]:
        if self.over(state):
            return ()
        return (*self.own_commands(state), *chart_commands(state), *self._corrections(state))

    def _corrections(self, state: S) -> Iterator[Command[Any]]:
        """The commands by which players correct the state where it differs from the table."""
        yield jump_command(state)
        if state.tracks:
            yield track_command(state)
        cup = state.cups.get(self.put_back_cup)
        if cup is not None and cup.drawn:
            yield put_back_command(cup)
        if state.control:
            yield control_command(state, self.sides, self.place_noun)
        if len(state.counters):
            letters = self._letters(state)
            yield from counter_commands(state, self.place, self.markers, self.ratings, letters)
        yield note_command()

    def sides_of(self, state: S, command_or_order: Command[O] | O) -> Collection[str]:
        """The sides of the counters that act by an order, or else of those that the open question
        is about; everything else belongs to all."""
        players = self.players(state)
        # A command with a key is offered to all sides: whose it is depends on the order that comes
        # of it. A prompt has no key.
        if isinstance(command_or_order, Command) and command_or_order.key:
            return players
        if isinstance(command_or_order, TableOrder):
            acting_sides = self._sides_of_counters(state, command_or_order.acting)
            if acting_sides:
                return acting_sides
        if state.agenda:
            asked_sides = self._sides_of_counters(state, state.agenda[0].units)
            if asked_sides:
                return asked_sides
        return players

    def _sides_of_counters(self, state: S, ids: Iterable[str]) -> Collection[str]:
        """The sides, among those that people play, of these counters."""
        counters = state.counters.counters
        sides = {counters[id].side for id in ids if id in counters}
        # In a solitaire game nobody plays the German side: its orders belong to whoever plays.
        return sides & self.players(state).keys()

    def anyway(self, state: S, order: O) -> Anyway | None:
        if not isinstance(order, AgendaOrder):
            return None
        return Anyway((replace(order, insist=True),), "does it anyway.")

    def headline(self, state: S) -> str:
        """``Turn 2 of 9, Drift``."""
        if self.over(state):
            return "Over"
        turn = f"Turn {state.position.turn}"
        if state.sequence.turns:
            turn = f"{turn} of {state.sequence.turns}"
        return f"{turn}, {state.sequence.phase_at(state.position).name}"

    def over(self, state: S) -> bool:
        """A game at the table ends when its players decide so, unless its rules define the end."""
        return state.ended

    def irreversible(self, events: Sequence[E], state: S) -> Sequence[E]:
        """What the program has drawn stays drawn, even if the line that drew it is made void. But
        what a player drew himself is then in his cup again, and he may type it once more."""
        staying: list[E] = []
        for event in events:
            drawn_by_player = isinstance(event, Drawn) and event.own
            if isinstance(event, Drawn | Rolled | CupRefilled) and not drawn_by_player:
                staying.append(event)
        return staying

    def verdict(self, play: Play[S, O, E], viewer: Viewer = PLAYERS) -> Verdict | None:
        if play.ends_with_void:
            return None
        return large_result(play.live[-1].events, play.state)

    def phases(self, play: Play[S, O, E]) -> Steps | None:
        state = play.state
        if not self.turn(state):
            return None
        position = state.position
        if self.over(state):
            # No phase has this index: all of them are shown as done.
            position = Position(state.position.turn, len(state.sequence.phases))
        return state.sequence.steps(position, state.why_skipped)

    # ------------------------------------------------------------------ pages

    def page(self, state: S, viewer: Viewer = PLAYERS) -> Page:
        blocks: list[Block] = [track.gauge() for track in state.tracks.values()]
        blocks += self.roster(state)
        facts = [(cup.id.capitalize(), f"{cup.inside} left") for cup in state.cups.values()]
        facts += [(f"Turn {turn}", text) for turn, text in state.notes]
        return Page(self.name, (*blocks, Facts(tuple(facts))), about=(self.headline(state),))

    def turn_track(self, state: S) -> tuple[TrackLine, ...]:
        """The turns as a track; none while their number is unknown or the first has not begun."""
        turns = state.sequence.turns
        if not turns or not self.turn(state):
            return ()
        # A game that is over may be past its last turn.
        return (TrackLine("Turn", min(state.position.turn, turns), 1, turns),)

    def roster(
        self,
        state: S,
        ratings: Sequence[str] | None = None,
        tick_columns: Sequence[TickColumn] = (),
        least_rows: int = 0,
    ) -> Iterator[Block]:
        """The counters of each side in a table. ``ratings``: the names of those that are listed, by
        default all; ``tick_columns``: on paper, what stands in place of the markers;
        ``least_rows``: so many rows at least, the last of them blank."""
        if ratings is None:
            ratings = self.ratings
        columns = RosterColumns(self._letters(state), ratings, self.place_noun, tick_columns)
        for side, title in self.sides:
            rows = [columns.row(unit) for unit in self._listed(state, side)]
            while len(rows) < least_rows:
                rows.append(columns.blank())
            if rows:
                yield Heading(f"{title} units")
                yield table(
                    columns.titles(),
                    rows,
                    numbers=columns.number_columns(),
                    written=bool(tick_columns),
                )

    def stacks(
        self,
        state: S,
        stack_of: Callable[[Counter], str],
        *,
        no_stack: str,
        note_of: Callable[[Counter], str] = _no_note,
        most_units: int = 0,
    ) -> Iterator[Block]:
        """The counters of each side in stacks, and below them the key of all signs. ``stack_of``:
        the place or the formation by which a counter is stacked; those without one come last, under
        ``no_stack``. ``note_of``: what stands behind the name of a counter; ``most_units``: at most
        so many of a side, those that matter now (0: all)."""
        letters_of = self._letters(state)
        tokens: list[Token] = []
        for side_index, (side, title) in enumerate(self.sides):
            party = SIDE_PARTIES[side_index]
            units, left_out = self._most_important(state, side, most_units)
            stacks: dict[str, list[Token]] = {}
            in_stacks = [unit for unit in units if stack_of(unit)]
            in_no_stack = [unit for unit in units if not stack_of(unit)]
            for unit in (*in_stacks, *in_no_stack):
                token = self._token(unit, letters_of.get(unit.id, ""), note_of(unit))
                stacks.setdefault(stack_of(unit) or no_stack, []).append(token)
                tokens.append(token)
            if stacks:
                yield Heading(f"{title} units", party=party)
                rows = [CounterStack(name, tuple(stack)) for name, stack in stacks.items()]
                yield Stacks(tuple(rows), party)
            if left_out:
                yield Note(f"{left_out} more are on the summary, S.")
        signs = tuple(self._key_signs(tokens))
        if signs:
            yield BoardKey(signs, spelled=True)

    def _letters(self, state: S) -> Mapping[str, str]:
        """The letters of each counter by its id; empty if this game has none."""
        if self.lettered:
            return state.counters.codes
        return {}

    def _listed(self, state: S, side: str) -> list[Counter]:
        """The counters of a side that the board lists."""
        return [unit for unit in state.counters.where(side=side) if self.is_listed(state, unit)]

    def _most_important(self, state: S, side: str, most_units: int) -> _UnitsListed:
        """The counters of a side that the board lists, at most so many (0: any number)."""
        units = self._listed(state, side)
        if not most_units or len(units) <= most_units:
            return _UnitsListed(units, left_out=0)
        by_rank = sorted(units, key=partial(self.rank, state))
        return _UnitsListed(by_rank[:most_units], left_out=len(units) - most_units)

    def _token(self, unit: Counter, key: str, note: str) -> Token:
        """A counter as the board draws it, without steps if it never has any."""
        steps = full_steps = 0
        if unit.has_steps:
            # By hand, players may give a counter more steps than are printed on it.
            steps, full_steps = unit.steps, max(self.full_steps(unit), unit.steps)
        # A marker without a sign is spelled out.
        markers = [TokenMarker(self.signs.get(flag, flag), flag) for flag in unit.flags]
        return Token(unit.name, key, note, steps, full_steps, tuple(markers))

    def _key_signs(self, tokens: Collection[Token]) -> Iterator[KeySign]:
        """The signs on these tokens, each once: steps first, then markers in the order of
        ``signs``."""
        if any(token.steps for token in tokens):
            yield KeySign("▮", "step")
        if any(token.full > token.steps for token in tokens):
            yield KeySign("▯", "step lost")
        markers_on_board: set[str] = set()
        for token in tokens:
            markers_on_board.update(marker.word for marker in token.markers)
        for marker, sign in self.signs.items():
            if marker in markers_on_board:
                yield KeySign(sign, marker)

    def chart_blocks(self, state: S) -> Iterator[Block]:
        """The last boxes of the open flow chart; none if no chart is open."""
        chart = state.open_chart
        if chart is not None:
            yield Heading(chart.flow.title)
            yield Steps(chart.flow.steps(chart.path).rows[-CHART_BOXES:])

    def forces(self, state: S, viewer: Viewer = PLAYERS) -> Page:
        """The page without the open flow chart, whose present box is the situation."""
        page, chart_blocks = self.page(state, viewer), list(self.chart_blocks(state))
        other_blocks = [block for block in page.blocks if block not in chart_blocks]
        return replace(page, blocks=tuple(other_blocks))

    def situation(self, state: S, viewer: Viewer = PLAYERS) -> Page:
        """The box of the flow chart that is to be answered."""
        chart = state.open_chart
        if chart is None:
            return Page("")
        lead = f"{chart.flow.title}, {chart.box_id}:"
        return Page("", (Paragraph(chart.box.text, lead=lead),))

    # ------------------------------------------------------------------ an example

    def first_steps(self, state: S) -> Page | None:
        lines = self.example_lines(state)
        has_units = any(self.is_listed(state, unit) for unit in state.counters)
        if not lines or has_units:
            return None
        typed: list[str] = []
        after = state
        for line in lines:
            draft = self._example_draft(after, line)
            typed.append(f"{draft.command.key}  {draft.command.label}: {answers_in_words(draft)}")
            after = self.decide_and_fold(after, draft.order(_no_seed)).state_after
        heading = Heading("An example: nothing of it is in your game")
        about = Paragraph("Type this first, for example. The board then looks like this.")
        left = (about, Items(tuple(typed)))
        right = tuple(self.example_board(after))
        return Page("", (heading, Beside(left, right)))

    def _example_draft(self, state: S, line: Sequence[str]) -> Draft[Any]:
        """The order of a line of ``example_lines``. Raises UnfitAnswer."""
        draft: Draft[Any] | None = None
        for typed in line:
            draft = read(draft, self.commands(state), typed)
        assert draft is not None
        return draft

    # ------------------------------------------------------------------ documents and files

    def documents(self) -> tuple[Document, ...]:
        empty_state = self.empty_state()
        own_documents = []
        for sheet in self.sheets():
            document = Document(
                id=sheet.id,
                title=sheet.title,
                build=_of_play(sheet.build),
                empty=partial(sheet.build, empty_state),
            )
            own_documents.append(document)
        return (*own_documents, *super().documents())

    def empty_state(self) -> S:
        """The state of which a sheet is printed empty: that in which a game begins with the
        proposed answers."""
        opening = self.opening(SetupForm(self).answers, _no_seed)
        empty: S = self.codec.play([opening]).state
        return empty

    def counters_of(self, state: S, rows: Sequence[Any], file: str) -> TakeCounters:
        """The order that takes in the counters of a file. Raises DataError."""
        sides = [id for id, _ in self.sides]
        allowed = AllowedOnCounters(
            sides, self.ratings, self.kinds, self.traits, self.markers, self.program_markers
        )
        counters = []
        for unit in merged(state.counters, read_rows(rows, allowed, file)):
            if unit.id in state.counters.counters:
                counters.append(unit)
            else:
                counters.append(self.new_from_file(state, unit))
        return TakeCounters(counters=tuple(counters))


def _of_play(build: Callable[[Any], Page]) -> Callable[[Play[Any, Any, Any]], Page]:
    """A page of a state as a page of the game that has come to it."""

    def page(play: Play[Any, Any, Any]) -> Page:
        return build(play.state)

    return page


def _no_seed() -> int:
    """The seed of examples and empty sheets, which draw nothing: any number will do."""
    return 0
