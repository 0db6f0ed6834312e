"""How the battle is played, changed while it goes on: how a side draws and who commands it, its
force quality, and the options of the rules."""

from __future__ import annotations

from msgspec.structs import replace

from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.setup import Level
from skirmish.games.plastic.battle.shown import Concealed, PublicText, PublicTextOrNone
from skirmish.games.plastic.battle.state import Event, State
from skirmish.games.plastic.battle.strength import worth_of
from skirmish.games.plastic.rules.options import OPTION_NAMES

SOURCE_NAMES = {"deck": "cards", "die": "a d12"}
"""What a side draws from, as the journal calls it."""


class LevelSet(Event, frozen=True, kw_only=True, tag="level_set"):
    """From now on a side uses the program in another way (``Level``), with a new deck or die."""

    side: PublicText
    level: Level
    source: Concealed

    def apply(self, state: State) -> State:
        return replace(
            state,
            levels={**state.levels, self.side: self.level},
            sources={**state.sources, self.side: self.source},
        )

    def narrate(self, state: State) -> str:
        # Named from the event alone: ``state`` may be a later one than that before the event.
        people = state.words.people(self.side)
        if self.level == "ledger":  # it has no draws
            return f"{people}: ledger from now on."
        return f"{people}: {self.level} with {SOURCE_NAMES[self.source.kind]} from now on."


class Commanded(Event, frozen=True, kw_only=True, tag="commanded"):
    """Another player commands a side; an empty ``player``: nobody named."""

    side: PublicText
    player: PublicText

    def apply(self, state: State) -> State:
        first, second = state.setup.sides
        if first.id == self.side:
            first = replace(first, player=self.player)
        elif second.id == self.side:
            second = replace(second, player=self.player)
        # Only the set-up of the state changes; the opening in the journal stays as it was.
        return replace(state, setup=replace(state.setup, sides=(first, second)))

    def narrate(self, state: State) -> str:
        return f"{state.words.people(self.side)}: commanded by {self.player or 'nobody named'}."


class Switched(Event, frozen=True, kw_only=True, tag="switched"):
    """An option of the rules is switched on or off."""

    option: PublicText
    on: bool

    def apply(self, state: State) -> State:
        # By "Nationalities" some pieces have another worth, so losses are counted again.
        switched = replace(state, options=replace(state.options, **{self.option: self.on}))
        worth_now = {piece: worth_of(switched, piece) for piece in state.lost}
        loss = dict(state.loss)
        for piece, worth in worth_now.items():
            side = piece_side(piece)
            # Only the difference is added: the loss of a side includes what it was charged for
            # enemies who left over its edge, and that does not change.
            difference = worth - state.worth_lost.get(piece, 0)
            loss[side] = loss.get(side, 0) + difference
        return replace(switched, worth_lost=worth_now, loss=loss)

    def narrate(self, state: State) -> str:
        on_or_off = "off"
        if self.on:
            on_or_off = "on"
        return f"{OPTION_NAMES[self.option]}: {on_or_off}."


class QualitySet(Event, frozen=True, kw_only=True, tag="quality_set"):
    """The force quality of a side is changed; None: it is played without one."""

    side: PublicText
    quality: PublicTextOrNone

    def apply(self, state: State) -> State:
        return replace(
            state,
            quality={**state.quality, self.side: self.quality},
            # Without a quality there is no command draw that could have ended movement.
            movement_over=state.movement_over and self.quality is not None,
        )

    def narrate(self, state: State) -> str:
        quality = self.quality or "not played"
        return f"{state.words.sentence_start(self.side, 'force quality')}: {quality}."
