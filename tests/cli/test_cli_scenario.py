"""Own scenarios are made, copied, checked, shared, deleted and brought back; those of the rules
stay as they are."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import kept_battles
import pytest
from at_the_desk import Ask
from pypdf import PageObject, PdfReader

from skirmish import library
from skirmish.cli import scenario_edit
from skirmish.games.plastic.battle.orders import Finish
from skirmish.games.plastic.scenarios.own import LONGEST_ID
from skirmish.store.scenario_folder import LARGEST_FILE
from skirmish.tabletop.measure import in_centimetres


@pytest.fixture(autouse=True)
def folder(desk: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for scenarios of the test's own; it does not exist yet."""
    path = desk / "own"
    monkeypatch.setenv("SKIRMISH_SCENARIOS", str(path))
    return path


def squash(page: PageObject) -> str:
    """The words of a printed page without their spaces, which a PDF does not hold."""
    return "".join(page.extract_text().split())


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.toml"))


def test_a_new_scenario_can_be_listed_read_and_printed_at_once(ask: Ask, folder: Path) -> None:
    made = ask("scenario", "new", "The Mill", "--sides", "russian,german", "--table", "6x4")
    assert made.code == 0
    assert files(folder) == ["101_own_the_mill.toml"]
    assert "101  The Mill" in ask("scenarios").out
    read = ask("scenario", "show", "101").out
    assert "6 ft × 4 ft" in read
    printed = ask("print", "scenario", "101")
    assert printed.code == 0
    assert Path("scenario-101-the-mill.pdf").read_bytes().startswith(b"%PDF")


def test_a_distance_in_an_own_text_is_shown_in_the_players_measure(ask: Ask, folder: Path) -> None:
    ask("scenario", "new", "The Mill")
    file = folder / "101_own_the_mill.toml"
    text = file.read_text("utf-8").replace("Two forces meet.", "Within 12 in of the mill, 4 in it.")
    file.write_text(text, "utf-8")
    situation = library.scenarios()[101].situation
    assert in_centimetres(situation).startswith("Within 30\u00a0cm of the mill, 4 in it.")
    assert "the Germans win" in library.scenarios()[101].victory.text


def test_all_own_scenarios_are_a_book_that_claims_no_other_author(ask: Ask) -> None:
    none = ask("print", "scenario", "mine")
    assert none.code != 0
    assert "You have no scenario of your own." in none.err
    ask("scenario", "new", "The Mill")
    ask("scenario", "copy", "4", "--title", "Four houses")
    assert ask("print", "scenario", "mine").code == 0
    book = PdfReader("own-scenarios.pdf")
    cover = squash(book.pages[0])
    assert "TWOBATTLES" in cover
    assert "rulesbyBrettDrake,scenariosourown" in cover
    whole = "".join(squash(page) for page in book.pages)
    assert "rulesandscenariosbyBrettDrake" not in whole
    assert "DogBeach" not in whole
    assert not book.metadata.author
    ask("print", "scenario", "101")
    assert not PdfReader("scenario-101-the-mill.pdf").metadata.author


def test_the_author_of_a_scenario_stands_on_its_sheet(ask: Ask) -> None:
    ask("scenario", "new", "The Mill")
    ask("scenario", "export", "101", "--author", "Ben")
    ask("scenario", "import", "the-mill.toml")
    ask("print", "scenario", "102")
    sheet = PdfReader("scenario-102-the-mill.pdf")
    assert "Scenario102:TheMill,byBen" in squash(sheet.pages[0])
    assert sheet.metadata.author == "Ben"


def test_a_copy_is_the_same_scenario_under_a_number_of_its_own(ask: Ask) -> None:
    assert ask("scenario", "copy", "4", "--title", "Four houses").code == 0
    original, copied = library.scenarios()[4], library.scenarios()[101]
    assert (copied.title, copied.id) == ("Four houses", "own_four_houses")
    assert copied.sides == original.sides
    assert copied.map == original.map
    assert copied.victory == original.victory


def test_scenarios_of_the_rules_are_not_deleted(ask: Ask) -> None:
    said = ask("scenario", "delete", "3")
    assert said.code != 0
    assert "`skirmish scenario copy 3` makes one of your own" in said.err
    assert 3 in library.scenarios()


def test_what_is_deleted_comes_back_and_its_number_is_not_given_again(
    ask: Ask, folder: Path
) -> None:
    ask("scenario", "new", "The Mill")
    text = (folder / "101_own_the_mill.toml").read_text("utf-8")
    assert ask("scenario", "delete", "101").code == 0
    assert files(folder) == []
    assert 101 not in library.scenarios()
    ask("scenario", "new", "The Ford")
    assert files(folder) == ["102_own_the_ford.toml"]
    assert "101_own_the_mill, deleted: 1 version (1)" in ask("scenario", "undelete").out
    assert ask("scenario", "undelete", "101").code == 0
    assert (folder / "101_own_the_mill.toml").read_text("utf-8") == text


