"""The sheet of a battle in progress, for finishing it on paper. Its front has the moment on top,
the turns left, both sides beside one another, and below them the rules of the scenario and what is
still to come; its back the map, to draw on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from skirmish import library
from skirmish.games.plastic.battle.names import (
    piece_code,
    piece_side,
    slot_number,
    slot_piece,
    use_slot,
    use_span,
)
from skirmish.games.plastic.battle.orders.resolution import waiting_for
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import Row, breaking_loss, rows, side_strength
from skirmish.games.plastic.battle.setup import Contingent, Side
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.battle.view import seen
from skirmish.games.plastic.report import progress_lines, result_line
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.games.plastic.rules.firing_table import Firing
from skirmish.games.plastic.rules.options import OPTION_NAMES
from skirmish.games.plastic.scenarios import pages
from skirmish.games.plastic.scenarios.scenario import (
    AskAtSetup,
    Charges,
    Darkness,
    DrawTable,
    MayReveal,
    ToggleOnCard,
    moment_of,
)
from skirmish.games.plastic.summary import summary
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.inks import SideInk
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Head, TitleBand, block, listing
from skirmish.sheets.layout.boxes import LOST, UNMARKED, Box, Boxes, FormField, key_of
from skirmish.sheets.layout.flow import (
    Block,
    Flowable,
    Gap,
    NewPage,
    Panel,
    Stack,
    Unbroken,
    depth,
    halves,
    with_next,
)
from skirmish.sheets.layout.fonts import MEDIUM, WIDE
from skirmish.sheets.layout.pages import OwnNotes, PdfDocument, SheetPart, as_pdf
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.tables import Cells, SheetColumn, facts, printed_table
from skirmish.sheets.layout.text import Text, paragraph, terms
from skirmish.sheets.maps.scenario_map import EmptyTable, TableMap
from skirmish.sheets.paper import GAP, GUTTER, MM, Leaf
from skirmish.sheets.plastic import GAME
from skirmish.sheets.reference import firing_table, legend, tables_to_play_by
from skirmish.sheets.roster.battle import (
    enters,
    left_of,
    side_looks,
    spans,
    standing,
    standing_table,
    track_of_losses,
    works_left,
)
from skirmish.sheets.roster.units import GROWN, fitting_in
from skirmish.sheets.scenario.turn_track import TrackSide, TurnCell, TurnTrack
from skirmish.tabletop.chance import SUIT_SIGNS, SUIT_WORDS, SUITS, Source
from skirmish.tabletop.measure import inches

OPEN_TURNS = 12
"""Turns to tick off without a clock."""
TURNS_IN_ROW = 30
"""Turns in a row at most."""
TABLE = "Where everybody stands"
"""The head of the map on the back, and its bookmark."""
UNIT_COLUMNS = SheetColumn("", 24, styles.UNIT), SheetColumn("", 16, styles.COUNT)
"""The columns before the boxes of each unit: its name, and how many are left."""
FITS_HEAD = 30
"""The length of a name that always fits a head; longer ones are printed below it."""
CARD_COLUMNS = (
    SheetColumn("", 4, Style(WIDE, 9, 11)),
    SheetColumn("", 13, Style(MEDIUM, 7.6, 9)),
    SheetColumn("", 0, styles.UNIT),
)
"""The cards left: the sign and the name of a suit, and a box for each rank."""
CARD = 5 * MM
"""The usual width of a card's box."""
CARDS_OF_SUIT = 12
"""Cards of a suit, in three groups; there are no kings."""
CARD_SPACES = 3 * Boxes.BETWEEN_FIVES
"""The room for the spaces between the groups of a suit; there are two, and one is to spare."""


