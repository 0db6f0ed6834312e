"""What companions of board games print: their sheets as the game stands, and tables to fill in."""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise
from random import Random
from typing import Any

import bloody_table
import gts_table
import omaha_table
import pytest
import strokes
from deep import deep_after
from msgspec.structs import replace
from pypdf import PdfReader
from pypdf.generic import ContentStream

from skirmish.games.omaha.sheet import MOST_TURNS_BESIDE
from skirmish.games.omaha.state import CardDrawn
from skirmish.registry import load
from skirmish.sheets.bloody_omaha.squares import SquareMap
from skirmish.sheets.documents import PrintOptions, StoredGame, documents_of_game
from skirmish.sheets.inks import Ink, from_hex
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.flow import CellRow, Unbroken
from skirmish.sheets.page_sheet.document import page_document, page_pdf
from skirmish.sheets.paper import MM, Leaf, Paper, leaf_of
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.roster import TICKED
from skirmish.tabletop.ground_colours import GROUND_COLOURS
from skirmish.tabletop.page import Beside, Facts, Heading, Items, Page, Table, table
from skirmish.tabletop.page_text import as_text

LOOKS = [
    PrintOptions("a4", "colour"),
    PrintOptions("a4", "saver"),
    PrintOptions("letter", "colour"),
    PrintOptions("letter", "saver"),
]
COMPANIONS = ("beach_head", "omaha", "gts", "bloody_omaha")


def document(game: Any, id: str) -> Any:
    return next(one for one in game.documents() if one.id == id)


def tables(page: Page) -> list[Table]:
    return [one for one in page.in_one_column() if isinstance(one, Table)]


@pytest.mark.parametrize("id", COMPANIONS)
def test_a_document_does_not_name_itself_twice(id: str) -> None:
    for one in load(id).documents():
        if one.empty is not None:
            name = one.title.removeprefix("The ").casefold()
            assert name not in one.empty().title.casefold()


def test_the_result_of_an_evening_stands_once_in_its_report() -> None:
    play = omaha_table.played(Random(4), turns=3)
    page = document(omaha_table.GAME, "report").build(play)
    lines = [*page.about, *(value for one in page.blocks if isinstance(one, Facts)
                            for _, value in one.rows)]  # fmt: skip
    assert [play.state.result() in line for line in lines].count(True) == 1


def test_the_roster_of_an_evening_is_ticked_as_it_stands() -> None:
    game, play = omaha_table.GAME, omaha_table.table()
    state, hit = play.state, omaha_table.unit(play, "1/B")
    after = replace(hit, steps=1, flags=("disrupted",))
    drawn = CardDrawn(state.setup.cards[0].id, 1)
    state = replace(state, counters=state.counters.with_counter(after), drawn=(drawn,))
    page = game.sheets()[0][2](state)
    *_, americans, _germans = tables(page)
    ticks = {row[0]: [cell.count(TICKED) for cell in row[-3:]] for row in americans.rows}
    assert ticks["1/B"] == [1, 0, 1]
    assert ticks["2/B"] == [0, 0, 0]
    (cards,) = (one for one in tables(page) if one.columns[0].title == "Card")
    assert [row[1].count(TICKED) for row in cards.rows] == [1, *[0] * (len(cards.rows) - 1)]


def test_cohesion_hits_are_ticked_one_after_the_other() -> None:
    play = gts_table.entered()
    gts_table.mark(play, "A/505", "2 cohesion hits", "acted")
    gts_table.mark(play, "B/505", "1 cohesion hit")
    page = document(gts_table.GAME, "ledgers").build(play)
    allied = next(one for one in tables(page) if one.columns[-1].title == "Acted")
    ticks = [[cell.count(TICKED) for cell in row[-3:]] for row in allied.rows[:2]]
    assert ticks == [[0, 2, 1], [0, 1, 0]]


@pytest.mark.parametrize(("game", "id"), [(gts_table.GAME, "card"), (bloody_table.GAME, "tables")])
def test_what_is_not_typed_in_is_left_free_for_a_pencil(game: Any, id: str) -> None:
    page = document(game, id).empty()
    cells = [cell for one in tables(page) for row in one.rows for cell in row[1:]]
    for one in page.in_one_column():
        if isinstance(one, Facts) and one.written:
            cells += [cell for _, cell in one.rows]
    assert len(cells) > 80
    assert not "".join(cells).strip()


