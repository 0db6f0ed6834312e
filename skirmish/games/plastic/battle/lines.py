"""The journal as players read it: a shot, its typed card, its casualties and its repeat shots are
several entries in one line, which is made void as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias
from weakref import WeakKeyDictionary

import msgspec

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.events import AnyEvent, DrawMade, LevelSet
from skirmish.games.plastic.battle.narrative import narrate
from skirmish.games.plastic.battle.orders import AnyOrder, CountHits
from skirmish.games.plastic.battle.record import BattleEntry, BattlePlay
from skirmish.games.plastic.battle.setup import Piece, Setup
from skirmish.games.plastic.battle.state import OfAShot, State
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.game import JournalLine
from skirmish.tabletop.journal import Play
from skirmish.tabletop.refusal import Refusal


class BattleLine(JournalLine, frozen=True, kw_only=True):
    entries: tuple[BattleEntry, ...]

    @property
    def events(self) -> list[AnyEvent]:
        return [event for entry in self.entries for event in entry.events]


_STEPS = {
    "undo": "Undone.",
    "redo": "Redone.",
    "void": "Made void: {}.",
    "back": "Went back to {}.",
}


def lines(play: BattlePlay, last: int | None = None) -> tuple[BattleLine, ...]:
    """Oldest first, including void lines; with ``last``, only that many."""
    acts, struck = play.acts, play.struck
    tail = acts if last is None else _tail(acts, last)
    groups = _grouped(act for act in tail if act.kind != "void")[-(last or len(acts)) :]
    void = [act for act in acts if act.number in struck] if struck else []
    names = _knowing(play.state, void)
    memory = _MEMORY.setdefault(play, _Memory())
    if (memory.setup, memory.added) != (names.setup, names.added):
        memory.setup, memory.added, memory.texts = names.setup, names.added, {}
    return tuple(_worded(play, groups, names, memory.texts))


def whole_journal(play: BattlePlay) -> tuple[BattleLine, ...]:
    return tuple(_worded(play, _grouped(play.entries), _knowing(play.state, play.entries), {}))


def _worded(
    play: BattlePlay, groups: list[list[BattleEntry]], names: State, texts: dict[Numbers, str]
) -> Iterator[BattleLine]:
    """``names`` are those of all pieces; the ``texts`` that are known already are used again."""
    struck, turn = play.struck, 1
    for group in groups:
        first, numbers = group[0], tuple(entry.number for entry in group)
        if (text := texts.get(numbers)) is None:
            events = [event for entry in group for event in entry.events]
            step = _STEPS.get(first.kind, "").format(", ".join(map(str, first.of)))
            text = texts[numbers] = step or narrate(events, names)
        after = Play.state_after(play, first.number)  # its turn is no secret
        turn = after.clock.turn if after else turn
        yield BattleLine(
            turn=turn,
            numbers=numbers,
            text=text,
            void=first.number in struck,
            undone=after is None and first.kind in ("order", "void"),
            entries=tuple(group),
        )


Numbers: TypeAlias = tuple[int, ...]


class _Memory:
    """The texts of lines by their numbers, under the present names of ``setup`` and of the pieces
    ``added``; and the draws of the entries ``read``."""

    def __init__(self) -> None:
        self.setup: Setup | None = None
        self.added: Mapping[str, Piece] = {}
        self.texts: dict[Numbers, str] = {}
        self.read = 0
        self.drawn: dict[tuple[str, int, Draw | None, int, Draw], int] = {}


_MEMORY: WeakKeyDictionary[BattlePlay, _Memory] = WeakKeyDictionary()


def why_not_void(play: BattlePlay, line: BattleLine) -> Refusal | None:
    first, why = line.entries[0], ""
    if line.void:
        return Refusal("struck", "This line is already void.", firm=True)
    if first.kind == "open":
        return Refusal("opening", "The opening cannot be made void.", firm=True)
    if first.order and first.order.not_void:
        return Refusal("clockwork", first.order.not_void, firm=True)
    added = _added(line.entries).keys()
    shots = {one.shot.id for one in line.events if isinstance(one, OfAShot)}
    later = [*_later(play, line)] if added or shots else []
    if using := [one.number for one in later if added & _touched(one)]:
        why = f"Line {using[0]} is about units that this line added, so it stays. Make line "
        why += f"{using[0]} void first, or take them off with -."
    elif settled := [one.number for one in later if shots & _settled(one)]:
        why = f"Line {settled[0]} ended the phase or turn and removed who was hit here, so this "
        why += f"line stays. Put the dead back with +, or go back to before line {settled[0]}."
    if why:
        return Refusal("in_use", why, firm=True)
    waiting = play.state.ask is not None or play.state.agenda
    if waiting and play.acts[-1].number in line.numbers:
        text = "This is not finished yet; Backspace takes it back."
        return Refusal("unfinished", text, firm=True)
    return None


def dependents(play: BattlePlay, line: BattleLine) -> tuple[BattleLine, ...]:
    """Later lines about the same shots or pieces: they stand, but should be checked."""
    about = _touched(line)
    gone = {one.number for one in judgments_of(play, line)}
    return tuple(
        other
        for other in _later(play, line)
        if about & _touched(other) and other.number not in gone
    )


def judgments_of(play: BattlePlay, line: BattleLine) -> tuple[BattleLine, ...]:
    """The later lines that judge shots of a line again: they become void with it."""
    shots = {one.shot.id for one in line.events if isinstance(one, OfAShot)}
    if not shots:
        return ()
    return tuple(one for one in _later(play, line) if shots & _judged_again(one))


def _judged_again(line: BattleLine) -> set[int]:
    recalled = (one for one in line.events if isinstance(one, happened.Recalled))
    return {shot for one in recalled for shot in (one.shot, *one.chain)}


def _settled(line: BattleLine) -> set[int]:
    """Shots whose casualties were settled as proposed, by a line that cannot be made void."""
    order = line.entries[0].order
    if order is None or not order.not_void:
        return set()
    lost = (one.credit for one in line.events if isinstance(one, happened.Lost))
    return {credit.shot for credit in lost if credit}


def _later(play: BattlePlay, line: BattleLine) -> Iterator[BattleLine]:
    return (one for one in lines(play) if one.number > line.number and not one.void)


def _grouped(entries: Iterable[BattleEntry]) -> list[list[BattleEntry]]:
    groups: list[list[BattleEntry]] = []
    for entry in entries:
        if entry.kind == "order" and _goes_on(entry.order):
            group = next((one for one in reversed(groups) if not _is_beside(one[0].order)), None)
            if group and group[0].kind in ("order", "open"):
                group.append(entry)
                continue
        groups.append([entry])
    return groups


def _goes_on(order: AnyOrder | None) -> bool:
    recount = isinstance(order, CountHits) and order.anew
    return order is not None and order.in_journal == "goes on" and not recount


def _is_beside(order: AnyOrder | None) -> bool:
    return order is not None and order.in_journal == "beside"


def _tail(acts: Sequence[BattleEntry], count: int) -> Sequence[BattleEntry]:
    begun = 0
    for index in range(len(acts) - 1, -1, -1):
        act = acts[index]
        begun += act.kind != "void" and not (_goes_on(act.order) or _is_beside(act.order))
        if begun == count:
            return acts[index:]
    return acts


def _knowing(state: State, entries: Iterable[BattleEntry]) -> State:
    added = _added(entries)
    return msgspec.structs.replace(state, added={**added, **state.added}) if added else state


def _added(entries: Iterable[BattleEntry]) -> dict[str, Piece]:
    return {
        piece.id: piece
        for entry in entries
        for event in entry.events
        if isinstance(event, happened.Added)
        for piece in event.pieces
    }


def _touched(line: BattleLine) -> set[str]:
    found = {f"shot {shot}" for shot in _judged_again(line)}
    return found.union(*(event.touched() for event in line.events))


def known_next(play: BattlePlay, side: str) -> tuple[Draw, ...]:
    """The next draws of the side's source that were already seen before an undo."""
    state = play.state
    name = state.setup.source_of(side)
    source, drawn = state.sources[name], _drawn(play)
    known: list[Draw] = []
    while not source.typed and (source.kind == "die" or source.left(DECK)):
        draw = source.peek(DECK, DIE)
        at = source.rolls if source.kind == "die" else len(source.gone)
        entry = drawn.get((name, source.shuffles, source.aside, at, draw))
        if entry is None or play.state_after(entry) is not None or entry < _begun(play, side):
            break
        known.append(draw)
        source = source.drawn(draw)
    return tuple(known)


def _begun(play: BattlePlay, side: str) -> int:
    """The entry since which the side draws from its present deck or die."""
    source_of = play.state.setup.source_of
    begun = 0
    for act in play.live:
        for one in act.events:
            if isinstance(one, LevelSet) and source_of(one.side) == source_of(side):
                begun = act.number
    return begun


def _drawn(play: BattlePlay) -> dict[tuple[str, int, Draw | None, int, Draw], int]:
    """The last entry in which each draw was made."""
    memory, entries = _MEMORY.setdefault(play, _Memory()), play.entries
    for entry in entries[memory.read :]:
        for one in entry.events:
            if isinstance(one, DrawMade):
                memory.drawn[one.source, one.shuffle, one.aside, one.nth, one.draw] = entry.number
    memory.read = len(entries)
    return memory.drawn