@as_pdf
def position_pdf(page: Leaf, battle: StoredGame) -> PdfDocument:
    """The position of a battle: everything that the table itself does not show. It contains only
    what an onlooker may see: nothing placed in secret, nothing sealed."""
    # A sheet lies open on the table.
    play = seen(battle.play, None)
    state = play.state
    front = _largest_front(play, page)
    tables = _tables(state, page.measure)
    spare = page.depth - depth(front, page.measure)
    story: list[Flowable]
    # Front and back of one sheet of paper; the tables take what room is left on either.
    if spare >= 0:
        on_front = fitting_in(spare - GAP, tables, page.measure)
        story = [*front, Gap(GAP), *on_front, OwnNotes(), NewPage(TABLE)]
        tables = [table for table in tables if table not in on_front]
        map_block = map_to_draw_on(state, page)
        room = page.depth - depth(map_block, page.measure)
        on_back = fitting_in(room, tables, page.measure)
        story += [*map_block, *on_back, table_notes()]
    else:
        # The map goes below what did not fit the first page.
        story = [*front, Gap(GAP), *map_to_draw_on(state, page), table_notes()]
    turn = f"turn {state.clock.turn}, phase {state.clock.phase}"
    title = f"{state.setup.title}: {turn}"
    part = SheetPart(page, story, title, "Position", state.setup.title, turn, GAME)
    return PdfDocument(title, f"{GAME}: battle position", [part])


def _largest_front(play: BattlePlay, page: Leaf) -> list[Flowable]:
    """The front, with the largest boxes that let it fit a page. Room for notes is left if usual
    boxes leave it; if nothing fits, the boxes are usual ones."""
    usual = _front(play, page.measure, 1.0)
    notes = OwnNotes().least(page.measure) + GAP
    room = page.depth
    if depth(usual, page.measure) + notes <= page.depth:
        room -= notes
    for grown in reversed(GROWN):
        front = _front(play, page.measure, grown)
        if depth(front, page.measure) <= room:
            return front
    return usual


def _front(play: BattlePlay, width: float, grown: float) -> list[Flowable]:
    """Everything but the map; ``grown``: the factor for the boxes."""
    state = play.state
    half = (width - GUTTER) / 2
    first, second = state.setup.sides
    first_look, second_look = side_looks(state)
    left = side_block(state, first, first_look, half, grown)
    right = side_block(state, second, second_look, half, grown)
    story: list[Flowable] = [_title_band(state), Gap(GAP), how_it_stands(play), Gap(GAP)]
    if not state.outcome:
        story += [*turns_left(state), Gap(0.6 * MM)]
    story += [*key_of(_all_boxes(state)), Gap(GAP)]
    story += [halves(left, right, width), Gap(GAP), halves(*_rules_and_reminders(state), width)]
    return story


def _tables(state: State, width: float) -> list[Flowable]:
    """What both sides fire with, then the tables of the quick reference; none once it is over."""
    if state.outcome:
        return []
    setup = state.setup
    tables: list[Flowable] = []
    for side in setup.sides:
        units = {row.unit.id: row.unit for row in rows(state, side.id)}
        firing = Firing(setup.catalog, setup.rulings, state.nation_of(side.id))
        if firing.table(list(units.values())):
            table = firing_table(firing, list(units.values()), width, air=0.1)
            signs = paragraph(legend(setup.catalog), styles.NOTE)
            tables.append(block("Firing", side.people, table, Gap(1.4), signs))
    return [*tables, *tables_to_play_by(setup.catalog, setup.rulings, width)]


def _all_boxes(state: State) -> Iterator[Box]:
    """The boxes of both sides, whose marks the key explains."""
    for side in state.setup.sides:
        for _, lines in standing(state, side, with_turn=True):
            for line in lines:
                yield from line.boxes


