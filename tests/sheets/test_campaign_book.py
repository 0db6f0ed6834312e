"""The book of a campaign: every battle with its losses, and what its groups did."""

from __future__ import annotations

from io import BytesIO
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
import strokes
from deep import deep_pairs
from msgspec.structs import replace
from pypdf import PdfReader
from pypdf.generic import ContentStream

from skirmish.games.plastic.campaign import orders
from skirmish.games.plastic.campaign.pages import _facts, group_blocks
from skirmish.sheets.campaign.book import book_pdf
from skirmish.sheets.campaign.cover import MarkerWay
from skirmish.sheets.documents import PrintOptions, StoredGame, documents_of_game
from skirmish.sheets.inks import looks
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.layout.pdf_document import PdfDocument, bound
from skirmish.sheets.paper import leaf_of
from skirmish.tabletop.page import Paragraph
from tests.games.plastic.campaign.evenings import LADDERS, begin, by_chance, evening, give, opened


def played(ladder: str) -> StoredGame:
    """A campaign that was played to its end by chance."""
    play = opened(ladder)
    random = Random(f"book {ladder}")
    while play.state.outcome is None:
        begin(play)
        give(play, orders.CountBattle(facts=by_chance(play.state, random)))
        evening(play, random)
    return StoredGame(3, play, "2026-11-01", "campaign")


def words(texts: list[str]) -> str:
    return " ".join(" ".join(texts).replace("\u00a0", " ").split())


@pytest.mark.parametrize(("ladder", "paper"), deep_pairs(LADDERS, ["a4", "letter"]))
def test_the_book_has_every_battle_and_every_group(printed: Any, ladder: str, paper: Any) -> None:
    game = played(ladder)
    state = game.play.state
    text = words(printed(book_pdf(game, paper=paper, use="saver")).texts)
    assert state.outcome.reason in text
    assert state.setup.file.title.upper() in text[: len("WWII PLASTIC SKIRMISH ") + 40]
    for fought in state.fought:
        for side in state.setup.ids:
            lost = [piece for piece in fought.facts.pieces if piece.side == side]
            lost = [piece for piece in lost if piece.fate == "lost"]
            unit = "1 unit," if len(lost) == 1 else f"{len(lost)} units,"
            assert unit in text
    for group in state.groups.values():
        assert group.name in text


@pytest.mark.parametrize("ladder", LADDERS)
def test_the_marker_goes_its_way_over_the_rungs_battle_by_battle(ladder: str) -> None:
    """A disc for each battle, on the level of the rung where the marker stood, one after another;
    then an arrow to where it stands at the end, be it beyond the ladder."""
    state = played(ladder).play.state
    first, second = state.setup.sides
    way = MarkerWay(state, looks(first.nation or first.id, second.nation or second.id))
    part = SheetPart(leaf_of("a4"), [way], "The way")
    part.has_footer = False
    pdf = bound(PdfDocument("The way", "", [part]), "saver")
    (seen,) = strokes.pages(PdfReader(BytesIO(pdf)))
    leaf = leaf_of("a4")
    level = {place: way._level(leaf.top, place) for place in range(-9, 10)}
    discs = [shape for shape in seen.shapes if is_disc(shape, MarkerWay.DISC)]
    middles = [middle(shape) for shape in discs]
    assert [round(y) for _, y in middles] == [round(level[own.marker]) for own in state.fought]
    assert [x for x, _ in middles] == sorted({x for x, _ in middles})
    (head,) = [shape for shape in seen.shapes if len(shape.points) == 3]
    assert head.points[0][1] == pytest.approx(level[state.marker], abs=0.1)
    assert leaf.top - way.TALL < head.points[0][1] < leaf.top


def is_disc(shape: Any, radius: float) -> bool:
    across, up = shape.size
    return len(shape.points) == 5 and abs(across - 2 * radius) < 0.1 and abs(up - across) < 0.1


def middle(shape: Any) -> tuple[float, float]:
    across, up = zip(*shape.points, strict=True)
    return (min(across) + max(across)) / 2, (min(up) + max(up)) / 2


