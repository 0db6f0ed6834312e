"""The odds table on paper: every cell stands there, in colour and in grey."""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise
from typing import Any

import pytest
import strokes
from pypdf import PdfReader
from squashed import squash

from skirmish import library
from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.table import OddsTable, odds_table
from skirmish.games.plastic.odds.table_page import exact_chances, legend, units_of_columns
from skirmish.sheets.layout.styles import SMALLEST
from skirmish.sheets.odds import SHADES, odds_table_pdf, weapon_names

CATALOG, BOOK = library.catalog(), library.rulings()
RULINGS = BOOK.defaults()
CARDS = odds_table(CATALOG, RULINGS, packs.fresh(RULINGS))
DIE = odds_table(CATALOG, RULINGS, packs.of_die())


@pytest.mark.parametrize("use", ["colour", "saver"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_one_page_on_both_papers_in_both_inks(printed: Any, paper: Any, use: Any) -> None:
    page = printed(odds_table_pdf((CARDS, DIE), paper=paper, use=use), paper)
    assert page.pages == 1
    assert not page.outside()
    assert min(page.sizes()) >= SMALLEST
    assert all(page.fonts().values())


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_small_number_stands_apart_from_the_large_one(paper: Any) -> None:
    """As in the narrow cells of repeat fire: 1.7 kills on average, 1.8 with the d12."""
    reader = PdfReader(BytesIO(odds_table_pdf((CARDS, DIE), paper=paper)))
    (page,) = strokes.pages(reader)
    letters = [text for text in page.texts if round(text.size, 1) in (8.4, 10.4)]
    compared = 0
    for before, after in pairwise(letters):
        same_line = before.at[1] == pytest.approx(after.at[1], abs=0.1)
        if same_line and before.size > after.size:
            assert after.at[0] - before.end[0] >= 2.5
            compared += 1
    assert compared > 10


def test_the_same_bytes_every_time() -> None:
    assert odds_table_pdf((CARDS, DIE)) == odds_table_pdf((CARDS, DIE))


def test_every_chance_of_the_deck_stands_once_and_the_dies_where_it_is_another(
    printed: Any,
) -> None:
    page = printed(odds_table_pdf((CARDS, DIE)))
    text = squash("".join(page.texts))
    rifle = "Rifle 42 21 25 17 8 17 * * * * * *"  # at guys in cover 21%, with the d12 25%
    contact = "Machinegun 42 21 25 25 13 17 25 33 33 33 33 33 33"
    for wanted in (rifle, contact, "88 50+ 50+ 75 75 75 75 75 75 75 75 75"):
        assert squash(wanted) in text, wanted
    notes = [note.replace("\u00a0", " ") for note in legend(CARDS, False, True)]
    units = [units for _, units in units_of_columns(CARDS)]
    by_die = f"The man aimed at then dies with a chance of {exact_chances(DIE, False, True)}."
    assert "4%" not in by_die  # what is saved from a bullet is never an ace
    assert not page.holds("fresh deck", "IN CONTACT, PHASES 3 AND 4", *notes, *units, by_die)


def test_a_weapon_in_cover_is_named_beside_others_with_its_chances_in_the_open() -> None:
    chains = {(chain.weapon.name, chain.cover): chain for chain in CARDS.chains()}
    grenades, grenades_in_cover = chains["Grenades", False], chains["Grenades", True]
    machinegun_in_cover = chains["Machinegun", True]
    line = [grenades, grenades_in_cover, machinegun_in_cover]
    assert weapon_names(line) == "Grenades, Machinegun in cover"


@pytest.mark.parametrize("table", [CARDS, DIE])
def test_repeat_fire_is_the_chain_of_hits_that_the_cell_shows(table: OddsTable) -> None:
    assert {one.weapon.name for one in table.chains()} >= {"Machinegun", "Mortar", "Flamethrower"}
    for one in table.chains():
        line = next(at for at, line in enumerate(table.lines) if line.weapon == one.weapon)
        hit = table.cells(one.cover)[line][0].odds.hit  # type: ignore[union-attr]
        assert one.outcome.at_least(1) == hit
        if table.pack.die:
            assert one.outcome.at_least(3) == pytest.approx(hit**3)
        else:
            assert one.outcome.at_least(3) < hit**3  # each hit takes a good card out of the deck


def test_a_battles_deck_and_rulings_are_named(printed: Any) -> None:
    left = odds_table(CATALOG, RULINGS, packs.parse("gone: QS 4H", RULINGS))
    page = printed(
        odds_table_pdf((left, DIE), rulings_phrase="Germans, as in this battle", revision="ab12")
    )
    assert not page.holds("46 cards left", "Germans, as in this battle", "data revision ab12")


def test_a_table_of_nobody_can_be_printed(printed: Any) -> None:
    empty = odds_table(CATALOG, RULINGS, packs.of_die(), [], [])
    assert printed(odds_table_pdf((empty, empty))).pages == 1


def test_shades_grow_darker_in_grey_and_black_is_read_on_all() -> None:
    grey = [0.299 * red + 0.587 * green + 0.114 * blue for red, green, blue in SHADES]
    assert all(light - dark > 0.04 for light, dark in pairwise(grey))
    assert grey[-1] > 0.45
