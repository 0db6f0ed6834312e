"""The values of a draft by their keys, which are those of its file: ``side[0].units.rifle``. A
change makes a new draft, which is read again as a file would be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from skirmish.games.plastic.scenarios.own import Raw, as_printed
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop.draft import EditError, draft_of
from skirmish.tabletop.data_file import DataError, table_of

Step: TypeAlias = "str | int"
"""A step of a key: the name of a field, or a place in a list, counted from 0."""
# ``.name`` or ``[3]``; a name at the beginning of a key has no point before it. Three digits are
# enough for a place in any list of a scenario.
_STEP = re.compile(r"\.?(?P<name>[A-Za-z_][A-Za-z0-9_]*)|\[(?P<index>[0-9]{1,3})\]")
LIST_FIELDS = frozenset(
    (
        "variant",
        "limit",
        "happening",
        "rule",
        "swap",
        "clock",
        "footnote",
        "choice",
        "table",
    )
)
"""Fields of a scenario file that hold a list of tables, and are missing while the list is empty."""


def steps_of(key: str) -> list[Step]:
    """``side[0].units.rifle`` as ``["side", 0, "units", "rifle"]``. Raises EditError for a text
    that is not a key."""
    steps: list[Step] = []
    position = 0
    while position < len(key):
        match = _STEP.match(key, position)
        if match is None:
            raise EditError(f"{key} is no key of a scenario; one looks like side[0].name.")
        if match["index"] is None:
            steps.append(match["name"])
        else:
            steps.append(int(match["index"]))
        position = match.end()
    if not steps:
        raise EditError("The key is empty; one looks like side[0].name.")
    return steps


def value_at(raw: Raw, key: str) -> Any:
    """The value with that key in the data of a scenario; None if nothing stands there."""
    value: Any = raw
    for step in steps_of(key):
        if isinstance(step, str) and isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def with_value(scenario: Scenario, key: str, value: Any) -> Scenario:
    """The scenario with ``value``, in the form of a file, in the place of the value with that key.
    The key may also be that of a field which is missing, or of the place behind the last entry of a
    list. Raises EditError."""
    raw = table_of(scenario)
    holder, last = _holder_and_last_step(raw, key)
    if isinstance(last, str) and isinstance(holder, dict):
        holder[last] = value
    elif isinstance(last, int) and isinstance(holder, list) and last <= len(holder):
        if last == len(holder):
            holder.append(value)
        else:
            holder[last] = value
    else:
        raise EditError(f"There is no {key}.")
    return read_again(raw, key)


def without(scenario: Scenario, key: str) -> Scenario:
    """The scenario without the value, or the entry of a list, that has the key. Raises
    EditError."""
    raw = table_of(scenario)
    holder, last = _holder_and_last_step(raw, key)
    is_entry = isinstance(last, int) and isinstance(holder, list) and last < len(holder)
    is_value = isinstance(holder, dict) and last in holder
    if not is_entry and not is_value:
        raise EditError(f"There is no {key}.")
    del holder[last]
    return read_again(raw, key)


class _LastStep(NamedTuple):
    """The table or list in the data of a scenario that holds the value with a key, and the last
    step of the key, under which it holds the value."""

    holder: Any
    last: Step


def _holder_and_last_step(raw: Raw, key: str) -> _LastStep:
    """Raises EditError where nothing can have that key. Tables and lists that are missing on the
    way are added to ``raw``, empty."""
    *outer_steps, last = steps_of(key)
    holder: Any = raw
    for step in outer_steps:
        holder = _held_or_added(holder, step, key)
    return _LastStep(holder, last)


def _held_or_added(holder: Any, step: Step, key: str) -> Any:
    """The table or list that ``holder`` holds under a step; an empty one is added where it is
    missing."""
    if isinstance(step, str) and isinstance(holder, dict):
        if step in LIST_FIELDS:
            return holder.setdefault(step, [])
        return holder.setdefault(step, {})
    if isinstance(step, int) and isinstance(holder, list) and step < len(holder):
        return holder[step]
    raise EditError(f"There is no {key}.")


def side_with_id_key(scenario: Scenario, key: str) -> str:
    """If this is the key of a side's id (``side[0].id``), that id; empty for any other key."""
    for index, side in enumerate(scenario.sides):
        if key == f"side[{index}].id":
            return side.id
    return ""


def read_again(raw: Raw, key: str) -> Scenario:
    """The scenario of changed data, in which ``key`` was changed. Raises EditError for a value of
    the wrong form."""
    # Authors type straight quotation marks and plain spaces; a sheet has the printed ones.
    printed = as_printed(raw)
    try:
        return draft_of(printed, key)
    except DataError as error:
        raise EditError.from_problems(error.problems) from None
