"""A row of a battle in words: who fires, rides, hides, waits, is pinned or lost.

Nothing is left out here: a state that its viewer may see is passed on (``battle/view.py``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from skirmish.games.plastic.battle.names import piece_code, weapon_of_piece
from skirmish.games.plastic.battle.orders.casualties import WEAPON_SLOTS
from skirmish.games.plastic.battle.rows import Row, find_row, row_of
from skirmish.games.plastic.battle.state import State


def inside_words(state: State, carrier: str) -> str:
    """The known riders of a model, counted by the letters of their rows: ``10r 2m``. Riders whose
    row the viewer does not know are counted as ``?``."""
    counts: Counter[str] = Counter()
    for rider in state.riders_of(carrier):
        row = find_row(state, row_of(state, rider))
        if row:
            counts[row.letter] += 1
        else:
            counts["?"] += 1
    return " ".join(f"{count}{letter}" for letter, count in counts.items())


def condition(state: State, piece: str) -> str:
    """What tells a model from others of its row: its riders and its damage."""
    parts = []
    riders = inside_words(state, piece)
    if riders:
        parts.append(riders)
    elif state.unit(piece).seats:
        # It is known to be empty only if a player has recorded who is aboard.
        if piece in state.recorded:
            parts.append("empty")
        else:
            parts.append("load unknown")
    if piece in state.unserved:
        parts.append("not served")
    if any(weapon_of_piece(piece, slot) in state.disarmed for slot in WEAPON_SLOTS):
        parts.append("disarmed")
    if not parts:
        return "undamaged"
    return ", ".join(parts)


ROOM_FOR_ALL = 400
"""More columns than the facts of any row take, for places that have room for all of them."""
READY, UNARMED = "ready", "unarmed"
"""The usual readiness of a row, which ``note`` leaves out."""


def row_status(state: State, row: Row, room: int = ROOM_FOR_ALL) -> str:
    """The important facts about a row in at most ``room`` columns, the most important first."""
    return _joined(_facts(state, row, room), room)


def status_beside_ready(state: State, row: Row) -> str:
    """The important facts about a row, for a place beside a sentence that already says how many
    can fire."""
    facts = list(_facts(state, row, ROOM_FOR_ALL))
    if row.ready_count:
        facts = [fact for fact in facts if not fact.is_readiness]
    return _joined(facts, ROOM_FOR_ALL)


class RowFact(NamedTuple):
    """A fact about a row."""

    text: str
    shorter: str = ""
    """Fewer words for it, where there is no room for the text; empty if there are none."""
    is_readiness: bool = False
    """Whether it says who can still fire."""
    is_usual: bool = False
    """Whether ``note``, which has only what is unusual, leaves it out."""


def _joined(facts: Iterable[RowFact], room: int) -> str:
    """The facts with commas between them, as many as fit in ``room`` columns. A fact that does not
    fit is left out, and a later one that does still follows."""
    joined = ""
    for fact in facts:
        for words in (fact.text, fact.shorter):
            longer = words
            if joined:
                longer = f"{joined}, {words}"
            if words and len(longer) <= room:
                joined = longer
                break
    return joined


def _facts(state: State, row: Row, room: int) -> Iterator[RowFact]:
    """The facts about a row, the most important first. The riders of its models are named by their
    rows if that takes no more than ``room`` columns."""
    unserved = [piece for piece in row.here if piece in state.unserved]
    if unserved:
        # The scenario whose units need service has tanks without fuel, which trucks bring. Until a
        # tank is fuelled, nothing else about it matters.
        yield RowFact(f"{len(row.here) - len(unserved)} of {len(row.here)} fuelled")
        return
    if row.waiting:
        yield RowFact(f"{len(row.waiting)} to arrive")
    # Before readiness: who is not there cannot be ready.
    if row.hidden:
        yield RowFact(f"{len(row.hidden)} hidden")
    # These are groups of men, not single men.
    if row.pinned == 1:
        yield RowFact("PINNED")
    elif row.pinned > 1:
        yield RowFact(f"{row.pinned} PINNED")
    inside = _inside(state, row, room)
    if inside:
        yield RowFact(inside)
    readiness = _readiness(row, carries=bool(inside))
    if readiness:
        is_usual = readiness in (READY, UNARMED)
        yield RowFact(readiness, is_readiness=True, is_usual=is_usual)
    if row.aboard:
        yield RowFact(_where_aboard(state, row), f"{len(row.aboard)} aboard")
    if row.exited:
        yield RowFact(f"{row.exited} exited")


def _readiness(row: Row, *, carries: bool) -> str:
    """How many can still fire, or ``fired`` if none can; empty where either would be no news.
    ``carries``: riders are named beside it."""
    if not row.weapons:
        # A truck with its load named is plainly one that does not fire.
        if carries:
            return ""
        return UNARMED
    if row.ready_count == len(row.here):
        return READY
    if row.ready_count:
        return f"{row.ready_count} ready"
    # Riders cannot fire: if all are aboard, that nobody is ready does not mean that they have.
    all_aboard = bool(row.aboard) and len(row.aboard) == len(row.here)
    if all_aboard:
        return ""
    return "fired"


def _where_aboard(state: State, row: Row) -> str:
    """The carriers of the pieces of a row: ``3 aboard K1, 2 aboard K2``."""
    riding = Counter(state.aboard[piece] for piece in row.aboard)
    parts = []
    # All carriers of the battle, so that every row names them in the same order.
    for carrier in dict.fromkeys(state.aboard.values()):
        if riding[carrier]:
            parts.append(f"{riding[carrier]} aboard {piece_code(carrier)}")
    return ", ".join(parts)


def _inside(state: State, row: Row, room: int) -> str:
    """Who rides in the models of a row, or only how many do if that takes more than ``room``
    columns; empty if nobody is known to."""
    if not row.unit.seats:
        return ""
    loaded = [piece for piece in row.here if state.riders_of(piece)]
    if not loaded:
        is_known = all(piece in state.recorded for piece in row.here)
        if is_known:
            return "empty"
        return ""
    if len(row.here) == 1:
        inside = inside_words(state, loaded[0])
    else:
        inside = ", ".join(f"{piece_code(piece)} {inside_words(state, piece)}" for piece in loaded)
    if len(inside) <= room:
        return inside
    riders = sum(len(state.riders_of(piece)) for piece in loaded)
    return f"{riders} aboard"


def note(state: State, row: Row) -> str:
    """What is unusual about a row: who cannot fire, and who is not in the open on the table. Empty
    if nothing is."""
    if not row.alive:
        if row.exited:
            return f"{row.exited} exited"
        return "all lost"
    all_wait = not row.here  # who is on the table counts as here, be he aboard or hidden
    if all_wait:
        return f"arrive turn {row.contingent.enters}"
    exceptions = [fact for fact in _facts(state, row, ROOM_FOR_ALL) if not fact.is_usual]
    return _joined(exceptions, ROOM_FOR_ALL)
