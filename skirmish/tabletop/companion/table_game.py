"""A board game that is played at the table, and what the program does for each of them: the
sequence of play, tracks, notes, and counters that are entered and corrected by hand.

A game has orders and events of its own beside ``AnyTableOrder`` and ``AnyTableEvent``, and its
commands beside those ``by_hand``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from skirmish.tabletop.command_pages import answers_in_words
from skirmish.tabletop.commands import Answers, Command, Draft, on_off_toggles, read
from skirmish.tabletop.companion.asking import counter_options, hex_slot
from skirmish.tabletop.companion.counter_events import CounterRemoved, CounterSet
from skirmish.tabletop.companion.counter_rows import Printed, merged, read_rows
from skirmish.tabletop.companion.counters import BACK, HIGHEST, LONGEST_NAME, Counter, name_taken
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.events import (
    AnyTableEvent,
    ChartOpened,
    ChitPutBack,
    ControlSet,
    CupRefilled,
    Drawn,
    FlowWalked,
    Noted,
    PhaseBegun,
    Rolled,
    TasksSet,
    TrackSet,
    next_phase,
)
from skirmish.tabletop.companion.sequence import Position
from skirmish.tabletop.companion.table_state import TableState
from skirmish.tabletop.companion.unfolding import large_result
from skirmish.tabletop.form import SetupForm
from skirmish.tabletop.game import PLAYERS, Anyway, Document, Game, Verdict, Viewer
from skirmish.tabletop.journal import Play
from skirmish.tabletop.measure import NO_BREAK
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
from skirmish.tabletop.refusal import Refusal, Refused, nonsense
from skirmish.tabletop.slots import (
    SPACE,
    TYPE_IT,
    Choose,
    Number,
    Option,
    Slot,
    UnfitAnswer,
    Words,
    choice_of,
)

S = TypeVar("S", bound=TableState)
O = TypeVar("O")  # noqa: E741  (an order; S, O, E read as one)
E = TypeVar("E")
BOX, TICKED = "\N{BALLOT BOX}", "\N{BALLOT BOX WITH CHECK}"
"""To be ticked on paper, and ticked."""
WIDE = NO_BREAK * 24
"""A blank as wide as the name of a counter, to write in by hand."""
CHART_BOXES = 4
"""So many boxes of an open flow chart are on the board: those walked last, and the present one."""
STEPLESS = "stepless"
"""A trait: the counter has no steps, and nothing is counted off."""
PARTY_OF: tuple[Party, Party] = (0, 1)
"""How pages mark what belongs to the first side of a game and to the second."""
LEADER = "leader"
"""A trait: a leader has no steps, and nobody fires at him."""


class Ticks(NamedTuple):
    """A column of boxes to tick on paper: its ``title``, how many ``boxes`` a counter has, and how
    many of them are ``ticked``."""

    title: str
    boxes: int
    ticked: Callable[[Counter], int]


# ------------------------------------------------------------------ orders


class TableOrder(msgspec.Struct, frozen=True, kw_only=True, tag_field="order"):
    """What players want. One that is refused raises Refused."""

    @property
    def acting(self) -> tuple[str, ...]:
        """The ids of the counters that act by the order, not of those that it acts upon: it belongs
        to their side. None: it belongs to both sides."""
        return ()

    def decide(self, state: Any) -> list[Any]:
        """The events of the order in this state."""
        raise NotImplementedError


class AgendaOrder(TableOrder, frozen=True, kw_only=True):
    """An order that is refused while a question is open, unless it answers it. ``insist``: the
    players overrule what speaks against the order."""

    insist: bool = False
    answers: ClassVar[tuple[str, ...]] = ()
    """The kinds of question that it answers."""

    def decide(self, state: Any) -> list[Any]:
        if state.ended:
            raise nonsense("over", "The game is over.")
        # Only the first task is open; those behind it may not even be asked any more.
        if state.agenda and state.agenda[0].kind not in self.answers:
            raise nonsense("asked", "Answer the question first, or undo what led to it.")
        return self.carry_out(state)

    def carry_out(self, state: Any) -> list[Any]:
        """The events, where no other question is open."""
        raise NotImplementedError

    def advise(self, why: str, key_note: str = "") -> None:
        """Raises Refused, for the players to overrule, if something speaks against it."""
        if why and not self.insist:
            raise Refused(Refusal("advice", why, key_note=key_note))


def spent(state: TableState, track: str, count: int, why: str = "") -> list[TrackSet]:
    """The event of taking so many off a track; none for 0. Raises Refused if there are fewer."""
    points = state.tracks.get(track)
    if points is None:
        raise nonsense("no_track", f"There is no track {track!r} yet.")
    # Some tracks go below 0, as those of victory points.
    if points.value - count < points.low:
        raise nonsense("no_points", f"{points.name}: {points.value} left; it takes {count}.")
    if not count:
        return []  # else the journal would have a line that says nothing
    return [TrackSet(track=track, value=points.value - count, why=why)]


LAST_TURN = "The last turn is over."
"""The refusal to go on beyond the end."""


class NextPhase(TableOrder, frozen=True, kw_only=True, tag="next_phase"):
    """On to the next phase that is played."""

    def decide(self, state: TableState) -> list[AnyTableEvent]:
        begun = next_phase(state)
        if begun is None:
            raise nonsense("last_turn", LAST_TURN)
        return [begun]


class JumpTo(TableOrder, frozen=True, kw_only=True, tag="jump_to"):
    """Another phase of this turn, by its index from 0: the players moved on, or back, without the
    program."""

    phase: int

    def decide(self, state: TableState) -> list[AnyTableEvent]:
        if not 0 <= self.phase < len(state.sequence.phases):
            raise nonsense("no_phase", f"There is no phase {self.phase}.")
        # Nothing that phases do at their end is made up for: the players have done it at the table.
        return [PhaseBegun(position=Position(state.position.turn, self.phase))]


class SetTrack(TableOrder, frozen=True, kw_only=True, tag="set_track"):
    """Sets a track to the value that it has on the table."""

    track: str
    value: int

    def decide(self, state: TableState) -> list[AnyTableEvent]:
        if self.track not in state.tracks:
            raise nonsense("no_track", f"There is no track {self.track!r}.")
        return [TrackSet(track=self.track, value=self.value)]


class SetControl(TableOrder, frozen=True, kw_only=True, tag="set_control"):
    """Says who holds a place that counts: the id of a ``side`` and its ``name``; both are empty if
    nobody does."""

    place: str
    side: str
    name: str

    def decide(self, state: TableState) -> list[AnyTableEvent]:
        if self.place not in state.control:
            raise nonsense("no_place", f"{self.place} does not count in this game.")
        return [ControlSet(place=self.place, side=self.side, name=self.name)]


class TakeCounters(TableOrder, frozen=True, kw_only=True, tag="take_counters"):
    """Counters from a file."""

    counters: tuple[Counter, ...]

    def decide(self, state: TableState) -> list[AnyTableEvent]:
        present = state.counters.counters
        # A file that was written out and read again unchanged leaves no line in the journal.
        changed = [counter for counter in self.counters if present.get(counter.id) != counter]
        return [CounterSet(counter=counter) for counter in changed]


class PutBack(TableOrder, frozen=True, kw_only=True, tag="put_back"):
    """A chit that was drawn goes back into its cup."""

    cup: str
    chit: str

    def decide(self, state: TableState) -> list[AnyTableEvent]:
        cup = state.cups.get(self.cup)
        if cup is None:
            raise nonsense("no_cup", f"There is no cup {self.cup!r}.")
        if self.chit not in cup.drawn:
            raise nonsense("not_drawn", f"{self.chit} is not among those that were drawn.")
        return [ChitPutBack(cup=self.cup, chit=self.chit)]


class WriteNote(TableOrder, frozen=True, kw_only=True, tag="write_note"):
    """A text to be remembered, with the turn in which it was written."""

    text: str

    def decide(self, state: TableState) -> list[AnyTableEvent]:
        return [Noted(text=self.text)]


class CorrectCounter(TableOrder, frozen=True, kw_only=True, tag="correct"):
    """A counter is corrected to what it is on the table. ``steps``: what it has left, with 0 it is
    eliminated; ``place``: where it is; ``marker``: one that it gets, or loses if it has it;
    ``rating``: the name of a rating of the side that is up, which gets this ``value``."""

    counter: str
    steps: int | None = None
    place: str | None = None
    marker: str = ""
    rating: str = ""
    value: int | None = None

    @property
    def acting(self) -> tuple[str, ...]:
        return (self.counter,)

    def decide(self, state: TableState) -> list[AnyTableEvent]:
        if self.counter not in state.counters.counters:
            raise nonsense("no_counter", f"There is no counter {self.counter!r}.")
        if self.steps == 0:
            gone = CounterRemoved(id=self.counter, by_hand=True)
            return [gone, *_no_longer_asked(state, self.counter)]
        after = state.counters[self.counter]
        if self.marker:
            after = after.marked(self.marker, not after.has(self.marker))
        if self.steps is not None:
            after = replace(after, steps=self.steps)
        if self.place is not None:
            after = replace(after, place=self.place)
        if self.rating:
            # Steps that are set by the same order may turn the counter over: what is meant is the
            # side that was up before.
            name = state.counters[self.counter].printed(self.rating)
            after = replace(after, ratings=after.ratings | {name: self.value})
        return [CounterSet(counter=after, by_hand=True)]


def _no_longer_asked(state: TableState, gone: str) -> list[AnyTableEvent]:
    """The event by which open questions leave out a unit that is gone, and by which those about it
    alone are no longer asked; none if no question is about it."""
    if not any(gone in task.units for task in state.agenda):
        return []
    tasks = []
    for task in state.agenda:
        left = tuple(id for id in task.units if id != gone)
        if left or not task.units:
            tasks.append(replace(task, units=left))
    return [TasksSet(tasks=tuple(tasks))]


class FollowChart(TableOrder, frozen=True, kw_only=True, tag="follow"):
    """``answer``: an answer to the present box of the open flow chart, or the id of any box to jump
    to. Without an answer, ``chart`` is opened at its start; without both, the open one is
    closed."""

    chart: str = ""
    answer: str = ""

    def decide(self, state: TableState) -> list[AnyTableEvent]:
        if self.answer:
            return self._answered(state)
        if self.chart and self.chart not in state.charts:
            raise nonsense("no_chart", f"There is no chart {self.chart!r}.")
        return [ChartOpened(chart=self.chart)]

    def _answered(self, state: TableState) -> list[AnyTableEvent]:
        """The step from the present box; the chart is closed at its end."""
        chart = state.charts.get(state.chart)
        if chart is None:
            raise nonsense("no_chart", "No chart is open.")
        box = chart.walk(state.paths.get(chart.id, ()))
        try:
            after = chart.nodes[chart.after(box, self.answer)]
        except LookupError as error:
            raise nonsense("no_answer", f"{error.args[0]}.") from None
        text = f"{box} {chart.nodes[box].text.removesuffix('.')}"
        walked = FlowWalked(flow=chart.id, node=box, answer=self.answer, text=text)
        if after.kind == "end":
            return [walked, ChartOpened(ended=after.text)]
        return [walked]


AnyTableOrder = (
    NextPhase
    | JumpTo
    | SetTrack
    | SetControl
    | TakeCounters
    | PutBack
    | WriteNote
    | CorrectCounter
    | FollowChart
)


# ------------------------------------------------------------------ the game


def _no_seed() -> int:
    """A seed for what draws nothing, as a game that is only printed, so that any does."""
    return 0


def _place_of(unit: Counter) -> str:
    """Where a counter is; empty off the map."""
    return unit.place


def _no_aside(unit: Counter) -> str:
    """Nothing stands behind the name of any counter."""
    return ""


class _UnitsListed(NamedTuple):
    """The counters of a side that the board lists, and how many are left out."""

    units: list[Counter]
    left_out: int


class TableGame(Game[S, O, E]):
    """A game with a ``TableState``: phases, turn, headline, page and the commands of every table.
    Counters have ``ratings``, and may have ``markers``.

    A game of its own derives from it, sets the class variables below, and writes ``open`` and
    ``own_commands``; every other method has an answer that fits until a game knows better.
    """

    ratings: ClassVar[tuple[str, ...]] = ()
    """The names of the numbers that are printed on counters."""
    markers: ClassVar[tuple[str, ...]] = ()
    """The markers that players may set and remove by hand."""
    more_markers: ClassVar[tuple[str, ...]] = ()
    """Markers that nobody sets by hand, or how their names begin."""
    signs: ClassVar[Mapping[str, str]] = {}
    """The signs of markers on the board, in the order of its key; others are spelled out."""
    traits: tuple[str, ...] = ()
    """What else may be printed on counters."""
    kinds: tuple[str, ...] = ()
    """The kinds of counters; empty if they have none."""
    puts_back: ClassVar[str] = ""
    """The cup into which a player may put a chit back."""
    lettered: ClassVar[bool] = False
    """Whether a counter is called by the same letters everywhere."""
    place_noun: ClassVar[str] = "Place"
    """What places are called: hexes, squares, boxes."""
    place: ClassVar[Slot] = Words(name="place", text="Where is it?", longest=LONGEST_NAME)

    book: PresetBook
    """Its rulings, which the set-up asks for."""
    revision: str = ""
    """The revision of the game's data. The set-up of a stored game has that with which it began."""

    def follow(self, changed: str, answers: Mapping[str, Any]) -> Mapping[str, Any]:
        """All answers of the set-up form after one got a new value: a preset sets all rulings."""
        return self.book.follow(changed, answers)

    def has_rules_of(self, state: Any) -> bool:
        """Whether a game was begun with the data of today. Where the set-up of a kind of game has
        no field ``revision``, every one of them was."""
        return bool(getattr(state.setup, "revision", self.revision) == self.revision)

    def turn(self, state: S) -> int:
        """The number of the turn."""
        return state.position.turn

    def own_commands(self, state: S) -> Iterable[Command[Any]]:
        """The commands of the game; corrections by hand come behind them."""
        return (Command(label="Next phase", word="next", key=SPACE, make=NextPhase),)

    def commands(self, state: S) -> tuple[Command[Any], ...]:
        if self.over(state):
            return ()
        return (*self.own_commands(state), *_charts(state), *self.by_hand(state))

    def sides_of(self, state: S, given: Command[O] | O) -> Collection[str]:
        """The side of the counters that act by an order, or that the open question is about;
        everything else belongs to all."""
        players = self.players(state)
        # A command with a key is offered to all; the order that comes of it has a side.
        if isinstance(given, Command) and given.key:
            return players
        if isinstance(given, TableOrder):
            own = self._sides_of_counters(state, given.acting)
            if own:
                return own
        if state.agenda:
            asked = self._sides_of_counters(state, state.agenda[0].units)
            if asked:
                return asked
        return players

    def _sides_of_counters(self, state: S, ids: Iterable[str]) -> Collection[str]:
        """The sides, among those that people play, of these counters."""
        counters = state.counters.counters
        sides = {counters[id].side for id in ids if id in counters}
        # The solitaire German's side is nobody's: his orders belong to whoever plays.
        return sides & self.players(state).keys()

    def sheets(self) -> tuple[tuple[str, str, Callable[[S], Page]], ...]:
        """The id, title and page of documents that can be printed empty, too."""
        return ()

    def documents(self) -> tuple[Document, ...]:
        empty = self.empty_state()
        own = []
        for id, title, build in self.sheets():
            printed = partial(build, empty)
            own.append(Document(id=id, title=title, build=_of_play(build), empty=printed))
        return (*own, *super().documents())

    def empty_state(self) -> S:
        """The state from which a sheet is printed empty: a game with the proposed answers."""
        opening = self.opening(SetupForm(self).answers, _no_seed)
        empty: S = self.codec.play([opening]).state
        return empty

    def anyway(self, state: S, order: O) -> Anyway | None:
        if not isinstance(order, AgendaOrder):
            return None
        return Anyway((replace(order, insist=True),), "does it anyway.")

    def headline(self, state: S) -> str:
        """``Turn 2 of 9, Drift``; a game may have a result behind it."""
        if self.over(state):
            return "Over"
        turn = f"Turn {state.position.turn}"
        if state.sequence.turns:
            turn = f"{turn} of {state.sequence.turns}"
        return f"{turn}, {state.sequence.at(state.position).name}"

    def over(self, state: S) -> bool:
        """A game at the table ends when its players decide so, unless its rules define the end."""
        return state.ended

    def irreversible(self, events: Sequence[E], state: S) -> Sequence[E]:
        """What the program has drawn stays drawn, also where the line that drew it is void."""
        return [event for event in events if isinstance(event, Drawn | Rolled | CupRefilled)]

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
            # A position behind the last phase: all phases are done.
            position = Position(state.position.turn, len(state.sequence.phases))
        return state.sequence.steps(position, state.why_skipped)

    def page(self, state: S, viewer: Viewer = PLAYERS) -> Page:
        blocks: list[Block] = [track.gauge() for track in state.tracks.values()]
        blocks += self.roster(state)
        facts = [(cup.id.capitalize(), f"{cup.inside} left") for cup in state.cups.values()]
        facts += [(f"Turn {turn}", text) for turn, text in state.notes]
        return Page(self.name, (*blocks, Facts(tuple(facts))), about=(self.headline(state),))

    def turn_track(self, state: S) -> tuple[TrackLine, ...]:
        """The turns as a track, where their number is known."""
        turns = state.sequence.turns
        if not turns or not self.turn(state):
            return ()
        return (TrackLine("Turn", min(state.position.turn, turns), 1, turns),)

    def roster(
        self,
        state: S,
        names: Sequence[str] | None = None,
        ticks: Sequence[Ticks] = (),
        lines: int = 0,
        most: int = 0,
    ) -> Iterator[Block]:
        """The counters of each side, with the ratings of these ``names`` (default: all) on the side
        that is up. ``ticks``: on paper, boxes to tick instead of the markers; ``lines``: at least
        so many rows, blank ones at the end; ``most``: of more counters only so many, those that
        matter now (0: all)."""
        if names is None:
            names = self.ratings
        columns = _RosterColumns(self, state, names, ticks)
        for side, title in self.sides:
            units, left_out = self._units_listed(state, side, most)
            rows = [columns.row(unit) for unit in units]
            while len(rows) < lines:
                rows.append(columns.blank())
            if rows:
                yield Heading(f"{title} units")
                yield table(columns.titles(), rows, numbers=columns.numbers(), written=bool(ticks))
            if left_out:
                yield Note(f"{left_out} more are on the summary, S.")

    def stacks(
        self,
        state: S,
        by: Callable[[Counter], str],
        *,
        nowhere: str,
        aside: Callable[[Counter], str] = _no_aside,
        most: int = 0,
    ) -> Iterator[Block]:
        """The counters of each side in stacks, and below them the key of all signs. ``by``: the
        place or the formation by which a counter is stacked; those without one come last, under
        ``nowhere``. ``aside``: what stands behind the name of a counter; ``most``: of more counters
        only so many, those that matter now (0: all)."""
        letters: Mapping[str, str] = {}
        if self.lettered:
            letters = state.counters.codes
        used: set[str] = set()
        has_lost = has_steps = False
        for number, (side, title) in enumerate(self.sides):
            units, left_out = self._units_listed(state, side, most)
            together: dict[str, list[Token]] = {}
            # Those without a place come last: False is sorted before True.
            for unit in sorted(units, key=lambda unit: not by(unit)):
                token = self._token(unit, letters.get(unit.id, ""), aside(unit))
                used.update(unit.flags)
                has_steps = has_steps or token.steps > 0
                has_lost = has_lost or token.full > token.steps
                together.setdefault(by(unit) or nowhere, []).append(token)
            if together:
                yield Heading(f"{title} units", party=PARTY_OF[number])
                piles = [CounterStack(place, tuple(pile)) for place, pile in together.items()]
                yield Stacks(tuple(piles), PARTY_OF[number])
            if left_out:
                yield Note(f"{left_out} more are on the summary, S.")
        signs = self._signs_used(used, has_steps=has_steps, has_lost=has_lost)
        if signs:
            yield BoardKey(tuple(signs), spelled=True)

    def _units_listed(self, state: S, side: str, most: int) -> _UnitsListed:
        """The counters of a side that the board shows, at most so many (0: any number)."""
        units = [unit for unit in state.counters.where(side=side) if self.shown(state, unit)]
        if not most or len(units) <= most:
            return _UnitsListed(units, left_out=0)
        # Those that matter now come first, so that the others are the ones to go.
        by_rank = sorted(units, key=partial(self.rank, state))
        return _UnitsListed(by_rank[:most], left_out=len(units) - most)

    def _token(self, unit: Counter, key: str, aside: str) -> Token:
        """A counter as the board draws it; of one that never has steps it has 0 of 0."""
        steps = full = 0
        if STEPLESS not in unit.traits and LEADER not in unit.traits:
            steps, full = unit.steps, max(self.full_steps(unit), unit.steps)
        markers = tuple(TokenMarker(self.sign_of(flag), flag) for flag in unit.flags)
        return Token(unit.name, key, aside, steps, full, markers)

    def _signs_used(
        self, flags: Collection[str], *, has_steps: bool, has_lost: bool
    ) -> Iterator[KeySign]:
        """The key of the signs on the board, each once, in the order of ``signs``."""
        if has_steps:
            yield KeySign("▮", "step")
        if has_lost:
            yield KeySign("▯", "step lost")
        for marker, sign in self.signs.items():
            if marker in flags:
                yield KeySign(sign, marker)

    # ------------------------------------------------------------------ an example

    def first_steps(self, state: S) -> Page | None:
        lines = self.example_lines(state)
        is_empty = not any(self.shown(state, unit) for unit in state.counters)
        if not lines or not is_empty:
            return None
        typed: list[str] = []
        after = state
        for line in lines:
            draft = self._example_draft(after, line)
            typed.append(f"{draft.command.key}  {draft.command.label}: {answers_in_words(draft)}")
            # No order of an example draws anything.
            _, after = self.decide_and_fold(after, draft.order(_no_seed))
        about = Paragraph("This is what to type first; the board then looks so.")
        heading = Heading("An example: nothing of it is in your game")
        left = (about, Items(tuple(typed)))
        return Page("", (heading, Beside(left, tuple(self.example_board(after)))))

    def _example_draft(self, state: S, line: Sequence[str]) -> Draft[Any]:
        """The order of a line of the example: the key of a command, then an answer after another.
        Raises UnfitAnswer."""
        draft: Draft[Any] | None = None
        for words in line:
            draft = read(draft, self.commands(state), words)
        assert draft is not None
        return draft

    def example_lines(self, state: S) -> Sequence[Sequence[str]]:
        """What is typed for the example, a line for each order; empty: there is none."""
        return ()

    def example_board(self, state: S) -> Iterator[Block]:
        """The part of the board that the example is about."""
        return self.stacks(state, _place_of, nowhere="Off the map")

    def full_steps(self, unit: Counter) -> int:
        """The steps that a counter has at first; 0 where nobody knows."""
        return 0

    def sign_of(self, marker: str) -> str:
        """The sign of a marker on the board; one without a sign is spelled out."""
        return self.signs.get(marker, marker)

    def steps_of(self, unit: Counter) -> str:
        """The steps of a counter, as the board writes them."""
        if STEPLESS in unit.traits or LEADER in unit.traits:
            return "-"
        return str(unit.steps)

    def rank(self, state: S, unit: Counter) -> int:
        """How soon the board lists a counter among very many; the lowest number comes first."""
        return 0

    def chart(self, state: S) -> Iterator[Block]:
        """The last boxes of the flow chart that lies open."""
        chart = state.charts.get(state.chart)
        if chart is not None:
            yield Heading(chart.title)
            yield Steps(chart.steps(state.paths.get(chart.id, ())).rows[-CHART_BOXES:])

    def forces(self, state: S, viewer: Viewer = PLAYERS) -> Page:
        """The page without the open flow chart, whose box is the situation."""
        page, chart = self.page(state, viewer), list(self.chart(state))
        return replace(page, blocks=tuple(block for block in page.blocks if block not in chart))

    def situation(self, state: S, viewer: Viewer = PLAYERS) -> Page:
        """The box of the flow chart that is to be answered."""
        chart = state.charts.get(state.chart)
        if chart is None:
            return Page("")
        box = chart.walk(state.paths.get(chart.id, ()))
        return Page("", (Paragraph(chart.nodes[box].text, lead=f"{chart.title}, {box}:"),))

    def shown(self, state: S, unit: Counter) -> bool:
        """Whether the board lists a counter."""
        return bool(unit.steps)

    def counters_of(self, state: S, rows: Sequence[Any], file: str) -> TakeCounters:
        """The order that imports the rows of a file; raises DataError."""
        sides = [id for id, _ in self.sides]
        printed = Printed(
            sides, self.ratings, self.kinds, self.traits, self.markers, self.more_markers
        )
        counters = []
        for unit in merged(state.counters, read_rows(rows, printed, file)):
            if unit.id in state.counters.counters:
                counters.append(unit)
            else:
                counters.append(self.fresh(state, unit))
        return TakeCounters(counters=tuple(counters))

    def fresh(self, state: S, unit: Counter) -> Counter:
        """A counter of a file that this game did not know, as it begins."""
        return unit

    def by_hand(self, state: S) -> Iterator[Command[Any]]:
        """The commands that correct the table: another phase, tracks, counters, notes."""
        yield _jump_command(state)
        if state.tracks:
            yield _track_command(state)
        cup = state.cups.get(self.puts_back)
        if cup is not None and cup.drawn:
            yield _put_back_command(cup)
        if state.control:
            yield self._control_command(state)
        if len(state.counters):
            yield from self._counter_commands(state)
        note = Words(name="text", text="What is to be remembered?", longest=200)
        yield _command("Note", "R", note, make=WriteNote)

    def _control_command(self, state: S) -> Command[Any]:
        """Who holds a place that counts, such as a victory hex: the last to pass through it."""
        names, kind = dict(self.sides), self.place_noun.lower()
        place = choice_of("place", f"Which {kind}?", state.control)
        side = choice_of("side", "Who passed through it last?", self.sides)

        def held(place: str, side: str) -> SetControl:
            return SetControl(place=place, side=side, name=names[side])

        return Command(
            label=f"Who holds a {kind}",
            key="v",
            word=f"who holds a {kind}",
            slots=(place, side),
            make=held,
        )

    def _counter_commands(self, state: S) -> Iterator[Command[Any]]:
        """Steps, place, markers and ratings of a counter as it is on the table."""
        codes = None
        if self.lettered:
            codes = state.counters.codes
        units = counter_options(state.counters, codes=codes)
        counter = Choose(name="counter", text="Which counter?", options=units)

        steps = Number(name="steps", text="How many steps are left? (0: it is gone)", high=20)
        yield _command("Set a unit's steps", "L", counter, steps, make=CorrectCounter)
        yield _command("Move a unit", "M", counter, self.place, make=CorrectCounter)
        if self.markers:
            marker = choice_of("marker", "Which marker, on or off?", self.markers)
            yield _command("Mark a unit", "K", counter, marker, make=CorrectCounter)
        # Of the side that is up: the backs are not asked for by names of their own.
        fronts = [name for name in self.ratings if not name.endswith(BACK)]
        if fronts:
            rows = [(name, name.replace("_", " ")) for name in fronts]
            rating = choice_of("rating", "Which rating?", rows)
            value = Number(name="value", text="What is it, as the counter lies?", high=HIGHEST)
            yield _command("Set a rating", "E", counter, rating, value, make=CorrectCounter)


