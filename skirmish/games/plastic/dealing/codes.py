"""The code of a dealt battle: a few letters and digits that deal it again on any machine.

What was wished for is written as numbers of a fixed size, one after the other, then as letters of
five bits each. Of the figures and the terrain that there are, each count becomes one of a few
steps, the next lower one, so that a battle dealt from the code never needs more than there are.
"""

from __future__ import annotations

import zlib
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from skirmish.games.plastic.dealing.deal import (
    FEET,
    VERSION,
    Books,
    Length,
    Wishes,
)
from skirmish.games.plastic.dealing.terrain import TERRAIN
from skirmish.games.plastic.dealing.themes import Region, Theme

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without I, L, O and U, which are taken for 1, 0 and V."""
MISTAKEN = str.maketrans("ILO", "110")
SEEDS = 2**16
LENGTHS: tuple[Length, ...] = ("short", "evening", "long")
FIRST_YEAR = 1939
LONGEST = 40
NO_BATTLE = "This code deals no battle; compare it with the sheet."

FIGURES = (
    "machinegun", "mortar", "grenade", "flamethrower", "engineer", "bazooka", "cannon",
    "eighty_eight", "tank", "tiger", "kv", "desert_tank", "halftrack", "armored_car", "mg_jeep",
    "bren_carrier", "truck", "jeep", "landing_craft", "assault_raft", "entrenchment", "sandbags",
    "barbed_wire",
)  # fmt: skip
"""All pieces that are dealt, but for Rifle Guys, in the order of the code. New ones go behind, with
another version."""
MOST_RIFLES = 255
FIGURE_STEPS = (0, 1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 30, 45, 65, 100, 150)
PIECE_STEPS = (0, 1, 2, 3, 4, 6, 8, 12)
FOOT_STEPS = (0, 4, 8, 12, 16, 24, 32, 48)


class DealCodeError(ValueError):
    """A code that deals no battle; its text is a sentence that says why."""


class Coded(NamedTuple):
    """What a code stands for."""

    wishes: Wishes
    seed: int


def as_coded(wishes: Wishes) -> Wishes:
    """The wishes as a code can hold them: fewer figures and less terrain, at most by a step."""
    changes: dict[str, Mapping[str, int]] = {}
    if wishes.figures is not None:
        figures = {"rifle": min(wishes.figures.get("rifle", 0), MOST_RIFLES)}
        for piece in FIGURES:
            figures[piece] = _lower(wishes.figures.get(piece, 0), FIGURE_STEPS)
        changes["figures"] = figures
    if wishes.terrain is not None:
        terrain = {}
        for kind in TERRAIN:
            terrain[kind] = lower_step(kind, wishes.terrain.get(kind, 0))
        changes["terrain"] = terrain
    return msgspec.structs.replace(wishes, **changes)


def lower_step(kind: str, count: int) -> int:
    """So much of a kind of terrain as a code can hold."""
    return _lower(count, _steps_of(kind))


def _steps_of(kind: str) -> Sequence[int]:
    if TERRAIN[kind].by_foot:
        return FOOT_STEPS
    return PIECE_STEPS


def _lower(count: int, steps: Sequence[int]) -> int:
    """The highest step that is not above a count."""
    return steps[bisect_right(steps, max(count, 0)) - 1]


class _Writer:
    """Numbers of a fixed size, one after the other."""

    def __init__(self) -> None:
        self.bits = ""

    def write(self, number: int, size: int) -> None:
        self.bits += f"{number:0{size}b}"


class _Reader:
    """Reads numbers as they were written; ``DealCodeError`` where there are no more."""

    def __init__(self, bits: str) -> None:
        self._bits = bits

    def read(self, size: int) -> int:
        number, self._bits = self._bits[:size], self._bits[size:]
        if len(number) < size:
            raise DealCodeError("This code is too short; a part of it is missing.")
        return int(number, 2)


def code_of(wishes: Wishes, seed: int, books: Books) -> str:
    """The code of a deal. The wishes are such as a code can hold (``as_coded``); the seed is below
    ``SEEDS``."""
    nations = list(books.catalog.nations)
    year, month = (int(part) for part in wishes.month.split("-"))
    writer = _Writer()
    writer.write(VERSION, 4)
    writer.write(books.themes[wishes.theme].number, 5)
    writer.write(books.regions.regions[wishes.region].number, 5)
    writer.write(nations.index(wishes.attacker), 4)
    writer.write(nations.index(wishes.defender), 4)
    writer.write((year - FIRST_YEAR) * 12 + month - 1, 7)
    writer.write(wishes.width - FEET[0], 4)
    writer.write(wishes.depth - FEET[0], 4)
    writer.write(wishes.points, 10)
    writer.write(LENGTHS.index(wishes.length), 2)
    writer.write(seed, 16)
    writer.write(wishes.figures is not None, 1)
    writer.write(wishes.terrain is not None, 1)
    if wishes.figures is not None:
        writer.write(wishes.figures.get("rifle", 0), 8)
        for piece in FIGURES:
            writer.write(FIGURE_STEPS.index(wishes.figures.get(piece, 0)), 4)
    if wishes.terrain is not None:
        for kind in TERRAIN:
            writer.write(_steps_of(kind).index(wishes.terrain.get(kind, 0)), 3)
    return _lettered(writer.bits)


def _lettered(bits: str) -> str:
    """Bits as letters of five each, and one more that tells whether all others are right."""
    bits += "0" * (-len(bits) % 5)
    letters = "".join(ALPHABET[int(bits[place : place + 5], 2)] for place in range(0, len(bits), 5))
    return letters + check_letter(letters)


def check_letter(letters: str) -> str:
    """The last letter of a code that begins with these."""
    return ALPHABET[zlib.crc32(letters.encode()) % len(ALPHABET)]


def decoded(code: str, books: Books) -> Coded:
    """What a code stands for, as a person types it: in small letters too, with spaces or hyphens.
    Raises DealCodeError."""
    letters = code.upper().replace(" ", "").replace("-", "").translate(MISTAKEN)
    unknown = [letter for letter in letters if letter not in ALPHABET]
    if unknown:
        raise DealCodeError(
            f"A code has no {unknown[0]!r}; it has digits and capital letters only."
        )
    if not 3 <= len(letters) <= LONGEST:
        raise DealCodeError(
            f"A code has at most {LONGEST} letters and digits; this one has {len(letters)}."
        )
    if check_letter(letters[:-1]) != letters[-1]:
        raise DealCodeError("This code has a wrong letter or digit; compare it with the sheet.")
    reader = _Reader("".join(f"{ALPHABET.index(letter):05b}" for letter in letters[:-1]))
    version = reader.read(4)
    if version != VERSION:
        raise DealCodeError(
            f"This code is of version {version} of the dealer; this program has version {VERSION}."
        )
    theme = _with_number(books.themes, reader.read(5))
    region = _with_number(books.regions.regions, reader.read(5))
    nations = list(books.catalog.nations)
    sides = [reader.read(4), reader.read(4)]
    months = reader.read(7)
    width, depth = reader.read(4) + FEET[0], reader.read(4) + FEET[0]
    points, length, seed = reader.read(10), reader.read(2), reader.read(16)
    has_figures, has_terrain = reader.read(1), reader.read(1)
    figures = terrain = None
    if has_figures:
        figures = {"rifle": reader.read(8)}
        for piece in FIGURES:
            figures[piece] = FIGURE_STEPS[reader.read(4)]
    if has_terrain:
        terrain = {kind: _steps_of(kind)[reader.read(3)] for kind in TERRAIN}
    try:
        wishes = Wishes(
            theme=theme,
            region=region,
            month=f"{FIRST_YEAR + months // 12}-{months % 12 + 1:02}",
            attacker=nations[sides[0]],
            defender=nations[sides[1]],
            width=width,
            depth=depth,
            points=points,
            length=LENGTHS[length],
            figures=figures,
            terrain=terrain,
        )
        # A table of 19 feet can be written as a code, but not dealt.
        msgspec.convert(msgspec.to_builtins(wishes), Wishes)
    except (IndexError, msgspec.ValidationError):
        raise DealCodeError(NO_BATTLE) from None
    fighting = {wishes.attacker, wishes.defender}
    if len(fighting) < 2 or not fighting <= set(books.regions.regions[region].nations):
        raise DealCodeError(NO_BATTLE)
    return Coded(wishes, seed)


def _with_number(numbered: Mapping[str, Theme] | Mapping[str, Region], number: int) -> str:
    """The id of the theme or region with that number."""
    for id, part in numbered.items():
        if part.number == number:
            return id
    raise DealCodeError(NO_BATTLE)
