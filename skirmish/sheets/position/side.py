"""One side of a position: its strength, everybody in it, what is to be remembered, its cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from skirmish.games.plastic.battle.names import piece_code, piece_side, slot_piece
from skirmish.games.plastic.battle.rows import break_alarm, side_strength
from skirmish.games.plastic.battle.setup import Side
from skirmish.games.plastic.battle.state import State, window
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.sheets.layout.blocks import Head
from skirmish.sheets.layout.flowables import Canvas, Cell, Drawing, Flowable, Gap, Row, kept
from skirmish.sheets.layout.fonts import LABEL, MEDIUM, WIDE
from skirmish.sheets.layout.text import (
    ASIDE,
    COUNT,
    FORCE,
    SMALL,
    STRONG,
    TERM,
    UNIT,
    Style,
    paragraph,
    write,
)
from skirmish.sheets.paper import BLACK, FAINT, GAP, MM, NORMAL, SideInk
from skirmish.sheets.roster.battle import (
    Group,
    Standing,
    enters,
    groups,
    spans,
    track_of_losses,
    widest_box,
    works_left,
)
from skirmish.tabletop.chance import SUITS, Draw, Source

Block = list[Flowable]
FITS_HEAD = 30
"""Letters of a name that a head surely has room for; a longer one is written out below it."""
_NAME, _COUNT, _BOXES = 25 * MM, 14 * MM, 41 * MM
_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_NAMES = {"S": "Spades", "H": "Hearts", "D": "Diamonds", "C": "Clubs"}
_LEFT = Style(LABEL, 9, 9, "centre", BLACK)
_GONE = Style(MEDIUM, 8, 8, "centre", FAINT)
_SIGN = Style(WIDE, 9, 9)
_SUIT = Style(MEDIUM, 7.6, 7.6)


def side_block(state: State, side: Side, look: SideInk, width: float) -> Block:
    found = groups(state, side.id, firing=True)
    moves = "moves now" if state.mover == side.id and state.outcome is None else ""
    pieces: Block = [Head(side.people, moves, look.ink)]
    if side.name != side.people or len(side.name) > FITS_HEAD:
        pieces.append(kept(paragraph(side.name, FORCE)))
    pieces += [kept(Gap(0.6 * MM)), *_facts(state, side, width), Gap(0.8 * MM)]
    pieces += _units(found, width)
    if works := works_left(state, side):
        pieces += [Gap(1.4), paragraph(works, SMALL, lead="Works left.")]
    for lead, says in remembered(state, side.id):
        pieces += [Gap(1.4), paragraph(says, SMALL, lead=f"{lead}.")]
    if track := track_of_losses(state, side):
        pieces += [Gap(GAP), *track]
    if state.source_of(side.id) == side.id and state.levels[side.id] != "ledger":
        shared = state.source_of(state.setup.enemy_of(side.id).id) == side.id
        head = Head("Cards", "both sides draw from this deck" if shared else "")
        source = state.sources[side.id]
        if source.kind == "die":
            head = Head("Die", "both sides roll it" if shared else "")
        pieces += [Gap(GAP), head, Gap(0.8 * MM), *cards_left(source)]
    return pieces


def _facts(state: State, side: Side, width: float) -> Block:
    lost, whole = state.loss.get(side.id, 0), side_strength(state, side.id)
    at = break_alarm(state, side.id)
    what = f"beaten at {at}" if side.breaks else f"half is {at}; no break point here"
    facts = [("Strength", f"{lost} of {whole} lost; {what}")]
    if side.player:
        facts.append(("Commander", side.player))
    if quality := state.quality_of(side.id):
        facts.append(("Force quality", quality.name))
    if nation := state.nation_of(side.id):
        facts.append(("Traits of", nation.name))
    label = 23 * MM
    return [
        Row(
            [
                Cell(0, label, paragraph(name, TERM)),
                Cell(label, width - label, paragraph(says, UNIT)),
            ],
            above=0.6,
            below=0.8,
        )
        for name, says in facts
    ]


def _units(found: list[Group], width: float) -> Block:
    box = widest_box(found)
    pieces: Block = []
    for group in found:
        if len(found) > 1 or _waits(group):
            pieces += [kept(Gap(1.6)), kept(paragraph(group.contingent.name, STRONG))]
        if _waits(group):
            pieces.append(kept(paragraph(enters(group.contingent), ASIDE)))
        pieces += [_row(standing, box, width) for standing in group.rows]
    return pieces


def _row(standing: Standing, box: float, width: float) -> Row:
    row = standing.row
    pinned = f" ({row.pinned} pinned)" if row.pinned else ""
    cells = [
        Cell(0, _NAME, paragraph(f"{row.unit.name}{pinned}", UNIT)),
        Cell(_NAME, _COUNT, paragraph(f"{len(row.alive)} of {row.total}", COUNT)),
        Cell(_BOXES, width - _BOXES, standing.boxes(box)),
    ]
    return Row(cells, above=1, below=1)


def _waits(group: Group) -> bool:
    return any("to come" in marks for row in group.rows for marks in row.marks)


def remembered(state: State, side: str) -> Iterator[tuple[str, str]]:
    if aboard := list(_aboard(state, side)):
        yield "Aboard", f"{'. '.join(aboard)}."
    own = [piece.id for piece in state.pieces() if piece.side == side and state.is_up(piece.id)]
    if unserved := [piece for piece in own if piece in state.unserved]:
        yield "Not refuelled yet", f"{_codes(unserved)}: may neither move nor fire."
    if turned := [piece for piece in own if piece in state.turned]:
        told = [
            f"{piece_code(piece)} was {state.setup.unit(state.piece(piece).unit).short}, fights on "
            f"as {state.setup.unit(state.unit_of(piece)).short}"
            for piece in turned
        ]
        yield "Weapon broken or left behind", f"{'. '.join(told)}."
    gone = [slot for slot in state.disarmed if slot_piece(slot) in own]
    if disarmed := list(_armed(state, gone)):
        yield "Weapons gone", f"{'. '.join(disarmed)}."
    if fired := list(_have_fired_some(state, own)):
        yield "Has fired, but not with every weapon", f"{'. '.join(fired)}."
    left = [piece for piece in state.exited if piece_side(piece) == side]
    if value := sum(state.exited[piece] for piece in left):
        yield "Exited", f"{_codes(left)}: they count {value} for victory."


def _aboard(state: State, side: str) -> Iterator[str]:
    carriers = dict.fromkeys(state.aboard.values())
    for carrier in carriers:
        riders = state.riders_of(carrier)
        if piece_side(carrier) == side and riders and state.is_up(carrier):
            yield f"{piece_code(carrier)} carries {_codes(riders)}"


def _armed(state: State, slots: Iterable[str]) -> Iterator[str]:
    for slot in sorted(slots, key=_by_code):
        piece = slot_piece(slot)
        yield f"{piece_code(piece)} {_weapons(state, piece)[int(slot.rpartition('/')[2])]}"


def _have_fired_some(state: State, own: Iterable[str]) -> Iterator[str]:
    """The weapons that were used in this part of the turn, of pieces that have others left."""
    now = f"{window(state.clock.phase)}:"
    used = [use.removeprefix(now) for use in state.fired if use.startswith(now)]
    for piece in own:
        slots = [slot for slot in used if slot_piece(slot) == piece]
        if 0 < len(slots) < len(_weapons(state, piece)):
            yield from _armed(state, slots)


def _weapons(state: State, piece: str) -> list[str]:
    setup = state.setup
    unit = setup.unit(state.unit_of(piece))
    return [weapon.name for weapon in setup.catalog.weapons_of(unit, setup.rulings)]


def _codes(pieces: Iterable[str]) -> str:
    return spans(map(piece_code, pieces))


def _by_code(name: str) -> tuple[str, int, str]:
    code = piece_code(name).partition("/")[0]
    return code[:1], int(code[1:] or 0), name


class Cards(Drawing):
    LINE = 4.2 * MM
    NAME = 17 * MM

    def __init__(self, gone: frozenset[Draw]) -> None:
        self.gone = gone

    def height_at(self, width: float) -> float:
        return len(SUITS) * self.LINE

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        slot = (width - self.NAME) / (len(DECK) // len(SUITS))
        strokes = canvas.beginPath()
        for line, suit in enumerate(SUITS):
            base = top - (line + 1) * self.LINE + 1.1 * MM
            write(canvas, x, base, _SIGNS[suit], _SIGN)
            write(canvas, x + 3.6 * MM, base, _NAMES[suit], _SUIT)
            for place, card in enumerate(card for card in DECK if card.suit == suit):
                middle = x + self.NAME + (place + 0.5) * slot
                gone = card in self.gone
                rank = str(card).removesuffix(suit)
                write(canvas, middle, base, rank, _GONE if gone else _LEFT)
                if gone:
                    strokes.moveTo(middle - 2.6, base - 0.8)
                    strokes.lineTo(middle + 2.6, base + 6.4)
        canvas.pen(BLACK, NORMAL * 0.7)
        canvas.drawPath(strokes)


def cards_left(source: Source) -> list[Flowable]:
    """A deck as it lies there, or in a sentence that it is a die."""
    if source.kind == "die":
        return [paragraph("A twelve-sided die: nothing to note.", SMALL)]
    known = frozenset(card for card in source.gone if card.suit)
    aside = frozenset([source.aside]) if source.aside else frozenset()
    says = f"{source.left(DECK)} of {len(DECK)} cards left; drawn cards are struck out."
    pieces: list[Flowable] = [paragraph(says, SMALL), Gap(0.6 * MM), Cards(known | aside)]
    untold = sorted(card for card in source.gone if card.rank and not card.suit)
    if counted := sum(not card.rank for card in source.gone):
        pieces += [
            Gap(1),
            paragraph(f"{counted} cards.", SMALL, lead="Gone too, in counted volleys:"),
        ]
    if untold:
        ranks = ", ".join(map(str, untold))
        pieces += [Gap(1), paragraph(f"{ranks}.", SMALL, lead="Also drawn, suit unknown:")]
    if source.aside:
        says = f"{source.aside.words}, also struck out, returns with the next shuffle."
        pieces += [Gap(1), paragraph(says, SMALL, lead="Not in this shuffle:")]
    return pieces