def _jump_command(state: TableState) -> Command[Any]:
    """The command that goes to another phase of this turn."""
    options = []
    for index, phase_of_turn in enumerate(state.sequence.phases):
        options.append(Option(value=index, label=phase_of_turn.name))
    phase = Choose(name="phase", text="Which phase?", options=tuple(options))
    return _command("Go to a phase", "G", phase, make=JumpTo)


def _track_command(state: TableState) -> Command[Any]:
    """The command that sets a track to the value that it has on the table."""
    tracks = state.tracks.values()
    names = [(track.id, track.name) for track in tracks]
    slot = choice_of("track", "Which track?", names)
    # The slot does not know which track is chosen; the event moves it no further than its end.
    low, high = min(track.low for track in tracks), max(track.high for track in tracks)
    value = Number(name="value", text="To which value?", low=low, high=high)
    return _command("Set a track", "T", slot, value, make=SetTrack)


def _put_back_command(cup: Cup) -> Command[Any]:
    """A chit that was drawn goes back into its cup."""
    chits = choice_of("chit", "Which one goes back?", dict.fromkeys(cup.drawn))
    return _command(f"Put back into the {cup.id}", "U", chits, make=partial(PutBack, cup=cup.id))


# ------------------------------------------------------------------ rosters


class _RosterColumns:
    """The columns of a roster: the counter's letters if the game has them, its name, ratings, steps
    and place, then its markers or, on paper, boxes to tick."""

    def __init__(
        self,
        game: TableGame[Any, Any, Any],
        state: TableState,
        ratings: Sequence[str],
        ticks: Sequence[Ticks],
    ) -> None:
        self._game, self._ratings, self._ticks = game, ratings, ticks
        self._letters: Mapping[str, str] = {}
        if game.lettered:
            self._letters = state.counters.codes

    def titles(self) -> list[str]:
        """The titles of all columns."""
        titles = ["Unit"]
        if self._letters:
            titles = ["Key", "Unit"]
        for name in self._ratings:
            if len(name) < 3:
                titles.append(name.upper())  # HE, AP
            else:
                titles.append(name.capitalize())
        titles += ["Steps", self._game.place_noun]
        if self._ticks:
            return titles + [column.title for column in self._ticks]
        return [*titles, "Markers"]

    def numbers(self) -> Sequence[int]:
        """The columns of numbers, which stand to the right; on paper they are written in by hand
        and stand to the left like the others."""
        if self._ticks:
            return ()
        first = 1
        if self._letters:
            first = 2
        return range(first, first + len(self._ratings))

    def row(self, unit: Counter) -> tuple[str, ...]:
        """The cells of a counter."""
        cells = [unit.name]
        if self._letters:
            cells = [self._letters[unit.id], unit.name]
        for name in self._ratings:
            value = unit.ratings.get(unit.printed(name))
            if value is None:
                cells.append("")
            else:
                cells.append(str(value))
        cells += [self._game.steps_of(unit), unit.place]
        if not self._ticks:
            return (*cells, ", ".join(unit.flags))
        return (*cells, *[boxes(column.boxes, column.ticked(unit)) for column in self._ticks])

    def blank(self) -> tuple[str, ...]:
        """A line for a counter that is written in by hand."""
        cells = [WIDE]
        if self._letters:
            cells = ["", WIDE]
        cells += ["" for _ in (*self._ratings, "steps", "place")]
        return (*cells, *[boxes(column.boxes) for column in self._ticks])


