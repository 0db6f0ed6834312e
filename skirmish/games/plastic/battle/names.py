"""The ids of rows, pieces and weapons in use, built and parsed only here.

A row is ``side/contingent/unit``, a piece ``side:code``, one of its weapons ``side:code/slot``.
"""

from __future__ import annotations

from typing import NamedTuple


class RowName(NamedTuple):
    side: str
    contingent: str
    unit: str

    def __str__(self) -> str:
        return "/".join(self)


def row_named(name: str) -> RowName | None:
    parts = name.split("/")
    return RowName(*parts) if len(parts) == 3 else None


def row_unit(name: str) -> str:
    return name.rpartition("/")[2]


def row_side(name: str) -> str:
    return name.partition("/")[0]


def piece_name(side: str, code: str) -> str:
    return f"{side}:{code}"


def piece_side(piece: str) -> str:
    return piece.partition(":")[0]


def piece_code(piece: str) -> str:
    return piece.partition(":")[2]


def weapon_slot(piece: str, slot: int) -> str:
    return f"{piece}/{slot}"


def slot_piece(slot: str) -> str:
    return slot.rpartition("/")[0]


def use_piece(use: str) -> str:
    return slot_piece(use.partition(":")[2])
