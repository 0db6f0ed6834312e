"""The report of a battle on paper: all that was won and lost, and nothing that is still secret."""

from __future__ import annotations

from io import BytesIO
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
import strokes
from battles import armies, called, scenario, stage
from deep import deep_every
from msgspec.structs import replace
from pypdf import PdfReader
from squashed import squash

from skirmish import library
from skirmish.games.plastic.battle.orders import AddNote, Finish, Seal, SetClock
from skirmish.games.plastic.casualties import casualty_strip
from skirmish.games.plastic.crossings import crossings
from skirmish.games.plastic.highlights import all_highlights, weightiest
from skirmish.games.plastic.luck import luck
from skirmish.games.plastic.luck_page import fired_shot_words, luck_blocks
from skirmish.games.plastic.report import printed_pages
from skirmish.games.plastic.side_tables import losses_by_turn
from skirmish.games.plastic.summary import summary
from skirmish.games.plastic.turning_point import turning_point_of
from skirmish.registry import load
from skirmish.sheets.casualties import BELOW_CODE, CODE_LEFT, strip_of
from skirmish.sheets.casualty_turns import COLUMN_WIDTH, CROWD, NAMES_WIDTH
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.inks import SIDES, SideInk, looks
from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.fonts import STAND_IN, clean
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.layout.pdf_document import PdfDocument, bound
from skirmish.sheets.layout.sheet_canvas import SheetCanvas
from skirmish.sheets.layout.styles import SMALLEST
from skirmish.sheets.page_sheet import charts
from skirmish.sheets.page_sheet.charts import CurveChart, PairChart
from skirmish.sheets.page_sheet.tables import bar_rows
from skirmish.sheets.paper import leaf_of
from skirmish.sheets.report import ReportMap, report_pdf
from skirmish.sheets.roster.standing import side_looks
from skirmish.tabletop.exported import rebuilt
from skirmish.tabletop.page import Bar, Bars, Beside, Curves, Heading, Pairs, Paragraph, signed

DATE = "1 May 2026"
LOOKS = dict(zip(("first", "second"), SIDES, strict=True))
EXAMPLE = Path(__file__).parents[2] / "docs" / "example-battle.jsonl"


@pytest.mark.parametrize("number", deep_every(3, library.published_scenarios()))
def test_every_loss_and_every_weapon_stands_there(printed: Any, number: int) -> None:
    table = scenario(number, 160)
    found = summary(table.play)
    paper = "a4" if number % 2 else "letter"
    page = printed(report_pdf(table, DATE, paper=paper), paper)
    wanted = [found.title.upper(), DATE]
    for side in found.sides:
        wanted += [side.people.upper(), f"{side.loss} of {side.strength}"]
        for row in side.losses:
            numbers = [row.total, row.lost]
            wanted.append(row.name + "".join(str(n) if n else "–" for n in numbers))
        for row in side.by_weapon:
            figures = (row.shots, row.hits, row.guys, row.models, row.points, row.pdg)
            wanted.append(row.name + "".join(str(n) if n else "–" for n in figures))
        if side.shots:
            wanted.append(f"{side.shots}, {side.hits}")
    assert not page.holds(*wanted)
    assert page.pages <= 2
    assert not page.outside()
    assert min(page.sizes()) >= SMALLEST
    assert all(page.fonts().values())


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_loss_is_drawn_in_the_strip_with_its_code_and_its_card(
    printed: Any, paper: Any
) -> None:
    table = armies(200)
    found = summary(table.play)
    assert len(found.turns) > 2
    page = printed(report_pdf(table, DATE, paper=paper), paper)
    for course in casualty_strip(table.play).sides:
        share = f"{1 - course.share_lost:.0%}"
        assert not page.holds(f"lost {course.lost} of {course.strength}", share + course.people)
        for casualty in course.casualties:
            draw = casualty.draw
            card = "volley"
            if draw is not None and draw.rank:
                suits = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
                card = draw.rank_sign + suits.get(draw.suit or "", "")
            if casualty.cause == "shot":
                assert not page.holds(casualty.code + card)
            assert not page.holds(casualty.code)
    worst = max(found.turns, key=lambda turn: sum(turn.pdg.values()))
    assert not page.holds(f"Costliest turn: turn {worst.turn}.")


