"""The journal as players read it: a shot, its typed card, its casualties and its repeat shots are
several entries in one line, which is made void as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from weakref import WeakKeyDictionary

import msgspec

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.events import AnyEvent, Drawn, LevelSet
from skirmish.games.plastic.battle.narrative import narrate
from skirmish.games.plastic.battle.orders import AnyOrder, CountHits
from skirmish.games.plastic.battle.record import BattleEntry, BattlePlay
from skirmish.games.plastic.battle.setup import Piece
from skirmish.games.plastic.battle.state import OfAShot, State
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.refusal import Refusal


class Line(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """``state`` supplies the names. ``undone``: it was taken back."""

    entries: tuple[BattleEntry, ...]
    state: State
    struck: bool = False
    undone: bool = False

    @property
    def number(self) -> int:
        return self.entries[0].number

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(entry.number for entry in self.entries)

    @property
    def events(self) -> list[AnyEvent]:
        return [event for entry in self.entries for event in entry.events]

    @cached_property
    def text(self) -> str:
        first = self.entries[0]
        if first.kind in _STEPS:
            return _STEPS[first.kind].format(", ".join(map(str, first.of)))
        return narrate(self.events, self.state)


_STEPS = {
    "undo": "Undone.",
    "redo": "Redone.",
    "void": "Made void: {}.",
    "back": "Went back to {}.",
}


def lines(play: BattlePlay, last: int | None = None) -> tuple[Line, ...]:
    """Oldest first, including struck lines; with ``last``, only that many."""
    acts = play.acts
    tail = acts if last is None else _tail(acts, last)
    groups = _grouped(act for act in tail if act.kind != "void")[-(last or len(acts)) :]
    struck = play.struck
    void = [act for act in acts if act.number in struck] if struck else []
    known = _known_lines(play, _knowing(play.state, void))
    return tuple(known(tuple(group), group[0].number in struck) for group in groups)


def _known_lines(play: BattlePlay, state: State) -> Callable[[tuple[BattleEntry, ...], bool], Line]:
    """Reuses each line while the names in it are unchanged."""
    memory = _MEMORY.setdefault(play, _Memory())
    names, memory.names = memory.names, state
    if names is None or (names.setup, names.added) != (state.setup, state.added):
        memory.lines.clear()

    def line(entries: tuple[BattleEntry, ...], struck: bool) -> Line:
        known = memory.lines.get(entries[0].number)
        if known is None or known.entries != entries or known.struck != struck:
            known = Line(entries=entries, state=state, struck=struck)
            memory.lines[known.number] = known
        return known

    return line


class _Memory:
    """Lines by number under the present ``names``, and the draws of the entries ``read``."""

    def __init__(self) -> None:
        self.lines: dict[int, Line] = {}
        self.names: State | None = None
        self.read = 0
        self.drawn: dict[tuple[str, int, Draw | None, int, Draw], int] = {}


_MEMORY: WeakKeyDictionary[BattlePlay, _Memory] = WeakKeyDictionary()


def whole_journal(play: BattlePlay) -> tuple[Line, ...]:
    """All lines, including those taken back."""
    state, struck = _knowing(play.state, play.entries), play.struck
    standing = {act.number for act in play.acts}
    return tuple(
        Line(
            entries=tuple(group),
            state=state,
            struck=group[0].number in struck,
            undone=group[0].kind in ("order", "void") and group[0].number not in standing,
        )
        for group in _grouped(play.entries)
    )


def why_not_void(play: BattlePlay, line: Line) -> Refusal | None:
    first, why = line.entries[0], ""
    if line.struck:
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
    elif again := [one.number for one in later if shots & _judged_again(one)]:
        why = f"Line {again[-1]} judges this again, and would stand without it. Make line "
        why += f"{again[-1]} void first, then this one."
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


def dependents(play: BattlePlay, line: Line) -> tuple[Line, ...]:
    """Later lines about the same shots or pieces: they stand, but should be checked."""
    about = _touched(line)
    return tuple(other for other in _later(play, line) if about & _touched(other))


def _judged_again(line: Line) -> set[int]:
    recalled = (one for one in line.events if isinstance(one, happened.Recalled))
    return {shot for one in recalled for shot in (one.shot, *one.chain)}


def _settled(line: Line) -> set[int]:
    """Shots whose casualties were settled as proposed, by a line that cannot be made void."""
    order = line.entries[0].order
    if order is None or not order.not_void:
        return set()
    lost = (one.credit for one in line.events if isinstance(one, happened.Lost))
    return {credit.shot for credit in lost if credit}


def _later(play: BattlePlay, line: Line) -> Iterator[Line]:
    return (one for one in lines(play) if one.number > line.number and not one.struck)


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


def _touched(line: Line) -> set[str]:
    found = {f"shot {shot}" for shot in _judged_again(line)}
    for event in line.events:
        found |= {getattr(event, name) for name in ("piece", "carrier") if hasattr(event, name)}
        for name in ("pieces", "riders", "back"):
            found |= {getattr(one, "id", one) for one in getattr(event, name, ())}
        match event:
            case happened.Aimed(shot=shot):
                found |= {shot.piece, f"shot {shot.id}"}
            case happened.Judged(shot=shot) | happened.HitsCounted(shot=shot):
                found.add(f"shot {shot.id}")
            case happened.Lost(credit=credit) if credit:
                found.add(f"shot {credit.shot}")
    return found


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
            if isinstance(one, Drawn):
                memory.drawn[one.source, one.shuffle, one.aside, one.nth, one.draw] = entry.number
    memory.read = len(entries)
    return memory.drawn