def _rules_and_reminders(state: State) -> tuple[list[Flowable], list[Flowable]]:
    """Special rules beside reminders and coming events; without special rules, these two side by
    side."""
    rules = listing("Special rules", _special_rules(state))
    reminders = listing("Reminders", _reminders(state))
    coming = to_come(state)
    if not rules:
        return reminders, coming
    if coming:
        return rules, [*reminders, Gap(GAP), *coming]
    return rules, reminders


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
            # In phases 2 to 4 the side that fires need not be the one whose turn it is. A nation
            # without its article leaves a space in front.
            fires = setup.does(state.firing_side, "fire", "fires", article="").strip()
            phase += f", {fires}"
        document = f"Position, to finish on paper · {GAME}"
    return TitleBand("Turn", str(clock.turn), setup.title.upper(), who, phase, document)


def how_it_stands(play: BattlePlay) -> Flowable:
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


class ComingEvent(NamedTuple):
    """What is still to happen, in a turn of a side."""

    turn: int
    people: str
    text: str


def to_come(state: State) -> Block:
    """What is still to come, by turns, and the tables that are drawn from then."""
    lines = []
    for coming in sorted(_coming_events(state), key=attrgetter("turn")):
        when = "Now"
        if coming.turn > state.clock.turn:
            when = f"Turn {coming.turn}"
        lines.append((f"{when}, {coming.people}", coming.text))
    if not lines:
        return []
    return [*listing("Still to come", lines), *table_lines(state)]


def _coming_events(state: State) -> Iterator[ComingEvent]:
    """Who is still to enter, limits in force, tables to be drawn from, and the end; in no order."""
    if state.outcome:
        return
    setup, turn = state.setup, state.clock.turn
    people = {side.id: side.people for side in setup.sides}
    for contingent in setup.contingents:
        codes = _still_waiting(state, contingent)
        if codes:
            text = f"{contingent.name}: {spans(codes)}. {enters(contingent)}"
            yield ComingEvent(contingent.enters, people[contingent.side], text)
    scenario = setup.scenario
    if scenario is not None:
        for limit in scenario.limits:
            # A limit of the past is no reminder.
            if limit.before_turn is None or turn < limit.before_turn:
                yield ComingEvent(turn, people[limit.side], scenario.unmarked(limit.text))
        for happening in scenario.happenings:
            if isinstance(happening, DrawTable):
                text = scenario.unmarked(happening.text)
                # Drawn in every turn from that one on: once it has begun, it stands under the
                # present turn.
                yield ComingEvent(max(happening.from_turn, turn), people[happening.side], text)
    end = setup.ends_after
    if end is not None and turn <= end.turn:
        yield ComingEvent(end.turn, people[end.side], "The battle ends with this player turn.")


def _still_waiting(state: State, contingent: Contingent) -> list[str]:
    """The codes of those of a contingent who are still to enter."""
    codes = []
    for piece in state.pieces():
        is_waiting = piece.id in state.waiting and state.is_up(piece.id)
        if piece.contingent == contingent.id and is_waiting:
            codes.append(piece.code)
    return codes


def _reminders(state: State) -> Iterator[tuple[str, str]]:
    """What is on no table and on no other sheet, each with its term."""
    setup = state.setup
    people = {side.id: side.people for side in setup.sides}
    yield from _events_in_force(state)
    for side in state.sealed:
        # That there is a secret is public; what it is the printed sheet cannot hold.
        have = setup.does(side, "have", "has", article="The")
        yield "Sealed", f"{have} sealed a record; only the program can open it."
    if state.counted is not None:
        counts = [f"{people[side]} {count}" for side, count in state.counted.values.items()]
        yield f"Counted in turn {state.counted.clock.turn}", f"{', '.join(counts)}."
    yield from _agreed(state)
    options = [word for option, word in OPTION_NAMES.items() if getattr(state.options, option)]
    yield "Optional rules played", f"{', '.join(options) or 'None'}."
    for ruling, answer in library.rulings().departures(setup.rulings):
        yield f"Ruling {ruling.id}, {ruling.title}", answer
    text = "Weapons, moves and checks: see the quick reference."
    if setup.scenario:
        text = f"Map and set-up: see the sheet of scenario {setup.scenario.number}. {text}"
    yield "On other sheets", text


