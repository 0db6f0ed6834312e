"""The journal as players read it: a shot, its typed card, its casualties and its repeat shots are
several entries in one line, which is made void as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

import msgspec

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.events import AnyEvent, DrawMade, LevelSet
from skirmish.games.plastic.battle.names import row_side, shot_name
from skirmish.games.plastic.battle.narrative import narrate
from skirmish.games.plastic.battle.orders import AnyOrder, CountHits
from skirmish.games.plastic.battle.orders.firing import Fire
from skirmish.games.plastic.battle.orders.resolution import OrderOfRow, OrderOfSide
from skirmish.games.plastic.battle.record import BattleEntry, BattlePlay
from skirmish.games.plastic.battle.setup import Piece, Setup
from skirmish.games.plastic.battle.state import ShotEvent, State
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.tabletop.chance import Draw, Source
from skirmish.tabletop.game import JournalLine
from skirmish.tabletop.journal import Play
from skirmish.tabletop.refusal import Refusal


class BattleLine(JournalLine, frozen=True, kw_only=True):
    """A line of a battle's journal with the entries that it stands for."""

    entries: tuple[BattleEntry, ...]

    @property
    def events(self) -> list[AnyEvent]:
        """The events of all its entries."""
        events: list[AnyEvent] = []
        for entry in self.entries:
            events += entry.events
        return events

    @property
    def side(self) -> str | None:
        """The side that gave the order; None for what is nobody's, such as the clock."""
        order = self.entries[0].order
        if isinstance(order, Fire):
            return row_side(order.shooter)
        if isinstance(order, OrderOfRow):
            return row_side(order.row)
        if isinstance(order, OrderOfSide):
            return order.side
        return None

    @property
    def judged_again(self) -> set[int]:
        """The shots that it judges again, and the repeat shots after them that it takes back."""
        shots: set[int] = set()
        for event in self.events:
            if isinstance(event, happened.Recalled):
                shots |= {event.shot, *event.chain}
        return shots

    @property
    def shots(self) -> set[int]:
        """The numbers of the shots that it is about."""
        return {event.shot.id for event in self.events if isinstance(event, ShotEvent)}


_WORDS_OF_STEPS = {
    "undo": "Undone.",
    "redo": "Redone.",
    "void": "Made void: {}.",
    "back": "Went back to {}.",
}
"""The text of an entry that is no order, with the numbers of the entries that it is about."""


def lines(play: BattlePlay, last: int | None = None) -> tuple[BattleLine, ...]:
    """The lines of the journal, the oldest first, including void ones; with ``last``, only that
    many."""
    # ``play.acts`` are the opening, orders and voids that were not undone; ``play.live`` are those
    # of them that still count, ``play.entries`` everything that was ever done.
    acts: Sequence[BattleEntry] = play.acts
    if last is not None:
        acts = _tail(acts, last)
    groups = _grouped(act for act in acts if act.kind != "void")
    if last is not None:
        groups = groups[-last:]
    # A void line may name pieces that only it had added, which the present state does not know.
    void_entries: list[BattleEntry] = []
    # Most battles have no void line, and a long journal would be searched for nothing.
    if play.struck:
        void_entries = [act for act in play.acts if act.number in play.struck]
    naming_state = _with_names(play.state, void_entries)
    return tuple(_worded(play, groups, naming_state, _remembered_texts(play, naming_state)))


def _remembered_texts(play: BattlePlay, naming_state: State) -> dict[Numbers, str]:
    """The texts of lines that are worded already; none once a name has changed, since every line
    calls the units by their present names."""
    memory = _MEMORY.setdefault(play, _Memory())
    if memory.setup != naming_state.setup or memory.added != naming_state.added:
        memory.setup = naming_state.setup
        memory.added = naming_state.added
        memory.texts = {}
    return memory.texts


def whole_journal(play: BattlePlay) -> tuple[BattleLine, ...]:
    """All lines, also those that were undone, and what undid them."""
    naming_state = _with_names(play.state, play.entries)
    return tuple(_worded(play, _grouped(play.entries), naming_state, {}))


def _worded(
    play: BattlePlay,
    groups: list[list[BattleEntry]],
    naming_state: State,
    texts: dict[Numbers, str],
) -> Iterator[BattleLine]:
    """A line for each group of entries. ``naming_state`` knows the names of all pieces; ``texts``
    has the texts of lines worded before, which are used again, and the new ones are added to
    it."""
    turn = 1
    for entries in groups:
        first = entries[0]
        numbers = tuple(entry.number for entry in entries)
        if numbers not in texts:
            texts[numbers] = _text(entries, naming_state)
        # The method of ``Play`` itself, also for a play as one side sees it: that one conceals each
        # state that it is asked for, which takes time, and the turn is no secret.
        after = Play.state_after(play, first.number)
        if after is not None:
            turn = after.clock.turn
        yield BattleLine(
            turn=turn,
            entry_numbers=numbers,
            text=texts[numbers],
            void=first.number in play.struck,
            undone=after is None and first.kind in ("order", "void"),
            entries=tuple(entries),
        )


