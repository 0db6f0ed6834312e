"""Draws that a player made himself and tells: one or several, in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skirmish.games.plastic.battle.agenda import DrawAsk, RepeatAsk
from skirmish.games.plastic.battle.events import Laid
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.orders import Show
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.tabletop.chance import Draw, Source
from skirmish.tabletop.refusal import nonsense

if TYPE_CHECKING:
    from skirmish.games.plastic.battle.resolve import Resolution

_SUITS = 4


def show(run: Resolution, order: Show) -> None:
    """Lay the draws down to be read; raises Refused for what cannot have been drawn.

    Draws beyond the one awaited go into repeat shots at the same row, so that a chain can be told
    in one line; ``RepeatAsk`` takes them too.
    """
    state = run.state
    if not order.draws:
        raise nonsense("no_draw", "Type what was drawn.")
    if isinstance(state.ask, RepeatAsk):
        side = piece_side(state.ask.shot.piece)
    else:
        side = run.waiting_for_draw().side
    key = state.source_of(side)
    source = state.sources[key]
    if not source.typed:
        raise nonsense("no_draw", "The program draws for this side.")
    awaited = state.ask
    draws = order.draws
    if source.kind == "deck":  # a rank alone is a card whose suit was not told
        draws = tuple(Draw(draw.rank, draw.suit or "") for draw in draws)
    if isinstance(awaited, DrawAsk) and awaited.rank is not None:
        first = draws[0]
        if not first.suit or first.rank != awaited.rank:
            rank = Draw(awaited.rank, "S").words.partition(" ")[0]
            raise nonsense("suit_missing", f"Which suit had the {rank}? S, H, D or C.")
        draws = (*draws, *state.hand[1:])
    _check(draws, source)
    run.emit(Laid(source=key, draws=draws))
    run.go_on()


def _check(draws: tuple[Draw, ...], source: Source) -> None:
    """A card that has gone since the last shuffle cannot come again."""
    if source.kind == "die":
        for draw in draws:
            if draw.suit is not None:
                says = f"This side plays with a die: a d{DIE} roll, 1 to {DIE}, not {draw}."
                raise nonsense("wrong_draw", says)
            if not 1 <= draw.rank <= DIE:
                raise nonsense("no_such_face", f"A d{DIE} shows 1 to {DIE}, not {draw.rank}.")
        return
    for draw in draws:
        if not 1 <= draw.rank <= DIE or (draw.suit and draw not in DECK):
            raise nonsense("no_such_card", f"{draw} is not in the deck of 48; the Kings are out.")
        if source.left(DECK) <= 0:
            source = source.shuffle()
        seen = [*source.gone, *((source.aside,) if source.aside else ())]
        of_rank = sum(card.rank == draw.rank for card in seen)
        if (draw.suit and draw in seen) or of_rank >= _SUITS:
            says = f"The {draw.words if draw.suit else _rank(draw)} has gone since the last shuffle"
            raise nonsense("card_gone", f"{says}; look at the card again.")
        source = source.drawn(draw)


def _rank(draw: Draw) -> str:
    return f"last {Draw(draw.rank, 'S').words.partition(' ')[0]}"
