"""Draws that players make themselves and type: which of them are possible, and how they are laid
ready for the steps of the agenda, which use them one by one (``Resolution.draw``)."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish.games.plastic.battle import agenda, events
from skirmish.games.plastic.battle.orders.resolution import Answer, Resolution
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.tabletop.chance import SUITS, Draw, Source
from skirmish.tabletop.refusal import Refusal, Refused, nonsense

_HIGHEST_RANK = DIE
"""The queen: a deck without its Kings has as many ranks as the die that stands for it has faces."""


class Show(Answer, frozen=True, tag="show"):
    """A player's own draws; more of them than are needed now are for the next shots."""

    anyway = "takes the card, and the journal says so."

    draws: tuple[Draw, ...]
    insist: bool = False
    """Whether a card is accepted that is already gone."""

    def carry_out(self, run: Resolution) -> None:
        state, ask = run.state, run.state.ask
        if not self.draws:
            raise nonsense("no_draw", "Type what was drawn.")
        if not isinstance(ask, agenda.RepeatAsk | agenda.DrawAsk):
            raise nonsense("no_draw", "No card or roll is needed now.")
        # Both questions are for one side: it draws from its own deck.
        (side,) = ask.sides(state.setup)
        waiting: tuple[Draw, ...] = ()
        if isinstance(ask, agenda.DrawAsk) and ask.rank is not None:
            # Only the suit of the first card in hand was missing: it is put there again with its
            # suit, and those typed after it follow.
            _refuse_other_card(self.draws[0], ask.rank)
            waiting = state.hand[1:]
        # The steps of the agenda take from the hand until nothing is left.
        put_in_hand(run, side, self.draws, waiting, insist=self.insist)
        run.go_on()


def _refuse_other_card(draw: Draw, rank: int) -> None:
    """Raises Refused unless it is a card of that rank, of which only the suit is asked, with its
    suit."""
    if not draw.suit or draw.rank != rank:
        text = f"Which suit had the {Draw(rank, '').rank_words}? S, H, D or C."
        raise nonsense("suit_missing", text)


def put_in_hand(
    run: Resolution,
    side: str,
    typed: tuple[Draw, ...],
    waiting: tuple[Draw, ...] = (),
    *,
    insist: bool,
) -> None:
    """Puts a player's own draws into the hand, in front of those that are ``waiting`` there. Raises
    Refused; with ``insist`` a card that is already gone is accepted."""
    source_id = run.state.source_of(side)
    source = run.state.sources[source_id]
    if not source.typed:
        raise nonsense("no_draw", "The program draws for this side.")
    draws = tuple(as_drawn_from(source, draw) for draw in typed)
    twice = already_gone(draws, source)
    # A mistyped card is likelier than a deck with two of them; the players may still know better.
    if twice and not insist:
        raise refused_as_gone(twice[0])
    run.emit(events.DrawsTyped(source=source_id, draws=(*draws, *waiting), twice=twice))


def as_drawn_from(source: Source, draw: Draw) -> Draw:
    """The draw as that source gives it. A bare rank is read as the face of a die, whose suit is
    None. If the source is a deck, it is a card whose suit is not known, an empty text."""
    if source.kind == "deck" and draw.suit is None:
        return Draw(draw.rank, "")
    return draw


class Retype(Answer, frozen=True, kw_only=True, tag="retype"):
    """Corrects draws that were typed for the present volley. The game goes back to the beginning
    of the volley and gives all its draws anew, as ``Show``; so this order is never stored."""

    numbers: dict[int, Draw]
    """The right draws, by their numbers in the volley, from 1."""
    more: tuple[Draw, ...] = ()
    """Further draws, which are typed with the correction."""
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        # The game gives the draws of the volley in place of this order, before it is carried out.
        raise nonsense("no_draw", "There is no volley now whose draws can be corrected.")


def retyped(order: Retype, typed: Sequence[Draw]) -> Show:
    """All draws of a volley, of which these were ``typed``, with the corrections of the order;
    raises Refused."""
    draws = list(typed)
    for number, draw in order.numbers.items():
        if not 1 <= number <= len(draws):
            draws_have = f"{len(draws)} have"
            if len(draws) == 1:
                draws_have = "1 has"
            raise nonsense("no_draw", f"There is no draw {number}: {draws_have} been typed so far.")
        draws[number - 1] = draw
    return Show((*draws, *order.more), insist=order.insist)


def refused_as_gone(draw: Draw) -> Refused:
    """The refusal of a card that has gone already. If its suit is unknown, all four of its rank
    have."""
    card = f"last {draw.rank_words}"
    if draw.suit:
        card = draw.words
    text = f"The {card} has gone since the last shuffle: one of the two was mistyped."
    return Refused(Refusal("card_gone", text, "Equipment Needed"))


def already_gone(draws: tuple[Draw, ...], source: Source) -> tuple[Draw, ...]:
    """Those of the ``draws``, which were made in this order, that had gone since the last shuffle
    already. Raises Refused for a card or face that does not exist."""
    if source.kind == "die":
        for draw in draws:
            _refuse_unless_face(draw)
        return ()
    twice: list[Draw] = []
    for draw in draws:
        no_such_rank = not 1 <= draw.rank <= _HIGHEST_RANK
        no_such_suit = bool(draw.suit) and draw not in DECK
        if no_such_rank or no_such_suit:
            raise nonsense("no_such_card", f"{draw} is not in the deck of 48; the Kings are out.")
        # As in play, an empty deck is shuffled before the next draw, not after the last.
        if source.cards_left(DECK) <= 0:
            source = source.reshuffled()
        if _has_gone(draw, source):
            twice.append(draw)
        source = source.drawn(draw)
    return tuple(twice)


def _refuse_unless_face(draw: Draw) -> None:
    """Raises Refused unless it is a face of the die. A card has a suit, if only an unknown one."""
    if draw.suit is not None:
        text = f"This side plays with a die: a d{DIE} roll, 1 to {DIE}, not {draw}."
        raise nonsense("wrong_draw", text)
    if not 1 <= draw.rank <= DIE:
        raise nonsense("no_such_face", f"A d{DIE} shows 1 to {DIE}, not {draw.rank}.")


def _has_gone(draw: Draw, source: Source) -> bool:
    """Whether that card, or all of its rank if its suit is unknown, has gone or lies aside."""
    cards_seen = list(source.gone)
    if source.aside is not None:
        cards_seen.append(source.aside)
    # A card typed without its suit can still be one too many: the fifth seven.
    of_rank = sum(card.rank == draw.rank for card in cards_seen)
    if of_rank >= len(SUITS):
        return True
    return bool(draw.suit) and draw in cards_seen
