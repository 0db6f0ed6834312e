from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime, timedelta, timezone

import msgspec
import pytest

from skirmish.store.database import Store
from skirmish.store.errors import Outrun, StoreError
from skirmish.store.records import LONGEST_CELL, ArmyRecord, BattleRecord
from skirmish.tabletop.journal_codec import EntryRecord

FIRST = EntryRecord(1, "open", '{"scenario": 1}', "[]")
HOSTILE = [
    "Unit [/b]",
    "[link=x]",
    "🪖 Zug “A”",
    "O'Neill\"; DROP TABLE army; --",
    "",
    " ",
    "a\nb\x1b[2J",
]


def pragma(store: Store, name: str) -> object:
    with store._engine.connect() as connection:
        return connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("journal_mode", "wal"),
        ("synchronous", 2),
        ("foreign_keys", 1),
        ("busy_timeout", 5000),
        ("application_id", int.from_bytes(b"Skir")),
    ],
)
def test_the_connection_is_set_up_for_keeping(store, name, value):
    assert pragma(store, name) == value


def test_the_connection_is_set_up_when_no_migration_runs_too(store, path):
    store.close()
    with Store.open(str(path)) as again:
        assert (pragma(again, "foreign_keys"), pragma(again, "synchronous")) == (1, 2)


def test_what_could_not_be_read_again_is_not_written(store):
    battle = store.add_battle("plastic", "Dog Beach", "", [FIRST])
    long = msgspec.structs.replace(FIRST, events=f"[{' ' * LONGEST_CELL}]")
    with pytest.raises(StoreError, match="Choose smaller armies"):
        store.add_battle("plastic", "Two hordes", "", [long])
    with pytest.raises(StoreError, match="Choose smaller armies"):
        store.append(battle.id, msgspec.structs.replace(long, number=2), headline="", over=False)
    assert store.battles() == [battle]
    assert len(store.entries(battle.id)) == 1


# Armies


def test_an_army_comes_back_as_it_was_kept(store, path):
    kept = store.add_army("plastic", "Ziegler", '{"tank": 2}')
    store.close()
    with Store.open(str(path)) as again:
        assert again.armies() == [kept]
        assert again.army(kept.id) == kept
    assert kept == ArmyRecord(
        1, "plastic", "Ziegler", '{"tank": 2}', "2026-05-01T18:00:01.000000+00:00"
    )


def test_armies_come_newest_change_first(memory):
    one, two, three = (memory.add_army("plastic", name, "{}") for name in "abc")
    changed = memory.save_army(one.id, "a2", '{"tank": 1}')
    assert memory.armies() == [changed, three, two]
    assert changed.updated > three.updated
    assert (changed.name, changed.body) == ("a2", '{"tank": 1}')


def test_times_are_kept_in_utc_whatever_the_clock_says():
    moscow = timezone(timedelta(hours=3))
    with Store.open("sqlite://", now=lambda: datetime(2026, 5, 1, 1, 30, tzinfo=moscow)) as store:
        assert store.add_army("plastic", "a", "{}").updated == "2026-04-30T22:30:00.000000+00:00"


def test_a_removed_army_leaves_the_list_and_can_be_restored(memory):
    gone, stays = memory.add_army("plastic", "gone", "{}"), memory.add_army("plastic", "b", "{}")
    memory.remove("army", gone.id)
    memory.remove("army", gone.id)
    assert memory.armies() == [stays]
    with pytest.raises(StoreError, match="removed; bring it back first"):
        memory.army(gone.id)
    with pytest.raises(StoreError, match="No army is called “gone”"):
        memory.army("gone")
    memory.bring_back("army", gone.id)
    assert memory.armies() == [stays, gone]
    assert memory.army("gone") == gone


def test_a_save_to_a_removed_army_loses_nothing_and_does_not_revive_it(memory):
    army = memory.add_army("plastic", "a", "{}")
    memory.remove("army", army.id)
    saved = memory.save_army(army.id, "a", '{"rifle": 9}')
    assert memory.armies() == []
    memory.bring_back("army", army.id)
    assert memory.armies() == [saved]