def _text(entries: Sequence[BattleEntry], naming_state: State) -> str:
    """The text of the line of these entries."""
    first = entries[0]
    if first.kind in _WORDS_OF_STEPS:
        return _WORDS_OF_STEPS[first.kind].format(", ".join(map(str, first.of)))
    events: list[AnyEvent] = []
    for entry in entries:
        events += entry.events
    return narrate(events, naming_state)


Numbers: TypeAlias = tuple[int, ...]
"""The numbers of the entries of a line."""


class DrawSeen(NamedTuple):
    """What identifies a draw of one deck or die. A side that gets a new deck or die (``LevelSet``)
    counts from the start again, so that a draw of the new one may equal a draw of the old one."""

    source: str
    """The side of its deck or die."""
    shuffle: int
    aside: Draw | None
    """The card that was left out of that shuffle."""
    nth: int
    """How many were drawn before it in that shuffle."""
    draw: Draw


class _Memory:
    """What was worked out of a journal, which only grows: the texts of lines by their numbers, with
    the names that ``setup`` and the pieces ``added`` then had; and the draws of its first entries,
    as many as were ``read``."""

    def __init__(self) -> None:
        self.setup: Setup | None = None
        self.added: Mapping[str, Piece] = {}
        self.texts: dict[Numbers, str] = {}
        self.read = 0
        self.drawn: dict[DrawSeen, int] = {}


_MEMORY: WeakKeyDictionary[BattlePlay, _Memory] = WeakKeyDictionary()
"""For each battle that is open, as long as it is: screens ask for its lines at every key."""


def why_not_void(play: BattlePlay, line: BattleLine) -> Refusal | None:
    """Why a line cannot be made void; None if it can."""
    first = line.entries[0]
    if line.void:
        return Refusal("struck", "This line is already void.", firm=True)
    if first.kind == "open":
        return Refusal("opening", "The opening cannot be made void.", firm=True)
    if first.order and first.order.not_void:
        return Refusal("clockwork", first.order.not_void, firm=True)
    needed_by = _why_needed(play, line)
    if needed_by:
        return Refusal("in_use", needed_by, firm=True)
    waiting = play.state.ask is not None or play.state.agenda
    if waiting and play.acts[-1].number in line.entry_numbers:
        text = "This is not finished yet; Backspace takes it back."
        return Refusal("unfinished", text, firm=True)
    return None


def _why_needed(play: BattlePlay, line: BattleLine) -> str:
    """Why a line stays as long as a later one stands, in sentences; empty if none needs it."""
    # Void, it would leave later lines without the pieces or the shots that they are about.
    added = _added(line.entries).keys()
    shots = line.shots
    if not added and not shots:
        return ""
    later_lines = list(_later(play, line))
    for later in later_lines:
        if added & _subjects(later):
            return (
                f"Line {later.number} is about units that this line added, so it stays. Make line "
                f"{later.number} void first, or take them off with -."
            )
    for later in later_lines:
        if shots & _settled_shots(later):
            return (
                f"Line {later.number} ended the phase or turn and removed who was hit here, so "
                "this line stays. Put the dead back with +, or go back to before line "
                f"{later.number}."
            )
    return ""


def dependents(play: BattlePlay, line: BattleLine) -> tuple[BattleLine, ...]:
    """Later lines about the same shots or pieces. If the line is made void they stand, but should
    be checked; without those that become void with it."""
    subjects = _subjects(line)
    void_with_it = {judgment.number for judgment in judgments_of(play, line)}
    dependent = []
    for later in _later(play, line):
        if subjects & _subjects(later) and later.number not in void_with_it:
            dependent.append(later)
    return tuple(dependent)


def judgments_of(play: BattlePlay, line: BattleLine) -> tuple[BattleLine, ...]:
    """The later lines that judge shots of a line again: they become void with it."""
    shots = line.shots
    if not shots:
        return ()
    return tuple(later for later in _later(play, line) if shots & later.judged_again)


def _settled_shots(line: BattleLine) -> set[int]:
    """Shots whose casualties were settled as proposed, by a line that cannot be made void."""
    order = line.entries[0].order
    if order is None or not order.not_void:
        return set()
    shots = set()
    for event in line.events:
        if isinstance(event, happened.Lost) and event.credit is not None:
            shots.add(event.credit.shot)
    return shots


def _later(play: BattlePlay, line: BattleLine) -> Iterator[BattleLine]:
    """The valid lines after this one."""
    for later in lines(play):
        if later.number > line.number and not later.void:
            yield later


