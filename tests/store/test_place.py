from __future__ import annotations

from pathlib import Path

import pytest

from skirmish.store.database import Store
from skirmish.store.errors import StoreError
from skirmish.store.place import find


def test_without_a_word_the_data_is_in_the_users_data_folder(own_data_folder):
    assert find().path == own_data_folder / "skirmish.db"
    with Store.open() as store:
        assert store.location == str(own_data_folder / "skirmish.db")
    assert (own_data_folder / "skirmish.db").is_file()


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ("kept.db", "{here}/kept.db"),
        ("{here}/a b/kept%20#1.db", "{here}/a b/kept%20#1.db"),
        ("~/kept.db", "{here}/home/kept.db"),
        ("sqlite:///kept.db", "{here}/kept.db"),
        ("sqlite:///~/kept.db", "{here}/home/kept.db"),
        ("sqlite:///{here}/kept.db", "{here}/kept.db"),
        ("SQLite+pysqlite:///{here}/käse.db", "{here}/käse.db"),
        ("sqlite://", None),
        ("sqlite:///", None),
        ("sqlite:///:memory:", None),
        (":memory:", None),
    ],
)
def test_a_path_or_an_sqlite_url_names_the_place(said, path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    said = said.format(here=tmp_path)
    expected = None if path is None else Path(path.format(here=tmp_path))
    assert find(said).path == expected
    monkeypatch.setenv("SKIRMISH_DATABASE", said)
    assert find().path == expected
    with Store.open() as store:
        store.add_army("plastic", "a", "{}")
        assert store.location == (
            "memory (gone when the program ends)" if expected is None else str(expected)
        )
    assert expected is None or expected.is_file()


def test_a_place_that_is_said_counts_before_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("SKIRMISH_DATABASE", str(tmp_path / "other.db"))
    assert find(str(tmp_path / "said.db")).path == tmp_path / "said.db"


@pytest.mark.parametrize("blank", ["", "  "])
def test_blank_counts_as_not_given(blank, own_data_folder, monkeypatch):
    monkeypatch.setenv("SKIRMISH_DATABASE", blank)
    assert find(blank).path == own_data_folder / "skirmish.db"


def test_the_path_holds_though_the_program_moves_elsewhere(tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    place = find("kept.db")
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert place.path == tmp_path / "kept.db"


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (
            "postgresql://me:secret@host/db",
            "SKIRMISH_DATABASE is an address of the kind postgresql://, but Skirmish keeps its "
            "data in an SQLite file; give a path such as ~/skirmish.db, or sqlite:///skirmish.db.",
        ),
        (
            "sqlite://data/kept.db",
            "SKIRMISH_DATABASE is “sqlite://data/kept.db”, where two slashes mean another machine; "
            "a file takes three, as in sqlite:///skirmish.db, and four from the root of the disk.",
        ),
        (
            "sqlite:///kept.db?mode=ro",
            "SKIRMISH_DATABASE is “sqlite:///kept.db?mode=ro”, but an SQLite URL takes no options "
            "here; remove the question mark and everything after it.",
        ),
        (
            "sqlite:kept.db",
            "SKIRMISH_DATABASE is “sqlite:kept.db”, which lacks slashes or is not a "
            "path; give a path such as ~/skirmish.db, or sqlite:///skirmish.db.",
        ),
        (
            "file:kept.db?mode=memory",
            "SKIRMISH_DATABASE is “file:kept.db?mode=memory”, which lacks slashes or is not a "
            "path; give a path such as ~/skirmish.db, or sqlite:///skirmish.db.",
        ),
        (
            "data/",
            "SKIRMISH_DATABASE is “data/”, a folder; choose a file in it, such as skirmish.db.",
        ),
        (
            "~nobody-of-that-name/kept.db",
            "SKIRMISH_DATABASE is “~nobody-of-that-name/kept.db”, but the home folder it begins "
            "with is unknown; write the whole path.",
        ),
    ],
)
def test_what_can_be_no_database_file_is_refused_in_words(said, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SKIRMISH_DATABASE", said)
    with pytest.raises(StoreError) as caught:
        Store.open()
    assert str(caught.value) == sentence
    assert list(tmp_path.iterdir()) == []


def test_a_place_given_by_the_caller_is_not_blamed_on_the_environment():
    with pytest.raises(StoreError, match=r"^The database is an address of the kind mysql://"):
        find("mysql://host/db")


def test_a_path_with_a_null_sign_is_refused_in_words():
    with pytest.raises(StoreError, match="“a·b”, which cannot be the name of a file"):
        find("a\0b")