def test_tables_with_the_same_columns_stand_in_one_line() -> None:
    short = table(["Unit", "HE", "Hex"], [("A", "1", "K7")], numbers=(1,))
    wide = table(
        ["Unit", "HE", "Hex"], [("A unit with a very long name", "10", "L8")], numbers=(1,)
    )
    other = table(["Turn", "Unit"], [("1", "A unit")])
    sheet = page_document(leaf_of("a4"), Page("Two sides", (short, wide, other)))
    found = [one.flowables for one in sheet.parts[0].pages[0][1].flowables
             if isinstance(one, Unbroken)]  # fmt: skip
    first, second, third = (one._colWidths for (one,) in found)
    assert first == second
    assert len(third) == 2


def empty_pages(game: str, id: str, look: PrintOptions) -> list[strokes.Seen]:
    printed = documents_of_game(game)[id].pdf(None, look)
    return list(strokes.pages(PdfReader(BytesIO(printed))))


def rules_at_left(page: strokes.Seen, paper: Leaf) -> list[float]:
    """The heights of the rules that begin at the left margin, from the foot of the page upward."""
    heights = set()
    for shape in page.shapes:
        across, upward = shape.size
        begins_at_margin = min(x for x, _ in shape.points) < paper.margin + 1
        # The footer has a rule of its own.
        is_above_footer = shape.points[0][1] > paper.bottom + 1
        if across > 8 * MM and upward < 0.01 and begins_at_margin and is_above_footer:
            heights.add(round(shape.points[0][1], 2))
    return sorted(heights)


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize(
    ("game", "id", "rows"), [("gts", "ledgers", 50), ("bloody_omaha", "tables", 30)]
)
def test_rows_that_are_written_on_by_hand_are_high_enough(
    game: str, id: str, rows: int, paper: Paper
) -> None:
    heights = []
    for page in empty_pages(game, id, PrintOptions(paper, "colour")):
        rules = rules_at_left(page, leaf_of(paper))
        heights += [upper - lower for lower, upper in pairwise(rules)]
    assert len(heights) >= rows
    assert min(heights) >= 6.5 * MM - 0.05


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_columns_that_are_written_on_are_equal_and_have_rules_between_them(paper: Paper) -> None:
    sheet = page_document(leaf_of(paper), document(gts_table.GAME, "card").empty())
    text = [part for page in sheet.parts[0].pages for part in page.content.flowables]
    fire = next(part for part in text if hasattr(part, "_colWidths") and len(part._colWidths) == 10)
    _, *colors = fire._colWidths
    assert max(colors) - min(colors) < 0.01
    page = empty_pages("gts", "card", PrintOptions(paper, "colour"))[0]
    upright = {round(shape.points[0][0]) for shape in page.shapes
               if shape.size[0] < 0.01 and shape.size[1] > 6 * MM}  # fmt: skip
    assert len(upright) >= len(colors)


def test_tracks_have_numbers_in_their_boxes() -> None:
    printed = documents_of_game("bloody_omaha")["sheet"].pdf(None, PrintOptions())
    text = PdfReader(BytesIO(printed)).pages[0].extract_text().split()
    assert {*map(str, range(1, 31))} <= {*text}


def test_the_empty_sheet_of_bloody_omaha_has_nothing_ticked() -> None:
    for id in ("sheet", "tables"):
        page = document(bloody_table.GAME, id).empty()
        assert TICKED not in as_text(page)
    assert TICKED in as_text(document(bloody_table.GAME, "sheet").build(bloody_table.whole()))