def _grouped(entries: Iterable[BattleEntry]) -> list[list[BattleEntry]]:
    """The entries of each line. An answer continues the line of its shot, even if an order that
    stands beside it, such as a note, came between."""
    groups: list[list[BattleEntry]] = []
    for entry in entries:
        continued = None
        if entry.kind == "order" and _goes_on(entry.order):
            continued = _last_not_beside(groups)
        if continued is not None:
            continued.append(entry)
        else:
            groups.append([entry])
    return groups


def _last_not_beside(groups: Sequence[list[BattleEntry]]) -> list[BattleEntry] | None:
    """The line that an answer continues; None if nothing that can be continued is before it."""
    for group in reversed(groups):
        if not _is_beside(group[0].order):
            # An answer continues an order, or the opening, which may wait for lots to be drawn.
            if group[0].kind in ("order", "open"):
                return group
            # After an undo an answer begins a line of its own.
            return None
    return None


def _goes_on(order: AnyOrder | None) -> bool:
    """Whether the order continues the line of an earlier one. A volley whose hits are counted anew
    makes a line by itself."""
    if order is None or order.in_journal != "goes on":
        return False
    return not (isinstance(order, CountHits) and order.anew)


def _is_beside(order: AnyOrder | None) -> bool:
    """Whether the order stands beside the line of a shot, such as a note, and does not end it."""
    return order is not None and order.in_journal == "beside"


def _tail(acts: Sequence[BattleEntry], count: int) -> Sequence[BattleEntry]:
    """The acts of the last ``count`` lines, and what stands beside them."""
    # How many lines begin among the acts from ``index`` on.
    begun = 0
    for index in range(len(acts) - 1, -1, -1):
        act = acts[index]
        if act.kind != "void" and not (_goes_on(act.order) or _is_beside(act.order)):
            begun += 1
        if begun == count:
            return acts[index:]
    return acts


def _with_names(state: State, entries: Iterable[BattleEntry]) -> State:
    """The state with the names of all pieces that these entries ever added."""
    added = _added(entries)
    if not added:
        return state
    return msgspec.structs.replace(state, added={**added, **state.added})


def _added(entries: Iterable[BattleEntry]) -> dict[str, Piece]:
    """The pieces that these entries added, by their ids."""
    pieces: dict[str, Piece] = {}
    for entry in entries:
        for event in entry.events:
            if isinstance(event, happened.Added):
                pieces |= {piece.id: piece for piece in event.pieces}
    return pieces


def _subjects(line: BattleLine) -> set[str]:
    """The pieces and shots (``shot 3``) that a line is about."""
    subjects = {shot_name(shot) for shot in line.judged_again}
    for event in line.events:
        subjects |= event.subjects()
    return subjects


def known_next(play: BattlePlay, side: str) -> tuple[Draw, ...]:
    """The next draws of a side that are known already: they were drawn before, and that was undone.
    The program's deck or die gives them again."""
    state = play.state
    source_side = state.setup.source_of(side)
    source = state.sources[source_side]
    drawn_in = _entries_of_draws(play)
    seen_before: list[Draw] = []
    while _has_next(source):
        draw = source.peek(DECK, DIE)
        nth = len(source.gone)
        if source.kind == "die":
            nth = source.rolls
        draw_key = DrawSeen(source_side, source.shuffles, source.aside, nth, draw)
        entry = drawn_in.get(draw_key)
        if entry is None or not _was_undone(play, side, entry):
            break  # nobody has seen it
        seen_before.append(draw)
        source = source.drawn(draw)
    return tuple(seen_before)


def _was_undone(play: BattlePlay, side: str, entry: int) -> bool:
    """Whether the draw in that entry came from the present deck or die of a side, and was undone.
    If not, it only happens to equal the draw to come."""
    still_stands = play.state_after(entry) is not None
    is_of_present_source = entry >= _present_source_since(play, side)
    return is_of_present_source and not still_stands


def _has_next(source: Source) -> bool:
    """Whether the program knows a next draw: not of the players' own cards or dice, nor of a deck
    that is used up."""
    if source.typed:
        return False
    return source.kind == "die" or bool(source.left(DECK))


def _present_source_since(play: BattlePlay, side: str) -> int:
    """The entry since which the side draws from its present deck or die. A side that from then on
    uses the program otherwise (``LevelSet``) gets a new one."""
    source_of = play.state.setup.source_of
    begun = 0  # with the opening, before all entries
    for act in play.live:
        for event in act.events:
            if isinstance(event, LevelSet) and source_of(event.side) == source_of(side):
                begun = act.number
    return begun


def _entries_of_draws(play: BattlePlay) -> dict[DrawSeen, int]:
    """The last entry in which each draw was made."""
    memory = _MEMORY.setdefault(play, _Memory())
    entries = play.entries
    for entry in entries[memory.read :]:
        for event in entry.events:
            if isinstance(event, DrawMade):
                draw_key = DrawSeen(event.source, event.shuffle, event.aside, event.nth, event.draw)
                memory.drawn[draw_key] = entry.number
    memory.read = len(entries)
    return memory.drawn
