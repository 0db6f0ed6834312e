"""The campaign book, as the campaign stands or at its end: a cover, the ladder beside the two
sides, a spread for each battle, and the rolls of honour.

The left page of a spread is the ground with the forces, the right one what happened: begin with
``_add_spread``. Two pages come before the first spread and two after the last, so that every spread
lies open before its reader. In the drawings, numbers without a name are points, chosen by eye."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from skirmish import library
from skirmish.games.plastic.battle.names import piece_code, piece_side
from skirmish.games.plastic.campaign import pages
from skirmish.games.plastic.campaign.battle_facts import (
    BattleFacts,
    BattleStory,
    HowLost,
    PieceFate,
)
from skirmish.games.plastic.campaign.campaign_file import scenario_of
from skirmish.games.plastic.campaign.game import CampaignPlay
from skirmish.games.plastic.campaign.groups import RIFLE, CampaignGroup, GroupBattle, counted
from skirmish.games.plastic.campaign.state import CampaignSide, CampaignState, Fielding, Fought
from skirmish.games.plastic.campaign.terms import Return
from skirmish.games.plastic.casualties import Casualty, CasualtyStrip, Passage, SideCourse
from skirmish.games.plastic.crossings import Crossing
from skirmish.games.plastic.luck import TurningPoint
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets import inks
from skirmish.sheets.casualties import strip_of
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.inks import SideInk, looks
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.drawing import Canvas, Drawing, rule
from skirmish.sheets.layout.flow import Flowable
from skirmish.sheets.layout.fonts import HEAD, LABEL, MEDIUM
from skirmish.sheets.layout.fonts import TITLE as TITLE_FACE
from skirmish.sheets.layout.pages import OwnNotes, PdfDocument, SheetPart, as_pdf
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text import fitted, paragraph, scaled, write
from skirmish.sheets.maps.scenario_map import EmptyTable
from skirmish.sheets.page_sheet.column import Drawings, Pictures
from skirmish.sheets.page_sheet.document import page_document
from skirmish.sheets.paper import BACK_MARGIN, MM, Leaf
from skirmish.sheets.report import ReportMap
from skirmish.tabletop.measure import NO_BREAK
from skirmish.tabletop.page import (
    Badge,
    Beside,
    Block,
    Heading,
    Page,
    Paragraph,
    Party,
    Picture,
    Table,
    signed,
    table,
    without_empty_columns,
)

TITLE = "Campaign book"
TANK = "tank"
"""The unit whose symbol stands for a model that no catalog knows any more; ``RIFLE`` for a man."""
STRIP, GROUND = "strip", "ground"
"""The pictures of a spread: the losses over the turns, and the table."""
_COVER_GAME = Style(HEAD, 13, 13, ink=inks.WHITE)
_COVER_TITLE = Style(TITLE_FACE, 64, 64, ink=inks.WHITE)
_COVER_RESULT = Style(MEDIUM, 19, 19, ink=inks.WHITE)
_COVER_SIDE = Style(TITLE_FACE, 26, 26)
_COVER_GROUP = Style(MEDIUM, 14, 14)
_WAY_PLACE = Style(HEAD, 11, 11, "right")
_WAY_RUNG = Style(MEDIUM, 11, 11)
_WAY_SIDE = Style(LABEL, 11, 11)
_WAY_NUMBER = Style(HEAD, 11, 11, "centre")
PARTIES: tuple[Party, Party] = (0, 1)
"""The looks of the two sides, in their order."""
Groups: TypeAlias = Mapping[str, CampaignGroup]
"""The groups of a campaign by their ids."""
DrawGround: TypeAlias = Callable[[float], Flowable]
"""Draws the table, at most so many points high."""


@as_pdf
def book_pdf(leaf: Leaf, stored: StoredGame) -> PdfDocument:
    """The book of a stored campaign."""
    state: CampaignState = stored.play.state
    first, second = state.setup.sides
    colours = looks(first.nation or first.id, second.nation or second.id)
    cover = SheetPart(leaf, [CampaignCover(leaf, state, colours)], "")
    cover.has_footer = False
    inside = leaf._replace(inner=BACK_MARGIN)
    book = _CampaignPages(inside, colours, [cover])
    book.add(_front(state))
    book.add(_sides(state))
    rosters = _rosters_after(stored.play)
    catalog = _catalog()
    for fought in state.fought:
        if fought.facts is not None:
            spread = _BattleSpread(state, fought, fought.facts, catalog, rosters[fought.number])
            _add_spread(book, spread)
    book.open_left()
    for party, side in zip(PARTIES, state.setup.sides, strict=True):
        book.add(_honours(state, party, side))
    title = f"{TITLE}: {state.setup.file.title}"
    about = "Its battles, groups and honours"
    return PdfDocument(title, about, book.parts, is_book=True, sides=colours)


class _CampaignPages(NamedTuple):
    """The pages so far, on a ``leaf`` with a margin at the back; ``colours``: of the two sides."""

    leaf: Leaf
    colours: tuple[SideInk, SideInk]
    parts: list[SheetPart]

    def add(
        self,
        page: Page,
        *,
        named: bool = True,
        pictures: Pictures | None = None,
        drawings: Drawings | None = None,
    ) -> None:
        """Adds a page, with lines to write on below it; ``named``: it has a bookmark; ``pictures``
        and ``drawings`` are what stands in its places for them."""
        document = page_document(
            self.leaf,
            page,
            pictures=pictures,
            drawings=drawings,
            notes=True,
            sides=self.colours,
        )
        for part in document.parts:
            if not named:
                part.name = ""
            self.parts.append(part)

    def open_left(self) -> None:
        """The next page is a left one: an even one, as pages are numbered from the cover."""
        count = sum(len(part.pages) for part in self.parts)
        # After an even page comes an odd one, which lies on the right: it is left to the players.
        if count % 2 == 0:
            self.parts.append(SheetPart(self.leaf, [OwnNotes()], "", TITLE))


class CampaignCover(Drawing):
    """The first page: title and result on a band, below it both sides with their groups, then the
    course of the marker."""

    BAND, STRIPE = 190.0, 8.0
    """The heights of the band of the title and of the stripe below it, in points."""

    def __init__(self, leaf: Leaf, state: CampaignState, colours: tuple[SideInk, SideInk]) -> None:
        self.state, self.colours = state, colours
        self.TALL = leaf.depth

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        inset = 8 * MM
        self._paint_band(canvas, x, top, width)
        room = (width - 3 * inset) / 2
        left, below, lowest = x + inset, top - self.BAND - 60, top
        for side, look in zip(self.state.setup.sides, self.colours, strict=True):
            foot = self._paint_side(canvas, (left, below), room, side, look)
            lowest = min(lowest, foot)
            left += room + inset
        end = top - self.TALL
        way = MarkerWay(self.state, self.colours, lowest - end - 30)
        way.paint(canvas, x + inset, end + way.TALL, width - 2 * inset)

    def _paint_band(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """The title of the campaign and how it stands, white on the band."""
        inset = 8 * MM
        foot_of_band = top - self.BAND
        name = self.state.setup.file.title.upper()
        title = scaled(name, _COVER_TITLE, width - 2 * inset, (64, 54, 44, 36, 28, 22, 16))
        result = pages.headline(self.state)
        with canvas.bar(x, foot_of_band, width, self.BAND, inks.BAND):
            write(canvas, x + inset, top - 48, "WWII PLASTIC SKIRMISH", _COVER_GAME, track=4.2)
            write(canvas, x + inset, top - 112, name, title)
            write(canvas, x + inset, top - 150, result, _COVER_RESULT)
        middle_of_stripe = foot_of_band - self.STRIPE / 2
        rule(canvas, x, x + width, middle_of_stripe, self.STRIPE, ink=inks.ACCENT)

    def _paint_side(
        self,
        canvas: Canvas,
        corner: tuple[float, float],
        room: float,
        side: CampaignSide,
        look: SideInk,
    ) -> float:
        """A side with who commands it and its groups, below the upper left ``corner``; returns the
        level of the last line."""
        x, level = corner
        style = scaled(side.name, _COVER_SIDE._replace(ink=look.ink), room, (26, 22, 18, 15))
        write(canvas, x, level, fitted(side.name, style, room), style)
        lines = []
        player = self.state.players.get(side.id, side.player)
        if player:
            lines.append(f"commanded by {player}")
        lines += [f"{group.name}, {group.quality}" for group in self.state.of_side(side.id)]
        for line in lines:
            level -= 20
            write(canvas, x, level, fitted(line, _COVER_GROUP, room), _COVER_GROUP)
        return level


class MarkerWay(Drawing):
    """The ladder with the marker's way over it: a level line for each rung, and for each battle a
    disc with its number in the ink of who won it, where the marker stood then. An arrow leads to
    where it stands now. At most ``tallest`` points high."""

    FARTHEST = 58.0
    """The most points from a rung to the next."""
    ABOVE = 16.0
    """Points for the words above the highest rung, and for those below the lowest."""
    NAMES = 0.36
    """The share of the width for the names of the rungs."""
    DISC = 9.0
    """The radius of a disc."""
    ARROW, ARROW_HALF = 11.0, 5.0
    """The length of the arrow's head and half its breadth, in points."""

    def __init__(
        self,
        state: CampaignState,
        colours: tuple[SideInk, SideInk],
        tallest: float = math.inf,
    ) -> None:
        self.state = state
        self.rungs = {rung.place: rung for rung in state.setup.file.ladder}
        self.looks = dict(zip(state.setup.ids, colours, strict=True))
        # The marker may stand beyond an end of the ladder.
        self.highest = max(*self.rungs, state.marker)
        places = self.highest - min(*self.rungs, state.marker) + 1
        self.apart = min(self.FARTHEST, (tallest - 2 * self.ABOVE) / places)
        self.TALL = 2 * self.ABOVE + places * self.apart

    def _level(self, top: float, place: int) -> float:
        """The line of a rung, or of a place beyond the ends of the ladder."""
        return top - self.ABOVE - (self.highest - place + 0.5) * self.apart

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        self._paint_rungs(canvas, x, top, width)
        begin = x + self.NAMES * width + 16
        apart = (x + width - begin) / (self.state.setup.last_battle + 1)
        centres = []
        for number, fought in enumerate(self.state.fought):
            centres.append((begin + number * apart, self._level(top, fought.marker)))
        end = (begin + len(centres) * apart, self._level(top, self.state.marker))
        self._paint_way(canvas, [*centres, end])
        for centre, fought in zip(centres, self.state.fought, strict=True):
            self._paint_disc(canvas, centre, fought)

    def _paint_rungs(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Their lines with places and names, and which side pushes the marker which way."""
        state = self.state
        first, second = state.setup.sides
        names_end = x + self.NAMES * width
        for place, rung in self.rungs.items():
            level = self._level(top, place)
            rule(canvas, names_end, x + width, level, 0.5, ink=inks.FAINT)
            write(canvas, x + 18, level - 3, pages.place_words(place), _WAY_PLACE)
            room = names_end - x - 30
            title = state.setup.title_of(rung)
            style = scaled(title, _WAY_RUNG, room, (11, 10, 9))
            write(canvas, x + 24, level - 3, fitted(title, style, room), style)
        # The winner of a battle pushes the marker: the first side up, the second down.
        for side, level, arrow in (
            (first, top - 11, "\N{UPWARDS ARROW}"),
            (second, top - self.TALL + 5, "\N{DOWNWARDS ARROW}"),
        ):
            style = _WAY_SIDE._replace(ink=self.looks[side.id].ink)
            words = fitted(f"{arrow} {side.name}", style, width - self.NAMES * width)
            write(canvas, names_end, level, words, style)

    def _paint_way(self, canvas: Canvas, points: Sequence[tuple[float, float]]) -> None:
        """A line from point to point, with the head of an arrow at the last."""
        if len(points) == 1:  # nothing has been fought yet
            return
        canvas.pen(inks.ACCENT, 2.2, inks.ACCENT)
        for start, end in pairwise(points):
            canvas.line(*start, *end)
        start, tip = points[-2], points[-1]
        run, rise = tip[0] - start[0], tip[1] - start[1]
        length = math.hypot(run, rise)
        # A step of one point along the last line.
        step_x, step_y = run / length, rise / length
        foot = tip[0] - self.ARROW * step_x, tip[1] - self.ARROW * step_y
        # At right angles to the line.
        aside_x, aside_y = self.ARROW_HALF * -step_y, self.ARROW_HALF * step_x
        canvas.shape(
            tip,
            (foot[0] + aside_x, foot[1] + aside_y),
            (foot[0] - aside_x, foot[1] - aside_y),
        )

    def _paint_disc(self, canvas: Canvas, centre: tuple[float, float], fought: Fought) -> None:
        """Filled or hollow as the winner's marks are; grey if nobody has won."""
        winner = fought.winner
        if fought.conceded_by:
            winner = self.state.enemy_of(fought.conceded_by)
        look = SideInk(inks.QUIET, solid=False)
        if winner is not None:
            look = self.looks[winner]
        body, ink = inks.WHITE, look.ink
        if look.solid:
            body, ink = look.ink, inks.WHITE
        canvas.pen(look.ink, 1.4, body)
        canvas.circle(*centre, self.DISC, fill=1)
        number = _WAY_NUMBER._replace(ink=ink)
        write(canvas, centre[0], centre[1] - 3.4, str(fought.number), number)


def _catalog() -> Catalog:
    """The units of the rules and those that scenarios have of their own."""
    catalog = library.catalog()
    for scenario in library.scenarios().values():
        catalog = catalog.with_variants(scenario.variants)
    return catalog


def _page(state: CampaignState, title: str, badge: Badge, blocks: Sequence[Block]) -> Page:
    """A page of the book, with the campaign's name in its head and at its foot."""
    name = state.setup.file.title
    return Page(title, tuple(blocks), badge, about=(TITLE, name), foot=f"{TITLE} · {name}")


def _rosters_after(play: CampaignPlay) -> dict[int, Groups]:
    """The groups as they stood after the evening of each battle, by its number: each later state
    of that evening replaces the one before it."""
    rosters: dict[int, Groups] = {}
    for state in play.states:
        # While a battle is fought, who fights in it is not with his group.
        if state.last is not None and state.step != "battle":
            rosters[state.last.number] = state.groups
    return rosters


# ------------------------------------------------------------------ before and after the battles


def _front(state: CampaignState) -> Page:
    """The result, the history, the ladder and the battles as they went."""
    blocks: list[Block] = []
    if state.outcome is not None:
        blocks.append(Paragraph(pages.ended(state), tone="strong"))
    else:
        blocks.append(Paragraph(f"{pages.headline(state)}.", tone="strong"))
    if state.setup.file.history:
        blocks.append(Paragraph(state.setup.file.history))
    blocks += [Heading("The ladder as it went"), pages.ladder(state)]
    if state.fought:
        blocks += [Heading("The battles"), _battles(state)]
    badge = Badge("Battles", str(len(state.fought)))
    return _page(state, state.setup.file.title, badge, blocks)


def _battles(state: CampaignState) -> Table:
    """A line for each battle; the titles of the columns are not broken."""
    as_on_screen = pages.battles(state)
    columns = []
    for column in as_on_screen.columns:
        columns.append(replace(column, title=column.title.replace(" ", NO_BREAK)))
    return replace(as_on_screen, columns=tuple(columns))


def _sides(state: CampaignState) -> Page:
    """Both sides: who commands them, their groups as they began and as they stand."""
    blocks: list[Block] = []
    for party, side in zip(PARTIES, state.setup.sides, strict=True):
        player = state.players.get(side.id, side.player)
        aside = ""
        if player:
            aside = f"commanded by {player}"
        blocks.append(Heading(side.name, party=party, aside=aside))
        for group in state.of_side(side.id):
            text = f"{counted(group.strength, state.setup.units)}."
            blocks.append(Paragraph(text, lead=f"{group.name}, at the start:"))
        blocks.append(pages.pool(state, side.id))
    return _page(state, "The two sides", Badge("Groups", str(len(state.groups))), blocks)


def _honours(state: CampaignState, party: Party, side: CampaignSide) -> Page:
    """The groups of a side with their history and honours, and who belongs to them now."""
    blocks: list[Block] = [Heading(side.name, party=party), pages.pool(state, side.id)]
    groups = list(state.of_side(side.id))
    for group in groups:
        blocks += pages.group_blocks(state, group)
    return _page(state, "Rolls of honour", Badge("Groups", str(len(groups))), blocks)


# ------------------------------------------------------------------ the spread of a battle


class _BattleSpread(NamedTuple):
    """A battle with what its two pages are made from: ``groups`` are those after its evening."""

    state: CampaignState
    fought: Fought
    facts: BattleFacts
    catalog: Catalog
    groups: Groups


def _add_spread(book: _CampaignPages, spread: _BattleSpread) -> None:
    """The ground and the forces on the left, what happened on the right."""
    state, fought = spread.state, spread.fought
    book.open_left()
    attached: dict[str, Sequence[Flowable]] = {}
    for side, fielding in fought.fielding.items():
        text = _attached(state, fielding)
        if text:
            # In italics, since they leave after the battle.
            attached[_attached_name(side)] = [paragraph(text, styles.ASIDE)]
    by_side = dict(zip(state.setup.ids, book.colours, strict=True))
    strip = strip_of(_casualty_strip(spread), spread.catalog, by_side, book.leaf.measure)
    course = _course_page(spread)
    rosters: list[Block] = [Heading("The rosters after that evening"), _rosters(spread)]
    before = _before(spread)
    drawings = {STRIP: strip}
    whole = page_document(book.leaf, course.with_blocks(rosters), drawings=drawings)
    if sum(len(part.pages) for part in whole.parts) == 1:
        course = course.with_blocks(rosters)
    else:
        # After a long battle there is more room below the ground.
        before = before.with_blocks(rosters)
    book.add(before, pictures={GROUND: _drawn_ground(spread)}, drawings=attached)
    book.add(course, named=False, drawings=drawings)


def _before(spread: _BattleSpread) -> Page:
    """The left page: the result, the ground, and the forces at the start."""
    state, fought, facts = spread.state, spread.fought, spread.facts
    result = "Nobody won."
    if facts.winner is not None:
        result = f"The {state.people(facts.winner)} won on turn {facts.turn}."
    marker = f"The marker stood at {pages.place_words(fought.marker)}."
    lead = Paragraph(f"{result} {facts.reason} {_field(state, fought)} {marker}", tone="strong")
    columns = []
    for party, side in zip(PARTIES, state.setup.sides, strict=True):
        fielding = fought.fielding.get(side.id, Fielding())
        blocks = [Heading(side.name, party=party), *_forces(state, side.id, fielding)]
        columns.append(tuple(blocks))
    left, right = columns
    title = state.setup.title_of(fought.rung)
    page = [lead, *_ground_words(spread), Picture(GROUND), Beside(left, right)]
    return _page(state, title, Badge("Battle", str(fought.number)), page)


def _course_page(spread: _BattleSpread) -> Page:
    """The right page: the losses over the turns, what the groups did, what became of them."""
    state, facts = spread.state, spread.facts
    blocks: list[Block] = [Heading("Who was lost, turn by turn"), Picture(STRIP)]
    note = ""
    if any(row.expected is not None for row in facts.groups.values()):
        note = "luck: hits made minus hits expected"
    # A raid of attached men that was counted before their deeds were noted has none.
    if _deeds(state, facts):
        blocks += [Heading("What the groups did", aside=note), _deeds_table(spread)]
    best = _best(state, facts)
    if best:
        blocks.append(Paragraph(best, lead="Best of the day:"))
    return _page(state, "How it went", Badge("Turns", str(facts.turn)), blocks)


# ------------------------------------------------------------------ the left page


def _field(state: CampaignState, fought: Fought) -> str:
    """Who held the field, as a sentence."""
    if not fought.holds:
        return "Nobody held the field."
    if len(fought.holds) > 1:
        return "Both sides held the field."
    return f"The {state.people(fought.holds[0])} held the field."


def _scenario(spread: _BattleSpread) -> Scenario | None:
    """The scenario that was fought, if it is still here and has a map."""
    scenario = scenario_of(spread.fought.rung, library.scenarios())
    if scenario is None or scenario.map is None:
        return None
    return scenario


def _drawn_ground(spread: _BattleSpread) -> DrawGround:
    """The map of the scenario, with flags where units entered and exited. A free battle has an
    empty table for its players to sketch theirs on."""
    scenario = _scenario(spread)
    if scenario is not None:
        return partial(ReportMap, scenario, _crossings(spread.facts.story))
    file = spread.state.setup.file
    return partial(SketchedTable, spread.fought.rung.table or file.table)


class SketchedTable(EmptyTable):
    """The table of a free battle in its own ``size`` (inches), at most ``tallest`` points high."""

    def __init__(self, size: tuple[int, int], tallest: float) -> None:
        width, depth = size
        super().__init__((float(width), float(depth)), tallest=tallest)


def _ground_words(spread: _BattleSpread) -> Iterator[Block]:
    """What was fought on: the scenario, or the terms of a free battle."""
    state, rung = spread.state, spread.fought.rung
    if rung.text:
        yield Paragraph(rung.text)
    if rung.scenario:
        title = state.setup.titles.get(str(rung.scenario), "")
        yield Heading("The ground", aside=f"scenario {rung.scenario}: {title}")
        if _scenario(spread) is None:
            yield Paragraph("There is no map of it here; sketch the table below.")
        return
    width, depth = rung.table or state.setup.file.table
    yield Heading("The ground", aside=f"a free battle on {width} × {depth} inches")
    sentences = []
    if rung.ground:
        sentences.append(f"{rung.ground}.")
    if rung.attacker:
        sentences.append(f"The {state.people(rung.attacker)} attacked.")
    sentences.append("The players laid this table themselves: here is room to sketch it.")
    yield Paragraph(" ".join(sentences))


def _crossings(story: BattleStory | None) -> dict[Crossing, dict[int, list[str]]]:
    """The pieces that came on and went off at each crossing of an edge, by turn, as the map of a
    report has them."""
    crossings: dict[Crossing, dict[int, list[str]]] = {}
    if story is None:
        return crossings
    for crossed in story.crossed:
        side = piece_side(crossed.pieces[0])
        turns = crossings.setdefault(Crossing(side, crossed.way, crossed.where), {})
        turns[crossed.turn] = list(crossed.pieces)
    return crossings


def _forces(state: CampaignState, side: str, fielding: Fielding) -> Iterator[Block]:
    """What a side brought: its groups, then what was attached."""
    for group_id, counts in fielding.groups.items():
        text = f"{counted(counts, state.setup.units)}."
        yield Paragraph(text, lead=f"{state.groups[group_id].name}:")
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
    """The name of the drawing with what was attached to a side."""
    return f"attached {side}"


# ------------------------------------------------------------------ the right page


class _Deeds(NamedTuple):
    """What a group did in the battle, or all those attached to a side, who have no ``group_id``."""

    title: str
    group_id: str | None
    record: GroupBattle


def _deeds(state: CampaignState, facts: BattleFacts) -> list[_Deeds]:
    """What the groups of each side did, then those attached to it."""
    deeds = []
    for side in state.setup.sides:
        for group_id, record in facts.groups.items():
            group = state.groups[group_id]
            if group.side == side.id:
                deeds.append(_Deeds(f"{side.name}, {group.name}", group_id, record))
        if facts.story is not None and side.id in facts.story.attached:
            deeds.append(_Deeds(f"{side.name}, attached", None, facts.story.attached[side.id]))
    return deeds


def _deeds_table(spread: _BattleSpread) -> Table:
    """A line for each group: what it brought, lost, fired and killed, and what became of its lost
    by the cards."""
    cards = _cards(spread.fought)
    rows = []
    for title, group_id, record in _deeds(spread.state, spread.facts):
        expected, luck = "–", "–"
        if record.expected is not None:
            expected = f"{record.expected:.1f}"
            luck = signed(record.hits - record.expected)
        # Those attached draw no cards: they leave after the battle.
        fates = ["–"] * len(RESULTS)
        if group_id in cards:
            fates = [str(cards[group_id][result]) for result in RESULTS]
        fire = (str(record.shots), str(record.hits), expected, luck)
        kills = (str(record.guys), str(record.models), str(record.points))
        rows.append((title, str(record.brought), *fire, *kills, str(record.lost), *fates))
    whole = table(DEED_TITLES, rows, numbers=range(1, len(DEED_TITLES)))
    return without_empty_columns(whole, ("Hits expected", "Luck", "Captured", "Crew lives"))


DEED_TITLES = (
    "Group",
    "Brought",
    "Shots",
    "Hits",
    "Hits expected",
    "Luck",
    "Guys killed",
    "Models killed",
    "Points killed",
    "Lost",
    "Ready again",
    "Away",
    "Captured",
    "Crew lives",
    "Gone",
)
RESULTS: tuple[Return, ...] = ("ready", "away", "prisoner", "crew", "gone")
"""What a card may say, in the order of the table."""


def _cards(fought: Fought) -> dict[str, dict[Return, int]]:
    """How many men and models of each group came to what, by the group's id."""
    counts: dict[str, dict[Return, int]] = {}
    for card in fought.drawn:
        results = counts.setdefault(card.party.group, dict.fromkeys(RESULTS, 0))
        results[card.result] += card.party.count
    return counts


def _best(state: CampaignState, facts: BattleFacts) -> str:
    """The group that killed most, by points; all of them where several did. (The honour for it is
    given to one: see ``best_group`` of the campaign's events.) Empty if nobody killed anybody."""
    most = max((record.points for record in facts.groups.values()), default=0)
    if most == 0:
        return ""
    names = []
    for group_id, record in facts.groups.items():
        if record.points == most:
            names.append(state.groups[group_id].name)
    return f"{' and '.join(names)}, {most} points killed."


def _rosters(spread: _BattleSpread) -> Table:
    """Who was ready for the next battle, by group, and who was not."""
    state = spread.state
    rows = []
    for group in spread.groups.values():
        quality = group.quality
        if group.marks:
            quality += f", {pages.marks_words(group.marks)}"
        ready = counted(group.ready, state.setup.units)
        figures = [str(group.total(place)) for place in ("away", "prisoner", "gone")]
        rows.append((f"{state.name(group.side)}, {group.name}", quality, ready, *figures))
    titles = ("Group", "Quality", "Ready", "Away", "Captured", "Gone")
    return table(titles, rows, numbers=(3, 4, 5))


def _casualty_strip(spread: _BattleSpread) -> CasualtyStrip:
    """The losses over the turns. A battle without a story has neither cards nor arrows there."""
    facts, story = spread.facts, spread.facts.story
    order: Sequence[str] = spread.state.setup.ids
    point = None
    if story is not None:
        # The first mover first, as on the strip of the battle itself.
        order = list(story.strength)
        point = _turning_point(story)
    # Where nobody knows when a piece was lost, its turn is 0: the strip has one turn at least.
    turns = max(facts.turn, 1, *(piece.turn for piece in facts.pieces))
    first, second = (_course(spread, side, turns) for side in order)
    return CasualtyStrip(
        turns=turns,
        ends_after=None,
        over=True,
        sides=(first, second),
        turning_point=point,
    )


def _turning_point(story: BattleStory) -> TurningPoint | None:
    """The point as the strip draws it, from the form in which the campaign stores it."""
    lead = story.lead
    if lead is None:
        return None
    return TurningPoint(lead.turn, lead.mover, lead.side, lead.text, lead.first, lead.last)


def _course(spread: _BattleSpread, side: str, turns: int) -> SideCourse:
    """The losses of a side over so many turns, with the strength that they left it after each."""
    facts, story = spread.facts, spread.facts.story
    own = [piece for piece in facts.pieces if piece.side == side]
    casualties = [_casualty(spread, piece) for piece in own if piece.fate == "lost"]
    casualties.sort(key=attrgetter("turn", "entry"))
    strength = sum(_worth(spread, piece.unit) for piece in own)
    passages: list[Passage] = []
    if story is not None:
        strength = story.strength[side]
        passages = list(_passages(spread, story, side))
    left = []
    for turn in range(1, turns + 1):
        lost = sum(casualty.pdg for casualty in casualties if casualty.turn <= turn)
        left.append(strength - lost)
    campaign_side = spread.state.side(side)
    return SideCourse(
        side=side,
        people=campaign_side.name,
        nation=campaign_side.nation,
        strength=strength,
        lost=sum(casualty.pdg for casualty in casualties),
        casualties=tuple(casualties),
        passages=tuple(passages),
        left=tuple(left),
    )


def _passages(spread: _BattleSpread, story: BattleStory, side: str) -> Iterator[Passage]:
    """Where pieces of a side entered and exited."""
    owner = {piece.id: piece.side for piece in spread.facts.pieces}
    for crossed in story.crossed:
        if owner[crossed.pieces[0]] == side:
            codes = tuple(piece_code(piece) for piece in crossed.pieces)
            yield Passage(
                side=side, turn=crossed.turn, way=crossed.way, where=crossed.where, codes=codes
            )


def _casualty(spread: _BattleSpread, piece: PieceFate) -> Casualty:
    """A lost piece as the strip draws it; without a story only who and when is known."""
    how = HowLost(entry=0, pdg=_worth(spread, piece.unit))
    story = spread.facts.story
    if story is not None:
        how = story.losses.get(piece.id, how)
    return Casualty(
        piece=piece.id,
        code=piece_code(piece.id),
        unit=_drawn_as(spread, piece.unit),
        side=piece.side,
        # Who was lost before the first turn stands with those of that turn.
        turn=max(piece.turn, 1),
        entry=how.entry,
        pdg=how.pdg,
        points=piece.points,
        cause=how.cause,
        shooter=how.shooter,
        weapon=how.weapon,
        draw=how.draw,
    )


def _drawn_as(spread: _BattleSpread, unit: str) -> str:
    """The unit whose symbol is drawn: another where its scenario does not exist any more."""
    if unit in spread.catalog.units:
        return unit
    if spread.state.setup.units[unit].guy:
        return RIFLE
    return TANK


def _worth(spread: _BattleSpread, unit: str) -> int:
    """What a unit counts toward the break point, in potential dead guys (``pdg``)."""
    strength = spread.catalog.strength
    if spread.state.setup.units[unit].guy:
        return strength.guy
    return strength.model