def boxes(full: int, ticked: int = 0) -> str:
    """A cell of boxes to tick on paper, of which the first are ticked."""
    signs = []
    for index in range(full):
        if index < ticked:
            signs.append(TICKED)
        else:
            signs.append(BOX)
    return " ".join(signs)


def tick(title: str, *flags: str) -> Ticks:
    """A column with a box for each of these markers, which follow one another (``flags``): of a
    counter with a marker its box is ticked, and those of the markers before it."""

    def ticked(unit: Counter) -> int:
        last = 0
        for number, flag in enumerate(flags, 1):
            if unit.has(flag):
                last = number
        return last

    return Ticks(title, len(flags), ticked)


# ------------------------------------------------------------------ commands of several games


def marking_command(
    state: TableState, units: Iterable[Counter], marker: str, *, label: str, key: str, nobody: str
) -> Command[Any]:
    """The command ``label`` with this key: it lists units, and a choice gives one the marker, or
    takes it off if it has it. ``nobody``: why the command cannot be given without units."""
    rows = counter_options(units, codes=state.counters.codes)
    text = f"{label}? A choice sets or removes “{marker}”."
    why = ""
    if not rows:
        why = nobody
    return Command(
        label=label,
        key=key,
        slots=(Choose(name="counter", text=text, options=rows),),
        why_not=why,
        group="The table",
        make=partial(CorrectCounter, marker=marker),
    )


