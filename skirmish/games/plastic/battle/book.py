"""The book kept right by hand: losses without a shot, pieces that were forgotten, notes, secrets,
and what is played from now on."""

from __future__ import annotations

from base64 import b85decode, b85encode
from typing import TYPE_CHECKING
from zlib import compress, decompressobj, error

from skirmish.games.plastic.battle import victory
from skirmish.games.plastic.battle.agenda import DrawAsk
from skirmish.games.plastic.battle.events import (
    Added,
    Commanded,
    Held,
    LevelSet,
    Noted,
    QualitySet,
    Sealed,
    Stood,
    Switched,
    Toggled,
    Unsealed,
)
from skirmish.games.plastic.battle.names import RowName, row_named
from skirmish.games.plastic.battle.orders import (
    Add,
    Command,
    Correct,
    Note,
    Seal,
    SetLevel,
    SetQuality,
    Switch,
    Unseal,
)
from skirmish.games.plastic.battle.pieces import newly_made
from skirmish.games.plastic.battle.rows import Row, find
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.options import Options
from skirmish.tabletop.refusal import Refusal, Refused, nonsense

if TYPE_CHECKING:
    from skirmish.games.plastic.battle.resolve import Resolution

LONGEST_NOTE = 500
LONGEST_NAME = 20
MOST_AT_ONCE = 99


def correct(run: Resolution, order: Correct) -> None:
    """Losses without a shot, or men who stand again. Raises Refused, with what would be true."""
    row = find(run.state, order.row)
    if row is None:
        raise nonsense("unknown_row", f"There is no row called {order.row!r}.")
    if not order.by:
        raise nonsense("nothing", "Say how many: 1 or more.")
    if order.by < 0:
        gone = -order.by
        if gone > len(row.alive):
            left = len(row.alive)
            says = f"Only {row.unit.named(left)} left, not {gone}"
            raise nonsense("too_few", f"{says}; + brings men back or adds more.")
        for piece in _first_to_go(run.state, row)[:gone]:
            run.write_off(piece)
        victory.after_loss(run)
        return
    # Of the dead, who died last was miscounted most likely; those who left come after them.
    gone_last = [*reversed(run.state.lost), *reversed(run.state.exited)]
    down = [piece for piece in gone_last if _row_key(run, piece) == order.row]
    if order.by > len(down):
        says = f"Only {row.unit.named(len(down))} lost, not {order.by}."
        raise Refused(Refusal("all_stand", says))
    for piece in down[: order.by]:
        run.emit(Stood(piece=piece))


def _first_to_go(state: State, row: Row) -> list[str]:
    """Who is taken off where nobody says whom: those in sight, empty models before loaded ones,
    then the hidden, those aboard, and those still to come."""
    there = sorted(
        row.on_foot, key=lambda piece: (piece in row.hidden, len(state.riders_of(piece)))
    )
    return [*there, *row.aboard, *row.waiting]


def add(run: Resolution, order: Add) -> None:
    """More of a row than the battle knew of. Raises Refused."""
    name = row_named(order.row)
    setup = run.state.setup
    group = setup.contingent_by_id.get(name.contingent) if name else None
    known = name is not None and (
        group is not None and group.side == name.side and name.unit in setup.catalog.units
    )
    if name is None or not known:
        raise nonsense("unknown_row", f"There is no row called {order.row!r}.")
    if not 1 <= order.count <= MOST_AT_ONCE:
        raise nonsense("bad_count", f"1 to {MOST_AT_ONCE} can be added at once, not {order.count}.")
    pieces = newly_made(run.state, name.side, name.contingent, {name.unit: order.count})
    run.emit(Added(pieces=pieces, why="by hand"))


def note(run: Resolution, order: Note) -> None:
    """Words of the players' own. Raises Refused for none, or for too many."""
    run.emit(Noted(text=_text(order.text)))


def seal(run: Resolution, order: Seal) -> None:
    """Something that a side will prove later. Raises Refused."""
    _side(run, order.side)
    run.emit(Sealed(side=order.side, envelope=enveloped(_text(order.text))))


