"""``skirmish beach-head``: what is kept, how it stands, out and back; and that neither game's
commands stumble over the other's."""

from __future__ import annotations

import io
import json
import re
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest
from at_the_desk import ROOT, Ask
from kept_battles import keep as add_battle
from kept_battles import scenario
from kept_beaches import WHOLE, keep, played
from pypdf import PdfReader
from typer.main import get_command

from skirmish import library, resources
from skirmish.cli.beach_head import app
from skirmish.store.database import Store

SENTENCE = (
    "Number 1 is a game of Beach Head, not a battle of WWII Plastic Skirmish; "
    "`skirmish show 1` shows it.\n"
)


def kept() -> list[tuple[Any, ...]]:
    """Every game with its whole journal, without the number it has here."""
    with Store.open() as store:
        return [
            (b.game, b.title, b.headline, b.over, b.started, store.entries(b.id))
            for b in store.battles()
        ]


# Listing and showing


def test_without_a_game_the_list_says_so_and_makes_no_database(ask: Ask, desk: Path) -> None:
    said = ask("beach-head", "list")
    assert said.code == 0
    assert said.out.startswith("There are no games of Beach Head in ")
    assert ask("beach-head", "list", "--json").json == []
    assert ask("beach-head", "scores").out == ("No game is finished yet.\n")
    assert ask("beach-head", "show", "1").err == "No game is called “1”; none is saved yet.\n"
    assert not (desk.parent / "kept.db").exists()


def test_the_list_has_games_of_beach_head_only(ask: Ask) -> None:
    add_battle(scenario(1))
    keep(played(90))
    keep(played(0, variant="omaha"))
    lines = ask("beach-head", "list").out.splitlines()
    assert lines[0].split() == ["Game", "Status", "Played"]
    assert re.match(r"3  Beach Head, Omaha  Not begun +\d{4}-\d\d-\d\d$", lines[1])
    assert re.match(r"2  Beach Head         Turn \d+, ", lines[2])
    assert len(lines) == 3
    assert all(len(line) <= 80 for line in lines)
    told = ask("beach-head", "list", "--json").json
    assert [(one["id"], one["over"]) for one in told] == [(3, False), (2, False)]


def test_a_game_is_shown_with_its_beach_and_the_turn_phase_by_phase(ask: Ask) -> None:
    play = played(90)
    state = play.state
    keep(play)
    said = ask("beach-head", "show", "1").out
    assert said.startswith("1  Beach Head\nStarted ")
    assert f"Turn {state.turn}, {state.present_phase.name}: {state.casualties} lost" in said
    for one in state.setup.ruleset.defence:
        left = state.defences[one.id]
        assert re.search(rf"^{one.name} .* {left} of {one.points}", said, re.MULTILINE)
    assert len(re.findall(r"^\[[x> -]\] \d+ ", said, re.MULTILINE)) == 18
    assert f"[>] {state.setup.ruleset.place(state.phase) + 1} {state.present_phase.name}" in said
    assert all(len(line) <= 80 for line in said.splitlines())
    told = ask("beach-head", "show", "1", "--json").json
    assert told["defences"] == state.defences
    assert (told["turn"], told["phase"], told["squads"]) == (state.turn, state.phase, state.squads)
    assert [one["phase"] for one in told["ladder"]] == [one.id for one in state.setup.ruleset.phase]


def test_what_a_game_waits_for_and_how_it_is_read_is_told(ask: Ask) -> None:
    play = played(8, variant="omaha", rulings={"B7": "tank"})
    while play.state.roll is None:
        play.accept(play.possible("undo"))
    keep(play)
    said = " ".join(ask("beach-head", "show", "1").out.split())
    assert "Result " in said
    waits = ask("beach-head", "show", "1", "--json").json["waiting"]
    assert re.match(r"[^:]*: .*\. Rolled .*: .*\.$", waits)
    assert "Rulings other than the default: B7 tank." in said
    assert "Ditches" not in said


def test_the_journal_tells_what_stands(ask: Ask) -> None:
    play = played(40)
    keep(play)
    lines = ask("beach-head", "journal", "1").out.splitlines()
    assert lines[:3] == ["Beach Head", "", "Turn 1"]
    assert any(line.startswith("Frogmen.") for line in lines)
    assert [line for line in lines if line.startswith("Turn ")] == [
        f"Turn {turn}" for turn in range(1, play.state.turn + 1)
    ]
    told = ask("beach-head", "journal", "1", "--json").json
    before = len(told)
    with_undo = played(40)
    for _ in range(5):
        with_undo.accept(with_undo.possible("undo"))
    keep(with_undo)
    told = ask("beach-head", "journal", "2", "--json").json
    assert 0 < len(told) < before
    assert set(told[0]) == {"number", "turn", "entries", "says", "void", "taken_back"}