def _events_in_force(state: State) -> Iterator[tuple[str, str]]:
    """Which events of the scenario are in force, and that some units may be hidden."""
    scenario = state.setup.scenario
    if scenario is None:
        return
    for happening in scenario.happenings:
        if isinstance(happening, ToggleOnCard):
            text = "Not in force."
            if happening.state in state.toggled:
                text = f"In force, sight {inches(happening.sight_in)}."
            yield _in_words(happening.state), text
        if isinstance(happening, Darkness):
            text = "It is light."
            if happening.holds_on(state.clock.turn):
                text = f"In force, sight {inches(happening.sight_in)}."
            yield "Dark", text
        if isinstance(happening, Charges):
            text = "Still to be drawn for."
            if happening.id in state.blown:
                text = f"They went off: {happening.what} is gone."
            elif happening.id in state.cut:
                text = f"They were cut: {happening.what} stays."
            yield "Charges", text
    if any(isinstance(happening, MayReveal) for happening in scenario.happenings):
        # Said of the scenario, not of the state: the sentence must not tell whether somebody still
        # hides.
        text = "Hidden units are not on this sheet; their player keeps a separate note of them."
        yield "Hidden", text


def _agreed(state: State) -> Iterator[tuple[str, str]]:
    """The answers to questions before play, except units, which stand among the others."""
    questions = {}
    if state.setup.scenario:
        for happening in state.setup.scenario.happenings:
            if isinstance(happening, AskAtSetup):
                questions[happening.id] = happening.question
    for key, answer in state.setup.answers.items():
        # Units that were chosen stand on the table.
        if not isinstance(answer, dict):
            question = questions.get(key, f"{_in_words(key)}:")
            yield "Agreed", f"{question} {str(answer).rstrip('.')}."


def _in_words(id: str) -> str:
    """``sand_storm``: Sand storm."""
    return id.replace("_", " ").capitalize()


def map_to_draw_on(state: State, page: Leaf) -> Block:
    """The scenario's map in lines, or an empty table, to draw figures and losses on."""
    scenario = state.setup.scenario
    table_map: TableMap = EmptyTable()
    if scenario and scenario.map:
        table_map = TableMap(scenario)
    table_map.plain = True  # lines only, also in a sheet in colour: there must be room to draw
    who = "every model and group with its codes"
    if state.options.pinning:
        # Pins are in no box: they are over with the phase.
        who += ", who is pinned"
    text = f"Draw in {who}; take a photograph of the table too."
    head = Head(TABLE, "a square is 12 in")
    map_block = [head, paragraph(text, styles.SMALL), Gap(MM), table_map]
    return [Unbroken(map_block, page.depth), Gap(GAP)]


def table_notes() -> OwnNotes:
    """Lines for what the map does not show."""
    return OwnNotes("Notes on the table", name="places")


class PlayerTurn(NamedTuple):
    """A side's part of a turn; ``part`` is 0 for the side that moves first, 1 for the other. Of two
    the greater is the later."""

    turn: int
    part: int


def turns_left(state: State) -> Block:
    """The turns from the current one to the last, or a dozen without a clock."""
    order = [state.first, state.second]
    current = PlayerTurn(state.clock.turn, order.index(state.clock.side))
    end = _last_player_turn(state, order)
    # Without a clock, and where the battle was fought on beyond it.
    last = current.turn + OPEN_TURNS - 1
    if end is not None and end.turn >= current.turn:
        last = end.turn

    def cell(side: str, turn: int) -> TurnCell:
        """What ``TurnTrack`` prints for a side in a turn."""
        return _turn_cell(state, PlayerTurn(turn, order.index(side)), side, current, end)

    tracks: Block = []
    for first_turn in range(current.turn, last + 1, TURNS_IN_ROW):
        turns = range(first_turn, min(last, first_turn + TURNS_IN_ROW - 1) + 1)
        tracks.append(TurnTrack(_track_sides(state, order), turns, cell, len(turns), 16 * MM))
    return tracks


