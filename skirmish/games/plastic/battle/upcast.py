"""Entries of battles stored in version 1 of the format, as today's format has them."""

from __future__ import annotations

import json
import zlib
from typing import Any

from skirmish.games.plastic.battle.setup import REINFORCEMENTS, VERSION

OLDEST = 1
"""The first version of an opening; ``VERSION`` is that of today."""


SHOT = {"piece", "slot", "weapon", "target", "first", "at", "nth"}
"""The fields of a shot of version 1 (``Shooting``), by which it is known in its entry."""


CREDIT = {"piece", "unit", "weapon", "turn", "draw", "breakdown"}
"""The fields of a credit of version 1, which says whose kill a loss was."""


def upcast(kind: str, order: str, events: str) -> tuple[str, str]:
    """Upcasts an entry of version 1. Raises ValueError for what that version did not have."""
    if kind not in ("open", "order", "undo", "redo"):
        raise ValueError(f"version {OLDEST} had no {kind!r}")
    order_today = _upcast_order(json.loads(order))
    events_today = _upcast_value(json.loads(events))
    return json.dumps(order_today), json.dumps(events_today)


def _upcast_order(order: Any) -> Any:
    """Version 1 took one card, and one casualty, at a time."""
    match order:
        case {"order": "show", "draw": draw}:
            return {"order": "show", "draws": [draw]}
        case {"order": "give", "row": row}:
            return {"order": "give", "rows": [row]}
    return order


def _upcast_value(value: Any) -> Any:
    """Everything within events, from the innermost value outwards."""
    if isinstance(value, list):
        return [_upcast_value(part) for part in value]
    if not isinstance(value, dict):
        return value
    value = {key: _upcast_value(part) for key, part in value.items()}
    if "id" not in value and value.keys() >= SHOT:
        # The very first shots were stored without a number. A shot stands in several events, so its
        # number is made from what it is, and is the same in all of them.
        value["id"] = zlib.crc32(json.dumps(value, sort_keys=True).encode())
    if "shot" not in value and value.keys() >= CREDIT:
        value["shot"] = 0  # which of those shots killed somebody is not known
    match value:
        case {"task": "bury", "exact": exact}:
            hit = {"shot": value["shot"], "draw": value["draw"], "exact": exact}
            return {"task": "bury", "hits": [hit]}
        case {"ask": "casualty", "default": default}:
            return {**value, "proposed": [default]}
        case {"event": "opened", "setup": setup}:
            return {**value, "setup": _upcast_setup(setup)}
    return value


def _upcast_setup(setup: dict[str, Any]) -> dict[str, Any]:
    """Version 1 had no levels, no break point as a switch and no reinforcements by draw tables; of
    the options it had only those of nations, which followed from the sides."""
    sides = []
    for side in setup["sides"]:
        # Only what the program draws ("referee") has a seed; of a "clerk" the players draw.
        level = "referee"
        if side["source"].get("seed") is None:
            level = "clerk"
        breaks = side.get("break_at") is not None
        sides.append({**side, "breaks": breaks, "level": level})
    contingents = list(setup["contingents"])
    scenario = setup.get("scenario") or {}
    for happening in scenario.get("happening", ()):
        if happening["kind"] == "draw_table":
            reinforcements = {"side": happening["side"], "name": "Reinforcements"}
            contingents.append({"id": REINFORCEMENTS, **reinforcements})
    return {
        **setup,
        "version": VERSION,
        "sides": sides,
        "options": {"nationalities": any(side.get("nation") for side in sides)},
        "catalog": _upcast_catalog(setup["catalog"]),
        "contingents": contingents,
    }


def _upcast_catalog(catalog: dict[str, Any]) -> dict[str, Any]:
    """In the first catalogs, what a weapon needs against a special target was a table of which only
    the rank (``needs``) was given; today it is that rank."""
    weapons = {}
    for weapon_id, weapon in catalog["weapons"].items():
        special = {}
        for target, needs in weapon.get("special", {}).items():
            special[target] = needs
            if isinstance(needs, dict):
                special[target] = needs["needs"]
        weapons[weapon_id] = {**weapon, "special": special}
    return {**catalog, "weapons": weapons}
