"""The front of the play sheet: the beach, the turn with its tables, and the cards."""

from __future__ import annotations

from skirmish.games.beach_head import wording
from skirmish.games.beach_head.ruleset import Ruleset, signs
from skirmish.sheets import inks
from skirmish.sheets.beach_head.phases import phase_table, side_by_side, tables_of
from skirmish.sheets.beach_head.picture import Beach
from skirmish.sheets.beach_head.printed_game import PrintedGame, rulings_in_full, side_band
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Head, block
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.flow import Flowable, Gap, Stack
from skirmish.sheets.layout.fonts import LABEL, MEDIUM, TITLE
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.layout.text_lines import fitted, write
from skirmish.sheets.paper import MM, THIN
from skirmish.tabletop.chance import Draw

FRONT_TITLE = "The turn"
_CARD_RANK = Style(TITLE, 15, 15, "centre")
_CARD_NAME = Style(MEDIUM, 6.8, 6.8, "centre", inks.QUIET)
_CARD_USE = Style(LABEL, 7.6, 7.6, "centre")


def front_of_sheet(
    game: PrintedGame, width: float, *, air: float, rulings_on_back: bool
) -> list[Flowable]:
    """The front in a column of that width; ``air``: points above and below the lines of the phases.
    If the rulings are on the back, the front only says which they are."""
    wins = " and ".join(defence.name.lower() for defence in game.ruleset.defence if defence.wins)
    aim = f"until {wins} are gone; the fewer squads lost, the better"
    tables = tables_of(game.first_state)
    phases = phase_table(game, tables, width, air)
    return [
        Stack([side_band(game, "1", FRONT_TITLE), Gap(1.6 * MM), Beach(game.setup)]),
        Stack([Head("The turn", aim), phases, *_rulings(game, on_back=rulings_on_back)]),
        block(
            "Tables",
            "a result off a table counts as the nearest row",
            side_by_side(tables, width),
        ),
        block(
            "Cards",
            "any suit; on German dice too",
            CardRow(game.ruleset),
            Gap(1.2 * MM),
            paragraph(_rule_of_hand(game.ruleset), styles.SMALL),
        ),
    ]


def _rulings(game: PrintedGame, *, on_back: bool) -> list[Flowable]:
    """The changed rulings, or only their ids if they are on the back; nothing without any."""
    if not game.changed_rulings:
        return []
    if not on_back:
        return [Gap(1.2 * MM), rulings_in_full(game, "Rulings other than the default:")]
    ids = ", ".join(ruling.id for ruling in game.changed_rulings)
    text = f"Rulings other than the default (see side 2): {ids}."
    return [Gap(1.2 * MM), paragraph(text, styles.SMALL)]


def _rule_of_hand(ruleset: Ruleset) -> str:
    """When cards are drawn, exchanged and discarded."""
    hand = ruleset.hand
    return (
        f"Fill the hand to {hand.full} at the start of a turn, then exchange up to "
        f"{hand.redraw} cards once; keep {hand.keep} at its end. When the deck is empty, the "
        "discards are shuffled. Modifiers still apply to a die that a card has set."
    )


class CardRow(Drawing):
    """The cards side by side: rank, name, and use."""

    TALL = 14.5 * MM

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        wide = width / len(self.ruleset.card)
        for number, card in enumerate(self.ruleset.card):
            left = x + number * wide
            middle, room = left + wide / 2, wide - 3
            canvas.pen(inks.BLACK, THIN, inks.WHITE)
            canvas.roundRect(left + 1, top - self.TALL, wide - 2, self.TALL, 2.6, fill=1)
            rank = fitted(signs([Draw(card.rank)]), _CARD_RANK, room)
            write(canvas, middle, top - 6 * MM, rank, _CARD_RANK)
            write(canvas, middle, top - 9.4 * MM, fitted(card.name, _CARD_NAME, room), _CARD_NAME)
            use = fitted(wording.card_use(self.ruleset, card), _CARD_USE, room)
            write(canvas, middle, top - 12.8 * MM, use, _CARD_USE)
