"""The figures that a player owns."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from skirmish.store.database import Store
from skirmish.store.errors import StoreError


def test_nothing_is_owned_at_first(memory):
    assert memory.owned("plastic") == {}


def test_counts_given_are_set_and_the_others_stay(path):
    with Store.open(str(path)) as store:
        store.set_owned("plastic", {"rifle": 60, "tank": 3})
        store.set_owned("plastic", {"tank": 4, "jeep": 1})
    with Store.open(str(path)) as store:
        assert store.owned("plastic") == {"rifle": 60, "tank": 4, "jeep": 1}


def test_a_count_of_none_takes_the_line_away(memory):
    memory.set_owned("plastic", {"rifle": 60, "tank": 3})
    memory.set_owned("plastic", {"rifle": 0})
    assert memory.owned("plastic") == {"tank": 3}


def test_games_do_not_share_figures(memory):
    memory.set_owned("plastic", {"tank": 3})
    memory.set_owned("other", {"tank": 7})
    assert memory.owned("plastic") == {"tank": 3}


def test_two_programs_that_enter_different_pieces_lose_nothing(path):
    with Store.open(str(path)) as one, Store.open(str(path)) as other:
        one.set_owned("plastic", {"rifle": 60})
        other.set_owned("plastic", {"tank": 3})
        assert one.owned("plastic") == other.owned("plastic") == {"rifle": 60, "tank": 3}


def test_a_closed_store_refuses(path):
    store = Store.open(str(path))
    store.close()
    with pytest.raises(StoreError, match="is closed"):
        store.set_owned("plastic", {"tank": 1})


def test_a_file_from_before_there_were_figures_is_brought_up_with_its_armies(path):
    with Store.open(str(path)) as store:
        store.add_army("plastic", "Ziegler", "{}")
    with closing(sqlite3.connect(path)) as file:
        file.execute("DROP TABLE owned")
        file.execute("UPDATE alembic_version SET version_num = '0001'")
        file.commit()
    with Store.open(str(path)) as store:
        assert [army.name for army in store.armies()] == ["Ziegler"]
        assert store.owned("plastic") == {}
        store.set_owned("plastic", {"tank": 1})
    assert [file.name for file in path.parent.glob("*.bak")] == ["kept.db.before-0002.bak"]
