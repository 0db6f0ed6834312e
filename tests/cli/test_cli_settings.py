"""``skirmish settings``: shown, changed, refused with what would be right."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from at_the_desk import Ask

from skirmish.store.settings import Settings, read_settings


@pytest.fixture(autouse=True)
def liked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "likes" / "settings.toml"
    monkeypatch.setenv("SKIRMISH_SETTINGS", str(path))
    return path


def test_they_are_listed_with_their_place(ask: Ask, liked: Path) -> None:
    said = ask("settings")
    assert said.code == 0
    assert "measure         inches\n" in said.out
    assert f"Saved in {liked}" in said.out
    assert ask("settings", "--path").out == f"{liked}\n"
    assert ask("settings", "--json").json["theme"] == "night"


def test_a_key_of_an_earlier_version_moves_the_one_that_has_its_page(ask: Ask, liked: Path) -> None:
    liked.parent.mkdir()
    liked.write_text('[keys]\n"battle.due" = "f12"\n')
    assert "keys.battle.due_page  f12\n" in ask("settings").out


def test_one_is_changed_and_put_back(ask: Ask, liked: Path) -> None:
    assert ask("settings", "measure", "centimetres").out == "measure: centimetres\n"
    assert ask("settings", "questions", "yes").out == "questions: yes\n"
    assert ask("settings", "rulings.P2", "more_than_half").code == 0
    assert ask("settings", "keys.battle.undo", "f9").code == 0
    assert read_settings(liked) == Settings(
        measure="centimetres",
        questions=True,
        rulings={"P2": "more_than_half"},
        keys={"battle.undo": "f9"},
    )
    assert ask("settings", "rulings.P2").out == "more_than_half\n"
    for key in ("measure", "questions", "rulings.P2", "keys"):
        assert ask("settings", key, "usual").code == 0
    assert read_settings(liked) == Settings()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["them"], "There is no setting called them; did you mean theme?"),
        (["theme", "blue"], "theme: 'blue' is not possible here; known are: night, paper, ansi."),
        (["rulings.P2", "never"], "no answer 'never'"),
        (["rulings.P999", "half"], "no such ruling; they run from P1"),
        (["rulings", "half"], "Name one of them, such as rulings.P2."),
        (["questions", "maybe"], "questions"),
    ],
)
def test_what_is_no_setting_is_refused(ask: Ask, liked: Path, words: list[str], told: str) -> None:
    said = ask("settings", *words)
    assert said.code == 2
    assert told in said.err
    assert not liked.exists()


def test_a_file_that_cannot_be_read_is_told_and_left_alone(ask: Ask, liked: Path) -> None:
    liked.parent.mkdir()
    liked.write_text('theme = "blue"')
    for words in ([], ["measure", "inches"]):
        said = ask("settings", *words)
        assert said.code == 2
        assert f"{liked}: theme: 'blue' is not possible here" in said.err
    assert liked.read_text() == 'theme = "blue"'


def test_without_a_home_the_whole_path_is_asked_for(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, desk: Path
) -> None:
    def homeless(path: str) -> str:
        return path  # as Python does where it finds no home

    monkeypatch.setattr("os.path.expanduser", homeless)
    monkeypatch.setenv("SKIRMISH_SETTINGS", "~/s.toml")
    for words in (["settings"], ["settings", "theme", "paper"]):
        said = ask(*words)
        assert said.code == 2
        assert "~/s.toml: the home folder is unknown; set SKIRMISH_SETTINGS" in said.err
    monkeypatch.delenv("SKIRMISH_DATABASE")
    monkeypatch.setattr("platformdirs.user_data_path", lambda *_, **__: Path("~/share"))
    said = ask("battle", "list")
    assert said.code == 2
    assert "home folder is unknown; set SKIRMISH_DATABASE" in said.err
    assert not (desk / "~").exists()


def test_what_stands_in_the_file_steers_no_terminal(ask: Ask, liked: Path) -> None:
    liked.parent.mkdir()
    liked.write_text('[keys]\n"a\\u001b[2J\\u202e" = "\\u009b\\u202e"\n', "utf-8")
    for words in (["settings"], ["settings", "--json"], ["settings", "keys"]):
        said = ask(*words)
        assert said.code == 0
        assert not set("\x1b\x9b\u202e") & set(said.out)
    assert ask("settings", "--json").json["keys"] == {"a\x1b[2J\u202e": "\x9b\u202e"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_or_a_device_in_the_place_of_the_settings_is_told(
    ask: Ask, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(desk / "pipe")
    for file in (desk / "pipe", desk, Path("/dev/zero")):
        monkeypatch.setenv("SKIRMISH_SETTINGS", str(file))
        said = ask("settings", "measure")
        assert said.code == 2
        assert said.err == f"{file}: cannot be read: it is not a regular file.\n"
    monkeypatch.setenv("SKIRMISH_SETTINGS", os.devnull)
    assert ask("settings", "measure").out == "inches\n"
