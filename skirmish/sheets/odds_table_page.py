"""The page of the odds table: cards above, the die below, in the open and in cover side by side."""

from __future__ import annotations

from skirmish.games.plastic.odds.table import OddsTable
from skirmish.games.plastic.odds.table_words import drawn_from, legend, members, very_man
from skirmish.sheets.layout.blocks import Head, TitleBand
from skirmish.sheets.layout.flowables import Flowable, Gap, Stack, depth, halves
from skirmish.sheets.layout.pages import Part, Title, bound
from skirmish.sheets.layout.text import TEXT, Text, paragraph, terms
from skirmish.sheets.odds_table_grid import HeatGrid, Scale
from skirmish.sheets.paper import MM, InkUse, leaf

GAME = "WWII Plastic Skirmish"
TALLEST, LOWEST = 8.8 * MM, 4.4 * MM
"""Of a line of the table; it is as tall as the page has room for."""


def pages(
    cards: OddsTable, die: OddsTable, *, paper: str, revision: str, use: InkUse, whose: str
) -> bytes:
    """Both tables on one page. ``whose``: under which rulings."""
    page = leaf(paper)
    lines = max(1, len(cards.lines) + len(die.lines))
    spare = page.depth - depth(_blocks(cards, die, page.measure, LOWEST, whose), page.measure)
    tall = min(TALLEST, LOWEST + max(0.0, spare / lines))
    blocks = _blocks(cards, die, page.measure, tall, whose)
    footer = ["Odds table", GAME, f"data revision {revision}" if revision else ""]
    part = Part(page, blocks, "Odds table", " · ".join(filter(None, footer)))
    title = Title("Odds table", "Skirmish", "Every weapon against every kind of target")
    return bound([part], title, use)


def _blocks(
    cards: OddsTable, die: OddsTable, width: float, tall: float, whose: str
) -> list[Flowable]:
    band = _Band("Odds", "%", "Odds Table", first="Weapons and targets", second=GAME, last=whose)
    found: list[Flowable] = [band, Gap(2.4 * MM)]
    for name, table in (("With cards", cards), ("With the d12", die)):
        in_open = HeatGrid(table, "In the open", cover=False, tall=tall)
        in_cover = HeatGrid(table, "In cover", cover=True, tall=tall)
        aside = "" if table.pack.die else drawn_from(table.pack)
        found += [Head(name, aside), _beside(in_open, in_cover, width), Gap(3.4 * MM)]
    found += [Head("How to read it", "percentage of draws that hit"), Gap(1 * MM)]
    notes = [
        *(paragraph(note, TEXT) for note in legend(cards, False, True)),
        *_by_die(cards, die),
        paragraph("Bars and shades show the same chances as the numbers:", TEXT),
        Gap(0.6 * MM),
    ]
    who = terms([(f"{name}:", f"{units}.") for name, units in members(cards)], TEXT)
    return [*found, _beside(Stack([*notes, Scale()]), who, width)]


def _by_die(cards: OddsTable, die: OddsTable) -> list[Text]:
    """How often the very man dies with the die, where that is something else."""
    with_cards, with_die = (very_man(table, False, True) for table in (cards, die))
    if with_cards == with_die:
        return []
    return [paragraph(f"With the d12 that chance is {with_die}.", TEXT)]


def _beside(left: Flowable, right: Flowable, width: float) -> Flowable:
    return halves([left], [right], width)


class _Band(TitleBand):
    """Lower than on other sheets: the page is full."""

    TALL = 13 * MM
