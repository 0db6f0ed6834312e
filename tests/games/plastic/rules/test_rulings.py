"""The gaps of the rules: the book, and that live ones are read and spoken ones are not."""

from __future__ import annotations

import ast
import copy
import re
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import skirmish
from skirmish import resources
from skirmish.games.plastic.rules.rulings import RETIRED, PlasticRulingBook, read_rulings
from skirmish.tabletop.data_file import DataError

GAMES = Path(skirmish.__file__).parent / "games"


def read_by_code() -> set[str]:
    """Ruling ids that are keys in the games' code; a sentence that names one does not count, and
    neither do dealt scenarios and the workshop, which name those that players should settle."""
    return {
        node.value
        for path in GAMES.rglob("*.py")
        if path.parent.name not in ("dealing", "workshop")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(r"P\d+", node.value)
    }


def conditions(value: Any) -> Iterator[tuple[str, str]]:
    """Every ``ruling``/``answer`` pair of a data file."""
    if isinstance(value, dict):
        if "ruling" in value and "answer" in value:
            yield value["ruling"], value["answer"]
        for inner in value.values():
            yield from conditions(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from conditions(inner)


def read_by_data() -> set[tuple[str, str]]:
    tables = [resources.table(f"plastic/{name}.toml") for name in ("units", "nations", "limits")]
    tables += [table for _, table in resources.tables("plastic/scenarios")]
    return {pair for table in tables for pair in conditions(table)}


def test_every_live_ruling_is_read_and_no_spoken_one(book: PlasticRulingBook) -> None:
    live = {name for name, ruling in book.rulings.items() if ruling.mode == "live"}
    assert (read_by_code() - {*RETIRED}) | {ruling for ruling, _ in read_by_data()} == live


def test_the_example_of_the_guide_is_a_ruling() -> None:
    """CONTRIBUTING, "Add a ruling": what it says to paste is read as it stands."""
    guide = (GAMES.parents[1] / "CONTRIBUTING.md").read_text("utf-8")
    part = guide.partition("## Add a ruling")[2].partition("\n## ")[0]
    example = re.search(r"```toml\n(.*?)```", part, re.DOTALL)
    assert example
    raw = tomllib.loads(textwrap.dedent("   " + example[1]))
    (ruling,) = read_rulings({"format": 1, **raw}).rulings.values()
    assert (ruling.mode, ruling.before, len(ruling.answers)) == ("live", ruling.default, 2)
    assert f'rulings["{ruling.id}"]' in part


def test_data_names_only_answers_that_exist(book: PlasticRulingBook) -> None:
    for ruling, answer in read_by_data():
        assert answer in book.rulings[ruling].answers, (ruling, answer)


def test_a_live_ruling_leaves_a_choice(book: PlasticRulingBook) -> None:
    for ruling in book.rulings.values():
        assert len(ruling.answers) > 1 or ruling.mode == "spoken", ruling.id


def test_rulings_are_numbered_without_a_gap(book: PlasticRulingBook) -> None:
    every = {f"P{number}" for number in range(1, len(book.rulings) + len(RETIRED) + 1)}
    assert set(book.rulings) == every - {*RETIRED}


def test_what_was_stored_of_a_ruling_that_is_gone_changes_nothing(book: PlasticRulingBook) -> None:
    """An army of before: P16, P21 and P40 turned out to be answered by the text."""
    stored = {"P16": "no_cover", "P21": "guys_only", "P40": "as_printed", "P2": "more_than_half"}
    assert book.answered(stored) == {**book.defaults(), "P2": "more_than_half"}


def test_what_nobody_chose_is_answered_by_default(book: PlasticRulingBook) -> None:
    answered = book.answered({"P2": "more_than_half"})
    assert answered == {**book.defaults(), "P2": "more_than_half"}
    assert answered.keys() == book.rulings.keys()


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({"P999": "yes"}, r"rulings\.P999: no such ruling; they run from P1 to P\d+\."),
        ({"P2": "halve"}, r"rulings\.P2: no answer 'halve'; did you mean half\?"),
    ],
)
def test_an_answer_that_does_not_exist_is_refused(
    book: PlasticRulingBook, chosen: dict[str, str], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        book.answered(chosen)


def test_a_book_of_one_ruling_names_it(book: PlasticRulingBook) -> None:
    one = PlasticRulingBook({"P2": book.rulings["P2"]})
    with pytest.raises(ValueError, match=r"rulings\.P999: no such ruling; there is only P2\."):
        one.answered({"P999": "yes"})


def test_every_wrong_answer_is_told(book: PlasticRulingBook) -> None:
    wrong = {"P2": "x", "P3": "armored", "P6": "y", "Q1": "z"}
    assert [problem.key for problem in book.problems(wrong)] == [
        "rulings.P2",
        "rulings.P6",
        "rulings.Q1",
    ]


def test_departures_are_what_was_answered_otherwise(book: PlasticRulingBook) -> None:
    assert book.departures(book.defaults()) == []
    ((ruling, sentence),) = book.departures(book.answered({"P2": "more_than_half"}))
    assert ruling.id == "P2"
    assert sentence == ruling.answers["more_than_half"]


def test_rulings_are_found_by_topic(book: PlasticRulingBook) -> None:
    about = book.about(["army"])
    assert about
    assert {ruling.topic for ruling in about} == {"army"}


def test_a_double_id_and_a_default_that_is_no_answer_are_refused() -> None:
    raw = copy.deepcopy(resources.table("plastic/rulings.toml"))
    raw["ruling"][1]["id"] = "P1"
    raw["ruling"][2]["default"] = "armoured"
    with pytest.raises(DataError) as refused:
        read_rulings(raw)
    assert str(refused.value).splitlines() == [
        "plastic/rulings.toml: ruling[1].id: P1 stands there twice.",
        "plastic/rulings.toml: ruling[2].default: no answer 'armoured'; did you mean armored?",
    ]
