"""Databases with something wrong in them: every command that reads one ends in a sentence.

A slice of the ways a file can break, seeded; ``SKIRMISH_DAMAGES=700`` tries so many of each kind.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import kept_battles
import kept_beaches
import omaha_table
import pytest
from at_the_desk import Ask

from skirmish.store.database import Store
from skirmish.store.errors import StoreError
from skirmish.store.readers import recent_battles

MANY = int(os.environ.get("SKIRMISH_DAMAGES", "0"))
READING = (
    ("battle", "list"),
    ("battle", "list", "--json"),
    ("battle", "show", "1"),
    ("battle", "log", "1", "--all"),
    ("battle", "luck", "1"),
    ("battle", "export", "1", "--format", "jsonl"),
    ("battle", "export", "1"),
    ("battle", "totals"),
    ("army", "list"),
    ("army", "list", "--json"),
    ("army", "show", "1"),
    ("army", "export", "1", "-o", "-"),
    ("army", "share", "1"),
    ("army", "owned"),
    ("beach-head", "list"),
    ("beach-head", "show", "3"),
    ("beach-head", "export", "3"),
    ("beach-head", "scores"),
    ("list",),
    ("list", "--json"),
    ("show", "3"),
    ("show", "3", "--json"),
    ("show", "1"),
    ("journal", "3"),
    ("export", "3"),
    ("print", "game", "3", "--force"),
    ("play", "3"),
    ("omaha", "list", "--json"),
    ("omaha", "show", "4"),
    ("omaha", "units", "4", "-o", "-"),
    ("show", "4", "--json"),
    ("journal", "4", "--all"),
    ("export", "4", "--format", "text"),
    ("print", "game", "4", "--force"),
    ("play", "4"),
    ("db", "check"),
    ("db", "backup", "copy.db", "--force"),
)
TABLES = {
    "army": ("id", "game", "name", "body", "updated", "removed"),
    "battle": ("id", "game", "title", "headline", "over", "started", "updated", "removed"),
    "entry": ("battle_id", "number", "kind", "order", "events", "at"),
    "owned": ("game", "piece", "count"),
    "alembic_version": ("version_num",),
}
ODD = (
    "x'00ff'",
    "cast(x'c328ff' as text)",
    "NULL",
    "''",
    "-1",
    "9e999",
    "'2026-02-31T25:00:00'",
    "'9999999999999999999999'",
    "'0001-01-01T00:00:00+23:59'",
    "'{\"a\":' || printf('%.*c', 3000, '[')",
    "'[' || printf('%.*c', 6000, '9') || ']'",
    "char(27) || '[2J' || char(8238) || char(10)",
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sound database: an army, two battles of which one is over, a game of Beach Head."""
    path = tmp_path_factory.mktemp("whole") / "whole.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SKIRMISH_DATABASE", str(path))
        with Store.open() as store:
            store.add_army("plastic", "Ziegler", '{"name":"Ziegler","points":20,"nation":null}')
            store.set_owned("plastic", {"rifle": 30})
        kept_battles.keep(kept_battles.scenario(1, 12))
        kept_battles.keep(kept_battles.scenario(5, 3))
        kept_beaches.keep(kept_beaches.played(6))
        kept_beaches.keep(omaha(), "omaha")
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA journal_mode = DELETE")
        file.execute("UPDATE battle SET over = 1 WHERE id = 1")
        file.commit()
    return path


def omaha() -> Any:
    """A game of Omaha: one of its units, and two turns begun."""
    play = omaha_table.begun(chance="own")
    for lines in (("c d", "1/B/116", "L6"), ("space",)):
        omaha_table.give(play, *lines)
    return play


@pytest.fixture
def damaged(whole: Path, desk: Path) -> Callable[[], Path]:
    """A fresh copy of the sound one, where the commands look for it."""
    path = desk.parent / "kept.db"

    def fresh() -> Path:
        for tail in ("-wal", "-shm", "-journal"):
            path.with_name(path.name + tail).unlink(missing_ok=True)
        shutil.copyfile(whole, path)
        return path

    return fresh


