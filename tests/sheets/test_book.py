"""The book of scenarios: spreads, what stands before and after them, and how it is printed."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import msgspec
import pytest
from bound import drawn, reader, texts
from deep import deep_after
from pypdf import PdfReader
from squashed import squash

from skirmish import library
from skirmish.cli.printing import bleed_of
from skirmish.sheets.layout.press import booklet_scale, folded_order
from skirmish.sheets.layout.styles import SMALLEST
from skirmish.sheets.paper import MM, leaf_of
from skirmish.sheets.scenario.cover import PLACES
from skirmish.sheets.scenario.sheet import scenarios_pdf

PAPERS = deep_after(1, ["letter", "a4"])
SCENARIOS = library.published_scenarios()
PAGES = 28
FIRST_SPREAD = 8
"""The folio of the first left page."""


@pytest.mark.parametrize("paper", PAPERS)
def test_every_scenario_is_a_spread_that_begins_on_a_left_page(paper: str) -> None:
    pages_of_book = texts(paper=paper)
    assert len(pages_of_book) == PAGES
    for index, scenario in enumerate(SCENARIOS.values()):
        folio = FIRST_SPREAD + 2 * index
        left, right = pages_of_book[folio - 1], pages_of_book[folio]
        for wanted in (scenario.title.upper(), scenario.situation, "1:12", "SET UP", "KEY"):
            assert squash(wanted) in left
        for wanted in (scenario.victory.text, "WEAPONS", "NOTES", "TURN TRACK"):
            assert squash(wanted) in right
        for rule in scenario.special_rules:
            assert squash(rule.text) in right
        for side in scenario.sides:
            for group in side.contingents:
                if group.deploy:
                    assert squash(group.deploy) in left


@pytest.mark.parametrize("paper", PAPERS)
def test_a_right_page_tells_how_a_turn_goes_and_how_far_its_units_move(paper: str) -> None:
    """Rather than leave that out, it is set more closely, and its history goes to the notes."""
    pages_of_book = texts(paper=paper)
    for index, number in enumerate(SCENARIOS):
        right = pages_of_book[FIRST_SPREAD + 2 * index]
        assert squash("EACH PLAYER TURN") in right, number
        assert squash("MOVES") in right, number


@pytest.mark.parametrize("paper", PAPERS)
def test_every_right_page_tells_the_ground_and_the_whole_shot(paper: str) -> None:
    """That of scenario 7 on Letter once told neither."""
    told = ["Woods and buildings block sight", "your own deck", "Pins, if agreed"]
    pages = texts(paper=paper)[8:-1:2]
    assert len(pages) == 10
    for page in pages:
        assert [words for words in told if squash(words) not in page] == []


@pytest.mark.parametrize("paper", PAPERS)
def test_what_happened_stands_on_the_spread_or_among_the_notes(paper: str) -> None:
    pages_of_book = texts(paper=paper)
    for index, scenario in enumerate(SCENARIOS.values()):
        told = pages_of_book[FIRST_SPREAD + 2 * index] + pages_of_book[-1]
        assert squash(scenario.history) in told


@pytest.mark.parametrize("paper", PAPERS)
def test_the_notes_are_history_and_sources_only(paper: str) -> None:
    """Word for word: a head for each scenario, its history if the spread has no room for it, and
    its sources."""
    pages_of_book = texts(paper=paper)
    _, notes = pages_of_book[-1].split("NOTESANDSOURCES")
    notes, _ = notes.split("RULINGS")
    for index, scenario in enumerate(SCENARIOS.values()):
        told = [f"{scenario.number}{scenario.title.upper()}"]
        right = pages_of_book[FIRST_SPREAD + 2 * index]
        if squash(scenario.history) not in right:
            told.append(f"What happened:{scenario.history}")
        told.append(f"Sources:{'; '.join(scenario.sources)}.")
        for words in told:
            assert squash(words) in notes
            notes = notes.replace(squash(words), "", 1)
    assert notes == ""


def test_rulings_stand_at_the_end_with_question_answer_and_scenarios() -> None:
    book = library.rulings()
    _, rulings = texts()[-1].split("RULINGS")
    needed = {id for scenario in SCENARIOS.values() for id in scenario.rulings}
    told = []
    for id in sorted(needed, key=list(book.rulings).index):
        ruling = book.rulings[id]
        answer = ruling.answers[ruling.default]
        told.append(f"{id} {ruling.title}. {ruling.question} {answer} ")
        numbers = [number for number, scenario in SCENARIOS.items() if id in scenario.rulings]
        if len(numbers) == 1:
            told[-1] += f"Scenario {numbers[0]}."
    assert [words for words in told if squash(words) not in rulings] == []
    assert "Scenarios1,4,5,6,7,9and10." in rulings
    assert "Allscenarios." in rulings


def test_a_ruling_answered_otherwise_stands_on_the_spread_and_not_at_the_end() -> None:
    book = PdfReader(BytesIO(scenarios_pdf(None, answers={"P80": "american_16"})))
    pages_of_book = [squash(page.extract_text()) for page in book.pages[-2:]]
    question = squash(library.rulings().rulings["P80"].question)
    assert question in pages_of_book[-2]
    assert question not in pages_of_book[-1]


@pytest.mark.parametrize("paper", PAPERS)
def test_what_has_no_room_on_one_page_at_the_end_takes_more(paper: str) -> None:
    """Thirty scenarios: the rulings begin on a page of their own, which the contents name."""
    own = [
        msgspec.structs.replace(SCENARIOS[10], number=number, id=f"bridge_{number}")
        for number in range(11, 31)
    ]
    scenarios = [*SCENARIOS.values(), *own]
    said = [
        squash(page.extract_text())
        for page in PdfReader(BytesIO(scenarios_pdf(scenarios, paper=paper))).pages
    ]
    pages_of_notes = [folio for folio, text in enumerate(said, 1) if "NOTESANDSOURCES" in text]
    (folio,) = [folio for folio, text in enumerate(said, 1) if "Gapsintherules," in text]
    assert pages_of_notes[0] < folio
    contents = "".join(said[4:8])
    assert f"Notesandsources,page{pages_of_notes[0]}.Rulings,page{folio}." in contents


@pytest.mark.parametrize("paper", PAPERS)
def test_no_word_of_the_book_is_cut(paper: str) -> None:
    assert [folio for folio, text in enumerate(texts(paper=paper), 1) if "…" in text] == []


def test_before_the_spreads_stand_cover_colophon_title_introduction_contents_and_rules() -> None:
    cover, colophon, title, introduction, contents, turn, checks, *_ = texts()
    assert "TENBATTLES" in cover
    assert "COLOPHON" in colophon
    assert "OpenFontLicense" in colophon
    assert "TENBATTLES" in title
    assert "INTRODUCTION" in introduction
    assert "CONTENTS" in contents
    at_end = f"Notesandsources,page{PAGES}.Rulings,page{PAGES}."
    assert f"Introduction,page4.Howtoplay,page6.{at_end}" in contents
    assert "Firingtable".upper() in turn.upper()
    assert "Nationalities".upper() in checks.upper()


def test_the_cover_dates_and_places_every_scenario() -> None:
    cover = texts()[0]
    assert set(PLACES) == {scenario.id for scenario in SCENARIOS.values()}
    for place in PLACES.values():
        assert squash(place.name) in cover


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("use", ["colour", "saver"])
def test_all_but_the_cover_keeps_to_the_margins(paper: str, use: str) -> None:
    size = leaf_of(paper)
    low, near = size.margin, 0.1
    for page in drawn(paper=paper, use=use)[1:]:
        spots = [point for text in page.texts for point in (text.at, text.end)]
        spots += [p for shape in page.shapes if not shape.clipped for p in shape.points]
        out = [
            (x, y) for x, y in spots
            if not low - near <= x <= size.width - low + near
            or not low - near <= y <= size.height - low + near
        ]  # fmt: skip
        assert out == []
        assert min((text.size for text in page.texts), default=9) >= SMALLEST - 0.02


def test_a_book_that_spares_ink_says_the_same() -> None:
    for coloured, sparing in zip(texts(), texts(use="saver"), strict=True):
        assert coloured == sparing


def test_one_scenario_more_of_ones_own_is_bound_too() -> None:
    own = msgspec.structs.replace(SCENARIOS[1], number=11, id="my_bridge", title="My Bridge")
    data = scenarios_pdf([*SCENARIOS.values(), own])
    said = [squash(page.extract_text()) for page in PdfReader(BytesIO(data)).pages]
    assert "11BATTLES" in said[0]
    assert "MyBridge" in said[0]
    assert "1939–1944" in said[0]
    assert any("MYBRIDGE" in text for text in said[1:])


def test_contents_on_two_pages_name_the_pages_and_leave_each_spread_on_a_left_one() -> None:
    own = []
    for number in range(11, 18):
        title = f"Bridge {number}"
        own.append(
            msgspec.structs.replace(SCENARIOS[1], number=number, id=f"bridge_{number}", title=title)
        )
    book = PdfReader(BytesIO(scenarios_pdf([*SCENARIOS.values(), *own])))
    said = [squash(page.extract_text()) for page in book.pages]
    titles = [f"BRIDGE{scenario.number}" for scenario in own]
    folios = [next(i for i, text in enumerate(said, 1) if title in text) for title in titles]
    assert [folio % 2 for folio in folios] == [0] * len(own)
    contents = "".join(said[4:6])
    for scenario, folio in zip(own, folios, strict=True):
        assert f"Bridge{scenario.number}" in contents
        assert str(folio) in contents
    at_end = f"Notesandsources,page{len(said)}.Rulings,page{len(said)}."
    assert f"Howtoplay,page8.{at_end}" in contents
    assert "FIRINGTABLE" in said[8 - 1].upper()
    assert "NOTESANDSOURCES" in said[-1]


# ------------------------------------------------------------------ for a printer


def test_with_bleed_the_page_is_trimmed_to_its_paper_inside_crop_marks() -> None:
    bleed = 3 * MM
    size = leaf_of("a4")
    for page in reader(bleed=bleed).pages:
        trim = [float(edge) for edge in page.trimbox]
        assert trim[2] - trim[0] == pytest.approx(size.width, abs=0.01)
        assert trim[3] - trim[1] == pytest.approx(size.height, abs=0.01)
        assert float(page.bleedbox[0]) == pytest.approx(trim[0] - bleed, abs=0.01)
        assert float(page.mediabox[2]) > float(page.bleedbox[2])
    first = drawn(bleed=bleed)[0]
    trim = [float(edge) for edge in reader(bleed=bleed).pages[0].trimbox]
    marks = [
        shape.points for shape in first.shapes
        if len(shape.points) == 2 and not shape.clipped
    ]  # fmt: skip
    assert len(marks) == 8
    for (x0, y0), (x1, y1) in marks:
        # Each lies on a line of the cut, outside what is drawn beyond it.
        on_cut = min(abs(x0 - trim[0]), abs(x0 - trim[2]), abs(y0 - trim[1]), abs(y0 - trim[3]))
        assert on_cut < 0.01
        inside = trim[0] - bleed < x0 < trim[2] + bleed and trim[1] - bleed < y0 < trim[3] + bleed
        assert not inside
        assert abs(x1 - x0) + abs(y1 - y0) > 10


def test_a_booklet_has_two_pages_a_side_in_the_order_of_folding() -> None:
    assert folded_order(8) == [(8, 1), (2, 7), (6, 3), (4, 5)]
    booklet = reader(booklet=True)
    assert len(booklet.pages) == PAGES / 2
    size = leaf_of("a4")
    assert float(booklet.pages[0].mediabox[2]) == pytest.approx(size.height, abs=0.01)
    outer = texts(booklet=True)[0]
    assert "TENBATTLES" in outer
    assert "NOTESANDSOURCES" in outer
    root: Any = booklet.trailer["/Root"]
    assert root["/ViewerPreferences"]["/Duplex"] == "/DuplexFlipShortEdge"


@pytest.mark.parametrize("paper", PAPERS)
def test_a_booklet_keeps_to_what_a_desktop_printer_can_print(paper: str) -> None:
    least = 18.0 - 0.1  # a quarter of an inch
    wide = leaf_of(paper).height
    inside = drawn(paper=paper, booklet=True)[1:]
    ends = [x for side in inside for text in side.texts for x in (text.at[0], text.end[0])]
    assert min(ends) >= least
    assert max(ends) <= wide - least


def test_a_booklet_states_the_scale_at_which_its_maps_are_printed() -> None:
    said = "".join(texts(booklet=True))
    reduced = booklet_scale(leaf_of("a4").width, leaf_of("a4").height)
    assert round(12 / reduced) == 17
    assert "1:17" in said
    assert "1:12" not in said
    assert "aninchhereisafoot" not in said.lower()
    assert "oneinchtothefoot" not in said.lower()
    assert "aninchtothefoot" not in said.lower()


def test_a_booklet_has_no_bleed() -> None:
    with pytest.raises(ValueError, match="no bleed"):
        scenarios_pdf(None, bleed=3.0, booklet=True)


@pytest.mark.parametrize(
    ("typed", "points"),
    [(None, 0), ("3mm", 3 * MM), ("3", 3 * MM), ("0.125in", 9), (" 2 MM", 2 * MM)],
)
def test_a_bleed_is_typed_in_millimetres_or_inches(typed: str | None, points: float) -> None:
    assert bleed_of(typed) == pytest.approx(points)