def test_the_last_twenty_versions_stay(ask: Ask, folder: Path) -> None:
    ask("scenario", "new", "The Mill")
    own = library.scenario_folder()
    first = own.text("101_own_the_mill")
    for turn in range(25):
        own.write("101_own_the_mill", f"{first}# change {turn}\n")
    assert own.versions("101_own_the_mill") == list(range(6, 26))
    assert ask("scenario", "undelete", "101", "--version", "7").code == 0
    assert own.text("101_own_the_mill").endswith("# change 5\n")
    wrong = ask("scenario", "undelete", "101", "--version", "99")
    assert "has no version 99" in wrong.err


def test_a_friend_imports_it_and_nothing_of_his_is_replaced(ask: Ask, folder: Path) -> None:
    ask("scenario", "new", "The Mill")
    sent = ask("scenario", "export", "101", "--author", "Ben", "--licence", "CC BY 4.0")
    assert sent.code == 0
    file = tomllib.loads(Path("the-mill.toml").read_text("utf-8"))
    assert (file["format"], file["author"], file["licence"]) == (1, "Ben", "CC BY 4.0")
    before = (folder / "101_own_the_mill.toml").read_bytes()
    assert ask("scenario", "import", "the-mill.toml").code == 0
    assert files(folder) == ["101_own_the_mill.toml", "102_own_the_mill_2.toml"]
    assert (folder / "101_own_the_mill.toml").read_bytes() == before
    assert library.scenarios()[102].author == "Ben"


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"\xff\xfe", "is not UTF-8 text"),
        (b"a = [", "is not valid TOML"),
        (b"format = 1", "title"),
        (b"a = " + b"[" * 5000, "nested too deep"),
        (b'title = "x"\n#' + b"x" * LARGEST_FILE, "no scenario is that large"),
        (b"title = 7", "expected text"),
    ],
    ids=["not UTF-8", "not TOML", "unfinished", "deep", "large", "of a wrong form"],
)
def test_a_hostile_file_is_refused_in_a_sentence_and_nothing_is_written(
    ask: Ask, folder: Path, data: bytes, sentence: str
) -> None:
    Path("sent.toml").write_bytes(data)
    for command in ("import", "check"):
        said = ask("scenario", command, "sent.toml")
        assert said.code != 0
        assert sentence in said.err
        assert "Traceback" not in said.err
    assert files(folder) == []


def test_a_text_that_would_steer_a_terminal_is_refused(ask: Ask, folder: Path) -> None:
    ask("scenario", "new", "The Mill")
    ask("scenario", "export", "101")
    text = Path("the-mill.toml").read_text("utf-8")
    Path("the-mill.toml").write_text(text.replace("Main force", "Main\\u001b[2J", 1), "utf-8")
    said = ask("scenario", "import", "the-mill.toml")
    assert said.code != 0
    assert "side[0].contingent[0].name: holds signs that are not shown" in said.err
    assert len(files(folder)) == 1


def test_all_mistakes_of_a_file_are_reported_at_once(ask: Ask) -> None:
    ask("scenario", "new", "The Mill")
    ask("scenario", "export", "101")
    text = Path("the-mill.toml").read_text("utf-8")
    wrong = text.replace("rifle = 20", "riffle = 20", 1).replace('letter = "D"', 'letter = "E"')
    Path("the-mill.toml").write_text(wrong, "utf-8")
    said = ask("scenario", "check", "the-mill.toml")
    assert "did you mean rifle?" in said.err
    assert "zone" in said.err
    assert said.err.count("the-mill.toml: ") >= 2


def test_a_wrong_kind_hides_no_other_mistake(ask: Ask) -> None:
    ask("scenario", "new", "The Mill")
    ask("scenario", "export", "101")
    text = Path("the-mill.toml").read_text("utf-8")
    wrong = text.replace("rifle = 20", "riffle = 20", 1).replace('kind = "count"', 'kind = "cuont"')
    Path("the-mill.toml").write_text(wrong, "utf-8")
    lines = ask("scenario", "check", "the-mill.toml").err.splitlines()
    assert len(lines) == 2
    assert "did you mean count?" in lines[0]
    assert "did you mean rifle?" in lines[1]