def _turn_cell(
    state: State, its_turn: PlayerTurn, side: str, current: PlayerTurn, end: PlayerTurn | None
) -> TurnCell:
    """The cell of a player turn: to be ticked off when it is over, struck out where nobody
    moves."""
    turn = its_turn.turn
    tooltip = f"Turn {turn}, {state.setup.side_by_id[side].people}: over"
    field = FormField(f"tick-{side}-turn-{turn}", tooltip)
    if its_turn == current:
        return TurnCell(word="NOW", marked=True, field=field)
    is_past = its_turn < current
    # After the end nobody moves; but a battle that was fought on beyond it has no end.
    is_after_end = end is not None and current <= end < its_turn
    word = ""
    if its_turn == end:
        word = "END"
    return TurnCell(word=word, struck=is_past or is_after_end, field=field)


def _track_sides(state: State, order: Sequence[str]) -> list[TrackSide]:
    """The sides of the turn track, the first to move on top."""
    looks = {}
    for side, look in zip(state.setup.sides, side_looks(state), strict=True):
        looks[side.id] = look
    return [TrackSide(id, state.setup.side_by_id[id].people, looks[id]) for id in order]


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


def _special_rules(state: State) -> Iterator[tuple[str, str]]:
    """The special rules of the scenario, each with its term."""
    setup, scenario = state.setup, state.setup.scenario
    if scenario is None:
        return
    for rule in scenario.special_rules:
        yield rule.name, scenario.unmarked(rule.text)
    for happening in pages.unruled(scenario):
        if not isinstance(happening, DrawTable):  # that is still to come
            yield pages.lead(happening, setup.catalog), scenario.unmarked(happening.text)
    yield from pages.own_units(scenario, setup.catalog, setup.rulings)


def table_lines(state: State) -> Iterator[Text]:
    """The tables of the scenario that are drawn from, as far as no special rule covers them."""
    scenario, catalog = state.setup.scenario, state.setup.catalog
    if scenario is None:
        return
    for happening in scenario.happenings:
        if isinstance(happening, DrawTable) and not happening.rule:
            for draw, lines in pages.draws(happening, catalog):
                yield terms([(f"Draw {draw}:", ""), *lines], styles.SMALL)


def side_block(state: State, side: Side, look: SideInk, width: float, grown: float = 1.0) -> Block:
    """All about a side: its facts, its units, what is to be remembered, its losses, its cards;
    ``grown``: the factor for the boxes."""
    moves = ""
    if state.mover == side.id and state.outcome is None:
        moves = "moves now"
    pieces: Block = [Head(side.people, moves, look.ink)]
    # The head has the people; a name of its own stands below, and so does one that was cut there.
    if side.name != side.people or len(side.name) > FITS_HEAD:
        pieces.append(with_next(paragraph(side.name, styles.FORCE)))
    pieces += [with_next(Gap(0.6 * MM)), _facts(state, side, width), Gap(0.8 * MM)]
    groups = standing(state, side, with_turn=True)
    table = standing_table(width, UNIT_COLUMNS, groups, _row_texts, signs=False, grown=grown)
    pieces.append(table)
    for term, text in (("Works left", works_left(state, side)), *remembered(state, side.id)):
        if text:
            pieces += [Gap(1.4), paragraph(text, styles.SMALL, lead=f"{term}.")]
    track = track_of_losses(state, side, grown)
    if track:
        pieces += [Gap(GAP), *track]
    pieces += _source_block(state, side, width, grown)
    return pieces


def _source_block(state: State, side: Side, width: float, grown: float) -> Block:
    """The deck or die of a side; nothing where it draws from the other's, or beside the program."""
    # At the level of the ledger players draw at the table, and the program knows no cards.
    if state.source_of(side.id) != side.id or state.levels[side.id] == "ledger":
        return []
    source = state.sources[side.id]
    is_shared = state.source_of(state.setup.enemy_of(side.id).id) == side.id
    title, aside = "Cards", "both sides draw from this deck"
    if source.kind == "die":
        title, aside = "Die", "both sides roll it"
    if not is_shared:
        aside = ""
    return [Gap(GAP), Head(title, aside), Gap(0.8 * MM), *cards_left(source, side, width, grown)]