def test_a_players_name_steers_no_terminal(ask: Ask) -> None:
    keep(played(WHOLE, cards=False, player="Ann\x1b[31m [b]"))
    for words in (["show", "1"], ["scores"], ["journal", "1"], ["list"]):
        assert "\x1b" not in ask("beach-head", *words).out
    assert "Ann·[31m [b]" in ask("beach-head", "scores").out


# Scores


@pytest.fixture
def three_ended() -> list[Any]:
    games = [
        played(WHOLE, 5, cards=False, variant="omaha"),
        played(WHOLE, 6, cards=False),
        played(WHOLE, 7, cards=False),
    ]
    for one in games:
        assert one.state.over
        keep(one)
    keep(played(60))
    return games


def test_scores_stand_by_beach_and_reading_the_fewest_lost_first(
    ask: Ask, three_ended: list[Any]
) -> None:
    said = ask("beach-head", "scores").out
    assert said.startswith("Normandy, as printed, without cards: 2 games\n")
    assert "\nOmaha, as printed, without cards: 1 game\n" in said
    told = ask("beach-head", "scores", "--json").json["scores"]
    lost = [one["casualties"] for one in told if one["variant"] == "normandy"]
    assert lost == sorted(one.state.casualties for one in three_ended[1:])
    assert [one["place"] for one in told if one["variant"] == "normandy"] == [1, 2]
    assert {one["game"] for one in told} == {1, 2, 3}


def test_scores_of_one_beach_or_one_reading(ask: Ask, three_ended: list[Any]) -> None:
    del three_ended
    told = ask("beach-head", "scores", "--variant", "omaha", "--json").json["scores"]
    assert [one["game"] for one in told] == [1]
    none = ask("beach-head", "scores", "--readings", "draft_1d6")
    assert none.out == "No game like that is finished yet.\n"
    assert len(ask("beach-head", "scores", "--readings", "printed", "--json").json["scores"]) == 3


def test_a_spoilt_game_is_left_out_of_the_scores_and_named(
    ask: Ask, desk: Path, three_ended: list[Any]
) -> None:
    del three_ended
    with sqlite3.connect(desk.parent / "kept.db") as file:
        file.execute("UPDATE entry SET events = '[]' WHERE battle_id = 2 AND number = 1")
    said = ask("beach-head", "scores")
    assert said.code == 0
    assert said.err == "Game 2 cannot be read and is left out.\n"
    assert ask("beach-head", "show", "2").err.startswith("Game 2 cannot be read: ")


# Out and back


@pytest.mark.parametrize("steps", [0, 77, WHOLE])
def test_a_game_goes_to_another_table_and_is_the_same_there(
    ask: Ask, desk: Path, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = played(steps, cards=False)
    if steps:
        play.accept(play.possible("undo"))
        play.accept(play.possible("redo"))
    keep(play)
    here = kept()
    out = ask("beach-head", "export", "1", "-o", "g.jsonl")
    assert out == (0, f"Game: {desk / 'g.jsonl'}\n", "")
    monkeypatch.setenv("SKIRMISH_DATABASE", str(desk / "there.db"))
    said = ask("beach-head", "import", "g.jsonl")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"Imported as number 1: Beach Head, {len(here[0][-1])} ")
    assert kept() == here
    assert ask("beach-head", "export", "1").out == (desk / "g.jsonl").read_text("utf-8")


def test_what_is_good_of_a_broken_file_is_kept_and_the_line_named(ask: Ask, desk: Path) -> None:
    keep(played(30))
    lines = ask("beach-head", "export", "1").out.splitlines(keepends=True)
    (desk / "cut.jsonl").write_text("".join(lines[:12]) + lines[12][:30], "utf-8")
    said = ask("beach-head", "import", "cut.jsonl")
    assert said.code == 1
    assert "Imported as number 2: Beach Head, 11 entries.\n" in said.out
    assert said.err.startswith("cut.jsonl: line 13: is not JSON; it may have been cut off.\n")


