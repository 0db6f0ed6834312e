"""Reads games that were stored in the first hours of this game, 22 November 2026.

The opening of a game holds the rules by which it is played. The keys of those rules have other
names since, and today's rules hold more: some of what was then written in the program (lines,
counts) is part of them now. Everything here works on what was stored, before it becomes orders and
events.
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
"""The sources of points, by their names of then."""
REASONS_RENAMED = {"asset": "assets"}
"""The reasons of modifiers that have another name now."""
LINES_RENAMED = {"strongpoint": "strongpoints", "encounter": "encounters", "attack": "columns"}
"""What an owner types in, by its name of then."""


def upcast(order: Any, events: Any, rules_today: BloodyRules) -> tuple[Any, Any]:
    """The order and the events of an entry of a journal, as they are read out of the file (an order
    is a dict or None, events are a list of dicts), as today's version writes them. What the rules
    of then did not hold comes from those of today, ``rules_today``."""
    if isinstance(order, dict) and isinstance(order.get("file"), dict):
        order = {**order, "file": renamed(order["file"])}
    return order, [_event_today(event, rules_today) for event in events]


def renamed(lines: dict[str, Any]) -> dict[str, Any]:
    """Lines under the names of today."""
    return {LINES_RENAMED.get(name, name): value for name, value in lines.items()}


def _event_today(event: dict[str, Any], rules_today: BloodyRules) -> dict[str, Any]:
    """An event as it would be stored today; all but openings are the same."""
    if event.get("event") != "opened":
        return event
    setup = dict(event["setup"])
    # Whose dice they are follows from the dice themselves.
    setup.pop("own", None)
    setup["rules"] = _rules_today(setup["rules"], rules_today)
    opened = {**event, "setup": setup}
    if "tables" in event:
        opened["owned"] = renamed(event["owned"])
        return opened
    # In the very first hours nothing could be typed in.
    rules = msgspec.convert(setup["rules"], BloodyRules)
    nothing_typed = OwnersGame()
    opened["owned"] = msgspec.to_builtins(nothing_typed)
    opened["tables"] = msgspec.to_builtins(blank_tables(rules, nothing_typed))
    return opened


def _rules_today(stored: dict[str, Any], rules_today: BloodyRules) -> dict[str, Any]:
    """The rules of an opening under the names of today. What is stored in them is never changed: a
    game goes on by the rules that it began with."""
    today_stored = msgspec.to_builtins(rules_today)
    points = {SOURCES_RENAMED.get(name, name): value for name, value in stored["points"].items()}
    modifiers = {table: _modifiers_today(given) for table, given in stored["modifiers"].items()}
    tables = stored["tables"]
    # Tables with a key ``results`` are from before anybody could type in what they hold.
    if any("results" in table for table in tables.values()):
        tables = today_stored["tables"]
    return {
        **stored,
        "points": points,
        "modifiers": modifiers,
        "tables": tables,
        "lines": stored.get("lines", today_stored["lines"]),
        "counts": {**today_stored["counts"], **stored["counts"]},
    }


def _modifiers_today(given: dict[str, Any]) -> dict[str, Any]:
    """The values of reasons once stood beside the turns, 0 for one that does not count."""
    if "values" in given:
        return given
    values = {}
    for reason, value in given.items():
        if reason != "turns" and value:
            values[REASONS_RENAMED.get(reason, reason)] = value
    return {"turns": given["turns"], "values": values}