def _row_texts(row: Row) -> tuple[str, str]:
    """What stands before the boxes of a row: the unit, and how many are left."""
    name = row.unit.name
    if row.pinned:
        name += f" ({row.pinned} pinned)"
    return name, left_of(row)


def _facts(state: State, side: Side, width: float) -> Flowable:
    """The losses of a side and when it is beaten, its commander, quality and nation. A side without
    a break point has the same number, half its strength, but is not beaten by it."""
    lost, strength = state.loss.get(side.id, 0), side_strength(state, side.id)
    break_point = breaking_loss(state, side.id)
    beaten = f"half is {break_point}; no break point here"
    if side.breaks:
        beaten = f"beaten at {break_point}"
    lines = [("Strength", f"{lost} of {strength} lost; {beaten}")]
    if side.player:
        lines.append(("Commander", side.player))
    quality, nation = state.quality_of(side.id), state.nation_of(side.id)
    if quality:
        lines.append(("Force quality", quality.name))
    if nation:
        lines.append(("Nationality", nation.name))
    return facts(lines, width, 23, 0.7)


def remembered(state: State, side: str) -> Iterator[tuple[str, str]]:
    """What is not seen on the pieces of a side: a term and a text for each kind that there is."""
    own = [piece.id for piece in state.pieces() if piece.side == side and state.is_up(piece.id)]
    gone = [slot for slot in state.disarmed if slot_piece(slot) in own]
    texts = {
        "Aboard": _sentences(_carried(state, side)),
        "Not refuelled yet": _not_refuelled(state, own),
        "Weapon broken or left behind": _sentences(_became_another_unit(state, own)),
        "Weapons gone": _sentences(_weapons_in(state, gone)),
        "Has fired, but not with every weapon": _sentences(_fired_in_part(state, own)),
        "Exited": _exited(state, side),
    }
    for term, text in texts.items():
        if text:
            yield term, text


def _not_refuelled(state: State, own: Iterable[str]) -> str:
    """Which pieces of a side a scenario still keeps without fuel; empty if none."""
    unserved = [piece for piece in own if piece in state.unserved]
    if not unserved:
        return ""
    return f"{_codes(unserved)}: may neither move nor fire."


def _exited(state: State, side: str) -> str:
    """Who went off the table, as far as that counts."""
    left = [piece for piece in state.exited if piece_side(piece) == side]
    value = sum(state.exited[piece] for piece in left)
    if not value:
        return ""
    return f"{_codes(left)}: they count {value} for victory."


def _sentences(lines: Iterable[str]) -> str:
    """Lines without a full stop as sentences; empty if there are none."""
    text = ". ".join(lines)
    if text:
        text += "."
    return text


def _carried(state: State, side: str) -> Iterator[str]:
    """Who rides in which model."""
    for carrier in dict.fromkeys(state.aboard.values()):
        if piece_side(carrier) == side and state.is_up(carrier):
            riders = state.riders_of(carrier)
            if riders:
                yield f"{piece_code(carrier)} carries {_codes(riders)}"


def _became_another_unit(state: State, own: Iterable[str]) -> Iterator[str]:
    """Who lost his weapon and is another unit now."""
    for piece in own:
        if piece in state.turned:
            before = state.setup.unit(state.piece(piece).unit).short
            present = state.unit(piece).short
            yield f"{piece_code(piece)} was {before}, fights on as {present}"


def _fired_in_part(state: State, own: Iterable[str]) -> list[str]:
    """The weapons that have fired in this part of the turn, of pieces that have others left."""
    used = [use_slot(use) for use in state.fired if use_span(use) == str(state.span)]
    lines: list[str] = []
    for piece in own:
        slots = [slot for slot in used if slot_piece(slot) == piece]
        # Who has fired with everything is marked in his box.
        if 0 < len(slots) < len(_weapons(state, piece)):
            lines += _weapons_in(state, slots)
    return lines


