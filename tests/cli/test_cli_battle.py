"""``skirmish battle``: what it tells, what it writes, what it takes back, what it refuses."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from at_the_desk import ROOT, Ask
from kept_battles import keep, scenario, wild

from skirmish.games.plastic.army_file import GAME
from skirmish.games.plastic.battle.orders import AddNote, Correct, EndTurn, Finish, Seal
from skirmish.store.database import Store
from skirmish.tabletop.journal_codec import EntryRecord

DOC = (ROOT / "docs" / "battles.md").read_text("utf-8")


def finished(winner: str | None = "polish", number: int = 1, orders: int = 0) -> Any:
    battle = scenario(number, orders)
    battle.order(Finish(winner=winner, reason="Supper."))
    return battle


def kept() -> list[tuple[Any, ...]]:
    """Every battle with its whole journal, without the number it has here."""
    with Store.open() as store:
        return [
            (b.title, b.headline, b.over, b.started, store.entries(b.id)) for b in store.battles()
        ]


# Listing


def test_without_a_battle_the_list_says_so_and_makes_no_database(ask: Ask, desk: Path) -> None:
    said = ask("battle", "list")
    assert said.code == 0
    assert said.out.startswith("There are no battles in ")
    assert not (desk.parent / "kept.db").exists()
    assert ask("battle", "list", "--json").json == []
    assert ask("battle", "totals").out == "No battle has been finished yet.\n"
    said = ask("battle", "show", "1")
    assert (said.code, said.out) == (2, "")
    assert said.err == "No battle is called “1”; none is saved yet.\n"
    assert not (desk.parent / "kept.db").exists()


def test_the_list_shows_number_title_and_where_each_stands(ask: Ask) -> None:
    keep(scenario(1))
    keep(finished("german", 2))
    said = ask("battle", "list")
    assert said.code == 0
    head, second, first, rest_of_status = said.out.splitlines()
    assert head.split() == ["Battle", "Status", "Played"]
    assert re.match(r"2  Stupid is as Stupid Does +Winner: Germans +\d{4}-\d\d-\d\d$", second)
    assert re.match(r"1  Overmatched +Turn 1 of 11 · even: Germans can ", first)
    assert rest_of_status.strip() == "still exit 40, need 20"
    assert all(len(line) <= 80 for line in said.out.splitlines())
    told = ask("battle", "list", "--json").json
    assert [(one["id"], one["title"], one["over"]) for one in told] == [
        (2, "Stupid is as Stupid Does", True),
        (1, "Overmatched", False),
    ]
    assert set(told[0]) == {"id", "title", "headline", "over", "started", "updated"}


def test_battles_of_another_game_are_not_ours_to_list(ask: Ask) -> None:
    keep(scenario(1))
    with Store.open() as store:
        store.add_battle("beach_head", "Elsewhere", "x", [EntryRecord(1, "open", "null", "[]")])
    assert "Elsewhere" not in ask("battle", "list").out
    assert ask("battle", "show", "Elsewhere").code == 2


# Finding


@pytest.mark.parametrize("ref", ["2", "Kursk: The Northern Spearhead", "kursk", "northern SPEAR"])
def test_a_battle_is_found_by_number_and_any_part_of_its_title(ask: Ask, ref: str) -> None:
    keep(scenario(1))
    keep(scenario(7))
    assert ask("battle", "show", ref).out.startswith("2  Kursk: The Northern Spearhead\n")


def test_a_title_that_several_bear_asks_for_the_number(ask: Ask) -> None:
    keep(scenario(1))
    keep(scenario(1))
    said = ask("battle", "show", "over")
    assert (said.code, said.out) == (2, "")
    assert said.err == (
        "“over” could mean 2 battles: 2 “Overmatched”, 1 “Overmatched”; "
        "type more of the name, or the number.\n"
    )


# Showing


def test_a_battle_is_shown_with_clock_sides_rows_and_standing(ask: Ask) -> None:
    battle = scenario(1)
    battle.order(Correct(row="polish/rearguard/rifle", by=-3))
    battle.order(EndTurn())
    keep(battle)
    said = ask("battle", "show", "1")
    assert said.code == 0
    assert "Turn 1, Poles to move, phase 1: Movement.\n" in said.out
    assert "- 3 of 28 strength lost.\n" in said.out
    assert re.search(r"^r  Rifle Guy +17 of 20$", said.out, re.MULTILINE)
    assert "Germans need 20 off the table by the end of German turn 11" in said.out
    assert all(len(line) <= 80 for line in said.out.splitlines())


def test_what_a_battle_waits_for_is_told(ask: Ask) -> None:
    from kept_battles import stage

    battle = stage.scenario(1)
    battle.order(battle.shot("rifle", "rifle"))
    keep(battle)
    assert "First enter the Polish card.\n" in ask("battle", "show", "1").out
    assert ask("battle", "show", "1", "--json").json["waiting"] == "First enter the Polish card."


def test_a_battle_that_is_over_is_shown_with_its_end(ask: Ask) -> None:
    keep(finished("polish", orders=40))
    said = ask("battle", "show", "1")
    assert re.search(r"^Winner: Poles\nIn turn \d+\. Supper\.$", said.out, re.MULTILINE)
    assert "\nStrength lost, turn by turn\n" in said.out
    assert re.search(r"^Killed by Poles\n-+\n\nBy weapon", said.out, re.MULTILINE)


def test_the_json_of_a_battle_has_exactly_the_promised_keys(ask: Ask) -> None:
    keep(finished("polish", orders=40))
    told = ask("battle", "show", "1", "--json").json
    promised = DOC.split("## `battle show N --json`")[1].split("\n## ")[0]
    listed = ask("battle", "list", "--json").json[0].keys()
    found, (side, other) = told["summary"], told["summary"]["sides"]
    values = [{key: told[key] for key in told.keys() - listed}, *told["sides"]]
    values += [told["sides"][0]["rows"][0], found, side, *side["losses"], *other["by_unit"]]
    for value in [*values, *found["turns"], found["chain"] or {}]:
        for key in value:
            assert f"`{key}`" in promised, key
    assert told["summary"]["winner"] == "polish"
    assert sum(row["lost"] for row in told["summary"]["sides"][0]["losses"]) == sum(
        turn["pieces"]["german"] for turn in told["summary"]["turns"]
    )


def test_the_log_tells_what_stands_and_with_all_what_does_not(ask: Ask) -> None:
    battle = scenario(1)
    battle.order(AddNote("kept"))
    battle.order(AddNote("struck"))
    battle.order(AddNote("taken"))
    battle.undo()
    battle.play.accept(battle.play.possible("void", *(3,)))
    keep(battle)
    said = ask("battle", "log", "1")
    assert said.out == "    1  Overmatched begins.\n    2  Note: kept\n"
    everything = ask("battle", "log", "1", "--all").out
    assert "    3  (void) Note: struck\n    4  (undone) Note: taken\n" in everything
    told = ask("battle", "log", "1", "--all", "--json").json
    assert [(one["number"], one["void"], one["taken_back"]) for one in told[:4]] == [
        (1, False, False),
        (2, False, False),
        (3, True, False),
        (4, False, True),
    ]


# Exporting


def test_a_report_goes_to_stdout_unless_a_file_is_named(ask: Ask, desk: Path) -> None:
    keep(finished("polish", orders=30))
    said = ask("battle", "export", "1")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("Overmatched\n===========\n\nFought ")
    assert ask("battle", "export", "1", "--format", "markdown").out.startswith("# Overmatched\n")
    written = ask("battle", "export", "1", "-o", "friends.md")
    assert written.out == f"Battle: {desk / 'friends.md'}\n"
    assert (desk / "friends.md").read_text("utf-8").startswith("# Overmatched\n")
    ask("battle", "export", "1", "-o", "friends.txt")
    assert (desk / "friends.txt").read_text("utf-8") == said.out
    ask("battle", "export", "1", "-o", "./", "--format", "jsonl")
    assert (desk / "battle-1-overmatched.jsonl").is_file()


def test_an_export_leaves_a_file_that_is_there_alone(ask: Ask, desk: Path) -> None:
    keep(scenario(1))
    (desk / "mine.md").write_text("mine", "utf-8")
    said = ask("battle", "export", "1", "-o", "mine.md")
    assert (said.code, said.out) == (2, "")
    assert "use --force to overwrite it" in said.err
    assert (desk / "mine.md").read_text("utf-8") == "mine"
    assert ask("battle", "export", "1", "-o", "mine.md", "--force").code == 0
    assert (desk / "mine.md").read_text("utf-8").startswith("# Overmatched\n")


def test_no_report_tells_what_is_sealed(ask: Ask) -> None:
    battle = scenario(7)
    battle.order(Seal(side="russian", text="Behind the mill"))
    keep(battle)
    for words in (["show"], ["log", "--all"], ["export"], ["export", "--format", "markdown"]):
        said = ask("battle", words[0], "1", *words[1:])
        assert said.code == 0
        assert "mill" not in said.out
    told = ask("battle", "show", "1", "--json").out + ask("battle", "log", "1", "--json").out
    assert "mill" not in told


def test_an_unknown_format_is_a_sentence(ask: Ask) -> None:
    keep(scenario(1))
    said = ask("battle", "export", "1", "--format", "pdf")
    assert (said.code, said.out) == (2, "")
    assert "'text', 'markdown', 'jsonl'" in said.err


# Importing


@pytest.mark.parametrize("number", [1, 3, 9])
def test_a_battle_goes_to_another_table_and_is_the_same_there(
    ask: Ask, desk: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(wild(number))
    here = kept()
    ask("battle", "export", "1", "-o", "b.jsonl")
    shown = ask("battle", "show", "1", "--json").json
    monkeypatch.setenv("SKIRMISH_DATABASE", str(desk / "there.db"))
    said = ask("battle", "import", "b.jsonl")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"Imported as number 1: {here[0][0]}, {len(here[0][4])} entries.\n")
    assert kept() == here
    again = ask("battle", "show", "1", "--json").json
    assert {**again, "updated": ""} == {**shown, "updated": ""}
    assert ask("battle", "export", "1", "--format", "jsonl").out == (desk / "b.jsonl").read_text(
        "utf-8"
    )


def test_a_battle_that_is_here_already_is_kept_twice_and_said(ask: Ask) -> None:
    keep(scenario(1, 10))
    file = ask("battle", "export", "1", "--format", "jsonl").out
    said = ask("battle", "import", "-", typed=file)
    assert said.code == 0
    assert "(Number 1 was started at the same moment and may be the same battle.)\n" in said.out
    assert len(kept()) == 2


def test_what_is_good_of_a_broken_file_is_kept_and_the_line_named(ask: Ask, desk: Path) -> None:
    keep(wild())
    lines = ask("battle", "export", "1", "--format", "jsonl").out.splitlines(keepends=True)
    (desk / "cut.jsonl").write_text("".join(lines[:12]) + lines[12][:30], "utf-8")
    said = ask("battle", "import", "cut.jsonl")
    assert said.code == 1
    assert said.out.startswith("Imported as number 2: Overmatched, 11 entries.\n")
    assert said.err == (
        "cut.jsonl: line 13: is not JSON; it may have been cut off.\n"
        "The entries before that line were imported; the rest of the file was not.\n"
    )
    newest, oldest = kept()
    assert newest[4] == oldest[4][:11]
    assert ask("battle", "show", "2").code == 0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "standard input: line 1: this is no exported game"),
        ("hello\n", "standard input: line 1: this is no exported game"),
        ('{"format":"skirmish-battle","version":9,"game":"plastic","title":"x","started":""}\n',
         "standard input: line 1: the file is of version 9, and this program reads version 1.\n"),
        ('{"format":"skirmish-battle","version":1,"game":"plastic","title":"x",'
         '"started":"2026-05-01T18:30:00Z"}\n',
         "standard input: line 2: the file ends before the game begins.\n"),
    ],
)  # fmt: skip
def test_a_file_of_which_nothing_is_good_keeps_nothing(ask: Ask, text: str, says: str) -> None:
    said = ask("battle", "import", "-", typed=text)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(says)
    assert said.err.count("\n") == 1
    assert kept() == []


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nowhere.jsonl", "nowhere.jsonl: cannot be read: no such file or directory.\n"),
        (".", ".: cannot be read: is a directory.\n"),
        ("ziegler.toml", "ziegler.toml: line 1: this is no exported game; its first line would "
                         'begin {"format":"skirmish-battle".\n'),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_opened_is_a_sentence(ask: Ask, name: str, says: str) -> None:
    assert ask("battle", "import", name) == (2, "", says)


def test_a_hostile_title_is_printed_without_its_teeth(ask: Ask) -> None:
    keep(scenario(1))
    header, *lines = ask("battle", "export", "1", "--format", "jsonl").out.splitlines()
    header = json.dumps(json.loads(header) | {"title": "\x1b[2J[/b] %s 🎖"})
    assert ask("battle", "import", "-", typed="\n".join([header, *lines])).code == 0
    for words in (["list"], ["show", "2"], ["export", "2"], ["log", "2"]):
        said = ask("battle", *words)
        assert (said.code, "\x1b" in said.out) == (0, False)


# A journal that cannot be read


def test_a_spoilt_battle_is_listed_named_and_left_out_of_the_totals(ask: Ask, desk: Path) -> None:
    keep(finished("polish"))
    keep(finished("german"))
    with sqlite3.connect(desk.parent / "kept.db") as file:
        file.execute("UPDATE entry SET events = '[7]' WHERE battle_id = 1 AND number = 2")
    file.close()
    assert "1  Overmatched" in ask("battle", "list").out
    said = ask("battle", "show", "1")
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("Battle 1 cannot be read: entry 2 cannot be read: ")
    said = ask("battle", "totals")
    assert said.code == 0
    assert said.out.startswith("1 finished battle.\n")
    assert said.err == "Battle 1 could not be read and is left out.\n"
    assert ask("battle", "totals", "--json").json["unread"] == [1]
    file_again = ask("battle", "export", "1", "--format", "jsonl").out
    said = ask("battle", "import", "-", typed=file_again)
    assert said.code == 1
    assert "standard input: line 3: entry 2 cannot be read: " in said.err


# Totals


def test_totals_tell_who_won_what_and_which_units_are_worth_their_points(ask: Ask) -> None:
    keep(finished("polish", orders=40))
    keep(finished("polish"))
    keep(finished(None))
    keep(finished("german", 2))
    keep(scenario(1))
    said = ask("battle", "totals")
    assert said.code == 0
    assert said.out.startswith("4 finished battles.\n")
    assert re.search(r"^1  Overmatched +3  Germans 0, Poles 2, nobody 1$", said.out, re.MULTILINE)
    assert re.search(r"^Rifle Guy +\d+ +\d+ +\d+ +\d\.\d\d$", said.out, re.MULTILINE)
    told = ask("battle", "totals", "--json").json
    assert told["battles"] == 4
    assert told["scenarios"][0]["wins"] == {"Germans": 0, "Poles": 2}
    promised = DOC.split("## `battle totals --json`")[1].split("\n## ")[0]
    for value in (told, told["scenarios"][0], told["units"][0]):
        for key in value:
            assert f"`{key}`" in promised, key


# As a process of its own


def test_a_real_process_exports_and_imports(
    ask: Ask, real: Ask, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(wild())
    said = real("battle", "export", "1", "--format", "jsonl")
    assert (said.code, said.err) == (0, "")
    there = {"SKIRMISH_DATABASE": str(desk / "there.db")}
    lines = said.out.encode().split(b"\n")
    assert real("battle", "import", "-", typed=said.out.encode(), env=there).code == 0
    log = ask("battle", "log", "1").out
    monkeypatch.setenv("SKIRMISH_DATABASE", str(desk / "there.db"))
    assert ask("battle", "log", "1").out == log
    cut = ask("battle", "import", "-", typed=b"\n".join(lines[:9]) + b"\n\xff")
    assert cut.code == 1
    assert "standard input: line 10: is not JSON" in cut.err
    assert "Traceback" not in cut.err


# The guide


def test_the_guide_shows_each_command_and_the_first_line_of_a_file() -> None:
    for name in ("list", "show", "log", "luck", "export", "import", "totals"):
        assert f"skirmish battle {name}" in DOC
    assert f'"format":"skirmish-battle","version":1,"game":"{GAME}"' in DOC