def test_names_fit_into_lists_and_onto_sheets(ask: Ask, folder: Path) -> None:
    ask("scenario", "new", "The Mill")
    ask("scenario", "export", "101")
    text = Path("the-mill.toml").read_text("utf-8")
    long = text.replace("The Mill", "M" * 61, 1).replace("Main force", "n" * 81, 1)
    Path("the-mill.toml").write_text(long, "utf-8")
    said = ask("scenario", "import", "the-mill.toml")
    assert said.code != 0
    assert "title: has 61 characters; at most 60 fit." in said.err
    assert "side[0].contingent[0].name: has 81 characters; at most 80 fit." in said.err
    assert len(files(folder)) == 1


def test_a_broken_file_stops_nothing_and_is_named(ask: Ask, folder: Path) -> None:
    ask("scenario", "new", "The Mill")
    (folder / "102_own_broken.toml").write_text("number = 102\n", "utf-8")
    (folder / "5_mine.toml").write_text("number = 5\n", "utf-8")
    listed = ask("scenarios")
    assert "101  The Mill" in listed.out
    assert "102_own_broken.toml" in listed.err
    assert "5_mine.toml" in listed.err
    assert ask("print", "scenario", "101").code == 0


def test_broken_files_without_a_number_are_all_named(ask: Ask, folder: Path) -> None:
    ask("scenario", "new", "The Mill")
    for name in ("mill.toml", "ferry.toml"):
        (folder / name).write_text('title = "Half of a scenario"\n', "utf-8")
    listed = ask("scenarios")
    assert "101  The Mill" in listed.out
    assert "mill.toml" in listed.err
    assert "ferry.toml" in listed.err


def test_a_scenario_takes_no_number_or_id_of_the_rules(ask: Ask, folder: Path) -> None:
    ask("scenario", "new", "The Mill")
    text = (folder / "101_own_the_mill.toml").read_text("utf-8")
    taken = text.replace("number = 101", "number = 11").replace('"own_the_mill"', '"the_mill"')
    (folder / "11_the_mill.toml").write_text(taken, "utf-8")
    said = ask("scenarios").err
    assert "own scenarios have numbers from 101 on" in said
    assert "call it own_the_mill" in said


def test_the_folder_is_a_setting(ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SKIRMISH_SCENARIOS")
    monkeypatch.setenv("SKIRMISH_SETTINGS", str(tmp_path / "settings.toml"))
    elsewhere = tmp_path / "elsewhere"
    assert ask("settings", "scenarios", str(elsewhere)).code == 0
    ask("scenario", "new", "The Mill")
    assert files(elsewhere) == ["101_own_the_mill.toml"]


def test_a_folder_that_cannot_be_used_is_named_and_the_rules_stay_playable(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("SKIRMISH_SCENARIOS", str(blocked / "own"))
    said = ask("scenario", "new", "The Mill")
    assert said.code != 0
    assert str(blocked) in said.err
    assert 1 in library.scenarios()


def test_however_long_titles_are_ids_stay_short_and_apart(ask: Ask, folder: Path) -> None:
    title = "The long road to the village beyond the river and the hill"
    for _ in range(11):
        assert ask("scenario", "new", title).code == 0
    ids = [scenario.id for number, scenario in library.scenarios().items() if number > 100]
    assert len(set(ids)) == 11
    assert max(map(len, ids)) <= LONGEST_ID


def test_three_battles_are_dealt_and_one_is_taken_by_its_code(ask: Ask, folder: Path) -> None:
    dealt = ask("scenario", "deal", "--seed", "5", "--points", "120", "--table", "6x4")
    codes = re.findall(r"^Code: ([0-9A-Z]+)$", dealt.out, re.MULTILINE)
    assert len(set(codes)) == 3
    assert max(map(len, dealt.out.splitlines())) <= 80
    again = ask("scenario", "deal", "--code", codes[1].lower())
    assert again.out.strip() in dealt.out
    assert files(folder) == []
    assert ask("scenario", "deal", "--code", codes[1], "--save").code == 0
    (file,) = folder.glob("*.toml")
    raw = tomllib.loads(file.read_text("utf-8"))
    assert raw["deal"] == codes[1]
    assert raw["title"] in ask("scenarios").out
    assert ask("print", "scenario", "101").code == 0


def test_what_is_asked_of_a_deal_is_what_comes(ask: Ask) -> None:
    words = ("--theme", "night-raid", "--sides", "british,german", "--month", "1942-07")
    dealt = ask("scenario", "deal", *words)
    assert dealt.out.count("Code: ") == 3
    assert dealt.out.count("British raiders:") == 3
    assert dealt.out.count("July 1942") == 3


def test_with_what_one_owns_only_that_is_dealt(ask: Ask) -> None:
    none = ask("scenario", "deal", "--owned")
    assert (none.code, none.out) == (2, "")
    assert "skirmish army owned" in none.err
    entered = ask("army", "owned", "rifle=40", "machinegun=4", "woods=2", "road=16")
    assert "16  feet of road" in entered.out
    dealt = ask("scenario", "deal", "--owned", "--theme", "meeting", "--points", "60")
    assert dealt.out.count("Code: ") == 3
    assert "Tank" not in dealt.out
    assert "Mortar" not in dealt.out


def test_as_many_as_one_owns_are_dealt_in_the_year_asked_for(ask: Ask) -> None:
    ask("army", "owned", "rifle=40", "machinegun=4")
    dealt = ask("scenario", "deal", "--points", "all", "--year", "1943", "--seed", "3")
    assert dealt.out.count("Code: ") == 3
    assert len(re.findall(r"(?m)^An invented place in .* 1943;", dealt.out)) == 3
    for battle in dealt.out.split("Code: ")[:3]:
        rifles = [int(count) for count in re.findall(r"(\d+) Rifle Guys", battle)]
        assert sum(rifles) == 40


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--theme", "crosing"], "did you mean crossing?"),
        (["--region", "russia", "--theme", "beach"], "No battle fits"),
        (["--region", "russia", "--sides", "american,german"], "No battle fits"),
        (["--points", "20"], "50 to 1000"),
        (["--table", "8.5x5"], "whole feet"),
        (["--month", "July"], "1943-07"),
        (["--year", "1918"], "1939 to 1945"),
        (["--year", "1943", "--month", "1943-07"], "not both"),
        (["--points", "many"], "as many as you own"),
        (["--points", "all"], "skirmish army owned"),
        (["--length", "endless"], "no endless"),
        (["--sides", "martian"], "no martian"),
        (["--code", "ABCDEF"], "wrong letter"),
        (["--save"], "--code"),
    ],
)
def test_what_cannot_be_dealt_is_refused_in_a_sentence(
    ask: Ask, words: list[str], told: str
) -> None:
    said = ask("scenario", "deal", *words)
    assert (said.code, said.out) == (2, "")
    assert told in said.err