def squares_drawn(page: strokes.Seen) -> int:
    """Boxes as wide as high that are larger than any box to tick."""
    count = 0
    for shape in page.shapes:
        wide, tall = shape.size
        if shape.is_box and wide > 15 * MM and abs(wide - tall) < 0.1:
            count += 1
    return count


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: f"{look.paper}-{look.use}")
def test_the_map_of_bloody_omaha_is_drawn_in_squares(look: PrintOptions) -> None:
    page, *_ = empty_pages("bloody_omaha", "sheet", look)
    assert squares_drawn(page) == 27 + 9 + 40
    printed = documents_of_game("bloody_omaha")["sheet"].pdf(None, look)
    text = PdfReader(BytesIO(printed)).pages[0].extract_text()
    assert {"C27", "B9", "40", "THE CHANNEL"} <= {*text.split(), *text.splitlines()}
    assert "?" not in text, "tokens lie on an empty map"
    assert "~" not in text


@pytest.mark.parametrize("id", ["position", "report"])
def test_position_and_report_of_bloody_omaha_have_the_map_drawn_too(id: str) -> None:
    stored = StoredGame(1, bloody_table.whole(), "2026-06-06T12:00:00", "bloody_omaha")
    printed = PdfReader(BytesIO(documents_of_game("bloody_omaha")[id].pdf(stored, PrintOptions())))
    assert sum(map(squares_drawn, strokes.pages(printed))) == 27 + 9 + 40
    text = " ".join(page.extract_text() for page in printed.pages)
    assert "not typed in" not in text, "the legend of the map in signs"


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_sheet_of_bloody_omaha_has_a_record_of_turns_and_what_one_plays_on_by(
    paper: Paper,
) -> None:
    """Empty from the first turn to the last there may be, filled from the present one; and after
    the end there is none."""
    sheet = document(bloody_table.GAME, "sheet")
    assert record_of_turns(sheet.empty()) == [*map(str, range(1, 13))]
    play = bloody_table.whole()
    begun = sheet.build(play)
    assert record_of_turns(begun) == ["1", "2", "3", "4", "5"]
    later = replace(play.state, position=replace(play.state.position, turn=4))
    assert record_of_turns(bloody_table.GAME._sheet(later)) == ["4", "5"]
    for page in (sheet.empty(), begun):
        text = " ".join(as_text(page).split())
        for needed in ("Landing. A roll for each unit", "a battalion -2", "Historical victory"):
            assert needed in text
    printed = documents_of_game("bloody_omaha")["sheet"].pdf(None, PrintOptions(paper, "colour"))
    assert len(PdfReader(BytesIO(printed)).pages) == 2


def record_of_turns(page: Page) -> list[str]:
    """The turns of the record, all of it free for a pencil."""
    (log,) = (one for one in tables(page) if one.columns[0].title == "Turn")
    assert log.written
    assert not any(cell for row in log.rows for cell in row[1:])
    return [row[0] for row in log.rows]


def test_a_turn_of_omaha_can_be_played_from_its_sheet_alone() -> None:
    """What was asked when one was: who lands first and where, what a phase and a card are for."""
    text = " ".join(as_text(document(omaha_table.GAME, "sheet").empty()).split())
    for needed in (
        "First wave: B/116, F/116, 5th Rangers, Engineers, A/743, B/743, each unit in a part-ocean",
        "American recovery. A number for each disrupted American unit",
        "German Air Power: The Germans get +6 HE firepower on any one attack this turn.",
    ):
        assert needed in text
    for paper in ("a4", "letter"):
        printed = documents_of_game("omaha")["sheet"].pdf(None, PrintOptions(paper, "colour"))
        assert len(PdfReader(BytesIO(printed)).pages) == 3


@pytest.mark.parametrize("game", ["omaha", "gts", "bloody_omaha"])
def test_what_concerns_the_program_alone_is_not_on_paper(game: str) -> None:
    for one in load(game).documents():
        if one.empty is not None:
            text = " ".join(as_text(one.empty()).split())
            assert "Type in now" not in text
            assert "procedure: w" not in text


def inks_filled_with(printed: bytes) -> set[Ink]:
    """Every ink that something on the pages is filled with."""
    reader = PdfReader(BytesIO(printed))
    inks = set()
    for page in reader.pages:
        for operands, operator in ContentStream(page.get_contents(), reader).operations:
            if operator == b"rg":
                red, green, blue = (round(float(part), 2) for part in operands)
                inks.add((red, green, blue))
    return inks