@pytest.mark.parametrize("missing", [0, -1, 7, 2**63, 10**30])
@pytest.mark.parametrize(
    "ask",
    [
        lambda s, n: s.army(n),
        lambda s, n: s.save_army(n, "x", "{}"),
        lambda s, n: s.remove("army", n),
        lambda s, n: s.bring_back("army", n),
        lambda s, n: s.battle(n),
        lambda s, n: s.entries(n),
        lambda s, n: s.remove("battle", n),
        lambda s, n: s.bring_back("battle", n),
        lambda s, n: s.append(n, EntryRecord(1, "k", "{}", "[]"), headline="", over=False),
    ],
)
def test_a_number_that_nothing_bears_is_refused_in_words(memory, ask, missing):
    with pytest.raises(StoreError, match=rf"no (army|battle) with the number {missing};"):
        ask(memory, missing)


@pytest.mark.parametrize("name", HOSTILE)
def test_any_text_is_kept_as_typed(store, path, name):
    army = store.add_army("plastic", name, name)
    battle = store.add_battle("plastic", name, name, [EntryRecord(1, "open", name, name)])
    store.close()
    with Store.open(str(path)) as again:
        assert (again.army(army.id).name, again.army(army.id).body) == (name, name)
        assert again.battle(battle.id).title == name
        assert again.entries(battle.id)[0].events == name
        assert again.army(name) == army


def test_a_text_that_cannot_be_stored_is_refused_in_words(memory):
    with pytest.raises(StoreError, match="contains a character that is not valid"):
        memory.add_army("plastic", "caf\udce9", "{}")
    assert memory.armies() == []


# Battles


def test_a_battle_begins_with_its_first_entry(memory):
    battle = memory.add_battle("plastic", "Overmatched", "turn 1", [FIRST])
    at = "2026-05-01T18:00:01.000000+00:00"
    assert battle == BattleRecord(1, "plastic", "Overmatched", "turn 1", False, at, at)
    assert memory.battle(battle.id) == battle
    assert memory.entries(battle.id) == [EntryRecord(1, "open", '{"scenario": 1}', "[]", at)]


def test_a_battle_whose_first_entry_fails_does_not_exist(memory):
    with pytest.raises(StoreError):
        memory.add_battle("plastic", "t", "h", [EntryRecord(1, "open", "\ud800", "[]")])
    assert memory.battles() == []


def test_an_entry_brings_the_battle_up_to_date(memory):
    battle = memory.add_battle("plastic", "t", "turn 1", [FIRST])
    entry = memory.append(
        battle.id, EntryRecord(2, "fire", "{}", '["x"]'), headline="turn 2", over=True
    )
    assert entry == EntryRecord(2, "fire", "{}", '["x"]', "2026-05-01T18:00:02.000000+00:00")
    now = memory.battle(battle.id)
    assert (now.headline, now.over) == ("turn 2", True)
    assert (now.started, now.updated) == (battle.started, entry.at)


def test_an_entry_that_fails_leaves_the_battle_as_it_was(memory):
    battle = memory.add_battle("plastic", "t", "turn 1", [FIRST])
    with pytest.raises(StoreError):
        memory.append(
            battle.id, EntryRecord(2, "fire", "\ud800", "[]"), headline="turn 2", over=True
        )
    assert memory.battle(battle.id) == battle
    assert len(memory.entries(battle.id)) == 1


def test_the_journal_is_read_in_order_from_any_entry(memory):
    battle = memory.add_battle("plastic", "t", "h", [FIRST])
    other = memory.add_battle("plastic", "other", "h", [FIRST])
    for number in range(2, 12):
        memory.append(battle.id, EntryRecord(number, "fire", "{}", "[]"), headline="h", over=False)
    assert [entry.number for entry in memory.entries(battle.id)] == list(range(1, 12))
    assert [entry.number for entry in memory.entries(battle.id, after=8)] == [9, 10, 11]
    assert memory.entries(battle.id, after=11) == []
    assert len(memory.entries(other.id)) == 1


def test_battles_come_newest_change_first_and_no_more_than_asked(memory):
    one, two, three = (memory.add_battle("plastic", name, "h", [FIRST]) for name in "abc")
    memory.append(one.id, EntryRecord(2, "fire", "{}", "[]"), headline="h", over=False)
    assert [battle.id for battle in memory.battles()] == [one.id, three.id, two.id]
    assert [battle.id for battle in memory.battles(limit=2)] == [one.id, three.id]
    assert memory.battles(limit=0) == []


