"""The campaign book, as the campaign stands or at its end: the ladder as it went, a page for each
battle, and the rolls of honour with the rosters for the next battle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from skirmish import library
from skirmish.games.plastic.battle.names import piece_code
from skirmish.games.plastic.campaign import pages
from skirmish.games.plastic.campaign.fielding import rung_title
from skirmish.games.plastic.campaign.state import (
    BattleFacts,
    CampaignState,
    Fielding,
    Fought,
    PieceFate,
    counted,
)
from skirmish.games.plastic.casualties import Casualty, CasualtyStrip, SideCourse
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.sheets.casualties import strip_of
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.inks import looks
from skirmish.sheets.layout.pages import PdfDocument, SheetPart, as_pdf
from skirmish.sheets.page_sheet import page_document
from skirmish.sheets.paper import Leaf
from skirmish.tabletop.page import (
    Badge,
    Block,
    Heading,
    Page,
    Paragraph,
    Party,
    Picture,
    Table,
    table,
)

TITLE = "Campaign book"
STRIP = "strip"
"""The picture of the losses over the turns."""
PARTIES: tuple[Party, Party] = (0, 1)
"""The looks of the two sides, in their order."""


@as_pdf
def book_pdf(leaf: Leaf, stored: StoredGame) -> PdfDocument:
    """The book of a stored campaign."""
    state: CampaignState = stored.play.state
    first, second = state.setup.sides
    colours = looks(first.nation or first.id, second.nation or second.id)
    catalog = _catalog()
    parts: list[SheetPart] = list(page_document(leaf, _front(state)).parts)
    for fought in state.fought:
        if fought.facts is None:
            continue
        strip = _strip(state, fought.facts, catalog)
        by_side = dict(zip(state.setup.ids, colours, strict=True))
        drawings = {STRIP: strip_of(strip, catalog, by_side, leaf.measure)}
        battle_page = _battle(state, fought, fought.facts)
        parts += page_document(leaf, battle_page, drawings=drawings).parts
    parts += page_document(leaf, _honours(state)).parts
    title = f"{TITLE}: {state.setup.file.title}"
    return PdfDocument(title, "Its battles, groups and honours", parts, sides=colours)


def _catalog() -> Catalog:
    """The units of the rules and those that scenarios have of their own."""
    catalog = library.catalog()
    for scenario in library.scenarios().values():
        catalog = catalog.with_variants(scenario.variants)
    return catalog


def _page(state: CampaignState, title: str, badge: Badge, blocks: list[Block]) -> Page:
    name = state.setup.file.title
    return Page(title, tuple(blocks), badge, about=(TITLE, name), foot=f"{TITLE} · {name}")


# ------------------------------------------------------------------ the parts of the book


def _front(state: CampaignState) -> Page:
    """Title, sides and result, the ladder and the battles as they went."""
    blocks: list[Block] = []
    if state.outcome is not None:
        blocks.append(Paragraph(pages.ended(state), tone="strong"))
    else:
        blocks.append(Paragraph(f"{pages.headline(state)}.", tone="strong"))
    if state.setup.file.history:
        blocks.append(Paragraph(state.setup.file.history))
    for side in state.setup.sides:
        player = state.players.get(side.id, side.player)
        groups = ", ".join(group.name for group in state.of_side(side.id))
        text = f"commanded by {player}; {groups}." if player else f"{groups}."
        blocks.append(Paragraph(text, lead=f"{side.people}:"))
    blocks += [Heading("The ladder as it went"), pages.ladder(state)]
    if state.fought:
        blocks += [Heading("The battles"), pages.battles(state)]
    return _page(state, state.setup.file.title, Badge("Campaign", ""), blocks)


def _battle(state: CampaignState, fought: Fought, facts: BattleFacts) -> Page:
    """A battle: its result, the losses over the turns, forces, kills by group, and the cards."""
    result = "Nobody won."
    if facts.winner is not None:
        result = f"The {state.people(facts.winner)} won on turn {facts.turn}."
    marker = f"The marker stood at {pages.place_words(fought.marker)}."
    lead = Paragraph(f"{result} {facts.reason} {_field(state, fought)} {marker}", tone="strong")
    blocks: list[Block] = [lead, Heading("Who was lost, turn by turn"), Picture(STRIP)]
    for party, side in zip(PARTIES, state.setup.sides, strict=True):
        blocks.append(Heading(side.people, party=party))
        blocks += _forces(state, fought.fielding.get(side.id, Fielding()))
    blocks += [Heading("What the groups did"), _deeds(state, facts)]
    best = _best(state, facts)
    if best:
        blocks.append(Paragraph(best, lead="Best of the day:"))
    if fought.drawn:
        blocks += [Heading("What the cards said"), _cards(state, fought)]
    title = rung_title(state.setup, fought)
    return _page(state, title, Badge("Battle", str(fought.number)), blocks)


def _honours(state: CampaignState) -> Page:
    """The groups with their history and honours, and who belongs to them now."""
    blocks: list[Block] = []
    for party, side in zip(PARTIES, state.setup.sides, strict=True):
        blocks += [Heading(side.people, party=party), pages.pool(state, side.id)]
        for group in state.of_side(side.id):
            blocks += pages.group_blocks(state, group)
    return _page(state, "Rolls of honour", Badge("Groups", ""), blocks)


# ------------------------------------------------------------------ of a battle


def _field(state: CampaignState, fought: Fought) -> str:
    if not fought.holds:
        return "Nobody held the field."
    if len(fought.holds) > 1:
        return "Both sides held the field."
    return f"The {state.people(fought.holds[0])} held the field."


def _forces(state: CampaignState, fielding: Fielding) -> Iterator[Block]:
    """What a side brought: its groups, then in italics what was attached."""
    for name, counts in fielding.groups.items():
        text = f"{counted(counts, state.setup.units)}."
        yield Paragraph(text, lead=f"{state.groups[name].name}:")
    names = {**state.setup.units, **state.setup.works}
    extras = {**fielding.attached, **fielding.works}
    if extras:
        yield Paragraph(f"Attached: {counted(extras, names)}.", tone="quiet")


def _deeds(state: CampaignState, facts: BattleFacts) -> Table:
    """A line for each group: what it brought, lost, killed and hit."""
    rows = []
    for name, deeds in facts.groups.items():
        group = state.groups[name]
        figures = (
            deeds.brought,
            deeds.lost,
            deeds.guys,
            deeds.models,
            deeds.points,
            deeds.shots,
            deeds.hits,
        )
        own = f"{state.people(group.side)}, {group.name}"
        rows.append((own, *(str(figure) for figure in figures)))
    titles = ("Group", "Brought", "Lost", "Guys", "Models", "Points killed", "Shots", "Hits")
    return table(titles, rows, numbers=(1, 2, 3, 4, 5, 6, 7))


def _best(state: CampaignState, facts: BattleFacts) -> str:
    """The group that killed most, by points; empty if nobody killed anybody."""
    points = {name: deeds.points for name, deeds in facts.groups.items()}
    most = max(points.values(), default=0)
    if most == 0:
        return ""
    names = [state.groups[name].name for name, own in points.items() if own == most]
    return f"{' and '.join(names)}, {most} points killed."


def _cards(state: CampaignState, fought: Fought) -> Table:
    """What became of the lost of each group, by its cards."""
    results = ("ready", "away", "prisoner", "crew", "gone")
    counts: dict[str, dict[str, int]] = {}
    for card in fought.drawn:
        row = counts.setdefault(card.party.group, dict.fromkeys(results, 0))
        row[card.result] += card.party.count
    rows = []
    for name, row in counts.items():
        rows.append((state.groups[name].name, *(str(row[result]) for result in results)))
    titles = ("Group", "Ready", "Away", "Prisoners", "Gone, crew lives", "Gone")
    return table(titles, rows, numbers=(1, 2, 3, 4, 5))


def _strip(state: CampaignState, facts: BattleFacts, catalog: Catalog) -> CasualtyStrip:
    """The losses over the turns, from what became of the pieces."""
    first, second = (_course(state, facts, side, catalog) for side in state.setup.ids)
    return CasualtyStrip(
        turns=max(facts.turn, 1),
        ends_after=None,
        over=True,
        sides=(first, second),
        turning_point=None,
    )


def _course(state: CampaignState, facts: BattleFacts, side: str, catalog: Catalog) -> SideCourse:
    own = [piece for piece in facts.pieces if piece.side == side]
    casualties = [_casualty(piece, catalog) for piece in own if piece.fate == "lost"]
    casualties.sort(key=lambda casualty: casualty.turn)
    strength = sum(_worth(piece.unit, catalog) for piece in own)
    left = []
    for turn in range(1, max(facts.turn, 1) + 1):
        lost = sum(casualty.pdg for casualty in casualties if casualty.turn <= turn)
        left.append(strength - lost)
    nations: Mapping[str, str | None] = {own.id: own.nation for own in state.setup.sides}
    return SideCourse(
        side=side,
        people=state.people(side),
        nation=nations[side],
        strength=strength,
        lost=sum(casualty.pdg for casualty in casualties),
        casualties=tuple(casualties),
        passages=(),
        left=tuple(left),
    )


def _casualty(piece: PieceFate, catalog: Catalog) -> Casualty:
    return Casualty(
        piece=piece.id,
        code=piece_code(piece.id),
        unit=piece.unit,
        side=piece.side,
        turn=max(piece.turn, 1),
        entry=0,
        pdg=_worth(piece.unit, catalog),
        points=piece.points,
        cause="other",
    )


def _worth(unit: str, catalog: Catalog) -> int:
    """What a unit counts toward the break point."""
    if catalog.units[unit].is_guy:
        return catalog.strength.guy
    return catalog.strength.model