def _weapons_in(state: State, slots: Iterable[str]) -> list[str]:
    """The weapons in these slots, each behind the code of its piece."""

    def by_code(slot: str) -> tuple[str, int, str]:
        # By letter, then by number: R9 before R10.
        code = piece_code(slot_piece(slot))
        return code[:1], int(code[1:]), slot

    lines = []
    for slot in sorted(slots, key=by_code):
        piece = slot_piece(slot)
        weapon = _weapons(state, piece)[slot_number(slot)]
        lines.append(f"{piece_code(piece)} {weapon}")
    return lines


def _weapons(state: State, piece: str) -> list[str]:
    """The names of its weapons, by the numbers of their slots."""
    setup = state.setup
    unit = state.unit(piece)
    return [weapon.name for weapon in setup.catalog.weapons_of(unit, setup.rulings)]


def _codes(pieces: Iterable[str]) -> str:
    return spans([piece_code(piece) for piece in pieces])


def cards_left(source: Source, whose: Side, width: float, grown: float = 1.0) -> list[Flowable]:
    """The deck's remaining cards, or a sentence for a die; ``grown``: the factor for the boxes,
    which stay in one row for each suit."""
    if source.kind == "die":
        return [paragraph("A twelve-sided die: nothing to note.", styles.SMALL)]
    text = f"{source.left(DECK)} of {len(DECK)} cards left; drawn cards are struck out."
    before_boxes = math.fsum(column.mm for column in CARD_COLUMNS) * MM
    widest = (width - before_boxes - CARD_SPACES) / CARDS_OF_SUIT
    box = max(CARD, min(CARD * grown, widest))
    # Where the row is full the boxes do not become higher either.
    grown = min(grown, box / CARD)
    suit_rows: list[Cells] = []
    for suit in SUITS:
        boxes = Boxes(_boxes_of(suit, source, whose), box, grown=grown)
        suit_rows.append([SUIT_SIGNS[suit], SUIT_WORDS[suit].capitalize(), boxes])
    pieces: list[Flowable] = [
        with_next(paragraph(text, styles.SMALL)),
        Gap(0.6 * MM, keep=True),
        printed_table(
            width, CARD_COLUMNS, suit_rows, air=0, tinted=False, pad=0, between=0, middle=True
        ),
    ]
    for term, missing in _not_in_boxes(source):
        pieces += [Gap(1), paragraph(f"{missing}.", styles.SMALL, lead=term)]
    return pieces


def _boxes_of(suit: str, source: Source, whose: Side) -> Iterator[Box]:
    """The cards of a suit; those that are known to be gone are struck out, and have no field."""
    for card in DECK:
        if card.suit != suit:
            continue
        rank = str(card).removesuffix(suit)
        if card in source.gone or card == source.aside:
            yield Box(rank, LOST)
        else:
            tooltip = f"{whose.people}: {card.words} drawn"
            yield Box(rank, UNMARKED, FormField(f"tick-{whose.id}-card-{card}", tooltip))


def _not_in_boxes(source: Source) -> Iterator[tuple[str, str]]:
    """What the boxes do not show: cards that were counted, or whose suit nobody noted, and the card
    that is left out of this shuffle."""
    # A card that a volley only counted has neither rank nor suit.
    counted = sum(not card.rank for card in source.gone)
    if counted:
        yield "Gone too, in counted volleys:", f"{counted} cards"
    ranks = [str(card) for card in sorted(source.gone) if card.rank and not card.suit]
    if ranks:
        yield "Also drawn, suit unknown:", ", ".join(ranks)
    if source.aside:
        back = "also struck out, returns with the next shuffle"
        yield "Not in this shuffle:", f"{source.aside.words}, {back}"
