"""Entries written by earlier versions, brought to today's shape. Stored text is never rewritten.

Version 1 (before waves, cargo and volleys): one draw and one casualty an order, one hit a burial,
the break point and the nation's traits settled in each side.
"""

from __future__ import annotations

import json
import re
from typing import Any

OLDEST, TODAY = 1, 2


def is_old(kind: str, events: str) -> bool:
    """Whether an opening says that an earlier version wrote it."""
    return kind == "open" and re.search(rf'"version": ?{OLDEST},', events[:200]) is not None


def upcast(kind: str, order: str, events: str) -> tuple[str, str]:
    """An entry of version 1 as today's. Raises ValueError for what that version did not have."""
    if kind not in ("open", "order", "undo", "redo"):
        raise ValueError(f"version {OLDEST} had no {kind!r}")
    return json.dumps(_order(json.loads(order))), json.dumps(_anything(json.loads(events)))


def _order(order: Any) -> Any:
    match order:
        case {"order": "show", "draw": draw}:
            return {"order": "show", "draws": [draw]}
        case {"order": "give", "row": row}:
            return {"order": "give", "rows": [row]}
    return order


def _anything(value: Any) -> Any:
    """Whatever stands anywhere in an event."""
    if isinstance(value, list):
        return [_anything(one) for one in value]
    if not isinstance(value, dict):
        return value
    value = {key: _anything(one) for key, one in value.items()}
    match value:
        case {"task": "bury", "exact": exact}:
            hit = {"shot": value["shot"], "draw": value["draw"], "exact": exact}
            return {"task": "bury", "hits": [hit]}
        case {"ask": "casualty", "default": default}:
            return {**value, "proposed": [default]}
        case {"event": "opened", "setup": setup}:
            return {**value, "setup": _setup(setup)}
    return value


def _setup(setup: dict[str, Any]) -> dict[str, Any]:
    sides = [
        {
            **side,
            "breaks": side.get("break_at") is not None,
            "level": "clerk" if side["source"].get("seed") is None else "referee",
        }
        for side in setup["sides"]
    ]
    national = any(side.get("nation") for side in sides)
    options = {"nationalities": national}
    return {**setup, "version": TODAY, "sides": sides, "options": options}
