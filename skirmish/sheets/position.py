"""The sheet of a battle in progress, for finishing it on paper: the moment on top, the turns left,
both sides beside one another; below them the rules of the scenario and what is still to come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import itemgetter

from skirmish import library
from skirmish.games.plastic.battle.names import piece_code, piece_side, slot_piece
from skirmish.games.plastic.battle.orders.resolution import waiting_for
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import Row, break_alarm, side_strength
from skirmish.games.plastic.battle.setup import Side
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.battle.view import seen
from skirmish.games.plastic.report import progress_lines, result_line
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.games.plastic.rules.options import WORDS
from skirmish.games.plastic.scenarios import pages
from skirmish.games.plastic.scenarios.scenario import (
    AskAtSetup,
    DrawTable,
    MayReveal,
    ToggleOnCard,
    moment_of,
)
from skirmish.games.plastic.summary import summary
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.inks import SideInk
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Head, TitleBand, listing
from skirmish.sheets.layout.boxes import LOST, NONE, Box, Boxes, FormField, key_of
from skirmish.sheets.layout.flow import (
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
from skirmish.sheets.layout.tables import Cells, facts, printed_table
from skirmish.sheets.layout.text import Text, paragraph, terms
from skirmish.sheets.maps.scenario_map import EmptyTable, MapPiece
from skirmish.sheets.paper import GAP, GUTTER, MM, Leaf
from skirmish.sheets.plastic import GAME
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
from skirmish.sheets.scenario.turn_track import TurnCell, TurnTrack
from skirmish.tabletop.chance import SUITS, Source
from skirmish.tabletop.measure import inches

Block = list[Flowable]
OPEN_TURNS = 12
"""Turns to tick off without a clock."""
IN_ROW = 30
TABLE = "Where everybody stands"
COLUMNS = ("", 24, styles.UNIT), ("", 16, styles.COUNT)
FITS_HEAD = 30
"""The length of a name that always fits a head; longer ones are printed below it."""
_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_NAMES = {"S": "Spades", "H": "Hearts", "D": "Diamonds", "C": "Clubs"}
PACK = ("", 4, Style(WIDE, 9, 11)), ("", 13, Style(MEDIUM, 7.6, 9)), ("", 0, styles.UNIT)
CARD = 5 * MM


@as_pdf
def position_pdf(page: Leaf, battle: StoredGame) -> PdfDocument:
    """The position of a battle: everything that the table itself does not show. It contains only
    what an onlooker may see: nothing placed in secret, nothing sealed."""
    play = seen(battle.play, None)
    state = play.state
    width = page.measure
    half = (width - GUTTER) / 2
    top: list[Flowable] = [_band(state), Gap(GAP), stands(play), Gap(GAP)]
    everybody = (box for side in state.setup.sides
                 for _, lines in standing(state, side, firing=True)
                 for _, boxes in lines for box in boxes)  # fmt: skip
    track = [] if state.outcome else [*turns_left(state), Gap(0.6 * MM)]
    top += [*track, *key_of(everybody), Gap(GAP)]
    left, right = (
        side_block(state, side, look, half)
        for side, look in zip(state.setup.sides, side_looks(state), strict=True)
    )
    story = [*top, halves(left, right, width), Gap(GAP), halves(*_below(state), width)]
    apart = depth(story, width) <= page.depth
    story += [OwnNotes(), NewPage(TABLE)] if apart else [Gap(GAP)]
    story += to_draw(state, page)
    turn = f"turn {state.clock.turn}, phase {state.clock.phase}"
    title = f"{state.setup.title}: {turn}"
    part = SheetPart(page, story, title, "Position", state.setup.title, turn, GAME)
    return PdfDocument(title, f"{GAME}: battle position", [part])


def _below(state: State) -> tuple[list[Flowable], list[Flowable]]:
    """Special rules beside reminders and coming events; without special rules, these two side by
    side."""
    rules, mind = listing("Special rules", _ruled(state)), listing("Reminders", _known(state))
    come = to_come(state)
    if not rules:
        return mind, come
    return rules, [*mind, Gap(GAP), *come] if come else mind


def _band(state: State) -> Flowable:
    clock, setup = state.clock, state.setup
    mover = setup.side_by_id[clock.side].people
    fires = setup.does(state.firing_side, "fire", "fires", "").strip()
    first = "The battle is over" if state.outcome else f"{mover} to move"
    second = f"Phase {clock.phase}: {PHASES[clock.phase].lower()}"
    if clock.phase > 1:
        second += f", {fires}"
    if state.outcome:
        second = f"in turn {clock.turn}, {mover} to move"
    last = f"Position{'' if state.outcome else ', to finish on paper'} · {GAME}"
    title = setup.title.upper()
    return TitleBand("Turn", str(clock.turn), title, first, second, last)


def stands(play: BattlePlay) -> Flowable:
    state = play.state
    lines: Block = []
    if state.outcome:
        lines.append(paragraph(result_line(summary(play)), styles.LEAD))
    lines += [paragraph(line, styles.LEAD) for line in progress_lines(play)]
    waits = waiting_for(state) if state.outcome is None else None
    if waits:
        lines += [Gap(1), paragraph(waits.message, styles.STRONG)]
    if state.movement_over:
        lines += [
            Gap(1),
            paragraph("no more movement in this player turn.", styles.SMALL, lead="Command:"),
        ]
    lines += [Gap(1.2), paragraph(state.setup.victory, styles.ASIDE, lead="Victory.")]
    return Panel(Stack(lines))


def to_come(state: State) -> Block:
    now, entries = state.clock.turn, sorted(_to_come(state), key=itemgetter(0))
    found = listing("Still to come", (
        (f"{'Now' if turn <= now else f'Turn {turn}'}, {who}", text) for turn, who, text in entries
    ))  # fmt: skip
    return [*found, *table_lines(state)] if found else []


def _to_come(state: State) -> Iterator[tuple[int, str, str]]:
    if state.outcome:
        return
    setup, turn = state.setup, state.clock.turn
    people = {side.id: side.people for side in setup.sides}
    for group in setup.contingents:
        waiting = [p for p in state.pieces() if p.contingent == group.id and p.id in state.waiting]
        waiting = [piece for piece in waiting if state.is_up(piece.id)]
        if waiting:
            codes = spans(piece.code for piece in waiting)
            text = f"{group.name}: {codes}. {enters(group)}"
            yield group.enters, people[group.side], text
    if (scenario := setup.scenario) is not None:
        for limit in scenario.limits:
            if limit.before_turn is None or turn < limit.before_turn:
                yield turn, people[limit.side], scenario.unmarked(limit.text)
        for kind in scenario.happenings:
            if isinstance(kind, DrawTable):
                text = scenario.unmarked(kind.text)
                yield max(kind.from_turn, turn), people[kind.side], text
    if setup.ends_after is not None and turn <= setup.ends_after.turn:
        side = people[setup.ends_after.side]
        yield setup.ends_after.turn, side, "The battle ends with this player turn."


def _known(state: State) -> Iterator[tuple[str, str]]:
    setup = state.setup
    people = {side.id: side.people for side in setup.sides}
    happenings = setup.scenario.happenings if setup.scenario else ()
    for kind in happenings:
        if isinstance(kind, ToggleOnCard):
            on = kind.state in state.toggled
            now = f"In force, sight {inches(kind.sight_in)}." if on else "Not in force."
            yield kind.state.replace("_", " ").capitalize(), now
    if any(isinstance(kind, MayReveal) for kind in happenings):
        text = "Hidden units are not on this sheet; their player keeps a separate note of them."
        yield "Hidden", text
    for side in state.sealed:
        have = setup.does(side, "have", "has", "The")
        yield "Sealed", f"{have} sealed a record; only the program can open it."
    if state.counted is not None:
        lines = ", ".join(f"{people[side]} {n}" for side, n in state.counted.values.items())
        yield f"Counted in turn {state.counted.clock.turn}", f"{lines}."
    asked = {one.id: one.question for one in happenings if isinstance(one, AskAtSetup)}
    for key, answer in setup.answers.items():
        if not isinstance(answer, dict):  # units that were chosen stand among the others
            question = asked.get(key, f"{key.replace('_', ' ').capitalize()}:")
            yield "Agreed", f"{question} {str(answer).rstrip('.')}."
    played = [word for option, word in WORDS.items() if getattr(state.options, option)]
    yield "Optional rules played", f"{', '.join(played)}." if played else "None."
    for ruling, answer in library.rulings().departures(setup.rulings):
        yield f"Ruling {ruling.id}, {ruling.title}", answer
    text = "Weapons, moves and checks: see the quick reference."
    if setup.scenario:
        text = f"Map and set-up: see the sheet of scenario {setup.scenario.number}. {text}"
    yield "On other sheets", text


def to_draw(state: State, page: Leaf) -> Block:
    """The scenario's map in lines, or an empty table, to draw figures and losses on."""
    scenario = state.setup.scenario
    piece = MapPiece(scenario) if scenario and scenario.map else EmptyTable()
    piece.plain = True
    pinned = ", who is pinned" if state.options.pinning else ""
    text = (
        f"Draw in every model and group with its codes{pinned}; take a photograph of the table too."
    )
    drawn = [Head(TABLE, "a square is 12 in"), paragraph(text, styles.SMALL), Gap(MM), piece]
    return [Unbroken(drawn, page.depth), OwnNotes("Notes on the table", "places")]


