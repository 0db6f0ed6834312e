"""The campaign book, as the campaign stands or at its end: the ladder as it went, a page for each
battle, and the rolls of honour with the rosters for the next battle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from skirmish import library
from skirmish.games.plastic.battle.names import piece_code
from skirmish.games.plastic.campaign import pages
from skirmish.games.plastic.campaign.fielding import rung_title
from skirmish.games.plastic.campaign.state import (
    RIFLE,
    BattleFacts,
    CampaignSide,
    CampaignState,
    Fielding,
    Fought,
    PieceFate,
    counted,
)
from skirmish.games.plastic.casualties import Casualty, CasualtyStrip, SideCourse
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.sheets import inks
from skirmish.sheets.casualties import strip_of
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.inks import SideInk, looks
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.drawing import Canvas, Drawing, rule
from skirmish.sheets.layout.flow import Flowable
from skirmish.sheets.layout.fonts import HEAD, MEDIUM
from skirmish.sheets.layout.fonts import TITLE as TITLE_FACE
from skirmish.sheets.layout.pages import PdfDocument, SheetPart, as_pdf
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text import fitted, paragraph, scaled, write
from skirmish.sheets.page_sheet import page_document
from skirmish.sheets.paper import MM, Leaf
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
TANK = "tank"
STRIP = "strip"
"""The picture of the losses over the turns."""
_COVER_GAME = Style(HEAD, 13, 13, ink=inks.WHITE)
_COVER_TITLE = Style(TITLE_FACE, 64, 64, ink=inks.WHITE)
_COVER_RESULT = Style(MEDIUM, 19, 19, ink=inks.WHITE)
_COVER_SIDE = Style(TITLE_FACE, 26, 26)
_COVER_GROUP = Style(MEDIUM, 14, 14)
PARTIES: tuple[Party, Party] = (0, 1)
"""The looks of the two sides, in their order."""


@as_pdf
def book_pdf(leaf: Leaf, stored: StoredGame) -> PdfDocument:
    """The book of a stored campaign."""
    state: CampaignState = stored.play.state
    first, second = state.setup.sides
    colours = looks(first.nation or first.id, second.nation or second.id)
    catalog = _catalog()
    cover = SheetPart(leaf, [CampaignCover(leaf, state, colours)], "")
    cover.has_footer = False
    parts: list[SheetPart] = [cover, *page_document(leaf, _front(state)).parts]
    for fought in state.fought:
        if fought.facts is None:
            continue
        strip = _strip(state, fought.facts, catalog)
        by_side = dict(zip(state.setup.ids, colours, strict=True))
        drawings: dict[str, Sequence[Flowable]] = {
            STRIP: strip_of(strip, catalog, by_side, leaf.measure)
        }
        for side_id, fielding in fought.fielding.items():
            text = _attached(state, fielding)
            if text:
                # In italics, since they leave after the battle.
                drawings[_attached_name(side_id)] = [paragraph(text, styles.ASIDE)]
        battle_page = _battle(state, fought, fought.facts)
        parts += page_document(leaf, battle_page, drawings=drawings).parts
    for party, side in zip(PARTIES, state.setup.sides, strict=True):
        parts += page_document(leaf, _honours(state, party, side)).parts
    title = f"{TITLE}: {state.setup.file.title}"
    about = "Its battles, groups and honours"
    return PdfDocument(title, about, parts, is_book=True, sides=colours)


class CampaignCover(Drawing):
    """The first page: title and result on a band, below it both sides with their groups."""

    BAND, STRIPE = 190.0, 8.0
    """The heights of the band of the title and of the stripe below it, in points."""

    def __init__(self, leaf: Leaf, state: CampaignState, colours: tuple[SideInk, SideInk]) -> None:
        self.state, self.colours = state, colours
        self.TALL = leaf.depth

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        state, inset = self.state, 8 * MM
        low = top - self.BAND
        name = state.setup.file.title.upper()
        title = scaled(name, _COVER_TITLE, width - 2 * inset, (64, 54, 44, 36, 28, 22, 16))
        with canvas.bar(x, low, width, self.BAND, inks.BAND):
            write(canvas, x + inset, top - 48, "WWII PLASTIC SKIRMISH", _COVER_GAME, track=4.2)
            write(canvas, x + inset, top - 112, name, title)
            write(canvas, x + inset, top - 150, pages.headline(state), _COVER_RESULT)
        rule(canvas, x, x + width, low - self.STRIPE / 2, self.STRIPE, ink=inks.ACCENT)
        level = low - 60
        for side, look in zip(state.setup.sides, self.colours, strict=True):
            style = _COVER_SIDE._replace(ink=look.ink)
            write(canvas, x + inset, level, fitted(side.people, style, width - 2 * inset), style)
            player = state.players.get(side.id, side.player)
            lines = [f"commanded by {player}"] if player else []
            lines += [f"{group.name}, {group.quality}" for group in state.of_side(side.id)]
            for line in lines:
                level -= 20
                write(canvas, x + inset, level, line, _COVER_GROUP)
            level -= 52


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
        blocks += _forces(state, side.id, fought.fielding.get(side.id, Fielding()))
    if facts.groups:
        blocks += [Heading("What the groups did"), _deeds(state, facts)]
    best = _best(state, facts)
    if best:
        blocks.append(Paragraph(best, lead="Best of the day:"))
    if fought.drawn:
        blocks += [Heading("What the cards said"), _cards(state, fought)]
    title = rung_title(state.setup, fought)
    return _page(state, title, Badge("Battle", str(fought.number)), blocks)


def _honours(state: CampaignState, party: Party, side: CampaignSide) -> Page:
    """The groups of a side with their history and honours, and who belongs to them now."""
    blocks: list[Block] = [Heading(side.people, party=party), pages.pool(state, side.id)]
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


def _forces(state: CampaignState, side: str, fielding: Fielding) -> Iterator[Block]:
    """What a side brought: its groups, then what was attached."""
    for name, counts in fielding.groups.items():
        text = f"{counted(counts, state.setup.units)}."
        yield Paragraph(text, lead=f"{state.groups[name].name}:")
    if _attached(state, fielding):
        yield Picture(_attached_name(side))


def _attached(state: CampaignState, fielding: Fielding) -> str:
    """Who and what came for this battle only, as a sentence; empty if nobody did."""
    extras = {**fielding.attached, **fielding.works}
    if not extras:
        return ""
    names = {**state.setup.units, **state.setup.works}
    return f"Attached: {counted(extras, names)}."


def _attached_name(side: str) -> str:
    return f"attached {side}"


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
    casualties = [_casualty(state, piece, catalog) for piece in own if piece.fate == "lost"]
    casualties.sort(key=lambda casualty: casualty.turn)
    strength = sum(_worth(state, piece.unit, catalog) for piece in own)
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


def _casualty(state: CampaignState, piece: PieceFate, catalog: Catalog) -> Casualty:
    return Casualty(
        piece=piece.id,
        code=piece_code(piece.id),
        unit=_drawn_as(state, piece.unit, catalog),
        side=piece.side,
        turn=max(piece.turn, 1),
        entry=0,
        pdg=_worth(state, piece.unit, catalog),
        points=piece.points,
        cause="other",
    )


def _drawn_as(state: CampaignState, unit: str, catalog: Catalog) -> str:
    """The unit whose symbol is drawn: another where its scenario does not exist any more."""
    if unit in catalog.units:
        return unit
    return RIFLE if state.setup.units[unit].guy else TANK


def _worth(state: CampaignState, unit: str, catalog: Catalog) -> int:
    """What a unit counts toward the break point."""
    if state.setup.units[unit].guy:
        return catalog.strength.guy
    return catalog.strength.model