def test_squares_inland_have_the_colours_on_paper_that_they_have_on_screens() -> None:
    play = bloody_table.whole()
    shown = set()
    for row in bloody_table.GAME.square_board(play.state).rows:
        for square in row:
            if square.name.isdigit() and square.ground != "blank":
                red, green, blue = from_hex(GROUND_COLOURS[square.ground].light.code[1:])
                shown.add((round(red, 2), round(green, 2), round(blue, 2)))
    assert len(shown) > 1
    stored = StoredGame(1, play, "2026-06-06T12:00:00", "bloody_omaha")
    position = documents_of_game("bloody_omaha")["position"]
    assert shown <= inks_filled_with(position.pdf(stored, PrintOptions()))
    sparing = PrintOptions("a4", "saver")
    assert not shown & inks_filled_with(position.pdf(stored, sparing))


def test_units_on_a_beach_stand_below_the_box_for_its_gap() -> None:
    play = bloody_table.whole()
    table_of = play.state
    square = next(name for name in table_of.rules.board.beaches)
    drawn = SquareMap(table_of, 500)
    landed = drawn._height_of_name(square)
    # The box is 4.2 mm high and 1.2 mm below the upper side.
    assert landed > 5.4 * MM
    assert drawn._height_of_name("14") == 4 * MM


def test_a_row_of_two_lines_is_higher_so_that_its_words_do_not_touch_the_rules() -> None:
    long = "a part-ocean hex beside a beach hex, " * 3
    rows = [("x", "y", "z", "w"), ("x", "y", long, "w")]
    block = table(["A", "B", "C", "D"], rows, written=True)
    sheet = page_document(leaf_of("a4"), Page("One", (block,)))
    (written,) = (part for part in sheet.parts[0].pages[0].content.flowables
                  if hasattr(part, "_rowHeights"))  # fmt: skip
    _, usual, higher = written._rowHeights
    assert usual >= 6.5 * MM
    lines = higher // styles.UNIT.leading
    assert lines > 1
    assert higher >= lines * styles.UNIT.leading + 1.5 * MM


def test_of_pages_that_take_three_sheets_at_least_the_longest_is_printed() -> None:
    shorter, longer, longest = (
        Page("x", (Items(("A line.",) * count),)) for count in (150, 180, 400)
    )
    sheets = page_document(leaf_of("a4"), shorter, longer, longest).parts[0].pages
    assert len(sheets) == 3
    lines = [
        part for sheet in sheets for part in sheet.content.flowables if isinstance(part, CellRow)
    ]
    assert len(lines) == 180


@pytest.mark.parametrize(("lines", "sheets"), [(66, 1), (76, 1), (120, 2)])
def test_a_list_is_set_closer_before_its_last_lines_take_a_sheet_of_their_own(
    lines: int, sheets: int
) -> None:
    """76 lines do not fit on A4 in the usual type; those of 120 have more to tell overleaf."""
    told = tuple(f"Line {number}." for number in range(lines))
    page = Page("A game", (Items(told),))
    printed = PdfReader(BytesIO(page_pdf(page, notes=True)))
    assert len(printed.pages) == sheets
    text = "".join(sheet.extract_text() for sheet in printed.pages)
    assert [line for line in told if line not in text] == []


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_no_page_is_mostly_lines_for_notes(paper: Paper) -> None:
    """Not even the position of a game that has just begun."""
    play = gts_table.begun()
    stored = StoredGame(1, play, "2026-06-06T12:00:00", "gts")
    printed = documents_of_game("gts")["position"].pdf(stored, PrintOptions(paper, "colour"))
    (page,) = strokes.pages(PdfReader(BytesIO(printed)))
    apart = [upper - lower for lower, upper in pairwise(rules_at_left(page, leaf_of(paper)))]
    notes = [distance for distance in apart if abs(distance - 8 * MM) < 0.1]
    assert 10 < len(notes) <= 15