def turns_left(state: State) -> Block:
    """The turns from the current one to the last, or a dozen without a clock."""
    now, end = state.clock.turn, _end(state)
    last = end[1] if end and end[1] >= now else now + OPEN_TURNS - 1
    order = [state.first, state.second]
    here = (now, order.index(state.clock.side))

    def cell(side: str, turn: int) -> TurnCell:
        at = turn, order.index(side)
        ends = (end[1], order.index(end[0])) if end else None
        tooltip = f"Turn {turn}, {state.setup.side_by_id[side].people}: over"
        own = FormField(f"tick-{side}-turn-{turn}", tooltip)
        if at == here:
            return TurnCell(word="NOW", marked=True, field=own)
        over = at < here or (ends is not None and here <= ends < at)
        return TurnCell(word="END" if at == ends else "", struck=over, field=own)

    sides = [(side.id, side.people, look)
             for side, look in zip(state.setup.sides, side_looks(state), strict=True)]  # fmt: skip
    sides.sort(key=lambda side: order.index(side[0]))
    return [
        TurnTrack(sides, turns, cell, len(turns), 16 * MM)
        for first in range(now, last + 1, IN_ROW)
        if (turns := range(first, min(last, first + IN_ROW - 1) + 1))
    ]


def _end(state: State) -> tuple[str, int] | None:
    setup = state.setup
    if setup.ends_after is not None:
        return setup.ends_after.side, setup.ends_after.turn
    moment = moment_of(setup.scenario.victory) if setup.scenario else None
    return (moment.side, moment.turn) if moment else None


