"""Draws that a player made himself and tells: one or several, in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skirmish.games.plastic.battle.agenda import DrawAsk, RepeatAsk
from skirmish.games.plastic.battle.events import Laid
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.orders import Show
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.tabletop.chance import Draw, Source
from skirmish.tabletop.refusal import Refusal, Refused, nonsense

if TYPE_CHECKING:
    from skirmish.games.plastic.battle.resolve import Resolution

_SUITS = 4


def show(run: Resolution, order: Show) -> None:
    """Lay the draws down to be read; raises Refused for what no deck or die can show, and advises
    against a card that is gone: if it is true, one that was typed before it was not.

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
    twice = gone_before(draws, source)
    if isinstance(awaited, DrawAsk) and awaited.rank is not None:
        first = draws[0]
        if not first.suit or first.rank != awaited.rank:
            rank = Draw(awaited.rank, "S").words.partition(" ")[0]
            raise nonsense("suit_missing", f"Which suit had the {rank}? S, H, D or C.")
        draws = (*draws, *state.hand[1:])
    if twice and not order.insist:
        raise gone_twice(twice[0])
    run.emit(Laid(source=key, draws=draws, twice=twice))
    run.go_on()


def gone_twice(gone: Draw) -> Refused:
    """The advice against a card that has gone."""
    says = f"The {gone.words if gone.suit else _rank(gone)} has gone since the last shuffle"
    says += ": one of the two was mistyped."
    return Refused(Refusal("card_gone", says, "Equipment Needed"))


def gone_before(draws: tuple[Draw, ...], source: Source) -> tuple[Draw, ...]:
    """Those of the draws that cannot have come again before a shuffle; raises Refused for what is
    on no card or face."""
    if source.kind == "die":
        for draw in draws:
            if draw.suit is not None:
                says = f"This side plays with a die: a d{DIE} roll, 1 to {DIE}, not {draw}."
                raise nonsense("wrong_draw", says)
            if not 1 <= draw.rank <= DIE:
                raise nonsense("no_such_face", f"A d{DIE} shows 1 to {DIE}, not {draw.rank}.")
        return ()
    twice: list[Draw] = []
    for draw in draws:
        if not 1 <= draw.rank <= DIE or (draw.suit and draw not in DECK):
            raise nonsense("no_such_card", f"{draw} is not in the deck of 48; the Kings are out.")
        if source.left(DECK) <= 0:
            source = source.shuffle()
        seen = [*source.gone, *((source.aside,) if source.aside else ())]
        of_rank = sum(card.rank == draw.rank for card in seen)
        if (draw.suit and draw in seen) or of_rank >= _SUITS:
            twice.append(draw)
        source = source.drawn(draw)
    return tuple(twice)


def _rank(draw: Draw) -> str:
    return f"last {Draw(draw.rank, 'S').words.partition(' ')[0]}"
