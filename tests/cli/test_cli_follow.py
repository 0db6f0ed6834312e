"""``skirmish follow``: which battle it opens, and what it says where it cannot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from at_the_desk import Ask

from skirmish.store.database import Store
from skirmish.tabletop.journal_codec import EntryRecord
from skirmish.web import SERVED

FIRST = EntryRecord(1, "open", "null", "[]")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The battles that the app was opened at; the test has a terminal."""
    monkeypatch.setenv(SERVED, "1")
    return []


@pytest.fixture
def the_app(opened: list[int]) -> Callable[[int], object]:
    return opened.append


@pytest.fixture
def two_battles(tmp_path: Path) -> None:
    with Store.open(str(tmp_path / "kept.db")) as store:
        store.add_battle("plastic", "Overmatched", "h", [FIRST])
        store.add_battle("plastic", "Dog Beach", "h", [FIRST])
        store.append(1, EntryRecord(2, "order", "null", "[]"), headline="h", over=False)


@pytest.mark.usefixtures("two_battles")
@pytest.mark.parametrize(("named", "number"), [([], 1), (["2"], 2), (["dog"], 2), (["beach"], 2)])
def test_the_last_battle_or_the_one_that_is_named(
    ask: Ask, opened: list[int], named: list[str], number: int
) -> None:
    assert ask("follow", *named).code == 0
    assert opened == [number]


@pytest.mark.usefixtures("two_battles")
def test_a_battle_that_is_not_there_is_told(ask: Ask, opened: list[int]) -> None:
    said = ask("follow", "Kursk")
    assert said.code == 2
    assert "Kursk" in said.err
    assert opened == []


def test_where_no_battle_is_kept_it_says_so(ask: Ask, opened: list[int]) -> None:
    said = ask("follow")
    assert (said.code, opened) == (2, [])
    assert said.err.startswith("There are no games in")


def test_without_a_terminal_it_names_what_needs_none(real: Ask) -> None:
    said = real("follow")
    assert said.code == 2
    assert "needs a terminal" in said.err
    assert "skirmish journal" in said.err
    assert "Traceback" not in said.err
    assert said.out == ""


def test_any_game_is_followed(ask: Ask, opened: list[int], tmp_path: Path) -> None:
    with Store.open(str(tmp_path / "kept.db")) as store:
        store.add_battle("beach_head", "Normandy", "h", [FIRST])
    assert ask("follow").code == 0
    assert opened == [1]
