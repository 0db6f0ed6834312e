"""``skirmish odds worth``: the table as text, JSON and CSV, and what cannot be asked."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from pathlib import Path

import pytest
from at_the_desk import Ask


def test_the_table_says_what_it_takes_for_granted(ask: Ask) -> None:
    said = ask("odds", "worth")
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    text = " ".join(lines)
    assert "each weapon once" in text
    assert "repeat fire goes on until it misses or has no new target." in text
    assert max(map(len, lines)) <= 80
    heads = [line.split()[:3] for line in lines if line.startswith("At ")]
    assert heads == [["At", "Rifle", "Guys"], ["At", "Trucks", "Pts"], ["At", "Tanks", "Pts"]]
    assert ["Rifle", "1", "6.67", "–", "–", "–", "–"] in [line.split() for line in lines]


def test_json_and_csv_hold_the_same_exact_fractions(ask: Ask) -> None:
    told = ask("odds", "worth", "--json").json
    rows = list(csv.DictReader(io.StringIO(ask("odds", "worth", "--csv").out)))
    assert told["units"]["rifle"]["tank"] == ["20/3", "0", "0", "0", "0"]
    assert len(rows) == len(told["units"]) * len(told["targets"]) * len(told["bands"])
    reaches = [band["reach"] for band in told["bands"]]
    for row in rows:
        column = reaches.index(int(row["reach"]))
        exact = told["units"][row["unit"]][row["target"]][column]
        assert Fraction(row["worth"]) == Fraction(exact)


def test_a_nation_and_rulings_change_it(ask: Ask, tmp_path: Path) -> None:
    usual = ask("odds", "worth", "--json").json["units"]
    changed = ask("odds", "worth", "--rulings", "P62=armor_only", "--json").json["units"]
    assert changed["kv"] != usual["kv"]
    file = tmp_path / "table.toml"
    file.write_text('[rulings]\nP62 = "armor_only"\n')
    assert ask("odds", "worth", "--rulings", str(file), "--json").json["units"] == changed
    japanese = ask("odds", "worth", "--nation", "japanese", "--json").json["units"]
    assert Fraction(japanese["rifle"]["rifle"][0]) > Fraction(usual["rifle"]["rifle"][0])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--json", "--csv"], "Use either --json or --csv, not both."),
        (["--rulings", "P3=maybe"], "rulings.P3: no answer 'maybe'; known are: armored"),
        (["--rulings", "P999=yes"], "rulings.P999: "),
        (["--rulings", "nowhere.toml"], "nowhere.toml: cannot be read"),
        (["--nation", "swiss"], "There is no nation “swiss”; "),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(ask: Ask, words: list[str], says: str) -> None:
    said = ask("odds", "worth", *words)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(says)
    assert said.err.count("\n") == 1
