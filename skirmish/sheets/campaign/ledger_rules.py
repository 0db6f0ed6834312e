"""The rules of a campaign in its ledger: two pages to play by, with the return table and the
prices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skirmish import library
from skirmish.games.plastic.campaign.state import CampaignSetup
from skirmish.games.plastic.campaign.terms import Return, ReturnTable
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.sheets.campaign.wording import RulesPart, ranks, rules_text
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Head, block
from skirmish.sheets.layout.columns import in_two_columns, two_columns
from skirmish.sheets.layout.flow import Block, Flowable, Gap, NewPage, depth
from skirmish.sheets.layout.fonts import BODY, LABEL
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.tables import SheetColumn, printed_table
from skirmish.sheets.layout.text import paragraph, terms
from skirmish.sheets.layout.title_band import TitleBand
from skirmish.sheets.paper import GAP, GUTTER, MM, Leaf
from skirmish.tabletop.measure import NO_BREAK

TYPE_SIZES = (13.6, 13, 12.4, 11.8, 11.2, 10.7, 10.2, 9.6, 9.2, 8.8, 8.4, 8.0, 7.6)
"""The sizes of the rules in points, of which the largest that fits its page is taken."""
_RANK_CELL = Style(LABEL, 11, 12, "centre")
RESULT_COLUMNS: dict[Return, SheetColumn] = {
    "ready": SheetColumn("ready", 25, _RANK_CELL),
    "away": SheetColumn("away for a battle", 29, _RANK_CELL),
    "prisoner": SheetColumn("prisoner", 25, _RANK_CELL),
    "crew": SheetColumn("gone, crew lives", 29, _RANK_CELL),
    "gone": SheetColumn("gone", 0, _RANK_CELL),
}
"""The columns of the return table, by what a card says."""


def rules_pages(leaf: Leaf, setup: CampaignSetup, name: str) -> Block:
    """The whole rules, on two pages, each in the largest type that fits it. ``name``: that of the
    campaign, for the title; empty in a ledger for any campaign, whose title names the rulings
    instead."""
    text = rules_text(setup)
    first_band = TitleBand("Rules", "1", "A campaign", "The whole rules", name or setup.named)
    first = _largest(
        leaf,
        above=[first_band, Gap(GAP), paragraph(text.intro, styles.LEAD), Gap(GAP)],
        parts=[part for part in text.parts if part.page == 1],
        below=[],
    )
    second_band = TitleBand("Rules", "2", "The evening after", "The whole rules", name)
    return_table = return_table_block(leaf.measure, setup.table)
    prices = terms(list(_prices(library.catalog())), styles.TEXT)
    second = _largest(
        leaf,
        above=[second_band, Gap(GAP), return_table, Gap(GAP)],
        parts=[part for part in text.parts if part.page == 2],
        below=[Gap(GAP), block("List prices", "in points", prices)],
    )
    return [*first, NewPage("The evening after"), *second]


def _largest(leaf: Leaf, *, above: Block, parts: Sequence[RulesPart], below: Block) -> Block:
    """A page with the parts in two columns, with what stands ``above`` and ``below`` them, in the
    largest type with which it is no more than one page; in the smallest if none is."""
    for size in TYPE_SIZES:
        blocks: list[Block] = [_rules_part(part, size) for part in parts]
        columns = in_two_columns(blocks, (leaf.measure - GUTTER) / 2, GAP)
        story = [*above, two_columns(*columns, leaf.measure), *below]
        if depth(story, leaf.measure) <= leaf.depth:
            break
    return story


def _rules_part(part: RulesPart, size: float) -> Block:
    """A part of the rules in type of that size: its head, then a paragraph for each line."""
    style = Style(BODY, size, size * 1.22)
    pieces: list[Flowable] = [Head(part.title), Gap(0.8 * MM)]
    for index, (lead, text) in enumerate(part.lines):
        if index > 0:
            pieces.append(Gap(size * 0.32))
        pieces.append(paragraph(text, style, lead=lead))
    return pieces


def return_table_block(width: float, table: ReturnTable) -> Flowable:
    """The return table: a line for guys and models of a side that holds the field or lost it."""
    columns = [SheetColumn("Who was lost", 44, styles.TERM), *RESULT_COLUMNS.values()]
    lines = (
        ("Guys, field held", table.guys_held),
        ("Guys, field lost", table.guys_lost),
        ("Models, field held", table.models_held),
        ("Models, field lost", table.models_lost),
    )
    rows = []
    for title, line in lines:
        rows.append([title, *(ranks(line, result) for result in RESULT_COLUMNS)])
    aside = "the rank of the card for each lost model, each lost guy, each party of Rifle Guys"
    return block("The return table", aside, printed_table(width, columns, rows, air=2.2))


def _prices(catalog: Catalog) -> Iterator[tuple[str, str]]:
    """What replacements and forces cost: the letter of each unit with its name and price, then each
    of the works. What only a scenario has cannot be bought."""
    for unit in catalog.units.values():
        if unit.source != "scenario":
            yield unit.letter.upper(), f"{unit.name} {unit.price}".replace(" ", NO_BREAK)
    for work in catalog.works.values():
        if work.source != "scenario":
            yield work.name.replace(" ", NO_BREAK), str(work.price)