def test_a_scenario_is_changed_by_lines_and_stored_after_each(ask: Ask, folder: Path) -> None:
    ask("scenario", "new", "The Mill")
    typed = "road 0,30 96,30\nhouse 45,36\nundo\nredo\nset title The Old Mill\nlist\nmistakes\n"
    edited = ask("scenario", "edit", "101", typed=typed)
    assert edited.code == 0
    assert "Building 1 at 45,36 (D4), 5 by 3.5 in" in edited.out
    assert edited.out.endswith("No mistakes.\n")
    scenario = library.scenarios()[101]
    assert scenario.title == "The Old Mill"
    assert scenario.map is not None
    assert len(scenario.map.buildings) == 1
    # A sitting leaves one earlier version, whatever was changed in it.
    assert ask("scenario", "undelete").out.count("1 version") == 1


def test_lines_that_are_not_understood_change_nothing_and_are_counted(
    ask: Ask, folder: Path
) -> None:
    ask("scenario", "new", "The Mill")
    before = (folder / "101_own_the_mill.toml").read_text("utf-8")
    edited = ask("scenario", "edit", "101", typed="rode 0,30 96,30\nundo\n# a note\n\n")
    assert edited.code == 2
    assert "rode is no command; did you mean road?" in edited.out
    assert "There is nothing to undo." in edited.out
    assert "2 lines changed nothing; see above." in edited.err
    assert (folder / "101_own_the_mill.toml").read_text("utf-8") == before
    assert "one of the rules" in ask("scenario", "edit", "4").err
    assert "You have no scenario" in ask("scenario", "edit", "150").err


def test_without_an_input_editing_ends_at_once(
    ask: Ask, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask("scenario", "new", "The Mill")
    # So it is where the shell has closed the standard input: ``<&-``.
    monkeypatch.setattr(sys, "stdin", None)
    scenario_edit.edit(101)


def test_the_record_of_a_scenario_is_told_and_printed_once_it_was_played(ask: Ask) -> None:
    never = ask("scenario", "record", "1")
    assert never.code == 2
    assert "has not been played to the end yet" in never.err
    battle = kept_battles.scenario(1)
    battle.order(Finish(winner="german"))
    kept_battles.keep(battle)
    told = ask("scenario", "record", "1").out
    assert "Played once: Germans 1, Poles 0." in told
    assert ask("print", "scenario", "1", "--record").code == 0
    pages = PdfReader("scenario-01-overmatched.pdf").pages
    assert "Playedonce:Germans1,Poles0." in "".join(squash(page) for page in pages)