def entering_command(
    state: TableState,
    sides: Iterable[tuple[str, str]],
    *,
    of: str,
    groups: Callable[[str], Sequence[str]],
    traits: Sequence[str],
    steps: int,
) -> Command[Any]:
    """The command that enters a new unit. ``groups``: those of a side, in one of which it may be;
    ``of``: what a group is called in the question; ``traits``: those that the player may switch on;
    ``steps``: how many are proposed. A unit of 0 steps gets the trait ``stepless``; of a leader
    steps are not asked for."""
    name = Words(name="name", text="What is the unit called?", longest=LONGEST_NAME)
    step_count = Number(name="steps", text="How many steps has it?", high=9, default=steps)
    place = hex_slot("In which hex?")
    whose = choice_of("side", "Whose is it?", sides)

    def slots(answers: Answers) -> tuple[Slot, ...]:
        side = answers.get("side", "")
        asked: list[Slot] = [whose]
        rows = [(group, group) for group in groups(side)]
        if rows:
            asked.append(choice_of("group", f"Of which {of}?", (*rows, ("", "none of them"))))
        # Checked as it is typed: the name decides to which counter a line of a file belongs.
        asked.append(replace(name, read=partial(_new_name, state, side)))
        if not answers.get(LEADER):
            asked.append(step_count)
        return (*asked, place)

    def made(
        *, name: str, side: str, steps: int = 1, group: str = "", place: str = "", **toggled: Any
    ) -> TakeCounters:
        own_traits = [trait for trait in traits if toggled.get(trait)]
        if LEADER in own_traits:
            steps = 1
        if not steps:
            own_traits.append(STEPLESS)
        unit = Counter(
            id=state.counters.new_id(name),
            name=name,
            side=side,
            group=group,
            place=place,
            traits=tuple(own_traits),
            # At 0 steps a counter is eliminated, so a stepless one has 1.
            steps=max(steps, 1),
        )
        return TakeCounters(counters=(unit,))

    rows = [(trait, trait[0].upper(), trait) for trait in traits]
    return Command(
        label="Enter a unit",
        key="c",
        word="new unit",
        slots=slots,
        toggles=partial(on_off_toggles, rows),
        make=made,
        group="The table",
        help="Enter a unit; its numbers are asked for once needed.",
    )


