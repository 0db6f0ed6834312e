"""What every form keeps to: names for programs, words for people, boxes that a finger finds."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from typing import Any

import pytest
from battles import scenario
from pypdf import PdfReader

from skirmish import library
from skirmish.sheets.documents import PrintOptions, StoredGame, documents_of_game
from skirmish.sheets.layout.boxes import LEAST_BOX
from skirmish.sheets.plastic import DOCUMENT_BY_ID

FORMS = ("scenario", "roster", "blank", "position", "sheet")


@cache
def widgets(name: str) -> list[list[Any]]:
    """The fields of each page of a form, in the order of the tab key."""
    subject: Any = {
        "scenario": [library.scenarios()[4]],
        "roster": library.templates()[0],
        "position": StoredGame(1, scenario(4, 150).play, "2026-01-01T00:00:00"),
    }.get(name)
    document = documents_of_game("beach_head")[name] if name == "sheet" else DOCUMENT_BY_ID[name]
    reader = PdfReader(BytesIO(document.pdf(subject, PrintOptions(form=True))))
    every = [[one.get_object() for one in page.get("/Annots", [])] for page in reader.pages]
    return [[one for one in page if one["/Subtype"] == "/Widget"] for page in every]


def named(widget: Any, key: str) -> str:
    return str(widget.get(key) or widget["/Parent"][key])


@pytest.mark.parametrize("name", FORMS)
def test_every_field_says_in_words_what_it_is(name: str) -> None:
    says = {named(one, "/T"): named(one, "/TU") for page in widgets(name) for one in page}
    assert len(says) > 90
    assert not [text for text in says.values() if "_" in text or "-" in text or len(text) < 4]
    assert len(set(says.values())) == len(says)


@pytest.mark.parametrize("name", FORMS)
def test_a_finger_finds_every_field_and_no_two_lie_upon_one_another(name: str) -> None:
    for page in widgets(name):
        corners = [[float(at) for at in one["/Rect"]] for one in page]
        assert all(
            min(right - left, high - low) > LEAST_BOX - 0.2 for left, low, right, high in corners
        )
        for at, (left, low, right, high) in enumerate(corners):
            over = [one for one in corners[:at]
                    if min(right, one[2]) - max(left, one[0]) > 0.3
                    and min(high, one[3]) - max(low, one[1]) > 0.3]  # fmt: skip
            assert not over


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("scenario", {"write-4-settled-buildings"}),
        ("roster", {"write-notes", "write-date", "write-against-whom-where", "write-result"}),
        ("blank", {"write-army", "write-date", "write-unit-1-type", "write-notes"}),
        ("position", {"write-notes", "write-places"}),
        ("sheet", {"write-player", "write-beach-note-1", "write-beach-squads-lost-24"}),
    ],
)
def test_what_is_settled_played_and_noted_can_be_typed(name: str, written: set[str]) -> None:
    typed = {one["/T"] for page in widgets(name) for one in page if one.get("/FT") == "/Tx"}
    assert written <= typed


def test_the_tab_key_goes_down_a_side_before_it_goes_to_the_other() -> None:
    """As the fields are stored, for the pages name no other order."""
    (page,) = widgets("scenario")
    names = [named(one, "/T") for one in page]
    ticks = [name.split("-") for name in names if name.startswith("tick")]
    turns = [at for at, parts in enumerate(ticks) if "turn" in parts]
    assert turns == list(range(turns[0], len(ticks)))
    sides = [parts[2] for parts in ticks[: turns[0]]]
    assert sides == sorted(sides, key=["german", "british"].index)


def test_who_is_lost_has_no_box_to_tick_in_a_position() -> None:
    play = scenario(4, 150).play
    ticked = {one.get("/T") for page in widgets("position") for one in page}
    state = play.state
    up = {f"tick-{one.side}-{one.code}" for one in state.pieces() if state.is_in_play(one.id)}
    down = {f"tick-{one.side}-{one.code}" for one in state.pieces() if not state.is_in_play(one.id)}
    assert up <= ticked
    assert down
    assert not down & ticked
