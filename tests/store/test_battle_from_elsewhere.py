"""A battle that was played elsewhere is kept whole, with its own times, or not at all."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import IntegrityError

from skirmish.store.database import Store
from skirmish.store.errors import StoreError
from skirmish.store.names import NumberedName, pick
from skirmish.tabletop.journal_codec import EntryRecord

STARTED = "2020-02-02T10:00:00.000000+00:00"
ENTRIES = [
    EntryRecord(number, "order", "{}", "[]", f"2020-02-02T10:0{number}:00.000000+00:00")
    for number in (1, 2, 3)
]


def test_it_keeps_its_times_and_can_be_played_on(store: Store) -> None:
    kept = store.add_battle("plastic", "Old", "turn 2", ENTRIES, over=False, started=STARTED)
    assert (kept.title, kept.headline, kept.over, kept.started) == ("Old", "turn 2", False, STARTED)
    assert kept.updated > STARTED
    assert store.entries(kept.id) == ENTRIES
    store.append(kept.id, EntryRecord(4, "order", "{}", "[]"), headline="turn 3", over=True)
    assert [entry.number for entry in store.entries(kept.id)] == [1, 2, 3, 4]


def test_it_is_kept_whole_or_not_at_all(store: Store) -> None:
    spoilt = [*ENTRIES, EntryRecord(4, "order", None, "[]", STARTED)]  # type: ignore[arg-type]
    with pytest.raises(IntegrityError):
        store.add_battle("plastic", "Old", "x", spoilt, over=False, started=STARTED)
    assert store.battles() == []


def test_a_name_that_fits_no_battle_or_several_speaks_of_battles() -> None:
    with pytest.raises(StoreError, match="No battle is called “x”; none is saved yet"):
        pick("x", [], "battle", "battles")
    with pytest.raises(StoreError, match="“o” could mean 2 battles"):
        pick("o", [NumberedName(1, "Old"), NumberedName(2, "Older")], "battle", "battles")