def _ruled(state: State) -> Iterator[tuple[str, str]]:
    setup = state.setup
    if (scenario := setup.scenario) is None:
        return
    for rule in scenario.special_rules:
        yield rule.name, scenario.unmarked(rule.text)
    for kind in pages.unruled(scenario):
        if not isinstance(kind, DrawTable):  # that is still to come
            yield pages.lead(kind, setup.catalog), scenario.unmarked(kind.text)
    yield from pages.own_units(scenario, setup.catalog, setup.rulings)


def table_lines(state: State) -> Iterator[Text]:
    scenario, catalog = state.setup.scenario, state.setup.catalog
    for kind in scenario.happenings if scenario else ():
        if isinstance(kind, DrawTable) and not kind.rule:  # otherwise the special rule covers it
            for draw, rows in pages.draws(kind, catalog):
                yield terms([(f"Draw {draw}:", ""), *rows], styles.SMALL)


def side_block(state: State, side: Side, look: SideInk, width: float) -> Block:
    found = standing(state, side, firing=True)
    moves = "moves now" if state.mover == side.id and state.outcome is None else ""
    pieces: Block = [Head(side.people, moves, look.ink)]
    if side.name != side.people or len(side.name) > FITS_HEAD:
        pieces.append(with_next(paragraph(side.name, styles.FORCE)))
    pieces += [with_next(Gap(0.6 * MM)), _facts(state, side, width), Gap(0.8 * MM)]
    pieces.append(standing_table(width, COLUMNS, found, _row_texts, signs=False))
    for term, text in (("Works left", works_left(state, side)), *remembered(state, side.id)):
        if text:
            pieces += [Gap(1.4), paragraph(text, styles.SMALL, lead=f"{term}.")]
    if track := track_of_losses(state, side):
        pieces += [Gap(GAP), *track]
    if state.source_of(side.id) == side.id and state.levels[side.id] != "ledger":
        shared = state.source_of(state.setup.enemy_of(side.id).id) == side.id
        head = Head("Cards", "both sides draw from this deck" if shared else "")
        source = state.sources[side.id]
        if source.kind == "die":
            head = Head("Die", "both sides roll it" if shared else "")
        pieces += [Gap(GAP), head, Gap(0.8 * MM), *cards_left(source, side, width)]
    return pieces


def _row_texts(row: Row) -> tuple[str, str]:
    pinned = f" ({row.pinned} pinned)" if row.pinned else ""
    return f"{row.unit.name}{pinned}", left_of(row)


def _facts(state: State, side: Side, width: float) -> Flowable:
    lost, whole = state.loss.get(side.id, 0), side_strength(state, side.id)
    at = break_alarm(state, side.id)
    what = f"beaten at {at}" if side.breaks else f"half is {at}; no break point here"
    quality, nation = state.quality_of(side.id), state.nation_of(side.id)
    rows = [
        ("Strength", f"{lost} of {whole} lost; {what}"),
        ("Commander", side.player),
        ("Force quality", quality.name if quality else ""),
        ("Traits of", nation.name if nation else ""),
    ]
    return facts([row for row in rows if row[1]], width, 23, 0.7)


