"""The sheet itself: how front and back are filled, and the blocks that are of neither side. These
are the turns left, the rules of the scenario, reminders, what is still to come, and the map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from skirmish import library
from skirmish.games.plastic.battle.orders.resolution import waiting_for
from skirmish.games.plastic.battle.pieces import Contingent
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.battle.view import seen
from skirmish.games.plastic.report import progress_lines, result_line
from skirmish.games.plastic.rules.firing_table import Firing
from skirmish.games.plastic.rules.options import OPTION_NAMES
from skirmish.games.plastic.scenarios import wording
from skirmish.games.plastic.scenarios.happenings import (
    AskAtSetup,
    Charges,
    Darkness,
    DrawTable,
    MayReveal,
    ToggleOnCard,
)
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.victory_terms import moment_of
from skirmish.games.plastic.summary import summary
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.firing_table import firing_legend, firing_table
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Head, OwnNotes, block, listing
from skirmish.sheets.layout.boxes import Box, key_of_marks
from skirmish.sheets.layout.columns import two_columns
from skirmish.sheets.layout.flow import Block, Flowable, Gap, NewPage, Panel, Stack, Unbroken, depth
from skirmish.sheets.layout.form_fields import FormField
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.layout.pdf_document import PdfDocument, as_pdf
from skirmish.sheets.layout.text import Text, paragraph, terms
from skirmish.sheets.layout.title_band import TitleBand
from skirmish.sheets.maps.scenario_map import EmptyTable, ScenarioMap, TableMap
from skirmish.sheets.paper import GAP, GUTTER, MM, Leaf
from skirmish.sheets.plastic import GAME
from skirmish.sheets.position.side import side_block
from skirmish.sheets.reference import tables_to_play_by
from skirmish.sheets.roster.codes import spans
from skirmish.sheets.roster.roomiest import GROWTHS, fitting_in
from skirmish.sheets.roster.standing import arrival_words, side_looks, standing_contingents
from skirmish.sheets.scenario.turn_track import TrackSide, TurnCell, TurnTrack
from skirmish.tabletop.measure import inches

MAP_TITLE = "Where everybody stands"
"""The head of the map on the back, and its bookmark."""
TURNS_WITHOUT_CLOCK = 12
"""Turns to tick off where no turn is known to be the last: our choice, since no rule names a
number."""
TURNS_IN_ROW = 30
"""Turns in a row at most."""
WIDEST_TURN = 16 * MM


@as_pdf
def position_pdf(leaf: Leaf, battle: StoredGame) -> PdfDocument:
    """The position of a battle: everything that the table itself does not show. It contains only
    what an onlooker may see, since it lies open on the table: nothing placed in secret, nothing
    sealed."""
    play = seen(battle.play, None)  # by an onlooker, who is of no side
    state = play.state
    front = _largest_front(play, leaf)
    spare = leaf.depth - depth(front, leaf.measure)
    if spare >= 0:
        story = _front_and_back(state, front, spare, leaf)
    else:
        # The map goes below what did not fit the first page.
        story = [*front, Gap(GAP), *_map_to_draw_on(state, leaf), _table_notes()]
    turn = f"turn {state.clock.turn}, phase {state.clock.phase}"
    title = f"{state.setup.title}: {turn}"
    part = SheetPart(leaf, story, title, "Position", state.setup.title, turn, GAME)
    return PdfDocument(title, f"{GAME}: battle position", [part])


def _front_and_back(state: State, front: Block, spare: float, leaf: Leaf) -> list[Flowable]:
    """Both sides of one sheet of paper; tables to play by take what room is left on either.
    ``spare``: the room below the ``front``, in points."""
    tables = _tables(state, leaf.measure)
    on_front = fitting_in(spare - GAP, tables, leaf.measure)
    map_block = _map_to_draw_on(state, leaf)
    room_on_back = leaf.depth - depth(map_block, leaf.measure)
    other_tables = [table for table in tables if table not in on_front]
    on_back = fitting_in(room_on_back, other_tables, leaf.measure)
    return [
        *front,
        Gap(GAP),
        *on_front,
        OwnNotes(),
        NewPage(MAP_TITLE),
        *map_block,
        *on_back,
        _table_notes(),
    ]


def _largest_front(play: BattlePlay, leaf: Leaf) -> list[Flowable]:
    """The front, with the largest boxes with which it fits a page; if it fits with none, with boxes
    of the usual size. Larger boxes never take the room for notes that usual ones leave."""
    usual = _front(play, leaf.measure, 1.0)
    for_notes = OwnNotes().least_height(leaf.measure) + GAP
    room = leaf.depth
    if depth(usual, leaf.measure) + for_notes <= leaf.depth:
        room -= for_notes
    for growth in reversed(GROWTHS):
        front = _front(play, leaf.measure, growth)
        if depth(front, leaf.measure) <= room:
            return front
    return usual


def _front(play: BattlePlay, width: float, growth: float) -> list[Flowable]:
    """Everything but the map; ``growth``: the factor for the boxes."""
    state = play.state
    half = (width - GUTTER) / 2
    first, second = state.setup.sides
    first_look, second_look = side_looks(state)
    first_block = side_block(state, first, first_look, half, growth)
    second_block = side_block(state, second, second_look, half, growth)
    story: list[Flowable] = [_title_band(state), Gap(GAP), _moment_panel(play), Gap(GAP)]
    if not state.outcome:
        story += [*_turns_left(state), Gap(0.6 * MM)]
    lower = _rules_and_reminders(state)
    story += [*key_of_marks(_all_boxes(state)), Gap(GAP)]
    story += [
        two_columns(first_block, second_block, width),
        Gap(GAP),
        two_columns(lower.left, lower.right, width),
    ]
    return story


def _all_boxes(state: State) -> Iterator[Box]:
    """The boxes of both sides, whose marks the key explains."""
    for side in state.setup.sides:
        # With the marks of this turn, such as who has fired: the blocks of the sides show them.
        for contingent in standing_contingents(state, side, marks_of_turn=True):
            for standing_row in contingent.standing_rows:
                yield from standing_row.boxes


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
            fires = setup.does(state.firing_side, "fire", "fires", article="")
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


# ------------------------------------------------------------------ the turns that are left


class PlayerTurn(NamedTuple):
    """A side's part of a turn. Player turns are compared in the order of play: ``part`` is 0 for
    the side that moves first, 1 for the other."""

    turn: int
    part: int


def _turns_left(state: State) -> Block:
    """The turns from the current one to the last, as a track to tick off; a dozen where none is the
    last."""
    order = [state.first, state.second_side]
    current = PlayerTurn(state.clock.turn, order.index(state.clock.side))
    end = _last_player_turn(state, order)
    # The turn after the last of the track. Without an end, and beyond it, a dozen turns follow.
    stop = current.turn + TURNS_WITHOUT_CLOCK
    if end is not None and end.turn >= current.turn:
        stop = end.turn + 1

    def cell(side: str, turn: int) -> TurnCell:
        """What ``TurnTrack`` prints for a side in a turn."""
        player_turn = PlayerTurn(turn, order.index(side))
        return _turn_cell(state, side, player_turn, current, end)

    sides = _track_sides(state, order)
    tracks: Block = []
    for first_turn in range(current.turn, stop, TURNS_IN_ROW):
        turns = range(first_turn, min(stop, first_turn + TURNS_IN_ROW))
        tracks.append(TurnTrack(sides, turns, cell, len(turns), WIDEST_TURN))
    return tracks


def _turn_cell(
    state: State, side: str, player_turn: PlayerTurn, current: PlayerTurn, end: PlayerTurn | None
) -> TurnCell:
    """The cell of a player turn: struck out if it is over already or if nobody moves in it, else to
    be ticked off when it is over."""
    turn = player_turn.turn
    tooltip = f"Turn {turn}, {state.setup.side_by_id[side].people}: over"
    field = FormField(f"tick-{side}-turn-{turn}", tooltip)
    if player_turn == current:
        return TurnCell(word="NOW", marked=True, field=field)
    is_past = player_turn < current
    # After the end nobody moves; but a battle that was fought on beyond it has no end any more.
    was_fought_on = end is not None and end < current
    is_after_end = end is not None and end < player_turn and not was_fought_on
    word = ""
    if player_turn == end:
        word = "END"
    return TurnCell(word=word, struck=is_past or is_after_end, field=field)


def _track_sides(state: State, order: Sequence[str]) -> list[TrackSide]:
    """The sides of the turn track, the first to move on top."""
    side_by_id = state.setup.side_by_id
    looks = dict(zip(side_by_id, side_looks(state), strict=True))
    return [TrackSide(id, side_by_id[id].people, looks[id]) for id in order]


def _last_player_turn(state: State, order: Sequence[str]) -> PlayerTurn | None:
    """The last player turn: by the clock, else the one in which victory is decided."""
    setup = state.setup
    if setup.ends_after is not None:
        return PlayerTurn(setup.ends_after.turn, order.index(setup.ends_after.side))
    if setup.scenario is not None:
        decided = moment_of(setup.scenario.victory)
        if decided is not None:
            return PlayerTurn(decided.turn, order.index(decided.side))
    return None


# ------------------------------------------------------------------ rules and reminders


class LowerColumns(NamedTuple):
    """What stands in the two columns below the sides."""

    left: list[Flowable]
    right: list[Flowable]


def _rules_and_reminders(state: State) -> LowerColumns:
    """Special rules beside reminders and coming events; without special rules, reminders beside
    coming events."""
    rules = listing("Special rules", _special_rules(state))
    to_remember = listing("Reminders", _reminders(state))
    coming = _to_come(state)
    if not rules:
        return LowerColumns(to_remember, coming)
    if coming:
        return LowerColumns(rules, [*to_remember, Gap(GAP), *coming])
    return LowerColumns(rules, to_remember)


def _special_rules(state: State) -> Iterator[tuple[str, str]]:
    """The special rules of the scenario and its special units, each with its term."""
    setup, scenario = state.setup, state.setup.scenario
    if scenario is None:
        return
    for rule in scenario.special_rules:
        yield rule.name, scenario.unmarked(rule.text)
    for happening in wording.happenings_without_rule(scenario):
        # Tables to draw from stand below what is still to come.
        if not isinstance(happening, DrawTable):
            yield (
                wording.happening_heading(happening, setup.catalog),
                scenario.unmarked(happening.text),
            )
    yield from wording.special_units(scenario, setup.catalog, setup.rulings)


def _reminders(state: State) -> Iterator[tuple[str, str]]:
    """What is to be known besides: events in force, sealed records, counts, answers before play,
    options and rulings; each with its term."""
    setup = state.setup
    people = {side.id: side.people for side in setup.sides}
    yield from _events_in_force(state)
    for side in state.sealed:
        # That there is a secret is public; its content must not be on a sheet for both sides.
        side_has = setup.does(side, "have", "has", article="The")
        yield "Sealed", f"{side_has} sealed a record; only the program can open it."
    if state.eye_count is not None:
        counts = [f"{people[side]} {count}" for side, count in state.eye_count.values.items()]
        yield f"Counted in turn {state.eye_count.clock.turn}", f"{', '.join(counts)}."
    yield from _agreed(state)
    yield "Optional rules played", f"{_options_in_words(state)}."
    for ruling, answer in library.rulings().departures(setup.rulings):
        yield f"Ruling {ruling.id}, {ruling.title}", answer
    other_sheets = "Weapons, moves and checks: see the quick reference."
    if setup.scenario:
        of_scenario = f"Map and set-up: see the sheet of scenario {setup.scenario.number}."
        other_sheets = f"{of_scenario} {other_sheets}"
    yield "On other sheets", other_sheets


def _options_in_words(state: State) -> str:
    """``Hull down, Snipers``: the optional rules that are played, or ``None``."""
    played = []
    for option, name in OPTION_NAMES.items():
        is_played: bool = getattr(state.options, option)
        if is_played:
            played.append(name)
    if not played:
        return "None"
    return ", ".join(played)


def _events_in_force(state: State) -> Iterator[tuple[str, str]]:
    """How the events of the scenario stand, each with its term, and that units may be hidden."""
    scenario = state.setup.scenario
    if scenario is None:
        return
    for happening in scenario.happenings:
        match happening:
            case ToggleOnCard():
                text = "Not in force."
                if happening.state in state.toggled:
                    text = f"In force, sight {inches(happening.sight_in)}."
                yield _in_words(happening.state), text
            case Darkness():
                text = "It is light."
                if happening.holds_on(state.clock.turn):
                    text = f"In force, sight {inches(happening.sight_in)}."
                yield "Dark", text
            case Charges():
                yield "Charges", _fate_of_charges(state, happening)
    if any(isinstance(happening, MayReveal) for happening in scenario.happenings):
        # This depends on the scenario alone, not on the state: otherwise the sentence would reveal
        # whether anybody is still hidden.
        text = "Hidden units are not on this sheet; their player keeps a separate note of them."
        yield "Hidden", text


def _fate_of_charges(state: State, charges: Charges) -> str:
    """Whether charges went off, were cut, or are still to be drawn for."""
    if charges.id in state.blown:
        return f"They went off: {charges.what} is gone."
    if charges.id in state.cut:
        return f"They were cut: {charges.what} stays."
    return "Still to be drawn for."


def _agreed(state: State) -> Iterator[tuple[str, str]]:
    """The answers to questions before play."""
    questions: dict[str, str] = {}
    if state.setup.scenario:
        for happening in state.setup.scenario.happenings:
            if isinstance(happening, AskAtSetup):
                questions[happening.id] = happening.question
    for key, answer in state.setup.answers.items():
        # An answer that chooses units is a dict of their counts: these units are on the sheet
        # already, among those of their side.
        if isinstance(answer, dict):
            continue
        # The file of a battle from elsewhere may answer what our scenario does not ask.
        question = questions.get(key, f"{_in_words(key)}:")
        # Players typed some of the answers, with or without a full stop.
        sentence = str(answer).rstrip(".") + "."
        yield "Agreed", f"{question} {sentence}"


def _in_words(id: str) -> str:
    """An id as words: ``Sand storm`` for ``sand_storm``."""
    return id.replace("_", " ").capitalize()


# ------------------------------------------------------------------ what is still to come


class ComingEvent(NamedTuple):
    """What is still to happen in a turn of a side; ``people``: the name of the side's people."""

    turn: int
    people: str
    text: str


