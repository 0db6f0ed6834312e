"""What a game is: one object that the shell can list, set up, play, print, follow and export.

A game brings rules, data and words. The shell is everything above it: screens, keys, command lines,
journals, undo, storage and paper, for every game alike. A new game overrides ``open``, ``commands``
and the other abstract methods of ``Game``; everything else has a default.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Protocol, Self

import msgspec

from skirmish.tabletop.chance import Draw
from skirmish.tabletop.commands import Command, Draft
from skirmish.tabletop.exported import InvalidData
from skirmish.tabletop.journal import E, Entry, O, Play, Rules, S
from skirmish.tabletop.journal_codec import JournalCodec
from skirmish.tabletop.linked_games import GameLink, LinkedGame
from skirmish.tabletop.page import Block, Heading, Items, Page, Steps, Tone
from skirmish.tabletop.refusal import Refusal, Refused
from skirmish.tabletop.scores import FinishedGame, Score, scores_page
from skirmish.tabletop.set_up_form import Field
from skirmish.tabletop.side_colours import NO_NATION
from skirmish.tabletop.wall import WallBoard

Seed = Callable[[], int]
"""Returns a fresh seed for a deck or a die."""
Viewer = str | None
"""Who sees something of a game: the id of a side, PLAYERS, or None for a spectator."""
PLAYERS = "*"
"""The viewer at the keyboard, where all sides are played: what the players may see."""
DeckKnowledge = Literal["full", "hidden"]
"""Whether odds may know which cards are gone, by the player's setting."""
LONG_ENTRY = 6
"""The number of sentences from which on each has a row of its own in the journal."""


class Hint(msgspec.Struct, frozen=True):
    """An explanation of a question for newcomers, which is shown once. ``id``: the name under which
    it is remembered as shown; ``text``: the explanation, empty for none."""

    id: str
    text: str


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The result of the last order: ``text`` in large letters, the ``reason`` below it, and the
    card or roll that decided it, if it was a single one."""

    text: str
    reason: str = ""
    tone: Tone = ""
    draw: Draw | None = None


class PlayerSettings(Protocol):
    """What games read of the player's settings, whose class belongs to the store, a layer above."""

    @property
    def level(self) -> Literal["referee", "clerk", "ledger"]:
        """How the player's side usually uses the program."""

    @property
    def chance(self) -> Literal["cards", "die"]:
        """What the player usually draws from."""

    @property
    def rulings(self) -> Mapping[str, str]:
        """The player's own answers to rulings."""


class StoredArmy(NamedTuple):
    """An army list of the players as it is stored: ``body`` is its text, which its game reads."""

    id: str
    name: str
    body: str


class JournalLine(msgspec.Struct, frozen=True):
    """The ``text`` of one entry of the journal, or of several that belong together.
    ``entry_numbers`` are their numbers. ``turn`` is the turn under which the line stands; 0: the
    game has none. ``void`` and ``undone`` lines have no effect. ``rows``: the sentences of a long
    text, each for a row of its own; empty for a short one."""

    turn: int
    entry_numbers: tuple[int, ...]
    text: str
    void: bool = False
    undone: bool = False
    rows: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        """That of its first entry, by which players call the line."""
        return self.entry_numbers[0]


class Correction(msgspec.Struct, Generic[O], frozen=True):
    """What takes the place of earlier orders: the ``order`` that is given after going back to the
    entry with the number ``back_to``."""

    back_to: int
    order: O


class Anyway(msgspec.Struct, frozen=True):
    """The orders that overrule the last advice, and their effect as the end of a sentence (``fires
    anyway.``)."""

    orders: tuple[Any, ...]
    text: str


def prompt_for_others(prompt: Command[Any]) -> str:
    """The question of a prompt as a sentence for those who wait for its answer."""
    # The first question of the prompt: those who wait need not know what follows from its answer.
    slot = Draft(command=prompt).shown_slot
    if slot is None:
        return ""
    if not slot.large:
        return slot.text
    large = slot.large.capitalize()
    if not large.endswith("?"):
        large += ":"
    return f"{large} {slot.text}"


