"""data/beach_head: the numbers of the text, and a sentence for whatever is wrong with a file."""

from __future__ import annotations

import copy
from collections.abc import Callable
from itertools import pairwise
from typing import Any, get_args

import pytest

from skirmish import library, resources
from skirmish.games.beach_head.ruleset import (
    DefenceId,
    PhaseId,
    TankId,
    dice_of,
    read_ruleset,
)
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.presets import read_presets

Spoil = Callable[[dict[str, Any]], object]
MANUAL = library.beach().ruleset


def test_the_defences_are_those_of_the_text() -> None:
    points = {one.id: one.points for one in MANUAL.defence}
    assert points.pop("bunkers") == 60
    assert set(points.values()) == {20}
    assert len(points) == 6
    assert {one.id for one in MANUAL.defence if one.wins} == {"bunkers", "trenches"}


def test_the_cards_are_those_of_the_chart() -> None:
    chart = {one.rank: (one.sets, one.shifts, one.does) for one in MANUAL.card}
    assert [chart[rank][0] for rank in range(1, 7)] == [1, 2, 3, 4, 5, 6]
    assert [chart[rank][1] for rank in range(7, 11)] == [-2, -1, 1, 2]
    assert [chart[rank][2] for rank in (11, 12, 13)] == ["reroll", "repeat", "draw"]
    hand = MANUAL.hand
    assert (hand.full, hand.keep, hand.redraw, hand.general) == (7, 3, 3, 2)


def test_a_table_finds_the_nearest_row() -> None:
    (defenders,) = MANUAL.phase[MANUAL.place("defenders")].step
    rows = [defenders.row_index(total) for total in range(0, 12)]
    assert rows == [0, 0, 1, 1, 1, 1, 1, 2, 3, 3, 3, 3]
    (support,) = MANUAL.phase[MANUAL.place("support")].step
    assert [support.row_index(total) for total in range(0, 9)] == [0, 0, 0, 0, 0, 1, 2, 2, 2]


SHELLS = "0-4 1d6-3, 5 tank, 6 craft"
TABLES = {
    "defenders": "0-1 1d6-2, 2-6 1d6, 7 2d6, 8 2d6+2",
    "artillery": SHELLS,
    "shore_guns": SHELLS,
    "mines": "0-4 1d6-3, 5-6 tank without flail",
    "support": "1-4 nothing, 5 1d6-1 bunkers walls, 6 1d6-1 bunkers walls",
}


@pytest.mark.parametrize("phase", TABLES)
def test_a_table_is_that_of_the_text(phase: str) -> None:
    (table,) = MANUAL.phase[MANUAL.place(phase)].step
    assert table.does == "table"
    rows = []
    for row in table.row:
        first, last = row.rolls
        tank = {"any": "tank", "no_flail": "tank without flail"}.get(row.tank or "")
        does = row.kill or row.remove or tank or ("craft" if row.craft else "nothing")
        rolls = str(first) if first == last else f"{first}-{last}"
        rows.append(" ".join([rolls, does, *row.targets]))
    assert ", ".join(rows) == TABLES[phase]


def test_dice_are_read_as_printed() -> None:
    assert [*map(dice_of, ("1d6-3", "2d6+2", "3d6"))] == [(1, -3), (2, 2), (3, 0)]


def test_the_file_holds_together() -> None:
    """Everything once, in the order of the text; each step and card does one thing that it can."""
    for known, ids in ((DefenceId, MANUAL.defence), (TankId, MANUAL.tank), (PhaseId, MANUAL.phase)):
        assert sorted(one.id for one in ids) == sorted(get_args(known))
    assert [one.id for one in MANUAL.phase] == list(get_args(PhaseId))
    assert [one.rank for one in MANUAL.card] == list(range(1, 14))
    assert sorted(face for one in MANUAL.tank for face in one.faces) == [1, 2, 3, 4, 5, 6]
    for card in MANUAL.card:
        assert (card.sets is not None) + bool(card.shifts) + (card.does is not None) == 1
    for phase in MANUAL.phase:
        assert bool(phase.step) == (phase.id not in ("tactical", "end"))
        for step in phase.step:
            assert bool(step.targets) == (step.does == "remove")
            assert bool(step.row) == (step.does == "table")
            assert bool(step.type) == (step.does == "tanks")
            assert step.does != "nothing"
            assert set(step.craters) <= set(step.targets)
            rows = step.row
            assert all(one.rolls[1] + 1 == next.rolls[0] for one, next in pairwise(rows))
            assert len({row.targets for row in rows if row.remove}) < 2
            for row in rows:
                assert (row.kill is not None) + (row.tank is not None) + row.craft < 2
                assert bool(row.targets) == (row.remove is not None)


