"""A battle as it stands, in words: its rows, who is inside of what, what matters of each."""

from __future__ import annotations

from collections.abc import Iterator

from skirmish.games.plastic.battle.names import piece_code, weapon_slot
from skirmish.games.plastic.battle.rows import Row, find, row_of
from skirmish.games.plastic.battle.state import State


def inside_words(state: State, carrier: str) -> str:
    """``10r 2m``: who is known to be inside of a model, by the letters of their rows."""
    counts: dict[str, int] = {}
    for rider in state.riders_of(carrier):
        row = find(state, row_of(state, rider))
        letter = row.letter if row else "?"
        counts[letter] = counts.get(letter, 0) + 1
    return " ".join(f"{count}{letter}" for letter, count in counts.items())


def condition(state: State, piece: str) -> str:
    """What makes a model differ from others of its row: who is in it, what it has lost."""
    parts = []
    if riders := inside_words(state, piece):
        parts.append(riders)
    elif state.setup.unit(state.unit_of(piece)).seats:
        parts.append("empty" if piece in state.recorded else "load unknown")
    if piece in state.unserved:
        parts.append("not served")
    if any(weapon_slot(piece, slot) in state.disarmed for slot in range(2)):
        parts.append("disarmed")
    return ", ".join(parts) or "undamaged"


def status(state: State, row: Row, room: int = 400) -> str:
    """What matters of a row in at most ``room`` columns, the most telling first."""
    said = ""
    for part in _parts(state, row, room):
        short = part.partition(" aboard ")[0] + " aboard" if " aboard " in part else part
        for words in (part, short):  # where they sit is said if there is room
            longer = f"{said}, {words}" if said else words
            if len(longer) <= room:
                said = longer
                break
    return said


def _parts(state: State, row: Row, room: int) -> Iterator[str]:
    unserved = [piece for piece in row.here if piece in state.unserved]
    if unserved:
        yield f"{len(row.here) - len(unserved)} of {len(row.here)} fuelled"
        return
    if row.waiting:
        yield f"{len(row.waiting)} to arrive"
    if row.hidden:  # before all else: who is not there cannot be ready
        yield f"{len(row.hidden)} hidden"
    if row.pinned:
        yield "PINNED" if row.pinned == 1 else f"{row.pinned} PINNED"
    inside = _inside(state, row, room)
    if inside:
        yield inside
    if not row.weapons:
        yield from () if inside else ("unarmed",)
    elif row.ready_count == len(row.here):
        yield "ready"
    elif row.ready_count:
        yield f"{row.ready_count} ready"
    elif not row.aboard or len(row.aboard) < len(row.here):
        yield "fired"
    if row.aboard:
        carriers = list(dict.fromkeys(piece_code(state.aboard[piece]) for piece in row.aboard))
        into = f" {carriers[0]}" if len(carriers) == 1 else ""
        yield f"{len(row.aboard)} aboard{into}"
    if row.exited:
        yield f"{row.exited} exited"


def _inside(state: State, row: Row, room: int) -> str:
    """Who is inside: of each model where there is room, else how many in all."""
    if not row.unit.seats:
        return ""
    loaded = [piece for piece in row.here if state.riders_of(piece)]
    if not loaded:
        return "empty" if all(piece in state.recorded for piece in row.here) else ""
    each = " ".join(f"{piece_code(p)} {inside_words(state, p)}" for p in loaded)
    if len(row.here) == 1:
        each = inside_words(state, loaded[0])
    if len(each) <= room:
        return each
    return f"{sum(len(state.riders_of(piece)) for piece in loaded)} aboard"
