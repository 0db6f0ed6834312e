"""The journal as players read it: a shot, its typed card, its casualties and its repeat shots are
several entries in one line, which is made void as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias
from weakref import WeakKeyDictionary

import msgspec

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.names import row_side
from skirmish.games.plastic.battle.narrative import narrate
from skirmish.games.plastic.battle.orders import AnyOrder, CountHits
from skirmish.games.plastic.battle.orders.firing import Fire
from skirmish.games.plastic.battle.orders.resolution import OrderOfRow, OrderOfSide
from skirmish.games.plastic.battle.pieces import Piece
from skirmish.games.plastic.battle.record import BattleEntry, BattlePlay
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import ShotEvent, State
from skirmish.tabletop.game import JournalLine
from skirmish.tabletop.journal import Play


class BattleLine(JournalLine, frozen=True, kw_only=True):
    """A line of a battle's journal, with the entries that it consists of."""

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
        """The side of an order that names its shooter, its row or the side itself; None for the
        others, such as those of the clock."""
        order = self.entries[0].order
        if isinstance(order, Fire):
            return row_side(order.shooter)
        if isinstance(order, OrderOfRow):
            return row_side(order.row)
        if isinstance(order, OrderOfSide):
            return order.side
        return None

    @property
    def shots_judged_again(self) -> set[int]:
        """The numbers of the shots that it judges again, and of the repeat shots after them that it
        takes back."""
        shots: set[int] = set()
        for event in self.events:
            if isinstance(event, happened.Recalled):
                shots |= {event.shot, *event.chain}
        return shots

    @property
    def shots(self) -> set[int]:
        """The numbers of the shots that it is about."""
        return {event.shot.id for event in self.events if isinstance(event, ShotEvent)}


_TEXTS_WITHOUT_ORDER = {
    "undo": "Undone.",
    "redo": "Redone.",
    "void": "Made void: {}.",
    "back": "Went back to {}.",
}
"""The text of an entry that is no order, by its kind; the blank is for the numbers of the entries
that it is about."""
_LINES_TO_LOOK_AT = 3
"""Among how many lines the last one that is not void is looked for at first. Rarely are so many
void in a row, and to make all lines takes time."""
EntryNumbers: TypeAlias = tuple[int, ...]
"""The numbers of the entries of a line."""


class _TextsOfLines:
    """The texts of lines that are worded already, by the numbers of their entries. They are right
    as long as no name changes: the names are in ``setup`` and in the pieces ``added``."""

    def __init__(self) -> None:
        self.setup: Setup | None = None
        self.added: Mapping[str, Piece] = {}
        self.texts: dict[EntryNumbers, str] = {}


_TEXTS_OF_PLAYS: WeakKeyDictionary[BattlePlay, _TextsOfLines] = WeakKeyDictionary()
"""For each battle that is open, as long as it is: screens ask for its lines at every key."""


def lines(play: BattlePlay, last: int | None = None) -> tuple[BattleLine, ...]:
    """The lines of the journal, the oldest first, including void ones but not what was undone.
    ``last``: how many of the last lines; None: all."""
    # The opening, orders and voids that were not undone.
    acts: Sequence[BattleEntry] = play.acts
    if last is not None:
        acts = _tail(acts, last)
    groups = _grouped(act for act in acts if act.kind != "void")
    if last is not None:
        groups = groups[-last:]
    # A void line may name pieces that only it had added, which the present state does not know.
    void_entries: list[BattleEntry] = []
    # Most battles have no void line: then the journal, which may be long, is not searched.
    if play.struck:
        void_entries = [act for act in play.acts if act.number in play.struck]
    naming_state = _with_names(play.state, void_entries)
    texts = _remembered_texts(play, naming_state)
    return tuple(_worded_lines(play, groups, naming_state, texts))


def last_line(play: BattlePlay) -> BattleLine | None:
    """The last line of the journal that is not void; None if all are."""
    for line in reversed(lines(play, _LINES_TO_LOOK_AT)):
        if not line.void:
            return line
    # It is further back, so all lines are made after all.
    for line in reversed(lines(play)):
        if not line.void:
            return line
    return None


def last_events(play: BattlePlay) -> list[AnyEvent]:
    """The events of the last line of the journal that is not void; none if all are."""
    line = last_line(play)
    if line is None:
        return []
    return line.events


def _remembered_texts(play: BattlePlay, naming_state: State) -> dict[EntryNumbers, str]:
    """The texts of lines that are worded already. Once a name has changed they are forgotten, since
    every line calls the units by their present names."""
    remembered = _TEXTS_OF_PLAYS.setdefault(play, _TextsOfLines())
    if remembered.setup != naming_state.setup or remembered.added != naming_state.added:
        remembered.setup = naming_state.setup
        remembered.added = naming_state.added
        remembered.texts = {}
    return remembered.texts


