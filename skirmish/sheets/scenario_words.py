"""A scenario's data in the words of its sheet: dates, places of entry, lengths, sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from skirmish.games.plastic.rules.catalog import Catalog, plural
from skirmish.games.plastic.scenarios.order_of_battle import (
    ACorner,
    AnEdge,
    Bounds,
    Contingent,
    Marks,
    Road,
    Side,
    Zone,
)
from skirmish.games.plastic.scenarios.scenario import Scenario, Table
from skirmish.tabletop.chance import Draw


def when(written: str) -> str:
    """``1939-09`` as ``September 1939``, ``1942-06-20`` as ``20 June 1942``."""
    parts = written.split("-")
    try:
        year, month, *day = (int(part) for part in parts)
        name = date(year, month, day[0] if day else 1).strftime("%B")
    except (ValueError, TypeError):
        return written
    return f"{day[0]} {name} {year}" if day else f"{name} {year}"


def entry(contingent: Contingent) -> str:
    """Where and when a contingent comes: ``W edge, turn 1``."""
    turn = contingent.entry.turn
    return f"{way_in(contingent)}, {f'turn {turn}' if turn else 'before play'}"


def way_in(contingent: Contingent) -> str:
    """Where a contingent comes: ``W edge``, ``area A``."""
    come = contingent.entry
    match come:
        case Zone():
            place = f"area {come.zone}"
        case AnEdge():
            place = f"{come.edge} edge"
        case Road():
            place = f"road, {come.edge} edge" if come.edge else "road"
        case ACorner():
            place = f"{' or '.join(come.corners)} corner"
        case Marks():
            place = f"mark{'s' if len(come.marks) > 1 else ''} {', '.join(come.marks)}"
        case _:
            place = "anywhere"
    return place


def nation(side: str, catalog: Catalog) -> str:
    """``German``."""
    known = catalog.nations.get(side)
    return known.name if known else side.replace("_", " ").title()


def ends(scenario: Scenario, catalog: Catalog) -> str:
    """How long the game lasts."""
    end = scenario.ends_after
    if end is None:
        return "No last turn"
    return f"To the end of {nation(end.side, catalog)} turn {end.turn}"


def size(table: Table) -> str:
    """``8 ft × 5 ft, N at the top``, with the footnote's mark."""
    sides = f"{_feet(table.width_in)} × {_feet(table.depth_in)}"
    return f"{sides}, {table.up} at the top{table.mark or ''}"


def _feet(inches: int) -> str:
    return f"{inches // 12} ft" if inches % 12 == 0 else f"{inches} in"


def span(bounds: Bounds) -> str:
    """``43`` or ``104–110``."""
    least, most = bounds
    return str(least) if least == most else f"{least}–{most}"


def role(side: Side, scenario: Scenario) -> str:
    """What the bar over a side's forces says at its right end."""
    parts: list[str] = [
        side.role or "",
        "sets up first" if scenario.sets_up_first == side.id else "",
        "moves first" if scenario.moves_first == side.id else "",
    ]
    return " · ".join(part for part in parts if part)


def units(counts: Mapping[str, int], catalog: Catalog) -> str:
    """``4 Rifle Guys, 1 Jeep``."""
    return ", ".join(catalog.units[unit].named(count) for unit, count in counts.items())


def several(ids: Sequence[str], catalog: Catalog) -> str:
    """``Rifle Guys, Mortar Guys and Tanks``."""
    names = [plural(catalog.units[unit].name) for unit in ids]
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def ranks(between: tuple[int, int]) -> str:
    """``A-5``, ``8``, ``J-Q``: ranks as the rules print them."""
    low, high = (str(Draw(rank, "S"))[:-1] for rank in between)
    return low if low == high else f"{low}-{high}"