def test_a_finished_battle_says_who_won_and_who_commanded(printed: Any) -> None:
    table = armies(40)
    table.order(Finish(winner="first", reason="The Blues have run out of crisps."))
    page = printed(report_pdf(table, DATE))
    assert not page.holds("WINNER: REDS", "The Blues have run out of crisps.")
    table = armies(40)
    table.order(Finish(winner=None))
    assert not printed(report_pdf(table, DATE)).holds("A DRAW")


def test_what_players_noted_is_worth_telling(printed: Any) -> None:
    table = armies(20)
    table.order(AddNote("<b>Anna</b> held the bridge alone"))
    page = printed(report_pdf(table, DATE))
    assert not page.holds("Highlights".upper(), "<b>Anna</b> held the bridge alone")


def test_the_example_battle_takes_two_pages_with_its_map(printed: Any) -> None:
    with EXAMPLE.open("rb") as file:
        play = rebuilt(file, load("plastic")).play
    page = printed(report_pdf(StoredGame(1, play, ""), DATE))
    assert page.pages == 2
    assert not page.holds(
        "railway bank", "HIGHLIGHTS", "Germans lose Truck K1 and 10 Rifle Guys.", "LUCK"
    )
    assert not page.outside()


def test_moments_stand_in_the_order_in_which_they_were_played() -> None:
    table = scenario(1, 300)
    told = weightiest(all_highlights(table.play), 7)
    assert 0 < len(told) <= 7
    found = all_highlights(table.play)
    assert [found.index(one) for one in told] == sorted(found.index(one) for one in told)


def test_a_line_made_void_is_no_moment() -> None:
    table = armies(0)
    table.order(AddNote("Never mind this"))
    (number,) = [act.number for act in table.play.acts if isinstance(act.order, AddNote)]
    assert [one.text for one in all_highlights(table.play)] == ["Note: Never mind this"]
    table.play.accept(table.play.possible("void", *[number]))
    assert not all_highlights(table.play)


def test_the_turning_point_is_where_the_lead_changed_for_the_last_time() -> None:
    """Reds lose first and Blues later more, so that it turns with the second exchange."""
    table = stage.armies({"rifle": 20}, {"rifle": 20})
    for turn, (side, count) in enumerate((("first", 4), ("second", 9)), 1):
        table.order(stage.Correct(row=table.row(side, "rifle").key, by=-count))
        table.at(turn + 1, "first")
    point = turning_point_of(table.play)
    assert point is not None
    assert (point.turn, point.side, point.first) == (2, "first", False)


def test_since_when_somebody_leads_is_a_sentence_during_the_battle_and_after_it(
    printed: Any,
) -> None:
    table = stage.armies({"rifle": 20}, {"rifle": 20})
    table.order(stage.Correct(row=table.row("first", "rifle").key, by=-4))
    table.at(2, "first")
    began = "since the first turn, which ended with:"
    assert not printed(report_pdf(table, DATE)).holds(f"have been ahead {began}")
    table.order(Finish(winner="second"))
    over = "were ahead from the first turn on, which ended with:"
    assert not printed(report_pdf(table, DATE)).holds(over)


def test_below_the_turning_point_it_says_that_there_is_none_so_far(printed: Any) -> None:
    table = stage.armies({"rifle": 20}, {"rifle": 20})
    for side in ("first", "second"):
        table.order(stage.Correct(row=table.row(side, "rifle").key, by=-4))
    assert turning_point_of(table.play) is None
    so_far = "Neither side has taken a lasting lead so far."
    assert not printed(report_pdf(table, DATE)).holds("TURNING POINT", so_far, "Costliest turn")


def test_nobody_leads_a_battle_that_has_just_begun(printed: Any) -> None:
    table = stage.armies({"rifle": 20}, {"rifle": 20})
    assert turning_point_of(table.play) is None
    page = printed(report_pdf(table, DATE))
    assert page.holds("Costliest turn", "TURNING POINT") == ["Costliest turn", "TURNING POINT"]
    assert not page.holds("IN PROGRESS, TURN 1", "lost 0 of 20", "No shots fired.")


def test_whoever_is_hidden_is_not_told_before_the_end(printed: Any) -> None:
    table = stage.scenario(3)
    assert table.state.hidden
    hiding = {table.state.piece(piece).unit for piece in table.state.hidden}
    rows = [row for row in summary(table.play).sides[1].losses if row.unit in hiding]
    every = [f"{row.name}{row.total}–" for row in rows]
    assert printed(report_pdf(table, DATE)).holds(*every) == every
    table.order(Finish(winner=None))
    assert not printed(report_pdf(table, DATE)).holds(*every)


