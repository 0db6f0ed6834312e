"""Values of a scenario as people type them, read and written: decimal numbers, lists, units with
their counts, the answers that set-up proposes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, get_args

from skirmish.games.plastic.workshop.draft_fields import bare_type, draft_field_of
from skirmish.tabletop.data_file import suggest
from skirmish.tabletop.slots import UnfitAnswer


def decimal_in(text: str) -> float:
    """A number with a decimal point or comma. Raises UnfitAnswer."""
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        raise UnfitAnswer(f"{text.strip()} is no number; type one such as 2.5.") from None


def decimal_as_text(value: float) -> str:
    """A number as it is typed, without zeros at its end."""
    return f"{value:g}"


def list_as_text(items: Sequence[Any]) -> str:
    """A list as it is typed, with semicolons between its items."""
    return "; ".join(map(str, items))


def list_reader(list_type: Any) -> Callable[[str], list[Any]]:
    """A reader of texts as lists of that type (as ``DraftField.type`` has it), with semicolons
    between the items; ids and numbers may also have commas between them."""
    annotated_item = get_args(list_type)[0]
    item_type = bare_type(annotated_item)
    is_text = item_type is str and not draft_field_of(annotated_item).refers_to

    def read(text: str) -> list[Any]:
        separators = "[;,]"
        if is_text:
            # A text may have a comma in it: "C. E. Lucas Phillips, Alamein".
            separators = ";"
        words = [word.strip() for word in re.split(separators, text) if word.strip()]
        if item_type not in (int, float):
            return list(words)
        try:
            return [item_type(word) for word in words]
        except ValueError:
            raise UnfitAnswer("Type numbers with commas between them.") from None

    return read


# ``20 rifle``, ``rifle=20``, or ``rifle`` for 1 of it.
_COUNT = re.compile(r"(?:(?P<before>[0-9]+)\s*)?(?P<unit>[a-z_]+)(?:\s*=\s*(?P<after>[0-9]+))?")
# Two counts have a comma or a semicolon between them; before ``tank=2`` a space is enough.
_BETWEEN_COUNTS = re.compile(r"[,;]\s*|\s+(?=[a-z_]+\s*=)")


def counts_in(text: str, pieces: Collection[str]) -> dict[str, int]:
    """``20 rifle, 2 tank`` or ``rifle=20 tank=2`` as counts by unit; of a unit that is typed twice
    the later count holds. ``pieces`` are the ids that may be named. Raises UnfitAnswer."""
    counts = {}
    for part in _BETWEEN_COUNTS.split(text.strip()):
        if not part:
            continue
        match = _COUNT.fullmatch(part.strip().casefold())
        if match is None:
            raise UnfitAnswer(f"{part} is no count; type 20 rifle, 2 tank.")
        unit = match["unit"]
        if unit not in pieces:
            raise UnfitAnswer(f"There is no unit {unit}; {suggest(unit, pieces)}")
        count = 1
        # The number stands before the unit or behind it; None if none is typed.
        typed_count = match["before"] or match["after"]
        if typed_count is not None:
            count = int(typed_count)
        counts[unit] = count
    return counts


def proposal_in(text: str, pieces: Collection[str]) -> int | str | dict[str, int]:
    """A typed proposal: a number, units with their counts, or else words."""
    proposal = text.strip()
    if proposal.isdecimal():
        return int(proposal)
    try:
        return counts_in(proposal, pieces)
    except UnfitAnswer:
        return proposal


def proposal_as_text(value: int | str | Mapping[str, int]) -> str:
    """A proposal as it is typed."""
    if isinstance(value, Mapping):
        return counts_as_text(value)
    return str(value)


def counts_as_text(counts: Mapping[str, int]) -> str:
    """``20 rifle, 2 tank``"""
    return ", ".join(f"{count} {unit}" for unit, count in counts.items())
