"""Any game on the command line, with the toy game that only the tests know."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pypdf
import pytest
from at_the_desk import Ask

from skirmish import registry
from skirmish.store.database import Store
from skirmish.tabletop.journal_codec import EntryRecord

TOY = registry.Listed("toy", "First to Ten", "Two sides and one die.", "toy")
EVENING = "8\no\nAnna\nr 6\nred\nr\n3\nb\nr 2\n\n"
"""To 8, with an own die, by Anna: red takes a 6, blue a 3, red a 2 and has won."""


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(registry, "GAMES", [TOY])
    registry.load.cache_clear()
    yield
    registry.load.cache_clear()


def test_a_game_is_set_up_and_played_to_its_end_from_a_file_of_answers(ask: Ask) -> None:
    said = ask("play", "toy", typed=EVENING)
    assert said.code == 0, said.err
    assert "How many points win?" in said.out
    assert "Who takes the 6?" in said.out
    assert "Red takes 6." in said.out
    assert "The game is over. Red 8, Blue 3." in said.out
    assert said.out.endswith("Stored as number 1.\n")


def test_an_answer_that_will_not_do_is_asked_again_and_nothing_is_lost(ask: Ask) -> None:
    said = ask("play", "toy", "--defaults", typed="x\nr\nnobody\nred\nundo\nquit\n")
    assert said.code == 0, said.err
    assert "That means nothing now. r Roll." in said.out
    assert "Who takes the" in said.out
    assert said.out.count("Type its key.") >= 2
    log = ask("journal", "1").out
    assert "rolls" in log
    assert "takes" not in log


def test_a_question_that_is_asked_again_stands_there_once(ask: Ask) -> None:
    said = ask("play", "toy", "--set", "dice=own", "--defaults", typed="r\n9\n4\nnobody\nquit\n")
    assert said.out.count("A number from 1 to 6.") == 2
    assert said.out.count("Who takes the 4?") == 2


def test_help_names_the_way_to_another_game_only_where_one_can_belong_to_it(ask: Ask) -> None:
    said = ask("play", "toy", "--defaults", typed="help\nquit\n")
    assert "undo" in said.out
    assert "back to its campaign" not in said.out


def test_a_command_is_named_by_its_label_and_stays_open_after_a_wrong_answer(ask: Ask) -> None:
    lines = "roll\n9\n4\nred\nro 3\nblue\nrod\nquit\n"
    said = ask("play", "toy", "--set", "dice=own", "--defaults", typed=lines)
    assert said.code == 0, said.err
    assert "A number from 1 to 6." in said.out
    assert "Red takes 4." in said.out
    assert "Blue takes 3." in said.out
    assert "Stored" in said.out.rpartition("1 to 6.")[2], "rod is no label"


def test_a_game_goes_on_where_the_input_ended(ask: Ask) -> None:
    ask("play", "toy", "--set", "goal=20", "--set", "dice=own", "--set", "player=", typed="r 4\n")
    refused = ask("play", "1", "--set", "goal=9", typed="b\n")
    assert refused.code == 2
    assert "--set goal=9: game 1 is set up already." in refused.err
    said = ask("play", "1", typed="b\n")
    assert "Who takes the 4?" in said.out
    assert "Blue takes 4." in said.out
    assert "4 of 20" in ask("show", "1").out
    listed = json.loads(ask("list", "--json").out)
    assert listed["games"][1:] == [{"id": "toy", "name": "First to Ten", "about": TOY.about}]
    assert [(one["game"], one["headline"]) for one in listed["stored"]] == [
        ("toy", "Red 0, Blue 4")
    ]


def test_undo_and_redo_are_typed(ask: Ask) -> None:
    lines = "r 4\nred\nundo\nredo\nboard\njournal\nhelp\nquit\n"
    said = ask("play", "toy", "--set", "dice=own", "--defaults", typed=lines)
    assert said.code == 0, said.err
    assert "Take the last order back" in said.out
    assert [line["says"] for line in json.loads(ask("journal", "1", "--json").out)][1:] == [
        "Red rolls 4.",
        "Red takes 4.",
    ]


def test_a_question_mark_lists_what_can_be_typed(ask: Ask) -> None:
    """On the screen it is the key for help; CONTRIBUTING names it for play by lines, too."""
    asked, word = (ask("play", "toy", "--defaults", typed=f"{line}\n") for line in ("?", "help"))
    assert "Take the last order back" in asked.out
    assert asked.out.replace("number 1", "number 2") == word.out


def test_a_game_is_exported_and_imported_and_its_orders_are_decided_again(ask: Ask) -> None:
    ask("play", "toy", typed=EVENING)
    assert ask("export", "1", "-o", "evening.jsonl").code == 0
    back = ask("import", "evening.jsonl")
    assert back.code == 0, back.err
    assert ask("journal", "2").out == ask("journal", "1").out
    lines = Path("evening.jsonl").read_text("utf-8").splitlines()
    assert '"face":2' in lines[-2]
    lines[-2] = lines[-2].replace('"events":[{"event":"rolled","face":2}]', '"events":[]')
    Path("bent.jsonl").write_text("\n".join(lines), "utf-8")
    bent = ask("import", "bent.jsonl")
    assert bent.code == 1
    assert "does not hold what its order leads to" in bent.err


def test_a_game_is_printed(ask: Ask) -> None:
    ask("play", "toy", typed=EVENING)
    for document in ("position", "report"):
        said = ask("print", "game", "1", document, "--ink", "saver", "--paper", "letter")
        assert said.code == 0, said.err
        text = pypdf.PdfReader(f"toy-1-{document}.pdf").pages[0].extract_text()
        assert "First to Ten" in text
        assert "8 of 8" in text
        assert ("Blue takes 3." in text) == (document == "report")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("play", "ludo"), "There is no game “ludo”; known are: battle, toy"),
        (("play", "battle"), "The input ended before “Which battle?” was answered"),
        (("play", "99"), "No game is called “99”"),
        (("show", "99"), "No game"),
        (("play", "toy", "--set", "gaol=3"), "did you mean goal?"),
        (
            ("play", "battle", "--set", "x=9"),
            "loads, draws:…, quality:…, commander:…, player:…, preset, opt",
        ),
        (("play", "toy", "--set", "goal=three"), "--set goal: A number from 1 to 99."),
        (("play", "toy", "--set", "goal"), "NAME=VALUE"),
        (("play", "toy"), "was answered; nothing was stored"),
        (("import", "nothing.jsonl"), "nothing.jsonl: cannot be read"),
        (("import", "ziegler.toml"), "this is no exported game; known are: battle, toy"),
    ],
)
def test_what_cannot_be_done_gets_a_sentence(ask: Ask, words: tuple[str, ...], why: str) -> None:
    said = ask(*words)
    assert said.code == 2
    assert why in said.err


@pytest.mark.parametrize(
    "words", [("show",), ("journal",), ("export",), ("print", "game"), ("play",)], ids=" ".join
)
def test_what_the_shell_does_not_play_is_told_by_name(ask: Ask, words: tuple[str, ...]) -> None:
    """A game of a program that knew more."""
    with Store.open() as store:
        store.add_battle("ludo", "Ludo", "not begun", [EntryRecord(1, "open", "{}", "[]")])
    said = ask(*words, "1")
    assert said.code == 2
    assert "a game that this program does not know." in said.err
    assert ask("list").code == 0


def test_the_list_of_games_keeps_to_the_width_of_a_terminal(ask: Ask) -> None:
    ask("play", "toy", typed=EVENING)
    assert max(map(len, ask("list").out.splitlines())) <= 80


def test_a_document_that_there_is_not(ask: Ask) -> None:
    ask("play", "toy", typed=EVENING)
    assert "did you mean report?" in ask("print", "game", "1", "reprot").err
    of_a_game = "The report is of a game: give its number instead of toy."
    assert of_a_game in ask("print", "game", "toy", "report").err