def test_what_is_sealed_stays_sealed(printed: Any) -> None:
    table = armies(0)
    table.order(Seal(side="first", text="The left flank is a bluff"))
    table.order(Finish(winner=None))
    page = printed(report_pdf(table, DATE))
    assert page.holds("bluff") == ["bluff"]


def test_a_very_long_battle_takes_more_charts_and_loses_no_turn(printed: Any) -> None:
    table = stage.armies({"rifle": 20}, {"rifle": 20})
    table.order(stage.Correct(row=table.row("first", "rifle").key, by=-3))
    table.order(SetClock(turn=90, side="first", phase=1))
    table.order(stage.Correct(row=table.row("second", "rifle").key, by=-4))
    (pairs,) = [block for block in losses_by_turn(summary(table.play)) if isinstance(block, Pairs)]
    charts = PairChart(pairs).parts(leaf_of("a4").measure)
    assert [one.name for chart in charts for one in chart.pairs.rows] == [*map(str, range(1, 91))]
    assert len(charts) == 3
    page = printed(report_pdf(table, DATE))
    assert not page.outside()
    assert not page.holds("88", "89", "90")
    strips = strip_of(casualty_strip(table.play), table.state.setup.catalog, LOOKS, 500)
    assert [turn.number for band in strips for turn in band.turns] == [*range(1, 91)]