def _new_name(state: TableState, side: str, typed: str) -> str:
    """The name of a counter that the side does not have yet. Raises UnfitAnswer."""
    name = typed.strip()
    if not name:
        raise UnfitAnswer(TYPE_IT)
    if any(counter.name == name for counter in state.counters.where(side=side)):
        raise UnfitAnswer(name_taken(name))
    return name


def _charts(state: TableState) -> Iterator[Command[Any]]:
    """The commands that open a flow chart and follow it box by box."""
    if not state.charts or state.agenda:
        return
    titles = [(id, chart.title) for id, chart in state.charts.items()]
    slot = choice_of("chart", "Which chart?", titles)
    yield _command("Follow a chart", "w", slot, make=FollowChart, word="follow a chart")
    chart = state.charts.get(state.chart)
    if chart is None:
        return
    box = chart.walk(state.paths.get(chart.id, ()))
    answers = chart.answers(box)
    options = {id: Option(value=id, label=f"{id} {node.text}") for id, node in chart.nodes.items()}
    # Yes and no, or then: the answers of other boxes are ids of boxes (``Flow.answers``).
    if set(answers) <= set(CHART_ANSWERS):
        for answer in answers:
            key, word = CHART_ANSWERS[answer]
            make = partial(FollowChart, answer=answer)
            yield _command(f"{box}: {word}", key, make=make, word=word)
    if chart.nodes[box].may:
        # The chart does not show its arrow: the players choose among the boxes that may follow.
        following = tuple(options[id] for id in answers)
        where = Choose(name="answer", text="Where does it go on?", options=following)
        yield _command(f"{box}: go on", "n", where, make=FollowChart, word="go on")
    anywhere = Choose(name="answer", text="To which box?", options=tuple(options.values()))
    yield _command("Jump to a box", "j", anywhere, make=FollowChart)
    yield _command("Close the chart", "Y", make=FollowChart)


CHART_ANSWERS = {"yes": ("y", "yes"), "no": ("n", "no"), "then": ("n", "done")}
"""The answers of questions and of actions, each with its key and its word."""


def _of_play(build: Callable[[Any], Page]) -> Callable[[Play[Any, Any, Any]], Page]:
    """A page of a state as a page of the game that has come to it."""

    def page(play: Play[Any, Any, Any]) -> Page:
        return build(play.state)

    return page


def _command(label: str, key: str, *slots: Slot, make: Any, word: str = "") -> Command[Any]:
    """A command in the group "The table", whose ``slots`` are the fields of the order that ``make``
    makes."""
    return Command(label=label, key=key, slots=slots, make=make, word=word, group="The table")
