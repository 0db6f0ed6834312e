"""The spread of a battle in the campaign book: on the left page the ground with the forces, on the
right one what happened. The rosters after the battle stand where there is room for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from skirmish import library
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.campaign import pages
from skirmish.games.plastic.campaign.battle_facts import BattleFacts, BattleStory
from skirmish.games.plastic.campaign.campaign_file import scenario_of
from skirmish.games.plastic.campaign.groups import CampaignGroup, GroupBattle, counts_in_words
from skirmish.games.plastic.campaign.state import CampaignState, Fielding, Fought
from skirmish.games.plastic.campaign.terms import Return
from skirmish.games.plastic.crossings import Crossing, PiecesByTurn
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.campaign.book_pages import PARTIES, CampaignPages, book_page
from skirmish.sheets.campaign.losses import losses_over_turns
from skirmish.sheets.casualties import strip_of
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.flow import Flowable
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.maps.scenario_map import EmptyTable
from skirmish.sheets.report import ReportMap
from skirmish.tabletop.page import (
    Badge,
    Beside,
    Block,
    Heading,
    Page,
    Paragraph,
    Picture,
    Table,
    signed,
    table,
    without_empty_columns,
)

STRIP, GROUND = "strip", "ground"
"""The pictures of a spread: the losses over the turns, and the table."""
RESULT_TITLES: dict[Return, str] = {
    "ready": "Ready again",
    "away": "Away",
    "prisoner": "Captured",
    "crew": "Crew lives",
    "gone": "Gone",
}
"""What a card of the return table may say, with the titles of these columns."""
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
    *RESULT_TITLES.values(),
)
NO_NUMBER = "–"
"""What stands in a cell for which there is no number."""
Groups: TypeAlias = Mapping[str, CampaignGroup]
"""The groups of a campaign by their ids."""
DrawGround: TypeAlias = Callable[[float], Flowable]
"""Draws the table, at most so many points high."""


class BattleSpread(NamedTuple):
    """A battle with what its two pages are made from; ``groups``: those of the campaign, as they
    were after the evening of this battle."""

    state: CampaignState
    fought: Fought
    facts: BattleFacts
    catalog: Catalog
    groups: Groups


def add_spread(book: CampaignPages, spread: BattleSpread) -> None:
    """Adds both pages: on the left the ground with the forces, on the right what happened."""
    book.begin_on_left_page()
    left, right = _ground_page(spread), _course_page(spread)
    looks_by_side = dict(zip(spread.state.setup.ids, book.side_looks, strict=True))
    losses = losses_over_turns(spread.state, spread.facts, spread.catalog)
    strip = {STRIP: strip_of(losses, spread.catalog, looks_by_side, book.leaf.measure)}
    rosters: list[Block] = [Heading("The rosters after that evening"), _rosters(spread)]
    if book.fits_one_page(right.with_blocks(rosters), strip):
        right = right.with_blocks(rosters)
    else:
        # After a long battle there is more room below the ground.
        left = left.with_blocks(rosters)
    # Drawings have a height of their own; the picture of the ground is made for the room there is.
    ground = {GROUND: _drawn_ground(spread)}
    book.add(left, pictures=ground, drawings=_drawn_attached(spread))
    # The bookmark of the left page opens the spread.
    book.add(right, has_bookmark=False, drawings=strip)


# ------------------------------------------------------------------ the left page


def _ground_page(spread: BattleSpread) -> Page:
    """The left page: the result, the ground, and the forces at the start."""
    state, fought, facts = spread.state, spread.fought, spread.facts
    result = "Nobody won."
    if facts.winner is not None:
        result = f"The {state.people(facts.winner)} won on turn {facts.turn}."
    field = _who_held_the_field(state, fought)
    marker = f"The marker stood at {pages.place_words(fought.marker)}."
    lead = Paragraph(f"{result} {facts.reason} {field} {marker}", tone="strong")
    columns = []
    for party, side in zip(PARTIES, state.setup.sides, strict=True):
        # A side for which no forces were chosen brought none.
        fielding = fought.fielding.get(side.id, Fielding())
        columns.append((Heading(side.name, party=party), *_forces(state, side.id, fielding)))
    first, second = columns
    blocks = [lead, *_ground_words(spread), Picture(GROUND), Beside(first, second)]
    badge = Badge("Battle", str(fought.number))
    return book_page(state, state.setup.title_of(fought.rung), badge, blocks)


def _who_held_the_field(state: CampaignState, fought: Fought) -> str:
    """Who held the field, as a sentence."""
    if not fought.holds:
        return "Nobody held the field."
    if len(fought.holds) > 1:
        return "Both sides held the field."
    return f"The {state.people(fought.holds[0])} held the field."


def _ground_words(spread: BattleSpread) -> Iterator[Block]:
    """What was fought on: the scenario, or the terms of a free battle."""
    state, rung = spread.state, spread.fought.rung
    if rung.text:
        yield Paragraph(rung.text)
    if rung.scenario:
        title = state.setup.titles.get(str(rung.scenario), "")
        yield Heading("The ground", aside=f"scenario {rung.scenario}: {title}")
        if _scenario_with_map(spread) is None:
            yield Paragraph("There is no map of it here; sketch the table below.")
        return
    width, depth = _size_of_free_battle(spread)
    yield Heading("The ground", aside=f"a free battle on {width} × {depth} inches")
    sentences = []
    if rung.ground:
        sentences.append(f"{rung.ground}.")
    if rung.attacker:
        sentences.append(f"The {state.people(rung.attacker)} attacked.")
    sentences.append("The players laid this table themselves: here is room to sketch it.")
    yield Paragraph(" ".join(sentences))


def _drawn_ground(spread: BattleSpread) -> DrawGround:
    """The map of the scenario, with flags where units entered and exited. A free battle has an
    empty table for its players to sketch theirs on."""
    scenario = _scenario_with_map(spread)
    if scenario is not None:
        return partial(ReportMap, scenario, _crossings(spread.facts.story))
    return partial(SketchedTable, _size_of_free_battle(spread))


def _size_of_free_battle(spread: BattleSpread) -> tuple[int, int]:
    """The width and the depth of the table of a free battle in inches: those of its rung, or else
    those of the campaign."""
    table_of_rung = spread.fought.rung.table
    if table_of_rung is None:
        return spread.state.setup.file.table
    return table_of_rung


def _scenario_with_map(spread: BattleSpread) -> Scenario | None:
    """The scenario that was fought, if it is still here and has a map."""
    scenario = scenario_of(spread.fought.rung, library.scenarios())
    if scenario is None or scenario.map is None:
        return None
    return scenario


def _crossings(story: BattleStory | None) -> dict[Crossing, PiecesByTurn]:
    """The pieces that entered and exited at each crossing of an edge, by the turn on which they did
    so; ``ReportMap`` draws them."""
    crossings: dict[Crossing, PiecesByTurn] = {}
    if story is None:
        return crossings
    for crossed in story.crossed:
        # All that cross together are of one side. The map has the sides of the battle, which may
        # have other ids than those of the campaign.
        side = piece_side(crossed.pieces[0])
        turns = crossings.setdefault(Crossing(side, crossed.way, crossed.where), {})
        turns[crossed.turn] = list(crossed.pieces)
    return crossings


class SketchedTable(EmptyTable):
    """The table of a free battle in its own ``size`` (inches), at most ``tallest`` points high."""

    def __init__(self, size: tuple[int, int], tallest: float) -> None:
        width, depth = size
        super().__init__((float(width), float(depth)), tallest=tallest)


def _forces(state: CampaignState, side: str, fielding: Fielding) -> Iterator[Block]:
    """What a side brought: its groups, then what was attached."""
    for group_id, counts in fielding.groups.items():
        text = f"{counts_in_words(counts, state.setup.units)}."
        yield Paragraph(text, lead=f"{state.groups[group_id].name}:")
    if _attached_words(state, fielding):
        yield Picture(_attached_name(side))


def _drawn_attached(spread: BattleSpread) -> dict[str, Sequence[Flowable]]:
    """What was attached to each side, by the names of its pictures on the page; in italics, since
    it leaves after the battle."""
    drawn: dict[str, Sequence[Flowable]] = {}
    for side, fielding in spread.fought.fielding.items():
        words = _attached_words(spread.state, fielding)
        if words:
            drawn[_attached_name(side)] = [paragraph(words, styles.ASIDE)]
    return drawn


def _attached_words(state: CampaignState, fielding: Fielding) -> str:
    """Who and what came for this battle only, as a sentence; empty if nobody did."""
    extras = {**fielding.attached, **fielding.works}
    if not extras:
        return ""
    names = {**state.setup.units, **state.setup.works}
    return f"Attached: {counts_in_words(extras, names)}."


def _attached_name(side: str) -> str:
    """The name of the picture with what was attached to a side."""
    return f"attached {side}"


# ------------------------------------------------------------------ the right page


def _course_page(spread: BattleSpread) -> Page:
    """The right page: the losses over the turns, what the groups did, what became of them."""
    facts = spread.facts
    blocks: list[Block] = [Heading("Who was lost, turn by turn"), Picture(STRIP)]
    note = ""
    if any(record.expected is not None for record in facts.groups.values()):
        note = "luck: hits made minus hits expected"
    deeds = _deeds(spread.state, facts)
    # There are none of a battle that only attached men fought, if it was counted before campaigns
    # stored what these did.
    if deeds:
        blocks += [Heading("What the groups did", aside=note), _deeds_table(spread, deeds)]
    best = _best_of_the_day(spread.state, facts)
    if best:
        blocks.append(Paragraph(best, lead="Best of the day:"))
    return book_page(spread.state, "How it went", Badge("Turns", str(facts.turn)), blocks)


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
            record = facts.story.attached[side.id]
            deeds.append(_Deeds(f"{side.name}, attached", group_id=None, record=record))
    return deeds


def _deeds_table(spread: BattleSpread, deeds: Sequence[_Deeds]) -> Table:
    """A line for each group: what it brought, lost, fired and killed, and what became of its lost
    by the cards."""
    results_by_group = _results_by_group(spread.fought)
    rows = []
    for title, group_id, record in deeds:
        expected, luck = NO_NUMBER, NO_NUMBER
        if record.expected is not None:
            expected = f"{record.expected:.1f}"
            luck = signed(record.hits - record.expected)
        # No cards are drawn for those attached, who leave after the battle, nor without losses.
        results = [NO_NUMBER] * len(RESULT_TITLES)
        if group_id is not None and group_id in results_by_group:
            counts = results_by_group[group_id]
            results = [str(counts[result]) for result in RESULT_TITLES]
        fire = (str(record.shots), str(record.hits), expected, luck)
        kills = (str(record.guys), str(record.models), str(record.points))
        rows.append((title, str(record.brought), *fire, *kills, str(record.lost), *results))
    # All columns but that of the group are numbers. Four may be empty, and are then left out.
    full_table = table(DEED_TITLES, rows, numbers=range(1, len(DEED_TITLES)))
    return without_empty_columns(full_table, ("Hits expected", "Luck", "Captured", "Crew lives"))


def _results_by_group(fought: Fought) -> dict[str, Counter[Return]]:
    """What the cards said of the lost of each group, by the group's id: how many men and models had
    each result."""
    counts: dict[str, Counter[Return]] = {}
    for card in fought.drawn:
        results = counts.setdefault(card.party.group, Counter())
        results[card.result] += card.party.count
    return counts


def _best_of_the_day(state: CampaignState, facts: BattleFacts) -> str:
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


def _rosters(spread: BattleSpread) -> Table:
    """Who was ready for the next battle, by group, and who was not."""
    state = spread.state
    rows = []
    for group in spread.groups.values():
        quality = group.quality
        if group.marks:
            quality += f", {pages.marks_words(group.marks)}"
        ready = counts_in_words(group.ready, state.setup.units)
        totals = [str(group.total(place)) for place in ("away", "prisoner", "gone")]
        rows.append((f"{state.name(group.side)}, {group.name}", quality, ready, *totals))
    titles = ("Group", "Quality", "Ready", "Away", "Captured", "Gone")
    # The first three columns are words, the others numbers.
    return table(titles, rows, numbers=range(3, len(titles)))