def _to_come(state: State) -> Block:
    """What is still to come, turn by turn, and the tables that are drawn from then; empty if
    nothing is."""
    lines = []
    for event in sorted(_coming_events(state), key=attrgetter("turn")):
        when = "Now"
        if event.turn > state.clock.turn:
            when = f"Turn {event.turn}"
        lines.append((f"{when}, {event.people}", event.text))
    if not lines:
        return []
    return [*listing("Still to come", lines), *_table_lines(state)]


def _coming_events(state: State) -> Iterator[ComingEvent]:
    """Who is still to enter, limits in force, tables to be drawn from, and the end; in no order."""
    if state.outcome:
        return
    setup, turn = state.setup, state.clock.turn
    people = {side.id: side.people for side in setup.sides}
    for contingent in setup.contingents:
        codes = _still_waiting(state, contingent)
        if codes:
            text = f"{contingent.name}: {spans(codes)}. {arrival_words(contingent)}"
            yield ComingEvent(contingent.enters, people[contingent.side], text)
    if setup.scenario is not None:
        yield from _coming_by_scenario(state, setup.scenario)
    end = setup.ends_after
    if end is not None and turn <= end.turn:
        yield ComingEvent(end.turn, people[end.side], "The battle ends with this player turn.")


def _coming_by_scenario(state: State, scenario: Scenario) -> Iterator[ComingEvent]:
    """The limits of a scenario that are in force, and its tables to be drawn from."""
    turn = state.clock.turn
    people = {side.id: side.people for side in state.setup.sides}
    for limit in scenario.limits:
        if limit.before_turn is None or turn < limit.before_turn:
            yield ComingEvent(turn, people[limit.side], scenario.unmarked(limit.text))
    for happening in scenario.happenings:
        if isinstance(happening, DrawTable):
            # It is drawn from in every turn from ``from_turn`` on: once that is past, it belongs to
            # the present turn.
            next_draw = max(happening.from_turn, turn)
            text = scenario.unmarked(happening.text)
            yield ComingEvent(next_draw, people[happening.side], text)


