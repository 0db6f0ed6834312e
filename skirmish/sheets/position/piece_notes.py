"""What is seen neither on the pieces of a side nor in their boxes: who rides in what, which weapons
are gone, what those who left count for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from skirmish.games.plastic.battle.names import (
    piece_code,
    piece_side,
    slot_of_weapon,
    use_turn_part,
    use_weapon,
    weapon_piece,
)
from skirmish.games.plastic.battle.state import State
from skirmish.sheets.roster.codes import spans


def piece_notes(state: State, side: str) -> Iterator[tuple[str, str]]:
    """What is to be known of the pieces of a side besides: a term and a text for each matter that
    there is something to say of."""
    fighting = [
        piece.id for piece in state.pieces() if piece.side == side and state.is_in_play(piece.id)
    ]
    broken = [slot for slot in state.disarmed if weapon_piece(slot) in fighting]
    texts = {
        "Aboard": _sentences(_carried(state, side)),
        "Not refuelled yet": _not_refuelled(state, fighting),
        "Weapon broken or left behind": _sentences(_became_another_unit(state, fighting)),
        "Weapons gone": _sentences(_weapons_in(state, broken)),
        "Has fired, but not with every weapon": _sentences(_fired_in_part(state, fighting)),
        "Exited": _exited(state, side),
    }
    for term, text in texts.items():
        if text:
            yield term, text


def _carried(state: State, side: str) -> Iterator[str]:
    """Who rides in which model."""
    carriers = dict.fromkeys(state.aboard.values())  # each once, in the order of loading
    for carrier in carriers:
        if piece_side(carrier) == side and state.is_in_play(carrier):
            riders = state.riders_of(carrier)
            if riders:
                yield f"{piece_code(carrier)} carries {_codes(riders)}"


def _not_refuelled(state: State, pieces: Iterable[str]) -> str:
    """Which of the pieces have no fuel yet, by the rules of the scenario; empty if none."""
    unserved = [piece for piece in pieces if piece in state.unserved]
    if not unserved:
        return ""
    return f"{_codes(unserved)}: may neither move nor fire."


def _became_another_unit(state: State, pieces: Iterable[str]) -> Iterator[str]:
    """Who lost his weapon and is another unit now."""
    for piece in pieces:
        if piece in state.turned:
            before = state.setup.unit(state.piece(piece).unit).short
            present = state.unit(piece).short
            yield f"{piece_code(piece)} was {before}, fights on as {present}"


def _weapons_in(state: State, slots: Iterable[str]) -> list[str]:
    """The weapons in these slots, each behind the code of its piece."""

    def by_code(slot: str) -> tuple[str, int, str]:
        # By letter, then by number: R9 before R10.
        code = piece_code(weapon_piece(slot))
        return code[:1], int(code[1:]), slot

    lines = []
    for slot in sorted(slots, key=by_code):
        piece = weapon_piece(slot)
        weapon = _weapons(state, piece)[slot_of_weapon(slot)]
        lines.append(f"{piece_code(piece)} {weapon}")
    return lines


def _weapons(state: State, piece: str) -> list[str]:
    """The names of its weapons; the number of a slot is the index of its weapon."""
    setup = state.setup
    unit = state.unit(piece)
    return [weapon.name for weapon in setup.catalog.weapons_of(unit, setup.rulings)]


def _fired_in_part(state: State, pieces: Iterable[str]) -> list[str]:
    """The weapons that have fired in this part of the turn, of pieces that have others left."""
    used = [use_weapon(use) for use in state.fired if use_turn_part(use) == str(state.turn_part)]
    lines: list[str] = []
    for piece in pieces:
        slots = [slot for slot in used if weapon_piece(slot) == piece]
        # A piece that has fired every weapon is marked in its box.
        if slots and len(slots) < len(_weapons(state, piece)):
            lines += _weapons_in(state, slots)
    return lines


def _exited(state: State, side: str) -> str:
    """Who left the table; empty where that does not count for victory."""
    exited = [piece for piece in state.exited if piece_side(piece) == side]
    value = sum(state.exited[piece] for piece in exited)
    if not value:
        return ""
    return f"{_codes(exited)}: they count {value} for victory."


def _sentences(lines: Iterable[str]) -> str:
    """Lines without a full stop, each as a sentence; empty if there are none."""
    return " ".join(f"{line}." for line in lines)


def _codes(pieces: Iterable[str]) -> str:
    """``K1, R4 to R13``."""
    return spans([piece_code(piece) for piece in pieces])
