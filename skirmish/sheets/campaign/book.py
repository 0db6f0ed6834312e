"""The campaign book, as the campaign stands or at its end: a cover, the ladder beside the two
sides, a spread for each battle, and the rolls of honour.

Two pages come before the first spread and two after the last, so that every spread lies open before
its reader."""

from __future__ import annotations

from msgspec.structs import replace

from skirmish import library
from skirmish.games.plastic.campaign import pages
from skirmish.games.plastic.campaign.game import CampaignPlay
from skirmish.games.plastic.campaign.groups import counts_in_words
from skirmish.games.plastic.campaign.state import CampaignSide, CampaignState
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.sheets.campaign.battle_spread import BattleSpread, Groups, add_spread
from skirmish.sheets.campaign.book_pages import PARTIES, TITLE, CampaignPages, book_page
from skirmish.sheets.campaign.cover import CampaignCover
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.inks import SideInk, looks
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.layout.pdf_document import PdfDocument, as_pdf
from skirmish.sheets.paper import BINDING, Leaf
from skirmish.tabletop.measure import NO_BREAK
from skirmish.tabletop.page import Badge, Block, Heading, Page, Paragraph, Party, Table


@as_pdf
def book_pdf(leaf: Leaf, stored: StoredGame) -> PdfDocument:
    """The book of a stored campaign."""
    state: CampaignState = stored.play.state
    side_looks = looks_of_sides(stored)
    # The cover has no bookmark, which would be its name.
    cover = SheetPart(leaf, [CampaignCover(leaf, state, side_looks)], name="")
    cover.has_footer = False
    leaf_inside = leaf._replace(inner=BINDING)
    book = CampaignPages(leaf_inside, side_looks, [cover])
    book.add(_overview(state))
    book.add(_sides(state))
    rosters = _rosters_after(stored.play)
    catalog = _catalog()
    for fought in state.fought:
        # A battle that was given up has no facts: there is nothing to tell of it.
        if fought.facts is not None:
            groups = rosters[fought.number]
            add_spread(book, BattleSpread(state, fought, fought.facts, catalog, groups))
    book.begin_on_left_page()
    for party, side in zip(PARTIES, state.setup.sides, strict=True):
        book.add(_honours(state, party, side))
    title = f"{TITLE}: {state.setup.file.title}"
    about = "Its battles, groups and honours"
    return PdfDocument(title, about, book.parts, is_book=True, sides=side_looks)


def looks_of_sides(stored: StoredGame) -> tuple[SideInk, SideInk]:
    """The looks of both sides of a stored campaign."""
    first, second = stored.play.state.setup.sides
    # A side without a nation, as in a campaign of any two armies, has the look of its own id.
    return looks(first.nation or first.id, second.nation or second.id)


def _rosters_after(play: CampaignPlay) -> dict[int, Groups]:
    """The groups as they stood at the end of the evening of each battle, by its number."""
    rosters: dict[int, Groups] = {}
    for state in play.states:
        # While a battle is fought, who fights in it is not with his group. Each later state of the
        # evening replaces the one before it.
        if state.last_decided is not None and state.step != "battle":
            rosters[state.last_decided.number] = state.groups
    return rosters


def _catalog() -> Catalog:
    """The units of the rules and those that scenarios have of their own."""
    catalog = library.catalog()
    for scenario in library.scenarios().values():
        catalog = catalog.with_variants(scenario.variants)
    return catalog


def _overview(state: CampaignState) -> Page:
    """The result, the history, the ladder and the battles as they went."""
    blocks: list[Block] = []
    if state.outcome is not None:
        blocks.append(Paragraph(pages.outcome_words(state), tone="strong"))
    else:
        blocks.append(Paragraph(f"{pages.headline(state)}.", tone="strong"))
    if state.setup.file.history:
        blocks.append(Paragraph(state.setup.file.history))
    blocks += [Heading("The ladder as it went"), pages.ladder(state)]
    if state.fought:
        blocks += [Heading("The battles"), _battles(state)]
    badge = Badge("Battles", str(len(state.fought)))
    return book_page(state, state.setup.file.title, badge, blocks)


def _battles(state: CampaignState) -> Table:
    """A line for each battle, as on the screen; on paper each title of a column has one line."""
    table_on_screen = pages.battles(state)
    columns = []
    for column in table_on_screen.columns:
        columns.append(replace(column, title=column.title.replace(" ", NO_BREAK)))
    return replace(table_on_screen, columns=tuple(columns))


def _sides(state: CampaignState) -> Page:
    """Both sides: who commands them, their groups as they began and as they stand."""
    blocks: list[Block] = []
    for party, side in zip(PARTIES, state.setup.sides, strict=True):
        commander = pages.commanded_by(state, side.id)
        blocks.append(Heading(side.name, party=party, aside=commander))
        for group in state.of_side(side.id):
            text = f"{counts_in_words(group.strength, state.setup.units)}."
            blocks.append(Paragraph(text, lead=f"{group.name}, at the start:"))
        blocks.append(pages.pool(state, side.id))
    return book_page(state, "The two sides", Badge("Groups", str(len(state.groups))), blocks)


def _honours(state: CampaignState, party: Party, side: CampaignSide) -> Page:
    """The groups of a side with their history and honours, and who belongs to them now."""
    blocks: list[Block] = [Heading(side.name, party=party), pages.pool(state, side.id)]
    groups = list(state.of_side(side.id))
    for group in groups:
        blocks += pages.group_blocks(state, group)
    return book_page(state, "Rolls of honour", Badge("Groups", str(len(groups))), blocks)
