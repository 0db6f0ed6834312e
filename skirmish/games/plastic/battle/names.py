"""The ids of rows, pieces, weapons and their uses, built and parsed only here.

* A row is ``side/contingent/unit``.
* A piece is ``side:code``, where the code is what the roster prints for it: ``T3``.
* A weapon of a piece is ``side:code/slot``: the slot is its place among the weapons of the piece,
  from 0.
* The use of a weapon is ``part:side:code/slot``: the part is that of the turn in which it can fire
  once, ``12`` for phases 1 and 2 together, ``3`` or ``4``.
"""

from __future__ import annotations

from typing import NamedTuple


class RowName(NamedTuple):
    """The parts of a row's id; the id itself is its ``str``."""

    side: str
    contingent: str
    unit: str

    def __str__(self) -> str:
        return "/".join(self)


def row_named(name: str) -> RowName | None:
    """The parts of a row's id; None if ``name`` is not the id of a row.

    >>> row_named("german/main/rifle")
    RowName(side='german', contingent='main', unit='rifle')
    """
    parts = name.split("/")
    if len(parts) != 3:
        return None
    return RowName(*parts)


def row_unit(name: str) -> str:
    """The unit of a row."""
    return name.rpartition("/")[2]


def row_side(name: str) -> str:
    """The side of a row."""
    return name.partition("/")[0]


def piece_name(side: str, code: str) -> str:
    """The id of a piece; with an empty code, what the ids of all pieces of a side begin with."""
    return f"{side}:{code}"


def piece_side(piece: str) -> str:
    """The side of a piece."""
    return piece.partition(":")[0]


def piece_code(piece: str) -> str:
    """The code of a piece, as it is printed on the roster.

    >>> piece_code("german:T3"), piece_side("german:T3")
    ('T3', 'german')
    """
    return piece.partition(":")[2]


def weapon_of_piece(piece: str, slot: int) -> str:
    """The id of the weapon of a piece in that slot."""
    return f"{piece}/{slot}"


def weapon_piece(weapon: str) -> str:
    """The piece that has the weapon with this id."""
    return weapon.rpartition("/")[0]


def slot_of_weapon(weapon: str) -> int:
    """The slot of the weapon with this id."""
    return int(weapon.rpartition("/")[2])


def shot_name(shot: int) -> str:
    """The id of a shot, which stands beside ids of pieces where an event says what it is about."""
    return f"shot {shot}"


def use_turn_part(use: str) -> str:
    """The part of the turn (``State.turn_part``) in which a weapon was used. ``use``: the id of its
    use, as it is in ``State.fired``."""
    return use.partition(":")[0]


def use_weapon(use: str) -> str:
    """The id of the weapon that was used."""
    return use.partition(":")[2]


def use_piece(use: str) -> str:
    """The piece that used a weapon."""
    return weapon_piece(use_weapon(use))


def piece_in(name: str) -> str:
    """The piece in the id of a piece, of its weapon or of a use of that. Of any other id, such as
    that of a side or a row, the result is the id of no piece.

    >>> piece_in("german:T3"), piece_in("german:T3/0"), piece_in("12:german:T3/0")
    ('german:T3', 'german:T3', 'german:T3')
    >>> piece_in("german/main/rifle")
    'german'
    """
    before_slot, _, _ = name.partition("/")
    # ``12:german:T3`` or ``german:T3``: side and code are the last two parts.
    side_and_code = before_slot.split(":")[-2:]
    return ":".join(side_and_code)