def test_the_card_of_gts_tells_a_turn_and_what_each_chit_lets_units_do() -> None:
    text = " ".join(as_text(document(gts_table.GAME, "card").empty()).split())
    for needed in ("G Fill the mug. All chits of this turn", "Direct Command. Units in command"):
        assert needed in text


def test_an_odd_table_of_rolls_stands_in_two_columns_and_not_broken() -> None:
    page = document(gts_table.GAME, "card").empty()
    title = next(place for place, one in enumerate(page.blocks)
                 if isinstance(one, Heading) and one.text == "Turns of a day")  # fmt: skip
    beside = page.blocks[title + 1]
    assert isinstance(beside, Beside)
    (left,), (right,) = beside.left, beside.right
    assert [row[0] for row in (*left.rows, *right.rows)] == [*map(str, range(10))]


def test_the_map_of_a_game_shows_tokens_exits_and_units() -> None:
    stored = StoredGame(1, bloody_table.whole(), "2026-06-06T12:00:00", "bloody_omaha")
    printed = documents_of_game("bloody_omaha")["sheet"].pdf(stored, PrintOptions())
    text = PdfReader(BytesIO(printed)).pages[0].extract_text()
    for shown in ("?", "D1", "F1", "hedgerow", "strongpoint, town"):
        assert shown in text


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: f"{look.paper}-{look.use}")
def test_turns_of_beach_head_are_high_enough_to_write_in(look: PrintOptions) -> None:
    _, back = empty_pages("beach_head", "sheet", look)
    cells = [box for box in back.shapes if box.is_box and abs(box.size[1] - 6.5 * MM) < 0.1]
    assert len(cells) >= 4 * 24


def test_every_box_of_a_track_of_beach_head_has_its_number() -> None:
    printed = documents_of_game("beach_head")["sheet"].pdf(None, PrintOptions())
    text = PdfReader(BytesIO(printed)).pages[1].extract_text().split()
    lost = {str(number) for number in range(1, 121)}
    assert lost <= {*text}


def test_the_sheet_of_omaha_says_who_comes_when_and_what_the_points_come_to() -> None:
    text = " ".join(as_text(document(omaha_table.GAME, "sheet").empty()).split())
    for known in (
        "Turn 3 C/2 Rangers",
        "Turn 5 2/916 row A (four units)",
        "German Panzers!! 916th AT A6, A10 or A13",
        "4 to 5 Minor American victory",
        "0 to 2 German victory",
    ):
        assert known in text


def test_reinforcements_of_omaha_are_ticked_once_they_have_come() -> None:
    game, state = omaha_table.GAME, omaha_table.begun().state
    due = state.setup.scenario.arrival("A/116")
    come = Counter(id="1", name="1/A", side="us", group="A/116", place="K4", steps=2)
    state = replace(state, counters=state.counters.with_counter(come))
    assert state.entered(due)
    page = game.sheets()[0][2](state)
    (arriving,) = (one for one in tables(page) if one.columns[-1].title == "Here")
    ticked = {row[1]: row[-1] == TICKED for row in arriving.rows}
    assert ticked["A/116"]
    assert not ticked["C/743"]


def test_the_register_of_gts_has_lines_for_reinforcements_and_the_card_the_results() -> None:
    register = document(gts_table.GAME, "ledgers").empty()
    (arriving,) = (one for one in tables(register) if one.columns[0].title == "Reinforcement")
    assert arriving.written
    assert len(arriving.rows) == 12
    text = as_text(document(gts_table.GAME, "card").empty())
    assert "A troop quality check; if it fails, the result is S." in text


@pytest.mark.parametrize("id", COMPANIONS)
def test_the_title_of_a_companion_is_in_capitals_and_all_below_it_in_mixed_case(id: str) -> None:
    for printed in documents_of_game(id).values():
        if printed.has_empty_sheet:
            text = PdfReader(BytesIO(printed.pdf(None, PrintOptions()))).pages[0].extract_text()
            assert load(id).name.upper() in " ".join(text.split())


def test_terrain_has_lines_on_the_card_until_some_is_typed_in() -> None:
    card = document(gts_table.GAME, "card")
    heads = [one.columns[0].title for one in tables(card.build(gts_table.begun(tables="blank")))]
    assert heads.count("Terrain") == 1
    known = tables(card.build(gts_table.begun(tables="community")))
    assert "Terrain" not in [one.columns[0].title for one in known]


