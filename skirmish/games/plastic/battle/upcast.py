"""Changes entries that were stored in version 1 of the format into entries of today's."""

from __future__ import annotations

import json
import zlib
from typing import Any

from skirmish.games.plastic.battle.pieces import REINFORCEMENTS
from skirmish.games.plastic.battle.setup import VERSION

OLDEST = 1
"""The first version of an opening; ``VERSION`` is that of today."""


SHOT_FIELDS = {"piece", "slot", "weapon", "target", "first", "at", "nth"}
"""The fields of a shot of version 1 (``Shooting``): it had no tag, so they are what it is known
by."""


CREDIT_FIELDS = {"piece", "unit", "weapon", "turn", "draw", "breakdown"}
"""The fields of a credit of version 1, which says whose kill a loss was; it had no tag either."""


def upcast(kind: str, order: str, events: str) -> tuple[str, str]:
    """The order and the events of an entry of version 1, as text in today's format. Raises
    ValueError for a kind of entry that version 1 did not have."""
    if kind not in ("open", "order", "undo", "redo"):
        raise ValueError(f"version {OLDEST} had no {kind!r}")
    order_today = _upcast_order(json.loads(order))
    events_today = _upcast_value(json.loads(events))
    return json.dumps(order_today), json.dumps(events_today)


def _upcast_order(order: Any) -> Any:
    """The order as today's. In version 1 an order had one card, or one casualty."""
    match order:
        case {"order": "show", "draw": draw}:
            return {"order": "show", "draws": [draw]}
        case {"order": "give", "row": row}:
            return {"order": "give", "rows": [row]}
    return order


def _upcast_value(value: Any) -> Any:
    """The events, or a value within them, as today's: from the innermost value outwards."""
    if isinstance(value, list):
        return [_upcast_value(part) for part in value]
    if not isinstance(value, dict):
        return value
    value = {key: _upcast_value(part) for key, part in value.items()}
    if "id" not in value and value.keys() >= SHOT_FIELDS:
        # The very first shots were stored without a number. A shot stands in several events, so its
        # number is made from what it is, and is the same in all of them.
        value["id"] = zlib.crc32(json.dumps(value, sort_keys=True).encode())
    if "shot" not in value and value.keys() >= CREDIT_FIELDS:
        value["shot"] = 0  # no shot has this number: which one killed the piece is not known
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
    """The set-up as today's. In version 1 sides had no level, a side had a break point or none
    (``breaks`` today), reinforcements had no contingent, and the only option was nationalities:
    on if a side had a nation."""
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
