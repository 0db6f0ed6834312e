"""What the army screens say: each part of them as content, worked out from the army alone.

Names are typed by people. They become content here and never pass through markup.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from string import ascii_lowercase
from typing import TypeAlias

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from skirmish.games.plastic.rules.advice import Line, Shelf, Tally
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.breaches import whole_or_half
from skirmish.games.plastic.rules.catalog import UnitType, Work, plural
from skirmish.games.plastic.rules.firing_table import NONE, Entry, Firing, reaches
from skirmish.games.plastic.rules.gauges import Gauge
from skirmish.tabletop.measure import NO_BREAK, inches
from skirmish.tabletop.typed import plain

DIM = "$foreground 60%"
KEY = "$accent bold"
Keys: TypeAlias = Callable[[str, str], str]
"""The key of a binding of the builder (its name, its usual key), as the player has it."""
BAD = "$error bold"

SHELF_TITLES: dict[Shelf, str] = {
    "guys": "GUYS",
    "unarmored": "MODELS",
    "armored": "ARMORED MODELS",
    "works": "WORKS",
    "notes": "DESIGNER'S NOTES",
    "elsewhere": "OTHER NATIONS' ONLY",
    "not_sold": "NOT FOR SALE",
}
ROOMY = 64
"""Columns from which a line has room for what its weapon kills."""


def fitted(name: str, width: int) -> str:
    """A typed name in exactly ``width`` columns, harmless, shortened with an ellipsis."""
    shown = plain(name)
    if cell_len(shown) > width:
        shown = set_cell_size(shown, width - 1).rstrip() + "…"
    return set_cell_size(shown, width)


def state_words(counted: Tally) -> str:
    """``legal``, ``2 limits broken``, ``1 limit to meet``."""
    if counted.broken:
        return f"{counted.broken} {_limits(counted.broken)} broken"
    if counted.to_do:
        return f"{counted.to_do} {_limits(counted.to_do)} to meet"
    return (
        "legal, 1 waived"
        if counted.waived == 1
        else (f"legal, {counted.waived} waived" if counted.waived else "legal")
    )


def state_style(counted: Tally) -> str:
    """The colour beside those words."""
    if counted.broken:
        return BAD
    return "$warning bold" if counted.to_do else "$success bold"


def terms(army: Army, counted: Tally, width: int, key: Keys) -> Content:
    """Points, nation and quality, each with its key, and how the army stands, on one line."""
    points = f"{army.listed.points} points"
    if army.budget != army.listed.points:
        points += f" + {army.budget - army.listed.points}"
    nation = army.nation.name if army.nation else "no nation"
    quality = army.quality.name if army.quality else "no quality"
    left = Content.assemble(
        (f"{key('points', 'T')} ", KEY),
        f"{points}   ",
        (f"{key('nation', 'N')} ", KEY),
        f"{nation}   ",
        (f"{key('quality', 'L')} ", KEY),
        quality,
    )
    state = state_words(counted)
    legal = "NOT LEGAL: " if counted.broken else ""
    right = Content.assemble((legal + (state if legal else state.upper()), state_style(counted)))
    gap = max(2, width - left.cell_length - right.cell_length)
    return Content.assemble(left, " " * gap, right)


def head(width: int, group: bool) -> Content:
    """The head of the columns of ``line``; in a ``group`` who is in none stands last."""
    cells = ("PTS", "MOVE", "RANGE", *(("HERE", "LEFT") if group else ("HAVE", "MORE")))
    kills = ("GUYS", "ARMOR", "UNARM")
    return Content.assemble((_columns(width, "", "", cells, kills), DIM))


def letters(offers: Iterable[Line], taken: Iterable[str]) -> dict[str, str]:
    """A letter for each piece that is offered, none of those ``taken``: its own, or else one of its
    name, or any that is free. Where none is left the arrows go to the line."""
    offers, free, given = list(offers), [c for c in ascii_lowercase if c not in taken], {}
    for wish in (_own_letter, lambda piece: piece.name.lower(), lambda _: ascii_lowercase):
        for offer in offers:
            letter = next((c for c in wish(offer.piece) if c in free), "")
            if letter and offer.piece.id not in given:
                given[offer.piece.id] = letter
                free.remove(letter)
    return given


def line(
    army: Army,
    offer: Line,
    letter: str,
    width: int,
    measured: Callable[[str], str],
    *,
    typing: bool,
) -> Content:
    """One piece that can be bought, its distances as ``measured`` has them. ``typing`` marks a
    number that is still being typed."""
    piece = offer.piece
    have = f"{offer.count}_" if typing else str(offer.count)
    have += f"+{offer.free}" if offer.free else ""
    sold = offer.shelf not in ("elsewhere", "not_sold")
    cells = (
        str(army.price(piece.id)),
        _bare(_move(piece), measured),
        _bare(_range(army, piece), measured),
        have if have != "0" else "·",
        str(offer.more) if sold else "no",
    )
    gun = _guns(army, piece)
    kills = (gun[0].guys, gun[0].armored, gun[0].unarmored) if gun else (NONE,) * 3
    text = _columns(width, letter, piece.name, cells, kills if gun else ("", "", ""))
    style = "bold" if offer.count or typing else "" if sold and offer.more else DIM
    return Content.assemble((text[:1], KEY), (text[1:], style))


def about(army: Army, piece: UnitType | Work, measured: Callable[[str], str]) -> Content:
    """The weapons of a piece with all they kill, and its note."""
    parts: list[Content | str | tuple[str, str]] = []
    for gun in _guns(army, piece):
        kills = ", ".join(
            f"{what} {_spoken(kill)}"
            for what, kill in (
                ("guys", gun.guys),
                ("armored", gun.armored),
                ("unarmored", gun.unarmored),
            )
            if kill != NONE
        )
        parts += [(f"{gun.weapon}", "bold"), f" {measured(gun.reach)}: {kills}\n"]
    if isinstance(piece, UnitType) and piece.seats:
        parts.append(f"Carries {piece.seats}. ")
    parts.append((measured(piece.note), DIM))
    return Content.assemble(*parts)


def room_words(army: Army, offer: Line, group: str = "") -> str:
    """How many more, and which limit is full first; in a ``group``, who is left to join it."""
    piece = offer.piece
    if group:
        name = piece.name if offer.more == 1 else plural(piece.name)
        return f"{offer.more} {name} in no group. A higher number buys what is missing."
    if offer.shelf == "elsewhere":
        owners = offer.full_first.limit.not_for
        people = " and ".join(army.catalog.nations[name].people for name in owners)
        return f"{plural(piece.name)}: only the {people} have them."
    if offer.shelf == "not_sold":
        return f"{plural(piece.name)} cannot be bought for this game."
    gauge = offer.full_first
    full = f"{label(gauge, army)}, {whole_or_half(gauge.allowed)}"
    if not offer.more:
        return f"No room for more {plural(piece.name)} (limit: {full})."
    name = piece.name if offer.more == 1 else plural(piece.name)
    return f"Room for {offer.more} more {name} (limit: {full})."


def label(gauge: Gauge, army: Army) -> str:
    """The name of a limit, or of the type that it watches."""
    if gauge.unit is None:
        return gauge.limit.title
    unit = army.catalog.units.get(gauge.unit)
    return unit.short if unit else army.catalog.works[gauge.unit].name


def _columns(
    width: int, letter: str, name: str, cells: tuple[str, ...], kills: tuple[str, ...]
) -> str:
    price, move, reach, have, more = cells
    middle = f"{price:>4}{move:>6}{reach:>6}"
    if width >= ROOMY:
        middle += "".join(f"{kill:>7}" for kill in kills)
    right = f"{middle} {have:>6} {more:>4}"
    return f"{letter:<2}{fitted(name, max(8, width - 2 - len(right)))}{right}"


def _own_letter(piece: UnitType | Work) -> str:
    return piece.letter if isinstance(piece, UnitType) else ""


def _move(piece: UnitType | Work) -> str:
    if not isinstance(piece, UnitType):
        return ""
    ways = [f"{piece.move}"] if piece.move else []
    ways += [f"{piece.road_move}"] if piece.road_move else []
    ways += [f"{piece.water_move}w"] if piece.water_move else []
    return "/".join(ways) or NONE


def _bare(distances: str, measured: Callable[[str], str]) -> str:
    """Bare numbers of inches in a column, ``12/24``, as ``measured`` has distances."""
    return re.sub(
        r"\d+", lambda found: measured(inches(int(found[0]))).split(NO_BREAK)[0], distances
    )


def _range(army: Army, piece: UnitType | Work) -> str:
    if not isinstance(piece, UnitType):
        return ""
    return reaches(army.catalog.weapons_of(piece, army.rulings))


def _guns(army: Army, piece: UnitType | Work) -> list[Entry]:
    if not isinstance(piece, UnitType):
        return []
    return Firing(army.catalog, army.rulings, army.nation).entries(piece)


def _spoken(kill: str) -> str:
    bare = kill.rstrip("*+")
    again = " and again" if "+" in kill else ""
    touching = " touching" if "*" in kill else ""
    return f"{bare}{again}{touching}"


def _limits(count: int) -> str:
    return "limit" if count == 1 else "limits"