class NarratedEvent(NamedTuple, Generic[S]):
    """The sentence of an event, and the state after it."""

    text: str
    state_after: S


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """A printable document of a stored game; its file is named after ``id``. ``build`` makes its
    page. ``empty`` makes the page of an empty form, to be filled in by hand; None: there is
    none."""

    id: str
    title: str
    build: Callable[[Play[Any, Any, Any]], Page]
    empty: Callable[[], Page] | None = None


class Game(Rules[S, O, E], Generic[S, O, E]):
    """A game, as everything above the rules knows it.

    An event has ``apply(state) -> state``, which neither fails nor draws, and ``narrate(state) ->
    str``, which gets the state before it; an order has ``decide(state) -> list[event]``, which may
    draw and raises Refused. A game may instead override ``evolve``, ``narrate`` and ``decide``.
    """

    id: ClassVar[str]
    name: ClassVar[str]
    """What the game is called on the screen."""
    noun: ClassVar[str] = "game"
    """What one such game is called in a sentence, such as ``battle``."""
    order: ClassVar[Any]
    """The union of the classes of its orders, by which stored ones are read."""
    event: ClassVar[Any]
    """The union of the classes of its events."""
    sides: ClassVar[tuple[tuple[str, str], ...]] = ()
    """The ids and names of the sides whose view can be followed."""
    can_void: ClassVar[bool] = True
    """Whether orders before the last one can be made void."""
    wide: ClassVar[bool] = False
    """Whether the board needs all the columns of a narrow screen, so that the phases are not shown
    beside it, and more columns of a wide screen than other boards."""

    # ------------------------------------------------------------------ set-up

    warnings: tuple[str, ...] = ()
    """Messages about stored data that could not be read."""

    def equipped(self, armies: Iterable[StoredArmy], settings: PlayerSettings) -> Game[S, O, E]:
        """The game with the players' data: army lists to choose from, and their ``settings``, from
        which the set-up form takes proposed answers."""
        return self

    has_memory: ClassVar[bool] = False
    """Whether ``remembering`` makes a difference."""

    def remembering(self, last: S) -> Game[S, O, E]:
        """The game with what its players typed in for their last one, whose state is ``last``; the
        game itself if they typed nothing in."""
        return self

    def fields(self, answers: Mapping[str, Any]) -> tuple[Field, ...]:
        """The lines of the set-up form for these answers: some may add, remove or change others."""
        return ()

    def follow(self, changed: str, answers: Mapping[str, Any]) -> Mapping[str, Any]:
        """All ``answers`` of the form after the field ``changed`` got a new one, with the answers
        that follow from it: a preset, for instance, answers every ruling."""
        return answers

    @abstractmethod
    def open(self, answers: Mapping[str, Any], seed: Seed) -> Sequence[E]:
        """The opening events for the answers of all fields; the first is applied without a state.
        Raises Refused for a combination of answers that is not allowed."""

    def first_orders(self, answers: Mapping[str, Any], seed: Seed) -> Sequence[O]:
        """Orders that follow from the answers, given as soon as the game is opened."""
        return ()

    def opening(self, answers: Mapping[str, Any], seed: Seed) -> Entry[O, E]:
        """The first entry of a journal, with the events of ``open``; raises Refused."""
        return Entry(1, "open", None, tuple(self.open(answers, seed)))

    def title(self, state: S) -> str:
        """The title of one game in lists."""
        return self.name

    # ------------------------------------------------------------------ other games

    def links(self, state: S) -> tuple[GameLink, ...]:
        """The stored games that belong to this one."""
        return ()

    def with_linked(self, linked: Iterable[LinkedGame]) -> Game[S, O, E]:
        """The game with the results of the games that belong to it. Its commands put such facts
        into their orders, since rules cannot look into another journal."""
        return self

    # ------------------------------------------------------------------ commands and questions

    @abstractmethod
    def commands(self, state: S) -> tuple[Command[O], ...]:
        """The commands that can be given now, and those that cannot with the reason."""

    def prompt(self, state: S) -> Command[O] | None:
        """The open question, as a command without a key; None: any command may be given."""
        return None

    def players(self, state: S) -> Mapping[str, str]:
        """The sides that people play, by id and name; none in a game without sides."""
        # Fixed for most games; a battle has those of its scenario, whatever they are called.
        return dict(self.sides)

    def colours(self, state: S) -> tuple[str, str]:
        """The names of the colours of its two sides, in the order of ``players``."""
        return NO_NATION

    def sides_of(self, state: S, command_or_order: Command[O] | O) -> Collection[str]:
        """The sides to which a command, a prompt or an order belongs; by default all. Somebody who
        plays one side on a phone can give only those of this side; at the keyboard all can be
        given."""
        return self.players(state)

    def side_name(self, state: S, side: str) -> str:
        """The name of those who play a side, as at the beginning of a sentence: ``The Germans``."""
        return self.players(state).get(side, side)

    def sides_asked(self, state: S) -> Collection[str]:
        """The sides for whose answer the game waits now, to a question or an offer; empty: for
        none."""
        prompt = self.prompt(state)
        if prompt is None:
            return ()
        return self.sides_of(state, prompt)

    def cuts_off(self, state: S, command_or_order: Command[O] | O) -> bool:
        """Whether a command or an order takes something from another player: it settles what he is
        asked, or ends the time in which he may do what he has begun. A phone cannot give it until
        that player has finished."""
        return False

    def waiting(self, state: S, viewer: Viewer = PLAYERS) -> str:
        """For whom the game waits and for what, in sentences for a ``viewer`` who is not asked;
        empty if it waits for nobody."""
        prompt = self.prompt(state)
        if prompt is None:
            return ""
        return prompt_for_others(prompt)

    def why_not(self, state: S, order: O) -> Refusal | None:
        """The refusal of ``order`` in the current state, or None."""
        try:
            self.decide(state, order)
        except Refused as refused:
            return refused.refusal
        return None

    def anyway(self, state: S, order: O) -> Anyway | None:
        """The orders that overrule a refusal that is not firm; None if there are none."""
        return None

    @property
    def can_insist(self) -> bool:
        """Whether there are refusals that can be overruled."""
        # The key for it is shown before any order is refused, so the answer cannot come from trying
        # ``anyway``: it is whether the game overrides it.
        return type(self).anyway is not Game.anyway

    def same_again(self, play: Play[S, O, E]) -> O | None:
        """The order that repeats the last shot, roll or the like; None if there is none."""
        return None

    def correction(self, play: Play[S, O, E], order: O) -> Correction[O] | None:
        """What takes the place of earlier orders, for an ``order`` that corrects them; None for any
        other order. Raises Refused."""
        return None

    def hint(self, state: S, asked: str) -> Hint:
        """A sentence for newcomers, shown once, at the question with the name ``asked``."""
        # Each question has its own name, unless a game explains several of them with one hint.
        return Hint(asked, "")

    def stops_repeating(self, state: S) -> bool:
        """Whether a command that repeats its order (``Command.repeat``) stops in this state."""
        # At an open question, the next repetition would be taken for its answer.
        return self.over(state) or self.prompt(state) is not None

    # ------------------------------------------------------------------ what is shown

    @abstractmethod
    def page(self, state: S, viewer: Viewer = PLAYERS) -> Page:
        """The current state, as ``viewer`` may see it."""

    def board(self, state: S, viewer: Viewer = PLAYERS) -> Page:
        """What is shown of ``page`` while the game is played: of a very long one the part that
        matters now."""
        return self.page(state, viewer)

    def first_steps(self, state: S) -> Page | None:
        """What to type first and what it leads to, for players who have just begun; shown below the
        board where there is room. None later in the game, and if the board says enough."""
        return None

    def seen(self, play: Play[S, O, E], viewer: Viewer) -> Play[S, O, E]:
        """The play as ``viewer`` may see it, for reading only. A game that leaves out secrets in
        its page and journal, or has none, returns it unchanged."""
        return play

    def forces(self, state: S, viewer: Viewer = PLAYERS) -> Page:
        """The page without what ``clock`` and ``situation`` say, for a place where these are shown
        beside it."""
        return self.page(state, viewer)

    def situation(self, state: S, viewer: Viewer = PLAYERS) -> Page:
        """What lies on the table now, shown with the commands beside the board, as ``viewer`` may
        know it."""
        return Page("")

    def due(self, play: Play[S, O, E], viewer: Viewer = PLAYERS) -> Page:
        """What players must know or do now, the most urgent first, as ``viewer`` may know it."""
        return Page("")

    def wall(self, play: Play[S, O, E]) -> WallBoard | None:
        """What a television in the room shows of the ``play`` as a spectator sees it; None: only
        the clock, the last result and the board."""
        return None

    def phases(self, play: Play[S, O, E]) -> Steps | None:
        """The turn, phase by phase, for a column beside the page; None for no such column."""
        return None

    def turn(self, state: S) -> int:
        """The current turn; 0 in a game without turns."""
        return 0

    @abstractmethod
    def headline(self, state: S) -> str:
        """The status in a line."""

    def clock(self, state: S, viewer: Viewer = PLAYERS) -> str:
        """Whose turn it is and the phase, in a line, as ``viewer`` may know it; once the game is
        over, how it ended."""
        return self.headline(state)

    @abstractmethod
    def over(self, state: S) -> bool:
        """Whether the game has ended."""

    def narrate(self, state: S, event: E, viewer: Viewer = PLAYERS) -> str:
        """One event as a sentence, as ``viewer`` may know it; ``state`` is the one before it. Empty
        for an event not worth a sentence."""
        # An event itself hides nothing. A game with secrets overrides this, and leaves out what the
        # viewer may not know.
        text: str = event.narrate(state)
        return text

    def verdict(self, play: Play[S, O, E], viewer: Viewer = PLAYERS) -> Verdict | None:
        """The result of the last order in large letters, for ``viewer``; None if it is not worth
        them, or the viewer may not know it."""
        return None

    def advice(self, state: S) -> Iterator[Page]:
        """What the program would do here, with its reason: pages that improve while it goes on
        thinking; none if it has no advice."""
        return iter(())

    @property
    def has_advice(self) -> bool:
        """Whether the program can give advice in this game."""
        # Whether the game overrides ``advice``: to begin the advice in order to see whether there
        # is any may take seconds.
        return type(self).advice is not Game.advice

    def with_deck_knowledge(self, deck_knowledge: DeckKnowledge) -> Self:
        """The game with odds for players who know so much of the cards that were drawn."""
        return self

    def facts(self, play: Play[S, O, E]) -> dict[str, Any]:
        """Facts of the current state for other programs, by name."""
        return {}

    def rules(self, state: S | None = None) -> Page:
        """The rules in our own words, for looking up; with a state, those of that game."""
        return Page(self.name, ())

    # ------------------------------------------------------------------ the lines of the journal

    def narrated(self, state: S | None, events: Iterable[E], viewer: Viewer = PLAYERS) -> list[str]:
        """Sentences for the events of one entry; ``state`` is the one before them."""
        return [narrated.text for narrated in self._narrated(state, events, viewer)]

    def _narrated(
        self, state: S | None, events: Iterable[E], viewer: Viewer
    ) -> Iterator[NarratedEvent[S]]:
        """The events that are worth a sentence; ``state`` is the one before the first of them."""
        for event in events:
            after = self.evolve(state, event)
            # Before the first event there is no state: the opening is narrated from what it made.
            before = state
            if before is None:
                before = after
            text = self.narrate(before, event, viewer)
            if text:
                yield NarratedEvent(text, after)
            state = after

    def journal(
        self, play: Play[S, O, E], viewer: Viewer = PLAYERS, *, last: int = 0
    ) -> list[JournalLine]:
        """A line for every entry that counts and has a text, the oldest first; with ``last`` only
        for so many of the latest entries (0: for all). A line stands under the turn after its first
        sentence: one that begins a turn belongs to that turn."""
        lines: list[JournalLine] = []
        live, states = play.live, play.states
        first = 0
        if last:
            first = max(0, len(live) - last)
        before: S | None = None
        if first:
            before = states[first - 1]
        for entry, after in zip(live[first:], states[first:], strict=True):
            narrated = list(self._narrated(before, entry.events, viewer))
            before = after
            if not narrated:
                continue
            sentences = tuple(event.text for event in narrated)
            rows: tuple[str, ...] = ()
            if len(sentences) >= LONG_ENTRY:
                rows = sentences
            turn = self.turn(narrated[0].state_after)
            lines.append(JournalLine(turn, (entry.number,), " ".join(sentences), rows=rows))
        return lines

    def all_lines(self, play: Play[S, O, E]) -> list[JournalLine]:
        """The journal including what was undone or made void, in a game that can show it."""
        return self.journal(play)

    def why_not_void(self, play: Play[S, O, E], line: JournalLine) -> str:
        """Why a line cannot be made void, and what can be done instead; empty if it can."""
        if self.can_void:
            return ""
        return "Nothing in the middle of this game can be made void."

    def voided_with(self, play: Play[S, O, E], line: JournalLine) -> list[JournalLine]:
        """The later lines that only correct this ``line``, and so become void with it."""
        return []

    def void_numbers(self, play: Play[S, O, E], line: JournalLine) -> tuple[int, ...]:
        """The numbers of the entries that become void if ``line`` is made void: its own, and those
        of its corrections."""
        numbers = set(line.entry_numbers)
        for correction in self.voided_with(play, line):
            numbers.update(correction.entry_numbers)
        return tuple(sorted(numbers))

    def follow_up(self, state: S) -> O | None:
        """The order that the shell gives after entries were made void, such as the continuation of
        a game whose end was among them; None if there is none."""
        return None

    def judged_again(self, play: Play[S, O, E], line: JournalLine) -> Command[O] | None:
        """The command that corrects a line of the journal, such as a shot with wrong facts; None if
        there is none."""
        return None

    def would_have_changed(self, play: Play[S, O, E], line: JournalLine) -> list[int]:
        """For a line that corrects an earlier one: the numbers of the lines between them that would
        have come out differently. They are not changed, so the players should check them."""
        return []

    def to_check(self, play: Play[S, O, E]) -> list[int]:
        """The numbers of the lines to check after the last order: if it corrected an earlier line,
        those that ``would_have_changed``; otherwise none."""
        return []

    def dependents(self, play: Play[S, O, E], line: JournalLine) -> list[int]:
        """The numbers of later lines that depend on a line."""
        return []

    @property
    def knows_dependents(self) -> bool:
        """Whether an empty list of dependents means that no line depends on the line."""
        return type(self).dependents is not Game.dependents

    # ------------------------------------------------------------------ the result and printing

    comparison: ClassVar[str] = ""
    """What makes one finished game better than another, as a sentence; empty if finished games are
    not compared."""

    def score(self, state: S) -> Score | None:
        """The result of a finished game; None in a game without scores. ``all_scores`` adds its
        number and the moment of its end, which are in the store and not in the state."""
        return None

    def all_scores(self, finished: Iterable[FinishedGame]) -> list[Score]:
        """The scores of finished games of this kind."""
        scores = []
        for game in finished:
            score = self.score(game.state)
            if score is not None:
                scores.append(msgspec.structs.replace(score, ended=game.ended, game=game.number))
        return scores

    def scores(self, finished: Iterable[FinishedGame], mine: int = 0) -> Page | None:
        """A table of finished games; that with the number ``mine`` is highlighted (0: none). None
        if they are not compared."""
        if not self.comparison:
            return None
        empty = f"No game is finished yet. {self.comparison}"
        return scores_page(f"{self.name}: high scores", self.all_scores(finished), mine, empty)

    def rating(self, state: S) -> str:
        """How a finished game compares with those that the program would play, as a sentence. May
        take some seconds."""
        return ""

    def overview(self, play: Play[S, O, E]) -> Page:
        """The status and the result so far, for the look-up of a stored game."""
        page = self.page(play.state)
        phases = self.phases(play)
        if phases is None or self.over(play.state):
            return page
        return page.with_blocks((phases,))

    def summary(self, play: Play[S, O, E]) -> Page:
        """How the game went, as the beginning of its report."""
        return self.page(play.state)

    def report(self, play: Play[S, O, E]) -> Page:
        """The summary, then the journal."""
        blocks: list[Block] = []
        for turn, lines in groupby(self.journal(play), key=attrgetter("turn")):
            rows: list[str] = []
            for line in lines:
                rows += line.rows or (line.text,)
            heading = "Journal"
            if turn:  # a game without turns has its whole journal in one part
                heading = f"Turn {turn}"
            blocks.append(Heading(heading))
            blocks.append(Items(tuple(rows)))
        return self.summary(play).with_blocks(blocks)

    def documents(self) -> tuple[Document, ...]:
        """What can be printed of a stored game, besides what the sheets have for it."""
        return (
            Document(id="position", title="The position", build=lambda play: self.page(play.state)),
            Document(id="report", title="The report", build=self.report),
        )

    # ------------------------------------------------------------------ stored and imported games

    @cached_property
    def codec(self) -> JournalCodec[S, O, E]:
        """Reads and writes the journals of this game."""
        return JournalCodec(self, self.order, self.event, self.completed, self.upcast)

    def completed(self, event: E) -> E:
        """An event of a stored opening, with whatever was added to the game since that game began:
        a ruling, for instance, is answered as its book says for such games (``before``)."""
        return event

    def upcast(self, order: Any, events: Any) -> tuple[Any, Any]:
        """The order and the events of a stored entry that this version cannot read, as plain data.
        Those that an earlier version wrote are returned as this version would write them."""
        return order, events

    def with_imported_entry(self, play: Play[S, O, E] | None, entry: Entry[O, E]) -> Play[S, O, E]:
        """An imported game with one more entry, which may hold anything: its order is decided
        again, if the rules are still those of its game. Raises errors that ``exported.guarded``
        handles."""
        if play is None:
            try:
                self.check_opening(entry)
            except ValueError as error:
                raise InvalidData(f"{error}.") from None
            play = self.codec.play([entry])
            self.check_screens(play.state)
            return play
        if entry.kind == "order" and self.has_rules_of(play.state):
            self._decide_again(play, entry)
        elif entry.kind == "void" and not self.can_void:
            text = f"entry {entry.number} makes others void; in {self.name} none can be."
            raise InvalidData(text)
        self.codec.follow(play, entry)
        self.check(play.state)
        return play

    def _decide_again(self, play: Play[S, O, E], entry: Entry[O, E]) -> None:
        """Raises InvalidData unless the order of an entry leads to exactly its events. It must,
        since the program's dice and cards come out the same again, and a player's are part of his
        orders."""
        if entry.order is None:
            raise InvalidData(f"entry {entry.number} has no order.")
        try:
            decided = play.consider(entry.order).events
        except Refused as error:
            text = f"entry {entry.number} is an order that is refused: {error}"
            raise InvalidData(text) from None
        if entry.events != decided:
            text = f"entry {entry.number} does not hold what its order leads to."
            raise InvalidData(text)

    def check_opening(self, entry: Entry[O, E]) -> None:
        """Raises ValueError (a sentence without its full stop) for an imported opening that this
        program could not have made."""

    def has_rules_of(self, state: S) -> bool:
        """Whether a game in this state is played by the present rules, so that its orders lead to
        the same events today."""
        return True

    def check(self, state: S) -> None:
        """Raises an error that ``exported.guarded`` handles if the state is impossible."""

    def check_screens(self, state: S) -> None:
        """Call everything that screens call, and raise whatever error a damaged state leads to: so
        the game is refused before it is opened."""
        self.check(state)
        self.headline(state)
        self.title(state)
        self.page(state)
        self.situation(state)
        self.prompt(state)
        self.commands(state)

    def check_everything_shown(self, play: Play[S, O, E]) -> None:
        """Call everything that screens and documents call, as ``check_screens`` does for screens
        alone."""
        self.check_screens(play.state)
        self.journal(play)
        self.facts(play)
        self.phases(play)
        self.score(play.state)