def test_a_bar_of_a_side_looks_like_its_side_and_one_of_neither_is_solid(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[SideInk] = []

    def note_look(canvas: Any, corner: Any, width: float, height: float, look: SideInk) -> None:
        drawn.append(look)

    monkeypatch.setattr(charts, "draw_side_bar", note_look)
    fonts.ready()
    germans, americans = looks("german", "american")
    bars = Bars((Bar("Ready", 3, party=0), Bar("Ready", 4, party=1), Bar("Hits", 5)))
    flowable = bar_rows(bars, 400)
    document = PdfDocument(
        "Bars", "Bars", [SheetPart(leaf_of("a4"), [flowable], "Bars")], sides=(germans, americans)
    )
    bound(document)
    assert drawn == [germans, americans, germans]


@pytest.mark.parametrize("word", ["volley", "broke", "enter", "10♠"])
def test_the_words_beside_a_symbol_of_the_strip_end_before_the_next_symbol(word: str) -> None:
    fonts.ready()
    wide = fonts.width(word, BELOW_CODE.face, BELOW_CODE.size)
    # A point of air, as symbols of dear units are a little wider than their column.
    assert CODE_LEFT + wide + 1 <= COLUMN_WIDTH


def test_the_bands_of_a_long_battle_are_about_equally_full() -> None:
    """The last band of one that hardly fits does not stretch two turns over the whole width."""
    table = stage.armies({"rifle": 40}, {"rifle": 40})
    for turn in range(1, 19):
        table.order(SetClock(turn=turn, side="first", phase=1))
        table.order(stage.Correct(row=table.row("first", "rifle").key, by=-1))
    strips = strip_of(casualty_strip(table.play), table.state.setup.catalog, LOOKS, 500)
    assert [len(band.turns) for band in strips] == [9, 9]


@pytest.mark.parametrize("turns", [1, 2])
def test_turns_that_are_wider_than_the_page_have_a_band_each(turns: int) -> None:
    table = stage.armies({"rifle": 40}, {"rifle": 40})
    strip = casualty_strip(table.play)
    strips = strip_of(
        replace(strip, turns=turns), table.state.setup.catalog, LOOKS, NAMES_WIDTH + 5
    )
    assert [len(band.turns) for band in strips] == [1] * turns


def test_the_last_sheet_of_a_short_battle_has_its_journal_and_not_only_lines(printed: Any) -> None:
    table = stage.armies({"rifle": 3, "tank": 1}, {"rifle": 4, "machinegun": 1})
    stage.play_on(table, Random(2), 25)
    page = printed(report_pdf(table, DATE))
    assert page.pages == 2
    assert not page.holds("JOURNAL", "TURN 1, BLUES TO MOVE")


def test_losses_by_enemy_exits_are_told_apart_from_those_by_fire(printed: Any) -> None:
    """Otherwise the sum of the losses below is another."""
    table = stage.armies({"rifle": 12}, {"rifle": 12, "machinegun": 2})
    row = table.row("second", "machinegun").key
    table.order(stage.Exit(row=row, count=2, counts=True, insist=True))
    assert not printed(report_pdf(table, DATE)).holds("2 of 12, 2 by enemy exits")


def test_a_turn_of_many_losses_is_wide_and_a_massacre_counts_those_alike() -> None:
    """Up to a crowd every loss has a symbol of its own; nothing is wider than the page."""
    for men in (30, 60, 400):
        table = stage.armies({"rifle": 3 * men}, {"rifle": 5})
        table.order(stage.Correct(row=table.row("first", "rifle").key, by=-men))
        (band,) = strip_of(casualty_strip(table.play), table.state.setup.catalog, LOOKS, 500)
        items, _ = band.turns[0].halves
        assert sum(item.alike for item in items) == men
        assert (len(items) == men) == (men <= CROWD)
        assert band.turns[0].width(band.rows) <= 500 - NAMES_WIDTH


def test_the_words_on_the_turning_point_stand_there_in_full() -> None:
    """However long they are: they take another line, and end in no ellipsis."""
    with EXAMPLE.open("rb") as file:
        play = rebuilt(file, load("plastic")).play
    strip = casualty_strip(play)
    assert strip.turning_point is not None
    text = "A volley at the seawall cost a whole platoon with all its weapons. " * 3
    strip = replace(strip, turning_point=replace(strip.turning_point, text=text))
    looks = dict(zip((side.side for side in strip.sides), SIDES, strict=True))
    fonts.ready()
    stream = BytesIO()
    canvas = SheetCanvas(stream, (400, 900), invariant=1)
    for band in strip_of(strip, library.catalog(), looks, 380):
        band.wrapOn(canvas, 380, 900)
        band.drawOn(canvas, 10, 880 - band.height_at(380))
    canvas.showPage()
    canvas.save()
    (page,) = PdfReader(BytesIO(stream.getvalue())).pages
    assert squash(text) in squash(page.extract_text())


def test_the_turning_point_is_marked_at_its_turn(printed: Any) -> None:
    with EXAMPLE.open("rb") as file:
        play = rebuilt(file, load("plastic")).play
    point = turning_point_of(play)
    assert point is not None
    assert casualty_strip(play).turning_turn == point.turn
    page = printed(report_pdf(StoredGame(1, play, ""), DATE))
    assert not page.holds("TURNING POINT", f"Germans ahead: {point.text}")


@pytest.mark.parametrize("use", ["colour", "saver"])
def test_the_same_battle_gives_the_same_bytes(use: Any) -> None:
    table = scenario(10, 60)
    assert report_pdf(table, DATE, use=use) == report_pdf(table, DATE, use=use)


def test_ink_is_spared_where_it_shall_be() -> None:
    table = scenario(10, 60)
    assert report_pdf(table, DATE) != report_pdf(table, DATE, use="saver")


def test_another_paper_is_refused() -> None:
    with pytest.raises(ValueError, match="no paper 'a3'"):
        report_pdf(armies(0), DATE, paper="a3")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["W" * 80, "[/b]<b>&lt; <para>", "Гвардия", "😀 army", "a " * 40])
def test_whatever_people_call_themselves_stays_within_the_margins(printed: Any, name: str) -> None:
    table = called(name, "Blues")
    page = printed(report_pdf(table, DATE))
    assert not page.outside()
    assert page.reader.metadata.title
    whole = "".join(clean(name).split()).replace("😀", STAND_IN)
    assert page.text.count(whole) >= 2  # as a side and as a commander


# ------------------------------------------------------------------ luck


@pytest.mark.parametrize("use", ["colour", "saver"])
def test_each_sides_luck_stands_there_with_its_least_likely_shots(printed: Any, use: Any) -> None:
    table = armies(200)
    found = luck(table.play)
    page = printed(report_pdf(table, DATE, use=use))
    for side in found.sides:
        assert side.best
        assert side.worst
        told = [fired_shot_words(table.play, one) for one in (side.best, side.worst)]
        kills = f"{side.kills}, expected {float(side.expected):.1f}"
        assert not page.holds(kills, *told, signed(side.difference))
    assert not page.outside()