def test_an_entry_that_names_what_is_not_there_is_not_taken(ask: Ask, desk: Path) -> None:
    keep(played(30))
    lines = [json.loads(line) for line in ask("beach-head", "export", "1").out.splitlines()]
    lines[9]["events"] = [{"event": "tank_lost", "kind": "crab", "then": []}]
    (desk / "odd.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    said = ask("beach-head", "import", "odd.jsonl")
    assert said.code == 1
    assert "Beach Head, 8 entries" in said.out
    says = "odd.jsonl: line 10: entry 9 does not hold what its order leads to.\n"
    assert said.err.startswith(says)


def test_games_that_were_begun_at_the_same_moment_are_named(ask: Ask, desk: Path) -> None:
    keep(played(5))
    ask("beach-head", "export", "1", "-o", "g.jsonl")
    assert "(Number 1 was started at the same" in ask("beach-head", "import", "g.jsonl").out
    assert "(Numbers 1 and 2 were started" in ask("beach-head", "import", "g.jsonl").out


def test_other_numbers_under_the_revision_of_today_are_refused(ask: Ask, desk: Path) -> None:
    keep(played(5, revision=resources.revision("beach_head")))
    first, opened, *rest = ask("beach-head", "export", "1").out.splitlines()
    changed = json.loads(opened)
    changed["events"][0]["setup"]["manual"]["dozen"] = 24
    (desk / "odd.jsonl").write_text("\n".join([first, json.dumps(changed), *rest]), "utf-8")
    said = ask("beach-head", "import", "odd.jsonl")
    assert (said.code, said.out) == (2, "")
    assert said.err == "odd.jsonl: line 2: its numbers are not those of Beach Head.\n"


def test_a_file_of_the_other_game_is_not_taken(ask: Ask, desk: Path) -> None:
    add_battle(scenario(1))
    keep(played(5))
    ask("battle", "export", "1", "-o", "b.jsonl")
    ask("beach-head", "export", "2", "-o", "g.jsonl")
    for command, file in (("beach-head", "b.jsonl"), ("battle", "g.jsonl")):
        said = ask(command, "import", file)
        assert (said.code, said.out) == (2, "")
        assert "this is a battle of another game" in said.err
    assert len(kept()) == 2
    assert (desk / "g.jsonl").is_file()


# Rulings


def test_every_ruling_is_listed_with_its_answers(ask: Ask) -> None:
    book = library.beach().book
    said = " ".join(ask("beach-head", "rulings").out.split())
    for ruling in book.rulings.values():
        assert f"{ruling.id} {ruling.title}: {ruling.question}" in said
        for name, answer in ruling.answers.items():
            mark = "* " if name == ruling.default else ""
            choice = f"{name}: " if len(ruling.answers) > 1 else ""
            assert f"{mark}{choice}{answer}" in said
    assert "draft_1d6: " in said
    only = ask("beach-head", "rulings", "b7").out
    assert only.startswith("B7  One roll, or one for each tank:")
    assert "Presets" not in only
    told = ask("beach-head", "rulings", "--json").json
    assert [one["id"] for one in told["rulings"]] == list(book.rulings)
    assert ask("beach-head", "rulings", "B99").err == (
        "There is no ruling “B99”; they run from B1 to B42.\n"
    )


# The other game's commands


@pytest.mark.parametrize(
    "words",
    [
        ["battle", "show", "1"],
        ["battle", "show", "beach head"],
        ["battle", "log", "1"],
        ["battle", "luck", "1"],
        ["battle", "export", "1"],
        ["print", "roster", "--battle", "1"],
    ],
)
def test_commands_of_battles_say_that_it_is_a_game_of_beach_head(
    ask: Ask, desk: Path, words: list[str]
) -> None:
    keep(played(60))
    assert ask(*words) == (2, "", SENTENCE)
    assert not list(desk.glob("*.pdf"))


def test_lists_and_totals_of_battles_leave_games_out(ask: Ask) -> None:
    keep(played(WHOLE, cards=False))
    assert ask("battle", "list").out.startswith("There are no battles in ")
    assert ask("battle", "totals").out == "No battle has been finished yet.\n"


def test_a_battle_is_no_game_of_beach_head(ask: Ask) -> None:
    add_battle(scenario(1))
    said = ask("beach-head", "show", "1")
    assert (said.code, said.out) == (2, "")
    assert said.err == (
        "Number 1 is a battle of WWII Plastic Skirmish, not a game of Beach Head; "
        "`skirmish battle show 1` shows it.\n"
    )


def test_db_check_reads_the_journals_of_both_games(ask: Ask, desk: Path) -> None:
    add_battle(scenario(1, 10))
    keep(played(50))
    keep(played(50, 4))
    assert ask("db", "check").out.startswith(
        "No faults: 1 battle, 2 games of Beach Head and 0 armies"
    )
    with sqlite3.connect(desk.parent / "kept.db") as file:
        file.execute("UPDATE entry SET events = '[]' WHERE battle_id = 3 AND number = 1")
        file.execute("DELETE FROM entry WHERE battle_id = 2 AND number = 7")
    said = ask("db", "check")
    assert said.code == 1
    first, second = sorted(said.out.splitlines())
    assert first == "Game 2 (Beach Head): entry 7 is missing."
    assert second.startswith("Game 3 (Beach Head): ")


# Paper


def test_the_play_sheet_is_printed_in_a_process_of_its_own(ask: Ask, real: Ask, desk: Path) -> None:
    said = real("print", "beach-head", "--variant", "omaha", "--paper", "letter", "--form")
    assert (said.code, said.err) == (0, "")
    assert said.out == f"Play sheet: {desk / 'beach-head.pdf'}\n"
    read = PdfReader(desk / "beach-head.pdf")
    assert len(read.pages) == 2
    assert read.pages[0].mediabox.width == 612
    assert "Omaha Beach" in read.pages[0].extract_text()
    assert "tick-beach-bunkers-60" in (read.get_fields() or {})
    again = ask("print", "beach-head")
    assert again.code == 2
    assert "already exists" in again.err


def test_a_game_is_printed_as_it_stands(ask: Ask, desk: Path) -> None:
    play = played(90)
    keep(play)
    said = ask("print", "beach-head", "--game", "1")
    assert said.out == f"Play sheet: {desk / 'beach-head-1.pdf'}\n"
    text = PdfReader(io.BytesIO((desk / "beach-head-1.pdf").read_bytes())).pages[1].extract_text()
    assert f"As it stands: Turn {play.state.turn}" in " ".join(text.split())


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone cannot be set here")
def test_a_finished_game_is_printed_with_the_day_of_its_end_by_the_clock_of_this_computer(
    ask: Ask, desk: Path, three_ended: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    del three_ended
    with sqlite3.connect(desk.parent / "kept.db") as file:
        file.execute("UPDATE battle SET updated = '2026-04-30T22:05:09.000000+00:00' WHERE id = 1")
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "ABC-2")
        time.tzset()
        assert ask("print", "beach-head", "--game", "1").code == 0
    time.tzset()
    pages = PdfReader(io.BytesIO((desk / "beach-head-1.pdf").read_bytes())).pages
    assert "2026-05-01" in pages[1].extract_text()


@pytest.mark.parametrize("document", ["report", "position"])
def test_report_and_position_of_any_game_are_printed(ask: Ask, desk: Path, document: str) -> None:
    keep(played(5))
    assert ask("print", document, "1").code == 0
    assert (desk / f"beach-head-1-{document}.pdf").is_file()


@pytest.mark.parametrize(
    ("form", "begins"), [("text", "Beach Head\n"), ("markdown", "# Beach Head\n")]
)
def test_a_report_is_written_as_text(ask: Ask, form: str, begins: str) -> None:
    keep(played(60))
    said = ask("export", "1", "--format", form)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(begins)
    assert "Turn 1" in said.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--readings", "foo"], "“foo” is no preset"),
        (["--readings", "foo"], "Single rulings are written as in B2=rolled."),
        (["--readings", "B7=often"], "no answer 'often'"),
        (["--variant", "gold"], "'gold' is not one of 'normandy', 'omaha'"),
        (["--game", "1", "--variant", "omaha"], "--variant cannot be combined with --game"),
        (["--game", "2"], "Number 2 is a battle of WWII Plastic Skirmish, not a game"),
        (["--game", "9"], "No game is called “9”"),
    ],
)
def test_what_cannot_be_printed_is_a_sentence(
    ask: Ask, desk: Path, words: list[str], told: str
) -> None:
    keep(played(5))
    add_battle(scenario(1))
    said = ask("print", "beach-head", *words)
    assert (said.code, said.out) == (2, "")
    assert told in said.err
    assert not list(desk.glob("*.pdf"))


def test_the_games_name_is_the_stores() -> None:
    from skirmish.games.plastic import army_file
    from skirmish.registry import BATTLE, BEACH

    assert (BATTLE.id, BEACH.id) == (army_file.GAME, "beach_head")


def test_the_page_tells_only_commands_that_are_there() -> None:
    page = (ROOT / "docs" / "beach-head.md").read_text("utf-8")
    told = set(re.findall(r"`skirmish beach-head (\w+)", page))
    assert {"list", "show", "journal", "scores", "export", "import", "rulings"} <= told
    assert told <= set(get_command(app).commands)  # type: ignore[attr-defined]
