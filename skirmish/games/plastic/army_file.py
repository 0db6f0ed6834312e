"""An army list as the table of a file and as the text in the store, and back unchanged."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from typing import Any

import msgspec

from skirmish.games.plastic.rules.army import Army, ArmyList, read_army
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.tabletop.reading import DataError, Problem

GAME = "plastic"
LONGEST_NAME = 80
LONGEST_SLUG = 40


def as_table(listed: ArmyList) -> dict[str, Any]:
    built = msgspec.to_builtins(listed)
    fields = ("format", "name", "points", "nation", "quality", "note")
    tables = ("units", "works", "rulings", "overrides", "group")
    return {field: built[field] for field in fields + tables if built[field]}


def as_body(listed: ArmyList) -> str:
    return msgspec.json.encode(listed).decode()


def from_body(body: str, catalog: Catalog, book: PlasticRulingBook, file: str) -> Army:
    """``file`` is what people call it. Raises DataError."""
    try:
        table = msgspec.json.decode(body, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError):
        raise DataError(
            file, [Problem("", "is stored as text that is not an army list.")]
        ) from None
    return read_army(table, catalog, book, file)


def renamed(listed: ArmyList, taken: Collection[str]) -> ArmyList:
    """Under its own name, or with the first free number: the copy of ``Zug 2`` is ``Zug 3``."""
    folded = {_folded(name) for name in taken}
    name, number = listed.name, 1
    stem, _, last = name.rpartition(" ")
    if not (last.isdecimal() and _folded(stem) in folded):
        stem = name
    while _folded(name) in folded:
        number += 1
        tail = f" {number}"
        name = stem[: LONGEST_NAME - len(tail)].rstrip() + tail
    return msgspec.structs.replace(listed, name=name)


def slug(name: str) -> str:
    """Letters and digits of any script, the rest hyphens."""
    kept = (
        sign if unicodedata.category(sign)[0] in "LMN" else "-"
        for sign in unicodedata.normalize("NFC", name).casefold()
    )
    words = "".join(kept).replace("-", " ").split()
    return "-".join(words)[:LONGEST_SLUG].strip("-") or "unnamed"


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name.strip()).casefold()