def test_a_removed_battle_leaves_the_list_keeps_its_journal_and_can_be_restored(memory):
    battle = memory.add_battle("plastic", "t", "h", [FIRST])
    memory.remove("battle", battle.id)
    assert memory.battles() == []
    with pytest.raises(StoreError, match="removed; bring it back first"):
        memory.battle(battle.id)
    memory.append(battle.id, EntryRecord(2, "fire", "{}", "[]"), headline="h2", over=False)
    assert memory.battles() == []
    memory.bring_back("battle", battle.id)
    assert [b.headline for b in memory.battles()] == ["h2"]
    assert len(memory.entries(battle.id)) == 2


def test_of_two_programs_on_one_battle_the_second_is_told_it_was_outrun(store, path):
    battle = store.add_battle("plastic", "t", "h", [FIRST])
    with Store.open(str(path)) as other:
        other.append(
            battle.id,
            EntryRecord(2, "fire", '{"by": "other"}', "[]"),
            headline="theirs",
            over=False,
        )
        sentence = rf"already written entry 2 of battle {battle.id} \(its last entry is 2\)"
        assert issubclass(Outrun, StoreError)
        with pytest.raises(Outrun, match=sentence):
            store.append(battle.id, EntryRecord(2, "fire", "{}", "[]"), headline="mine", over=True)
        assert [entry.order for entry in store.entries(battle.id, after=1)] == ['{"by": "other"}']
        assert store.battle(battle.id).headline == "theirs"
        store.append(battle.id, EntryRecord(3, "fire", "{}", "[]"), headline="mine", over=False)
        assert len(other.entries(battle.id)) == 3


def test_the_file_itself_holds_no_two_entries_of_one_number(store, path):
    store.add_battle("plastic", "t", "h", [FIRST])
    store.close()
    with closing(sqlite3.connect(path)) as file, pytest.raises(sqlite3.IntegrityError):
        file.execute("INSERT INTO entry SELECT * FROM entry")


def test_an_entry_that_would_leave_a_gap_is_refused(memory):
    battle = memory.add_battle("plastic", "t", "h", [FIRST])
    with pytest.raises(StoreError, match="last entry is 1; the next is 2"):
        memory.append(battle.id, EntryRecord(3, "fire", "{}", "[]"), headline="h", over=False)
    assert len(memory.entries(battle.id)) == 1


# The door


def test_what_is_handed_out_is_frozen_and_no_row(memory):
    army = memory.add_army("plastic", "a", "{}")
    battle = memory.add_battle("plastic", "t", "h", [FIRST])
    for record in (army, battle, memory.entries(battle.id)[0], memory.armies()[0]):
        assert isinstance(record, msgspec.Struct)
        assert msgspec.json.decode(msgspec.json.encode(record), type=type(record)) == record
        with pytest.raises(AttributeError):
            record.id = 3


def test_a_closed_store_refuses_in_words_and_closes_twice(path):
    store = Store.open(str(path))
    store.close()
    store.close()
    with pytest.raises(StoreError, match="is closed; open it again"):
        store.armies()


def test_a_store_keeps_nothing_open_after_closing(path):
    with Store.open(str(path)) as store:
        store.add_army("plastic", "a", "{}")
    assert [file.name for file in path.parent.iterdir() if file.is_file()] == [path.name]


def test_a_store_that_was_asked_nothing_lets_go_of_its_file(path):
    Store.open(str(path)).close()
    with Store.open(str(path)):
        pass
    with closing(sqlite3.connect(path, timeout=0)) as file:
        assert file.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)


def test_a_lock_held_by_another_program_is_told_and_nothing_is_lost(store, path):
    kept = store.add_army("plastic", "a", "{}")
    with Store.open(str(path), patience=0) as hurried:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match="locked by another program"):
                hurried.add_army("plastic", "b", "{}")
            assert hurried.armies() == [kept], "reading goes on beside a writer"
            other.execute("ROLLBACK")
        hurried.add_army("plastic", "b", "{}")
        assert len(hurried.armies()) == 2


def test_a_full_disk_is_told_and_nothing_is_lost(store):
    kept = store.add_army("plastic", "a", "{}")
    pages = pragma(store, "page_count")
    assert pragma(store, f"max_page_count = {pages}") == pages
    with pytest.raises(StoreError, match="is full, so the last change was not saved"):
        store.add_army("plastic", "large", "x" * 100_000)
    assert store.armies() == [kept]
    pragma(store, "max_page_count = 100000")
    store.add_army("plastic", "large", "x" * 100_000)
    assert len(store.armies()) == 2
