"""A board game that is played at the table, and what the program does for each of them: the
sequence of play, tracks, notes, and counters that are entered and corrected by hand.

A game has orders and events of its own beside ``AnyTableOrder`` and ``AnyTableEvent``, and its
commands beside those ``by_hand``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

from skirmish.tabletop.commands import Answers, Command, switches
from skirmish.tabletop.companion.asking import counter_options
from skirmish.tabletop.companion.counters import (
    BACK,
    HIGHEST,
    LONGEST_NAME,
    Counter,
    Printed,
    merged,
    name_taken,
    read_rows,
)
from skirmish.tabletop.companion.events import (
    AnyTableEvent,
    ChartOpened,
    ChitPutBack,
    ControlSet,
    CounterRemoved,
    CounterSet,
    CupRefilled,
    Drawn,
    FlowWalked,
    Noted,
    PhaseBegun,
    Rolled,
    TableState,
    TasksSet,
    TrackSet,
    next_phase,
)
from skirmish.tabletop.companion.sequence import Position
from skirmish.tabletop.companion.unfolding import large_result
from skirmish.tabletop.form import SetupForm
from skirmish.tabletop.game import PLAYERS, Anyway, Document, Game, Verdict, Viewer
from skirmish.tabletop.journal import Play
from skirmish.tabletop.measure import NO_BREAK
from skirmish.tabletop.page import Block, Facts, Heading, Note, Page, Paragraph, Steps, table
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
    one_of,
)

S = TypeVar("S", bound=TableState)
O = TypeVar("O")  # noqa: E741  (an order; S, O, E read as one)
E = TypeVar("E")
BOX, TICKED = "\N{BALLOT BOX}", "\N{BALLOT BOX WITH CHECK}"
"""To be ticked on paper, and ticked."""
Ticks: TypeAlias = tuple[str, int, Callable[[Counter], int]]
"""A title, a number of boxes, and how many of them a counter has ticked."""
WIDE = NO_BREAK * 24
"""Room for the name of a counter."""
STEPLESS = "stepless"
LEADER = "leader"
"""A trait: a leader has no steps, and nobody fires at him."""


class TableOrder(msgspec.Struct, frozen=True, kw_only=True, tag_field="order"):
    @property
    def acting(self) -> tuple[str, ...]:
        """The ids of the counters that act by it, whose side it belongs to. Not of those that it
        acts upon; none: it belongs to both sides."""
        return ()

    def decide(self, state: Any) -> list[Any]:
        raise NotImplementedError


class AgendaOrder(TableOrder, frozen=True, kw_only=True):
    """While a question is open, only its answer is accepted. ``insist``: the players overrule what
    speaks against it."""

    insist: bool = False
    answers: ClassVar[tuple[str, ...]] = ()
    """The kinds of question that it answers."""

    def decide(self, state: Any) -> list[Any]:
        if state.ended:
            raise nonsense("over", "The game is over.")
        if state.agenda and state.agenda[0].kind not in self.answers:
            raise nonsense("asked", "Answer the question first, or undo what led to it.")
        return self.carry_out(state)

    def carry_out(self, state: Any) -> list[Any]:
        raise NotImplementedError

    def advise(self, why: str) -> None:
        """Raises Refused, for the players to overrule, if something speaks against it."""
        if why and not self.insist:
            raise Refused(Refusal("advice", why))


def spent(state: TableState, track: str, count: int, why: str = "") -> list[TrackSet]:
    """The event of taking so many off a track. Raises Refused if there are fewer."""
    one = state.tracks.get(track)
    if one is None:
        raise nonsense("no_track", f"There is no track {track!r} yet.")
    if one.value - count < one.low:
        raise nonsense("no_points", f"{one.name}: {one.value} left; it takes {count}.")
    return [TrackSet(track=track, value=one.value - count, why=why)] if count else []


LAST_TURN = "The last turn is over."


class NextPhase(TableOrder, frozen=True, kw_only=True, tag="next_phase"):
    def decide(self, state: TableState) -> list[AnyTableEvent]:
        begun = next_phase(state)
        if begun is None:
            raise nonsense("last_turn", LAST_TURN)
        return [begun]


class JumpTo(TableOrder, frozen=True, kw_only=True, tag="jump_to"):
    """Another phase of this turn: the players moved on, or back, without the program."""

    phase: int

    def decide(self, state: TableState) -> list[AnyTableEvent]:
        if not 0 <= self.phase < len(state.sequence.phases):
            raise nonsense("no_phase", f"There is no phase {self.phase}.")
        return [PhaseBegun(position=Position(state.position.turn, self.phase))]


class SetTrack(TableOrder, frozen=True, kw_only=True, tag="set_track"):
    track: str
    value: int

    def decide(self, state: TableState) -> list[AnyTableEvent]:
        if self.track not in state.tracks:
            raise nonsense("no_track", f"There is no track {self.track!r}.")
        return [TrackSet(track=self.track, value=self.value)]


class SetControl(TableOrder, frozen=True, kw_only=True, tag="set_control"):
    """The holder of a place that counts, by id and name; empty: nobody."""

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
        known = state.counters.counters
        return [CounterSet(counter=one) for one in self.counters if known.get(one.id) != one]


class PutBack(TableOrder, frozen=True, kw_only=True, tag="put_back"):
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
    text: str

    def decide(self, state: TableState) -> list[AnyTableEvent]:
        return [Noted(text=self.text)]


class CorrectCounter(TableOrder, frozen=True, kw_only=True, tag="correct"):
    """A counter as it is on the table; without steps it leaves the game. ``marker`` is added or
    removed; ``rating``, of the side that is up, gets this ``value``."""

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
        one = state.counters[self.counter]
        if self.steps == 0:
            return [CounterRemoved(id=one.id, by_hand=True), *_not_asked(state, one.id)]
        if self.marker:
            one = one.marked(self.marker, not one.has(self.marker))
        given = {"steps": self.steps, "place": self.place}
        changes: dict[str, Any] = {name: one for name, one in given.items() if one is not None}
        if self.rating:
            changes["ratings"] = one.ratings | {one.printed(self.rating): self.value}
        return [CounterSet(counter=replace(one, **changes), by_hand=True)]


def _not_asked(state: TableState, gone: str) -> list[AnyTableEvent]:
    """The open questions without a unit that is gone."""
    if not any(gone in task.units for task in state.agenda):
        return []
    left = (replace(one, units=tuple(id for id in one.units if id != gone)) for one in state.agenda)
    asked = zip(left, state.agenda, strict=True)
    return [TasksSet(tasks=tuple(one for one, was in asked if one.units or not was.units))]


class FollowChart(TableOrder, frozen=True, kw_only=True, tag="follow"):
    """An ``answer`` at the present box of the open flow chart, or the id of any of its boxes;
    without one a ``chart`` is opened at its start, or the open one is closed."""

    chart: str = ""
    answer: str = ""

    def decide(self, state: TableState) -> list[AnyTableEvent]:
        if not self.answer:
            if self.chart and self.chart not in state.charts:
                raise nonsense("no_chart", f"There is no chart {self.chart!r}.")
            return [ChartOpened(chart=self.chart)]
        chart = state.charts.get(state.chart)
        if chart is None:
            raise nonsense("no_chart", "No chart is open.")
        at = chart.walk(state.paths.get(chart.id, ()))
        try:
            after = chart.nodes[chart.after(at, self.answer)]
        except LookupError as error:
            raise nonsense("no_answer", f"{error.args[0]}.") from None
        text = f"{at} {chart.nodes[at].text.removesuffix('.')}"
        walked = FlowWalked(flow=chart.id, node=at, answer=self.answer, text=text)
        return [walked, *([ChartOpened(ended=after.text)] if after.kind == "end" else [])]


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


class TableGame(Game[S, O, E]):
    """A game with a ``TableState``: phases, turn, headline, page and the commands of every table.
    Counters have ``ratings``, and may have ``markers``."""

    ratings: ClassVar[tuple[str, ...]] = ()
    markers: ClassVar[tuple[str, ...]] = ()
    more_markers: ClassVar[tuple[str, ...]] = ()
    """Those that nobody sets by hand, or how they begin."""
    traits: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    """Of counters; none: they have no kinds."""
    puts_back: ClassVar[str] = ""
    """The cup into which a player may put a chit back."""
    lettered: ClassVar[bool] = False
    """Whether a counter is called by the same letters everywhere."""
    where: ClassVar[str] = "Place"
    """What places are called: hexes, squares, boxes."""
    place: ClassVar[Slot] = Words(name="place", text="Where is it?", longest=LONGEST_NAME)

    book: PresetBook
    """Its rulings, which the set-up asks for."""
    revision: str = ""
    """Of its data, as in the set-up of its games."""

    def follow(self, changed: str, answers: Mapping[str, Any]) -> Mapping[str, Any]:
        return self.book.follow(changed, answers)

    def has_rules_of(self, state: Any) -> bool:
        return bool(getattr(state.setup, "revision", self.revision) == self.revision)

    def turn(self, state: S) -> int:
        return state.position.turn

    def own_commands(self, state: S) -> Iterable[Command[Any]]:
        """The commands of the game; corrections by hand come behind them."""
        return (Command(label="Next phase", word="next", key=SPACE, make=NextPhase),)

    def commands(self, state: S) -> tuple[Command[Any], ...]:
        return (
            ()
            if self.over(state)
            else (*self.own_commands(state), *_charts(state), *self.by_hand(state))
        )

    def sides_of(self, state: S, given: Command[O] | O) -> Collection[str]:
        """The side of the counters that act by an order, or that the open question is about;
        everything else belongs to all."""
        players = self.players(state)
        if isinstance(given, Command) and given.key:
            return players
        if isinstance(given, TableOrder):
            own = self._sides_of_counters(state, given.acting)
            if own:
                return own
        for task in state.agenda[:1]:
            asked = self._sides_of_counters(state, task.units)
            if asked:
                return asked
        return players

    def _sides_of_counters(self, state: S, ids: Iterable[str]) -> Collection[str]:
        """The sides, among those that people play, of these counters."""
        counters = state.counters.counters
        sides = {counters[id].side for id in ids if id in counters}
        return sides & self.players(state).keys()

    def sheets(self) -> tuple[tuple[str, str, Callable[[S], Page]], ...]:
        """The id, title and page of documents that can be printed empty, too."""
        return ()

    def documents(self) -> tuple[Document, ...]:
        empty = self.codec.play([self.opening(SetupForm(self).answers, int)]).state
        own = (
            Document(id=id, title=title, build=_of_play(build), empty=partial(build, empty))
            for id, title, build in self.sheets()
        )
        return (*own, *super().documents())

    def anyway(self, state: S, order: O) -> Anyway | None:
        if not isinstance(order, AgendaOrder):
            return None
        return Anyway((replace(order, insist=True),), "does it anyway.")

    def headline(self, state: S) -> str:
        """``Turn 2 of 9, Drift``; a game may have a result behind it."""
        if self.over(state):
            return "Over"
        of = f" of {state.sequence.turns}" if state.sequence.turns else ""
        return f"Turn {state.position.turn}{of}, {state.sequence.at(state.position).name}"

    def over(self, state: S) -> bool:
        """A game at the table ends when its players decide so, unless its rules define the end."""
        return state.ended

    def irreversible(self, events: Sequence[E], state: S) -> Sequence[E]:
        return [one for one in events if isinstance(one, Drawn | Rolled | CupRefilled)]

    def verdict(self, play: Play[S, O, E], viewer: Viewer = PLAYERS) -> Verdict | None:
        if play.ends_with_void:
            return None
        return large_result(play.live[-1].events, play.state)

    def phases(self, play: Play[S, O, E]) -> Steps | None:
        state = play.state
        if not self.turn(state):
            return None
        after = Position(state.position.turn, len(state.sequence.phases))
        at = after if self.over(state) else state.position
        return state.sequence.steps(at, state.why_skipped)

    def page(self, state: S, viewer: Viewer = PLAYERS) -> Page:
        blocks: list[Block] = [track.gauge() for track in state.tracks.values()]
        blocks += self.roster(state)
        facts = [(cup.id.capitalize(), f"{cup.inside} left") for cup in state.cups.values()]
        facts += [(f"Turn {turn}", text) for turn, text in state.notes]
        return Page(self.name, (*blocks, Facts(tuple(facts))), about=(self.headline(state),))

    def roster(
        self,
        state: S,
        names: Sequence[str] | None = None,
        ticks: Sequence[Ticks] = (),
        lines: int = 0,
        most: int = 0,
    ) -> Iterator[Block]:
        """The counters of each side, with these ratings of the side that is up (default: all). On
        paper with boxes to tick instead of their status, and at least that many ``lines``. Of more
        than ``most`` (0: any number) those that matter now."""
        names = self.ratings if names is None else names
        titles = [name.upper() if len(name) < 3 else name.capitalize() for name in names]
        keys = state.counters.codes if self.lettered else {}
        for side, title in self.sides:
            units = [one for one in state.counters.where(side=side) if self.shown(state, one)]
            more = len(units) - most if most else 0
            if more > 0:
                units = sorted(units, key=partial(self.rank, state))[:most]
            rows = [
                (*([keys[one.id]] if keys else []), one.name,
                 *(self._rating(one, name) for name in names), self.steps_of(one), one.place,
                 *([boxes(full, ticked(one)) for _, full, ticked in ticks]
                   or [", ".join(one.flags)]))
                for one in units
            ]  # fmt: skip
            blank = (*([""] if keys else []), WIDE, *[""] * (len(names) + 2),
                     *(boxes(full) for _, full, _ in ticks))  # fmt: skip
            rows += [blank] * (lines - len(units))
            if rows:
                yield Heading(f"{title} units")
                unit = ["Key", "Unit"] if keys else ["Unit"]
                numbers = range(len(unit), len(unit) + len(names))
                marks = [title for title, _, _ in ticks] or ["Markers"]
                yield table([*unit, *titles, "Steps", self.where, *marks], rows,
                            numbers=() if ticks else numbers)  # fmt: skip
            if more > 0:
                yield Note(f"{more} more are on the summary, S.")

    def steps_of(self, one: Counter) -> str:
        """The steps of a counter, as the board writes them."""
        return "-" if {STEPLESS, LEADER} & {*one.traits} else str(one.steps)

    def rank(self, state: S, one: Counter) -> int:
        """How soon the board lists a counter among very many; the lowest number comes first."""
        return 0

    @staticmethod
    def _rating(one: Counter, name: str) -> str:
        value = one.ratings.get(one.printed(name))
        return "" if value is None else str(value)

    def chart(self, state: S) -> Iterator[Block]:
        """The last boxes of the flow chart that lies open."""
        if chart := state.charts.get(state.chart):
            yield Heading(chart.title)
            yield Steps(chart.steps(state.paths.get(chart.id, ())).rows[-4:])

    def forces(self, state: S, viewer: Viewer = PLAYERS) -> Page:
        """The page without the open flow chart, whose box is the situation."""
        page, chart = self.page(state, viewer), list(self.chart(state))
        return replace(page, blocks=tuple(block for block in page.blocks if block not in chart))

    def situation(self, state: S, viewer: Viewer = PLAYERS) -> Page:
        """The box of the flow chart that is to be answered."""
        chart = state.charts.get(state.chart)
        if chart is None:
            return Page("")
        at = chart.walk(state.paths.get(chart.id, ()))
        return Page("", (Paragraph(chart.nodes[at].text, lead=f"{chart.title}, {at}:"),))

    def shown(self, state: S, one: Counter) -> bool:
        """Whether the board lists a counter."""
        return bool(one.steps)

    def counters_of(self, state: S, rows: Sequence[Any], file: str) -> TakeCounters:
        """The order that imports the rows of a file; raises DataError."""
        sides = [id for id, _ in self.sides]
        printed = Printed(
            sides, self.ratings, self.kinds, self.traits, self.markers, self.more_markers
        )
        found = merged(state.counters, read_rows(rows, printed, file))
        known = state.counters.counters
        return TakeCounters(
            counters=tuple(one if one.id in known else self.fresh(state, one) for one in found)
        )

    def fresh(self, state: S, one: Counter) -> Counter:
        """A counter of a file that this game did not know."""
        return one

    def by_hand(self, state: S) -> Iterator[Command[Any]]:
        """The commands that correct the table: another phase, tracks, counters, notes."""
        phases = state.sequence.phases
        options = tuple(Option(value=at, label=one.name) for at, one in enumerate(phases))
        phase = Choose(name="phase", text="Which phase?", options=options)
        yield _command("Go to a phase", "G", phase, make=JumpTo)
        if tracks := tuple(state.tracks.values()):
            options = tuple(Option(value=one.id, label=one.name) for one in tracks)
            low, high = min(one.low for one in tracks), max(one.high for one in tracks)
            yield _command(
                "Set a track", "T", Choose(name="track", text="Which track?", options=options),
                Number(name="value", text="To which value?", low=low, high=high), make=SetTrack,
            )  # fmt: skip
        if (cup := state.cups.get(self.puts_back)) and cup.drawn:
            chits = one_of("chit", "Which one goes back?", dict.fromkeys(cup.drawn))
            yield _command(
                f"Put back into the {cup.id}", "U", chits, make=partial(PutBack, cup=cup.id)
            )
        if state.control:
            names = dict(self.sides)
            places = tuple(Option(value=one, label=one) for one in state.control)
            sides = tuple(Option(value=id, label=name) for id, name in self.sides)
            which = Choose(name="place", text="Which hex?", options=places)
            who = Choose(name="side", text="Who passed through it last?", options=sides)

            def held(place: str, side: str) -> SetControl:
                return SetControl(place=place, side=side, name=names[side])

            yield Command(label="Who holds a hex", key="v", word="who holds a hex",
                          slots=(which, who), make=held)  # fmt: skip
        if len(state.counters):
            units = counter_options(
                state.counters, codes=state.counters.codes if self.lettered else None
            )
            which = Choose(name="counter", text="Which counter?", options=units)
            steps = Number(name="steps", text="How many steps are left? (0: it is gone)", high=20)
            yield _command("Set a unit's steps", "L", which, steps, make=CorrectCounter)
            yield _command("Move a unit", "M", which, self.place, make=CorrectCounter)
            markers = tuple(Option(value=one, label=one) for one in self.markers)
            marker = Choose(name="marker", text="Which marker, on or off?", options=markers)
            if markers:
                yield _command("Mark a unit", "K", which, marker, make=CorrectCounter)
            fronts = [name for name in self.ratings if not name.endswith(BACK)]
            printed = tuple(Option(value=one, label=one.replace("_", " ")) for one in fronts)
            rating = Choose(name="rating", text="Which rating?", options=printed)
            value = Number(name="value", text="What is it, as the counter lies?", high=HIGHEST)
            if fronts:
                yield _command("Set a rating", "E", which, rating, value, make=CorrectCounter)
        note = Words(name="text", text="What is to be remembered?", longest=200)
        yield _command("Note", "R", note, make=WriteNote)


def boxes(full: int, ticked: int = 0) -> str:
    """A cell of boxes to tick on paper, of which the first are ticked."""
    return " ".join(TICKED if at < ticked else BOX for at in range(full))


def tick(title: str, *flags: str) -> Ticks:
    """A box for each of these markers; a counter has the boxes before it ticked, too."""

    def ticked(one: Counter) -> int:
        return max((at for at, flag in enumerate(flags, 1) if one.has(flag)), default=0)

    return title, len(flags), ticked


def marked(
    state: TableState, units: Iterable[Counter], marker: str, *, label: str, key: str, nobody: str
) -> Command[Any]:
    """A list of units on one key; a choice sets or removes the marker that they lack or have."""
    rows = counter_options(units, codes=state.counters.codes)
    text = f"{label}? A choice sets or removes “{marker}”."
    return Command(label=label, key=key, slots=(Choose(name="counter", text=text, options=rows),),
                   why_not="" if rows else nobody,
                   group="The table", make=partial(CorrectCounter, marker=marker))  # fmt: skip


def entering(
    state: TableState,
    sides: Iterable[tuple[str, str]],
    *,
    of: str,
    groups: Callable[[str], Sequence[str]],
    traits: Sequence[str],
    steps: int,
) -> Command[Any]:
    """The command that enters a unit with so many ``steps`` as a rule, of one of the ``groups`` of
    its side (``of`` which one?), with its traits. Without a step it is ``stepless``; a leader has
    none that could be asked for."""
    name = Words(name="name", text="What is the unit called?", longest=LONGEST_NAME)
    most = Number(name="steps", text="How many steps has it?", high=9, default=steps)
    place = Words(name="place", text="In which hex?", default="", longest=LONGEST_NAME)
    whose = one_of("side", "Whose is it?", sides)

    def slots(answers: Answers) -> tuple[Slot, ...]:
        side = answers.get("side", "")
        asked: list[Slot] = [whose]
        rows = [(group, group) for group in groups(side)]
        if rows:
            asked.append(one_of("group", f"Of which {of}?", (*rows, ("", "none of them"))))
        asked.append(replace(name, read=partial(_new_name, state, side)))
        if not answers.get(LEADER):
            asked.append(most)
        return (*asked, place)

    def made(*, name: str, steps: int = 1, group: str = "", **given: Any) -> TakeCounters:
        has = [trait for trait in traits if given.pop(trait, False)]
        if LEADER in has:
            steps = 1
        if not steps:
            has.append(STEPLESS)
        id = state.counters.new_id(name)
        new = Counter(
            id=id, name=name, group=group, traits=tuple(has), steps=max(steps, 1), **given
        )
        return TakeCounters(counters=(new,))

    rows = [(trait, trait[0].upper(), trait) for trait in traits]
    return Command(label="Enter a unit", key="c", word="new unit", slots=slots,
                   toggles=partial(switches, rows), make=made, group="The table",
                   help="Enter a unit; its numbers are asked for once needed.")  # fmt: skip


def _new_name(state: TableState, side: str, typed: str) -> str:
    name = typed.strip()
    if not name:
        raise UnfitAnswer(TYPE_IT)
    if any((one.name, one.side) == (name, side) for one in state.counters):
        raise UnfitAnswer(name_taken(name))
    return name


def _charts(state: TableState) -> Iterator[Command[Any]]:
    """The commands that open a flow chart and follow it box by box."""
    if not state.charts or state.agenda:
        return
    rows = tuple(Option(value=id, label=one.title) for id, one in state.charts.items())
    which = Choose(name="chart", text="Which chart?", options=rows)
    yield _command("Follow a chart", "w", which, make=FollowChart, word="follow a chart")
    chart = state.charts.get(state.chart)
    if chart is None:
        return
    at = chart.walk(state.paths.get(chart.id, ()))
    known = chart.answers(at)
    boxes = {id: Option(value=id, label=f"{id} {one.text}") for id, one in chart.nodes.items()}
    for answer in known if set(known) <= {"yes", "no", "then"} else ():
        word, key = "done" if answer == "then" else answer, "y" if answer == "yes" else "n"
        make = partial(FollowChart, answer=answer)
        yield _command(f"{at}: {word}", key, make=make, word=word)
    if chart.nodes[at].may:
        options = tuple(boxes[id] for id in known)
        on = Choose(name="answer", text="Where does it go on?", options=options)
        yield _command(f"{at}: go on", "n", on, make=FollowChart, word="go on")
    to = Choose(name="answer", text="To which box?", options=tuple(boxes.values()))
    yield _command("Jump to a box", "j", to, make=FollowChart)
    yield _command("Close the chart", "Y", make=FollowChart)


def _of_play(build: Callable[[Any], Page]) -> Callable[[Play[Any, Any, Any]], Page]:
    return lambda play: build(play.state)


def _command(label: str, key: str, *slots: Slot, make: Any, word: str = "") -> Command[Any]:
    return Command(label=label, key=key, slots=slots, make=make, word=word, group="The table")