def at(place: int, step: int = 0) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda raw: raw["phase"][place]["step"][step]


SPOILT: list[tuple[Spoil, str]] = [
    (lambda raw: raw["phase"][1].update(id="frogmen"), "did you mean frogman?"),
    (lambda raw: at(2)(raw).update(dice="3d8"), "dice: a roll such as 2d6+2 belongs here; '3d8'"),
    (lambda raw: at(6)(raw)["row"][0].update(kill="d6"), "row[0].kill: a roll such as 2d6+2"),
    (lambda raw: at(12)(raw).update(craters={"walls": "x"}), "craters.walls: a roll such as"),
    (lambda raw: at(1)(raw).update({"from": ["trap"]}), "from[0]: 'trap' is not possible here"),
    (lambda raw: at(1)(raw).update(does="blow"), "does: 'blow' is not possible here"),
    (lambda raw: at(2)(raw)["modifiers"].update(trap=1), "modifiers.trap: unknown key"),
    (lambda raw: raw["card"][0].update(sets=7), "card[0].sets: expected a whole number <= 6"),
    (lambda raw: raw["defence"][0].update(points=0), "defence[0].points: expected a whole number"),
    (lambda raw: raw["hand"].update(keep=-1), "hand.keep: expected a whole number >= 0"),
    (lambda raw: raw.pop("hand"), "hand: is missing; a table belongs here."),
]


@pytest.mark.parametrize(("spoil", "says"), SPOILT, ids=[says for _, says in SPOILT])
def test_wrong_numbers_are_told_with_their_place(spoil: Spoil, says: str) -> None:
    raw = copy.deepcopy(resources.table("beach_head/game.toml"))
    spoil(raw)
    with pytest.raises(DataError) as refused:
        read_ruleset(raw)
    assert says in str(refused.value)
    assert str(refused.value).startswith("beach_head/game.toml: ")


UNREAD: list[tuple[Spoil, str]] = [
    (lambda raw: raw["ruling"][1].update(default="presnt"), "default: no answer 'presnt'; did you"),
    (lambda raw: raw["ruling"][1].update(id="B1"), "ruling[1].id: B1 stands there twice."),
    (lambda raw: raw["ruling"][1].update(id="3b"), "id: a ruling such as B12 belongs here; '3b'"),
    (lambda raw: raw["ruling"][1].update(mode="dead"), "'dead' is not possible here"),
    (lambda raw: raw["preset"][1]["answers"].update(B99="x"), "answers.B99: no such ruling"),
    (lambda raw: raw["preset"][1]["answers"].update(B11="anny"), "answers.B11: no answer 'anny'"),
    (lambda raw: raw["preset"][1].update(id="printed"), "preset[1].id: printed stands there twice"),
    (lambda raw: raw["preset"].pop(0), "draft_1d6 comes first, so it names no answers."),
    (lambda raw: raw["preset"].clear(), "preset: at least one is needed."),
    (lambda raw: raw.update(format=2), "format: 2 is not possible here; only 1 is known."),
]


@pytest.mark.parametrize(("spoil", "says"), UNREAD, ids=[says for _, says in UNREAD])
def test_wrong_rulings_are_told_with_their_place(spoil: Spoil, says: str) -> None:
    raw = copy.deepcopy(resources.table("beach_head/rulings.toml"))
    spoil(raw)
    with pytest.raises(DataError) as refused:
        read_presets(raw, "beach_head/rulings.toml")
    assert says in str(refused.value)


def test_every_preset_is_known_by_its_answers() -> None:
    book = library.beach().book
    for preset in book.presets.values():
        assert book.named(preset.answers) == preset.id
    assert book.named({"B39": "2d6", "B2": "rolled"}) == "B2=rolled B39=2d6"


def test_an_answer_that_does_not_exist_is_a_sentence() -> None:
    with pytest.raises(ValueError, match=r"B2: no answer 'all'; known are: present, rolled\."):
        library.beach().book.answered({"B2": "all"})


def test_each_game_has_a_revision_of_its_own_numbers() -> None:
    assert resources.revision("beach_head") != resources.revision() == resources.revision("plastic")
    assert len(resources.revision("beach_head")) == 8