def spoilt(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        for statement in statements:
            file.execute(statement)


def read_all(ask: Ask, path: Path, what: str) -> list[str]:
    """What every command that reads, and the lists of the app, made of the file, where it is
    neither an answer nor a sentence."""
    wrong = []
    for words in READING if MANY else Random(what).sample(READING, 6):
        try:
            said = ask(*words)
        except Exception as error:
            wrong.append(f"{what}: {' '.join(words)} ended in {error!r}"[:500])
            continue
        told = said.err.strip()
        if (
            said.code not in (0, 1, 2)
            or "Traceback" in told
            or (said.code == 2 and not re.search(r"[A-Za-z]{3}.*[.?]$", told, re.S))
            or re.search(r"[\x1b\u202e]", said.out + told)
        ):
            wrong.append(f"{what}: {' '.join(words)}: {said}"[:500])
    try:
        home(path)
    except Exception as error:
        wrong.append(f"{what}: home ended in {error!r}"[:500])
    return wrong


def home(path: Path) -> None:
    """What the home screen and the armies show, as they ask for it."""
    from skirmish.app.home import battle_line

    known = recent_battles(str(path), 50) or []
    try:
        with Store.open(str(path)) as store:
            store.armies()
            known += store.battles(50)
            store.owned("plastic")
    except StoreError:
        pass
    for battle in known:
        battle_line(battle, 60)


def tried(whole: int) -> int:
    return MANY or whole


def test_flipped_bytes_end_in_a_sentence(ask: Ask, damaged: Any) -> None:
    chance = Random(13)
    failed: list[str] = []
    for turn in range(tried(4)):
        path = damaged()
        data = bytearray(path.read_bytes())
        for _ in range(chance.choice((1, 1, 3, 20))):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        path.write_bytes(data)
        failed += read_all(ask, path, f"flip {turn}")
    assert not failed, "\n".join(failed)


SCHEMA = 4096
"""The first page of the file holds the statements that made its tables."""


def test_a_damaged_schema_ends_in_a_sentence(ask: Ask, damaged: Any) -> None:
    """SQLite quotes a damaged name in its message, which is then no text."""
    chance = Random(28)
    failed: list[str] = []
    for turn in range(tried(6)):
        path = damaged()
        data = bytearray(path.read_bytes())
        place = chance.choice([number for number in range(100, SCHEMA) if data[number]])
        data[place] ^= 0x80
        path.write_bytes(data)
        failed += read_all(ask, path, f"schema {turn}, {place}")
    assert not failed, "\n".join(failed)


def test_a_name_in_the_schema_that_is_no_text_is_a_fault(
    ask: Ask, damaged: Callable[[], Path]
) -> None:
    path = damaged()
    data = path.read_bytes()
    assert data.count(b"CREATE TABLE entry (") == 1
    path.write_bytes(data.replace(b"CREATE TABLE entry (", b"CREATE\xa0TABLE entry ("))
    checked = ask("db", "check")
    assert checked.code == 1
    assert checked.out.startswith("The file: it cannot be read to its end (a name in it is not")
    for words in (("list",), ("show", "1"), ("army", "share", "1")):
        said = ask(*words)
        assert said.code == 2
        assert "is damaged or is not a database (a name in it is not text)" in said.err


def test_an_odd_cell_ends_in_a_sentence(ask: Ask, damaged: Any) -> None:
    cells = [
        (table, column, odd)
        for table, columns in TABLES.items()
        for column in columns
        for odd in ODD
    ]
    failed: list[str] = []
    for table, column, odd in Random(7).sample(cells, min(tried(4), len(cells))):
        path = damaged()
        try:
            where = f"rowid = (SELECT min(rowid) FROM {table})"
            spoilt(
                path,
                "PRAGMA writable_schema = ON",
                f"UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '') "
                f"WHERE name = '{table}'",
            )
            spoilt(path, f'UPDATE {table} SET "{column}" = {odd} WHERE {where}')
        except sqlite3.Error:
            continue  # SQLite keeps numbers of rows whole by itself
        failed += read_all(ask, path, f"{table}.{column} = {odd}")
    assert not failed, "\n".join(failed)


def test_a_missing_table_or_column_ends_in_a_sentence(ask: Ask, damaged: Any) -> None:
    lost = [f"DROP TABLE {table}" for table in TABLES]
    lost += [
        f'ALTER TABLE {table} RENAME COLUMN "{column}" TO lost'
        for table, columns in TABLES.items()
        for column in columns
    ]
    failed: list[str] = []
    for statement in lost if MANY else Random(3).sample(lost, 3):
        path = damaged()
        spoilt(path, statement)
        failed += read_all(ask, path, statement)
    assert not failed, "\n".join(failed)


HEX = "0x" + "f" * 5000
STEERS = "\\u001b[2J\\u202e\\u009b"
DEEP = "[" + ".".join("a" * 1500) + "]\n"
SPOILT_TOML = {
    "brackets in brackets": "units = " + "[" * 2000,
    "tables in tables": DEEP,
    "a table in a known key": f"rulings.{'.'.join('a' * 1500)} = 1\n",
    "a number too long": f'points = {"9" * 5000}\nname = "a"\n[units]\nrifle = 1\n',
    "a number too long in hex": f'points = {HEX}\nname = "a"\n[units]\nrifle = 1\n',
    "a count too long": f'name = "a"\n[units]\nrifle = {"9" * 4299}\n',
    "a count too long in hex": f'name = "a"\nnation = {HEX}\n[units]\nrifle = {HEX}\n',
    "a date that is none": "points = 2026-02-31\n",
    "a year too far": "points = 0000-01-01\n",
    "what steers": f'measure = "{STEERS}"\nname = "{STEERS}"\n[keys]\n"{STEERS}" = "{STEERS}"\n',
    "half a sign": 'name = "\\ud800"\n',
    "no sign": b'name = "\xff\xfe"\n',
    "nothing": b"\0\0\0",
    "line ends": b'name = "a"\rpoints = 3',
}


@pytest.mark.parametrize("what", SPOILT_TOML)
def test_files_that_people_bring_end_in_a_sentence(
    ask: Ask, desk: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    text = SPOILT_TOML[what]
    file = desk / "bad.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    monkeypatch.setenv("SKIRMISH_SETTINGS", str(file))
    for words in (
        ("army", "check", "bad.toml"),
        ("army", "check", "bad.toml", "--json"),
        ("army", "import", "bad.toml"),
        ("army", "share", "bad.toml"),
        ("odds", "rifle", "rifle", "--rulings", "bad.toml"),
        ("settings",),
        ("settings", "--json"),
        ("settings", "measure"),
        ("settings", "measure", "inches"),
    ):
        said = ask(*words)
        assert said.code in (0, 1, 2), words
        assert said.code != 2 or len(said.err.strip()) > 15, words
        assert len(said.err) < 3000, words
        assert not re.search("[\x1b\x9b\u202e]", said.out + said.err), words


@pytest.mark.parametrize(
    ("words", "typed"),
    [
        (("play", "omaha", "--defaults"), b"c d\n\xff\nL6\n"),
        (("play", "beach_head", "--defaults", "--set", "player=\udcff"), b""),
    ],
)
def test_what_is_typed_and_is_no_text_ends_in_a_sentence(
    real: Ask, words: tuple[str, ...], typed: bytes
) -> None:
    said = real(*words, typed=typed)
    assert said.code == (2 if "--set" in words else 0), said.err
    assert "not text in UTF-8" in said.out + said.err
    assert "Traceback" not in said.err


def test_a_broken_entry_is_exported_as_it_is_and_the_import_names_it(
    ask: Ask, damaged: Any, desk: Path
) -> None:
    spoilt(damaged(), "UPDATE entry SET events = '[{\n\"oops' WHERE battle_id = 1 AND number = 4")
    said = ask("battle", "export", "1", "--format", "jsonl", "-o", "saved.jsonl")
    assert said.code == 0
    said = ask("battle", "import", "saved.jsonl")
    assert said.code == 1
    assert "3 entries" in said.out
    assert "line 5" in said.err


def test_one_bad_battle_hides_no_other(ask: Ask, damaged: Any) -> None:
    path = damaged()
    spoilt(
        path,
        "UPDATE battle SET title = x'ff', updated = 'never' WHERE id = 1",
        "UPDATE entry SET events = x'00' WHERE battle_id = 1 AND number = 3",
    )
    listed = ask("battle", "list")
    assert listed.code == 0
    assert re.search(r"\b1  unreadable .*\(date unknown\)", listed.out)
    assert ask("battle", "show", "2").code == 0
    said = ask("battle", "show", "1")
    assert said.code == 2
    assert "Battle 1 cannot be read: entry 3 is damaged (its events)." in said.err
    checked = ask("db", "check")
    assert checked.code == 1
    assert "Battle 1 (unreadable): these are damaged: title, updated." in checked.out
    assert "entry 3 is damaged (its events)" in checked.out
    assert ask("battle", "totals", "--json").json["unread"] == [1]


def test_no_list_reads_what_it_does_not_show(damaged: Any) -> None:
    path = damaged()
    huge = "printf('%.*c', 3000000, 'x')"
    spoilt(
        path,
        f"UPDATE army SET body = {huge}, name = {huge}",
        f"UPDATE battle SET title = {huge}, headline = {huge}",
    )
    with Store.open(str(path)) as store:
        lists = [*store.armies(), *store.battles()]
    lists += recent_battles(str(path), 9) or []
    assert len(lists) == 9
    assert all(len(str(record)) < 3000 for record in lists)
