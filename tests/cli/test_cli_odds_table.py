"""``skirmish odds table`` and ``skirmish print odds``."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from pathlib import Path

import pytest
from at_the_desk import ROOT, Ask
from pypdf import PdfReader

from skirmish import library
from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.table import odds_table


def line_of(out: str, weapon: str) -> list[str]:
    """The cells of the first line that begins so."""
    line = next(line for line in out.splitlines() if line.startswith(weapon))
    return line.removeprefix(weapon).split()


def test_the_table_is_two_words_of_the_real_program(real: Ask) -> None:
    said = real("odds", "table", "--open")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("In the open, fresh deck\n")
    assert "In cover" not in said.out
    assert line_of(said.out, "Machinegun") == ["67+", "25", "25", *"******"]
    assert line_of(said.out, "Cannon") == ["50+", "75", "75", "42", "42", "67", "25", "50", "42"]
    assert max(map(len, said.out.splitlines())) <= 80


def test_without_a_choice_both_halves_are_told(ask: Ask) -> None:
    out = ask("odds", "table", "--die").out
    assert out.index("In the open, d12") < out.index("In cover, d12")
    assert line_of(out[out.index("In cover") :], "Rifle")[0] == "25"


def test_a_deck_is_counted_as_it_stands(ask: Ask) -> None:
    out = ask("odds", "table", "--cover", "--deck", "left: AS 2H 3H 9C").out
    assert out.startswith("In cover, 4 cards left\n")
    assert line_of(out, "Rifle")[0] == "50"  # a black ace is saved from
    assert ask("odds", "table", "--deck", "left: 4H").out.startswith("In the open, 1 card left")


def test_other_rulings_make_another_table(ask: Ask) -> None:
    told = ask(
        "odds", "table", "--rulings", "P43=aa_tank_too", "--rulings", "P18=ace_hits", "--json"
    )
    assert "aa_tank" in told.json["targets"]["Tank"]
    shots = [shot for shot in told.json["shots"] if shot["cover"] and shot["target"] == "Guys"]
    assert shots[0]["hit"] == "1/4"  # ten red cards, and two black aces


def test_odds_of_a_shot_are_asked_as_before(ask: Ask) -> None:
    assert ask("odds", "rifle", "rifle", "--json").json["hit"] == "5/12"
    assert "odds table" in ask("--help").out


@pytest.mark.parametrize("die", [False, True])
def test_csv_and_json_hold_every_cell_exactly(ask: Ask, die: bool) -> None:
    rulings = library.rulings().defaults()
    pack = packs.of_die() if die else packs.fresh(rulings)
    wanted = [
        (line.weapon.id, column.name, column.behind, cover, cell.odds and cell.odds.hit,
         cell.odds and cell.odds.exact, cell.exact_near, cell.refusal and cell.refusal.code)
        for line, column, cover, cell in odds_table(library.catalog(), rulings, pack).shots()
    ]  # fmt: skip
    words = ["odds", "table", *(["--die"] if die else [])]
    told = ask(*words, "--json").json
    assert (told["from"], told["draws"]) == (("die", 12) if die else ("cards", 48))
    assert told["targets"]["Tiger"] == ["tiger", "kv"]
    assert told["weapons"]["cannon"]["fired_by"] == ["cannon", "large_pillbox", "tank"]
    rows = list(csv.DictReader(io.StringIO(ask(*words, "--csv").out)))
    assert len(wanted) == len(told["shots"]) == len(rows) > 150
    for shots, true in ((told["shots"], True), (rows, "1")):
        found = [
            (shot["weapon"], shot["target"], shot["behind"] == true, shot["cover"] == true,
             *(Fraction(shot[name]) if shot[name] else None
               for name in ("hit", "exact_figure", "exact_figure_near")),
             shot["refusal"] or None)
            for shot in shots
        ]  # fmt: skip
        assert found == wanted


def test_the_page_about_odds_shows_a_line_that_is_true(ask: Ask) -> None:
    page = (ROOT / "docs/odds.md").read_text("utf-8")
    told = ask("odds", "table", "--csv").out.splitlines()
    shown = [line.strip() for line in page.splitlines() if line.startswith("    machinegun,")]
    assert shown
    assert [line for line in shown if line not in told] == []


def test_a_file_is_written_and_not_overwritten(ask: Ask, desk: Path) -> None:
    for option, name in (("--csv", "odds-table.csv"), ("--json", "odds-table.json")):
        said = ask("odds", "table", option, "-o", ".")
        assert said == (0, f"Odds table: {desk / name}\n", "")
        again = ask("odds", "table", option, "-o", name)
        assert (again.code, "already exists" in again.err) == (2, True)
    assert json.loads((desk / "odds-table.json").read_text("utf-8"))["distance"] == 4
    assert ask("odds", "table", "-o", "t.txt").code == 0
    assert (desk / "t.txt").read_text("utf-8").startswith("In the open")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--deck", "gone: KS"], "KS is not in this deck: it ends at QS."),
        (["--deck", "gone: 4H 4H"], "4H is gone twice, but a deck has one of each card."),
        (["--deck", "4H", "--die"], "Use either --deck or --die, not both"),
        (["--rulings", "P18=never"], "rulings.P18: no answer 'never'; "),
        (["--csv", "--json"], "Use either --json or --csv, not both."),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(ask: Ask, words: list[str], says: str) -> None:
    said = ask("odds", "table", *words)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(says)
    assert said.err.count("\n") == 1


def test_print_odds_is_one_page(ask: Ask, desk: Path) -> None:
    said = ask("print", "odds", "--paper", "letter", "--ink", "saver")
    assert said == (0, f"Odds table: {desk / 'odds-table.pdf'}\n", "")
    read = PdfReader(desk / "odds-table.pdf")
    assert len(read.pages) == 1
    assert read.pages[0].mediabox.width == 612
