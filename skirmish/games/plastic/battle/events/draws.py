"""Questions to the players, and what is drawn from decks and dice. The ``source`` of a draw is the
id of the side whose deck or die it comes from."""

from __future__ import annotations

from typing import Annotated

from msgspec.structs import replace

from skirmish.games.plastic.battle.agenda import LotKind, OutcomeAsk
from skirmish.games.plastic.battle.shown import OPEN, AskSeen, PublicText, PublicTextOrNone
from skirmish.games.plastic.battle.state import AgendaStep, Clock, Event, State
from skirmish.tabletop.chance import Draw, Source, spell


class Asked(Event, frozen=True, kw_only=True, tag="asked"):
    """The battle waits for an answer of the players."""

    ask: AskSeen

    def apply(self, state: State) -> State:
        return replace(state, ask=self.ask)

    def narrate(self, state: State) -> str:
        if isinstance(self.ask, OutcomeAsk):
            return "The last turn is over."
        return ""


class DrawsTyped(Event, frozen=True, kw_only=True, tag="laid"):
    """Players have typed their own draws, which wait in the hand (``State.hand``) to be used.
    ``twice``: those cards among them that were already gone from the deck."""

    source: PublicText
    draws: tuple[Draw, ...]
    twice: tuple[Draw, ...] = ()

    def apply(self, state: State) -> State:
        # The question for a draw is answered: the steps that need one take it from the hand.
        return replace(state, hand=self.draws, hand_of=self.source, ask=None)

    def narrate(self, state: State) -> str:
        # The draws themselves are narrated by the events that use them.
        if not self.twice:
            return ""
        names = []
        for card in self.twice:
            # Where no suit matters, players may have typed only the rank.
            name = card.rank_words
            if card.suit:
                name = card.words
            names.append(name)
        return f"[The {', '.join(names)} had gone before: one of the two was mistyped.]"


class DrawsUnused(Event, frozen=True, kw_only=True, tag="unread"):
    """Draws that were typed in are left over: the battle needs no more of them, or the repeat shot
    that would use them next cannot be fired."""

    draws: tuple[Draw, ...]

    def apply(self, state: State) -> State:
        return replace(state, hand=())

    def narrate(self, state: State) -> str:
        return f"Typed but not needed: {spell(self.draws)}."


class DrawMade(Event, frozen=True, kw_only=True, tag="drawn"):
    """A card is drawn or a die rolled. The last three fields say which draw of its source it is."""

    source: PublicText
    draw: Draw
    shuffle: int
    """The number of the shuffle before it."""
    aside: Draw | None = None
    """The card that was left out of that shuffle: the first one of a breakdown test that was not
    over yet (P78)."""
    nth: int
    """How many were drawn since that shuffle, or rolled, before this one."""

    def apply(self, state: State) -> State:
        source = _with_voided_shuffle(state.sources[self.source], self.shuffle, self.aside)
        state = _with_source(state, self.source, source.drawn(self.draw))
        # A draw that was typed in is the first of the hand; otherwise the hand is empty.
        return replace(state, ask=None, hand=state.hand[1:])


class Spent(Event, frozen=True, kw_only=True, tag="spent"):
    """Draws that are gone from their source and count for nothing else: those of a void line, or of
    a volley of which only the hits were counted."""

    source: PublicText
    draw: Draw
    times: int = 1
    """How often this card or roll was drawn."""
    shuffle: int | None = None
    """As in ``DrawMade``; None in journals of earlier versions."""

    def apply(self, state: State) -> State:
        source = _with_voided_shuffle(state.sources[self.source], self.shuffle)
        for _ in range(self.times):
            source = source.drawn(self.draw)
        return _with_source(state, self.source, source)


class Shuffled(Event, frozen=True, kw_only=True, tag="shuffled"):
    """A deck was shuffled, without the card ``aside`` if there is one."""

    source: PublicText
    aside: Draw | None = None

    def apply(self, state: State) -> State:
        shuffled = state.sources[self.source].reshuffled(self.aside)
        return _with_source(state, self.source, shuffled)

    def narrate(self, state: State) -> str:
        return f"The {state.setup.owned_by(self.source, 'deck')} is shuffled."


class Reread(Event, frozen=True, kw_only=True, tag="reread"):
    """A card or roll that was typed in is corrected from ``was`` to ``draw``. ``shuffled``: the
    deck has been shuffled since, so the correction changes nothing in the present deck."""

    source: PublicText
    was: Draw
    draw: Draw
    shuffled: bool = False

    def apply(self, state: State) -> State:
        if self.shuffled:
            return state
        reread = state.sources[self.source].corrected(self.was, self.draw)
        return _with_source(state, self.source, reread)

    def narrate(self, state: State) -> str:
        return f"It was {_the(self.draw)}, not {_the(self.was)}."


class LotCast(AgendaStep, frozen=True, kw_only=True, tag="lot_cast"):
    """Both sides drew lots: who places terrain first, or who moves first. ``first``: the side with
    the higher draw; None after a tie."""

    lot: LotKind
    draws: Annotated[dict[str, Draw], OPEN]
    first: PublicTextOrNone

    def apply(self, state: State) -> State:
        state = super().apply(state)
        # The lot for terrain is only narrated: players place it themselves.
        if self.lot == "side" and self.first is not None:
            first_phase = Clock(turn=1, side=self.first, phase=1)
            return replace(state, first=self.first, clock=first_phase)
        return state

    def narrate(self, state: State) -> str:
        people = state.words.people
        drew = ", ".join(f"{people(side)} {draw}" for side, draw in self.draws.items())
        result = "a tie, draw again"
        if self.first is not None:
            result = f"{people(self.first)} first"
        drawn_for: str = self.lot
        if self.lot == "side":
            drawn_for = "sides"
        return f"Draw for {drawn_for}: {drew}; {result}."


def _with_voided_shuffle(source: Source, shuffle: int | None, aside: Draw | None = None) -> Source:
    """The source as it was when something was drawn from it after the shuffle with this number. Of
    a player's own deck that shuffle may be missing, if the line in which the player shuffled it was
    made void; but the draw came from the shuffled deck all the same. ``aside``: the card left out
    of that shuffle; ``shuffle`` is None where an earlier version did not store it."""
    is_players_own_deck = source.typed and source.kind == "deck"
    if not is_players_own_deck:
        return source
    if shuffle is None or source.shuffles >= shuffle:
        return source
    # The shuffle is missing, so it is done here.
    return replace(source, shuffles=shuffle, gone=(), aside=aside)


def _with_source(state: State, side: str, source: Source) -> State:
    """The state in which a side has this deck or die."""
    return replace(state, sources={**state.sources, side: source})


def _the(draw: Draw) -> str:
    """``the 8 of hearts``, ``5``: a roll has no suit and takes no article."""
    if draw.suit:
        return f"the {draw.words}"
    return draw.words