def test_the_book_of_a_campaign_that_has_just_begun_can_be_printed(printed: Any) -> None:
    game = StoredGame(3, opened("kursk"), "2026-11-01", "campaign")
    text = words(printed(book_pdf(game)).texts)
    assert "Battle 1 of at most 5" in text
    assert "Panzergrenadiers" in text


def test_the_book_survives_the_scenario_whose_unit_was_lost(printed: Any) -> None:
    play = played("kursk").play
    state = play.state
    fought = state.fought[0]
    first, *others = fought.facts.pieces
    gone = replace(first, unit="own_gun", fate="lost", turn=2)
    facts = replace(fought.facts, pieces=(gone, *others))
    units = {**state.setup.units, "own_gun": state.setup.units["cannon"]}
    state = replace(
        state,
        setup=replace(state.setup, units=units),
        fought=(replace(fought, facts=facts), *state.fought[1:]),
    )
    stored: Any = StoredGame(
        3, SimpleNamespace(state=state, states=(*play.states, state)), "2026-11-01", "campaign"
    )  # type: ignore[arg-type]
    assert "WHO WAS LOST" in words(printed(book_pdf(stored)).texts)


def test_every_battle_is_a_spread_that_lies_open(printed: Any) -> None:
    game = played("dog_beach_and_after")
    texts = [words([text]) for text in printed(book_pdf(game)).texts]
    starts = [number for number, text in enumerate(texts, 1) if "THE GROUND" in text]
    counted = [fought for fought in game.play.state.fought if fought.facts is not None]
    assert len(starts) == len(counted)
    for start in starts:
        assert start % 2 == 0  # a left page
        assert "HOW IT WENT" in texts[start]


def test_a_free_battle_has_an_empty_table_and_a_scenario_its_map(printed: Any) -> None:
    text = words(printed(book_pdf(played("kursk"))).texts)
    assert "a free battle on 96 × 60 inches" in text
    assert "here is room to sketch it" in text
    assert "scenario 7: " in text


def test_the_key_of_a_strip_without_cards_speaks_of_none(printed: Any) -> None:
    """Battles by chance were counted without a story, as those of the first days were."""
    text = words(printed(book_pdf(played("kursk"))).texts)
    assert "A symbol is a unit lost" in text
    assert "the card that killed it" not in text
    assert "expected " not in text


def test_attached_men_are_named_in_the_book(printed: Any) -> None:
    text = words(printed(book_pdf(played("desert"))).texts)
    assert "Attached: 6 Rifle Guys." in text


def test_the_pages_of_a_campaign_are_in_the_inks_of_its_nations() -> None:
    game = played("kursk")
    inks = [look.ink for look in looks("german", "russian")]
    for document in documents_of_game("campaign").values():
        if document.id in ("position", "report"):
            filled = []
            for page in PdfReader(BytesIO(document.pdf(game, PrintOptions()))).pages:
                for operands, operator in ContentStream(page.get_contents(), None).operations:
                    if operator == b"rg":
                        filled.append(tuple(round(float(one), 3) for one in operands))
            for ink in inks:
                assert tuple(round(one, 3) for one in ink) in filled


def test_the_men_of_a_group_in_battle_are_named_in_its_roll() -> None:
    play = opened("kursk")
    begin(play)
    blocks = [
        block for group in play.state.groups.values() for block in group_blocks(play.state, group)
    ]
    texts = [block.text for block in blocks if isinstance(block, Paragraph)]
    assert "Nobody." not in texts
    assert "28 Rifle Guys, 4 Machinegun Guys" in " ".join(texts)


def test_a_marker_beyond_the_ladder_is_past_its_end() -> None:
    state = played("kursk").play.state
    top = state.setup.file.top
    beyond = dict(_facts(replace(state, marker=-top - 1)))["Marker"]
    assert beyond == "past the end of the ladder, up for the Germans, down for the Russians"
    assert dict(_facts(replace(state, marker=top)))["Marker"].startswith(f"+{top} of {top}, up")
