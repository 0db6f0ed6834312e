"""The sheet itself: how front and back are filled, and the blocks that are of neither side."""

from __future__ import annotations

from collections.abc import Iterator

from skirmish.games.plastic.battle.orders.resolution import waiting_for
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.battle.view import seen
from skirmish.games.plastic.report import progress_lines, result_line
from skirmish.games.plastic.rules.firing_table import Firing
from skirmish.games.plastic.summary import summary
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.firing_table import firing_legend, firing_table
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Head, OwnNotes, block, listing
from skirmish.sheets.layout.boxes import Box, key_of_marks
from skirmish.sheets.layout.columns import two_columns
from skirmish.sheets.layout.flow import Block, Flowable, Gap, NewPage, Panel, Stack, Unbroken, depth
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.layout.pdf_document import PdfDocument, as_pdf
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.layout.title_band import TitleBand
from skirmish.sheets.maps.scenario_map import EmptyTable, ScenarioMap, TableMap
from skirmish.sheets.paper import GAP, GUTTER, MM, Leaf
from skirmish.sheets.plastic import GAME
from skirmish.sheets.position.coming import to_come
from skirmish.sheets.position.reminders import reminders, special_rules
from skirmish.sheets.position.side import side_block
from skirmish.sheets.position.turns import turns_left
from skirmish.sheets.reference import tables_to_play_by
from skirmish.sheets.roster.roomiest import GROWTHS, fitting_in
from skirmish.sheets.roster.standing import side_looks, standing

TABLE = "Where everybody stands"
"""The head of the map on the back, and its bookmark."""


@as_pdf
def position_pdf(page: Leaf, battle: StoredGame) -> PdfDocument:
    """The position of a battle: everything that the table itself does not show. It contains only
    what an onlooker may see, since it lies open on the table: nothing placed in secret, nothing
    sealed."""
    play = seen(battle.play, None)
    state = play.state
    front = _largest_front(play, page)
    spare = page.depth - depth(front, page.measure)
    if spare >= 0:
        story = _front_and_back(state, front, spare, page)
    else:
        # The map goes below what did not fit the first page.
        story = [*front, Gap(GAP), *_map_to_draw_on(state, page), _table_notes()]
    turn = f"turn {state.clock.turn}, phase {state.clock.phase}"
    title = f"{state.setup.title}: {turn}"
    part = SheetPart(page, story, title, "Position", state.setup.title, turn, GAME)
    return PdfDocument(title, f"{GAME}: battle position", [part])


def _front_and_back(state: State, front: Block, spare: float, page: Leaf) -> list[Flowable]:
    """Both sides of one sheet of paper; tables to play by take what room is left on either.
    ``spare``: the room below the ``front``, in points."""
    tables = _tables(state, page.measure)
    on_front = fitting_in(spare - GAP, tables, page.measure)
    map_block = _map_to_draw_on(state, page)
    room_on_back = page.depth - depth(map_block, page.measure)
    other_tables = [table for table in tables if table not in on_front]
    on_back = fitting_in(room_on_back, other_tables, page.measure)
    return [
        *front,
        Gap(GAP),
        *on_front,
        OwnNotes(),
        NewPage(TABLE),
        *map_block,
        *on_back,
        _table_notes(),
    ]


def _largest_front(play: BattlePlay, page: Leaf) -> list[Flowable]:
    """The front, with the largest boxes with which it fits a page; if it fits with none, with boxes
    of the usual size. Larger boxes never take the room for notes that usual ones leave."""
    usual = _front(play, page.measure, 1.0)
    for_notes = OwnNotes().least_height(page.measure) + GAP
    room = page.depth
    if depth(usual, page.measure) + for_notes <= page.depth:
        room -= for_notes
    for growth in reversed(GROWTHS):
        front = _front(play, page.measure, growth)
        if depth(front, page.measure) <= room:
            return front
    return usual


def _front(play: BattlePlay, width: float, growth: float) -> list[Flowable]:
    """Everything but the map; ``growth``: the factor for the boxes."""
    state = play.state
    half = (width - GUTTER) / 2
    first, second = state.setup.sides
    first_look, second_look = side_looks(state)
    left = side_block(state, first, first_look, half, growth)
    right = side_block(state, second, second_look, half, growth)
    story: list[Flowable] = [_title_band(state), Gap(GAP), _moment_panel(play), Gap(GAP)]
    if not state.outcome:
        story += [*turns_left(state), Gap(0.6 * MM)]
    story += [*key_of_marks(_all_boxes(state)), Gap(GAP)]
    story += [
        two_columns(left, right, width),
        Gap(GAP),
        two_columns(*_rules_and_reminders(state), width),
    ]
    return story