def test_the_chart_is_drawn_to_the_end_of_either_course() -> None:
    table = scenario(1, 160)
    found = luck(table.play)
    (curves,) = [one for one in luck_blocks(table.play, found) if isinstance(one, Curves)]
    chart = CurveChart(curves)
    for course, side in zip(chart.courses, found.sides, strict=True):
        assert course[-1] == pytest.approx(float(side.difference))
        assert chart.lowest <= min(course) <= max(course) <= chart.highest
    places = [tick.moment for tick in curves.ticks]
    assert places == sorted(places)
    assert places[0] == 0
    assert [int(tick.name) for tick in curves.ticks] == sorted({shot.turn for shot in found.shots})


def test_before_the_first_shot_there_is_no_chart() -> None:
    play = called("Reds", "Blues").play
    assert not [one for one in luck_blocks(play, luck(play)) if isinstance(one, Curves)]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_two_sides_with_long_names_that_begin_alike_are_told_apart(
    printed: Any, paper: Any
) -> None:
    """The strip once cut both to the same letters."""
    names = ("Men of Hedgerow Company 1", "Men of Hedgerow Company 2")
    strip = casualty_strip(armies(60).play)
    assert strip is not None
    sides = [replace(side, people=name) for side, name in zip(strip.sides, names, strict=True)]
    renamed = replace(strip, sides=tuple(sides))
    leaf = leaf_of(paper)
    drawn = strip_of(renamed, library.catalog(), LOOKS, leaf.measure)
    part = SheetPart(leaf, drawn, "The strip")
    part.has_footer = False
    page = printed(bound(PdfDocument("The strip", "", [part]), "saver"), paper)
    assert "…" not in page.text
    left = [f"{1 - side.share_lost:.0%}" for side in strip.sides]
    wanted = [f"{left[0]} above", f"{left[1]} below"]
    assert not page.holds("MEN OF HEDGEROW", "COMPANY 1", "COMPANY 2", *wanted)


def test_flags_on_the_map_name_who_crossed_which_edge_in_which_turn(printed: Any) -> None:
    with EXAMPLE.open("rb") as file:
        play = rebuilt(file, load("plastic")).play
    crossed = crossings(play)
    went = {turn: len(pieces) for turn, pieces in crossed["german", "exit", "E"].items()}
    assert went == {7: 11, 8: 12}
    assert sum(went.values()) == summary(play).sides[0].exited
    page = printed(report_pdf(StoredGame(1, play, ""), DATE))
    assert not page.holds("German exit", "turn 7: K2, R")


def test_a_flag_that_is_as_large_as_its_map_is_drawn_all_the_same() -> None:
    """On a small map next to many losses there may be no step of room."""
    with EXAMPLE.open("rb") as file:
        play = rebuilt(file, load("plastic")).play
    played = play.state.setup.scenario
    assert played is not None
    fonts.ready()
    for width in (40, 80, 160):
        picture = ReportMap(played, crossings(play), tallest=width)
        tall = picture.height_at(width)
        stream = BytesIO()
        canvas = SheetCanvas(stream, (width, tall), invariant=1, initialFontName=fonts.BODY)
        canvas.looks = side_looks(play.state)
        picture.paint(canvas, 0, tall, width)
        canvas.showPage()
        canvas.save()
        assert stream.getvalue().startswith(b"%PDF")


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("orders", [60, 200])
def test_no_name_of_the_key_stands_in_the_words_below_the_scale(orders: int, paper: Any) -> None:
    """As the hedge of Dog Beach did, whose map is small because its report is long."""
    reader = PdfReader(BytesIO(report_pdf(scenario(10, orders), DATE, paper=paper)))
    *_, page = strokes.pages(reader)
    words = [text for text in page.texts if round(text.size, 1) == 7.6]
    assert len(words) > 15
    for one, other in combinations(words, 2):
        is_beside = one.end[0] + 2 < other.at[0] or other.end[0] + 2 < one.at[0]
        is_above = abs(one.at[1] - other.at[1]) > 6
        assert is_beside or is_above, (one, other)


def test_the_tables_of_both_sides_begin_level() -> None:
    """The name of one army is too long for its head: then both stand below."""
    page = printed_pages(scenario(6, 60).play, DATE)[0]
    sides = next(block for block in page.blocks if isinstance(block, Beside))
    heads = [[type(block) for block in column[:2]] for column in (sides.left, sides.right)]
    assert heads == [[Heading, Paragraph], [Heading, Paragraph]]
