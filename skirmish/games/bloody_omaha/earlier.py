"""Reads games that were stored in the first hours of this game, 22 November 2026.

The opening of a game holds the rules by which it is played. Their keys have been renamed since, and
today's rules hold more: some of what was in the program at that time (lines, counts) is part of
them now. Everything here works on what was stored, before it becomes orders and events.
"""

from __future__ import annotations

from typing import Any

import msgspec

from skirmish.games.bloody_omaha.owned import OwnersGame, blank_tables
from skirmish.games.bloody_omaha.ruleset import BloodyRules

SOURCES_RENAMED = {
    "gap": "gaps",
    "strongpoint": "strongpoints",
    "encounter": "encounters",
    "bonus": "towns_and_exits",
    "southern": "southern_row",
    "reserve": "reinforcements",
}
"""The sources of points today, by their old names."""
REASONS_RENAMED = {"asset": "assets"}
"""The reasons of modifiers today, by their old names, if these were others."""
LINES_RENAMED = {"strongpoint": "strongpoints", "encounter": "encounters", "attack": "columns"}
"""The kinds of lines that an owner types in today, by the old names that they had where typed lines
are stored."""


def upcast(order: Any, events: Any, rules_today: BloodyRules) -> tuple[Any, Any]:
    """The order and the events of an entry of a journal as today's version writes them. They are
    given as they were stored: the order as a dict or None, the events as a list of dicts. What the
    old rules did not hold is taken from ``rules_today``."""
    # Only a ``BloodyRecord`` has a ``file``: all the lines that an owner has typed in.
    if isinstance(order, dict) and isinstance(order.get("file"), dict):
        order = {**order, "file": renamed(order["file"])}
    return order, [_event_today(event, rules_today) for event in events]


def renamed(lines: dict[str, Any]) -> dict[str, Any]:
    """Typed lines under the names of today."""
    return {LINES_RENAMED.get(name, name): value for name, value in lines.items()}


def _event_today(event: dict[str, Any], rules_today: BloodyRules) -> dict[str, Any]:
    """An event as it would be stored today; only openings are stored in another way."""
    if event.get("event") != "opened":
        return event
    setup = dict(event["setup"])
    # Today the dice themselves say whose they are.
    setup.pop("own", None)
    setup["rules"] = _rules_today(setup["rules"], rules_today)
    opened = {**event, "setup": setup}
    if "tables" in event:
        opened["owned"] = renamed(event["owned"])
        return opened
    # Before there were ``tables`` in an opening, nothing could be typed in.
    rules = msgspec.convert(setup["rules"], BloodyRules)
    nothing_typed = OwnersGame()
    opened["owned"] = msgspec.to_builtins(nothing_typed)
    opened["tables"] = msgspec.to_builtins(blank_tables(rules, nothing_typed))
    return opened


def _rules_today(stored: dict[str, Any], rules_today: BloodyRules) -> dict[str, Any]:
    """The rules of an opening under the names of today. No stored number is changed, since a game
    goes on by the rules with which it began."""
    today_stored = msgspec.to_builtins(rules_today)
    points = {SOURCES_RENAMED.get(name, name): value for name, value in stored["points"].items()}
    modifiers = {table: _modifiers_today(given) for table, given in stored["modifiers"].items()}
    tables = stored["tables"]
    # Tables with a key ``results`` are from the time when nobody could type in their cells.
    if any("results" in table for table in tables.values()):
        tables = today_stored["tables"]
    # Since the rules describe ``lines`` and ``counts`` at all, these have the names of today.
    lines = stored.get("lines", today_stored["lines"])
    return {
        **stored,
        "points": points,
        "modifiers": modifiers,
        "tables": tables,
        "lines": lines,
        "counts": {**today_stored["counts"], **stored["counts"]},
    }


def _modifiers_today(given: dict[str, Any]) -> dict[str, Any]:
    """Modifiers with their values in a table of their own. They used to be beside ``turns``, and a
    reason that does not count was a 0."""
    if "values" in given:
        return given
    values = {}
    for reason, value in given.items():
        if reason != "turns" and value:
            values[REASONS_RENAMED.get(reason, reason)] = value
    return {"turns": given["turns"], "values": values}
