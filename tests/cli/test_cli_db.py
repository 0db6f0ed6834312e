"""``skirmish db``: where the data is, copies of it, and whether all of it is sound."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from at_the_desk import Ask

from skirmish import library
from skirmish.games.plastic.army_file import GAME
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.orders import EndPhase
from skirmish.games.plastic.battle.progress import headline
from skirmish.games.plastic.battle.scenario_opening import from_scenario
from skirmish.store.database import Store
from skirmish.tabletop.chance import Source

ENTRIES = 7


def keep_a_battle(path: Path) -> None:
    """Overmatched, a few phases on, as the app keeps it."""
    scenario = library.scenarios()[1]
    sources = {side.id: Source(seed=5) for side in scenario.sides}
    setup = from_scenario(scenario, library.catalog(), library.rulings(), sources=sources)
    battle = record.codec.play([record.opening(setup)])
    with Store.open(str(path)) as store:
        first = record.codec.written(battle.entries[0])
        number = store.add_battle(GAME, setup.title, headline(battle.state), [first]).id
        while len(battle.entries) < ENTRIES:
            undo = len(battle.entries) == 3
            entry = battle.possible("undo") if undo else battle.consider(EndPhase())
            battle.accept(entry)
            store.append(
                number,
                record.codec.written(entry),
                headline=headline(battle.state),
                over=False,
            )


@pytest.fixture
def kept(desk: Path, ask: Ask) -> Path:
    """The database, with an army and two battles in it."""
    path = desk.parent / "kept.db"
    assert ask("army", "import", "ziegler.toml").code == 0
    keep_a_battle(path)
    keep_a_battle(path)
    return path


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as file:
        for statement in statements:
            file.execute(statement)
        file.commit()


def counted(path: Path) -> int:
    with closing(sqlite3.connect(path)) as file:
        return int(file.execute("SELECT count(*) FROM entry").fetchone()[0])


# path


def test_the_path_is_printed_and_nothing_else(ask: Ask, desk: Path) -> None:
    assert ask("db", "path") == (0, f"{desk.parent / 'kept.db'}\n", "")
    assert not (desk.parent / "kept.db").exists(), "to ask is no reason to make it"


def test_a_database_in_memory_has_no_path(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIRMISH_DATABASE", "sqlite://")
    said = ask("db", "path")
    assert (said.code, said.out) == (2, "")
    assert said.err == "The database is in memory only and has no file.\n"


@pytest.mark.parametrize("command", [("path",), ("backup",), ("restore", "x.db"), ("check",)])
def test_an_address_that_is_no_file_is_told(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setenv("SKIRMISH_DATABASE", "postgres://me:secret@there/db")
    said = ask("db", *command)
    assert (said.code, said.out) == (2, "")
    assert "postgres://" in said.err
    assert "secret" not in said.err


# backup


def test_a_backup_bears_the_date_and_stands_in_this_folder(
    ask: Ask, desk: Path, kept: Path
) -> None:
    said = ask("db", "backup")
    (copy,) = desk.glob("*.db")
    assert re.fullmatch(r"skirmish-\d{4}-\d\d-\d\d\.db", copy.name)
    assert said == (0, f"Backup of 2 battles and 1 army: {copy}\n", "")
    assert counted(copy) == 2 * ENTRIES


def test_a_backup_goes_where_it_is_told(ask: Ask, desk: Path, kept: Path) -> None:
    (desk / "stick").mkdir()
    assert ask("db", "backup", "stick").code == 0
    assert ask("db", "backup", "stick/club.db").code == 0
    assert len(list((desk / "stick").glob("skirmish-*.db"))) == 1
    assert counted(desk / "stick" / "club.db") == 2 * ENTRIES


def test_a_backup_overwrites_nothing_unasked(ask: Ask, desk: Path, kept: Path) -> None:
    (desk / "club.db").write_text("precious")
    said = ask("db", "backup", "club.db")
    assert (said.code, said.out) == (2, "")
    assert "already exists and was not changed; add --force to overwrite it" in said.err
    assert (desk / "club.db").read_text() == "precious"
    assert ask("db", "backup", "club.db", "--force").code == 0
    assert counted(desk / "club.db") == 2 * ENTRIES


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("-", "cannot be read from a pipe"),
        ("no/folder/club.db", "does not exist; create it first"),
        ("../kept.db", "is the database itself"),
        ("a\0b", "cannot be the name of a file"),
    ],
)
def test_a_backup_that_cannot_be_made_is_told(ask: Ask, kept: Path, where: str, told: str) -> None:
    before = kept.read_bytes()
    said = ask("db", "backup", where, "--force")
    assert (said.code, said.out) == (2, "")
    assert told in said.err
    assert kept.read_bytes() == before


@pytest.mark.parametrize("command", ["backup", "check"])
def test_where_there_is_no_database_yet_that_is_told(ask: Ask, desk: Path, command: str) -> None:
    said = ask("db", command)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("There is no database yet; the app will create it at ")
    assert not (desk.parent / "kept.db").exists()


# restore


def test_a_backup_comes_back_and_the_present_is_kept(ask: Ask, desk: Path, kept: Path) -> None:
    ask("db", "backup", "club.db")
    change(kept, "DELETE FROM entry", "DELETE FROM battle")
    said = ask("db", "restore", "club.db")
    beside = kept.with_name("kept.db.before-restore.bak")
    assert said == (
        0,
        f"Restored 2 battles and 1 army: {kept}\nThe previous database: {beside}\n",
        "",
    )
    assert (counted(kept), counted(beside)) == (2 * ENTRIES, 0)
    assert ask("db", "check").code == 0


def test_a_restore_while_the_app_is_open_is_refused(ask: Ask, kept: Path) -> None:
    ask("db", "backup", "club.db")
    with Store.open(str(kept)):
        said = ask("db", "restore", "club.db")
    assert (said.code, said.out) == (2, "")
    assert "is open in another program; close that program first" in said.err


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("none.db", "There is no "),
        ("ziegler.toml", "cannot be restored, it does not begin like an SQLite file"),
        (".", "is not a regular file"),
        ("-", "cannot be read from a pipe"),
        ("", "cannot be the name of a file"),
        ("../kept.db", "is the database itself"),
    ],
)
def test_what_cannot_be_restored_is_told(ask: Ask, kept: Path, name: str, told: str) -> None:
    before = kept.read_bytes()
    said = ask("db", "restore", name)
    assert (said.code, said.out) == (2, "")
    assert told in said.err
    assert len(said.err.splitlines()) == 1
    assert kept.read_bytes() == before


# check


def test_a_sound_database_is_called_so(ask: Ask, kept: Path) -> None:
    assert ask("db", "check") == (0, f"No faults: 2 battles and 1 army in {kept}\n", "")


def test_a_copy_can_be_checked_and_stays_as_it_is(ask: Ask, desk: Path, kept: Path) -> None:
    ask("db", "backup", "club.db")
    before = (desk / "club.db").read_bytes()
    said = ask("db", "check", "club.db")
    assert said == (0, f"No faults: 2 battles and 1 army in {desk / 'club.db'}\n", "")
    assert (desk / "club.db").read_bytes() == before
    assert [file.name for file in desk.glob("club*")] == ["club.db"]


OPENING = "battle_id = 1 AND number = 1"
THIRD = "battle_id = 1 AND number = 3"


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        (f"DELETE FROM entry WHERE {THIRD}", "entry 3 is missing."),
        (
            "DELETE FROM entry WHERE battle_id = 1 AND number IN (4, 5)",
            "entries 4 to 5 are missing.",
        ),
        (f"DELETE FROM entry WHERE {OPENING}", "entry 1 is missing."),
        ("DELETE FROM entry WHERE battle_id = 1", "it has no journal."),
        (f"UPDATE entry SET kind = 'miracle' WHERE {THIRD}", "entry 3 is of a kind this version"),
        (f"UPDATE entry SET events = '[{{' WHERE {THIRD}", "entry 3 cannot be read"),
        (f"UPDATE entry SET kind = 'redo' WHERE {THIRD}", "entry 3"),
        (f"UPDATE entry SET events = '[]' WHERE {OPENING}", ""),
        ("UPDATE battle SET game = 'chess' WHERE id = 1", "a game that this version does not know"),
    ],
)
def test_a_spoilt_journal_is_one_line(ask: Ask, kept: Path, statement: str, told: str) -> None:
    change(kept, statement)
    said = ask("db", "check")
    assert (said.code, said.err) == (1, "")
    (line,) = said.out.splitlines()
    assert line.startswith("Battle 1 (Overmatched): ")
    assert told in line


def test_every_spoilt_thing_is_told_removed_ones_too(ask: Ask, kept: Path) -> None:
    change(
        kept,
        "UPDATE battle SET removed = updated WHERE id = 2",
        "DELETE FROM entry WHERE number IN (2, 4)",
        "UPDATE army SET body = 'soup', name = 'Zieg\x1b[2Jler'",
    )
    said = ask("db", "check")
    assert said.code == 1
    army, *battles = said.out.splitlines()
    assert army.startswith("The army Zieg␛[2Jler: is stored as text that is not an army list")
    assert [line.partition(" (")[0] for line in battles] == ["Battle 1"] * 2 + ["Battle 2"] * 2


def test_a_lost_reference_is_told(ask: Ask, kept: Path) -> None:
    change(kept, "DELETE FROM battle WHERE id = 2")
    said = ask("db", "check")
    assert said.code == 1
    assert len(said.out.splitlines()) == ENTRIES
    assert "belongs to a battle that does not exist" in said.out


def test_a_file_of_a_newer_program_is_told(ask: Ask, kept: Path) -> None:
    change(kept, "UPDATE alembic_version SET version_num = '9999'")
    said = ask("db", "check")
    assert said.code == 1
    assert said.out.startswith("The file: it was written by a newer Skirmish (its revision is “99")
    assert len(said.out.splitlines()) == 1


@pytest.mark.parametrize("start", [0, 8192])
def test_a_damaged_file_is_told(ask: Ask, kept: Path, start: int) -> None:
    data = bytearray(kept.read_bytes())
    data[start : start + 8192] = b"\xff" * 8192
    kept.write_bytes(data)
    said = ask("db", "check")
    assert (said.code, said.err) == (1, "")
    assert all(line.startswith("The file: it ") for line in said.out.splitlines())
    assert kept.read_bytes() == bytes(data)


def test_a_check_loads_neither_orm_nor_screen(real: Ask, kept: Path) -> None:
    said = real("db", "check", env={"PYTHONPROFILEIMPORTTIME": "1"})
    assert said.code == 0
    for heavy in ("sqlalchemy", "sqlmodel", "alembic", "textual", "reportlab"):
        assert heavy not in said.err