def _still_waiting(state: State, contingent: Contingent) -> list[str]:
    """The codes of those of a contingent who are still to enter."""
    codes = []
    for piece in state.pieces():
        is_waiting = piece.id in state.waiting and state.is_in_play(piece.id)
        if piece.contingent == contingent.id and is_waiting:
            codes.append(piece.code)
    return codes


def _table_lines(state: State) -> Iterator[Text]:
    """The tables to draw from that stand in no special rule, a paragraph for each draw."""
    scenario, catalog = state.setup.scenario, state.setup.catalog
    if scenario is None:
        return
    for happening in scenario.happenings:
        if isinstance(happening, DrawTable) and not happening.rule:
            for draw, lines in wording.draws_of_table(happening, catalog):
                yield terms([(f"Draw {draw}:", ""), *lines], styles.SMALL)


# ------------------------------------------------------------------ tables and map


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


def _map_to_draw_on(state: State, leaf: Leaf) -> Block:
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
    head = Head(MAP_TITLE, "a square is 12 in")
    map_block = [head, paragraph(text, styles.SMALL), Gap(MM), table_map]
    return [Unbroken(map_block, leaf.depth), Gap(GAP)]


def _table_notes() -> OwnNotes:
    """Lines for what the map does not show."""
    return OwnNotes("Notes on the table", name="places")