def test_a_play_sheet_without_units_has_a_line_and_a_box_for_each() -> None:
    sheet = document(bloody_table.GAME, "sheet")
    lines = [one for one in tables(sheet.empty()) if one.columns[0].title == "Unit"]
    assert sum(len(one.rows) for one in lines) >= 29
    assert not [one for one in tables(sheet.build(bloody_table.whole()))
                if one.columns[0].title == "Unit"]  # fmt: skip


def test_the_play_sheet_of_omaha_has_a_box_for_every_card_of_the_owners_deck() -> None:
    numbers = {f"card_{card.id}": "" for card in omaha_table.GAME.file.cards}
    play = omaha_table.begun(chance="cards", **numbers | {"card_none": "1 2 3 ?"})
    page = document(omaha_table.GAME, "sheet").build(play)
    (cards,) = (block for block in tables(page) if block.columns[0].title == "Card")
    titles = {card.id: card.title for card in omaha_table.GAME.file.cards}
    in_deck = {title: len(boxes.split()) for title, boxes in cards.rows}
    assert in_deck.pop(titles["none"]) == 4
    assert set(in_deck.values()) == {0}
    # A kind without cards can be printed, too.
    assert page_document(leaf_of("a4"), page, notes=True).parts[0].pages


@pytest.mark.parametrize("turns", deep_after(3, [10, 13, 30, 11, 12]))
def test_the_play_sheet_of_omaha_is_printed_for_any_number_of_turns(turns: int) -> None:
    play = omaha_table.begun(turns=turns)
    page = document(omaha_table.GAME, "sheet").build(play)
    (calendar,) = (one for one in tables(page) if one.columns[0].title == "Phase")
    assert [len(boxes.split()) for _, boxes in calendar.rows] == [turns] * 9
    assert calendar.columns[1].counted
    # A calendar as wide as the sheet may take another; no scenario has so many turns.
    most = 3
    if turns > MOST_TURNS_BESIDE:
        most = 4
    for paper in (leaf_of("a4"), leaf_of("letter")):
        sheets = page_document(paper, page, notes=True).parts[0].pages
        assert len(sheets) <= most


@pytest.mark.parametrize("page", ["rules", "sheet"])
def test_omaha_says_what_the_players_apply_on_their_map(page: str) -> None:
    game, state = omaha_table.GAME, omaha_table.begun().state
    shown = game.rules(state) if page == "rules" else game.sheets()[0][2](state)
    text = " ".join(as_text(shown).split())
    for sentence in (
        "Infantry and engineers have 3 movement points a turn, tanks 8; guns and mortars do not",
        "Woods, a town, or more than two farmland hexes between the two hexes block the line",
        "Exactly along the side of a blocking hex the line is free.",
        "At most two units in a hex, at all times.",
    ):
        assert sentence in text


@pytest.mark.parametrize("page", ["rules", "card"])
def test_gts_says_what_the_players_apply_on_their_map(page: str) -> None:
    game, state = gts_table.GAME, gts_table.begun().state
    shown = game.rules(state) if page == "rules" else document(game, "card").empty()
    text = " ".join(as_text(shown).split())
    for sentence in (
        "An allowance of No: such a unit can only mount.",
        "Into column: 1 point; not in an entrenchment",
        "8 hexes are seen; at night, in rain or in fog 2",
        "8 steps that are not in column, and one unit in column more.",
    ):
        assert sentence in text
    for paper in (leaf_of("a4"), leaf_of("letter")):
        assert page_document(paper, shown, notes=True).parts[0].pages


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_register_that_goes_on_overleaf_says_whose_units_they_are(paper: Paper) -> None:
    register = documents_of_game("gts")["ledgers"].pdf(None, PrintOptions(paper, "colour"))
    overleaf = PdfReader(BytesIO(register)).pages[1].extract_text()
    assert overleaf.index("ALLIED UNITS") < overleaf.index("GERMAN UNITS")
    assert "continued" in overleaf