def remembered(state: State, side: str) -> Iterator[tuple[str, str]]:
    carried = [
        f"{piece_code(carrier)} carries {_codes(riders)}"
        for carrier in dict.fromkeys(state.aboard.values())
        if piece_side(carrier) == side and state.is_up(carrier)
        and (riders := state.riders_of(carrier))
    ]  # fmt: skip
    own = [piece.id for piece in state.pieces() if piece.side == side and state.is_up(piece.id)]
    unserved = [piece for piece in own if piece in state.unserved]
    turned = [
        f"{piece_code(piece)} was {state.setup.unit(state.piece(piece).unit).short}, fights on "
        f"as {state.unit(piece).short}"
        for piece in own
        if piece in state.turned
    ]
    gone = [slot for slot in state.disarmed if slot_piece(slot) in own]
    now = f"{state.span}:"
    used = [use.removeprefix(now) for use in state.fired if use.startswith(now)]
    partly: list[str] = []
    for piece in own:
        slots = [slot for slot in used if slot_piece(slot) == piece]
        if 0 < len(slots) < len(_weapons(state, piece)):
            partly += _armed(state, slots)
    left = [piece for piece in state.exited if piece_side(piece) == side]
    value = sum(state.exited[piece] for piece in left)
    for term, lines in (
        ("Aboard", carried),
        ("Not refuelled yet", [f"{_codes(unserved)}: may neither move nor fire"] * bool(unserved)),
        ("Weapon broken or left behind", turned),
        ("Weapons gone", _armed(state, gone)),
        ("Has fired, but not with every weapon", partly),
        ("Exited", [f"{_codes(left)}: they count {value} for victory"] * bool(value)),
    ):
        if lines:
            yield term, f"{'. '.join(lines)}."


def _armed(state: State, slots: Iterable[str]) -> list[str]:
    """The weapons in these slots, each behind the code of its piece."""

    def by_code(slot: str) -> tuple[str, int, str]:
        code = piece_code(slot).partition("/")[0]
        return code[:1], int(code[1:] or 0), slot

    return [
        f"{piece_code(piece)} {_weapons(state, piece)[int(slot.rpartition('/')[2])]}"
        for slot in sorted(slots, key=by_code)
        if (piece := slot_piece(slot))
    ]


def _weapons(state: State, piece: str) -> list[str]:
    setup = state.setup
    unit = state.unit(piece)
    return [weapon.name for weapon in setup.catalog.weapons_of(unit, setup.rulings)]


def _codes(pieces: Iterable[str]) -> str:
    return spans(map(piece_code, pieces))


def cards_left(source: Source, whose: Side, width: float) -> list[Flowable]:
    """The deck's remaining cards, or a sentence for a die."""
    if source.kind == "die":
        return [paragraph("A twelve-sided die: nothing to note.", styles.SMALL)]
    known = frozenset(card for card in source.gone if card.suit)
    known |= {source.aside} if source.aside else frozenset()
    rows: list[Cells] = []
    for suit in SUITS:
        boxes = []
        for card in (card for card in DECK if card.suit == suit):
            own = FormField(f"tick-{whose.id}-card-{card}", f"{whose.people}: {card.words} drawn")
            rank = str(card).removesuffix(suit)
            boxes.append(Box(rank, LOST) if card in known else Box(rank, NONE, own))
        rows.append([_SIGNS[suit], _NAMES[suit], Boxes(boxes, CARD)])
    text = f"{source.left(DECK)} of {len(DECK)} cards left; drawn cards are struck out."
    pieces = [
        with_next(paragraph(text, styles.SMALL)),
        Gap(0.6 * MM, keep=True),
        printed_table(width, PACK, rows, air=0, tinted=False, pad=0, between=0, middle=True),
    ]
    ranks = ", ".join(str(card) for card in sorted(source.gone) if card.rank and not card.suit)
    counted = sum(not card.rank for card in source.gone)
    back = "also struck out, returns with the next shuffle"
    for term, text in (
        ("Gone too, in counted volleys:", f"{counted} cards" if counted else ""),
        ("Also drawn, suit unknown:", ranks),
        ("Not in this shuffle:", f"{source.aside.words}, {back}" if source.aside else ""),
    ):
        if text:
            pieces += [Gap(1), paragraph(f"{text}.", styles.SMALL, lead=term)]
    return pieces