def unseal(run: Resolution, order: Unseal) -> None:
    """Open it. Raises Refused."""
    envelope = run.state.sealed.get(order.side)
    if envelope is None:
        raise nonsense("nothing_sealed", "That side has sealed no secret.")
    run.emit(Unsealed(side=order.side, text=opened(envelope)))


def enveloped(text: str) -> str:
    """A text that no eye reads in passing: packed, not encrypted. ``opened`` undoes it."""
    return b85encode(compress(text.encode("utf-8", "replace"))).decode("ascii")


def opened(envelope: str) -> str:
    """What lies in an envelope of ``enveloped``; no more is unpacked than a note can hold. Raises
    ValueError where it is no envelope."""
    unpacking = decompressobj()
    try:
        unpacked = unpacking.decompress(b85decode(envelope), 4 * LONGEST_NOTE)
    except error:
        unpacked = b""
    if not unpacking.eof:
        raise ValueError("what is sealed cannot be opened")
    return unpacked.decode("utf-8")


def set_level(run: Resolution, order: SetLevel) -> None:
    """How a side uses the program from now on, with a fresh deck or die. Raises Refused."""
    _side(run, order.side)
    drawn_by_program = order.level == "referee"
    if drawn_by_program == order.source.typed and order.level != "ledger":
        raise nonsense(
            "bad_source", "As referee the program draws; as clerk it takes what you type."
        )
    scenario = run.state.setup.scenario
    if scenario and scenario.cards_only and order.source.kind == "die":
        raise nonsense("cards_only", "This scenario is played with cards, not dice.")
    setup = run.state.setup
    shared = setup.rulings["P23"] != "own_decks"
    for side in setup.sides if shared else [setup.side_by_id[order.side]]:
        run.emit(LevelSet(side=side.id, level=order.level, source=order.source))
    ask = run.state.ask
    if isinstance(ask, DrawAsk) and (shared or ask.side == order.side):
        # Asked anew, of the new source; what a ledger would draw for is settled at the table.
        run.emit(Held(then=() if order.level == "ledger" else run.state.agenda))
        run.go_on()


def command(run: Resolution, order: Command) -> None:
    """Another name for who commands a side. Raises Refused."""
    _side(run, order.side)
    name = " ".join(order.player.split())
    if len(name) > LONGEST_NAME:
        says = f"A commander's name may have {LONGEST_NAME} characters, not {len(name)}."
        raise nonsense("too_long", says)
    run.emit(Commanded(side=order.side, player=name))


def switch(run: Resolution, order: Switch) -> None:
    """An optional rule, or a state of the scenario such as dust, on or off. Raises Refused."""
    if order.option in {kind.state for kind in run.state.setup.toggling.values()}:
        run.emit(Toggled(name=order.option, on=order.on))
        return
    if order.option not in Options.__struct_fields__:
        names = ", ".join(Options.__struct_fields__)
        raise nonsense(
            "unknown_option", f"There is no option {order.option!r}; choose from {names}."
        )
    run.emit(Switched(option=order.option, on=order.on))
    victory.after_loss(run)


def set_quality(run: Resolution, order: SetQuality) -> None:
    """The force quality of a side, or None. Raises Refused."""
    _side(run, order.side)
    known = run.state.setup.catalog.qualities
    if order.quality is not None and order.quality not in known:
        raise nonsense(
            "unknown_quality",
            f"There is no quality {order.quality!r}; choose from {', '.join(known)}.",
        )
    run.emit(QualitySet(side=order.side, quality=order.quality))


def _row_key(run: Resolution, piece: str) -> str:
    known = run.state.piece(piece)
    return str(RowName(known.side, known.contingent, run.state.unit_of(piece)))


def _text(text: str) -> str:
    words = text.strip()
    if not words:
        raise nonsense("nothing", "The note is empty.")
    if len(words) > LONGEST_NOTE:
        raise nonsense("too_long", f"A note may have {LONGEST_NOTE} characters, not {len(words)}.")
    return words


def _side(run: Resolution, side: str) -> None:
    if side not in run.state.setup.side_by_id:
        raise nonsense("unknown_side", f"There is no side called {side!r}.")