def whole_journal(play: BattlePlay) -> tuple[BattleLine, ...]:
    """All lines, also those that were undone, and what undid them."""
    naming_state = _with_names(play.state, play.entries)
    return tuple(_worded_lines(play, _grouped(play.entries), naming_state, {}))


def _worded_lines(
    play: BattlePlay,
    groups: list[list[BattleEntry]],
    naming_state: State,
    texts: dict[EntryNumbers, str],
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
        # A play as one side sees it conceals parts of each state that it is asked for. That takes
        # time, and the turn is no secret, so the method of ``Play`` itself is called.
        after = Play.state_after(play, first.number)
        # Without a state the line has the turn of the line before it.
        if after is not None:
            turn = after.clock.turn
        # Undos and the like have no state either, but only orders and voids can be undone.
        can_be_undone = first.kind in ("order", "void")
        yield BattleLine(
            turn=turn,
            entry_numbers=numbers,
            text=texts[numbers],
            void=first.number in play.struck,
            undone=can_be_undone and after is None,
            entries=tuple(entries),
        )


def _text(entries: Sequence[BattleEntry], naming_state: State) -> str:
    """The text of the line of these entries."""
    first = entries[0]
    if first.kind in _TEXTS_WITHOUT_ORDER:
        numbers = ", ".join(str(number) for number in first.targets)
        return _TEXTS_WITHOUT_ORDER[first.kind].format(numbers)
    events: list[AnyEvent] = []
    for entry in entries:
        events += entry.events
    return narrate(events, naming_state)


def _grouped(entries: Iterable[BattleEntry]) -> list[list[BattleEntry]]:
    """The entries of each line. An answer continues the line of its shot, even if an order that
    stands beside it, such as a note, came between."""
    groups: list[list[BattleEntry]] = []
    for entry in entries:
        continued_group = None
        if entry.kind == "order" and _continues(entry.order):
            continued_group = _group_to_continue(groups)
        if continued_group is not None:
            continued_group.append(entry)
        else:
            groups.append([entry])
    return groups


def _group_to_continue(groups: Sequence[list[BattleEntry]]) -> list[BattleEntry] | None:
    """The entries of the line that an answer continues; None if it begins a line of its own."""
    for group in reversed(groups):
        if not _is_beside(group[0].order):
            # An answer continues an order, or the opening, which may wait for lots to be drawn.
            if group[0].kind in ("order", "open"):
                return group
            # After an undo an answer begins a line of its own.
            return None
    return None


def _continues(order: AnyOrder | None) -> bool:
    """Whether the order continues the line of an earlier one."""
    if order is None or order.in_journal != "goes on":
        return False
    # A volley whose hits are counted again makes a line by itself.
    is_counted_again = isinstance(order, CountHits) and order.is_correction
    return not is_counted_again


def _is_beside(order: AnyOrder | None) -> bool:
    """Whether the order, such as a note, may come within the line of a shot without ending it."""
    return order is not None and order.in_journal == "beside"


def _tail(acts: Sequence[BattleEntry], count: int) -> Sequence[BattleEntry]:
    """The acts of the last ``count`` lines, and the orders beside them, such as notes; all acts if
    there are fewer lines."""
    lines_begun = 0
    for index in reversed(range(len(acts))):
        act = acts[index]
        # An order beside a shot has a line of its own, but is not counted: the answers after it may
        # continue a shot before it. If that gives more lines than ``count``, ``lines`` leaves out
        # the first ones.
        begins_a_line = not _continues(act.order) and not _is_beside(act.order)
        if act.kind != "void" and begins_a_line:
            lines_begun += 1
        if lines_begun == count:
            return acts[index:]
    return acts


def _with_names(state: State, entries: Iterable[BattleEntry]) -> State:
    """The state, with the pieces that these entries ever added, so that it knows their names."""
    added = added_pieces(entries)
    if not added:
        return state
    # A piece that was added again after a void is named as it is now.
    return msgspec.structs.replace(state, added={**added, **state.added})


def added_pieces(entries: Iterable[BattleEntry]) -> dict[str, Piece]:
    """The pieces that these entries added, by their ids."""
    pieces: dict[str, Piece] = {}
    for entry in entries:
        for event in entry.events:
            if isinstance(event, happened.Added):
                pieces |= {piece.id: piece for piece in event.pieces}
    return pieces
