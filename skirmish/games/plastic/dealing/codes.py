"""The code of a dealt battle: a few letters and digits that deal it again on any machine.

What was wished for is written as numbers of a fixed size, one after the other (``FIELD_BITS``),
then as letters of five bits each. Of the figures and the terrain that there are, each count becomes
one of a few steps, the next lower one, so that a battle dealt from the code never needs more than
there are.
"""

from __future__ import annotations

import zlib
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from skirmish.games.plastic.dealing.regions import Region
from skirmish.games.plastic.dealing.terrain import TERRAIN
from skirmish.games.plastic.dealing.themes import Theme
from skirmish.games.plastic.dealing.wishes import LEAST_FEET, VERSION, Books, Length, Wishes

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without I and L, which people mistake for 1, without O (for 0) and without U (for V)."""
MISTAKEN = str.maketrans("ILO", "110")
"""The letters that are read as digits. A typed U is refused."""
LETTER_BITS = 5
"""The bits that a letter of a code stands for."""
SEED_BITS = 16
SEEDS = 2**SEED_BITS
"""How many seeds of deals there are."""
VERSION_BITS = 4
"""The bits of the version, with which every code begins."""
FIELD_BITS = {
    "theme": 5,
    "region": 5,
    "attacker": 4,
    "defender": 4,
    "month": 7,
    "width": 4,
    "depth": 4,
    "points": 10,
    "length": 2,
    "seed": SEED_BITS,
    "has_figures": 1,
    "has_terrain": 1,
}
"""What follows the version in every code, in this order, and the bits that each takes. Width and
depth of the table count from the least that they can be; months from the beginning of the war's
first year; nations and lengths by their places in their lists. Then come the figures (``FIGURES``)
and the terrain (``TERRAIN``), if they are not left open. The order of all these lists is part of
every code: whoever changes one needs another version."""
RIFLE_BITS, FIGURE_BITS, TERRAIN_BITS = 8, 4, 3
"""The bits that a count takes: of Rifle Guys, of another piece, of a kind of terrain."""
LENGTHS: tuple[Length, ...] = ("short", "evening", "long")
FIRST_YEAR = 1939
"""The first year of the war, from which months are counted."""
SHORTEST_CODE, LONGEST_CODE = 3, 40
"""The fewest and the most letters and digits that a typed code may have: rough limits, before it is
read."""
NO_BATTLE = "This code deals no battle; compare it with the sheet."

FIGURES = (
    "machinegun", "mortar", "grenade", "flamethrower", "engineer", "bazooka", "cannon",
    "eighty_eight", "tank", "tiger", "kv", "desert_tank", "halftrack", "armored_car", "mg_jeep",
    "bren_carrier", "truck", "jeep", "landing_craft", "assault_raft", "entrenchment", "sandbags",
    "barbed_wire",
)  # fmt: skip
"""All pieces that are dealt, but for Rifle Guys, in the order of the code. New ones are added at
the end, with another version."""
MOST_RIFLES = 2**RIFLE_BITS - 1
FIGURE_STEPS = (0, 1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 30, 45, 65, 100, 150)
"""The counts of a figure that a code can hold: as many steps as its bits can count. They widen: of
many figures it matters little whether there is one more."""
PIECE_STEPS = (0, 1, 2, 3, 4, 6, 8, 12)
"""The steps of terrain that is counted by the piece."""
FOOT_STEPS = (0, 4, 8, 12, 16, 24, 32, 48)
"""The steps of terrain that is measured in feet."""


class DealCodeError(ValueError):
    """A code that deals no battle; its text is a sentence that says why."""


class CodedDeal(NamedTuple):
    """The deal that a code stands for: the same wishes and seed give the same battle."""

    wishes: Wishes
    seed: int


def rounded_for_code(wishes: Wishes) -> Wishes:
    """The wishes as a code can hold them: each count of figures and of terrain becomes the next
    lower one that a code has."""
    changes: dict[str, Mapping[str, int]] = {}
    if wishes.figures is not None:
        figures = {"rifle": min(wishes.figures.get("rifle", 0), MOST_RIFLES)}
        for piece in FIGURES:
            figures[piece] = _next_lower(wishes.figures.get(piece, 0), FIGURE_STEPS)
        changes["figures"] = figures
    if wishes.terrain is not None:
        terrain = {}
        for kind in TERRAIN:
            terrain[kind] = lower_step(kind, wishes.terrain.get(kind, 0))
        changes["terrain"] = terrain
    return msgspec.structs.replace(wishes, **changes)


def lower_step(kind: str, count: int) -> int:
    """The amount of a kind of terrain that a code holds for this ``count``: the next lower one."""
    return _next_lower(count, _steps_of(kind))


def _steps_of(kind: str) -> Sequence[int]:
    """The counts of a kind of terrain that a code has."""
    if TERRAIN[kind].by_foot:
        return FOOT_STEPS
    return PIECE_STEPS


def _next_lower(count: int, steps: Sequence[int]) -> int:
    """The highest step that is not above a count; ``steps`` begin with 0, which is also the step of
    a count below 0."""
    steps_up_to_count = bisect_right(steps, max(count, 0))
    return steps[steps_up_to_count - 1]


class _BitWriter:
    """Writes numbers of a fixed size, in bits, one after the other."""

    def __init__(self) -> None:
        self.bits = ""

    def write(self, number: int, size: int) -> None:
        """Add a number in binary, with zeros before it up to so many bits."""
        self.bits += f"{number:0{size}b}"


class _BitReader:
    """Reads numbers from bits that a ``_BitWriter`` has written, with the same sizes."""

    def __init__(self, bits: str) -> None:
        self._bits = bits

    def read(self, size: int) -> int:
        """Read on: the next number, of so many bits. Raises DealCodeError if there are too few."""
        bits, self._bits = self._bits[:size], self._bits[size:]
        if len(bits) < size:
            raise DealCodeError("This code is too short; a part of it is missing.")
        return int(bits, 2)


def code_of(wishes: Wishes, seed: int, books: Books) -> str:
    """The code of a deal. The wishes are such as a code can hold (``rounded_for_code``), and the
    seed is below ``SEEDS``."""
    nations = list(books.catalog.nations)
    year, month = (int(part) for part in wishes.month.split("-"))
    numbers = {
        "theme": books.themes[wishes.theme].number,
        "region": books.regions.regions[wishes.region].number,
        "attacker": nations.index(wishes.attacker),
        "defender": nations.index(wishes.defender),
        "month": (year - FIRST_YEAR) * 12 + month - 1,
        "width": wishes.width - LEAST_FEET,
        "depth": wishes.depth - LEAST_FEET,
        "points": wishes.points,
        "length": LENGTHS.index(wishes.length),
        "seed": seed,
        "has_figures": int(wishes.figures is not None),
        "has_terrain": int(wishes.terrain is not None),
    }
    writer = _BitWriter()
    writer.write(wishes.version, VERSION_BITS)
    for field, size in FIELD_BITS.items():
        writer.write(numbers[field], size)
    if wishes.figures is not None:
        writer.write(wishes.figures.get("rifle", 0), RIFLE_BITS)
        for piece in FIGURES:
            step = FIGURE_STEPS.index(wishes.figures.get(piece, 0))
            writer.write(step, FIGURE_BITS)
    if wishes.terrain is not None:
        for kind in TERRAIN:
            step = _steps_of(kind).index(wishes.terrain.get(kind, 0))
            writer.write(step, TERRAIN_BITS)
    return _code_of_bits(writer.bits)


def _code_of_bits(bits: str) -> str:
    """A code: bits as letters of five each, and a check letter, which shows typing mistakes."""
    # The last letter is filled up with zeros: 67 bits take three to make 14 letters.
    missing = -len(bits) % LETTER_BITS
    bits += "0" * missing
    letters = ""
    for start in range(0, len(bits), LETTER_BITS):
        bits_of_letter = bits[start : start + LETTER_BITS]
        letters += ALPHABET[int(bits_of_letter, 2)]
    return letters + check_letter(letters)


def check_letter(letters: str) -> str:
    """The last letter of a code that has these before it."""
    return ALPHABET[zlib.crc32(letters.encode()) % len(ALPHABET)]


def decoded(code: str, books: Books) -> CodedDeal:
    """What a code stands for, as a person types it: in small letters too, with spaces or hyphens.
    Raises DealCodeError."""
    reader = _BitReader(_bits_of(code))
    version = reader.read(VERSION_BITS)
    if not 1 <= version <= VERSION:
        raise DealCodeError(
            f"This code is of version {version} of the dealer; this program deals those of version "
            f"1 to {VERSION}."
        )
    # Version 2 left all lists as they were, so codes of both versions are read alike.
    numbers = {}
    for field, size in FIELD_BITS.items():
        numbers[field] = reader.read(size)
    years, months = divmod(numbers["month"], 12)
    nations = list(books.catalog.nations)
    region = _id_of_number(books.regions.regions, numbers["region"])
    figures = terrain = None
    if numbers["has_figures"]:
        figures = _read_figures(reader)
    if numbers["has_terrain"]:
        terrain = _read_terrain(reader)
    try:
        wishes = Wishes(
            theme=_id_of_number(books.themes, numbers["theme"]),
            region=region,
            month=f"{FIRST_YEAR + years}-{months + 1:02}",
            attacker=nations[numbers["attacker"]],
            defender=nations[numbers["defender"]],
            width=numbers["width"] + LEAST_FEET,
            depth=numbers["depth"] + LEAST_FEET,
            points=numbers["points"],
            length=LENGTHS[numbers["length"]],
            figures=figures,
            terrain=terrain,
            version=version,
        )
        # The bits could also hold a table of 19 feet. Only a conversion checks the limits.
        msgspec.convert(msgspec.to_builtins(wishes), Wishes)
    # An IndexError: the bits could hold a place behind the end of a list, such as a 30th nation.
    except (IndexError, msgspec.ValidationError):
        raise DealCodeError(NO_BATTLE) from None
    _check_opponents(wishes, books)
    return CodedDeal(wishes, numbers["seed"])


def _check_opponents(wishes: Wishes, books: Books) -> None:
    """Raises DealCodeError unless two different nations that were in the region fight."""
    nations_of_region = books.regions.regions[wishes.region].nations
    are_both_there = {wishes.attacker, wishes.defender} <= set(nations_of_region)
    if wishes.attacker == wishes.defender or not are_both_there:
        raise DealCodeError(NO_BATTLE)


def _bits_of(code: str) -> str:
    """The bits of a typed code without its check letter. Raises DealCodeError."""
    letters = code.upper().replace(" ", "").replace("-", "").translate(MISTAKEN)
    unknown = [letter for letter in letters if letter not in ALPHABET]
    if unknown:
        raise DealCodeError(
            f"A code has no {unknown[0]!r}; it has digits and capital letters only."
        )
    if not SHORTEST_CODE <= len(letters) <= LONGEST_CODE:
        raise DealCodeError(
            f"A code has {SHORTEST_CODE} to {LONGEST_CODE} letters and digits; this one has "
            f"{len(letters)}."
        )
    content, last_letter = letters[:-1], letters[-1]
    if check_letter(content) != last_letter:
        raise DealCodeError("This code has a wrong letter or digit; compare it with the sheet.")
    writer = _BitWriter()
    for letter in content:
        writer.write(ALPHABET.index(letter), LETTER_BITS)
    return writer.bits


def _read_figures(reader: _BitReader) -> dict[str, int]:
    """Read the figures of a code, which follow its fields."""
    figures = {"rifle": reader.read(RIFLE_BITS)}
    for piece in FIGURES:
        step = reader.read(FIGURE_BITS)
        figures[piece] = FIGURE_STEPS[step]
    return figures


def _read_terrain(reader: _BitReader) -> dict[str, int]:
    """Read the terrain of a code, which comes last."""
    terrain = {}
    for kind in TERRAIN:
        step = reader.read(TERRAIN_BITS)
        terrain[kind] = _steps_of(kind)[step]
    return terrain


def _id_of_number(coded: Mapping[str, Theme] | Mapping[str, Region], number: int) -> str:
    """The id of the theme or region that has this number in codes. Raises DealCodeError."""
    for id, theme_or_region in coded.items():
        if theme_or_region.number == number:
            return id
    raise DealCodeError(NO_BATTLE)