def _all_boxes(state: State) -> Iterator[Box]:
    """The boxes of both sides, whose marks the key explains."""
    for side in state.setup.sides:
        for contingent in standing(state, side, with_turn=True):
            for line in contingent.lines:
                yield from line.boxes


def _title_band(state: State) -> Flowable:
    """Whose move it is and which phase, or that the battle is over."""
    clock, setup = state.clock, state.setup
    mover = setup.side_by_id[clock.side].people
    if state.outcome:
        who, phase = "The battle is over", f"in turn {clock.turn}, {mover} to move"
        document = f"Position · {GAME}"
    else:
        who, phase = f"{mover} to move", f"Phase {clock.phase}: {PHASES[clock.phase].lower()}"
        if clock.phase > 1:
            # In phases 2 to 4 the side that fires need not be the one whose turn it is. Where there
            # is no article, ``does`` leaves a space in front of the nation.
            fires = setup.does(state.firing_side, "fire", "fires", article="").strip()
            phase += f", {fires}"
        document = f"Position, to finish on paper · {GAME}"
    return TitleBand("Turn", str(clock.turn), setup.title.upper(), who, phase, document)


def _moment_panel(play: BattlePlay) -> Flowable:
    """The moment in a panel: result or progress, what is waited for, and what victory takes."""
    state = play.state
    lines: Block = []
    if state.outcome:
        lines.append(paragraph(result_line(summary(play)), styles.LEAD))
    for line in progress_lines(play):
        lines.append(paragraph(line, styles.LEAD))
    if state.outcome is None:
        waits = waiting_for(state)
        if waits:
            lines += [Gap(1), paragraph(waits.message, styles.STRONG)]
    if state.movement_over:
        text = "no more movement in this player turn."
        lines += [Gap(1), paragraph(text, styles.SMALL, lead="Command:")]
    lines += [Gap(1.2), paragraph(state.setup.victory, styles.ASIDE, lead="Victory.")]
    return Panel(Stack(lines))


def _rules_and_reminders(state: State) -> tuple[list[Flowable], list[Flowable]]:
    """The contents of two columns: special rules beside reminders and coming events; without
    special rules, reminders beside coming events."""
    rules = listing("Special rules", special_rules(state))
    to_remember = listing("Reminders", reminders(state))
    coming = to_come(state)
    if not rules:
        return to_remember, coming
    if coming:
        return rules, [*to_remember, Gap(GAP), *coming]
    return rules, to_remember


def _tables(state: State, width: float) -> list[Flowable]:
    """What both sides fire with, then the tables of the quick reference; none once the battle is
    over."""
    if state.outcome:
        return []
    setup = state.setup
    tables: list[Flowable] = []
    for side in setup.sides:
        # Several rows may be of the same unit.
        unit_by_id = {row.unit.id: row.unit for row in rows(state, side.id)}
        units = list(unit_by_id.values())
        firing = Firing(setup.catalog, setup.rulings, state.nation_of(side.id))
        if firing.table(units):
            table = firing_table(firing, units, width, air=0.1)
            signs = paragraph(firing_legend(setup.catalog), styles.NOTE)
            tables.append(block("Firing", side.people, table, Gap(1.4), signs))
    return [*tables, *tables_to_play_by(setup.catalog, setup.rulings, width)]


def _map_to_draw_on(state: State, page: Leaf) -> Block:
    """The scenario's map in lines, or an empty table, to draw figures and losses on."""
    scenario = state.setup.scenario
    table_map: TableMap = EmptyTable()
    if scenario and scenario.map:
        table_map = ScenarioMap(scenario)
    # There are only lines, even on a sheet in colour: they leave room to draw.
    table_map.plain = True
    to_draw = "every model and group with its codes"
    if state.options.pinning:
        # No box shows who is pinned, since that ends with the phase.
        to_draw += ", who is pinned"
    text = f"Draw in {to_draw}; take a photograph of the table too."
    head = Head(TABLE, "a square is 12 in")
    map_block = [head, paragraph(text, styles.SMALL), Gap(MM), table_map]
    return [Unbroken(map_block, page.depth), Gap(GAP)]


def _table_notes() -> OwnNotes:
    """Lines for what the map does not show."""
    return OwnNotes("Notes on the table", name="places")
