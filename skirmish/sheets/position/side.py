"""A side of a battle in progress: its facts, its units with notes on them, its losses and its
cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from skirmish.games.plastic.battle.names import (
    piece_code,
    piece_side,
    slot_of_weapon,
    use_turn_part,
    use_weapon,
    weapon_piece,
)
from skirmish.games.plastic.battle.rows import Row
from skirmish.games.plastic.battle.setup import Side
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.strength import breaking_loss, side_strength
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.sheets.inks import SideInk
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Head
from skirmish.sheets.layout.boxes import LOST, UNMARKED, Box, Boxes
from skirmish.sheets.layout.flow import Block, Flowable, Gap, with_next
from skirmish.sheets.layout.fonts import MEDIUM, WIDE
from skirmish.sheets.layout.form_fields import FormField
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.tables import Cells, SheetColumn, facts, printed_table
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.paper import GAP, MM
from skirmish.sheets.roster.codes import letter_and_number, spans
from skirmish.sheets.roster.losses import loss_track_of_side
from skirmish.sheets.roster.standing import (
    how_many_left,
    standing_contingents,
    standing_table,
    works_left,
)
from skirmish.tabletop.chance import SUIT_SIGNS, SUIT_WORDS, SUITS, Source

UNIT_COLUMNS = SheetColumn("", 24, styles.UNIT), SheetColumn("", 16, styles.COUNT)
"""The columns before the boxes of each unit: its name, and how many are left."""
LONGEST_IN_HEAD = 30
"""The length in letters up to which any name fits a head; a longer one is printed below it."""
SIGN_WIDTH, NAME_WIDTH = 4, 13
"""The widths in millimetres of the columns with the sign and the name of a suit."""
CARD_COLUMNS = (
    SheetColumn("", SIGN_WIDTH, Style(WIDE, 9, 11)),
    SheetColumn("", NAME_WIDTH, Style(MEDIUM, 7.6, 9)),
    SheetColumn("", 0, styles.UNIT),
)
"""A row for each suit: its sign, its name, and a box for each rank."""
CARD_WIDTH = 5 * MM
"""The usual width of the box of a card."""
CARDS_OF_SUIT = 12
"""The deck of these rules has no kings."""
CARD_SPACES = 3 * Boxes.BETWEEN_FIVES
"""The room for the spaces between the fives of a suit: there are two, and one is to spare."""


def side_block(state: State, side: Side, look: SideInk, width: float, growth: float = 1.0) -> Block:
    """All about a side: its facts, its units with notes on them, its losses, its cards; ``growth``:
    the factor for the boxes."""
    mover_words = ""
    if state.mover == side.id and state.outcome is None:
        mover_words = "moves now"
    story: Block = [Head(side.people, mover_words, look.ink)]
    # The head has the people; a name of its own stands below, and so does one that was cut there.
    if side.name != side.people or len(side.name) > LONGEST_IN_HEAD:
        story.append(with_next(paragraph(side.name, styles.FORCE)))
    story += [with_next(Gap(0.6 * MM)), _facts(state, side, width), Gap(0.8 * MM)]
    contingents = standing_contingents(state, side, marks_of_turn=True)
    story.append(
        standing_table(width, UNIT_COLUMNS, contingents, _row_texts, signs=False, growth=growth)
    )

    notes = list(piece_notes(state, side.id))
    works = works_left(state, side)
    if works:
        notes.insert(0, ("Works left", works))
    for term, text in notes:
        story += [Gap(1.4), paragraph(text, styles.SMALL, lead=f"{term}.")]

    track = loss_track_of_side(state, side, growth)
    if track:
        story += [Gap(GAP), *track]
    story += _cards_or_die(state, side, width, growth)
    return story


def _facts(state: State, side: Side, width: float) -> Flowable:
    """The losses of a side and when it is beaten, its commander, quality and nation."""
    lost, strength = state.loss.get(side.id, 0), side_strength(state, side.id)
    break_point = breaking_loss(state, side.id)
    # The sheet names half the strength also for a side that is not beaten by that loss.
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
    return facts(lines, width, name_width=23, air=0.7)


def _row_texts(row: Row) -> tuple[str, str]:
    """What stands before the boxes of a row: the unit, and how many are left."""
    name = row.unit.name
    if row.pinned:
        name += f" ({row.pinned} pinned)"
    return name, how_many_left(row)


# ------------------------------------------------------------------ notes on the units


def piece_notes(state: State, side: str) -> Iterator[tuple[str, str]]:
    """What is seen neither on the pieces of a side nor in their boxes: who rides in what, which
    weapons are gone, what those who left count for. A term and a text for each matter of which
    there is anything to say."""
    fighting = []
    for piece in state.pieces():
        if piece.side == side and state.is_in_play(piece.id):
            fighting.append(piece.id)
    broken_weapons = [weapon for weapon in state.disarmed if weapon_piece(weapon) in fighting]
    texts = {
        "Aboard": _sentences(_carried(state, side)),
        "Not refuelled yet": _not_refuelled(state, fighting),
        "Weapon broken or left behind": _sentences(_became_another_unit(state, fighting)),
        "Weapons gone": _sentences(_weapons_by_code(state, broken_weapons)),
        "Has fired, but not with every weapon": _sentences(_fired_in_part(state, fighting)),
        "Exited": _exited(state, side),
    }
    for term, text in texts.items():
        if text:
            yield term, text


def _carried(state: State, side: str) -> Iterator[str]:
    """Who rides in which model."""
    carriers = dict.fromkeys(state.aboard.values())  # each once, in the order of loading
    for carrier in carriers:
        if piece_side(carrier) == side and state.is_in_play(carrier):
            riders = state.riders_of(carrier)
            if riders:
                yield f"{piece_code(carrier)} carries {_codes(riders)}"


def _not_refuelled(state: State, pieces: Iterable[str]) -> str:
    """Which of the pieces have no fuel yet, by the rules of the scenario; empty if none."""
    unserved = [piece for piece in pieces if piece in state.unserved]
    if not unserved:
        return ""
    return f"{_codes(unserved)}: may neither move nor fire."


def _became_another_unit(state: State, pieces: Iterable[str]) -> Iterator[str]:
    """Who lost his weapon and is another unit now."""
    for piece in pieces:
        if piece in state.turned:
            before = state.setup.unit(state.piece(piece).unit).short
            present = state.unit(piece).short
            yield f"{piece_code(piece)} was {before}, fights on as {present}"


def _weapons_by_code(state: State, weapons: Iterable[str]) -> list[str]:
    """The weapons with these ids, each behind the code of its piece, in the order of the codes."""

    def code_and_slot(weapon: str) -> tuple[str, int, int]:
        letter, number = letter_and_number(piece_code(weapon_piece(weapon)))
        return letter, number, slot_of_weapon(weapon)

    lines = []
    for weapon in sorted(weapons, key=code_and_slot):
        piece = weapon_piece(weapon)
        name = _weapon_names(state, piece)[slot_of_weapon(weapon)]
        lines.append(f"{piece_code(piece)} {name}")
    return lines


def _weapon_names(state: State, piece: str) -> list[str]:
    """The names of the weapons of a piece; the number of a slot is the index of its weapon."""
    setup = state.setup
    unit = state.unit(piece)
    return [weapon.name for weapon in setup.catalog.weapons_of(unit, setup.rulings)]


def _fired_in_part(state: State, pieces: Iterable[str]) -> list[str]:
    """The weapons that have fired in this part of the turn, of pieces that have others left."""
    used_weapons = []
    for use in state.fired:
        if use_turn_part(use) == state.turn_part:
            used_weapons.append(use_weapon(use))
    lines: list[str] = []
    for piece in pieces:
        used_of_piece = [weapon for weapon in used_weapons if weapon_piece(weapon) == piece]
        # Of a piece that has fired every weapon, the mark in its box says enough.
        if used_of_piece and len(used_of_piece) < len(_weapon_names(state, piece)):
            lines += _weapons_by_code(state, used_of_piece)
    return lines


def _exited(state: State, side: str) -> str:
    """Who left the table; empty where that does not count for victory."""
    exited = [piece for piece in state.exited if piece_side(piece) == side]
    points = sum(state.exited[piece] for piece in exited)
    if points == 0:
        return ""
    if len(exited) == 1:
        return f"{_codes(exited)}: it counts {points} for victory."
    return f"{_codes(exited)}: they count {points} for victory."


def _sentences(lines: Iterable[str]) -> str:
    """Lines without a full stop, each as a sentence; empty if there are none."""
    return " ".join(f"{line}." for line in lines)


def _codes(pieces: Iterable[str]) -> str:
    """``K1, R4 to R13``."""
    return spans([piece_code(piece) for piece in pieces])


# ------------------------------------------------------------------ cards


def _cards_or_die(state: State, side: Side, width: float, growth: float) -> Block:
    """The cards that a side has left, or its die; nothing where it draws from the other side's
    deck, or where the program is not told what is drawn."""
    draws_from_enemy_deck = state.source_of(side.id) != side.id
    # At the level of the ledger players draw at the table, and the program knows no cards.
    if draws_from_enemy_deck or state.levels[side.id] == "ledger":
        return []
    source = state.sources[side.id]
    title, words_if_shared = "Cards", "both sides draw from this deck"
    if source.kind == "die":
        title, words_if_shared = "Die", "both sides roll it"
    aside = ""
    enemy = state.setup.enemy_of(side.id)
    if state.source_of(enemy.id) == side.id:
        aside = words_if_shared
    return [Gap(GAP), Head(title, aside), Gap(0.8 * MM), *cards_left(source, side, width, growth)]


def cards_left(source: Source, side: Side, width: float, growth: float = 1.0) -> list[Flowable]:
    """The cards of the deck of a side, to be struck out as they are drawn, or a sentence for its
    die; ``growth``: the factor for the boxes, as far as those of a suit still fit one row."""
    if source.kind == "die":
        return [paragraph("A twelve-sided die: nothing to note.", styles.SMALL)]
    text = f"{source.cards_left(DECK)} of {len(DECK)} cards left; drawn cards are struck out."
    before_boxes = (SIGN_WIDTH + NAME_WIDTH) * MM
    widest = (width - before_boxes - CARD_SPACES) / CARDS_OF_SUIT
    box_width = max(CARD_WIDTH, min(CARD_WIDTH * growth, widest))
    # Where the row is full the boxes do not become higher either.
    growth_that_fits = min(growth, box_width / CARD_WIDTH)
    suit_rows: list[Cells] = []
    for suit in SUITS:
        boxes = Boxes(_boxes_of(suit, source, side), box_width, growth=growth_that_fits)
        suit_rows.append([SUIT_SIGNS[suit], SUIT_WORDS[suit].capitalize(), boxes])
    blocks: list[Flowable] = [
        with_next(paragraph(text, styles.SMALL)),
        Gap(0.6 * MM, keep=True),
        printed_table(
            width, CARD_COLUMNS, suit_rows, air=0, tinted=False, pad=0, between=0, middle=True
        ),
    ]
    for term, missing in _not_in_boxes(source):
        blocks += [Gap(1), paragraph(f"{missing}.", styles.SMALL, lead=term)]
    return blocks


def _boxes_of(suit: str, source: Source, side: Side) -> Iterator[Box]:
    """A box for each card of a suit. Those that cannot be drawn are struck out, and have no form
    field: the cards known to be drawn, and the one left out of this shuffle."""
    for card in DECK:
        if card.suit != suit:
            continue
        if card in source.gone or card == source.aside:
            yield Box(card.rank_sign, LOST)
        else:
            tooltip = f"{side.people}: {card.words} drawn"
            yield Box(card.rank_sign, UNMARKED, FormField(f"tick-{side.id}-card-{card}", tooltip))


def _not_in_boxes(source: Source) -> Iterator[tuple[str, str]]:
    """What the boxes do not show, each with its term: cards that were only counted, cards whose
    suit nobody noted, and why the card that is left out of this shuffle is struck out."""
    # A card that a volley only counted has neither rank nor suit.
    counted = [card for card in source.gone if not card.rank]
    if counted:
        yield "Gone too, in counted volleys:", f"{len(counted)} cards"
    without_suit = [card for card in sorted(source.gone) if card.rank and not card.suit]
    if without_suit:
        yield "Also drawn, suit unknown:", ", ".join(str(card) for card in without_suit)
    if source.aside:
        back = "also struck out, returns with the next shuffle"
        yield "Not in this shuffle:", f"{source.aside.words}, {back}"
